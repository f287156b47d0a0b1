"""A sentence becomes part of the report: its seam, its evidence, and the guard against repetition."""

from __future__ import annotations

from typing import Literal

from flare_core.events import Evidence, Outcome, Passage, SentenceAccepted, SentenceRejected, Status, Verdict
from flare_core.strategies.context import Context, Ending
from flare_core.text.reader import Sentence
from flare_core.text.support import support

_FULL_WIDTH = "。．！？；：」』）"
MAX_CUTS = 4
"""Parts of one overlong sentence after which the report may end in its middle."""

OUTCOMES = {
    Verdict.CONFIDENT: Outcome.CONFIDENT,
    Verdict.NO_PROBABILITIES: Outcome.NO_PROBABILITIES,
    Verdict.UNALIGNED: Outcome.UNALIGNED,
    Verdict.NEVER: Outcome.NOT_JUDGED,
}
"""Why a draft was accepted without a retrieval."""


def accept(
    context: Context,
    sentence: Sentence,
    origin: Literal["draft", "rewrite"],
    outcome: Outcome,
    passages: tuple[Passage, ...],
) -> SentenceAccepted:
    """Add the sentence to the report, bound to those of the prompt's `passages` that support it (DESIGN 3)."""
    event = context.emit(
        SentenceAccepted(
            sentence=context.number,
            text=sentence.text,
            before=_before(context, sentence),
            origin=origin,
            outcome=outcome,
            evidence=() if sentence.cut else evidence(context, sentence.text, passages),
        )
    )
    context.text += event.before + event.text
    context.sentences.append(event.text)
    context.seam = ""
    context.ending = _reached(context, sentence)
    return event


def reject(context: Context, sentence: Sentence, number: int, alike: float) -> SentenceRejected:
    """The sentence is not accepted because it nearly repeats sentence `number`, or itself."""
    return context.emit(
        SentenceRejected(sentence=context.number, text=sentence.text, repeats=number, similarity=round(alike, 3))
    )


def evidence(context: Context, text: str, passages: tuple[Passage, ...]) -> tuple[Evidence, ...]:
    """The passages that support the sentence, best first."""
    found = [(passage, support(text, passage.text, context.spec.lang)) for passage in passages]
    good = sorted((f for f in found if f[1].enough), key=lambda f: -f[1].coverage)
    return tuple(Evidence(passage_id=p.id, coverage=round(s.coverage, 3), span=s.span) for p, s in good)


def _before(context: Context, sentence: Sentence) -> str:
    if not context.text:
        return ""
    if context.seam or sentence.before:
        return context.seam or sentence.before
    glued = context.cuts or context.text[-1] in _FULL_WIDTH or context.text[-1].isalnum()
    return "" if glued else " "


def _reached(context: Context, sentence: Sentence) -> Ending | None:
    """The ending that this sentence brings, if any. A cut sentence ends nothing, unless it goes on too long."""
    spec = context.spec
    context.cuts = context.cuts + 1 if sentence.cut else 0
    if 0 < context.cuts < MAX_CUTS:
        return None
    if len(context.sentences) >= spec.sentences:
        return Ending(Status.COMPLETE, "sentences", _sentences(spec.sentences))
    if spec.words is not None and context.words >= spec.words:
        return Ending(Status.COMPLETE, "words", f"The report has its {spec.words} words.")
    if reason := context.out_of_budget():
        return Ending(Status.OUT_OF_BUDGET, "budget", f"The budget is used up: {reason}")
    return None


def _sentences(number: int) -> str:
    return "The report has its one sentence." if number == 1 else f"The report has its {number} sentences."
