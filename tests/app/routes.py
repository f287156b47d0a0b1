"""Short ways to ask the routes beside the pages."""

from __future__ import annotations

import time
from collections.abc import Callable

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.testclient import TestClient

from flare_core.runs import Runs
from flare_core.spec import RunSpec
from pages.server import Hub, SecurityHeaders, routes

SPEC = RunSpec(topic="Straße – 東京", sentences=5)


def asgi(hub: Hub) -> Starlette:
    return Starlette(routes=routes(hub), middleware=[Middleware(SecurityHeaders), Middleware(GZipMiddleware)])


def client(runs: Runs) -> TestClient:
    return TestClient(asgi(Hub(lambda: runs)), base_url="http://localhost")


def finished(runs: Runs, spec: RunSpec = SPEC) -> str:
    run_id = runs.start(spec)
    list(runs.follow(run_id, timeout=5))
    return run_id


def parse(text: str) -> list[dict[str, str]]:
    """The events in a stream of server-sent events, comments and settings left out."""
    blocks = [
        dict(line.split(": ", 1) for line in block.split("\n")) for block in text.split("\n\n") if block.strip(":")
    ]
    return [block for block in blocks if "event" in block]


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 5
    while not condition():
        assert time.monotonic() < end, "did not happen in time"
        time.sleep(0.01)
