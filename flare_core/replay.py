"""Replay: the decisions of a recorded run again, from the stored probabilities, without a model.

Only the decisions are replayed: after the first one that changes, the text would have been another.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from flare_core.errors import LogError
from flare_core.events import AnyEvent, Decided, SentenceAccepted, SentenceDrafted
from flare_core.report.fold import fold
from flare_core.spec import RunSpec, Theta, checked
from flare_core.text.similar import repetition
from flare_core.triggers.judge import Judgement, judge
from flare_core.triggers.threshold import Comparison, below


@dataclass(frozen=True, slots=True)
class Replayed:
    """One decision: as it was recorded, and as it would be."""

    draft: SentenceDrafted
    recorded: Decided
    now: Judgement
    compare: Comparison

    @property
    def changed(self) -> bool:
        """Whether it would be another decision: a retrieval where there was none, or none where there was one."""
        return self.recorded.retrieve != self.now.retrieve

    @property
    def asks_differently(self) -> bool:
        """Whether the same decision would lead to another query: other tokens are under beta."""
        return self.now.retrieve and not self.changed and self.unsure_before != self.unsure_now

    @property
    def unsure_before(self) -> tuple[int, ...]:
        """Indexes of the tokens that were under the recorded beta."""
        return () if self.recorded.beta is None else below(self.draft.tokens, self.recorded.beta, self.compare)

    @property
    def unsure_now(self) -> tuple[int, ...]:
        """Indexes of the tokens that would be."""
        return () if self.now.beta is None else below(self.draft.tokens, self.now.beta, self.compare)


def replay(events: Iterable[AnyEvent], theta: Theta | None = None, beta: float | None = None) -> list[Replayed]:
    """All decisions of a log, with another theta or beta where given.

    Raises LogError for a log without its start, UsageError for values out of range.
    """
    log = list(events)
    started = fold(log).started
    if started is None:
        raise LogError("The log does not begin with the start of a run, so its settings are unknown.")
    spec = _effective(started.spec, theta, beta)
    return list(_decisions(spec, log))


def _effective(spec: RunSpec, theta: Theta | None, beta: float | None) -> RunSpec:
    changes = {name: value for name, value in (("theta", theta), ("beta", beta)) if value is not None}
    return checked({**spec.model_dump(), **changes})


def _decisions(spec: RunSpec, log: list[AnyEvent]) -> Iterable[Replayed]:
    seen: list[tuple[float, bool]] = []
    written: list[str] = []
    draft: SentenceDrafted | None = None
    for event in log:
        if isinstance(event, SentenceDrafted):
            draft = event
        elif isinstance(event, SentenceAccepted):
            written.append(event.text)
        elif isinstance(event, Decided) and draft is not None:
            repeats, _ = repetition(draft.text, written)
            now = judge(spec, draft.tokens, aligned=draft.aligned, seen=seen, repeats=repeats)
            if now.lowest is not None:
                seen.append((now.lowest, now.retrieve))
            yield Replayed(draft, event, now, spec.compare)
