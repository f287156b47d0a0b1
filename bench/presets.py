"""The preset table: what each way to retrieve brings in supported facts, and what it costs.

    python -m bench.presets [--variants default paper …] [--topics 12] [--sentences 6] [--lm URL] [--reports FOLDER]

Each variant writes a report about each topic from the offline encyclopedia. A fact is a name or a number; it is
supported when it stands in an article that names the topic (bench/facts.py). Prints a JSON line for each variant and
then a Markdown table. All variants on all topics take the embedded model an hour or more on two cores.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench import facts
from bench.line import line
from bench.ports import empty_caches, opened
from flare_core import engine
from flare_core.ports import LanguageModel, Source
from flare_core.report.fold import ReportState, fold
from flare_core.sources import encyclopedia_index as index
from flare_core.spec import make_spec

TOPICS = (
    "Marie Curie", "the Suez Canal", "Photosynthesis", "Mount Kilimanjaro", "Johann Sebastian Bach",
    "the French Revolution", "Volcanoes", "The Great Wall of China", "Ada Lovelace", "Penicillin", "Black holes",
    "The Roman Empire",
)  # fmt: skip

COMMON: dict[str, Any] = {"until": "length"}
"""Reports of one length, whatever the variant."""

VARIANTS: dict[str, dict[str, Any]] = {
    "none": {"strategy": "none"},
    "single": {"strategy": "single"},
    "paper": {"preset": "paper"},
    "paper, θ auto": {"preset": "paper", "theta": "auto"},
    "released": {"preset": "released"},
    "released, θ auto": {"preset": "released", "theta": "auto"},
    "default": {},
    "topic in query": {"topic_in_query": True},
    "first in drafts, topic in query": {"draft_docs": "first", "topic_in_query": True},
    "first in drafts": {"draft_docs": "first"},
    "first not kept": {"keep_first": False},
    "drafts see nothing": {"draft_docs": "none"},
    "questions": {"query": "question"},
    "always": {"theta": "always"},
}
"""Name of a variant to what it sets in the run spec, over its preset."""

COLUMNS = {
    "variant": "variant",
    "supported / 100 words": "value",
    "precision": "precision",
    "sentences": "sentences",
    "words": "words",
    "with evidence": "with_evidence",
    "retrieving": "retrieving",
    "calls": "calls",
    "evaluated": "evaluated",
    "generated": "generated",
    "repetition": "ended_by_repetition",
}
"""Headings of the table, and what stands below them."""


@dataclass
class Sums:
    """What the reports of a variant add up to."""

    supported: int = 0
    facts: int = 0
    words: int = 0
    sentences: int = 0
    evidence: int = 0
    retrievals: int = 0
    calls: int = 0
    evaluated: int = 0
    generated: int = 0
    repetition: int = 0
    per_topic: dict[str, float] = field(default_factory=dict)

    def add(self, topic: str, state: ReportState, articles: list[tuple[str, str]]) -> None:
        found = facts.count(state.text, topic, articles)
        self.per_topic[topic] = round(found.per_100_words, 1)
        self.supported += found.supported
        self.facts += found.all
        self.words += found.words
        self.sentences += len(state.accepted)
        self.evidence += sum(bool(sentence.evidence) for sentence in state.accepted)
        self.retrievals += state.retrievals
        self.calls += len(state.calls)
        self.evaluated += sum(call.evaluated_tokens or 0 for call in state.calls)
        self.generated += sum(call.generated_tokens for call in state.calls)
        self.repetition += state.ended is not None and state.ended.reason == "repetition"

    def row(self) -> dict[str, Any]:
        return {
            "value": round(100 * self.supported / max(1, self.words), 2),
            "precision": round(self.supported / self.facts, 3) if self.facts else None,
            "sentences": self.sentences,
            "words": self.words,
            "with_evidence": round(self.evidence / max(1, self.sentences), 2),
            "retrieving": round(self.retrievals / max(1, self.sentences), 2),
            "calls": self.calls,
            "evaluated": self.evaluated,
            "generated": self.generated,
            "ended_by_repetition": self.repetition,
            "per_topic": self.per_topic,
        }


def measure(
    name: str,
    topics: Sequence[str],
    sentences: int,
    model: LanguageModel,
    sources: Sequence[Source],
    articles: list[tuple[str, str]],
    reports: Path | None,
) -> dict[str, Any]:
    """Write all reports of a variant and print its line."""
    changes = {**COMMON, **VARIANTS[name]}
    preset = changes.pop("preset", "default")
    sums, started = Sums(), time.perf_counter()
    for topic in topics:
        spec = make_spec(topic, preset, sentences=sentences, **changes)
        empty_caches(model)
        state = fold(engine.run(spec, model=model, sources=sources))
        sums.add(topic, state, articles)
        if reports is not None:
            (reports / f"{name} - {topic}.txt").write_text(f"{state.text}\n", encoding="utf-8")
    row = sums.row()
    line("presets", row.pop("value"), None, variant=name, seconds=round(time.perf_counter() - started), **row)
    return {"variant": name, **sums.row()}


def table(rows: Sequence[Mapping[str, Any]]) -> str:
    """The rows in Markdown."""
    lines = ["| " + " | ".join(COLUMNS) + " |", "|" + "---|" * len(COLUMNS)]
    lines += ["| " + " | ".join(str(row[key]) for key in COLUMNS.values()) + " |" for row in rows]
    return "\n".join(lines)


def main() -> int:
    """Print the lines and the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.presets", description=__doc__.splitlines()[0])
    parser.add_argument("--variants", nargs="+", choices=list(VARIANTS), default=list(VARIANTS), metavar="NAME")
    parser.add_argument("--topics", type=int, default=len(TOPICS), help="how many topics")
    parser.add_argument("--sentences", type=int, default=6, help="length of each report")
    parser.add_argument("--lm", default="embedded", help="as for write")
    parser.add_argument("--reports", type=Path, help="a folder to keep the reports in")
    args = parser.parse_args()
    if args.reports is not None:
        args.reports.mkdir(parents=True, exist_ok=True)
    data, _ = index._data(index.LANGUAGES["en"])
    articles = [(article.title, article.text) for article in index.articles(data)]
    with opened(args.lm) as (model, sources):
        rows = [
            measure(name, TOPICS[: args.topics], args.sentences, model, sources, articles, args.reports)
            for name in args.variants
        ]
    print(table(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
