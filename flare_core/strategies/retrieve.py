"""One retrieval: form the queries, send them, merge what they find; every step an event."""

from __future__ import annotations

from collections.abc import Collection, Generator
from dataclasses import dataclass

from flare_core.events import (
    AnyEvent,
    Outcome,
    PageOutcome,
    PageRead,
    Passage,
    PassagesRanked,
    QueryFormed,
    QueryKind,
    Searched,
    SearchOutcome,
)
from flare_core.ports import Found
from flare_core.queries.merge import merge
from flare_core.strategies.context import Context

SHOWN = 4
"""Passages that are logged, as a multiple of k; the rest is only counted."""


@dataclass(frozen=True, slots=True)
class Retrieval:
    """What a retrieval led to. Without passages, `outcome` says why."""

    passages: tuple[Passage, ...]
    outcome: Outcome


def initial(context: Context) -> Generator[AnyEvent, None, None]:
    """The retrieval with the user's input, before the first sentence (D_x, section 3.2)."""
    if not context.spec.initial:
        return
    query = context.emit(query_formed(context, 0, QueryKind.INPUT, context.spec.topic))
    yield query
    result = yield from search(context, 0, [query])
    context.first = context.last = result.passages
    if result.outcome == Outcome.NO_HITS:
        yield from context.warn(
            "nothing_found",
            "Nothing was found for the topic, so the first sentence is written from the model's memory.",
            "Word the topic differently, or choose another source.",
        )


def query_formed(context: Context, sentence: int, kind: QueryKind, text: str, **more: object) -> QueryFormed:
    """The next query of the run."""
    context.queries += 1
    return QueryFormed(sentence=sentence, query_id=f"q{context.queries}", kind=kind, text=text, **more)  # type: ignore[arg-type]


def search(
    context: Context, sentence: int, queries: list[QueryFormed], barred: Collection[str] = (), about: str = ""
) -> Generator[AnyEvent, None, Retrieval]:
    """Send the queries that were not sent before, to every source; merge, rank first, and cut to k.

    With `barred` passages, other evidence is looked for: then a query may be sent again, and what it finds must say
    something `about` the topic.
    """
    fresh = {_key(query.text): query for query in reversed(queries) if barred or _key(query.text) not in context.asked}
    if not queries:
        return Retrieval((), Outcome.NOTHING_TO_ASK)
    if not fresh:
        return Retrieval((), Outcome.DUPLICATE_QUERY)
    found: list[tuple[str, Found]] = []
    for key, query in reversed(fresh.items()):
        for source in context.sources:
            if not context.may_search():
                break
            context.asked.add(key)
            context.spent.searches += 1
            k = context.spec.top_k + len(barred)
            result = source.find(query.text, k=k, lang=context.spec.lang, cancel=context.cancel)
            found.append((query.query_id, result))
            yield from _events(context, sentence, query.query_id, result)
    if not found and context.sources:
        yield from context.warn("search_budget", "The search budget is used up: no more searches are sent.")
        return Retrieval((), Outcome.OUT_OF_BUDGET)
    merged = merge([(query_id, f.passages) for query_id, f in found], context.spec.top_k, barred, about)
    yield context.emit(
        PassagesRanked(
            sentence=sentence,
            considered=sum(f.considered for _, f in found),
            ranked=tuple(r for place, r in enumerate(merged) if r.kept or place < SHOWN * context.spec.top_k),
        )
    )
    kept = tuple(ranked.passage for ranked in merged if ranked.kept)
    return Retrieval(kept, Outcome.RETRIEVED if kept else _why_nothing([f for _, f in found]))


def _events(context: Context, sentence: int, query_id: str, found: Found) -> Generator[AnyEvent, None, None]:
    for report in found.searches:
        yield context.emit(Searched(sentence=sentence, query_id=query_id, search=report))
    for page in found.pages:
        yield context.emit(PageRead(sentence=sentence, query_id=query_id, page=page))
    for report in found.searches:
        if report.outcome not in (SearchOutcome.OK, SearchOutcome.EMPTY):
            yield from context.warn(
                f"search_{report.outcome}",
                f"The search on {report.backend or report.source} failed ({report.outcome}): {report.detail}",
                "The report goes on. Try again later, or choose another source.",
            )


def _why_nothing(found: list[Found]) -> Outcome:
    """A search that failed, pages that could not be read, or truly nothing."""
    good = (SearchOutcome.OK, SearchOutcome.EMPTY)
    if any(report.outcome not in good for f in found for report in f.searches):
        return Outcome.SEARCH_FAILED
    pages = [page for f in found for page in f.pages]
    unread = bool(pages) and all(page.outcome != PageOutcome.READ for page in pages)
    return Outcome.NOTHING_READ if unread else Outcome.NO_HITS


def _key(query: str) -> str:
    return " ".join(query.lower().split())
