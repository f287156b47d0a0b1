// The report: rows with gutter marks while it is written, paragraphs with citations when it is read.

function citeChips(numbers, sources, go) {
  if (!numbers.length) return null;
  return h("span", { class: "cites" }, numbers.map((n) => {
    const source = sources?.find((s) => s.number === n);
    return h("button", { type: "button", class: "cite", "aria-label": `Source ${n}${source ? `: ${source.title}` : ""}`,
      title: source ? `${source.title} · ${source.host}` : `source ${n}`, onclick: (e) => { e.stopPropagation(); go?.(n, e.currentTarget); } }, n);
  }));
}

/** Citations stand before the full stop, as in print. */
function withCites(text, chips) {
  const end = /[.!?…。！？؟।]+[”’"'»」』）)\]]*$/u.exec(text);
  return chips && end ? [text.slice(0, end.index), chips, text.slice(end.index)] : [text, chips];
}

function makeRows(select) {
  const list = h("ol", { class: "rows" }), rows = new Map();

  function row(n) {
    const el = h("li", { "data-n": n, onclick: () => { if (!selecting(el)) select(n); } });
    rows.set(n, el);
    const after = [...rows.keys()].filter((k) => k > n).sort((a, b) => a - b)[0];
    list.insertBefore(el, after == null ? null : rows.get(after));
    return el;
  }

  function update(state, selected) {
    for (const s of accepted(state)) {
      const el = rows.get(s.n) ?? row(s.n);
      fill(el, "accepted", () => [
        h("button", { type: "button", class: "gutter", "aria-label": `Sentence ${s.n}: ${WORDS.marks[markOf(s)]}. Show how it was written.` }, signOf(markOf(s))),
        h("p", { dir: "auto" }, withCites(s.accepted.text, citeChips(cites(state, s), sourcesOf(state)))),
      ]);
      el.className = s.accepted.before.includes("\n") && s.n > 1 ? "paragraph" : "";
    }
    working(state);
    for (const [n, el] of rows) {
      el.classList.toggle("selected", n === selected);
      el.firstChild?.setAttribute("aria-current", n === selected);
    }
  }

  /** The sentence in work: its text is still grey. */
  function working(state) {
    const n = state.current, s = state.sentences.get(n);
    for (const [k, el] of rows) if (el.classList.contains("working") && (k !== n || state.ended)) {
      rows.delete(k);
      el.remove();
    }
    if (!s || n === 0 || s.accepted || state.ended) return;
    const el = rows.get(n) ?? row(n);
    el.classList.add("working");
    const live = state.live?.sentence === n ? state.live.text : null;
    const text = live ?? last(s.rewrites)?.text ?? last(s.drafts)?.text ?? "";
    fill(el, "working", () => [h("button", { type: "button", class: "gutter", "aria-label": `Sentence ${n}, in work` }, h("span", { class: "sign work" })),
      h("p", { dir: "auto" }, h("span", {}), h("small", {}))]);
    el.lastChild.firstChild.textContent = text;
    el.lastChild.lastChild.textContent = doing(state, s);
  }
  /** Scrolls the box of the report, not the page, until a sentence is in sight. */
  function reveal(box, n) {
    const row = rows.get(n)?.getBoundingClientRect(), frame = box.getBoundingClientRect();
    if (row && row.top < frame.top) box.scrollTop += row.top - frame.top - 8;
    else if (row && row.bottom > frame.bottom) box.scrollTop += row.bottom - frame.bottom + 8;
  }
  return { el: list, update, reveal };
}

function doing(state, s) {
  const now = phases(state, s);
  const step = { draft: "drafting", query: "forming the query", passages: "searching", rewrite: "writing again" };
  const at = PANELS.map(([name]) => name).find((name) => now[name] === "active");
  return at ? ` ${step[at]}…` : "";
}

function sourcesOf(state) {
  const byUrl = new Map([...state.passages.values()].map((p) => [p.url, p]));
  return [...state.numbers].map(([url, n]) => ({ number: n, title: byUrl.get(url).title, host: byUrl.get(url).host }));
}
