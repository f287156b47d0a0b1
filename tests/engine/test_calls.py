"""How many calls a report costs, and that one stream writes what one call a sentence writes."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flare_core.events import CallMade, Decided, Drafting, SentenceAccepted, SentenceDrafted
from tests.engine.story import Mode, retrieving, tale, write
from tests.fakes import FakeModel, FakeSource, author, passage


def finder() -> FakeSource:
    """Something else for every query."""
    found: list[str] = []

    def find(query: str) -> list[Any]:
        found.append(query)
        return [passage(f"P{len(found)}-{rank}", f"Fact {len(found)}-{rank} about {query}.") for rank in range(3)]

    return FakeSource(find)


def test_a_confident_report_is_one_call() -> None:
    written = write(lambda n, _: tale(n), finder(), sentences=8)
    assert len(written.model.asked) == 1
    assert written.outcomes == ["confident"] * 8
    assert written.all(CallMade)[0].closed_early


@pytest.mark.parametrize("unsure", [(1,), (8,), (3, 4), (1, 3, 5, 7), tuple(range(1, 9))])
@pytest.mark.parametrize(("draft_docs", "more"), [("first", 0), ("none", 1)])
def test_r_retrieving_sentences_are_at_most_2r_plus_1_calls(
    unsure: tuple[int, ...], draft_docs: str, more: int
) -> None:
    """Where later drafts see no passages the first draft is a call of its own."""
    written = write(lambda n, _: tale(n, unsure=unsure), finder(), sentences=8, draft_docs=draft_docs)
    assert retrieving(written) == len(unsure)
    assert len(written.model.asked) <= 2 * len(unsure) + 1 + more
    assert len(written.texts) == 8


@pytest.mark.parametrize("unsure", [(1,), (8,), (3, 4), (1, 3, 5, 7), tuple(range(1, 9))])
def test_where_passages_stay_in_drafts_a_rewrite_runs_on(unsure: tuple[int, ...]) -> None:
    written = write(lambda n, _: tale(n, unsure=unsure), finder(), sentences=8, draft_docs="last")
    assert len(written.model.asked) <= len(unsure) + 1
    assert written.purposes == ["draft"] + ["regenerate"] * len(unsure)
    assert len(written.texts) == 8


def test_drafts_and_rewrites_use_different_lanes() -> None:
    written = write(lambda n, _: tale(n, unsure=(2,)), finder(), sentences=3)
    assert [asked.lane for asked in written.model.asked] == [0, 1, 0]


def test_each_call_goes_on_exactly_where_the_report_ends() -> None:
    written = write(lambda n, _: tale(n, unsure=(2,)), finder(), sentences=3)
    starts = [asked.prompt.started for asked in written.model.asked]
    assert starts == ["", f"{tale(1)}", f"{tale(1)} {tale(2)}"]


def test_one_call_a_sentence_makes_s_plus_r_calls() -> None:
    written = write(lambda n, _: tale(n, unsure=(2, 5)), finder(), sentences=6, drafting="sentence")
    assert written.purposes.count("draft") == 6
    assert written.purposes.count("regenerate") == 2


def test_live_text_is_shown_while_it_is_written_and_not_logged() -> None:
    written = write(lambda n, _: tale(n), sentences=2)
    live = written.all(Drafting)
    assert live and all(tale(1).startswith(event.text) or tale(2).startswith(event.text) for event in live)
    assert all(len(event.pieces) == len(event.probabilities) for event in live)


def comparable(drafting: Mode, preset: str, seed: int, end: int | None, **settings: Any) -> tuple[Any, ...]:
    """What a reader of the log sees, calls and times left out."""

    def story(n: int, passages: list[str]) -> str:
        chance = random.Random(f"{seed} {n} {passages}")
        if chance.random() < 0.1:
            return ""
        told = f" as told by {chance.randint(1, 99)}" if passages else ""
        unsure = [n] if chance.random() < 0.4 else []
        return tale(n, unsure=unsure, told=told)

    source = FakeSource(lambda query: [passage(f"P{hash(query) % 9973}", query)] if len(query) % 5 else [])
    written = write(FakeModel(author(story, end=end)), source, drafting=drafting, preset=preset, **settings)
    accepted = [(e.text, e.before, e.origin, e.outcome, e.evidence) for e in written.all(SentenceAccepted)]
    decided = [(e.sentence, e.verdict, e.retrieve, e.theta, e.lowest, e.below) for e in written.all(Decided)]
    drafts = [(e.sentence, e.text, e.tokens, e.passages) for e in written.all(SentenceDrafted)]
    return accepted, decided, drafts, written.queries, written.ended.status, written.ended.reason


presets = st.sampled_from(["default", "paper", "released"])


@settings(max_examples=60)
@given(
    presets, st.integers(0, 999), st.none() | st.integers(1, 9), st.sampled_from(["none", "first", "last"]),
    st.booleans(), st.sampled_from(["length", "stop"]), st.sampled_from(["auto", "always", 0.3]),
)  # fmt: skip
def test_one_stream_writes_the_same_report_as_one_call_a_sentence(
    preset: str, seed: int, end: int | None, draft_docs: str, keep: bool, until: str, theta: Any
) -> None:
    chosen = {"draft_docs": draft_docs, "keep_first": keep, "until": until, "theta": theta, "sentences": 7}
    one, many = (comparable(mode, preset, seed, end, **chosen) for mode in ("stream", "sentence"))
    assert one == many


@pytest.mark.parametrize("per_piece", [2, 3, 7, 100])
def test_the_size_of_chunks_changes_nothing(per_piece: int) -> None:
    def texts(size: int) -> list[str]:
        model = FakeModel(author(lambda n, _: tale(n, unsure=(2, 4))), per_piece=size)
        return write(model, finder(), sentences=6).texts

    assert texts(per_piece) == texts(1)
