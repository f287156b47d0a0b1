"""The runs of one process: each in a thread of its own, its log kept, to be followed from anywhere."""

from __future__ import annotations

import asyncio
import logging
import re
import threading
import time
import uuid
from collections.abc import AsyncGenerator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import aclosing, suppress
from dataclasses import replace
from types import TracebackType
from typing import Self
from weakref import WeakSet

from flare_core.errors import FlareError, LogError, Stopped
from flare_core.events import AnyEvent, Drafting, RunEnded, Status
from flare_core.ports import Cancel
from flare_core.runs.follow import Batch, Follower
from flare_core.runs.info import ACTIVE, RunInfo, RunStatus
from flare_core.runs.live import Live
from flare_core.runs.store import Row, Store, parse
from flare_core.spec import RunSpec

Engine = Callable[[RunSpec, Cancel], Iterator[AnyEvent]]
"""Yields the events of a run, numbered from 1, and ends soon after the cancel signal is set."""

WORKERS = 4
"""Runs that are written at the same time; further ones wait."""
WATCH_SECONDS = 1.0
BEAT_SECONDS = 5.0
SILENT_SECONDS = 15.0
"""A run whose process gave no sign of life for so long is over."""
CLOSE_SECONDS = 5.0
"""How long closing waits for engines to end."""

log = logging.getLogger(__name__)
_open: WeakSet[Runs] = WeakSet()


