"""The offline encyclopedia: what it finds, what it owes, and what it lets pass."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from flare_core.errors import SourceError, Stopped
from flare_core.events import SearchOutcome
from flare_core.ports import Found, Never
from flare_core.sources import encyclopedia_index as index
from flare_core.sources.encyclopedia import Encyclopedia, article_url

HARD_ENDINGS = (
    " AND (",
    '"',
    " foo:bar",
    " [a TO",
    "^2",
    "~",
    "*",
    "/(/",
    "\\",
    "\0",
    "\ud800",
    "\u202e",
    " é",
    " 東京",
)


class FixedClock:
    def now(self) -> float:
        return 1234.5


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(autouse=True)
def own_cache(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLARE_HOME", str(home))


@pytest.fixture
def encyclopedia() -> Encyclopedia:
    return Encyclopedia(clock=FixedClock())


def ask(source: Encyclopedia, query: str, lang: str = "en", k: int = 3) -> Found:
    return source.find(query, k=k, lang=lang, cancel=Never())


def titles(found: Found) -> list[str]:
    return [passage.title for passage, _ in found.passages]


@pytest.mark.parametrize(
    ("query", "lang", "title"),
    [
        ("Marie Curie", "en", "Marie Curie"),
        ("MARIE CURIE", "en", "Marie Curie"),
        ("the Suez Canal", "en", "Suez Canal"),
        ("photosynthesis", "en", "Photosynthesis"),
        ("Write a report about photosynthesis in plants", "en", "Photosynthesis"),
        ("Warsaw", "en", "Warsaw"),
        ("Who was Charlie Chaplin?", "en", "Charlie Chaplin"),
        ("shared the Nobel Prize in Physics with her husband for research on radioactivity", "en", "Marie Curie"),
        ("is an artificial sea-level waterway in Egypt, connecting the     Sea to the     Sea", "en", "Suez Canal"),
        ("photosynthese", "fr", "Photosynthèse"),
        ("Photosynthèse", "fr", "Photosynthèse"),
        ("l'Égypte antique", "fr", "Égypte antique"),
        ("teoria de los grafos", "es", "Teoría de grafos"),
        ("el canal de Suez", "es", "Canal de Suez"),
        ("Joseph Schumpeter", "es", "Joseph Alois Schumpeter"),
    ],
)
def test_the_article_meant_comes_first(encyclopedia: Encyclopedia, query: str, lang: str, title: str) -> None:
    assert titles(ask(encyclopedia, query, lang))[0] == title


def test_a_masked_sentence_finds_others_like_it(encyclopedia: Encyclopedia) -> None:
    assert "Nobel Prize" in titles(ask(encyclopedia, "was born in Warsaw and won the Nobel Prize in     "))


def test_scores_fall_and_k_bounds_them(encyclopedia: Encyclopedia) -> None:
    found = ask(encyclopedia, "the history of the Roman Empire", k=7)
    scores = [score for _, score in found.passages]
    assert len(scores) == 7 and scores == sorted(scores, reverse=True) and scores[-1] > 0
    assert found.considered > 7
    assert ask(encyclopedia, "Rome", k=0).passages == ()


def test_passages_say_where_they_are_from_and_under_which_licence(encyclopedia: Encyclopedia) -> None:
    passage, _ = ask(encyclopedia, "C (programming language)").passages[0]
    assert passage.url == "https://en.wikipedia.org/wiki/C_%28programming_language%29"
    assert (passage.host, passage.source) == ("en.wikipedia.org", "encyclopedia")
    assert passage.licence == "CC BY-SA 4.0"
    assert passage.retrieved_at == 1234.5
    assert "Wikipedia" in Encyclopedia.attribution and "CC BY-SA 4.0" in Encyclopedia.attribution
    french, _ = ask(encyclopedia, "Électricité", "fr").passages[0]
    assert french.url == "https://fr.wikipedia.org/wiki/%C3%89lectricit%C3%A9"


@pytest.mark.parametrize(
    ("title", "address"),
    [
        ("AC/DC", "AC/DC"),
        ("What Is to Be Done?", "What_Is_to_Be_Done%3F"),
        ("100% & more #1", "100%25_%26_more_%231"),
        ("東京", "%E6%9D%B1%E4%BA%AC"),
    ],
)
def test_addresses_are_percent_encoded(title: str, address: str) -> None:
    assert article_url(title, "en") == f"https://en.wikipedia.org/wiki/{address}"


def test_the_same_passage_has_the_same_id(encyclopedia: Encyclopedia) -> None:
    first, again = ask(encyclopedia, "Marie Curie"), ask(Encyclopedia(), "Curie, Marie")
    assert first.passages[0][0].id == again.passages[0][0].id
    assert len({passage.id for passage, _ in ask(encyclopedia, "history", k=50).passages}) == 50


@pytest.mark.parametrize("lang", ["fr", "fr-CA", "FR", "fr_FR"])
def test_a_region_does_not_matter(encyclopedia: Encyclopedia, lang: str) -> None:
    found = ask(encyclopedia, "Paris", lang)
    assert found.passages[0][0].host == "fr.wikipedia.org" and found.searches[0].detail == ""


@pytest.mark.parametrize("lang", ["de", "zh-Hant", "", "x" * 500])
def test_an_unknown_language_falls_back_to_english_and_says_so(encyclopedia: Encyclopedia, lang: str) -> None:
    found = ask(encyclopedia, "Berlin", lang)
    assert found.passages[0][0].host == "en.wikipedia.org"
    assert "English" in found.searches[0].detail and len(found.searches[0].detail) < 200


@pytest.mark.parametrize(
    "query", ["東京大学はどこにありますか", "квантовая запутанность", "zzzqqqxxyy", "", "  \n ", "?!", "\ud800"]
)
def test_nothing_found_is_an_outcome(encyclopedia: Encyclopedia, query: str) -> None:
    found = ask(encyclopedia, query)
    assert found.passages == ()
    (search,) = found.searches
    assert (search.outcome, search.hits) == (SearchOutcome.EMPTY, 0)
    assert search.model_dump_json()


def test_stop_words_are_not_looked_for(encyclopedia: Encyclopedia) -> None:
    assert titles(ask(encyclopedia, "the of and")) == []
    assert titles(ask(encyclopedia, "the of and photosynthesis")) == titles(ask(encyclopedia, "photosynthesis in the"))


@given(
    query=st.one_of(
        st.text(max_size=300),
        st.builds(str.__add__, st.sampled_from(["Paris", "Marie Curie", ""]), st.sampled_from(HARD_ENDINGS)),
        st.text(alphabet='"():*?~^[]{}\\+-!/ abANDORNOT\x00', max_size=200),
        st.builds(lambda text, times: text * times, st.text(min_size=1, max_size=5), st.integers(1, 5000)),
    ),
    lang=st.sampled_from(["en", "fr", "es", "xx"]),
    k=st.integers(0, 20),
)
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_query_is_read_as_syntax_or_raises(shared: Encyclopedia, query: str, lang: str, k: int) -> None:
    found = ask(shared, query, lang, k)
    assert len(found.passages) <= k
    assert found.searches[0].model_dump_json()


@pytest.fixture(scope="module")
def shared() -> Encyclopedia:
    return Encyclopedia()


@pytest.mark.parametrize("ending", HARD_ENDINGS)
def test_syntax_around_a_name_does_not_hide_it(encyclopedia: Encyclopedia, ending: str) -> None:
    assert "Marie Curie" in titles(ask(encyclopedia, "Marie Curie" + ending))


def test_a_set_cancel_signal_stops(encyclopedia: Encyclopedia) -> None:
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(Stopped):
        encyclopedia.find("Paris", k=3, lang="en", cancel=cancel)


def test_many_threads_may_ask_and_close_is_safe(encyclopedia: Encyclopedia) -> None:
    answers: list[list[str]] = []
    threads = [
        threading.Thread(target=lambda: answers.extend(titles(ask(encyclopedia, "Paris")) for _ in range(1)))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    encyclopedia.close()
    for thread in threads:
        thread.join()
    assert len(answers) == 8 and len(set(map(tuple, answers))) == 1
    encyclopedia.close()
    assert titles(ask(encyclopedia, "Paris")) == answers[0]


def test_without_the_wheel_it_says_what_to_install(encyclopedia: Encyclopedia, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index, "DISTRIBUTION", "no-such-distribution-installed")
    with pytest.raises(SourceError, match="pip install"):
        ask(encyclopedia, "Paris")


def test_the_code_in_the_wheel_is_never_imported() -> None:
    Encyclopedia().find("Paris", k=1, lang="en", cancel=Never())
    assert not any(name.startswith("ovos") for name in sys.modules)
