"""The fake server: HTTP/1.1 with keep-alive and chunked server-sent events on 127.0.0.1."""

from __future__ import annotations

import json
import select
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from flare_core.events import Capabilities
from flare_core.lm import probe
from flare_core.lm.openai_chat import OpenAIChat
from tests.fake_lm.script import Call, Quirks, Reply, Script, Tok
from tests.fake_lm.wire import deltas, event, prompt_size, whole

ALL = Capabilities(logprobs=True, top_logprobs=20, streaming=True, continues=True, context=4096)
PROBE_WORDS = {probe.LETTERS: [f" {letter}" for letter in "HIJKLMNOPQRSTUVWXYZ"]}
ANEW = ["A", " B", " C", " D", " E", " F", " G", " H"]


@dataclass
class Recorded:
    """One request for a chat completion."""

    body: dict[str, Any]
    headers: dict[str, str]
    path: str
    sent: int = 0
    """Chunks sent so far."""
    closed: threading.Event = field(default_factory=threading.Event)
    """Set when the client hung up before the answer was complete."""
    done: threading.Event = field(default_factory=threading.Event)
    """Set when nothing more will be sent."""

    @property
    def messages(self) -> list[dict[str, str]]:
        return list(self.body["messages"])

    @property
    def probe(self) -> bool:
        """Whether Flare only wanted to know what the server can do."""
        return any(message["content"] in probe.QUESTIONS for message in self.messages)


class FakeServer:
    """See the package's docstring. Use it through `fake_lm`."""

    def __init__(self, script: Script, quirks: Quirks) -> None:
        self.script, self.quirks = script, quirks
        self.all_requests: list[Recorded] = []
        """Every request for a completion, probes included."""
        self.models: list[OpenAIChat] = []
        self.failed = 0
        self.calls = 0
        self.lock = threading.Lock()
        self.stopping = threading.Event()
        self.http = _Listener(("127.0.0.1", 0), _Handler)
        self.http.fake = self
        self.base_url = f"http://127.0.0.1:{self.http.server_address[1]}/v1"

    @property
    def requests(self) -> list[Recorded]:
        """The requests that were no probes, in order."""
        return [request for request in self.all_requests if not request.probe]

    def model(self, capabilities: Capabilities = ALL, **settings: Any) -> OpenAIChat:
        """An adapter for this server that needs no probing; closed with the server."""
        self.models.append(OpenAIChat(self.base_url, "fake-model", capabilities=capabilities, **settings))
        return self.models[-1]

    def answer(self, recorded: Recorded) -> tuple[Call, Reply | Iterable[Tok], Quirks]:
        """What the script says to a request."""
        body, quirks = recorded.body, self.quirks
        last = body["messages"][-1]
        started = last["content"] if last["role"] == "assistant" and quirks.continues else ""
        if recorded.probe:
            call = Call(0, body, started)
            spoken = PROBE_WORDS[probe.LETTERS] if started else ANEW
            return call, [(word, -0.3 - 0.1 * place) for place, word in enumerate(spoken)], quirks
        with self.lock:
            self.calls += 1
            call = Call(self.calls, body, started)
        if callable(self.script):
            return call, self.script(call), quirks
        reply = self.script[call.number - 1]
        return call, reply, (reply.quirks or quirks) if isinstance(reply, Reply) else quirks


