"""FLARE_direct (section 3.2): draft the next sentence, retrieve when it is uncertain, write it again.

A confident sentence is accepted as it stands, so the next draft is its continuation: one streamed call runs
through all confident sentences and is closed at the end of the first uncertain one (DESIGN 3). With R retrieving
sentences that is 2R + 1 calls. Where the passages of a rewrite stay in the prompt of the next draft, the rewrite
runs on into it: R + 1 calls.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import asdict, dataclass

from flare_core.events import (
    AnyEvent,
    Decided,
    Drafting,
    Outcome,
    Passage,
    QueryKind,
    SentenceDrafted,
    SentenceRewritten,
    Status,
    Verdict,
)
from flare_core.strategies.accept import OUTCOMES, accept, reject
from flare_core.strategies.ask_what import queries
from flare_core.strategies.call import SentenceCall
from flare_core.strategies.context import Context, Ending
from flare_core.strategies.passages import for_draft, for_rewrite, prompt, same
from flare_core.strategies.retrieve import initial, query_formed, search
from flare_core.text.reader import Sentence
from flare_core.text.similar import repetition
from flare_core.triggers.judge import Judgement, judge

PARAGRAPH = "\n\n"
MAX_IDLE = 2
"""Calls in a row that bring no sentence before the report ends."""


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A sentence that is to be written again with these passages."""

    draft: Sentence
    shown: tuple[Passage, ...]
    """Passages that the draft was written from."""
    passages: tuple[Passage, ...]
    """Passages that it is to be written from now."""
    repeats: int = 0
    """Number of the sentence that the draft nearly repeats, so that it cannot stand; 0 for none."""


Wanted = Generator[AnyEvent, None, Rewrite | None]
"""Yields events; returns the rewrite that is wanted next, if any."""


def direct(context: Context) -> Generator[AnyEvent, None, Ending]:
    """Write the report; returns why it ended."""
    yield from initial(context)
    rewrite: Rewrite | None = None
    idle = 0
    while context.ending is None:
        written = len(context.sentences)
        call = _open(context, rewrite)
        wanted = yield from _read(context, call, rewrite)
        if not call.entered:
            yield call.ledger()
        context.call = None
        silent = wanted is None and context.ending is None and len(context.sentences) == written
        if silent and rewrite is not None and rewrite.repeats:
            context.ending = _repeating(context, rewrite.repeats)
        elif silent and rewrite is not None:
            yield accept(context, rewrite.draft, "draft", Outcome.NOT_REWRITTEN, rewrite.shown)
        idle = idle + 1 if silent and rewrite is None else 0
        rewrite = wanted
        if (call.ended or silent) and rewrite is None and context.ending is None:
            _model_stopped(context, idle)
    return context.ending


def _open(context: Context, rewrite: Rewrite | None) -> SentenceCall:
    passages = for_draft(context) if rewrite is None else rewrite.passages
    context.call = SentenceCall(context, prompt(context, passages), "rewrite" if rewrite else "draft", passages)
    return context.call


def _read(context: Context, call: SentenceCall, rewrite: Rewrite | None) -> Wanted:
    """Take sentences from a call for as long as the next one would be drafted from the same passages."""
    for item in call:
        if isinstance(item, Drafting):
            yield item
            continue
        if not any(sign.isalnum() for sign in item.text):
            continue  # a rule, dots, invisible signs: no sentence
        if rewrite is None:
            wanted = yield from _settle_draft(context, call, item)
        else:
            again = context.retried == context.number
            wanted = yield from _settle_rewrite(context, call, item)
            rewrite, call.phase = None, "draft"
            if again:
                return wanted
        if (
            wanted is not None
            or call.entered
            or context.ending is not None
            or not same(for_draft(context), call.passages)
        ):
            return wanted
    return None


