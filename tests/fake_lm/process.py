"""A fake server in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]


@contextmanager
def fake_lm_process(replies: Sequence[Sequence[object]], *, repeat: bool = True) -> Iterator[str]:
    """Base URL of a fake that says these replies (tokens as in `fake_lm`, but no bytes), over and over if `repeat`."""
    command = [sys.executable, "-m", "tests.fake_lm", "-", *(["--repeat"] if repeat else [])]
    process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin and process.stdout
    try:
        process.stdin.write(json.dumps(replies))
        process.stdin.close()
        yield process.stdout.readline().strip()
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()
