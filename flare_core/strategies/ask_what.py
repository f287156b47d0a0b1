"""From a draft and its judgement to queries: masked, asked about, or whole (section 3.2.2, METHOD 2.2 and 2.3)."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from flare_core.events import AnyEvent, Purpose, QueryFormed, QueryKind, SentenceDrafted, Span, Token
from flare_core.prompts import render
from flare_core.queries.mask import has_words, mask, whole_words
from flare_core.queries.spans import spans
from flare_core.strategies.ask import ask
from flare_core.strategies.context import Context
from flare_core.strategies.retrieve import query_formed
from flare_core.triggers.judge import Judgement
from flare_core.triggers.threshold import below


def queries(
    context: Context, draft: SentenceDrafted, judgement: Judgement
) -> Generator[AnyEvent, None, list[QueryFormed]]:
    """The queries for a draft that is to be looked up; none when there is nothing to ask."""
    spec = context.spec
    low: tuple[int, ...] = ()
    if judgement.beta is not None and draft.aligned:
        low = below(draft.tokens, judgement.beta, spec.compare)
    if (spec.query == "mask" and spec.mask_unit == "word") or (
        spec.query == "question" and spec.expand_spans == "word"
    ):
        low = whole_words(draft.tokens, low)
    if spec.query == "question":
        return (yield from _explicit(context, draft, spans(draft.tokens, low)))
    return (yield from _implicit(context, draft, low))


def _implicit(
    context: Context, draft: SentenceDrafted, low: tuple[int, ...]
) -> Generator[AnyEvent, None, list[QueryFormed]]:
    """One query: the draft without its uncertain tokens; the whole draft where none is that uncertain."""
    text, kind, note = mask(draft.tokens, low) if low else draft.text, QueryKind.MASKED, ""
    if not low:
        kind = QueryKind.SENTENCE
    elif not has_words(text):
        if context.spec.empty_query == "skip":
            return []
        text, kind, low = draft.text, QueryKind.SENTENCE, ()
        note = "Every word of the draft was uncertain, so the whole sentence is asked."
    query = context.emit(query_formed(context, draft.sentence, kind, _with_topic(context, text), masked=low, note=note))
    yield query
    return [query]


def _explicit(
    context: Context, draft: SentenceDrafted, asked: list[Span]
) -> Generator[AnyEvent, None, list[QueryFormed]]:
    """One generated question for each term; the whole draft where there is no term (METHOD 2.3)."""
    spec = context.spec
    formed: list[QueryFormed] = []
    terms = 0
    before = f"{spec.topic}\n{context.text}" if spec.question_sees_input else context.text
    for span in asked:
        term = (yield from _extract(context, draft, span)) if spec.expand_spans == "model" else span.text
        term = term.strip("\"'“”‘’")
        if not term:
            continue
        terms += 1
        prompt = render("question", text=f"{before} {draft.text}".strip(), term=term)
        reply = (yield from ask(context, prompt, Purpose.QUESTION)).strip('"“”')
        if not reply.endswith(("?", "？", "؟")):
            continue
        query = context.emit(query_formed(context, draft.sentence, QueryKind.QUESTION, reply, span=span))
        yield query
        formed.append(query)
    if formed or (terms and spec.empty_query == "skip"):
        return formed
    why = "The model gave no usable question" if terms else "There is no term to ask about"
    note = f"{why}, so the whole sentence is asked."
    text = _with_topic(context, draft.text)
    query = context.emit(query_formed(context, draft.sentence, QueryKind.SENTENCE, text, note=note))
    yield query
    return [query]


def _extract(context: Context, draft: SentenceDrafted, span: Span) -> Generator[AnyEvent, None, str]:
    """The whole term that begins with the span; empty when the model names none (METHOD 2.3, step 2)."""
    before = len(_joined(draft.tokens[: span.start]))
    rest = _joined(draft.tokens)[before:].strip()
    marked = f"{draft.text[: len(draft.text) - len(rest)]}*{rest}"
    reply = (yield from ask(context, render("extract", sentence=marked, term=span.text), Purpose.EXTRACT)).lstrip("*")
    return reply if reply.startswith(span.text) and reply in draft.text else ""


def _joined(tokens: Sequence[Token]) -> str:
    return b"".join(token.data for token in tokens).decode("utf-8", "ignore")


def _with_topic(context: Context, query: str) -> str:
    return f"{context.spec.topic} {query}" if context.spec.topic_in_query else query