@contextmanager
def fake_lm(script: Script = (), *, quirks: Quirks | None = None, **habits: Any) -> Iterator[FakeServer]:
    """Run a fake server; `habits` are fields of `Quirks`."""
    server = FakeServer(script, quirks or Quirks(**habits))
    thread = threading.Thread(target=server.http.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        for model in server.models:
            model.close()
        server.stopping.set()
        server.http.shutdown()
        server.http.server_close()
        thread.join()


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128
    fake: FakeServer

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is no news."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Listener
    connection: socket.socket

    def setup(self) -> None:
        super().setup()
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        quirks = self.server.fake.quirks
        if self._locked(quirks):
            return
        if not self.path.split("?")[0].endswith("/models"):
            self._json(404, {"error": {"message": "no such page"}})
            return
        size = {} if quirks.context is None else {"max_model_len": quirks.context}
        listed = [{"id": name, "object": "model", "owned_by": quirks.owner, **size} for name in quirks.models]
        self._json(200, {"object": "list", "data": listed})

    def do_POST(self) -> None:
        fake = self.server.fake
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self._locked(fake.quirks):
            return
        recorded = Recorded(body, {name.lower(): value for name, value in self.headers.items()}, self.path)
        fake.all_requests.append(recorded)
        refusal = refuse(body, fake)
        if refusal is not None:
            self._json(*refusal)
            return
        call, reply, quirks = fake.answer(recorded)
        chunks = deltas(call, reply, quirks)
        if body.get("stream") and quirks.streams:
            self._stream(chunks, recorded, quirks)
        else:
            self._json(200, whole(chunks, call, quirks))

    def _locked(self, quirks: Quirks) -> bool:
        given = (self.headers.get("Authorization") or "").removeprefix("Bearer ")
        if not quirks.key or given == quirks.key:
            return False
        self._json(401, {"error": {"message": f"Incorrect API key provided: {given}.", "code": "invalid_api_key"}})
        return True

    def _json(self, status: int, value: Any) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.send_header("retry-after-ms", "1")
        self.end_headers()
        self.wfile.write(data)

    def _stream(self, chunks: Iterator[dict[str, Any] | None], recorded: Recorded, quirks: Quirks) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        try:
            complete = self._send(chunks, recorded, quirks)
            self.close_connection = not complete
            if complete:
                self._chunk(b"data: [DONE]\n\n")
                self._chunk(b"")
        except OSError:
            recorded.closed.set()
            self.close_connection = True
        finally:
            recorded.done.set()

    def _send(self, chunks: Iterator[dict[str, Any] | None], recorded: Recorded, quirks: Quirks) -> bool:
        """True when the answer is complete, False when the connection is to break."""
        for part in chunks:
            if part is None:
                self._pause(3600.0)
                continue
            if quirks.delay:
                self._pause(quirks.delay)
            self._chunk(event(part))
            recorded.sent += 1
        return quirks.cut_after is None

    def _pause(self, seconds: float) -> None:
        """Wait; raises ConnectionError as soon as the client has hung up."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            if self.server.fake.stopping.is_set():
                raise ConnectionError("the fake is closing")
            ready, _, _ = select.select([self.connection], [], [], min(left, 0.02))
            if ready and not self.connection.recv(1, socket.MSG_PEEK):
                raise ConnectionError("the client hung up")

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(b"%x\r\n%b\r\n" % (len(data), data))


def refuse(body: dict[str, Any], fake: FakeServer) -> tuple[int, dict[str, Any]] | None:
    """Status and body of a refusal, or None where the request is fine."""
    quirks = fake.quirks
    if quirks.status and (quirks.fails is None or fake.failed < quirks.fails):
        fake.failed += 1
        return quirks.status, {"error": {"message": quirks.message or "scripted failure", "type": "error"}}
    for rule in REFUSALS:
        said = rule(body, fake)
        if said:
            return 400, {"error": {"message": said, "type": "invalid_request_error"}}
    if body["model"] not in quirks.models:
        return 404, {"error": {"message": f"The model `{body['model']}` does not exist", "code": "model_not_found"}}
    probing = Recorded(body, {}, "").probe
    if not probing and not callable(fake.script) and fake.calls >= len(fake.script):
        return 500, {"error": {"message": "the script has no more replies"}}
    return None


def _fields(body: dict[str, Any], fake: FakeServer) -> str:
    name = next((name for name in fake.quirks.rejects if name in body), "")
    instead = " Use 'max_completion_tokens' instead." if name == "max_tokens" else ""
    return f"Unsupported parameter: '{name}' is not supported with this model.{instead}" if name else ""


def _logprobs(body: dict[str, Any], fake: FakeServer) -> str:
    if body.get("logprobs") and fake.quirks.logprobs == "refused":
        return "`logprobs` is not supported with this model"
    if (body.get("top_logprobs") or 0) > fake.quirks.top_limit:
        return f"top_logprobs must be at most {fake.quirks.top_limit}"
    return ""


def _started(body: dict[str, Any], fake: FakeServer) -> str:
    if fake.quirks.refuses_started and body["messages"][-1]["role"] == "assistant":
        return "This model does not support prefill: the conversation must end with a user message"
    return ""


def _size(body: dict[str, Any], fake: FakeServer) -> str:
    size = prompt_size(Call(0, body, ""))
    if fake.quirks.context is not None and size > fake.quirks.context:
        return f"request ({size} tokens) exceeds the available context size ({fake.quirks.context} tokens)"
    return ""


REFUSALS: tuple[Callable[[dict[str, Any], FakeServer], str], ...] = (_fields, _logprobs, _started, _size)
