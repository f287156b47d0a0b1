"""An event loop in a thread of its own, so that callers without one can wait for many things and still be stopped."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import threading
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from flare_core.errors import SourceError, Stopped
from flare_core.ports import Cancel

T = TypeVar("T")

POLL_S = 0.05
"""How often a cancel signal is looked at, in seconds."""


class LoopThread:
    """Runs coroutines for other threads. Started by its first use; a daemon, so that it never holds up an exit."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._closed = False

    def run(self, work: Callable[[], Coroutine[Any, Any, T]], cancel: Cancel) -> T:
        """The result of `work()`. Raises Stopped, having cancelled it, soon after the cancel signal is set."""
        if cancel.is_set():
            raise Stopped
        loop = self._started()
        future = asyncio.run_coroutine_threadsafe(work(), loop)
        while True:
            try:
                return future.result(timeout=POLL_S)
            except TimeoutError:
                if future.done():
                    raise
                if cancel.is_set():
                    future.cancel()
                    raise Stopped from None
            except concurrent.futures.CancelledError:
                raise Stopped from None  # closed by another thread

    def _started(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._closed:
                raise SourceError("This source was closed.")
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=self._serve, args=(self._loop,), name=self._name, daemon=True)
                self._thread.start()
            return self._loop

    @staticmethod
    def _serve(loop: asyncio.AbstractEventLoop) -> None:
        asyncio.set_event_loop(loop)
        try:
            loop.run_forever()
        finally:
            loop.close()

    def close(self, last: Callable[[], Coroutine[Any, Any, None]] | None = None) -> None:
        """Cancel what runs, run `last` in the loop, stop it. At most a second; safe to call twice."""
        with self._lock:
            self._closed = True
            loop, thread, self._loop, self._thread = self._loop, self._thread, None, None
        if loop is None or thread is None:
            return

        async def wind_up() -> None:
            current = asyncio.current_task()
            others = [task for task in asyncio.all_tasks() if task is not current]
            for task in others:
                task.cancel()
            if others:
                await asyncio.wait(others, timeout=0.3)
            if last is not None:
                await last()
            await asyncio.get_running_loop().shutdown_asyncgens()

        ended = asyncio.run_coroutine_threadsafe(wind_up(), loop)
        with contextlib.suppress(TimeoutError):  # then the daemon thread goes down with what is left
            ended.result(timeout=0.8)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(timeout=0.2)
