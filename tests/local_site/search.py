"""A search engine over the pages of the local site: the more words of the query a page has, the better."""

from __future__ import annotations

from flare_core.errors import Stopped
from flare_core.events import SearchOutcome
from flare_core.ports import Cancel
from flare_core.sources.contracts import Hit, SearchAnswer
from flare_core.sources.rank import query_tokens, tokens
from tests.local_site.page import Page


class LocalSearch:
    """A `SearchBackend`. `asked` keeps the queries; answers put into `queued` are given first."""

    name = "local"

    def __init__(self, pages: list[Page]) -> None:
        self._pages = [(page, set(tokens(f"{page.title} {page.about}"))) for page in pages if page.about]
        self.asked: list[str] = []
        self.queued: list[SearchAnswer] = []

    def search(self, query: str, *, lang: str, limit: int, cancel: Cancel) -> SearchAnswer:
        if cancel.is_set():
            raise Stopped
        self.asked.append(query)
        if self.queued:
            return self.queued.pop(0)
        asked = set(query_tokens(query, lang))
        scored = [(len(asked & known), page) for page, known in self._pages]
        best = sorted((pair for pair in scored if pair[0]), key=lambda pair: -pair[0])[:limit]
        hits = tuple(Hit(page.url, page.title, page.about[:160]) for _, page in best)
        outcome = SearchOutcome.OK if hits else SearchOutcome.EMPTY
        return SearchAnswer(outcome, self.name, query, 1.0, hits, "" if hits else "nothing was found")

    def close(self) -> None:
        pass
