"""Fetching: one deadline, an outcome for each page, caps, cancel."""

from __future__ import annotations

import threading
import time

import pytest

from flare_core.errors import SourceError, Stopped
from flare_core.events import PageOutcome
from flare_core.ports import Never
from flare_core.sources.fetch import USER_AGENT, HttpFetcher, Limits
from tests.local_site import LocalSite

NEVER = Never()


def test_results_come_in_the_order_of_the_addresses(site: LocalSite) -> None:
    fetcher = site.fetcher()
    urls = [site.url("/story"), "http://unknown-host.example/", site.url("/veldmark-observatory"), "nonsense"]
    pages = fetcher.fetch_all(urls, cancel=NEVER)
    fetcher.close()
    assert [page.url for page in pages] == urls
    assert [page.outcome.value for page in pages] == ["read", "unreachable", "read", "forbidden"]
    assert "could not be resolved" in pages[1].detail
    assert pages[0].content == site.page("/story").body
    assert all(page.detail for page in pages if page.outcome is not PageOutcome.READ)


def test_no_addresses_no_pages(site: LocalSite) -> None:
    assert site.fetcher().fetch_all([], cancel=NEVER) == []


def test_one_deadline_for_all_and_what_has_arrived_is_kept(site: LocalSite) -> None:
    fetcher = site.fetcher()
    urls = [site.url(path) for path in ("/slow", "/story", "/drip", "/ilse-brandvoll")]
    began = time.monotonic()
    pages = fetcher.fetch_all(urls, deadline_s=0.8, cancel=NEVER)
    took = time.monotonic() - began
    fetcher.close()
    assert [page.outcome.value for page in pages] == ["timed_out", "read", "timed_out", "read"]
    assert 0.7 < took < 2
    assert pages[2].status == 200  # what was known when time ran out
    assert pages[2].size and pages[2].content == b""


def test_one_page_has_a_total_deadline_of_its_own(site: LocalSite) -> None:
    fetcher = site.fetcher(page_s=0.4)
    pages = fetcher.fetch_all([site.url("/drip"), site.url("/slow")], deadline_s=10, cancel=NEVER)
    fetcher.close()
    assert {page.outcome for page in pages} == {PageOutcome.TIMED_OUT}
    assert all(300 < page.ms < 2500 for page in pages)


def test_more_pages_than_slots_are_all_fetched(site: LocalSite) -> None:
    fetcher = site.fetcher()
    pages = fetcher.fetch_all([page.url for page in site.pages[:24]], deadline_s=20, cancel=NEVER)
    fetcher.close()
    assert {page.outcome for page in pages} == {PageOutcome.READ}


def test_cancel_takes_effect_at_once_and_hangs_up(site: LocalSite) -> None:
    fetcher, cancel = site.fetcher(page_s=30), threading.Event()
    set_at: list[float] = []

    def cancel_when_both_are_under_way() -> None:
        while len(site.requests) < 2:
            time.sleep(0.02)
        set_at.append(time.monotonic())
        cancel.set()

    threading.Thread(target=cancel_when_both_are_under_way, daemon=True).start()
    with pytest.raises(Stopped):
        fetcher.fetch_all([site.url("/slow"), site.url("/drip")], deadline_s=30, cancel=cancel)
    assert time.monotonic() - set_at[0] < 1.0  # 0.05 s when the machine has nothing else to do
    ends = time.monotonic() + 15
    while len(site.given_up) < 2 and time.monotonic() < ends:
        time.sleep(0.02)
    fetcher.close()
    assert sorted(site.given_up) == ["/drip", "/slow"]


def test_cancelled_before_it_began_asks_nothing(site: LocalSite) -> None:
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(Stopped):
        site.fetcher().fetch_all([site.url("/story")], cancel=cancel)
    assert site.requests == []


def test_a_fetcher_works_again_after_a_cancel(site: LocalSite) -> None:
    fetcher, cancel = site.fetcher(), threading.Event()
    threading.Timer(0.1, cancel.set).start()
    with pytest.raises(Stopped):
        fetcher.fetch_all([site.url("/slow")], cancel=cancel)
    (page,) = fetcher.fetch_all([site.url("/story")], cancel=NEVER)
    fetcher.close()
    assert page.outcome is PageOutcome.READ


def test_closing_twice_is_safe_and_ends_the_thread(site: LocalSite) -> None:
    fetcher, before = site.fetcher(), set(threading.enumerate())
    fetcher.fetch_all([site.url("/story")], cancel=NEVER)
    fetcher.close()
    fetcher.close()
    assert not [thread for thread in set(threading.enumerate()) - before if thread.name == "flare-fetch"]
    with pytest.raises(SourceError):
        fetcher.fetch_all([site.url("/story")], cancel=NEVER)


def test_a_compressed_bomb_is_stopped_at_the_cap(site: LocalSite) -> None:
    fetcher = site.fetcher()
    began = time.monotonic()
    (page,) = fetcher.fetch_all([site.url("/bomb")], cancel=NEVER)
    fetcher.close()
    assert page.outcome is PageOutcome.TOO_LARGE
    assert page.size and page.size < 4_000_000  # of 60 MB
    assert time.monotonic() - began < 2


def test_caps_depend_on_what_the_page_is(site: LocalSite) -> None:
    fetcher = site.fetcher(html_bytes=500, pdf_bytes=8_000_000)
    pages = fetcher.fetch_all([site.url("/story"), site.url("/pier-mislabelled")], cancel=NEVER)
    fetcher.close()
    assert [page.outcome.value for page in pages] == ["too_large", "read"]
    assert pages[1].content_type == "application/pdf"
    assert pages[1].kind == "pdf"


def test_five_redirects_are_followed_and_not_a_sixth(site: LocalSite) -> None:
    fetcher = site.fetcher()
    pages = fetcher.fetch_all([site.url("/moved-twice"), site.url("/circle")], cancel=NEVER)
    fetcher.close()
    assert pages[0].final_url == site.url("/story")
    assert pages[1].outcome is PageOutcome.BAD_REDIRECT
    assert [path for _, path in site.requests].count("/circle") == 6


def test_a_redirect_into_this_network_is_never_followed(site: LocalSite) -> None:
    fetcher = site.fetcher()
    paths = ["/to-loopback", "/to-metadata", "/to-private-name", "/to-file"]
    pages = fetcher.fetch_all([site.url(path) for path in paths], cancel=NEVER)
    fetcher.close()
    assert {page.outcome for page in pages} == {PageOutcome.FORBIDDEN}
    assert sorted(path for _, path in site.requests) == sorted(paths)
    assert all(page.detail.startswith("redirected to ") for page in pages)


def test_requests_say_who_asks_and_in_which_language(site: LocalSite) -> None:
    fetcher = site.fetcher()
    fetcher.fetch_all([site.url("/story")], lang="de", cancel=NEVER)
    fetcher.close()
    assert site.headers[0]["user-agent"] == USER_AGENT
    assert USER_AGENT.startswith("Flare/")
    assert site.headers[0]["accept-language"].startswith("de")
    assert "cookie" not in site.headers[0]
    assert "br" not in site.headers[0]["accept-encoding"]


def test_proxies_of_the_environment_are_not_used(site: LocalSite, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    fetcher = site.fetcher()
    (page,) = fetcher.fetch_all([site.url("/story")], cancel=NEVER)
    fetcher.close()
    assert page.outcome is PageOutcome.READ


def test_limits_are_those_of_the_readme() -> None:
    assert Limits() == Limits(html_bytes=2_000_000, pdf_bytes=8_000_000, page_s=6.0, connect_s=3.0)
    assert HttpFetcher().limits == Limits()
