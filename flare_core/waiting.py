"""Waiting for something slow that cannot itself be interrupted, without losing the ear for a request to stop."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYet
from typing import TypeVar

from flare_core.errors import Stopped
from flare_core.ports import Cancel

T = TypeVar("T")
POLL = 0.1
"""Seconds between two looks at the cancel signal."""


def wait_for(work: Callable[[], T], cancel: Cancel, discard: Callable[[T], object]) -> T:
    """What `work` returns or raises. It runs in a thread of its own.

    Raises Stopped as soon as the cancel signal is set; what `work` still brings is then handed to `discard`.
    """
    future: Future[T] = Future()
    threading.Thread(target=_run, args=(work, future), name="flare waits", daemon=True).start()
    while True:
        try:
            return future.result(timeout=POLL)
        except NotYet:
            if future.done() or not cancel.is_set():
                continue
            future.add_done_callback(lambda late: None if late.exception() else discard(late.result()))
            raise Stopped from None


def _run(work: Callable[[], T], future: Future[T]) -> None:
    try:
        future.set_result(work())
    except BaseException as error:  # noqa: BLE001 (raised again where it is waited for)
        future.set_exception(error)
