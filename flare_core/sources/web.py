"""The web: search, open the best pages, rank their passages."""

from __future__ import annotations

from flare_core.events import SearchReport
from flare_core.ports import Cancel, Clock, Found
from flare_core.sources.addresses import canonical
from flare_core.sources.contracts import Extractor, Fetcher, SearchAnswer, SearchBackend
from flare_core.sources.extract import shared_pool
from flare_core.sources.fetch import HttpFetcher
from flare_core.sources.pages import PageReader, WallClock
from flare_core.sources.rank import distinct, rank
from flare_core.sources.search_ddgs import DdgsSearch

PAGES = 5
"""Pages opened for one query."""
HITS = 10
"""Results asked of the search: those that could not be read before make room for the next."""


class WebSource:
    """Passages from the public web. It owns its search and its fetcher, and closes them.

    >>> from flare_core.ports import Never
    >>> source = WebSource()
    >>> found = source.find("Who discovered helium?", k=3, lang="en", cancel=Never())   # doctest: +SKIP
    >>> [(passage.host, round(score, 1)) for passage, score in found.passages]          # doctest: +SKIP
    """

    name = "web"
    attribution = ""

    def __init__(
        self,
        search: SearchBackend | None = None,
        fetcher: Fetcher | None = None,
        extractor: Extractor | None = None,
        *,
        pages: int = PAGES,
        deadline_s: float = 6.0,
        clock: Clock | None = None,
    ) -> None:
        """`deadline_s` is the time, in seconds, within which the pages of one query must have arrived."""
        if pages < 1:
            raise ValueError("pages must be at least 1")
        self._search = search or DdgsSearch()
        self._fetcher = fetcher or HttpFetcher()
        self._reader = PageReader(
            self._fetcher, extractor or shared_pool(), source=self.name, clock=clock or WallClock()
        )
        self._pages = pages
        self._deadline_s = deadline_s

    def find(self, query: str, *, k: int, lang: str, cancel: Cancel) -> Found:
        """See `Source.find`."""
        self._reader.warm()
        answer = self._search.search(query, lang=lang, limit=max(HITS, self._pages), cancel=cancel)
        urls = list({canonical(hit.url): hit.url for hit in reversed(answer.hits)}.values())[::-1]
        chosen = [url for url in urls if not self._reader.failed(url)][: self._pages]
        pages = self._reader.read(chosen, lang=lang, deadline_s=self._deadline_s, cancel=cancel) if chosen else []
        passages = distinct([passage for page in pages for passage in page.passages])
        return Found(
            searches=(_report(self.name, answer),),
            pages=tuple(page.report for page in pages),
            passages=tuple(rank(query, passages, lang)[:k]),
            considered=len(passages),
        )

    def close(self) -> None:
        """Close the search and the connections. The extraction processes are shared and stay."""
        self._search.close()
        self._fetcher.close()


def _report(source: str, answer: SearchAnswer) -> SearchReport:
    return SearchReport(
        source=source,
        backend=answer.backend,
        query=answer.query,
        outcome=answer.outcome,
        hits=len(answer.hits),
        ms=answer.ms,
        detail=answer.detail,
    )
