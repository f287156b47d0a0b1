// Elements. Text enters only through text nodes: nothing from a model or a page is ever read as markup.

const SVG = new Set(["svg", "rect", "line"]);

function h(tag, props, ...children) {
  const el = SVG.has(tag) ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value == null || value === false) continue;
    if (name.startsWith("on")) el[name] = value;
    else el.setAttribute(name, value === true ? "" : value);
  }
  el.append(...children.flat().filter((child) => child != null && child !== false));
  return el;
}

/** The children are replaced only when `key` changed, so focus, selection and open details survive. */
function fill(el, key, make) {
  if (el.filled === key) return false;
  el.filled = key;
  el.replaceChildren(...[make()].flat().filter((child) => child != null && child !== false));
  return true;
}

/** The address where it is http or https, else null. */
function safeUrl(url) {
  try {
    const { protocol, href } = new URL(url);
    return protocol === "https:" || protocol === "http:" ? href : null;
  } catch {
    return null;
  }
}

function link(url, text, props) {
  const href = safeUrl(url);
  return href
    ? h("a", { ...props, href, target: "_blank", rel: "noopener noreferrer", dir: "auto" }, text)
    : h("span", { ...props, dir: "auto" }, text);
}

const hidden = (...text) => h("span", { class: "hidden" }, ...text);
const number = (n) => Math.round(n).toLocaleString("en");
const plural = (n, one, many = one + "s") => `${number(n)} ${n === 1 ? one : many}`;
const prob = (p) => (p == null ? "no probability" : p >= 0.9995 ? "1.00" : p < 0.005 ? "<0.01" : p.toFixed(2));
const span = (ms) => (ms == null ? "" : ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);

function clock(seconds) {
  const s = Math.max(0, Math.floor(seconds));
  return `${Math.floor(s / 60)}:${String(s % 60).padStart(2, "0")}`;
}

function day(value) {
  const date = typeof value === "number" ? new Date(value * 1000) : null;
  return date ? date.toLocaleDateString("en-GB", { day: "numeric", month: "short", year: "numeric" }) : value;
}

/** A part of a text, counted in characters as Python counts them, not in UTF-16 units. */
function cut(text, [start, end]) {
  const chars = Array.from(text);
  return [chars.slice(0, start), chars.slice(start, end), chars.slice(end)].map((part) => part.join(""));
}

/** Whether the reader is selecting text, so that a click is not meant as one. */
function selecting(el) {
  const selection = el.getRootNode().getSelection?.() ?? getSelection();
  return selection != null && !selection.isCollapsed && String(selection).length > 0;
}
