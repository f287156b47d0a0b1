"""`write TOPIC`: a report."""

from __future__ import annotations

import argparse
import signal
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

from flare_core import engine
from flare_core.cli.options import add_spec_options, spec_from
from flare_core.cli.output import Trace, check_files, deliver, tell
from flare_core.cli.progress import Progress
from flare_core.errors import Stopped
from flare_core.events import Status
from flare_core.report.fold import ReportState

EXIT_CODES = {Status.COMPLETE: 0, Status.FAILED: 1}
"""Any other end left a partial report: 3."""


def add_to(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser("write", help="write a report", description="Write a report about a topic.")
    add_spec_options(parser)
    parser.add_argument(
        "--out", action="append", default=[], type=Path, metavar="FILE",
        help="Write the report here instead of to stdout; .md or .txt. May be given again.",
    )  # fmt: skip
    parser.add_argument(
        "--trace", type=Path, metavar="FILE.jsonl", help="Write one event a line here (docs/events.md)."
    )
    parser.add_argument("--quiet", action="store_true", help="No progress on stderr.")
    parser.set_defaults(command=run)


def run(args: argparse.Namespace) -> int:
    """Write the report; returns the exit code."""
    spec = spec_from(args)
    check_files(args.out, args.trace)
    state, show = ReportState(), Progress(quiet=args.quiet)
    with ExitStack() as stack:
        cancel = stack.enter_context(_on_interrupt())
        try:
            model, sources = engine.open_ports(spec, cancel, stack=stack)
        except Stopped:
            tell("Stopped before anything was written.")
            return 3
        trace = stack.enter_context(closing(Trace(args.trace)))
        try:
            for event in engine.run(spec, cancel, model=model, sources=sources):
                state.add(event)
                show(event)
                trace.write(event)
        finally:
            delivered = deliver(state, args.out)
    code = _exit_code(state)
    return code if code or (delivered and not trace.failed) else 1


def _exit_code(state: ReportState) -> int:
    if state.ended is None or (state.ended.status == Status.FAILED and state.accepted):
        return 3
    return EXIT_CODES.get(state.ended.status, 3)


@contextmanager
def _on_interrupt() -> Iterator[threading.Event]:
    """A cancel signal that Ctrl-C sets, or a request to end: the first stops in order, the second at once."""
    cancel = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield cancel
        return

    def ask(*_: object) -> None:
        if cancel.is_set():
            raise KeyboardInterrupt
        cancel.set()
        tell("\nStopping. Press again to end at once.")

    before = {number: signal.signal(number, ask) for number in _signals()}
    try:
        yield cancel
    finally:
        for number, then in before.items():
            signal.signal(number, then)


def _signals() -> Iterator[int]:
    """Ctrl-C, the polite request to end, and a terminal that goes away; the last two unless the caller ignores them."""
    yield signal.SIGINT
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            yield number
