"""The process that extracts: `python -m flare_core.sources.extract_worker`. It may die at any moment.

It reads tasks from its standard input and answers on its standard output until the input ends, that is, until its
owner closes it or is gone. Should it hang then, a watchdog ends it.
"""

from __future__ import annotations

import faulthandler
import os
import signal
import sys
from collections.abc import Callable
from dataclasses import asdict
from typing import Any, BinaryIO

from flare_core.events import PageOutcome
from flare_core.sources import frames, readable
from flare_core.sources.contracts import Extracted, Kind

MOST_MEMORY = 3 << 30
"""Address space in bytes, where the system can limit it (Linux)."""

GRACE_S = 5.0
"""Seconds after which the watchdog ends a task that its owner should have ended already."""

Read = Callable[..., Extracted]


def serve(source: BinaryIO, sink: BinaryIO, read: Read = readable.read) -> None:
    """Answer tasks until there are no more."""
    frames.write(sink, {"ready": True})
    while (task := frames.read(source)) is not None:
        head, body = task
        faulthandler.dump_traceback_later(float(head["timeout_s"]) + GRACE_S, exit=True)
        answer = asdict(_answer(head, body, read))
        faulthandler.cancel_dump_traceback_later()
        frames.write(sink, answer)


def _answer(head: dict[str, Any], body: bytes, read: Read) -> Extracted:
    kind: Kind = head["kind"]
    try:
        return read(body, kind=kind, url=head["url"], charset=head["charset"])
    except Exception as error:  # noqa: BLE001 - the parsers fail in many ways on hostile pages; the reason goes back
        return Extracted(PageOutcome.NO_TEXT, detail=f"the page could not be parsed ({type(error).__name__})")


def main(read: Read = readable.read) -> None:
    """Set the process up, and serve."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the owner, who closes this process
    source, sink = sys.stdin.buffer, os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a library prints must not mix with the answers
    if sys.platform == "linux":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    import pypdfium2  # noqa: F401 - loaded now, so that no page's time is spent on it
    import trafilatura  # noqa: F401

    serve(source, sink, read)


if __name__ == "__main__":
    main()
