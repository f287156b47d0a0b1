"""Pages that the user names: the way of the web, without a search."""

from __future__ import annotations

from collections.abc import Sequence

from flare_core.errors import UsageError
from flare_core.events import PageOutcome, SearchOutcome, SearchReport
from flare_core.ports import Cancel, Clock, Found
from flare_core.sources.contracts import Extractor, Fetcher
from flare_core.sources.extract import shared_pool
from flare_core.sources.fetch import HttpFetcher
from flare_core.sources.pages import PageReader, WallClock
from flare_core.sources.rank import distinct, rank

MOST_URLS = 50


class SiteSource:
    """Passages from given addresses, each opened once. It owns its fetcher, and closes it.

    >>> from flare_core.ports import Never
    >>> source = SiteSource(["https://example.org/"])
    >>> found = source.find("example", k=3, lang="en", cancel=Never())   # doctest: +SKIP
    """

    name = "site"
    attribution = ""

    def __init__(
        self,
        urls: Sequence[str],
        fetcher: Fetcher | None = None,
        extractor: Extractor | None = None,
        *,
        deadline_s: float = 15.0,
        clock: Clock | None = None,
    ) -> None:
        """`deadline_s` is the time, in seconds, within which all pages must have arrived. Raises UsageError."""
        if not 1 <= len(urls) <= MOST_URLS:
            raise UsageError(f"Name between 1 and {MOST_URLS} addresses.")
        self._urls = tuple(urls)
        self._fetcher = fetcher or HttpFetcher()
        self._reader = PageReader(
            self._fetcher, extractor or shared_pool(), source=self.name, clock=clock or WallClock()
        )
        self._deadline_s = deadline_s

    def find(self, query: str, *, k: int, lang: str, cancel: Cancel) -> Found:
        """See `Source.find`. The first query opens the pages; all later ones rank what was read."""
        self._reader.warm()
        pages = self._reader.read(self._urls, lang=lang, deadline_s=self._deadline_s, cancel=cancel)
        passages = distinct([passage for page in pages for passage in page.passages])
        ranked = rank(query, passages, lang)[:k]
        search = SearchReport(
            source=self.name,
            backend="urls",
            query=query,
            outcome=SearchOutcome.OK if passages else SearchOutcome.UNREACHABLE,
            hits=sum(page.report.outcome is PageOutcome.READ for page in pages),
            ms=0.0,
            detail="" if passages else "none of the pages could be read",
        )
        return Found((search,), tuple(page.report for page in pages), tuple(ranked), len(passages))

    def close(self) -> None:
        """Close connections. The extraction processes are shared and stay."""
        self._fetcher.close()