def _settle_draft(context: Context, call: SentenceCall, sentence: Sentence) -> Wanted:
    """Judge a draft (equation 3): accept it, or retrieve and ask for its rewrite."""
    number, alike = repetition(sentence.text, context.sentences)
    draft = _drafted(context, call, sentence)
    yield draft
    judgement = judge(context.spec, draft.tokens, aligned=draft.aligned, seen=context.judged, repeats=number)
    if judgement.lowest is not None:
        context.judged.append((judgement.lowest, judgement.retrieve))
    yield context.emit(Decided(sentence=draft.sentence, **asdict(judgement)))
    if judgement.verdict == Verdict.NO_PROBABILITIES:
        yield from context.warn(
            "no_probabilities",
            "The model gave no token probabilities for a draft: it was accepted without being judged.",
            "Use another model, or set θ to always.",
        )
    if number:
        return (yield from _second_chance(context, call, sentence, number, alike))
    if judgement.retrieve:
        return (yield from _look_up(context, call, sentence, draft, judgement))
    yield accept(context, sentence, "draft", OUTCOMES[judgement.verdict], call.passages)
    return None


def _look_up(
    context: Context, call: SentenceCall, sentence: Sentence, draft: SentenceDrafted, judgement: Judgement
) -> Wanted:
    """Retrieve for an uncertain draft (equation 4); without passages it is accepted, and says why."""
    yield call.ledger()
    asked = yield from queries(context, draft, judgement)
    result = yield from search(context, draft.sentence, asked)
    if result.passages:
        context.last = result.passages
        return Rewrite(sentence, call.passages, for_rewrite(context, result.passages))
    yield accept(context, sentence, "draft", result.outcome, call.passages)
    return None


def _settle_rewrite(context: Context, call: SentenceCall, sentence: Sentence) -> Wanted:
    """Accept a rewrite (equation 5), unless it nearly repeats an earlier sentence."""
    yield context.emit(
        SentenceRewritten(
            sentence=context.number,
            attempt=2 if context.retried == context.number else 1,
            text=sentence.text,
            tokens=sentence.tokens,
            aligned=sentence.aligned,
            passages=tuple(passage.id for passage in call.passages),
        )
    )
    number, alike = repetition(sentence.text, context.sentences)
    if number:
        return (yield from _second_chance(context, call, sentence, number, alike))
    yield accept(context, sentence, "rewrite", Outcome.RETRIEVED, call.passages)
    return None


def _second_chance(context: Context, call: SentenceCall, sentence: Sentence, number: int, alike: float) -> Wanted:
    """A sentence that nearly repeats an earlier one: once with other evidence, then the report ends."""
    yield call.ledger()
    yield reject(context, sentence, number, alike)
    spec = context.spec
    if context.retried != context.number and spec.strategy == "direct" and spec.theta != "never":
        context.retried = context.number
        query = context.emit(
            query_formed(
                context,
                context.number,
                QueryKind.SENTENCE,
                f"{spec.topic} {sentence.text}",
                note="Other passages are looked for than those that led to the repetition.",
            )
        )
        yield query
        barred = {passage.id for passage in call.passages}
        result = yield from search(context, context.number, [query], barred, about=spec.topic)
        if result.passages:
            context.last = result.passages
            return Rewrite(sentence, call.passages, for_rewrite(context, result.passages), number)
    context.ending = _repeating(context, number)
    return None


def _repeating(context: Context, number: int) -> Ending:
    what = "went in circles" if number == context.number else f"began to repeat sentence {number}"
    message = f"The model {what}, so the report ends after {len(context.sentences)} of {context.spec.sentences}."
    return Ending(Status.STOPPED, "repetition", message)


def _drafted(context: Context, call: SentenceCall, sentence: Sentence) -> SentenceDrafted:
    return context.emit(
        SentenceDrafted(
            sentence=context.number,
            text=sentence.text,
            tokens=sentence.tokens,
            aligned=sentence.aligned,
            passages=tuple(passage.id for passage in call.passages),
        )
    )


def _model_stopped(context: Context, idle: int) -> None:
    """The model ended its answer: begin a new paragraph, or end the report."""
    if context.spec.until == "length" and context.sentences and idle < MAX_IDLE:
        context.seam = PARAGRAPH
        return
    written = f"The model ended the report after {len(context.sentences)} of {context.spec.sentences} sentences."
    message = written if context.sentences else "The model wrote nothing."
    status = Status.COMPLETE if context.sentences else Status.FAILED
    context.ending = Ending(status, "model_stopped", message)
