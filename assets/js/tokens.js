// The token strip: running text in which each token shows how sure the model was of it.

const BANDS = [["sure", 0.9, "0.9 to 1: sure"], ["fair", 0.6, "0.6 to 0.9: fairly sure"],
  ["unsure", 0.3, "0.3 to 0.6: unsure"], ["guess", 0, "below 0.3: a guess"]];
const band = (p) => (p == null ? "unknown" : BANDS.find(([, floor]) => p >= floor)[0]);
const tokenP = (t) => (t.p !== undefined ? t.p : t.logprob == null ? null : Math.exp(Math.min(t.logprob, 0)));

/** Tokens that only together are characters (split bytes, accents, joined emoji) share one chip. */
function chips(tokens) {
  const groups = [];
  tokens.forEach((token, i) => {
    const before = last(groups);
    const joins = before && (/^[\p{M}\u200d\ufe0f\u{1f3fb}-\u{1f3ff}]/u.test(token.text) || before.text.endsWith("\u200d")
      || (token.raw && before.open));
    if (joins) before.at.push(i);
    else groups.push({ at: [i] });
    const group = last(groups);
    const parts = group.at.map((k) => tokens[k]);
    group.text = joined(parts);
    group.open = parts.some((t) => t.raw) && group.text.endsWith("\ufffd");
    const known = parts.map(tokenP);
    group.p = known.includes(null) ? null : Math.min(...known);
  });
  return groups;
}

function joined(parts) {
  if (!parts.some((t) => t.raw)) return parts.map((t) => t.text).join("");
  const bytes = parts.flatMap((t) => t.raw ?? [...new TextEncoder().encode(t.text)]);
  return new TextDecoder().decode(new Uint8Array(bytes));
}

function chip(group, tokens, marks) {
  const space = /^\s+(?=\S)/.exec(group.text)?.[0] ?? "";
  const below = group.at.some((i) => marks.below.has(i));
  const masked = group.at.some((i) => marks.masked.has(i));
  const words = [prob(group.p), below && "under θ", masked && "masked"].filter(Boolean).join(", ");
  const text = group.text.slice(space.length), blank = !text.trim();
  const el = h("span", { class: ["t", band(group.p), below && "below", masked && "masked", blank && "blank"].filter(Boolean).join(" "),
    role: "button", tabindex: -1, "aria-label": `${blank ? "space" : text}: ${words}`, "data-sign": blank ? visible(text) : null },
    blank ? " " : text);
  el.group = group;
  return space ? [space, el] : [el];
}

function makeStrip(popover) {
  const el = h("div", { class: "strip", dir: "auto", role: "group",
    "aria-label": "Tokens of the draft. Arrow keys move from token to token." });
  let drawn = [], shown = "", marks = { below: new Set(), masked: new Set() }, tokens = [];
  const all = () => [...el.children];
  const info = (target) => ({ chip: target, tokens, marks });

  /** Redraws, or only appends while a draft is streaming in. */
  function update(next, nextMarks) {
    const key = JSON.stringify([[...nextMarks.below], [...nextMarks.masked]]);
    const groups = chips(next);
    let same = 0;
    if (key === shown) while (same < drawn.length && same < groups.length && drawn[same].text === groups[same].text
      && drawn[same].p === groups[same].p) same += 1;
    if (same < drawn.length) {
      popover.hide(true);
      el.replaceChildren();
      same = 0;
    }
    [tokens, marks, shown, drawn] = [next, nextMarks, key, groups];
    all().forEach((c, i) => { c.group = groups[i]; });
    el.append(...groups.slice(same).flatMap((group) => chip(group, next, nextMarks)));
    const text = el.firstChild;
    if (text?.nodeType === 3) text.textContent = text.textContent.trimStart();
    if (el.children.length && !el.querySelector('[tabindex="0"]')) el.children[0].tabIndex = 0;
  }

  function move(to) {
    if (!to) return;
    el.querySelector('[tabindex="0"]')?.setAttribute("tabindex", -1);
    to.tabIndex = 0;
    to.focus();
  }

  el.onpointerover = (e) => { if (e.pointerType === "mouse" && e.target.group) popover.show(info(e.target), false); };
  el.onpointerleave = (e) => { if (e.pointerType === "mouse") popover.hide(false); };
  el.addEventListener("focusin", (e) => { if (e.target.group) popover.show(info(e.target), false); });
  el.addEventListener("focusout", () => popover.hide(false));
  el.onclick = (e) => {
    if (e.target.group && !selecting(el)) popover.show(info(e.target), true);
  };
  el.onkeydown = (e) => {
    const list = all(), at = list.indexOf(e.target);
    if (at < 0) return;
    const forward = getComputedStyle(el).direction === "rtl" ? "ArrowLeft" : "ArrowRight";
    const step = { [forward]: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowRight: at - 1, ArrowUp: at - 1,
      Home: 0, End: list.length - 1 };
    if (e.key === forward) move(list[at + 1]);
    else if (e.key in step) move(list[step[e.key]]);
    else if (e.key === "Enter" || e.key === " ") popover.show(info(e.target), true);
    else if (e.key === "Escape") popover.hide(true);
    else return;
    e.preventDefault();
  };
  return { el, update };
}

