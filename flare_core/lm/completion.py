"""One streamed answer: produced on the adapter's event loop, consumed by whoever iterates."""

from __future__ import annotations

import threading
import time
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterator, Mapping
from contextlib import aclosing, suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any

from flare_core.errors import Stopped
from flare_core.lm.align import Aligner
from flare_core.lm.continuation import joined
from flare_core.lm.counts import Tally, written
from flare_core.lm.failures import Place, as_model_error, broke_off, filtered, not_understood, timed_out, too_much
from flare_core.lm.loop import Job
from flare_core.lm.normalise import read
from flare_core.ports import Cancel, Piece, Usage

POLL = 0.05
"""Seconds between two looks at the cancel signal while nothing comes."""
CLOSING = 0.15
"""Seconds that `close` waits for the connection to be gone."""

Chunk = Mapping[str, Any]
Open = Callable[[], Coroutine[Any, Any, AsyncGenerator[Chunk]]]
"""Sends the request and gives the chunks of the answer."""

LENGTH = ("length", "max_tokens")
MALFORMED = (AttributeError, IndexError, KeyError, TypeError, ValueError)
"""What reading a chunk raises when it is not built as a chunk should be."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait, in seconds."""

    first: float = 300.0
    """For the first chunk: a long prompt on a slow machine takes its time."""
    next: float = 60.0
    """For each further chunk."""


@dataclass(frozen=True, slots=True)
class _End:
    error: BaseException | None


class StreamedCompletion:
    """Implements `ports.Completion`. Iterate on one thread; `close` may be called from any."""

    def __init__(
        self, *, cancel: Cancel, place: Place, tokens: bool, patience: Patience, started: str = "", most: int = 1 << 20
    ) -> None:
        """`tokens`: probabilities were asked for. `started`: the text that the new message is to be joined to.
        `most`: chunks beyond which the answer is given up."""
        self._tally = Tally()
        self.usage: Usage = self._tally.usage
        self.finish: str | None = None
        self._cancel, self._place, self._patience = cancel, place, patience
        self._most = most
        self._aligner = Aligner(tokens=tokens)
        self._seam = started
        self._queue: SimpleQueue[Chunk | _End] = SimpleQueue()
        self._job: Job | None = None
        self._closing = threading.Lock()
        self._over = False
        self._sent = time.perf_counter()

    # -- on the loop's thread

    async def pump(self, open_stream: Open) -> None:
        """Hand the chunks over to the thread that iterates."""
        put, first, left = self._queue.put, True, self._most
        async with aclosing(await open_stream()) as chunks:
            async for chunk in chunks:
                if first and self._writes(chunk):
                    first, self.usage.ttft_ms = False, self._elapsed()
                left -= 1
                if left < 0:
                    raise too_much(self._place)
                put(chunk)

    def _writes(self, chunk: Chunk) -> bool:
        try:
            return written(chunk) > 0
        except MALFORMED:
            raise not_understood(self._place) from None

    def ended(self, error: BaseException | None) -> None:
        """The stream is over; `error` is what ended it, if anything went wrong."""
        self._queue.put(_End(error))

    # -- on the caller's thread

    def attach(self, job: Job) -> None:
        """Say what is to be cancelled on `close`."""
        self._job = job

    def __iter__(self) -> Iterator[Piece]:
        while not self._over:
            item = self._next()
            if isinstance(item, _End):
                self._end(item.error)
                return
            piece = self._take(item)
            if piece is not None:
                yield piece

    def close(self) -> None:
        """End the call and its connection. Safe to call twice and from another thread."""
        with self._closing:
            if self._over:
                return
            self._over = True
            self.usage.closed_early = self.finish is None
            if self._job is not None:
                self._job.cancel()
                self._job.wait(CLOSING)
            self._settle()
            self._queue.put(_End(None))

    def _next(self) -> Chunk | _End:
        """What comes next. Raises Stopped, or ModelError when it takes too long."""
        if self._cancel.is_set():
            self._stop()
        try:
            return self._queue.get_nowait()
        except Empty:
            return self._wait()

    def _wait(self) -> Chunk | _End:
        limit = self._patience.next if self._tally.chunks else self._patience.first
        until = time.perf_counter() + limit
        while True:
            try:
                return self._queue.get(timeout=POLL)
            except Empty:
                if self._cancel.is_set():
                    self._stop()
                if time.perf_counter() > until:
                    self.close()
                    raise timed_out(self._place, f"sent nothing for {limit:g} seconds") from None

    def _stop(self) -> None:
        self.close()
        raise Stopped

    def _take(self, chunk: Chunk) -> Piece | None:
        try:
            self._tally.note(chunk)
            delta = read(chunk)
        except MALFORMED:
            self.close()
            raise not_understood(self._place) from None
        if delta.finish:
            self._finished(delta.finish)
        piece = self._aligner.feed(delta)
        if piece is not None and self._seam:
            piece, self._seam = joined(self._seam, piece), ""
        return piece

    def _finished(self, reason: str) -> None:
        if reason == "content_filter":
            self.close()
            raise filtered(self._place)
        self.finish = "length" if reason in LENGTH else "stop"

    def _end(self, error: BaseException | None) -> None:
        with self._closing:
            if self._over:
                return
            self._over = True
            self._settle()
        if error is not None:
            failure = as_model_error(error, self._place)
            if failure is None:
                raise error
            raise failure from None
        if self.finish is None:
            raise broke_off(self._place) if self._tally.chunks else not_understood(self._place)

    def _settle(self) -> None:
        """Account for the call, what was received and never looked at included."""
        while True:
            try:
                item = self._queue.get_nowait()
            except Empty:
                break
            if not isinstance(item, _End):
                with suppress(*MALFORMED):
                    self._tally.note(item)
        self.usage.ms = self._elapsed()

    def _elapsed(self) -> float:
        return (time.perf_counter() - self._sent) * 1000.0
