"""What one stream through all confident sentences saves, against one call of 64 tokens for each sentence.

The embedded model (greedy) and the offline encyclopedia; each run begins with empty prompt caches. With R sentences
that retrieve, the stream should make at most 2R + 1 calls, and one more for each time the model itself ended its
answer before the report was long enough. Both ways should write the same report; where they do not, the line names
the first sentence that differs.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Literal

from bench.line import line
from bench.ports import empty_caches, opened
from flare_core import engine
from flare_core.cli.options import theta
from flare_core.events import CallMade, Decided, Purpose, SentenceAccepted, SentenceRejected, SentenceRewritten
from flare_core.ports import LanguageModel, Source
from flare_core.spec import RunSpec, make_spec

TOPICS = ("Marie Curie", "the Suez Canal", "Photosynthesis", "Mount Kilimanjaro", "Johann Sebastian Bach")
GENERATED = 0.55
"""The stream generates at most this share of what the calls for single sentences do."""


@dataclass
class Cost:
    """What a run took."""

    sentences: list[str]
    calls: int = 0
    prompt: int = 0
    evaluated: int = 0
    generated: int = 0
    retrievals: int = 0
    """Times that a draft or a rewrite was given up to look something up."""
    ended: int = 0
    """Drafts that the model itself ended."""
    seconds: float = 0.0

    def json(self) -> dict[str, object]:
        shown = {name: value for name, value in vars(self).items() if name not in ("sentences", "retrievals")}
        return {**shown, "sentences": len(self.sentences), "seconds": round(self.seconds, 1)}


def write(
    spec: RunSpec, model: LanguageModel, sources: Sequence[Source], drafting: Literal["stream", "sentence"]
) -> Cost:
    """Write a report; what it cost."""
    empty_caches(model)
    cost, started, rewritten = Cost([]), time.perf_counter(), False
    for event in engine.run(spec, model=model, sources=sources, drafting=drafting):
        match event:
            case CallMade():
                cost.calls += 1
                cost.prompt += event.prompt_tokens or 0
                cost.evaluated += event.evaluated_tokens or 0
                cost.generated += event.generated_tokens
                cost.ended += event.purpose == Purpose.DRAFT and not event.closed_early
            case Decided():
                cost.retrievals += event.retrieve
                rewritten = False
            case SentenceRewritten():
                rewritten = True
            case SentenceRejected():
                cost.retrievals += rewritten
            case SentenceAccepted():
                cost.sentences.append(event.text)
    cost.seconds = time.perf_counter() - started
    return cost


def first_difference(one: Sequence[str], other: Sequence[str]) -> int | None:
    """Number of the first sentence that is not the same, from 1."""
    pairs = enumerate(zip_longest(one, other), 1)
    return next((number for number, (a, b) in pairs if a != b), None)


def main() -> int:
    """Print a line for each topic, then the totals; 1 when a target was missed."""
    parser = argparse.ArgumentParser(prog="python -m bench.calls", description=__doc__.splitlines()[0])
    parser.add_argument("--topics", type=int, default=len(TOPICS), help="how many topics")
    parser.add_argument("--sentences", type=int, default=6, help="length of each report")
    parser.add_argument("--theta", type=theta, nargs="+", default=["auto"], help="one or several")
    args = parser.parse_args()
    ok = True
    with opened() as (model, sources):
        for value in args.theta:
            ok &= compare(value, TOPICS[: args.topics], args.sentences, model, sources)
    return 0 if ok else 1


def compare(
    value: str | float, topics: Sequence[str], sentences: int, model: LanguageModel, sources: Sequence[Source]
) -> bool:
    """All topics at one theta."""
    pairs, same = [], 0
    for topic in topics:
        spec = make_spec(topic, theta=value, sentences=sentences, draft_tokens=64)
        stream, single = (write(spec, model, sources, way) for way in ("stream", "sentence"))
        pairs.append((stream, single))
        differs = first_difference(stream.sentences, single.sentences)
        same += differs is None
        texts = [] if differs is None else [cost.sentences[differs - 1 : differs] for cost in (stream, single)]
        line(
            "calls", stream.calls, allowed(stream), topic=topic, theta=value, retrievals=stream.retrievals,
            stream=stream.json(), sentence=single.json(), differs_at=differs, texts=texts,
        )  # fmt: skip

    def total(name: str, way: int) -> int:
        return sum(getattr(pair[way], name) for pair in pairs)

    ratio = {
        name: round(total(name, 0) / max(1, total(name, 1)), 3)
        for name in ("calls", "prompt", "evaluated", "generated", "seconds")
    }
    most = sum(allowed(stream) for stream, _ in pairs)
    checks = [
        line("calls: all topics", total("calls", 0), most, theta=value, each_sentence=total("calls", 1)),
        line(
            "calls: generated, stream / single", ratio["generated"], GENERATED, theta=value, others=ratio,
            stream=total("generated", 0), sentence=total("generated", 1),
        ),
        line("calls: same reports", same, len(pairs), same == len(pairs), theta=value),
    ]  # fmt: skip
    return all(checks)


def allowed(cost: Cost) -> int:
    """2R + 1, and what the model's own endings add."""
    return 2 * cost.retrievals + 1 + cost.ended


if __name__ == "__main__":
    sys.exit(main())
