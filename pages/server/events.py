"""The routes: events of a run as they come, its trace as a file, health. A run is reached by its unguessable id."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from flare_core import __version__
from flare_core.errors import LogError
from flare_core.runs import RunInfo
from pages.server.channel import PAGE, Hub
from pages.server.security import HostGuard

NO_STORE = {"Cache-Control": "no-store"}
STREAM = {**NO_STORE, "X-Accel-Buffering": "no"}
Answer = Callable[[Request], Awaitable[Response]]
MAX_SEQ = 2**53
"""Largest number that JavaScript counts with."""


def routes(hub: Hub) -> list[Route]:
    """The routes over the runs of a hub."""

    async def events(request: Request) -> Response:
        after = _after(request)
        if after is None:
            return _refusal(400, "after and Last-Event-ID are numbers of events: 0, 1, 2, …")
        info = await _info(hub, request)
        if info is None:
            return _refusal(404, "There is no such run.")
        if request.method == "HEAD":
            return Response(headers=STREAM, media_type="text/event-stream")
        if hub.full:
            return _refusal(503, "Too many people are watching. Try again soon.", {"Retry-After": "10"})
        return _EventStream(hub, info, after)

    async def trace(request: Request) -> Response:
        info = await _info(hub, request)
        if info is None:
            return _refusal(404, "There is no such run.")
        name = {"Content-Disposition": f'attachment; filename="flare-{info.id[:8]}.jsonl"', **NO_STORE}
        if request.method == "HEAD":
            return Response(headers=name, media_type="application/jsonl")
        return StreamingResponse(_lines(hub, info.id), headers=name, media_type="application/jsonl")

    async def health(_request: Request) -> Response:
        runs = await asyncio.to_thread(hub.runs)
        await asyncio.to_thread(runs.recent, 1)
        return JSONResponse({"status": "ok", "version": __version__, "runs": runs.at_work}, headers=NO_STORE)

    guard = [Middleware(HostGuard)]
    return [
        Route("/api/runs/{run_id}/events", _told(events), middleware=guard),
        Route("/api/runs/{run_id}/trace.jsonl", _told(trace), middleware=guard),
        Route("/api/health", _told(health), middleware=guard),
    ]


def _told(answer: Answer) -> Answer:
    """The same route, which says so where the runs cannot be read."""

    async def told(request: Request) -> Response:
        try:
            return await answer(request)
        except LogError as error:
            return _refusal(503, str(error))

    return told


class _EventStream(StreamingResponse):
    """Joins the run's channel when it is sent, and leaves it however that ends."""

    def __init__(self, hub: Hub, info: RunInfo, after: int) -> None:
        super().__init__(iter(()), headers=STREAM, media_type="text/event-stream")
        self._hub, self._info, self._after = hub, info, after

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._hub.join(self._info.id, self._info.last_seq) as channel:
            self.body_iterator = channel.watch(self._after)
            await super().__call__(scope, receive, send)


async def _lines(hub: Hub, run_id: str) -> AsyncIterator[bytes]:
    """The log, one event a line."""
    after = 0
    while rows := await asyncio.to_thread(hub.runs().rows, run_id, after, PAGE):
        yield b"".join(row.json.encode() + b"\n" for row in rows)
        after = rows[-1].seq


async def _info(hub: Hub, request: Request) -> RunInfo | None:
    runs = await asyncio.to_thread(hub.runs)
    return await asyncio.to_thread(runs.info, request.path_params["run_id"])


def _after(request: Request) -> int | None:
    """Number of the last event that the browser has; its own memory is newer than the address."""
    text = request.headers.get("last-event-id") or request.query_params.get("after") or "0"
    return int(text) if text.isascii() and text.isdigit() and len(text) < 17 and int(text) < MAX_SEQ else None


def _refusal(status: int, message: str, headers: dict[str, str] | None = None) -> JSONResponse:
    return JSONResponse({"error": message}, status_code=status, headers={**NO_STORE, **(headers or {})})
