"""Logs made by hand, without an engine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flare_core.events import (
    AnyEvent,
    Evidence,
    ModelInfo,
    Outcome,
    Passage,
    PassagesRanked,
    RankedPassage,
    RunEnded,
    RunStarted,
    SentenceAccepted,
    Status,
)
from flare_core.report.fold import ReportState, fold
from flare_core.spec import make_spec
from tests.fakes import passage

MODEL = ModelInfo(name="fake", kind="endpoint", base_url="http://fake")


def started(
    topic: str = "Marie Curie", model: str = "fake", credits: Sequence[str] = (), **settings: Any
) -> RunStarted:
    spec = make_spec("Marie Curie", **settings).model_copy(update={"topic": topic})
    return RunStarted(
        flare_version="0",
        spec=spec,
        model=MODEL.model_copy(update={"name": model}),
        sources=("fake",),
        attributions=tuple(credits),
    )


def ranked(passages: Sequence[Passage], sentence: int = 0, kept: bool = True) -> PassagesRanked:
    rows = [
        RankedPassage(
            passage=p, score=1.0, rank=rank, query_id="q1", kept=kept, why="" if kept else "below the first 3"
        )
        for rank, p in enumerate(passages, 1)
    ]
    return PassagesRanked(sentence=sentence, considered=len(rows), ranked=tuple(rows))


def accepted(number: int, text: str, *cites: Passage, before: str | None = None) -> SentenceAccepted:
    evidence = tuple(Evidence(passage_id=p.id, coverage=1.0, span=(0, 1)) for p in cites)
    space = "" if number == 1 else " "
    return SentenceAccepted(
        sentence=number, text=text, before=space if before is None else before, origin="draft",
        outcome=Outcome.CONFIDENT, evidence=evidence,
    )  # fmt: skip


def ended(status: Status = Status.COMPLETE, message: str = "Done.") -> RunEnded:
    return RunEnded(status=status, reason="sentences", message=message)


def report(*events: AnyEvent, found: Sequence[Passage] = (), end: RunEnded | None = None, **start: Any) -> ReportState:
    """The state of a run with these events; passages cited by them need not be named in `found`."""
    return fold([started(**start), ranked(found), *events, end or ended()])


A, B, C = (passage(name, url=f"https://{name.lower()}.org/page") for name in "ABC")
A2 = passage("A2", url=A.url)
"""Another passage of the same page as A."""
