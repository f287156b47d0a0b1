// The four panels of one sentence, side by side: Draft, Query, Passages, Rewrite.

const PANELS = [["draft", "Draft"], ["query", "Query"], ["passages", "Passages"], ["rewrite", "Rewrite"]];
const PHASES = { idle: "to come", ended: "not reached", active: "at work", done: "done", skipped: "skipped" };

function makePanels(popover) {
  const strips = { draft: makeStrip(popover), rewrite: makeStrip(popover) };
  let chosen = "draft";
  const tab = ([name, title], i) => h("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}`,
    onclick: () => choose(name) }, h("b", {}, i + 1), h("span", {}, title));
  const tabs = PANELS.map(tab);
  const heads = PANELS.map(([, title], i) => h("h4", {}, h("b", { "aria-hidden": "true" }, i + 1), title, h("em", {})));
  const bodies = PANELS.map(() => h("div", { class: "panel-body" }));
  const panels = PANELS.map(([name], i) => h("section", { class: `panel ${name}`, id: `panel-${name}`, "aria-labelledby": `tab-${name}` },
    heads[i], bodies[i]));
  const tablist = h("div", { class: "tabs", role: "tablist", "aria-label": "Steps of this sentence", onkeydown: keys }, tabs);
  const el = h("div", { class: "panels" }, tablist, h("div", { class: "columns" }, panels));

  function choose(name) {
    chosen = name;
    PANELS.forEach(([key], i) => {
      tabs[i].setAttribute("aria-selected", key === name);
      tabs[i].tabIndex = key === name ? 0 : -1;
      panels[i].classList.toggle("chosen", key === name);
    });
  }

  function keys(e) {
    const at = PANELS.findIndex(([key]) => key === chosen);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: 3 }[e.key];
    if (!PANELS[to]) return;
    choose(PANELS[to][0]);
    tabs[to].focus();
    e.preventDefault();
  }

  /** Draws what changed of a sentence; `follow` turns the phone's tabs to the step in work. */
  function show(state, s, follow) {
    const now = phases(state, s), acc = s.accepted != null;
    PANELS.forEach(([name], i) => {
      for (const part of [panels[i], tabs[i]]) part.dataset.phase = now[name];
      heads[i].lastChild.textContent = PHASES[state.ended && now[name] === "idle" ? "ended" : now[name]];
    });
    if (follow) choose(PANELS.findLast(([name]) => now[name] === "active" || now[name] === "done")?.[0] ?? "draft");
    const live = state.live?.sentence === s.n ? state.live : null;
    drawDraft(bodies[0], strips.draft, s, live?.phase === "draft" ? live : null);
    fill(bodies[1], `${s.n}/${s.queries.length}/${s.drafts.length}/${s.decisions.length}/${acc}`, () => queryPanel(s));
    fill(bodies[2], `${s.n}/${s.searches.length}/${s.pages.length}/${s.rankings.length}/${s.queries.length}/${acc}/${state.numbers.size}`,
      () => passagesPanel(state, s));
    drawRewrite(bodies[3], strips.rewrite, state, s, live?.phase === "rewrite" ? live : null);
  }

  choose(chosen);
  return { el, show, choose };
}

const quiet = (...text) => h("p", { class: "quiet" }, ...text);
const liveTokens = (live) => live.pieces.map((text, i) => ({ text, p: live.probabilities[i] ?? null }));

function marksOf(s) {
  const decided = last(s.decisions);
  return { below: new Set(decided?.below), theta: decided?.theta, beta: decided?.beta,
    masked: new Set(s.queries.flatMap((query) => query.masked)) };
}

function drawDraft(body, strip, s, live) {
  const draft = last(s.drafts), decided = last(s.decisions);
  if (!live && !draft) {
    fill(body, `${s.n}/none/${s.queries.length}`, () => s.n === 0
      ? quiet("Before the first sentence there is no draft: passages are looked up with the topic.")
      : quiet("The draft appears here, token by token."));
    return;
  }
  const marks = live ? { below: new Set(), masked: new Set() } : marksOf(s);
  const tokens = live ? liveTokens(live) : draft.tokens;
  fill(body, live ? `${s.n}/live` : `${s.n}/${s.drafts.length}/${s.decisions.length}/${s.queries.length}/${s.rejected.length}`, () => [
    s.rejected.map((r) => quiet(`An earlier draft was dropped: it nearly repeats sentence ${r.repeats} (${Math.round(r.similarity * 100)} % alike).`)),
    strip.el,
    live ? null : trace(tokens, marks),
    decided && !live && h("p", { class: "rule" }, decided.rule),
    decided && !live && readings(decided, tokens),
    draft && !live && !draft.aligned && quiet("The tokens do not add up to the text, so no decision was taken from them."),
    live ? null : tokenTable(tokens, marks),
  ].flat());
  strip.update(tokens, marks);
}