/** One popover for all strips of a view; pinned by a click, a tap or Enter, closed by Esc or the next click. */
function makePopover(root) {
  const el = h("div", { class: "popover", role: "tooltip" });
  let pinned = null;
  el.hidden = true;
  root.append(el);

  function show({ chip: target, tokens, marks }, pin) {
    if (pin && pinned === target) return hide(true);
    if (!pin && pinned) return;
    pinned?.classList.remove("pinned");
    pinned = pin ? target : null;
    pinned?.classList.add("pinned");
    el.replaceChildren(...tokenCard(target.group, tokens, marks));
    el.hidden = false;
    const box = root.getBoundingClientRect(), at = target.getClientRects()[0] ?? target.getBoundingClientRect();
    const left = Math.min(Math.max(at.left + at.width / 2 - el.offsetWidth / 2, box.left), box.right - el.offsetWidth);
    const over = at.bottom + el.offsetHeight + 8 > Math.min(box.bottom, innerHeight) && at.top - el.offsetHeight - 8 > box.top;
    el.style.left = `${left - box.left}px`;
    el.style.top = `${(over ? at.top - el.offsetHeight - 8 : at.bottom + 8) - box.top}px`;
  }

  function hide(all) {
    if (pinned && !all) return;
    pinned?.classList.remove("pinned");
    pinned = null;
    el.hidden = true;
  }
  root.addEventListener("click", (e) => { if (pinned && !e.target.group && !el.contains(e.target)) hide(true); });
  root.addEventListener("keydown", (e) => { if (e.key === "Escape") hide(true); });
  return { show, hide };
}

function tokenCard(group, tokens, marks) {
  const parts = group.at.map((i) => tokens[i]);
  const notes = [
    group.p == null && "The model gave no probability here: it neither triggers nor vetoes.",
    group.at.some((i) => marks.below.has(i)) && `Under θ${marks.theta == null ? "" : ` = ${prob(marks.theta)}`}: it called for a retrieval.`,
    group.at.some((i) => marks.masked.has(i)) && "Left out of the query.",
    parts.length > 1 && `Written in ${parts.length} pieces: ${parts.map((t) => prob(tokenP(t))).join(" · ")}. The lowest counts.`,
  ].filter(Boolean);
  const top = parts.length === 1 ? (parts[0].top ?? []) : [];
  return [
    h("div", { class: "card-head" }, h("bdi", { class: "said" }, visible(group.text)), h("b", {}, group.p == null ? "?" : prob(group.p))),
    ...notes.map((note) => h("p", {}, note)),
    top.length > 1 && h("div", { class: "alts", role: "list", "aria-label": "What the model could have written" },
      top.map((alt) => alternative(alt, alt.text === parts[0].text))),
  ].filter(Boolean);
}

function alternative(alt, chosen) {
  const p = tokenP(alt);
  return h("div", { class: `alt${chosen ? " chosen" : ""}`, role: "listitem" }, h("bdi", {}, visible(alt.text), chosen && hidden(" (chosen)")),
    h("i", { style: `--w:${(p ?? 0) * 100}%` }), h("span", {}, prob(p)));
}

const visible = (text) => text.replace(/^ /, "").replace(/\n/g, "↵") || "␣";

/** A bar for each token with the lines of θ and β; the table below says the same in words. */
function trace(tokens, marks) {
  const width = Math.max(tokens.length, 20) * 10;
  const rtl = /^[^A-Za-z]*[\u0590-\u08ff]/.test(tokens.map((t) => t.text).join(""));
  const line = (value, name) => value != null && value >= 0 && value <= 1
    && h("line", { class: name, x1: 0, x2: width, y1: 100 - value * 100, y2: 100 - value * 100 });
  const bar = (token, i) => {
    const p = tokenP(token), tall = p == null ? 100 : Math.max(3, p * 100);
    return h("rect", { class: band(p), x: i * 10 + 1.5, width: 7, y: 100 - tall, height: tall });
  };
  const tag = (value, name, sign, at) => value != null && value > 0 && value <= 1
    && h("span", { class: `tag ${name}`, style: `bottom:${at * 100}%` }, `${sign} ${prob(value)}`);
  const apart = marks.beta < marks.theta ? Math.min(marks.beta, marks.theta - 0.22) : Math.max(marks.beta, marks.theta + 0.22);
  return h("div", { class: rtl ? "trace rtl" : "trace", "aria-hidden": "true" },
    h("svg", { viewBox: `0 0 ${width} 100`, preserveAspectRatio: "none" }, tokens.map(bar),
      line(marks.beta, "beta"), line(marks.theta, "theta")),
    tag(marks.theta, "theta", "θ", marks.theta), marks.beta !== marks.theta && tag(marks.beta, "beta", "β", marks.theta == null ? marks.beta : apart));
}

function tokenTable(tokens, marks) {
  const row = (t, i) => h("tr", {}, h("td", {}, visible(t.text)), h("td", {}, prob(tokenP(t))),
    h("td", {}, (t.top ?? []).map((a) => `${visible(a.text)} ${prob(tokenP(a))}`).join("; ")),
    h("td", {}, [marks.below.has(i) && "under θ", marks.masked.has(i) && "masked"].filter(Boolean).join(", ")));
  return h("div", { class: "hidden" }, h("table", {}, h("caption", {}, "Tokens of the draft"),
    h("thead", {}, h("tr", {}, ["Token", "Probability", "Alternatives", "Remarks"].map((t) => h("th", { scope: "col" }, t)))),
    h("tbody", {}, tokens.map(row))));
}

function legend() {
  const item = (name, words, sample = "word") => h("li", {}, h("span", { class: `t ${name}`, "aria-hidden": "true" }, sample), " ", words);
  return h("ul", { class: "legend", "aria-label": "Legend: how likely the model found each token" },
    BANDS.map(([name, , words]) => item(name, words)), item("unknown", "no probability"),
    item("fair below", "under θ"), item("sure masked", "left out of the query"));
}
