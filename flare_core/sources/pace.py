"""Keeping requests of this whole process apart in time."""

from __future__ import annotations

import threading
import time


class Pace:
    """Hands out starting times, at least `apart_s` seconds from each other."""

    def __init__(self, apart_s: float) -> None:
        self._apart_s = apart_s
        self._lock = threading.Lock()
        self._next = 0.0

    def wait_needed(self, at_most_s: float) -> float | None:
        """Seconds to wait before the next start, which is booked; None, and nothing booked, when it is more."""
        with self._lock:
            now = time.monotonic()
            start = max(now, self._next)
            if start - now > at_most_s:
                return None
            self._next = start + self._apart_s
            return start - now
