"""A sentence that nearly repeats an earlier one: rejected, a second chance with other evidence, then the end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from flare_core.events import Decided, PassagesRanked, QueryFormed
from tests.engine.story import SentenceRejected, tale, write
from tests.fakes import FakeSource, passage

LOOP = tale(1)
X = [passage("X1"), passage("X2"), passage("X3")]
OTHER = [passage("O1", "Passage O1 on Marie Curie."), passage("O2", "Passage O2 on Marie Curie.")]
SHOWN = [other.text for other in OTHER]


def source(again: list[Any] | None = None) -> FakeSource:
    """The topic finds X; anything else finds X again and then what is `again`."""
    return FakeSource(lambda query: X if query == "Marie Curie" else [*X, *(OTHER if again is None else again)])


def loops_unless(mark: str) -> Callable[[int, list[str]], str]:
    """A story whose third sentence is its first one, unless it was shown the passage."""
    return lambda n, passages: LOOP if n == 3 and mark not in " ".join(passages) else tale(n)


def test_a_confident_loop_is_rejected_and_gets_other_evidence() -> None:
    written = write(loops_unless("O1"), source(), sentences=4)
    assert [(e.sentence, e.text, e.repeats) for e in written.all(SentenceRejected)] == [(3, LOOP, 1)]
    assert written.texts == [tale(1), tale(2), tale(3), tale(4)]
    assert written.outcomes[2] == "retrieved"
    assert [(e.verdict, e.retrieve) for e in written.all(Decided)][2] == ("repeats", True)


def test_the_second_chance_sees_none_of_the_passages_that_led_to_the_repetition() -> None:
    written = write(loops_unless("O1"), source(), sentences=3)
    assert written.shown[1] == SHOWN
    dropped = [r for r in written.all(PassagesRanked)[1].ranked if not r.kept]
    assert {r.passage.id for r in dropped} == {"X1", "X2", "X3"}


def test_the_second_chance_asks_for_the_topic_and_says_why() -> None:
    written = write(loops_unless("O1"), source(), sentences=3)
    query = written.all(QueryFormed)[1]
    assert query.text == f"Marie Curie {LOOP}" and query.note


def test_the_second_chance_asks_for_other_words() -> None:
    written = write(loops_unless("O1"), source(), sentences=4)
    assert [asked.vary for asked in written.model.asked] == [False, True, False]


def test_a_second_repetition_ends_the_report_and_says_so() -> None:
    written = write(lambda n, _: LOOP if n == 3 else tale(n), source(), sentences=9)
    assert [e.sentence for e in written.all(SentenceRejected)] == [3, 3]
    assert (written.ended.status, written.ended.reason) == ("stopped", "repetition")
    assert "repeat" in written.ended.message
    assert written.texts == [tale(1), tale(2)]


def test_without_other_evidence_the_report_ends() -> None:
    written = write(lambda n, _: LOOP if n == 3 else tale(n), source(again=[]), sentences=9)
    assert len(written.all(SentenceRejected)) == 1
    assert written.ended.reason == "repetition"


def test_a_rejected_sentence_is_not_accepted_when_its_rewrite_is_empty() -> None:
    written = write(lambda n, p: "" if p == SHOWN else LOOP if n == 3 else tale(n), source(),
                    sentences=9)  # fmt: skip
    assert written.texts == [tale(1), tale(2)]
    assert written.ended.reason == "repetition"


def test_a_rewrite_that_repeats_is_rejected_too() -> None:
    def story(n: int, passages: list[str]) -> str:
        shown = " ".join(passages)
        if n == 2:
            return LOOP if "R1" in shown else tale(2) if "O1" in shown else tale(2, unsure=(2,))
        return tale(n)

    found = FakeSource(lambda q: X if q == "Marie Curie" else [passage("R1")] if LOOP not in q else OTHER)
    written = write(story, found, sentences=3)
    assert [(e.sentence, e.repeats) for e in written.all(SentenceRejected)] == [(2, 1)]
    assert written.texts == [tale(1), tale(2), tale(3)]


@pytest.mark.parametrize("settings", [{"theta": "never"}, {"strategy": "single"}, {"strategy": "none"}])
def test_where_nothing_may_be_retrieved_a_loop_ends_at_once(settings: dict[str, Any]) -> None:
    found = source()
    written = write(lambda n, _: LOOP if n == 3 else tale(n), found, sentences=9, **settings)
    assert written.ended.reason == "repetition"
    assert len(found.queries) <= 1


def test_each_sentence_has_a_second_chance_of_its_own() -> None:
    def story(n: int, passages: list[str]) -> str:
        return tale(n - 1) if n in (3, 5) and "O" not in " ".join(passages) else tale(n)

    written = write(story, source(), sentences=6)
    assert [e.sentence for e in written.all(SentenceRejected)] == [3, 5]
    assert len(written.texts) == 6


def test_a_passage_behind_many_that_are_barred_is_in_the_log_all_the_same() -> None:
    def find(query: str) -> list[Any]:
        return [passage("X1"), passage("O1", f"{tale(3)} Marie Curie.")][: 1 if query == "Marie Curie" else 2]

    sources = [FakeSource(find, f"source {n}") for n in range(5)]
    written = write(loops_unless("Paris"), sources, sentences=3, top_k=1)
    assert [evidence.passage_id for evidence in written.state.accepted[2].evidence] == ["O1"]