class Runs:
    """Starts, follows, stops and lists runs. All methods may be called from any thread."""

    def __init__(
        self, store: Store, engine: Engine, *, workers: int = WORKERS, clock: Callable[[], float] = time.time
    ) -> None:
        self._store = store
        self._engine = engine
        self._clock = clock
        self._lives: dict[str, Live] = {}
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._end_abandoned()
        self._workers = ThreadPoolExecutor(workers, thread_name_prefix="flare-run")
        self._watcher = threading.Thread(target=self._watch, name="flare-watch", daemon=True)
        self._watcher.start()
        _open.add(self)

    def start(self, spec: RunSpec, *, request_id: str | None = None) -> str:
        """Start a run and return its id, which cannot be guessed. The same `request_id` starts one run only."""
        live = Live(uuid.uuid4().hex, spec)
        with self._lock:
            if self._closing.is_set():
                raise LogError("Flare is shutting down; no run was started.")
            run_id = self._store.create_run(live.id, spec, at=self._clock(), request_id=request_id)
            if run_id == live.id:
                self._lives[run_id] = live
                live.future = self._workers.submit(self._work, live)
        return run_id

    def stop(self, run_id: str) -> bool:
        """Ask a run to end; whether it was one that could. It keeps what it has written."""
        live = self._lives.get(run_id)
        if live is not None:
            live.cancel.set()
            if live.future is not None and live.future.cancel():  # it was still waiting
                self._end(live, _end(Status.STOPPED, "user", "Stopped before it began."))
                return True
        # where the run belongs to another process, that one looks for this status
        return self._store.set_status(run_id, RunStatus.STOPPING, only_from=ACTIVE)

    def info(self, run_id: str) -> RunInfo | None:
        """What is known of a run, or None."""
        info = self._store.get_run(run_id)
        live = self._lives.get(run_id)
        if info is not None and info.active and live is not None and live.ended is not None:  # could not be kept
            return replace(info, status=RunStatus(live.ended.status), ended=live.ended.at)
        return info

    def recent(self, limit: int = 50) -> list[RunInfo]:
        """The newest runs first."""
        return self._store.list_runs(limit)

    def events(self, run_id: str, after: int = 0) -> list[AnyEvent]:
        """The log so far, from event number `after + 1`; empty for an unknown run."""
        return self._store.events(run_id, after)

    def rows(self, run_id: str, after: int = 0, limit: int | None = None) -> list[Row]:
        """As `events`, unparsed: for those that only pass them on."""
        return self._store.rows(run_id, after, limit)

    def live(self, run_id: str) -> Drafting | None:
        """What a run of this process is writing at this moment."""
        live = self._lives.get(run_id)
        return live.now()[0] if live else None

    def follow(self, run_id: str, after: int = 0, *, timeout: float | None = None) -> Iterator[AnyEvent]:
        """The log from event number `after + 1`, then each event as it comes, up to `RunEnded`.

        Between them, for a run of this process, `Drafting` events: the latest only, at most 12 a second.
        Ends without `RunEnded` when nothing came for `timeout` seconds. Raises LogError for an unknown run.
        """
        follower, woken = Follower(self._store, self._lives.get, run_id, after), threading.Event()
        unsubscribe = self._subscribe(run_id, woken.set)
        try:
            quiet = time.monotonic()
            while True:
                woken.clear()
                batch = follower.look()
                yield from _events(run_id, batch)
                if batch.over:
                    return
                if batch:
                    quiet = time.monotonic()
                left = follower.pause if timeout is None else quiet + timeout - time.monotonic()
                if timeout is not None and left <= 0 and not batch:
                    return
                woken.wait(min(follower.pause, max(0.0, left)))
        finally:
            unsubscribe()

    async def follow_batches(self, run_id: str, after: int = 0) -> AsyncGenerator[Batch]:
        """As `follow`, without blocking the event loop; events as they are kept, unparsed."""
        follower, woken = Follower(self._store, self._lives.get, run_id, after), asyncio.Event()
        loop = asyncio.get_running_loop()
        unsubscribe = self._subscribe(run_id, lambda: loop.call_soon_threadsafe(woken.set))
        try:
            while True:
                woken.clear()
                batch = await asyncio.to_thread(follower.look)
                if batch or batch.over:
                    yield batch
                if batch.over:
                    return
                with suppress(TimeoutError):
                    await asyncio.wait_for(woken.wait(), follower.pause)
        finally:
            unsubscribe()

    async def afollow(self, run_id: str, after: int = 0) -> AsyncGenerator[AnyEvent]:
        """As `follow`, without blocking the event loop."""
        async with aclosing(self.follow_batches(run_id, after)) as batches:
            async for batch in batches:
                for event in _events(run_id, batch):
                    yield event

    @property
    def at_work(self) -> int:
        """Runs of this process that are written or wait."""
        return sum(1 for live in list(self._lives.values()) if live.ended is None)

    def close(self) -> None:
        """Interrupt the runs of this process and wait until they have noted it. The store stays open."""
        with self._lock:
            self._closing.set()
        lives = [live for live in list(self._lives.values()) if live.ended is None]
        for live in lives:
            self.stop(live.id)
        wait([live.future for live in lives if live.future], timeout=CLOSE_SECONDS)
        for live in lives:
            if live.ended is None:  # its engine does not listen; whatever it yields later is refused
                self._end(live, _end(Status.STOPPED, "user", ""))
        self._workers.shutdown(wait=False, cancel_futures=True)
        self._watcher.join(CLOSE_SECONDS)
        _open.discard(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _subscribe(self, run_id: str, wake: Callable[[], object]) -> Callable[[], None]:
        live = self._lives.get(run_id)
        return live.subscribe(wake) if live else lambda: None

    def _work(self, live: Live) -> None:
        """One run from its first event to its last, in a thread of its own."""
        try:
            self._store.set_status(live.id, RunStatus.RUNNING, only_from={RunStatus.QUEUED})
            end = self._drive(live)
        except Stopped:
            end = _end(Status.STOPPED, "user", "Stopped.")
        except FlareError as error:
            end = _end(Status.FAILED, "error", str(error.args[0]), error.remedy)
        except BaseException as error:
            log.exception("Run %s failed", live.id)
            end = _end(Status.FAILED, "error", _without_keys(f"{type(error).__name__}: {error}"[:500]))
        self._end(live, end)

    def _drive(self, live: Live) -> RunEnded:
        """Log what the engine yields, and return its last event."""
        events = self._engine(live.spec, live.cancel)
        try:
            for event in events:
                if isinstance(event, RunEnded):
                    return event
                if isinstance(event, Drafting):
                    live.shown(event)
                elif live.ended is None:
                    self._log(live, event)
                else:
                    break
        finally:
            if close := getattr(events, "close", None):
                close()
        return _end(Status.FAILED, "error", "The engine ended without saying why.")

    def _log(self, live: Live, event: AnyEvent) -> None:
        if event.seq != live.last_seq + 1 or not event.at:
            event = event.model_copy(update={"seq": live.last_seq + 1, "at": event.at or self._clock()})
        self._store.append(live.id, event)
        live.logged(event)

    def _end(self, live: Live, end: RunEnded) -> None:
        if live.ended is not None:
            return
        if self._closing.is_set() and end.status is Status.STOPPED:
            end = _end(Status.INTERRUPTED, "cut_off", "Flare was closed while it wrote this report.")
        end = end.model_copy(update={"seq": live.last_seq + 1, "at": end.at or self._clock()})
        try:
            self._store.append(live.id, end)
        except LogError:
            log.exception("The end of run %s could not be written", live.id)
            live.logged(end)  # and the run stays listed as one of this process, so that its end is known
            return
        live.logged(end)
        self._lives.pop(live.id, None)

    def _watch(self) -> None:
        """Give signs of life, hear stop requests from other processes, end what dead ones left."""
        beat = swept = time.monotonic()
        while not self._closing.wait(WATCH_SECONDS):
            mine, now = list(self._lives), time.monotonic()
            try:
                for run_id in self._store.with_status(mine, RunStatus.STOPPING) if mine else ():
                    if (live := self._lives.get(run_id)) and not live.cancel.is_set():
                        self.stop(run_id)
                if mine and now - beat >= BEAT_SECONDS:
                    self._store.beat(mine, self._clock())
                    beat = now
                if now - swept >= SILENT_SECONDS:
                    self._end_abandoned()
                    swept = now
            except LogError:
                log.exception("The runs could not be looked after")

    def _end_abandoned(self) -> None:
        now = self._clock()
        self._store.end_abandoned(silent_since=now - SILENT_SECONDS, at=now, but=list(self._lives))


def _events(run_id: str, batch: Batch) -> Iterator[AnyEvent]:
    yield from (parse(run_id, row) for row in batch.rows)
    if batch.draft is not None:
        yield batch.draft


def _end(status: Status, reason: str, message: str, remedy: str = "") -> RunEnded:
    return RunEnded.model_validate({"status": status, "reason": reason, "message": message, "remedy": remedy})


def _without_keys(text: str) -> str:
    return re.sub(r"(?i)\b(sk-|bearer\s+|api[-_]?key\W+)[\w.~+/-]{6,}", r"\1…", text)


def _cancel_at_exit() -> None:
    """Have runs end with the interpreter, which otherwise waits for their threads before any atexit function."""
    for runs in list(_open):
        runs.close()


if _register := getattr(threading, "_register_atexit", None):
    _register(_cancel_at_exit)
