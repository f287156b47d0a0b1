"""Passages of several queries as one list: rank first, none twice, cut to k (METHOD 1.4)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from flare_core.events import Passage
from flare_core.queries.merge import merge
from tests.fakes import passage

Lists = list[list[str]]


def found(lists: Lists) -> list[tuple[str, list[tuple[Passage, float]]]]:
    return [
        (f"q{number}", [(passage(name), float(-rank)) for rank, name in enumerate(names)])
        for number, names in enumerate(lists, 1)
    ]


def kept(lists: Lists, k: int = 3, barred: set[str] = frozenset()) -> list[str]:  # type: ignore[assignment]
    return [ranked.passage.id for ranked in merge(found(lists), k, barred) if ranked.kept]


def test_one_query_keeps_its_first_k() -> None:
    assert kept([["a", "b", "c", "d"]]) == ["a", "b", "c"]


def test_two_queries_take_turns() -> None:
    assert kept([["a", "b"], ["c", "d"]]) == ["a", "c", "b"]


def test_three_queries_give_their_first_ones() -> None:
    assert kept([["a", "b"], ["c"], ["d", "e"]]) == ["a", "c", "d"]


def test_of_more_queries_than_k_the_later_ones_are_lost() -> None:
    assert kept([["a"], ["b"], ["c"], ["d"]], k=3) == ["a", "b", "c"]


def test_a_passage_found_twice_counts_once() -> None:
    assert kept([["a", "b"], ["a", "c"], ["a", "d"]]) == ["a", "b", "c"]


def test_short_lists_are_passed_over() -> None:
    assert kept([[], ["a"], ["b", "c", "d"]], k=4) == ["a", "b", "c", "d"]
    assert kept([[], []]) == [] and kept([]) == []


def test_barred_passages_leave_their_places_to_others() -> None:
    assert kept([["a", "b"], ["c", "d"]], barred={"a", "c"}) == ["b", "d"]


def test_each_passage_that_is_dropped_says_why() -> None:
    ranked = merge(found([["a", "b", "x"], ["a", "c"]]), 2, {"x"})
    assert [(r.passage.id, r.query_id, r.rank, r.why) for r in ranked] == [
        ("a", "q1", 1, ""),
        ("a", "q2", 1, "found by another query too"),
        ("b", "q1", 2, ""),
        ("c", "q2", 2, "below the first 2"),
        ("x", "q1", 3, "already used: other evidence is needed"),
    ]


def in_plain_words(lists: Lists, k: int, barred: set[str]) -> list[str]:
    """All firsts, all seconds, …; each once; none that is barred; k of them."""
    order = sorted((rank, query, name) for query, names in enumerate(lists) for rank, name in enumerate(names))
    distinct = dict.fromkeys(name for _, _, name in order)
    return [name for name in distinct if name not in barred][:k]


names = st.lists(st.sampled_from("abcdefgh"), max_size=8)


@given(st.lists(names, max_size=6), st.integers(1, 6), st.sets(st.sampled_from("abc")))
def test_merging_is_the_rule_in_plain_words(lists: Lists, k: int, barred: set[str]) -> None:
    assert kept(lists, k, barred) == in_plain_words(lists, k, barred)


@given(st.lists(names, max_size=6), st.integers(1, 6))
def test_nothing_found_is_left_out_of_the_funnel(lists: Lists, k: int) -> None:
    ranked = merge(found(lists), k)
    assert len(ranked) == sum(map(len, lists))
    assert all(bool(r.why) != r.kept for r in ranked)
