"""The command line: report to stdout or files, progress to stderr. Others script against it (DESIGN 7)."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from flare_core import __version__
from flare_core.cli import doctor, replay, search, write
from flare_core.cli.output import streams_made, tell
from flare_core.errors import FlareError, UsageError

DONE, FAILED, USAGE, PARTIAL = 0, 1, 2, 3
"""Exit codes: done; failed; wrong usage; stopped early with a partial report."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    streams_made()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
    args = _parser().parse_args(argv)
    try:
        return int(args.command(args))
    except UsageError as error:
        tell(f"flare: {error}")
        return USAGE
    except FlareError as error:
        tell(f"flare: {error}")
        return FAILED
    except KeyboardInterrupt:
        tell("flare: ended at once; what was written is kept.")
        return PARTIAL
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except OSError as error:
        tell(f"flare: {error.strerror or error}: {error.filename or ''}")
        return FAILED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m flare_core",
        description="Flare writes researched reports by Forward-Looking Active REtrieval.",
        epilog="Exit codes: 0 done, 1 failed, 2 wrong usage, 3 stopped early with a partial report.",
    )
    parser.add_argument("--version", action="version", version=f"Flare {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for command in (write, replay, search, doctor):
        command.add_to(commands)
    return parser
