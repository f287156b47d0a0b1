"""Progress on stderr: a line for each step that a reader would want to see."""

from __future__ import annotations

from flare_core.cli.output import tell
from flare_core.events import (
    AnyEvent,
    Decided,
    PassagesRanked,
    QueryFormed,
    RunEnded,
    RunStarted,
    Searched,
    SearchOutcome,
    SentenceAccepted,
    SentenceRejected,
    Warned,
)

WIDTH = 150
_GIVEN = {
    True: "gives token probabilities",
    False: "gives no token probabilities",
    None: "token probabilities not known",
}


class Progress:
    """Call it with each event."""

    def __init__(self, *, quiet: bool = False) -> None:
        self._quiet = quiet

    def __call__(self, event: AnyEvent) -> None:
        if isinstance(event, RunEnded | Warned) or not self._quiet:
            for text in _line(event):
                tell(text)


def _line(event: AnyEvent) -> list[str]:
    match event:
        case RunStarted():
            found = event.model.capabilities
            given = _GIVEN[found.logprobs]
            return [f"Model {event.model.name} ({event.model.kind}), {given}. Sources: {', '.join(event.sources)}."]
        case Decided():
            return [f"{event.sentence:>3}  {event.rule}"] if event.retrieve else []
        case QueryFormed():
            return [f"     asks: {_short(event.text)}"]
        case Searched() if event.search.outcome != SearchOutcome.OK:
            return [f"     {event.search.source}: {event.search.outcome}. {event.search.detail}"]
        case PassagesRanked():
            kept = [ranked.passage.title for ranked in event.ranked if ranked.kept]
            return [f"     finds: {_short('; '.join(kept) or 'nothing')}"]
        case SentenceRejected():
            what = "itself" if event.repeats == event.sentence else f"sentence {event.repeats}"
            return [f"     not accepted, since it repeats {what}: {_short(event.text)}"]
        case SentenceAccepted():
            mark = "●" if event.evidence else "○"
            return [f"{event.sentence:>3} {mark} {event.outcome}: {_short(event.text)}"]
        case Warned():
            return [f"  !  {event.message} {event.remedy}".rstrip()]
        case RunEnded():
            return [f"{event.message} {event.remedy}".rstrip()]
    return []


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= WIDTH else text[: WIDTH - 1] + "…"
