"""`write TOPIC`: a report."""

from __future__ import annotations

import argparse
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from flare_core import engine
from flare_core.cli.options import add_spec_options, spec_from
from flare_core.cli.progress import Progress
from flare_core.errors import Stopped, UsageError
from flare_core.events import Status
from flare_core.events.log import write_line
from flare_core.report import markdown
from flare_core.report.fold import ReportState

FORMATS: dict[str, Callable[[ReportState], str]] = {".md": markdown.render, ".txt": markdown.plain_text}
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
    _check_files(args.out, args.trace)
    state, show = ReportState(), Progress(sys.stderr, quiet=args.quiet)
    with ExitStack() as stack:
        cancel = stack.enter_context(_on_interrupt())
        try:
            model, sources = engine.open_ports(spec, cancel, stack=stack)
        except Stopped:
            print("Stopped before anything was written.", file=sys.stderr)
            return 3
        trace = stack.enter_context(args.trace.open("w", encoding="utf-8", newline="\n")) if args.trace else None
        stack.callback(_deliver, state, args.out)
        for event in engine.run(spec, cancel, model=model, sources=sources):
            state.add(event)
            show(event)
            if trace is not None and event.durable:
                trace.write(write_line(event))
                trace.flush()
    return _exit_code(state)


def _exit_code(state: ReportState) -> int:
    if state.ended is None or (state.ended.status == Status.FAILED and state.accepted):
        return 3
    return EXIT_CODES.get(state.ended.status, 3)


def _check_files(out: list[Path], trace: Path | None) -> None:
    """Refuse what cannot be written before anything is spent."""
    for path in out:
        if path.suffix.lower() not in FORMATS:
            raise UsageError(f"{path.name}: unknown ending.", f"A report can be written as {', '.join(FORMATS)}.")
    for path in [*out, *([trace] if trace else [])]:
        if path.is_dir():
            raise UsageError(f"{path} is a folder.", "Name a file.")
        if not path.absolute().parent.is_dir():
            raise UsageError(f"The folder {path.absolute().parent} does not exist.", "Make it first.")


def _deliver(state: ReportState, out: list[Path]) -> None:
    """The report to its files, else to stdout; whatever was written, whole or not, and whatever ended it."""
    if not out and (state.accepted or (state.ended and state.ended.status != Status.FAILED)):
        sys.stdout.write(markdown.render(state))
    for path in out if state.accepted else ():
        path.write_text(FORMATS[path.suffix.lower()](state), encoding="utf-8", newline="\n")
        print(f"Written to {path}", file=sys.stderr)


@contextmanager
def _on_interrupt() -> Iterator[threading.Event]:
    """A cancel signal that Ctrl-C sets: the first stops in order, the second at once."""
    cancel = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield cancel
        return

    def ask(*_: object) -> None:
        if cancel.is_set():
            raise KeyboardInterrupt
        cancel.set()
        print("\nStopping. Press again to end at once.", file=sys.stderr)

    before = signal.signal(signal.SIGINT, ask)
    try:
        yield cancel
    finally:
        signal.signal(signal.SIGINT, before)
