"""The whole way over the local site: search, fetch, extract, cut, rank."""

from __future__ import annotations

import threading
import time

import pytest

from flare_core.errors import Stopped, UsageError
from flare_core.events import PageOutcome, SearchOutcome
from flare_core.ports import Found, Never, Source
from flare_core.sources.addresses import canonical
from flare_core.sources.contracts import Hit, SearchAnswer
from flare_core.sources.extract import ExtractionPool
from flare_core.sources.site import SiteSource
from flare_core.sources.web import WebSource
from tests.local_site import LocalSite

NEVER = Never()


class Noon:
    def now(self) -> float:
        return 43_200.0


def ask(source: Source, query: str, k: int = 3, lang: str = "en") -> Found:
    return source.find(query, k=k, lang=lang, cancel=NEVER)


def test_every_page_of_the_site_has_the_outcome_it_must_have(site: LocalSite, pool: ExtractionPool) -> None:
    wrong = []
    for start in range(0, len(site.pages), 50):
        pages = site.pages[start : start + 50]
        fetcher = site.fetcher(page_s=1.5)
        source = SiteSource([page.url for page in pages], fetcher, pool, deadline_s=20)
        found = ask(source, "x")
        source.close()
        texts = {report.url: report for report in found.pages}
        for page in pages:
            report = texts[page.url]
            if report.outcome not in page.expect or (report.outcome is PageOutcome.READ) == bool(not report.passages):
                wrong.append((page.path, report.outcome.value, report.detail))
            if report.outcome is not PageOutcome.READ and not report.detail:
                wrong.append((page.path, "says nothing"))
    assert len(site.pages) >= 40
    assert wrong == []


def test_pages_in_all_encodings_give_their_words(site: LocalSite, pool: ExtractionPool) -> None:
    pages = [page for page in site.pages if page.contains and page.host != "kelmar-valley.example"]
    source = SiteSource([page.url for page in pages], site.fetcher(), pool)
    garbled = []
    for page in pages:
        found = ask(source, page.contains, k=50, lang="")
        if not any(page.contains in passage.text for passage, _ in found.passages):
            garbled.append(page.path)
    source.close()
    assert garbled == []


@pytest.mark.parametrize(
    ("query", "path", "fact"),
    [
        ("Who built the Veldmark observatory?", "/veldmark-observatory", "Ilse Brandvoll"),
        ("How deep is the shaft Long Anna of the Orsten mine?", "/orsten-mine", "1,004 metres"),
        ("When was Tarnhelm Instruments founded?", "/history", "1894"),
        ("inhabitants of the village of Graunau", "/villages/graunau", "902 inhabitants"),
        ("oak piles of the Torv pier harbour master", "/pier.pdf", "Jon Ask"),
    ],
)
def test_the_right_passage_comes_from_the_right_page(
    site: LocalSite, pool: ExtractionPool, query: str, path: str, fact: str
) -> None:
    source = site.web_source(extractor=pool, clock=Noon())
    found = ask(source, query)
    source.close()
    best, score = found.passages[0]
    assert best.url == site.url(path)
    assert fact in best.text
    assert score > 0
    assert (best.source, best.retrieved_at, best.host) == ("web", 43_200.0, site.page(path).host)
    assert len(found.passages) <= 3 <= found.considered
    assert [score for _, score in found.passages] == sorted((score for _, score in found.passages), reverse=True)


def test_good_and_bad_results_of_one_search_are_all_reported(site: LocalSite, pool: ExtractionPool) -> None:
    paths = ["/missing", "/story", "/shell", "/to-metadata", "/slow"]
    site.search.queued = [_answer(site, paths)]
    source = site.web_source(extractor=pool, deadline_s=1.0)
    found = ask(source, "the hermit's diary of the weather")
    source.close()
    assert [page.outcome.value for page in found.pages] == [
        "error_page", "read", "needs_javascript", "forbidden", "timed_out"
    ]  # fmt: skip
    assert [page.url for page in found.pages] == [site.url(path) for path in paths]
    assert found.passages[0][0].title == "The hermit's diary"
    read = found.pages[1]
    assert (read.status, read.passages, read.extractor) == (200, 1, "trafilatura (precision)")
    assert read.bytes == len(site.page("/story").body)


def test_title_and_date_come_from_the_page(site: LocalSite, pool: ExtractionPool) -> None:
    source = site.web_source(extractor=pool)
    best = ask(source, "silent escapement Brandvoll tower clocks").passages[0][0]
    source.close()
    assert (best.title, best.date) == ("Ilse Brandvoll", "2018-11-02")


def test_a_hostile_page_gives_its_words_and_nothing_that_runs_or_hides(site: LocalSite, pool: ExtractionPool) -> None:
    source = SiteSource([site.url("/hostile")], site.fetcher(), pool)
    ((passage, _),) = ask(source, "hermit").passages
    source.close()
    assert "thirty-three notebooks" in passage.text
    assert "document.cookie" not in passage.text
    assert "onclick" not in passage.text
    assert not any("\U000e0000" <= c <= "\U000e007f" or c in "\u202e\u200b" for c in passage.text)
    assert "evil.example" not in site.resolved


