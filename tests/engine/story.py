"""Runs the engine on fake ports, and checks of every log what must be true of any log."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal

from flare_core.engine import run
from flare_core.events import (
    AnyEvent,
    CallMade,
    Decided,
    Outcome,
    PassagesRanked,
    QueryFormed,
    RunEnded,
    RunStarted,
    SentenceAccepted,
    SentenceDrafted,
    SentenceRejected,
    SentenceRewritten,
    Verdict,
    Warned,
)
from flare_core.events.log import read_lines, write_line
from flare_core.ports import Cancel
from flare_core.replay import replay
from flare_core.report.fold import ReportState, fold
from flare_core.spec import make_spec
from tests.fakes import Asked, FakeClock, FakeModel, FakeSource, Said, author

Mode = Literal["stream", "sentence"]
SCRIPT = Callable[[Asked], Said]

TALES = [
    "Marie Curie was a physicist from Warsaw",
    "Her father taught mathematics at a school for boys",
    "In Paris she read physics under Lippmann until dawn",
    "Pierre lent his young colleague a corner of that shed",
    "Together they ground tons of pitchblende by hand",
    "Two new elements came out of those grey heaps",
    "Stockholm rewarded both with half of a prize in 1903",
    "A horse cart killed him on a wet street soon after",
    "The Sorbonne then gave his empty chair to the widow",
    "Chemistry brought the second medal eight years later",
    "During war her vans carried rays to field hospitals",
    "Aplastic anaemia ended that tireless life in 1934",
]


def tale(n: int, *, unsure: Sequence[int] = (), told: str = "") -> str:
    """Sentence n of a report, none like another; uncertain where its number is listed."""
    end = "{.05}" if n in unsure else ""
    return f"{TALES[(n - 1) % len(TALES)]}{told}{f' {n}' if n > len(TALES) else ''}{end}."


@dataclass
class Written:
    """A finished run."""

    events: list[AnyEvent]
    model: FakeModel
    sources: Sequence[FakeSource]
    state: ReportState

    def all(self, kind: type[Any]) -> list[Any]:
        return [event for event in self.events if type(event) is kind]

    @property
    def outcomes(self) -> list[str]:
        return [str(event.outcome) for event in self.all(SentenceAccepted)]

    @property
    def texts(self) -> list[str]:
        return [event.text for event in self.all(SentenceAccepted)]

    @property
    def queries(self) -> list[str]:
        """Queries after the initial one."""
        return [event.text for event in self.all(QueryFormed) if event.sentence > 0]

    @property
    def warnings(self) -> list[str]:
        return [event.code for event in self.all(Warned)]

    @property
    def purposes(self) -> list[str]:
        return [str(event.purpose) for event in self.all(CallMade)]

    @property
    def ended(self) -> RunEnded:
        last = self.events[-1]
        assert isinstance(last, RunEnded)
        return last

    @property
    def shown(self) -> list[list[str]]:
        """The passages that each call of the model was shown."""
        return [asked.passages for asked in self.model.asked]


def write(
    said: SCRIPT | Callable[[int, list[str]], str] | FakeModel,
    source: FakeSource | Sequence[FakeSource] = (),
    *,
    end: int | None = None,
    drafting: Mode = "stream",
    cancel: Cancel | None = None,
    clock: FakeClock | None = None,
    preset: str = "default",
    checks: bool = True,
    **settings: Any,
) -> Written:
    """A report on Marie Curie; `said` is a model, or a story for `author`. θ is 0.25 unless set otherwise."""
    model = said if isinstance(said, FakeModel) else FakeModel(author(said, end=end))  # type: ignore[arg-type]
    sources = [source] if isinstance(source, FakeSource) else list(source) or [FakeSource()]
    if preset == "default":
        settings = {"theta": 0.25, "draft_docs": "first", "keep_first": False, "draft_tokens": 64, **settings}
    spec = make_spec("Marie Curie", preset, **settings)
    events = list(run(spec, cancel, model=model, sources=sources, clock=clock or FakeClock(), drafting=drafting))
    written = Written(events, model, sources, fold(events))
    if checks:
        check(written)
    return written


def check(written: Written) -> None:
    """What is true of every log."""
    events = [event for event in written.events if event.durable]
    assert isinstance(events[0], RunStarted) and isinstance(events[-1], RunEnded)
    assert not [e for e in events[1:-1] if isinstance(e, RunStarted | RunEnded)]
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert list(read_lines(write_line(event) for event in events)) == events
    _check_report(written)
    _check_ledger(written)
    _check_evidence(written)
    _check_decisions(events)


def _check_report(written: Written) -> None:
    accepted = written.all(SentenceAccepted)
    assert [event.sentence for event in accepted] == list(range(1, len(accepted) + 1))
    assert written.state.text == "".join(event.before + event.text for event in accepted)
    for asked in written.model.asked:
        assert written.state.text.startswith(asked.prompt.started.rstrip())


def _check_ledger(written: Written) -> None:
    """Each call of the model is there once, with all its tokens."""
    rows, calls = written.all(CallMade), written.model.asked
    assert [row.generated_tokens for row in rows] == [call.generated for call in calls]
    assert [row.closed_early for row in rows] == [call.completion.usage.closed_early for call in calls]
    assert all(call.completion.closed or call.completion.finish for call in calls)


def _check_evidence(written: Written) -> None:
    """Each passage that supports a sentence is in the log and stood in the prompt that the sentence is from."""
    kept = {r.passage.id for event in written.all(PassagesRanked) for r in event.ranked if r.kept}
    shown: dict[tuple[int, str], tuple[str, ...]] = {}
    for event in written.events:
        match event:
            case SentenceDrafted():
                shown[event.sentence, "draft"] = event.passages
            case SentenceRewritten():
                shown[event.sentence, "rewrite"] = event.passages
            case SentenceAccepted():
                ids = {evidence.passage_id for evidence in event.evidence}
                assert ids <= kept
                assert ids <= set(shown[event.sentence, event.origin])


def _check_decisions(events: list[AnyEvent]) -> None:
    """One decision for each draft; the replay at the recorded θ gives exactly the recorded ones."""
    replayed = replay(events)
    assert len(replayed) == sum(isinstance(event, Decided) for event in events)
    spec = events[0].spec  # type: ignore[union-attr]
    for one in replayed:
        assert not one.changed
        if spec.strategy == "direct":
            names = [f.name for f in fields(one.now)]
            assert [getattr(one.recorded, name) for name in names] == [getattr(one.now, name) for name in names]


def retrieving(written: Written) -> int:
    """R: sentences whose draft led to a retrieval that found something."""
    return len({event.sentence for event in written.all(SentenceRewritten)})


__all__ = [
    "TALES", "Decided", "Mode", "Outcome", "SentenceDrafted", "SentenceRejected", "SentenceRewritten", "Verdict",
    "Written", "check", "retrieving", "tale", "write",
]  # fmt: skip
