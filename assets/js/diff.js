// Word diff: what the rewrite took out of the draft and what it put in.

function wordsOf(text) {
  return globalThis.Intl?.Segmenter
    ? Array.from(new Intl.Segmenter(undefined, { granularity: "word" }).segment(text), (s) => s.segment)
    : text.split(/(\s+|\b)/).filter(Boolean);
}

/** Runs of `[kind, text]` with kind same, out or in: the longest common subsequence of the words. */
function diff(before, after) {
  const a = wordsOf(before), b = wordsOf(after);
  if (a.length * b.length > 250_000) return [["out", before], ["in", after]];
  const longest = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) for (let j = b.length - 1; j >= 0; j--) {
    longest[i][j] = a[i] === b[j] ? longest[i + 1][j + 1] + 1 : Math.max(longest[i + 1][j], longest[i][j + 1]);
  }
  const runs = [];
  const push = (kind, word) => {
    const run = last(runs);
    if (run?.[0] === kind) run[1] += word;
    else runs.push([kind, word]);
  };
  let i = 0, j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) [i, j] = (push("same", a[i]), [i + 1, j + 1]);
    else if (j >= b.length || (i < a.length && longest[i + 1][j] >= longest[i][j + 1])) push("out", a[i++]);
    else push("in", b[j++]);
  }
  return tidy(runs);
}

/** Lone spaces between two changes join them, so that a phrase reads as one change. */
function tidy(runs) {
  const out = [];
  let removed = "", added = "";
  const flush = () => {
    if (removed) out.push(["out", removed]);
    if (added) out.push(["in", added]);
    [removed, added] = ["", ""];
  };
  runs.forEach(([kind, text], k) => {
    const glue = kind === "same" && !text.trim() && (removed || added) && k + 1 < runs.length;
    if (kind === "out" || glue) removed += text;
    if (kind === "in" || glue) added += text;
    if (kind === "same" && !glue) {
      flush();
      out.push([kind, text]);
    }
  });
  flush();
  return out;
}

function diffView(before, after) {
  const tags = { same: "span", out: "del", in: "ins" };
  return h("p", { class: "diff", dir: "auto" }, diff(before, after).map(([kind, text]) => h(tags[kind], {}, text)));
}
