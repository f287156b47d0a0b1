// The page of a run: counters, the report as it grows, and the instrument.

function makeRun(root, { running }) {
  const pill = h("span", { class: "pill" }), model = h("span", { class: "model" }), counters = h("dl", { class: "counters" });
  const warnings = h("div", { class: "warnings" }), ending = h("div", { class: "ending", role: "status" });
  const spoken = h("div", { class: "hidden", "aria-live": "polite" });
  const dismissed = new Set();
  let state = newState(), selected = null, queued = false, heard = 0, shown = null, longest = 0;
  const rows = makeRows(open), essay = h("section", { class: "essay", "aria-label": "Report so far", tabindex: 0 }, rows.el);
  const instrument = makeInstrument(root, select);
  root.append(h("div", { class: "bar" }, h("div", { class: "who" }, pill, model), counters), warnings, essay, ending, instrument.el, spoken);

  function select(n) {
    selected = n;
    draw();
  }

  /** A sentence that was clicked in the report: how it came about is below, perhaps out of sight. */
  function open(n) {
    select(n);
    instrument.el.scrollIntoView({ block: "start", behavior: "smooth" });
  }

  const later = () => {
    if (!queued) requestAnimationFrame(draw);
    queued = true;
  };

  function take(events) {
    const news = events.filter((event) => add(state, event));
    if (!news.length) return;
    heard = performance.now();
    for (const e of news) if (e.type === "sentence_accepted") spoken.textContent = `Sentence ${e.sentence} is written: ${WORDS.marks[markOf(sentenceOf(state, e.sentence))]}.`;
    later();
  }

  function draw() {
    queued = false;
    const near = essay.scrollHeight - essay.scrollTop - essay.clientHeight < 60;
    header();
    fill(warnings, `${state.warnings.length}/${dismissed.size}`, () => state.warnings.map(warning));
    ending.className = `ending ${state.ended?.status ?? ""}`;
    fill(ending, state.ended ? "ended" : "", () => state.ended && endingOf(state.ended));
    root.classList.toggle("empty", state.sentences.size === 0);
    const n = selected ?? (running ? state.current : firstRetrieved());
    rows.update(state, n);
    instrument.update(state, n, selected == null, state.ended == null);
    if (running && near && selected == null) essay.scrollTop = essay.scrollHeight;
    else if (n !== shown) rows.reveal(essay, n);
    shown = n;
  }

  /** A finished run that is opened again starts at the sentence that has most to show. */
  const firstRetrieved = () => accepted(state).find(retrieved)?.n ?? state.current;

  function header() {
    const status = state.ended?.reason === "repetition" ? "early" : state.ended?.status ?? "running";
    pill.className = `pill ${status}`;
    pill.textContent = WORDS.endings[status] + (status === "running" && state.current ? ` sentence ${state.current}` : "");
    fill(model, state.started ? "known" : "", () => state.started && modelLine(state.started.model));
    const goal = state.started?.spec.sentences;
    const values = [["sentences", accepted(state).length + (goal ? ` / ${goal}` : "")],
      ["retrievals", [...state.sentences.values()].filter(retrieved).length], ["searches", state.searches],
      ["model calls", state.calls.length], ["tokens", number(state.generated)], ["elapsed", clock(elapsed())]];
    if (counters.children.length) values.forEach(([, v], i) => { counters.children[i].lastChild.textContent = v; });
    else counters.append(...values.map(([name, v]) => h("div", { title: UNITS[name] }, h("dt", {}, name), h("dd", {}, v))));
  }

  function elapsed() {
    if (!state.started) return 0;
    if (state.ended) return state.ended.at - state.started.at;
    longest = Math.max(longest, state.at - state.started.at + (performance.now() - heard) / 1000);
    return longest;
  }

  const warning = (w, i) => !dismissed.has(i) && h("div", { class: "warning", role: "note" }, h("p", { dir: "auto" }, h("b", {}, w.message), " ", w.remedy),
    h("button", { type: "button", "aria-label": "Dismiss this warning", onclick: () => { dismissed.add(i); draw(); } }, "×"));

  const ticking = setInterval(() => state.started && !state.ended && header(), 1000);
  draw();
  return { take, close: () => clearInterval(ticking), last: () => state.lastSeq };
}

const UNITS = { sentences: "sentences accepted, of those asked for", retrievals: "sentences whose draft led to a retrieval",
  searches: "questions put to a search backend", "model calls": "calls of the language model",
  tokens: "tokens generated, thrown-away drafts included", elapsed: "minutes and seconds since the start" };

function modelLine(info) {
  const has = info.capabilities.logprobs;
  return [h("bdi", {}, info.name), info.kind === "embedded" ? " embedded · " : " · ",
    h("span", { class: has === false ? "no" : has ? "yes" : "" }, has === false ? "✗ gives no token probabilities" : has ? "✓ token probabilities" : "token probabilities not known")];
}

function endingOf(ended) {
  return [h("span", { dir: "auto" }, ended.message), ended.remedy && h("span", { class: "remedy", dir: "auto" }, " ", ended.remedy)];
}
