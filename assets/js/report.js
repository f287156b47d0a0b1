// The report to read: numbered citations, sources beside it, and behind each sentence how it was written.

function makeReport(root) {
  const article = h("article", { class: "reading" }), aside = h("aside", { class: "sources", "aria-label": "Sources" });
  const sheet = h("section", { class: "sheet" }), state = newState();
  let instrument = null, selected = null, report = null, queued = false, ask = null;
  root.append(h("div", { class: "spread" }, article, aside), sheet);
  sheet.hidden = true;

  function show({ marks, report: next }, onAsk) {
    ask = onAsk;
    root.classList.toggle("marks", marks);
    if (report && JSON.stringify(next) === JSON.stringify(report)) return;
    report = next;
    article.replaceChildren(...heading(report), ...paragraphs(report.sentences).map(paragraph));
    aside.replaceChildren(...sourceLists(report));
  }

  function paragraph(sentences) {
    return h("p", { dir: "auto" }, sentences.map((s, i) => [i > 0 && s.before, sentence(s)]).flat());
  }

  function sentence(s) {
    const el = h("span", { class: "sentence", "data-n": s.n, onclick: () => { if (!selecting(el)) select(s.n, el); } },
      h("button", { type: "button", class: "how", "aria-expanded": "false",
        "aria-label": `Sentence ${s.n}: ${WORDS.marks[s.mark]}. Show how it was written.` }, signOf(s.mark)),
      withCites(s.text, citeChips(s.cites, report.sources, goToSource)));
    return el;
  }

  function select(n, el) {
    const open = selected !== n;
    for (const other of article.querySelectorAll(".sentence.selected")) {
      other.classList.remove("selected");
      other.firstChild.setAttribute("aria-expanded", "false");
    }
    selected = open ? n : null;
    sheet.hidden = !open;
    if (!open) return;
    el ??= article.querySelector(`[data-n="${n}"]`);
    el?.classList.add("selected");
    el?.firstChild.setAttribute("aria-expanded", "true");
    if (!instrument) {
      instrument = makeInstrument(sheet, (k) => { selected = null; select(k); });
      sheet.append(h("button", { type: "button", class: "close", "aria-label": "Close", onclick: () => { select(selected); } }, "×"), instrument.el);
      ask?.();
    }
    draw();
    sheet.scrollIntoView({ block: "nearest", behavior: "smooth" });
  }

  function draw() {
    queued = false;
    if (instrument && selected != null) instrument.update(state, selected, false, false);
  }

  function take(events) {
    events.forEach((event) => add(state, event));
    if (!queued) requestAnimationFrame(draw);
    queued = true;
  }

  function goToSource(n, from) {
    const item = aside.querySelector(`[data-source="${n}"]`);
    item?.scrollIntoView({ block: "center", behavior: "smooth" });
    item?.querySelector("a, .title")?.focus({ preventScroll: true });
    item?.classList.remove("flash");
    requestAnimationFrame(() => item?.classList.add("flash"));
    for (const chip of article.querySelectorAll(".cite.from")) chip.classList.remove("from");
    from.classList.add("from");
  }

  function sourceLists({ sources, unused, credits }) {
    return [
      h("h3", {}, "Sources"),
      sources.length ? h("ol", {}, sources.map(sourceItem)) : quiet("No source is cited."),
      unused.length > 0 && h("details", { class: "unused" }, h("summary", {}, `${plural(unused.length, "source")} read but not cited`), h("ul", {}, unused.map(sourceItem))),
      credits.length > 0 && h("div", { class: "credits" }, credits.map((credit) => h("p", { dir: "auto" }, credit))),
    ].filter(Boolean);
  }

  function sourceItem(source) {
    return h("li", { "data-source": source.number }, source.number && h("b", { class: "cite" }, source.number),
      h("div", {}, link(source.url, source.title, { class: "title", tabindex: safeUrl(source.url) ? null : -1 }),
        h("small", { dir: "auto" }, [source.host, source.date && day(source.date), `read ${day(source.retrieved_at)}`, source.licence].filter(Boolean).join(" · ")),
        source.sentences.length > 0 && h("small", { class: "used" }, "for sentence ", source.sentences.map((n, i) => [i > 0 ? ", " : null,
          h("button", { type: "button", class: "text", onclick: () => goToSentence(n) }, n)]).flat())));
  }

  function goToSentence(n) {
    const el = article.querySelector(`[data-n="${n}"]`);
    el?.scrollIntoView({ block: "center", behavior: "smooth" });
    el?.firstChild.focus({ preventScroll: true });
  }
  return { show, take, close: () => {}, last: () => state.lastSeq };
}

function paragraphs(sentences) {
  const out = [];
  for (const s of sentences) {
    if (s.before === "\n" || !out.length) out.push([]);
    last(out).push(s);
  }
  return out;
}

function heading({ title, byline, counts, sentences }) {
  const kinds = ["supported", "unsupported", "memory", "failed"].filter((kind) => counts[kind]);
  return [
    h("h1", { dir: "auto" }, title),
    h("p", { class: "byline", dir: "auto" }, byline),
    h("div", { class: "quality", role: "img", "aria-label": "Share of sentences by evidence" }, kinds.map((kind) => h("i", { class: kind, style: `flex:${counts[kind]}` }))),
    h("ul", { class: "quality-line" }, h("li", {}, h("b", {}, plural(sentences.length, "sentence"))),
      kinds.map((kind) => h("li", {}, signOf(kind), ` ${counts[kind]} ${WORDS.marks[kind]}`))),
  ];
}
