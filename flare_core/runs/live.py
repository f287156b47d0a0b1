"""A run of this process while it waits or is written: what its followers share."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress

from flare_core.events import AnyEvent, Drafting, RunEnded, SentenceAccepted, SentenceRejected
from flare_core.spec import RunSpec

Wake = Callable[[], object]
"""Called from the thread of the run when there is something new; returns at once."""


class Live:
    """The moving end of a log. Only the thread of the run writes to it."""

    def __init__(self, run_id: str, spec: RunSpec) -> None:
        self.id = run_id
        self.spec = spec
        self.cancel = threading.Event()
        self.future: Future[None] | None = None
        self.last_seq = 0
        self.ended: RunEnded | None = None
        self._draft: Drafting | None = None
        self._draft_number = 0
        self._lock = threading.Lock()
        self._wakes: list[Wake] = []

    def logged(self, event: AnyEvent) -> None:
        """This event is in the log now."""
        with self._lock:
            self.last_seq = event.seq
            if isinstance(event, SentenceAccepted | SentenceRejected | RunEnded):
                self._draft = None
            if isinstance(event, RunEnded):
                self.ended = event
        self._wake()

    def shown(self, event: Drafting) -> None:
        """This is being written at the moment; the next one takes its place."""
        with self._lock:
            self._draft = event
            self._draft_number += 1
        self._wake()

    def now(self) -> tuple[Drafting | None, int, int]:
        """What is being written, its number, and the number of the last event in the log at that moment."""
        with self._lock:
            return self._draft, self._draft_number, self.last_seq

    def subscribe(self, wake: Wake) -> Callable[[], None]:
        """Have `wake` called whenever there is something new; the result ends that."""
        with self._lock:
            self._wakes = [*self._wakes, wake]

        def unsubscribe() -> None:
            with self._lock:
                self._wakes = [other for other in self._wakes if other is not wake]

        return unsubscribe

    def _wake(self) -> None:
        for wake in self._wakes:
            with suppress(RuntimeError):  # an event loop that is closed already
                wake()
