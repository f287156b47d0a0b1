"""The vocabulary: one discriminated union of all events that a run's log can hold (docs/events.md)."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, TypeAdapter

from flare_core.events._base import SCHEMA_VERSION, Event, Value
from flare_core.events.model import Capabilities, ModelInfo
from flare_core.events.run import (
    CallMade,
    Drafting,
    PromptVersion,
    Purpose,
    RunEnded,
    RunStarted,
    Status,
    Warned,
)
from flare_core.events.sentence import (
    Decided,
    Evidence,
    Outcome,
    QueryFormed,
    QueryKind,
    SentenceAccepted,
    SentenceDrafted,
    SentenceRejected,
    SentenceRewritten,
    Span,
    Verdict,
)
from flare_core.events.sources import (
    PageOutcome,
    PageRead,
    PageReport,
    Passage,
    PassagesRanked,
    RankedPassage,
    Searched,
    SearchOutcome,
    SearchReport,
)
from flare_core.events.tokens import Alternative, Token

AnyEvent = Annotated[
    RunStarted
    | SentenceDrafted
    | Decided
    | QueryFormed
    | Searched
    | PageRead
    | PassagesRanked
    | SentenceRewritten
    | SentenceRejected
    | SentenceAccepted
    | CallMade
    | Warned
    | Drafting
    | RunEnded,
    Field(discriminator="type"),
]

EVENT: TypeAdapter[AnyEvent] = TypeAdapter(AnyEvent)
"""Reads any event: `EVENT.validate_json(line)`."""

__all__ = [
    "EVENT", "SCHEMA_VERSION", "Alternative", "AnyEvent", "CallMade", "Capabilities", "Decided", "Drafting",
    "Event", "Evidence", "ModelInfo", "Outcome", "PageOutcome", "PageRead", "PageReport", "Passage",
    "PassagesRanked", "PromptVersion", "Purpose", "QueryFormed", "QueryKind", "RankedPassage", "RunEnded",
    "RunStarted", "SearchOutcome", "SearchReport", "Searched", "SentenceAccepted", "SentenceDrafted",
    "SentenceRejected", "SentenceRewritten", "Span", "Status", "Token", "Value", "Verdict", "Warned",
]  # fmt: skip
