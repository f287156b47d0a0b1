// The fold: events in, state of the run out. The same as flare_core/report/fold.py, for the screen.

const DURABLE = ["run_started", "sentence_drafted", "decided", "query_formed", "searched", "page_read",
  "passages_ranked", "sentence_rewritten", "sentence_rejected", "sentence_accepted", "call_made", "warned", "run_ended"];

const LISTS = { sentence_drafted: "drafts", decided: "decisions", query_formed: "queries", searched: "searches",
  page_read: "pages", passages_ranked: "rankings", sentence_rewritten: "rewrites", sentence_rejected: "rejected",
  call_made: "calls" };

function newState() {
  return { started: null, ended: null, live: null, sentences: new Map(), passages: new Map(), numbers: new Map(),
    warnings: [], calls: [], searches: 0, generated: 0, lastSeq: 0, at: 0, current: 0 };
}

function sentenceOf(state, n) {
  if (!state.sentences.has(n)) {
    state.sentences.set(n, { n, drafts: [], decisions: [], queries: [], searches: [], pages: [], rankings: [],
      rewrites: [], rejected: [], calls: [], accepted: null });
  }
  return state.sentences.get(n);
}

/** Takes in one event; returns false for one that was seen before (a reconnect may repeat some). */
function add(state, event) {
  if (event.type === "drafting") {
    if (sentenceOf(state, event.sentence).accepted) return false;
    state.live = event;
    state.current = event.sentence;
    return true;
  }
  if (event.seq <= state.lastSeq) return false;
  state.lastSeq = event.seq;
  state.at = event.at;
  if (event.type === "run_started") state.started = event;
  else if (event.type === "run_ended") end(state, event);
  else if (event.type === "warned") state.warnings.push(event);
  else if (event.type === "sentence_accepted") accept(state, event);
  else if (LISTS[event.type]) {
    sentenceOf(state, event.sentence)[LISTS[event.type]].push(event);
    if (event.type === "call_made") {
      state.calls.push(event);
      state.generated += event.generated_tokens;
      return true;
    }
    if (event.type === "searched") state.searches += 1;
    if (event.type === "passages_ranked") for (const r of event.ranked) state.passages.set(r.passage.id, r.passage);
    if (event.type === "sentence_drafted" || event.type === "sentence_rewritten") state.live = null;
    state.current = event.sentence;
  }
  return true;
}

/** A sentence that was hardly begun when the run ended is not one. */
function end(state, event) {
  [state.ended, state.live] = [event, null];
  for (const [n, s] of state.sentences) if (n > 0 && !s.accepted && !s.drafts.length) state.sentences.delete(n);
  if (!state.sentences.has(state.current)) state.current = Math.max(0, ...state.sentences.keys());
}

/** Citation numbers are given in order of first use, one for one source, as in report/citations.py. */
function accept(state, event) {
  sentenceOf(state, event.sentence).accepted = event;
  state.live = null;
  state.current = event.sentence;
  for (const { passage_id } of event.evidence) {
    const url = state.passages.get(passage_id)?.url;
    if (url != null && !state.numbers.has(url)) state.numbers.set(url, state.numbers.size + 1);
  }
}

const last = (list) => list[list.length - 1];
const accepted = (state) => [...state.sentences.values()].filter((s) => s.accepted).sort((a, b) => a.n - b.n);
const retrieved = (sentence) => sentence.decisions.some((decision) => decision.retrieve);

function cites(state, sentence) {
  const found = sentence.accepted.evidence.map((e) => state.numbers.get(state.passages.get(e.passage_id)?.url));
  return [...new Set(found)].filter((n) => n != null).sort((a, b) => a - b);
}

/** One of supported, unsupported, memory, failed: see words.json. */
function markOf(sentence) {
  const { evidence, outcome } = sentence.accepted;
  return evidence.length ? "supported" : (WORDS.outcomes[outcome]?.[0] ?? "memory");
}

/** What each of the four panels is doing: idle, active, done or skipped. */
function phases(state, s) {
  const ended = state.ended != null || s.accepted != null;
  const live = state.live?.sentence === s.n ? state.live.phase : null;
  const decided = last(s.decisions);
  const none = (s.accepted && !s.queries.length) || (decided && !decided.retrieve);
  const step = (done, skipped, active) => (done ? "done" : skipped ? "skipped" : active && !ended ? "active" : "idle");
  return {
    draft: live === "draft" ? "active" : step(s.drafts.length, s.n === 0, true),
    query: step(s.queries.length, none, decided?.retrieve),
    passages: step(s.rankings.length, none, s.queries.length),
    rewrite: live === "rewrite" ? "active" : step(s.rewrites.length, s.n === 0 || s.accepted || none, s.rankings.length),
  };
}
