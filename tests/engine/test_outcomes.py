"""Why each sentence is what it is: every outcome comes about and is named."""

from __future__ import annotations

from typing import Any

import pytest

from flare_core.errors import SourceError
from flare_core.events import Decided, PassagesRanked, QueryFormed, SearchOutcome, SentenceAccepted
from tests.engine.story import tale, write
from tests.fakes import ALL, FakeModel, FakeSource, author, passage, toks

FOUND = [passage("P1"), passage("P2")]


def unsure(n: int, _: list[str]) -> str:
    return tale(n, unsure=(2,))


def test_retrieved() -> None:
    written = write(unsure, FakeSource(lambda _: FOUND), sentences=3)
    assert written.outcomes == ["confident", "retrieved", "confident"]
    assert [event.origin for event in written.all(SentenceAccepted)] == ["draft", "rewrite", "draft"]


def test_no_hits() -> None:
    written = write(unsure, FakeSource({"marie curie": FOUND}), sentences=3)
    assert written.outcomes == ["confident", "no_hits", "confident"]
    assert not written.warnings


def test_search_failed_is_not_no_hits_and_warns() -> None:
    source = FakeSource(lambda query: FOUND if query == "Marie Curie" else SearchOutcome.RATE_LIMITED)
    written = write(unsure, source, sentences=3)
    assert written.outcomes == ["confident", "search_failed", "confident"]
    assert written.warnings == ["search_rate_limited"]


def test_one_source_that_works_makes_up_for_one_that_fails() -> None:
    broken, good = FakeSource(lambda _: SearchOutcome.TIMED_OUT, "broken"), FakeSource(lambda _: FOUND, "good")
    written = write(unsure, [broken, good], sentences=2)
    assert written.outcomes == ["confident", "retrieved"]
    assert [event.ranked[0].passage.id for event in written.all(PassagesRanked)] == ["P1", "P1"]


def test_nothing_to_ask() -> None:
    masked = "All{.05} is{.05} dark{.05} here{.05}."
    written = write(lambda n, _: tale(n) if n != 2 else masked, FakeSource(lambda _: FOUND), sentences=3,
                    empty_query="skip")  # fmt: skip
    assert written.outcomes == ["confident", "nothing_to_ask", "confident"]
    assert written.queries == []


def test_where_all_is_masked_the_whole_sentence_can_be_asked() -> None:
    masked = "All{.05} is{.05} dark{.05} here{.05}."
    written = write(lambda n, _: tale(n) if n != 2 else masked, FakeSource(lambda _: FOUND), sentences=2)
    assert written.queries == ["All is dark here."]
    assert written.all(QueryFormed)[-1].note
    assert written.outcomes[1] == "retrieved"


def test_duplicate_query() -> None:
    story = {1: "It ended in 1903{.05}.", 2: "IT  ended in 1911{.05}."}
    written = write(lambda n, _: story.get(n, tale(n)), FakeSource({"marie curie": FOUND}), sentences=3)
    assert written.outcomes == ["no_hits", "duplicate_query", "confident"]
    assert written.sources[0].queries == ["Marie Curie", "It ended in ."]


def test_a_query_that_was_not_sent_is_no_duplicate() -> None:
    story = {1: "It ended in 1903{.05}.", 2: "IT  ended in 1911{.05}."}
    written = write(lambda n, _: story.get(n, tale(n)), sentences=3, budget_searches=1)
    assert written.outcomes[:2] == ["out_of_budget", "out_of_budget"]


def test_not_rewritten_when_the_model_writes_nothing_from_the_passages() -> None:
    def story(n: int, passages: list[str]) -> str:
        return "" if passages else tale(n, unsure=(2,))

    written = write(story, FakeSource(lambda query: [] if query == "Marie Curie" else FOUND), sentences=3)
    assert written.outcomes == ["confident", "not_rewritten", "confident"]
    assert written.texts == [tale(1), tale(2), tale(3)]


def test_no_probabilities_of_one_draft() -> None:
    written = write(lambda n, _: "All{?} is{?} dark{?}.{?}" if n == 2 else tale(n), sentences=3)
    assert written.outcomes == ["confident", "no_probabilities", "confident"]
    assert "no_probabilities" in written.warnings


