"""Short ways to watch runs in tests."""

from __future__ import annotations

import time
from collections.abc import Callable

from flare_core.runs import Runs

Service = Callable[..., Runs]


def durable(events):
    return [event for event in events if event.durable]


def until(condition: Callable[[], bool], seconds: float = 5.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "did not happen in time"
        time.sleep(0.01)
