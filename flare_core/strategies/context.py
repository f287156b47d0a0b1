"""What a strategy works with: the spec, the ports, the report so far, and what has been spent."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeVar

from flare_core.events import AnyEvent, CallMade, Event, Passage, Status, Warned
from flare_core.ports import Cancel, Clock, LanguageModel, Source
from flare_core.spec import RunSpec

E = TypeVar("E", bound=Event)


@dataclass(frozen=True, slots=True)
class Ending:
    """Why a report is finished."""

    status: Status
    reason: Literal["sentences", "words", "model_stopped", "repetition", "budget"]
    message: str


class OpenCall(Protocol):
    """The call made last: whoever ends the run enters it in the ledger, where it is not yet."""

    entered: bool

    @property
    def owed(self) -> int: ...

    def ledger(self) -> CallMade: ...

    def close(self) -> None: ...


class SystemClock:
    """The computer's clock."""

    def now(self) -> float:
        return time.time()


class Emitter:
    """Gives each event its place in the log and its time."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._seq = 0

    def __call__(self, event: E) -> E:
        """The event, ready to be yielded; one that is not durable takes no place in the log."""
        self._seq += event.durable
        return event.model_copy(update={"seq": self._seq, "at": self._clock.now()})


@dataclass(slots=True)
class Spent:
    """What a run has used of its budget."""

    tokens: int = 0
    searches: int = 0


@dataclass(slots=True)
class Context:
    """One run in progress. Strategies read and change it; nothing else does."""

    spec: RunSpec
    model: LanguageModel
    sources: Sequence[Source]
    clock: Clock
    emit: Emitter
    cancel: Cancel
    drafting: Literal["stream", "sentence"] = "stream"
    """One stream through all confident sentences, or the paper's one call for each sentence."""
    text: str = ""
    """The report so far."""
    sentences: list[str] = field(default_factory=list)
    """Its sentences."""
    first: tuple[Passage, ...] = ()
    """Passages found with the topic (the paper's D_x)."""
    last: tuple[Passage, ...] = ()
    """Passages retrieved last."""
    asked: set[str] = field(default_factory=set)
    """Queries already sent, normalised."""
    judged: list[tuple[float, bool]] = field(default_factory=list)
    """Lowest probability of each draft so far and whether it retrieved, for theta="auto"."""
    queries: int = 0
    spent: Spent = field(default_factory=Spent)
    warned: set[str] = field(default_factory=set)
    started_at: float = 0.0
    retried: int = 0
    """Number of the sentence that got its second chance after a repetition."""
    cuts: int = 0
    """Sentences in a row, up to the last one, that were cut for their length."""
    seam: str = ""
    """White space to put before the next sentence, when a paragraph was ended."""
    call: OpenCall | None = None
    """The call in flight, if any."""
    ending: Ending | None = None
    """Set when the report is finished."""

    @property
    def number(self) -> int:
        """Number of the sentence in work, from 1."""
        return len(self.sentences) + 1

    @property
    def words(self) -> int:
        """Words of the report so far; a script without spaces counts about two characters a word."""
        spaced = len(self.text.split())
        return spaced if spaced * 12 > len(self.text) else len(self.text) // 2

    def warn(self, code: str, message: str, remedy: str = "") -> Iterator[AnyEvent]:
        """Warn once a run for each code."""
        if code not in self.warned:
            self.warned.add(code)
            yield self.emit(Warned(code=code, message=message, remedy=remedy))

    def out_of_budget(self) -> str:
        """Which budget is used up, in words; empty while there is some left."""
        spec = self.spec
        tokens = self.spent.tokens + (self.call.owed if self.call else 0)
        if spec.budget_tokens is not None and tokens >= spec.budget_tokens:
            return f"{tokens} of {spec.budget_tokens} tokens are used."
        if spec.budget_minutes is not None and self.clock.now() - self.started_at >= spec.budget_minutes * 60:
            return f"the time limit was {spec.budget_minutes:g} min."
        return ""

    def may_search(self) -> bool:
        """Whether the budget allows another search."""
        return self.spec.budget_searches is None or self.spent.searches < self.spec.budget_searches
