"""Which passages stand in which prompt: the paper, the authors' code, and what lies between (METHOD 2.4)."""

from __future__ import annotations

from typing import Any

from flare_core.events import SentenceAccepted, SentenceDrafted, SentenceRewritten
from flare_core.spec import make_spec
from tests.engine.story import Written, tale, write
from tests.fakes import FakeSource, passage

X = [passage("X1", "X1 Marie Curie was a physicist from Warsaw."), passage("X2")]
Q2 = [passage("A1"), passage("A2")]
Q4 = [passage("B1"), passage("X1", "X1 Marie Curie was a physicist from Warsaw.")]


def report(preset: str, **settings: Any) -> Written:
    """Five sentences; the second and fourth drafts are uncertain."""

    def story(n: int, passages: list[str]) -> str:
        seen = " ".join(passages)
        unsure = [k for k, mark in ((2, "A1."), (4, "B1.")) if mark not in seen]
        return tale(n, unsure=unsure, told=f" with {len(passages)}" if passages and n > 1 else "")

    source = FakeSource(lambda query: X if query == "Marie Curie" else Q2 if "father" in query.lower() else Q4)
    written = write(story, source, preset=preset, sentences=5, **settings)
    assert len(written.texts) == 5
    return written


def drafts(written: Written) -> dict[int, tuple[str, ...]]:
    return {event.sentence: event.passages for event in written.all(SentenceDrafted)}


def rewrites(written: Written) -> dict[int, tuple[str, ...]]:
    return {event.sentence: event.passages for event in written.all(SentenceRewritten)}


def test_paper_shows_the_first_draft_the_topics_passages_and_later_drafts_none() -> None:
    assert drafts(report("paper")) == {1: ("X1", "X2"), 2: (), 3: (), 4: (), 5: ()}


def test_paper_shows_a_rewrite_the_new_passages_only() -> None:
    assert rewrites(report("paper")) == {2: ("A1", "A2"), 4: ("B1", "X1")}


def test_paper_in_its_calls() -> None:
    shown = [[line.split(" ")[1 if line.startswith("P") else 0] for line in lines] for lines in report("paper").shown]
    assert shown == [["X1", "X2."], [], ["A1.", "A2."], [], ["B1.", "X1"], []]


def test_released_keeps_the_passages_retrieved_last() -> None:
    written = report("released", expand_spans="none")
    assert drafts(written) == {1: ("X1", "X2"), 2: ("X1", "X2"), 3: ("A1", "A2"), 4: ("A1", "A2"), 5: ("B1", "X1")}
    assert rewrites(written) == {2: ("A1", "A2"), 4: ("B1", "X1")}


def test_first_shows_every_draft_the_topics_passages() -> None:
    written = report("default", draft_docs="first")
    assert set(drafts(written).values()) == {("X1", "X2")}
    assert rewrites(written) == {2: ("A1", "A2"), 4: ("B1", "X1")}


def test_keep_first_puts_the_topics_passages_in_front_and_none_twice() -> None:
    written = report("released", keep_first=True)
    assert rewrites(written) == {2: ("X1", "X2", "A1", "A2"), 4: ("X1", "X2", "B1")}
    assert drafts(written)[3] == ("X1", "X2", "A1", "A2")
    assert drafts(report("paper", keep_first=True))[4] == ("X1", "X2")


def test_without_initial_retrieval_the_first_draft_sees_nothing() -> None:
    written = report("released", initial=False)
    assert drafts(written)[1] == drafts(written)[2] == ()
    assert rewrites(written)[2] == ("A1", "A2")


def test_single_time_retrieves_once_and_keeps_what_it_found() -> None:
    written = report("default", strategy="single", theta="always", initial=False)
    assert written.sources[0].queries == ["Marie Curie"]
    assert set(drafts(written).values()) == {("X1", "X2")}
    assert written.outcomes == ["not_judged"] * 5
    assert len(written.model.asked) == 1


def test_none_never_retrieves() -> None:
    written = report("default", strategy="none")
    assert written.sources[0].queries == []
    assert set(drafts(written).values()) == {()}


def test_a_sentence_is_bound_to_the_passages_that_support_it() -> None:
    written = report("paper")
    accepted = {event.sentence: event for event in written.all(SentenceAccepted)}
    assert [evidence.passage_id for evidence in accepted[1].evidence] == ["X1"]
    assert accepted[3].evidence == ()


def test_a_kept_draft_is_bound_to_what_the_draft_was_shown() -> None:
    """With draft_docs=last the passages found meanwhile are not those it was written from."""
    found = [passage("N1", tale(2)), passage("N2", tale(2))]
    source = FakeSource(lambda query: X if query == "Marie Curie" else found)

    def story(n: int, passages: list[str]) -> str:
        return "" if any("father" in line for line in passages) else tale(n, unsure=(2,))

    written = write(story, source, draft_docs="last", sentences=2)
    assert written.outcomes == ["confident", "not_rewritten"]
    assert written.all(SentenceAccepted)[1].evidence == ()


def test_by_default_the_topics_passages_stand_in_front_of_the_last_ones_in_drafts_and_rewrites_alike() -> None:
    spec = make_spec("Marie Curie")
    assert (spec.draft_docs, spec.keep_first, spec.topic_in_query) == ("last", True, False)
    for preset in ("paper", "released"):
        other = make_spec("Marie Curie", preset)
        assert not other.topic_in_query and not other.keep_first
