// The element's door: Streamlit calls this on every rerun; what is on the screen stays.

const VIEWS = { run: makeRun, report: makeReport, strip: makeStripView };

function makeStripView(root) {
  const strip = makeStrip(makePopover(root)), below = h("div", {});
  root.append(strip.el, below, legend());
  return {
    show({ tokens, below: under, masked, theta, beta }) {
      const marks = { below: new Set(under), masked: new Set(masked), theta, beta };
      strip.update(tokens, marks);
      fill(below, JSON.stringify([tokens.length, under, masked, theta, beta]), () => [trace(tokens, marks), tokenTable(tokens, marks)]);
    },
  };
}

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  let root = parentElement.querySelector(".flare");
  if (root && root.identity !== data.id) {
    root.shut?.();
    root.remove();
    root = null;
  }
  if (!root) {
    root = h("div", { class: `flare view-${data.view}` });
    parentElement.append(root);
    root.identity = data.id;
    root.view = VIEWS[data.view](root, data);
    root.shut = () => { root.stream?.close(); root.view.close?.(); };
  }
  root.trigger = setTriggerValue;
  root.view.show?.(data, () => listen(root, data));
  root.view.take?.(data.events ?? []);
  if (data.view === "run") listen(root, data);
  return root.shut;
}

/** Opens the stream once; a run that is fed by Python (`events`) needs none. */
function listen(root, data) {
  if (!data.url || root.stream) return;
  root.stream = openStream(data.url, {
    onEvent: (event) => root.view.take([event]),
    onEnd: () => { if (data.running) root.trigger("finished", true); },
    onLost: () => root.trigger("lost", root.view.last()),
  });
}