function readings(decided, tokens) {
  const reading = (sign, words, value) => value != null && h("div", { title: words }, h("dt", {}, sign, hidden(` ${words}`)), h("dd", {}, value));
  return h("dl", { class: "readings" },
    reading("θ", "threshold: a less likely token calls for a retrieval", decided.theta?.toFixed(2)),
    reading("β", "tokens less likely than this are left out of the query", decided.beta?.toFixed(2)),
    reading("lowest", "lowest probability in the draft", decided.lowest == null ? null : prob(decided.lowest)),
    ["confident", "uncertain"].includes(decided.verdict) && reading("under θ", "tokens under the threshold", `${decided.below.length} of ${tokens.length}`),
    decided.unknown > 0 && reading("unknown", "tokens without a probability", decided.unknown));
}

function skippedWords(s) {
  if (s.accepted) return WORDS.outcomes[s.accepted.outcome]?.[1];
  return last(s.decisions) && !last(s.decisions).retrieve ? "No retrieval for this draft." : null;
}

function queryPanel(s) {
  if (!s.queries.length) return quiet(skippedWords(s) ?? "If the draft is uncertain, the query is formed here.");
  const draft = last(s.drafts), kind = s.queries[0].kind;
  return [
    h("p", { class: "rule" }, WORDS.queries[kind] ?? kind),
    kind === "masked" && draft && maskedDraft(draft.tokens, new Set(s.queries.flatMap((q) => q.masked))),
    s.queries.map((query) => h("div", { class: "asked" },
      query.span && h("p", { class: "about" }, "About ", h("q", { dir: "auto" }, query.span.text)),
      h("div", { class: "sent", dir: "auto" }, query.text),
      query.note && quiet(query.note))),
  ].flat();
}

function maskedDraft(tokens, masked) {
  const parts = [];
  for (const group of chips(tokens)) {
    const tag = group.at.some((i) => masked.has(i)) ? "del" : "span";
    const space = tag === "del" && last(parts)?.[0] !== "del" ? /^\s*/.exec(group.text)[0] : "";
    if (space) parts.push(["span", space]);
    if (last(parts)?.[0] === tag) last(parts)[1] += group.text.slice(space.length);
    else parts.push([tag, group.text.slice(space.length)]);
  }
  return h("p", { class: "masked-draft", dir: "auto" }, parts.map(([tag, text]) => h(tag, {}, text)));
}

function passagesPanel(state, s) {
  const ranking = last(s.rankings);
  if (!s.queries.length) return quiet(skippedWords(s) ?? "What the search brings appears here.");
  const kept = ranking?.ranked.filter((r) => r.kept).length ?? 0;
  return [
    h("ul", { class: "outcomes" }, s.searches.map(({ search }) => outcome(search.outcome === "ok", search.outcome === "empty",
      search.backend ? `${search.source}: ${search.backend}` : search.source, WORDS.searches[search.outcome] ?? search.outcome,
      search.outcome === "ok" ? plural(search.hits, "result") : "", search.detail, span(search.ms)))),
    s.pages.length > 0 && pagesRead(s.pages),
    ranking && h("p", { class: "funnel" }, `${plural(ranking.considered, "passage")} scored, ${kept} in the prompt`),
    ranking?.ranked.map((r) => passageCard(state, s, r, Math.max(...ranking.ranked.map((x) => x.score)))),
  ].flat();
}

function outcome(good, neutral, who, words, ...details) {
  const kind = good ? "good" : neutral ? "neutral" : "bad";
  return h("li", { class: kind }, h("b", { dir: "auto" }, who), " ", words,
    h("small", { dir: "auto" }, details.filter(Boolean).join(" · ")));
}

