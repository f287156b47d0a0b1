// The event stream: one EventSource for one run, kept over Streamlit's reruns; it resumes after the last event seen.

function openStream(url, { onEvent, onEnd, onLost }) {
  let source = null, failures = 0, lastSeen = 0, timer = 0, closed = false;

  function connect() {
    source = new EventSource(lastSeen ? `${url}?after=${lastSeen}` : url);
    source.onopen = () => { failures = 0; };
    source.onerror = lost;
    for (const type of [...DURABLE, "drafting"]) source.addEventListener(type, take);
    source.addEventListener("end", () => { close(); onEnd(); });
  }

  function take(message) {
    if (message.lastEventId) lastSeen = Number(message.lastEventId) || lastSeen;
    try {
      onEvent(JSON.parse(message.data));
    } catch (error) {
      console.warn("flare: an event could not be read", error);
    }
  }

  /** The browser reconnects by itself with Last-Event-ID, unless the answer was an error; then try a few times. */
  function lost() {
    failures += 1;
    if (failures >= 3) {
      close();
      onLost();
    } else if (source.readyState === EventSource.CLOSED) {
      source.close();
      timer = setTimeout(() => closed || connect(), 500 * 2 ** failures);
    }
  }

  function close() {
    closed = true;
    clearTimeout(timer);
    source.close();
  }

  connect();
  return { url, close };
}
