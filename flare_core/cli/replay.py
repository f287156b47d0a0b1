"""`replay TRACE.jsonl`: the decisions again, without a model."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from flare_core.cli.options import theta
from flare_core.errors import UsageError
from flare_core.events.log import lines_of, read_lines
from flare_core.replay import Replayed, replay
from flare_core.text.printable import printable


def add_to(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser("replay", help="decide again from a trace", description=__doc__)
    parser.add_argument("trace", type=Path, metavar="TRACE.jsonl")
    parser.add_argument(
        "--theta", type=theta, metavar="auto|never|always|0..1", help="Another θ than the recorded one."
    )
    parser.add_argument("--beta", type=float, metavar="0..1", help="Another β than the recorded one.")
    parser.set_defaults(command=run)


def run(args: argparse.Namespace) -> int:
    """Print each decision as it was and as it would be."""
    if not args.trace.is_file():
        raise UsageError(f"There is no file {args.trace}.")
    with args.trace.open(encoding="utf-8-sig", errors="replace") as file:
        decisions = replay(read_lines(lines_of(file)), args.theta, args.beta)
    for decision in decisions:
        print(printable(_line(decision)))
    print(_summary(decisions))
    return 0


def _line(decision: Replayed) -> str:
    was = "retrieve" if decision.recorded.retrieve else "accept"
    now = "retrieve" if decision.now.retrieve else "accept"
    mark = f"{was} → {now}" if decision.changed else f"{now}, asks other" if decision.asks_differently else now
    return f"{decision.draft.sentence:>3}  {mark:<20} {decision.now.rule}"


def _summary(decisions: list[Replayed]) -> str:
    changed = sorted({d.draft.sentence for d in decisions if d.changed})
    before, after = (sum(d.recorded.retrieve for d in decisions), sum(d.now.retrieve for d in decisions))
    asks = sorted({d.draft.sentence for d in decisions if d.asks_differently})
    other = f" Other queries would be asked for sentences {', '.join(map(str, asks))}." if asks else ""
    if not changed:
        return f"All {len(decisions)} decisions are as recorded: {before} retrievals.{other}"
    listed = ", ".join(map(str, changed))
    return (
        f"{len(changed)} of {len(decisions)} decisions change (sentences {listed}): {after} retrievals instead of "
        f"{before}. Only decisions are replayed: the text after sentence {changed[0]} would have been another.{other}"
    )
