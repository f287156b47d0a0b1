"""The fold: a log of events becomes the state of the report. Every reader of a log starts here."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from flare_core.events import (
    AnyEvent,
    CallMade,
    Decided,
    Drafting,
    PageRead,
    Passage,
    PassagesRanked,
    QueryFormed,
    RunEnded,
    RunStarted,
    Searched,
    SentenceAccepted,
    SentenceDrafted,
    SentenceRejected,
    SentenceRewritten,
    Warned,
)


@dataclass(slots=True)
class SentenceState:
    """Everything that happened to one sentence; number 0 holds the initial retrieval."""

    number: int
    drafts: list[SentenceDrafted] = field(default_factory=list)
    decisions: list[Decided] = field(default_factory=list)
    queries: list[QueryFormed] = field(default_factory=list)
    searches: list[Searched] = field(default_factory=list)
    pages: list[PageRead] = field(default_factory=list)
    rankings: list[PassagesRanked] = field(default_factory=list)
    rewrites: list[SentenceRewritten] = field(default_factory=list)
    rejected: list[SentenceRejected] = field(default_factory=list)
    calls: list[CallMade] = field(default_factory=list)
    accepted: SentenceAccepted | None = None

    @property
    def draft(self) -> SentenceDrafted | None:
        return self.drafts[-1] if self.drafts else None

    @property
    def decided(self) -> Decided | None:
        return self.decisions[-1] if self.decisions else None

    @property
    def ranked(self) -> PassagesRanked | None:
        return self.rankings[-1] if self.rankings else None

    @property
    def rewrite(self) -> SentenceRewritten | None:
        return self.rewrites[-1] if self.rewrites else None


@dataclass(slots=True)
class ReportState:
    """The report so far."""

    started: RunStarted | None = None
    sentences: dict[int, SentenceState] = field(default_factory=dict)
    passages: dict[str, Passage] = field(default_factory=dict)
    calls: list[CallMade] = field(default_factory=list)
    warnings: list[Warned] = field(default_factory=list)
    ended: RunEnded | None = None
    live: Drafting | None = None
    last_seq: int = 0

    def add(self, event: AnyEvent) -> None:
        """Take in the next event of the log."""
        self.last_seq = max(self.last_seq, event.seq)
        if isinstance(event, Drafting):
            self.live = event
        elif isinstance(event, RunStarted):
            self.started = event
        elif isinstance(event, Warned):
            self.warnings.append(event)
        elif isinstance(event, RunEnded):
            self.ended, self.live = event, None
        else:
            self._add_to_sentence(event)

    def _add_to_sentence(self, event: AnyEvent) -> None:
        state = self.sentence(event.sentence)  # type: ignore[union-attr]
        match event:
            case SentenceDrafted():
                state.drafts.append(event)
            case Decided():
                state.decisions.append(event)
            case QueryFormed():
                state.queries.append(event)
            case Searched():
                state.searches.append(event)
            case PageRead():
                state.pages.append(event)
            case PassagesRanked():
                state.rankings.append(event)
                for ranked in event.ranked:
                    self.passages[ranked.passage.id] = ranked.passage
            case SentenceRewritten():
                state.rewrites.append(event)
            case SentenceRejected():
                state.rejected.append(event)
            case SentenceAccepted():
                state.accepted, self.live = event, None
            case CallMade():
                state.calls.append(event)
                self.calls.append(event)

    def sentence(self, number: int) -> SentenceState:
        """The state of a sentence, made when it is first named."""
        return self.sentences.setdefault(number, SentenceState(number))

    @property
    def accepted(self) -> list[SentenceAccepted]:
        """The accepted sentences in their order."""
        return [s.accepted for _, s in sorted(self.sentences.items()) if s.accepted is not None]

    @property
    def text(self) -> str:
        """The report so far, without citations."""
        return "".join(sentence.before + sentence.text for sentence in self.accepted).lstrip()

    @property
    def retrievals(self) -> int:
        """Sentences for which the trigger led to a retrieval, the initial one not counted."""
        return sum(1 for n, s in self.sentences.items() if n > 0 and any(d.retrieve for d in s.decisions))


def fold(events: Iterable[AnyEvent]) -> ReportState:
    """The state after all these events."""
    state = ReportState()
    for event in events:
        state.add(event)
    return state
