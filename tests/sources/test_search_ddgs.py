"""The ddgs adapter against a scripted ddgs: outcomes, order, pace, cancel."""

from __future__ import annotations

import builtins
import itertools
import threading
import time
from collections.abc import Sequence
from typing import Any

import pytest
from ddgs.exceptions import DDGSException, RatelimitException, TimeoutException

from flare_core.errors import SourceError, Stopped
from flare_core.events import SearchOutcome
from flare_core.ports import Never
from flare_core.sources.contracts import SearchAnswer
from flare_core.sources.pace import Pace
from flare_core.sources.search_ddgs import DdgsSearch, ask_ddgs, region

GOOD = [{"href": "https://a.example/x", "title": "A", "body": "about"}]
NOTHING = DDGSException("No results found.")
NO_NETWORK = DDGSException("DNSError: DNSError('error sending request for url (https://a.example) > DNS error')")


class Scripted:
    """Answers for each engine: results, an error to raise, or seconds to hang."""

    def __init__(self, **answers: Any) -> None:
        self.answers = answers
        self.asked: list[tuple[str, str, str]] = []

    def __call__(self, query: str, region: str, engine: str, limit: int, timeout_s: float) -> Sequence[dict[str, Any]]:
        self.asked.append((engine, region, query))
        answer = self.answers.get(engine, NOTHING)
        if isinstance(answer, float):
            time.sleep(answer)
            return GOOD
        if isinstance(answer, Exception):
            raise answer
        return list(answer)

    @property
    def engines(self) -> list[str]:
        return [engine for engine, _, _ in self.asked]


def search(script: Scripted, query: str = "old mine", lang: str = "en", **options: Any) -> SearchAnswer:
    return DdgsSearch(ask=script, pace=Pace(0.0), **options).search(query, lang=lang, limit=5, cancel=Never())


def test_the_first_engine_that_answers_is_recorded() -> None:
    script = Scripted(duckduckgo=NOTHING, brave=GOOD)
    answer = search(script)
    assert (answer.outcome, answer.backend, answer.query) == (SearchOutcome.OK, "brave", "old mine")
    assert [hit.url for hit in answer.hits] == ["https://a.example/x"]
    assert "duckduckgo" in answer.detail
    assert script.engines == ["duckduckgo", "brave"]


def test_no_results_anywhere_may_be_a_block_and_says_so() -> None:
    answer = search(Scripted())
    assert answer.outcome is SearchOutcome.POSSIBLY_BLOCKED
    assert "may mean that the search is blocked" in answer.detail
    assert answer.detail.count("blocked") == 5


@pytest.mark.parametrize(
    ("given", "outcome"),
    [
        ([], SearchOutcome.EMPTY),
        ([{"href": "javascript:alert(1)"}], SearchOutcome.EMPTY),
        (RatelimitException("202"), SearchOutcome.RATE_LIMITED),
        (TimeoutException("timed out"), SearchOutcome.TIMED_OUT),
        (DDGSException("TimeoutError: x"), SearchOutcome.TIMED_OUT),
        (NO_NETWORK, SearchOutcome.UNREACHABLE),
        (DDGSException("ParserError: strange page"), SearchOutcome.REFUSED),
        (NOTHING, SearchOutcome.POSSIBLY_BLOCKED),
    ],
)
def test_each_answer_of_ddgs_has_its_outcome(given: Any, outcome: SearchOutcome) -> None:
    answer = search(Scripted(brave=given), engines=("brave",))
    assert answer.outcome is outcome
    assert answer.detail
    assert answer.hits == ()


def test_without_a_network_two_engines_are_enough_to_know() -> None:
    script = Scripted(**dict.fromkeys(("duckduckgo", "brave", "mojeek"), NO_NETWORK))
    answer = search(script)
    assert (answer.outcome, len(script.asked)) == (SearchOutcome.UNREACHABLE, 2)
    assert "is there a network?" in answer.detail
    assert "https://" not in answer.detail


def test_an_engine_that_hangs_is_left_for_the_next() -> None:
    answer = search(Scripted(duckduckgo=5.0, brave=GOOD), engine_s=0.2)
    assert (answer.outcome, answer.backend) == (SearchOutcome.OK, "brave")
    assert "no answer within 0.2 s" in answer.detail