def test_a_model_that_gives_no_tokens_though_nobody_knew_says_so_once() -> None:
    capabilities = ALL.model_copy(update={"logprobs": None})
    model = FakeModel(author(lambda n, _: tale(n)), with_tokens=False, capabilities=capabilities)
    written = write(model, FakeSource(lambda _: FOUND), sentences=3)
    assert written.outcomes == ["no_probabilities"] * 3
    assert written.warnings.count("no_probabilities") == 1


@pytest.mark.parametrize("theta", [0.5, "auto"])
def test_a_model_known_to_give_none_is_refused_before_anything_is_spent(theta: Any) -> None:
    model = FakeModel([], capabilities=ALL.model_copy(update={"logprobs": False}))
    written = write(model, FakeSource(), theta=theta)
    assert written.ended.status == "failed"
    assert "always" in written.ended.remedy and "never" in written.ended.remedy
    assert model.asked == [] and written.sources[0].queries == []


@pytest.mark.parametrize(("settings", "outcome"), [
    ({"theta": "always"}, "retrieved"), ({"theta": "never"}, "not_judged"), ({"strategy": "single"}, "not_judged"),
])  # fmt: skip
def test_without_probabilities_always_and_never_work(settings: dict[str, Any], outcome: str) -> None:
    capabilities = ALL.model_copy(update={"logprobs": False})
    model = FakeModel(author(lambda n, _: tale(n)), with_tokens=False, capabilities=capabilities)
    written = write(model, FakeSource(lambda query: [passage(query[:40])]), sentences=3, **settings)
    assert written.outcomes == [outcome] * 3


def test_unaligned_drafts_are_accepted_and_say_so() -> None:
    model = FakeModel(lambda _: [*toks(tale(1)), ". Then"[1:], *toks(f" {tale(2)}"[5:]), " Bad. End", "."])
    written = write(model, sentences=3, checks=False)
    assert "unaligned" in written.outcomes


def test_out_of_budget() -> None:
    written = write(lambda n, _: tale(n, unsure=(2, 3)), FakeSource(lambda _: FOUND), sentences=3, budget_searches=2)
    assert written.outcomes == ["confident", "retrieved", "out_of_budget"]
    assert "search_budget" in written.warnings


def test_every_decision_says_whether_a_retrieval_followed() -> None:
    written = write(unsure, FakeSource(lambda _: FOUND), sentences=3)
    assert [event.retrieve for event in written.all(Decided)] == [False, True, False]
    assert written.state.retrievals == 1


def test_a_source_that_cannot_work_fails_the_run_and_keeps_the_text() -> None:
    source = FakeSource(lambda query: FOUND if query == "Marie Curie" else SourceError("No index.", "Make one."))
    written = write(unsure, source, sentences=3)
    assert (written.ended.status, written.ended.message, written.ended.remedy) == ("failed", "No index.", "Make one.")
    assert written.texts == [tale(1)]


def test_nothing_found_for_the_topic_warns_and_goes_on() -> None:
    written = write(lambda n, _: tale(n), sentences=2)
    assert written.warnings == ["nothing_found"]
    assert written.outcomes == ["confident"] * 2


@pytest.mark.parametrize(("source", "settings"), [
    (FakeSource(lambda _: SearchOutcome.UNREACHABLE), {}), (FakeSource(), {"budget_searches": 0}),
])  # fmt: skip
def test_a_topic_that_could_not_be_searched_is_not_said_to_have_nothing(
    source: FakeSource, settings: dict[str, Any]
) -> None:
    assert "nothing_found" not in write(lambda n, _: tale(n), source, sentences=2, **settings).warnings


def test_equal_queries_of_one_sentence_are_sent_once() -> None:
    def say(asked: Any) -> Any:
        if "Ask one question" in asked.prompt.user:
            return toks("Who was it?")
        return author(lambda n, _: "Ada{.05} met many of her old friends and then Bob{.05}.")(asked)

    written = write(FakeModel(say), FakeSource({"marie curie": FOUND}), query="question", sentences=1)
    assert written.sources[0].queries == ["Marie Curie", "Who was it?"]
