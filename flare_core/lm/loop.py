"""An event loop on a thread of its own, so that a blocking caller can cancel what it waits for."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from typing import Any

Ended = Callable[[BaseException | None], None]
"""Called on the loop's thread when a job is over, with its exception, if any (None when cancelled)."""


class Job:
    """A coroutine that runs on a `LoopThread`."""

    def __init__(self, loop: asyncio.AbstractEventLoop, ended: Ended) -> None:
        self._loop = loop
        self._ended = ended
        self._over = threading.Event()
        self._task: asyncio.Task[None] | None = None

    def begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Start it; runs on the loop's thread."""
        self._task = self._loop.create_task(work)
        self._task.add_done_callback(self._end)

    def cancel(self) -> None:
        """Ask it to end; from any thread, any number of times."""
        if not self._over.is_set():
            self._loop.call_soon_threadsafe(self._cancel)

    def wait(self, seconds: float) -> bool:
        """Wait until it is over, connections closed and all; False when that took longer."""
        return self._over.wait(seconds)

    def _cancel(self) -> None:
        if self._task is not None:
            self._task.cancel()

    def _end(self, task: asyncio.Task[None]) -> None:
        self._over.set()
        self._ended(None if task.cancelled() else task.exception())


class LoopThread:
    """Runs jobs on one daemon thread, which starts with the first of them."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._closed = False

    def start(self, work: Callable[[], Coroutine[Any, Any, None]], ended: Ended) -> Job:
        """Run `work()` and call `ended` when it is over. Raises RuntimeError after `close`."""
        loop = self._running()
        job = Job(loop, ended)
        loop.call_soon_threadsafe(lambda: job.begin(work()))
        return job

    def close(self, farewell: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Cancel all jobs, run `farewell()`, end the thread. Safe to call twice."""
        with self._lock:
            self._closed = True
            loop, thread, self._loop, self._thread = self._loop, self._thread, None, None
        if loop is None or thread is None:
            return
        loop.call_soon_threadsafe(lambda: _shut(loop, farewell))
        thread.join()

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._closed:
                raise RuntimeError("this language model was closed")
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=_serve, args=(self._loop,), name=self._name, daemon=True)
                self._thread.start()
            return self._loop


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
    finally:
        loop.set_exception_handler(lambda _loop, _context: None)  # streams within streams, all closed at the same time
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()


def _shut(loop: asyncio.AbstractEventLoop, farewell: Callable[[], Coroutine[Any, Any, None]]) -> None:
    jobs = asyncio.all_tasks(loop)

    async def shut() -> None:
        for job in jobs:
            job.cancel()
        await asyncio.gather(*jobs, return_exceptions=True)
        await farewell()

    loop.create_task(shut()).add_done_callback(lambda _: loop.stop())
