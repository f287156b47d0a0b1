"""From addresses to passages: fetch, extract, cut. Each page is opened once in the life of a reader, that is, a run."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from flare_core.events import PageOutcome, PageReport, Passage
from flare_core.ports import Cancel, Clock
from flare_core.sources.addresses import canonical, host_of
from flare_core.sources.contracts import Extracted, Extractor, Fetched, Fetcher
from flare_core.sources.passages import cut, passage_id

AGAIN = "opened earlier in this run"


class WallClock:
    """The clock of this machine."""

    def now(self) -> float:
        """Seconds since the Unix epoch."""
        return time.time()


@dataclass(frozen=True, slots=True)
class ReadPage:
    """A page, and what it gave."""

    report: PageReport
    passages: tuple[Passage, ...] = ()


PASSING = (PageOutcome.TIMED_OUT, PageOutcome.UNREACHABLE)
"""Outcomes that get a second try: a slow moment must not cost the rest of the run, nor a dead page every query."""


class PageReader:
    """Reads pages and keeps what it read, by canonical address, failures included."""

    def __init__(self, fetcher: Fetcher, extractor: Extractor, *, source: str, clock: Clock) -> None:
        self._fetcher = fetcher
        self._extractor = extractor
        self._source = source
        self._clock = clock
        self._known: dict[str, ReadPage] = {}
        self._tries: Counter[str] = Counter()

    def warm(self) -> None:
        """Get the extractor ready in the background."""
        self._extractor.warm()

    def failed(self, url: str) -> bool:
        """Whether this page was opened already and could not be read."""
        page = self._known.get(canonical(url))
        return page is not None and page.report.outcome is not PageOutcome.READ

    def read(self, urls: Sequence[str], *, lang: str, deadline_s: float, cancel: Cancel) -> list[ReadPage]:
        """The pages behind these addresses, in their order, each address once. Raises Stopped.

        `deadline_s` is the time, in seconds, within which all of them must have arrived.
        """
        wanted = list({canonical(url): url for url in reversed(urls)}.items())[::-1]
        fresh = [(key, url) for key, url in wanted if key not in self._known or self._passing(key)]
        fetched = self._fetcher.fetch_all([url for _, url in fresh], deadline_s=deadline_s, lang=lang, cancel=cancel)
        arrived = [page for page in fetched if page.outcome is PageOutcome.READ]
        texts = iter(self._extractor.extract_all(arrived, cancel=cancel))
        new = set()
        for (key, _), page in zip(fresh, fetched, strict=True):
            text = next(texts) if page.outcome is PageOutcome.READ else None
            self._known[key] = self._made(page, text, lang)
            self._tries[key] += 1
            new.add(key)
        return [self._known[key] if key in new else _again(self._known[key]) for key, _ in wanted]

    def _passing(self, key: str) -> bool:
        """Whether the page may be there at the next try."""
        return self._tries[key] < 2 and self._known[key].report.outcome in PASSING

    def _made(self, page: Fetched, text: Extracted | None, lang: str) -> ReadPage:
        passages: tuple[Passage, ...] = ()
        if text is not None and text.outcome is PageOutcome.READ:
            passages = self._cut(page, text, lang)
        report = PageReport(
            url=page.url,
            final_url=page.final_url,
            outcome=page.outcome if text is None else text.outcome,
            status=page.status,
            bytes=page.size,
            content_type=page.content_type,
            extractor=text.extractor if text else None,
            title=text.title if text else None,
            chars=len(text.text) if text else None,
            passages=len(passages),
            ms=page.ms + (text.ms if text else 0.0),
            detail=text.detail if text else page.detail,
        )
        return ReadPage(report, passages)

    def _cut(self, page: Fetched, text: Extracted, lang: str) -> tuple[Passage, ...]:
        host = host_of(page.final_url)
        now = self._clock.now()
        return tuple(
            Passage(
                id=passage_id(page.final_url, piece),
                text=piece,
                title=text.title or host,
                url=page.final_url,
                host=host,
                source=self._source,
                date=text.date,
                retrieved_at=now,
            )
            for piece in cut(text.text, lang)
        )


def _again(page: ReadPage) -> ReadPage:
    detail = f"{page.report.detail}; {AGAIN}" if page.report.detail else AGAIN
    return ReadPage(page.report.model_copy(update={"ms": 0.0, "detail": detail}), page.passages)
