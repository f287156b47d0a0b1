"""One channel a run, shared by all who watch it: the log is read once and each event is put into words once."""

from __future__ import annotations

import asyncio
import json
import logging
import signal
import threading
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import aclosing, contextmanager
from types import FrameType

from flare_core.runs import Row, Runs

KEEP = 512
"""Newest events held for viewers; one that lags further behind reads them from the store."""
PAGE = 200
"""Events read from the store at once for one viewer."""
QUIET_SECONDS = 10.0
"""A comment is sent so often, so that neither proxies nor browsers take the connection for dead."""
VIEWERS = 1000
"""Connections at the same time."""

log = logging.getLogger(__name__)


class Channel:
    """The moving end of one run. Lives in one event loop, as long as somebody watches."""

    def __init__(self, runs: Runs, run_id: str, start: int) -> None:
        self.viewers = 0
        self._runs, self._run_id = runs, run_id
        self._frames: deque[tuple[int, bytes]] = deque(maxlen=KEEP)
        self._base = start
        self._draft = b""
        self._drafts = self._ticks = 0
        self._end: bytes | None = None
        self._closed = False
        self._changed = asyncio.Event()
        self._tasks = [asyncio.create_task(self._pump(start)), asyncio.create_task(self._tick())]

    async def watch(self, after: int) -> AsyncIterator[bytes]:
        """The run as server-sent events, from event number `after + 1` to its end."""
        yield b"retry: 2000\n\n"
        drafts, ticks = 0, self._ticks
        while not self._closed:
            changed = self._changed  # taken before looking, so that nothing is missed
            if after < self._base:
                rows = await asyncio.to_thread(self._runs.rows, self._run_id, after, min(PAGE, self._base - after))
                after = rows[-1].seq if rows else self._base
                yield b"".join(map(frame, rows))
                continue
            if news := self._since(after):
                after = self._frames[-1][0]
            if self._draft and self._drafts != drafts:
                news.append(self._draft)
            if self._end is not None:
                yield b"".join([*news, self._end])
                return
            if news or self._ticks != ticks:
                drafts, ticks = self._drafts, self._ticks
                yield b"".join(news) or b":\n\n"
            await changed.wait()

    def close(self) -> None:
        """Let the viewers go; their browsers come back when there is a server again."""
        self._closed = True
        for task in self._tasks:
            task.cancel()
        self._wake()

    def _since(self, after: int) -> list[bytes]:
        """Frames of the events after this number, oldest first. Mostly one or none."""
        news: list[bytes] = []
        for seq, data in reversed(self._frames):
            if seq <= after:
                break
            news.append(data)
        news.reverse()
        return news

    async def _pump(self, start: int) -> None:
        try:
            async with aclosing(self._runs.follow_batches(self._run_id, start)) as batches:
                async for batch in batches:
                    for row in batch.rows:
                        self._add(row)
                    self._draft = b""  # what was written before these events is out of date
                    if batch.draft is not None:
                        self._draft = f"event: drafting\ndata: {batch.draft.model_dump_json()}\n\n".encode()
                        self._drafts += 1
                    if batch.over:
                        info = await asyncio.to_thread(self._runs.info, self._run_id)
                        self._end = _end_frame(info.status if info else "", info.last_seq if info else 0)
                    self._wake()
        except Exception:
            log.exception("Run %s cannot be followed", self._run_id)
            self._closed = True
            self._wake()

    def _add(self, row: Row) -> None:
        if len(self._frames) == KEEP:
            self._base = self._frames[0][0]
        self._frames.append((row.seq, frame(row)))

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(QUIET_SECONDS)
            self._ticks += 1
            self._wake()

    def _wake(self) -> None:
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()


class Hub:
    """The channels in use."""

    def __init__(self, runs: Callable[[], Runs]) -> None:
        self.runs = runs
        self._channels: dict[str, Channel] = {}

    @property
    def full(self) -> bool:
        return sum(channel.viewers for channel in self._channels.values()) >= VIEWERS

    @contextmanager
    def join(self, run_id: str, last_seq: int) -> Iterator[Channel]:
        """The channel of a run; it is opened for its first viewer and closed after its last."""
        channel = self._channels.get(run_id)
        if channel is None:
            channel = self._channels[run_id] = Channel(self.runs(), run_id, last_seq)
        channel.viewers += 1
        try:
            yield channel
        finally:
            channel.viewers -= 1
            if channel.viewers == 0:
                channel.close()
                if self._channels.get(run_id) is channel:
                    del self._channels[run_id]

    def close(self) -> None:
        """Let all viewers go, so that the server can end."""
        for channel in self._channels.values():
            channel.close()


@contextmanager
def released_on_signals(hub: Hub) -> Iterator[None]:
    """On Ctrl-C, let the viewers go: the server waits for open answers, and theirs would have no end."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop = asyncio.get_running_loop()
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def release(number: int, at: FrameType | None) -> None:
        loop.call_soon_threadsafe(hub.close)
        if callable(then := before[signal.Signals(number)]):
            then(number, at)

    for number in before:
        signal.signal(number, release)
    try:
        yield
    finally:
        for number, then in before.items():
            signal.signal(number, then)


def frame(row: Row) -> bytes:
    """A logged event as a server-sent event. JSON holds no raw line break, so one `data` line is enough."""
    return f"id: {row.seq}\nevent: {row.type}\ndata: {row.json}\n\n".encode()


def _end_frame(status: str, last_seq: int) -> bytes:
    return f"event: end\ndata: {json.dumps({'status': status, 'last_seq': last_seq})}\n\n".encode()
