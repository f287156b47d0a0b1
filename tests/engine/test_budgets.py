"""What may be spent: tokens, searches, minutes, sentences, words. What was written is kept."""

from __future__ import annotations

from typing import Any

import pytest

from flare_core.events import CallMade, Searched
from tests.engine.story import TALES, tale, write
from tests.fakes import Asked, FakeClock, FakeModel, FakeSource, Said, author, passage, toks

FOUND = [passage("P1")]


def spent(written: Any) -> int:
    return sum(event.generated_tokens for event in written.all(CallMade))


@pytest.mark.parametrize("drafting", ["stream", "sentence"])
def test_tokens_are_counted_while_a_stream_runs(drafting: Any) -> None:
    """One stream through a thousand confident sentences is not free until it ends."""
    written = write(lambda n, _: tale(n), drafting=drafting, sentences=1000, budget_tokens=30)
    assert (written.ended.status, written.ended.reason) == ("out_of_budget", "budget")
    assert len(written.texts) == (3 if drafting == "stream" else 1)
    assert "of 30 tokens" in written.ended.message


def test_thrown_away_drafts_count() -> None:
    written = write(
        lambda n, _: tale(n, unsure=range(1, 99)), FakeSource(lambda _: FOUND), sentences=99, budget_tokens=40
    )
    assert written.ended.status == "out_of_budget"
    assert spent(written) >= 40
    assert len(written.texts) == 2


def test_questions_count() -> None:
    def say(asked: Asked) -> Said:
        if "Ask one question" in asked.prompt.user:
            return toks("Who was it that did this and when?")
        return author(lambda n, _: tale(n, unsure=(1,)))(asked)

    written = write(FakeModel(say), FakeSource(lambda _: FOUND), query="question", sentences=99, budget_tokens=25)
    assert written.ended.status == "out_of_budget"
    assert len(written.texts) == 1


def test_no_search_is_sent_after_the_search_budget() -> None:
    written = write(lambda n, _: tale(n, unsure=range(1, 99)), FakeSource(lambda _: FOUND), sentences=5,
                    budget_searches=3)  # fmt: skip
    assert len(written.sources[0].queries) == len(written.all(Searched)) == 3
    assert written.outcomes == ["retrieved", "retrieved", "out_of_budget", "out_of_budget", "out_of_budget"]
    assert written.ended.status == "complete"
    assert written.warnings.count("search_budget") == 1


def test_each_source_asked_is_a_search() -> None:
    sources = [FakeSource(lambda _: FOUND, "one"), FakeSource(lambda _: FOUND, "two")]
    write(lambda n, _: tale(n, unsure=(1, 2)), sources, sentences=3, budget_searches=3)
    assert (len(sources[0].queries), len(sources[1].queries)) == (2, 1)


@pytest.mark.parametrize("drafting", ["stream", "sentence"])
def test_minutes_end_the_report_after_the_sentence_in_work(drafting: Any) -> None:
    clock = FakeClock()

    def story(n: int, _: list[str]) -> str:
        clock.t = 1000.0 + 25 * n
        return tale(n)

    model = FakeModel(lambda asked: _one_at_a_time(asked, story))
    written = write(model, drafting=drafting, clock=clock, sentences=99, budget_minutes=1.0)
    assert (written.ended.status, written.ended.reason) == ("out_of_budget", "budget")
    assert "1 min." in written.ended.message
    assert written.texts[-1] == tale(len(written.texts))
    assert len(written.texts) in (2, 3)


def _one_at_a_time(asked: Asked, story: Any) -> Said:
    first = asked.prompt.started.count(".") + 1
    for n in range(first, first + (1 if asked.max_tokens <= 64 else 99)):
        yield from toks((" " if n > 1 else "") + story(n, []))


def test_the_report_ends_with_its_last_sentence() -> None:
    written = write(lambda n, _: tale(n), sentences=3)
    assert (written.ended.status, written.ended.reason) == ("complete", "sentences")
    assert written.texts == [tale(1), tale(2), tale(3)]


def test_the_report_ends_with_the_sentence_that_reaches_its_words() -> None:
    written = write(lambda n, _: tale(n), sentences=99, words=20)
    assert (written.ended.status, written.ended.reason) == ("complete", "words")
    assert sum(len(t.split()) for t in TALES[: len(written.texts) - 1]) < 20 <= len(written.state.text.split())


def test_words_of_a_script_without_spaces_are_guessed() -> None:
    said = [
        "東京は日本の首都である",
        "。",
        "大阪は商業の町として栄えた",
        "。",
        "京都には寺が多い",
        "。",
        "奈良へ",
        "。",
    ]
    written = write(FakeModel([said]), sentences=99, words=10, lang="ja")
    assert written.texts == ["東京は日本の首都である。", "大阪は商業の町として栄えた。"]
    assert written.state.text == "東京は日本の首都である。大阪は商業の町として栄えた。"
    assert written.ended.reason == "words"


def test_a_sentence_that_goes_on_for_ever_is_cut_but_still_ends() -> None:
    """Without a full stop in sight the report ends a few cuts late, never without bound."""
    model = FakeModel(lambda asked: (f" word{asked.number}x{n}" for n in range(10**9)))
    written = write(model, sentences=3, draft_tokens=8)
    assert written.ended.status == "complete"
    assert 3 <= len(written.texts) <= 3 + 5
    assert spent(written) <= 8 * 10


@pytest.mark.parametrize("settings", [{"budget_tokens": 50}, {"words": 50}])
def test_a_budget_holds_for_a_sentence_that_never_ends(settings: dict[str, Any]) -> None:
    model = FakeModel(lambda asked: (f" word{asked.number}x{n}" for n in range(10**9)))
    written = write(model, sentences=1000, draft_tokens=8, **settings)
    assert spent(written) <= 50 + 8 * 6


def test_a_cut_sentence_goes_on_without_a_gap() -> None:
    model = FakeModel(lambda asked: [*["x"] * 7, "1", ",", "000", " y", "."] if asked.number == 1 else [])
    written = write(model, sentences=2, draft_tokens=9)
    assert written.state.text == "xxxxxxx1,000 y."
