"""What is known of a run without reading its log."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from flare_core.spec import RunSpec


class RunStatus(StrEnum):
    """Where a run stands; the last five are those of `RunEnded`."""

    QUEUED = "queued"
    RUNNING = "running"
    STOPPING = "stopping"
    COMPLETE = "complete"
    STOPPED = "stopped"
    OUT_OF_BUDGET = "out_of_budget"
    INTERRUPTED = "interrupted"
    FAILED = "failed"

    @property
    def active(self) -> bool:
        """Whether events are still to come."""
        return self in ACTIVE


ACTIVE = frozenset({RunStatus.QUEUED, RunStatus.RUNNING, RunStatus.STOPPING})


@dataclass(frozen=True, slots=True)
class RunInfo:
    """One line of the list of runs. Times are seconds since the Unix epoch."""

    id: str
    topic: str
    status: RunStatus
    started: float
    """When it was asked for; it may have waited in the queue after that."""
    ended: float | None
    last_seq: int
    """Number of the last event in its log; 0 before the first."""
    spec: RunSpec

    @property
    def active(self) -> bool:
        """Whether events are still to come."""
        return self.status.active
