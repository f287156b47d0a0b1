"""How many threads computing is worth: one a physical core that this process may use."""

from __future__ import annotations

import os
from pathlib import Path

SIBLINGS = "/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list"
QUOTA = "/sys/fs/cgroup/cpu.max"


def usable_cores() -> int:
    """Physical cores open to this process, a container's share of processor time considered; at least 1."""
    return max(1, min(_physical(_allowed()), _share()))


def _allowed() -> set[int]:
    if hasattr(os, "sched_getaffinity"):
        return set(os.sched_getaffinity(0))
    return set(range(os.cpu_count() or 1))


def _physical(allowed: set[int]) -> int:
    """Hyper-threads of one core count once; where that is not known, every logical processor counts."""
    siblings = {_read(SIBLINGS.format(number)) or str(number) for number in allowed}
    return len(siblings)


def _share() -> int:
    """Whole processors that a control group grants (`cpu.max`: quota and period in µs)."""
    quota, _, period = _read(QUOTA).partition(" ")
    if not quota.isdigit() or not period.isdigit():
        return os.cpu_count() or 1
    return max(1, int(quota) // int(period))


def _read(path: str) -> str:
    """A kernel file's line, or nothing on systems without it."""
    try:
        return Path(path).read_text("ascii").strip()
    except OSError:
        return ""