def test_one_deadline_for_the_whole_search() -> None:
    began = time.monotonic()
    answer = search(Scripted(**dict.fromkeys(("duckduckgo", "brave", "mojeek"), 5.0)), deadline_s=0.5, engine_s=0.3)
    assert answer.outcome is SearchOutcome.TIMED_OUT
    assert time.monotonic() - began < 1.5


def test_cancel_does_not_wait_for_the_engine() -> None:
    cancel, set_at = threading.Event(), list[float]()
    threading.Timer(0.15, lambda: (set_at.append(time.monotonic()), cancel.set())).start()
    with pytest.raises(Stopped):
        DdgsSearch(ask=Scripted(duckduckgo=5.0), pace=Pace(0.0)).search("mine", lang="en", limit=5, cancel=cancel)
    assert time.monotonic() - set_at[0] < 0.5


def test_requests_of_a_process_keep_their_distance() -> None:
    pace, starts = Pace(0.4), list[float]()

    def ask(*_: Any) -> Sequence[dict[str, Any]]:
        starts.append(time.monotonic())
        return GOOD

    for _ in range(3):
        DdgsSearch(ask=ask, pace=pace).search("mine", lang="en", limit=5, cancel=Never())
    assert all(later - sooner > 0.2 for sooner, later in itertools.pairwise(starts))  # half: the first may be late


def test_a_queue_that_is_too_long_ends_at_the_deadline() -> None:
    pace = Pace(10.0)
    pace.wait_needed(0)
    answer = DdgsSearch(ask=Scripted(), pace=pace, deadline_s=0.3).search("mine", lang="en", limit=5, cancel=Never())
    assert (answer.outcome, answer.detail) == (SearchOutcome.TIMED_OUT, "duckduckgo: no time was left to ask")


def test_an_engine_that_may_have_blocked_us_is_asked_last_next_time() -> None:
    script = Scripted(brave=GOOD)
    adapter = DdgsSearch(ask=script, pace=Pace(0.0))
    for _ in range(2):
        adapter.search("mine", lang="en", limit=5, cancel=Never())
    assert script.engines == ["duckduckgo", "brave", "brave"]


def test_a_bad_query_asks_nobody() -> None:
    script = Scripted()
    assert search(script, query='"!!"').outcome is SearchOutcome.BAD_QUERY
    assert script.asked == []


def test_what_was_sent_is_what_is_recorded() -> None:
    script = Scripted(duckduckgo=GOOD)
    answer = search(script, query='site:x.example "mine"', lang="de-AT")
    assert script.asked == [("duckduckgo", "at-de", "site x.example mine")]
    assert answer.query == "site x.example mine"
    assert "operators" in answer.detail


def test_mistakes_of_ours_are_not_outcomes() -> None:
    with pytest.raises(ZeroDivisionError):
        search(Scripted(duckduckgo=ZeroDivisionError()))


@pytest.mark.parametrize(
    ("lang", "expected"),
    [("en", "us-en"), ("de", "de-de"), ("ja", "jp-jp"), ("pt_BR", "br-pt"), ("xx", "us-en"), ("", "us-en")],
)
def test_regions_follow_the_language(lang: str, expected: str) -> None:
    assert region(lang) == expected


def test_every_region_has_the_form_that_all_engines_split() -> None:
    from flare_core.sources.search_ddgs import _REGIONS

    assert all(len(code.split("-")) == 2 for code in _REGIONS.values())


def test_ddgs_is_called_the_way_it_wants(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[Any] = []

    class Fake:
        def __init__(self, **options: Any) -> None:
            calls.append(options)

        def text(self, query: str, **options: Any) -> list[dict[str, Any]]:
            calls.append((query, options))
            return GOOD

    monkeypatch.setattr("ddgs.DDGS", Fake)
    assert ask_ddgs("mine", "us-en", "brave", 7, 3.9) == GOOD
    assert calls == [{"timeout": 3}, ("mine", {"region": "us-en", "max_results": 7, "backend": "brave"})]


def test_without_the_package_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *args: Any, **kwargs: Any) -> Any:
        if name == "ddgs":
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(SourceError, match="pip install ddgs"):
        ask_ddgs("mine", "us-en", "brave", 7, 3.0)
