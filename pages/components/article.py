"""The report as the element reads it: sentences with citation numbers and marks, sources, credits."""

from __future__ import annotations

import json
import time
from collections import Counter
from pathlib import Path
from typing import Any

from flare_core.events import SentenceAccepted
from flare_core.report.citations import CitedSource, cited_numbers, numbered, sources
from flare_core.report.fold import ReportState

_WORDS = json.loads((Path(__file__).resolve().parents[2] / "assets" / "words.json").read_text("utf-8"))
MARKS: dict[str, str] = _WORDS["marks"]
"""Mark to its meaning: supported, unsupported, memory, failed."""


def mark(sentence: SentenceAccepted) -> str:
    """What a sentence stands on."""
    return "supported" if sentence.evidence else str(_WORDS["outcomes"][sentence.outcome][0])


def article(state: ReportState) -> dict[str, Any]:
    """Everything on the page of a report."""
    numbers, listed = numbered(state), sources(state)
    return {
        "title": state.started.spec.topic if state.started else "",
        "byline": _byline(state),
        "sentences": [
            {
                "n": s.sentence,
                "text": s.text,
                "before": "\n" if "\n" in s.before else " " if s.before else "",
                "mark": mark(s),
                "cites": cited_numbers(s, state, numbers),
            }
            for s in state.accepted
        ],
        "counts": dict(Counter(map(mark, state.accepted))),
        "sources": [_source(source) for source in listed if source.number],
        "unused": [_source(source) for source in listed if not source.number],
        "credits": list(state.started.attributions) if state.started else [],
    }


def _byline(state: ReportState) -> str:
    if state.started is None:
        return ""
    day = _day(state.started.at)
    return f"Written on {day} by the language model {state.started.model.name}. Check it before you rely on it."


def _day(at: float) -> str:
    """The day of a time in a log, which may come from anywhere."""
    try:
        return time.strftime("%d %B %Y", time.gmtime(at)).lstrip("0")
    except (OverflowError, OSError, ValueError):
        return "an unknown day"


def _source(source: CitedSource) -> dict[str, Any]:
    passage = source.passage
    return {
        "number": source.number,
        "title": passage.title,
        "url": passage.url,
        "host": passage.host,
        "date": passage.date,
        "retrieved_at": passage.retrieved_at,
        "licence": passage.licence,
        "sentences": list(source.sentences),
    }
