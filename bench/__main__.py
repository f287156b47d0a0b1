"""`make bench`: every measurement in a process of its own; 1 when a target was missed."""

from __future__ import annotations

import subprocess
import sys

PARTS = ("engine_time", "encyclopedia", "viewers", "calls")
"""In this order. Not among them, since it takes an hour: bench.presets."""


def main() -> int:
    """Run all parts, or those that are named."""
    failed = 0
    for part in sys.argv[1:] or PARTS:
        failed += subprocess.run([sys.executable, "-m", f"bench.{part}"]).returncode != 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