function pagesRead(pages) {
  const good = pages.filter(({ page }) => page.outcome === "read").length;
  return h("details", {}, h("summary", {}, `${plural(pages.length, "page")} opened, ${good} read`),
    h("ul", { class: "outcomes" }, pages.map(({ page }) => outcome(page.outcome === "read", false, page.title || hostOf(page.url),
      WORDS.pages[page.outcome] ?? page.outcome, page.outcome === "read" ? plural(page.passages, "passage") : "", page.detail, span(page.ms)))));
}

function hostOf(url) {
  try {
    return new URL(url).host || url;
  } catch {
    return url;
  }
}

function passageCard(state, s, ranked, best) {
  const { passage } = ranked, number = state.numbers.get(passage.url);
  const evidence = s.accepted?.evidence.find((e) => e.passage_id === passage.id);
  const share = best > 0 ? Math.max(0, ranked.score / best) * 100 : 0;
  const [lead, proof, rest] = evidence ? cut(passage.text, evidence.span) : ["", "", passage.text];
  const short = lead.length > 70 ? "… " + lead.slice(-60).replace(/^\S*\s/, "") : lead;
  return h("article", { class: `passage ${ranked.kept ? "kept" : "dropped"}` },
    h("header", {}, h("b", { class: "rank" }, ranked.rank), link(passage.url, passage.title, { class: "title" }),
      evidence && number && h("span", { class: "cite", title: `source ${number} of the report` }, number)),
    h("p", { class: "from", dir: "auto" }, [passage.host || passage.source, passage.date && day(passage.date)].filter(Boolean).join(" · ")),
    h("div", { class: "score", title: "BM25 score: only comparable within one query" }, h("i", { style: `--w:${share}%` }),
      h("span", {}, hidden("score "), ranked.score.toFixed(1)), h("em", {}, ranked.kept ? "in the prompt" : ranked.why || "dropped")),
    h("details", { class: "excerpt" }, h("summary", { dir: "auto" }, h("span", {}, short, proof && h("mark", {}, proof), rest)),
      h("p", { dir: "auto" }, lead, proof && h("mark", {}, proof), rest)));
}

function drawRewrite(body, strip, state, s, live) {
  const rewrite = last(s.rewrites), draft = last(s.drafts);
  if (live) {
    fill(body, `${s.n}/live`, () => strip.el);
    strip.update(liveTokens(live), { below: new Set(), masked: new Set() });
    return;
  }
  if (!rewrite && !s.accepted) {
    fill(body, `${s.n}/none`, () => quiet(s.n === 0 ? "The topic’s passages go into the first prompts." : "The sentence appears here as it enters the report."));
    return;
  }
  fill(body, `${s.n}/${s.rewrites.length}/${s.accepted != null}/${state.numbers.size}`, () => [
    h("p", { class: "final", dir: "auto" }, (s.accepted ?? rewrite).text),
    rewrite && draft && (rewrite.text === draft.text ? quiet("The rewrite is the same as the draft.")
      : h("div", {}, h("h5", {}, "Changed from the draft"), diffView(draft.text, rewrite.text))),
    s.accepted && h("p", { class: "verdict" }, signOf(markOf(s)), h("span", {}, h("b", {}, capital(WORDS.marks[markOf(s)])), ". ",
      s.accepted.outcome === "retrieved" ? null : WORDS.outcomes[s.accepted.outcome]?.[1])),
    s.accepted?.evidence.length > 0 && h("div", { class: "evidence" }, h("h5", {}, "Evidence"),
      s.accepted.evidence.map((e) => evidenceLine(state, e))),
  ]);
}

function evidenceLine(state, e) {
  const passage = state.passages.get(e.passage_id);
  if (!passage) return null;
  return h("blockquote", { dir: "auto" }, h("span", { class: "cite" }, state.numbers.get(passage.url)), cut(passage.text, e.span)[1],
    h("footer", {}, h("bdi", { class: "title" }, passage.title), `${Math.round(e.coverage * 100)} % of the sentence’s words found in it`));
}

const capital = (text) => text[0].toUpperCase() + text.slice(1);

/** The gutter mark; its meaning is said, never only shown. */
function signOf(mark) {
  return h("span", { class: `sign ${mark}`, role: "img", "aria-label": WORDS.marks[mark], title: WORDS.marks[mark] }, mark === "failed" ? "!" : "");
}
