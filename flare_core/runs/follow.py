"""Following a run: the log from any point on, then each event as it comes, and what is being written."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from flare_core.errors import LogError
from flare_core.events import Drafting
from flare_core.runs.live import Live
from flare_core.runs.store import Row, Store

PAGE = 500
"""Events read at once."""
DRAFT_SECONDS = 1 / 12
"""Shortest time between two `Drafting` events: more often than this nobody can see."""
POLL_SECONDS = 0.25
"""How often the log of another process is looked at."""
GUARD_SECONDS = 1.0
"""How often a run of this process is looked at if nothing wakes the follower."""


@dataclass(frozen=True, slots=True)
class Batch:
    """What is new since the last look."""

    rows: list[Row]
    draft: Drafting | None
    over: bool
    """Nothing will come after this."""

    def __bool__(self) -> bool:
        return bool(self.rows) or self.draft is not None


class Follower:
    """Where one reader stands in the log of one run."""

    def __init__(self, store: Store, find: Callable[[str], Live | None], run_id: str, after: int) -> None:
        self._store = store
        self._find = find
        self._run_id = run_id
        self.after = after
        self._seen_draft = 0
        self._draft_due = 0.0
        self._pause = 0.0

    def look(self) -> Batch:
        """What is new. Raises LogError for an unknown run."""
        live = self._find(self._run_id)
        draft, number, last = live.now() if live else (None, 0, 0)
        active = live.ended is None if live else self._active()  # before reading: nothing comes after it
        rows = self._read(live)
        full = len(rows) == PAGE
        if rows:
            self.after = rows[-1].seq
        self._pause = 0.0 if full else GUARD_SECONDS if live else POLL_SECONDS
        due = self._draft_due - time.monotonic()
        if draft is None or number == self._seen_draft or full or not active:
            draft = None
        elif self.after != last or due > 0:
            draft, self._pause = None, max(0.0, due)  # it may be out of date, or comes too soon: look again
        else:
            self._seen_draft, self._draft_due = number, time.monotonic() + DRAFT_SECONDS
        return Batch(rows, draft, over=not active and not full)

    @property
    def pause(self) -> float:
        """Seconds after which to look again, if nothing happens before."""
        return self._pause

    def _active(self) -> bool:
        info = self._store.get_run(self._run_id)
        if info is None:
            raise LogError(f"There is no run {self._run_id!r}.")
        return info.active

    def _read(self, live: Live | None) -> list[Row]:
        if live is not None and live.last_seq <= self.after:
            return []
        rows = self._store.rows(self._run_id, self.after, PAGE)
        if not rows and live is not None and live.ended is not None:  # an end that could not be written
            return [Row(live.ended.seq, live.ended.type, live.ended.model_dump_json())]
        return rows
