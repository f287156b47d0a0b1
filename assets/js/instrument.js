// The instrument: go from sentence to sentence and see the four panels of each.

function makeInstrument(root, onSelect) {
  const popover = makePopover(root), panels = makePanels(popover);
  const cells = h("div", { class: "cells", role: "group", "aria-label": "Sentences" }), title = h("h3", {});
  const back = h("button", { type: "button", class: "step", "aria-label": "Previous sentence", onclick: () => step(-1) }, "‹");
  const next = h("button", { type: "button", class: "step", "aria-label": "Next sentence", onclick: () => step(1) }, "›");
  const follow = h("button", { type: "button", class: "follow", onclick: () => onSelect(null) }, "Follow the writing");
  const el = h("section", { class: "instrument", "aria-label": "How the sentence was written" },
    h("div", { class: "nav" }, title, h("div", { class: "walk" }, back, cells, next), follow), panels.el, legend());
  let numbers = [], at = 0;

  const step = (by) => {
    const to = numbers[numbers.indexOf(at) + by];
    if (to != null) onSelect(to);
  };

  function update(state, n, following, canFollow) {
    numbers = [...state.sentences.keys()].sort((a, b) => a - b);
    if (!numbers.includes(n)) n = numbers[0];
    if (n == null) return;
    if (n !== at) popover.hide(true);
    at = n;
    const unfinished = state.ended ? "not finished" : "in work";
    const marks = numbers.map((k) => (state.sentences.get(k).accepted ? markOf(state.sentences.get(k)) : k === 0 ? "topic" : "work"));
    fill(cells, JSON.stringify([numbers, marks, n, unfinished]), () => numbers.map((k, i) => h("button", { type: "button", class: `cell ${marks[i]}`,
      "aria-current": k === n ? "true" : null, "aria-label": k === 0 ? "Topic" : `Sentence ${k}: ${WORDS.marks[marks[i]] ?? unfinished}`,
      title: k === 0 ? "Retrieval with the topic" : `${k}: ${WORDS.marks[marks[i]] ?? unfinished}`, onclick: () => onSelect(k) }, k === 0 ? "T" : k)));
    title.textContent = n === 0 ? "Before the first sentence" : `Sentence ${n}`;
    back.disabled = numbers.indexOf(n) <= 0;
    next.disabled = numbers.indexOf(n) >= numbers.length - 1;
    follow.hidden = following || !canFollow;
    panels.show(state, state.sentences.get(n), following);
  }
  return { el, update, panels };
}
