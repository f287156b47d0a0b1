"""A server on loopback that says whatever a test wants, byte by byte."""

from __future__ import annotations

import itertools
import json
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

GOOD_MODELS = b'{"data": [{"id": "m"}]}'
SENTENCES = " Marie Curie was born in Warsaw. She studied physics in Paris. She found radium there."


def chunk(text: Any, tokens: Any = None, finish: Any = None, **more: Any) -> dict[str, Any]:
    """A chunk of a streamed answer."""
    choice: dict[str, Any] = {"delta": {"content": text}, "finish_reason": finish}
    if tokens is not None:
        choice["logprobs"] = {"content": tokens}
    return {"choices": [choice], **more}


def tok(text: Any, logprob: Any = -0.01, **more: Any) -> dict[str, Any]:
    return {"token": text, "logprob": logprob, **more}


def said(text: str) -> Iterator[dict[str, Any]]:
    """The text word by word, each word a token."""
    for word in text.split():
        yield chunk(f" {word}", [tok(f" {word}")])


def whole(text: str = SENTENCES) -> Iterator[dict[str, Any]]:
    """A good answer."""
    return itertools.chain(said(text), [chunk("", finish="stop")])


Said = Iterable[dict[str, Any] | bytes]


@contextmanager
def rude(
    chat: Callable[[], Said] = whole,
    *,
    models: bytes = GOOD_MODELS,
    headers: Mapping[str, str] | None = None,
    redirect: str = "",
) -> Iterator[str]:
    """The base URL of a server whose every answer, the probe's too, is `chat()`."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

        def do_GET(self) -> None:
            self._whole(200, models)

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            if redirect:
                self._whole(307, b"{}", {"Location": redirect})
                return
            self.send_response(200)
            for name, value in {"Content-Type": "text/event-stream", **(headers or {})}.items():
                self.send_header(name, value)
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            try:
                for part in itertools.chain(chat(), [b"data: [DONE]\n\n"]):
                    data = part if isinstance(part, bytes) else b"data: " + json.dumps(part).encode() + b"\n\n"
                    self.wfile.write(b"%x\r\n%b\r\n" % (len(data), data))
                self.wfile.write(b"0\r\n\r\n")
            except OSError:
                self.close_connection = True

        def _whole(self, status: int, data: bytes, more: Mapping[str, str] | None = None) -> None:
            self.send_response(status)
            for name, value in {"Content-Type": "application/json", **(more or {})}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        block_on_close = False

        def handle_error(self, request: Any, client_address: Any) -> None:
            """A client that hangs up is no news."""

    server = Server(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
