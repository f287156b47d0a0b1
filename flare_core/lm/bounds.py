"""How much a server may send: what it was asked for, with room to spare. A hostile one has no end, or no line break."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from typing import Any

import httpx2

from flare_core.lm.failures import Place, too_much

LINE = 16_000_000
"""Bytes of an answer without a line break; with one, they can be handed on."""
PACKED = 400_000
"""Bytes of an answer that comes compressed, although that is not asked for: they become up to 1000 times as many."""
ROOM, SPARE = 4, 4096
"""Chunks that may come: so many for each token asked for, and so many without any (thoughts, progress)."""
NOT_PACKED = {"Accept-Encoding": "identity"}


def most_chunks(request: Mapping[str, Any]) -> int:
    """Chunks of an answer to this request beyond which it is given up."""
    asked = max(request.get("max_tokens") or 0, request.get("max_completion_tokens") or 0)
    return int(asked) * ROOM + SPARE


class _Meter:
    def __init__(self, place: Place, *, packed: bool) -> None:
        self._place, self._packed = place, packed
        self._line = self._all = 0

    def take(self, data: bytes) -> bytes:
        """The same bytes. Raises ModelError when they are too many."""
        broken = data.rfind(b"\n") + 1
        self._line = len(data) - broken if broken else self._line + len(data)
        self._all += len(data)
        if self._line > LINE or (self._packed and self._all > PACKED):
            raise too_much(self._place)
        return data


class _Stream(httpx2.SyncByteStream):
    def __init__(self, inner: httpx2.SyncByteStream, meter: _Meter) -> None:
        self._inner, self._meter = inner, meter

    def __iter__(self) -> Iterator[bytes]:
        yield from map(self._meter.take, self._inner)

    def close(self) -> None:
        self._inner.close()


class _AsyncStream(httpx2.AsyncByteStream):
    def __init__(self, inner: httpx2.AsyncByteStream, meter: _Meter) -> None:
        self._inner, self._meter = inner, meter

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for data in self._inner:
            yield self._meter.take(data)

    async def aclose(self) -> None:
        await self._inner.aclose()


def _meter(response: httpx2.Response, place: Place) -> _Meter:
    return _Meter(place, packed=response.headers.get("content-encoding", "identity") != "identity")


def bounded(place: Place) -> Callable[[httpx2.Response], None]:
    """A hook for a client: what it reads has bounds."""

    def hook(response: httpx2.Response) -> None:
        if isinstance(response.stream, httpx2.SyncByteStream):
            response.stream = _Stream(response.stream, _meter(response, place))

    return hook


def abounded(place: Place) -> Callable[[httpx2.Response], Awaitable[None]]:
    """The same for a client of an event loop."""

    async def hook(response: httpx2.Response) -> None:
        if isinstance(response.stream, httpx2.AsyncByteStream):
            response.stream = _AsyncStream(response.stream, _meter(response, place))

    return hook
