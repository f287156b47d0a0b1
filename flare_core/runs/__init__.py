"""Runs: start, follow, stop, keep.

with Runs(Store(), engine) as runs:
    run_id = runs.start(spec)
    for event in runs.follow(run_id):
        ...
"""

from __future__ import annotations

from flare_core.runs.info import RunInfo, RunStatus
from flare_core.runs.service import Engine, Runs
from flare_core.runs.store import Row, Store

__all__ = ["Engine", "Row", "RunInfo", "RunStatus", "Runs", "Store"]