def test_a_page_is_opened_once_a_run(site: LocalSite, pool: ExtractionPool) -> None:
    hits = ["/story", "/missing"]
    site.search.queued = [_answer(site, hits), _answer(site, hits, suffix="?utm_source=x#part")]
    source = site.web_source(extractor=pool)
    first, second = ask(source, "hermit diary"), ask(source, "winters of the pass")
    source.close()
    assert sorted(path for _, path in site.requests) == ["/missing", "/story"]
    assert [passage.id for passage, _ in first.passages] == [passage.id for passage, _ in second.passages]
    (again,) = second.pages  # the one that failed made room
    assert (again.outcome, again.detail, again.ms) == (PageOutcome.READ, "opened earlier in this run", 0.0)


def test_two_addresses_of_one_page_give_its_passages_once(site: LocalSite, pool: ExtractionPool) -> None:
    site.search.queued = [_answer(site, ["/story", "/moved", "/gzip"])]
    source = site.web_source(extractor=pool)
    found = ask(source, "hermit diary")
    source.close()
    assert len(found.pages) == 3
    assert (len(found.passages), found.considered) == (1, 1)


def test_at_most_five_pages_are_opened(site: LocalSite, pool: ExtractionPool) -> None:
    source = site.web_source(extractor=pool)
    assert len(ask(source, "village of the Kelmar valley").pages) == 5
    source.close()


@pytest.mark.parametrize("outcome", [SearchOutcome.POSSIBLY_BLOCKED, SearchOutcome.UNREACHABLE, SearchOutcome.EMPTY])
def test_a_search_that_fails_is_reported_and_opens_nothing(
    site: LocalSite, pool: ExtractionPool, outcome: SearchOutcome
) -> None:
    site.search.queued = [SearchAnswer(outcome, "brave", "q", 12.0, detail="why")]
    source = site.web_source(extractor=pool)
    found = ask(source, "anything")
    source.close()
    (report,) = found.searches
    assert (report.source, report.backend, report.outcome, report.detail) == ("web", "brave", outcome, "why")
    assert (found.pages, found.passages, found.considered) == ((), (), 0)


def test_cancel_stops_the_whole_way(site: LocalSite, pool: ExtractionPool) -> None:
    site.search.queued = [_answer(site, ["/slow"])]
    source, cancel, set_at = site.web_source(extractor=pool), threading.Event(), list[float]()
    threading.Timer(0.3, lambda: (set_at.append(time.monotonic()), cancel.set())).start()
    with pytest.raises(Stopped):
        source.find("hermit", k=3, lang="en", cancel=cancel)
    assert time.monotonic() - set_at[0] < 1.0
    source.close()


def test_a_site_is_read_once_and_ranked_for_each_query(site: LocalSite, pool: ExtractionPool) -> None:
    urls = [site.url("/orsten-mine"), site.url("/cheese"), site.url("/missing")]
    source = SiteSource(urls, site.fetcher(), pool)
    mine, cheese = ask(source, "copper miners in 1871"), ask(source, "blue cheese wheel weighs")
    source.close()
    assert mine.passages[0][0].url == urls[0]
    assert cheese.passages[0][0].url == urls[1]
    assert len(site.requests) == 3
    (report,) = cheese.searches
    assert (report.source, report.backend, report.outcome, report.hits) == ("site", "urls", SearchOutcome.OK, 2)
    assert cheese.passages[0][0].source == "site"


def test_a_site_of_which_nothing_can_be_read_says_so(site: LocalSite, pool: ExtractionPool) -> None:
    source = SiteSource([site.url("/missing")], site.fetcher(), pool)
    found = ask(source, "anything")
    source.close()
    assert (found.searches[0].outcome, found.searches[0].detail) == (
        SearchOutcome.UNREACHABLE, "none of the pages could be read"
    )  # fmt: skip


def test_sources_refuse_settings_that_make_no_sense() -> None:
    with pytest.raises(UsageError):
        SiteSource([])
    with pytest.raises(ValueError, match="at least 1"):
        WebSource(pages=0)
    assert (WebSource.attribution, SiteSource.attribution) == ("", "")


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("HTTP://A.example:80/x?b=2&a=1&utm_source=n#f", "http://a.example/x?a=1&b=2"),
        ("http://a.example", "http://a.example/"),
        ("http://[bad", "http://[bad"),
    ],
)
def test_one_spelling_for_each_address(url: str, expected: str) -> None:
    assert canonical(url) == expected


def _answer(site: LocalSite, paths: list[str], suffix: str = "") -> SearchAnswer:
    hits = tuple(Hit(site.url(path) + suffix) for path in paths)
    return SearchAnswer(SearchOutcome.OK, "local", "q", 1.0, hits)
