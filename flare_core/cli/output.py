"""What leaves the command line: files that are checked before, a trace that may fail, a report that may not be lost."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from flare_core.errors import UsageError
from flare_core.events import AnyEvent, Status
from flare_core.events.log import write_line
from flare_core.report import markdown
from flare_core.report.fold import ReportState
from flare_core.text.printable import printable

FORMATS: dict[str, Callable[[ReportState], str]] = {".md": markdown.render, ".txt": markdown.plain_text}


def tell(text: str) -> None:
    """A line on stderr. A stderr that nobody reads, or that is full, is no reason to end anything."""
    try:
        print(printable(text), file=sys.stderr, flush=True)
    except (OSError, ValueError):
        sys.stderr = _nowhere()


def streams_made() -> None:
    """Where the caller closed stdout or stderr, what goes there goes nowhere."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, _nowhere())


def _nowhere() -> TextIO:
    return Path(os.devnull).open("w", encoding="utf-8")


def check_files(out: list[Path], trace: Path | None) -> None:
    """Refuse what cannot be written before anything is spent. Raises UsageError."""
    for path in out:
        if path.suffix.lower() not in FORMATS:
            raise UsageError(f"{path.name}: unknown ending.", f"A report can be written as {', '.join(FORMATS)}.")
    for path in [*out, *([trace] if trace else [])]:
        if path.is_dir():
            raise UsageError(f"{path} is a folder.", "Name a file.")
        if not path.absolute().parent.is_dir():
            raise UsageError(f"The folder {path.absolute().parent} does not exist.", "Make it first.")
        if not os.access(path if path.exists() else path.absolute().parent, os.W_OK):
            raise UsageError(f"{path} cannot be written to.", "Name another file.")
    if trace is not None and os.path.realpath(trace) in map(os.path.realpath, out):
        raise UsageError(f"{trace} is the same file for the report and for the trace.", "Name two files.")


class Trace:
    """The log as a file. When it cannot be written any further it says so once, and the run goes on."""

    def __init__(self, path: Path | None) -> None:
        """Raises OSError where the file cannot be opened."""
        self.failed = False
        self._file: TextIO | None = path.open("w", encoding="utf-8", newline="\n") if path else None

    def write(self, event: AnyEvent) -> None:
        if self._file is None or not event.durable:
            return
        try:
            self._file.write(write_line(event))
            self._file.flush()
        except OSError as error:
            self.failed = True
            self.close()
            tell(f"  !  The trace cannot be written any further: {error.strerror or error}. The report goes on.")

    def close(self) -> None:
        """Let go of the file. Safe to call twice."""
        file, self._file = self._file, None
        if file is not None:
            with suppress(OSError):
                file.close()


def deliver(state: ReportState, out: list[Path]) -> bool:
    """The report to its files, else to stdout; whatever was written, whole or not. False where a file failed."""
    failed = [path for path in out if state.accepted and not _written(state, path)]
    wanted = bool(state.accepted) or (state.ended is not None and state.ended.status != Status.FAILED)
    if failed or (wanted and not out):
        sys.stdout.write(markdown.render(state))
        sys.stdout.flush()
    return not failed


def _written(state: ReportState, path: Path) -> bool:
    try:
        path.write_text(FORMATS[path.suffix.lower()](state), encoding="utf-8", newline="\n")
    except OSError as error:
        tell(f"{path} cannot be written: {error.strerror or error}. The report goes to stdout instead.")
        return False
    tell(f"Written to {path}")
    return True
