"""The trigger of equation 3: any token under θ."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flare_core.events import Token
from flare_core.triggers.threshold import Comparison, below, lowest
from tests.fakes import tok, tokens

known = st.floats(-30, 0)
any_tokens = st.lists(st.builds(Token, st.just("x"), st.none() | known), max_size=12)
compare = st.sampled_from(["<", "<="])


def test_tokens_under_theta_are_named_by_index() -> None:
    assert below(tokens("a{.3} b c{.1} d"), 0.3001) == (0, 2)


@pytest.mark.parametrize(("comparison", "hit"), [("<", ()), ("<=", (1,))])
def test_a_token_at_theta_counts_only_with_at_most(comparison: Comparison, hit: tuple[int, ...]) -> None:
    draft = tokens("sure unsure{.4}")
    assert draft[1].p is not None
    assert below(draft, draft[1].p, comparison) == hit


def test_theta_0_never_fires_with_less_than() -> None:
    assert below((tok("a", 0), tok("b", 0.5)), 0.0, "<") == ()


def test_theta_0_fires_on_impossible_tokens_with_at_most() -> None:
    assert below((tok("a", 0), tok("b", 0.5)), 0.0, "<=") == (0,)


def test_theta_1_spares_certain_tokens_with_less_than_and_none_with_at_most() -> None:
    draft = (tok("a", 1), tok("b", 0.999), tok("c", None))
    assert below(draft, 1.0, "<") == (1,)
    assert below(draft, 1.0, "<=") == (0, 1)


def test_no_kind_of_token_is_excluded() -> None:
    assert below((tok(".", 0.1), tok("\n", 0.1), tok(" the", 0.1), tok(b"\xc3", 0.1)), 0.2) == (0, 1, 2, 3)


@given(any_tokens, st.floats(0, 1), compare)
def test_unknown_probabilities_never_trigger(draft: list[Token], theta: float, comparison: Comparison) -> None:
    assert all(draft[i].logprob is not None for i in below(draft, theta, comparison))


@given(any_tokens, st.floats(0, 1), compare, st.lists(st.integers(0, 12), max_size=4))
def test_unknown_probabilities_never_veto(
    draft: list[Token], theta: float, comparison: Comparison, places: list[int]
) -> None:
    more = list(draft)
    for place in places:
        more.insert(place, Token("?"))
    assert bool(below(more, theta, comparison)) == bool(below(draft, theta, comparison))


@given(any_tokens, st.floats(0, 1), compare)
def test_the_rule_of_the_paper_said_a_second_time(draft: list[Token], theta: float, comparison: Comparison) -> None:
    expected = []
    for i, token in enumerate(draft):
        if token.logprob is None:
            continue
        p = math.exp(token.logprob)
        if p < theta if comparison == "<" else p <= theta:
            expected.append(i)
    assert below(draft, theta, comparison) == tuple(expected)


@given(any_tokens, st.floats(0, 1), st.floats(0, 1), compare)
def test_a_higher_theta_only_adds_tokens(draft: list[Token], a: float, b: float, comparison: Comparison) -> None:
    low, high = sorted((a, b))
    assert set(below(draft, low, comparison)) <= set(below(draft, high, comparison))


def test_the_lowest_of_no_known_probability_is_none() -> None:
    assert lowest([]) is None
    assert lowest(tokens("a{?} b{?}")) is None


@given(any_tokens)
def test_the_lowest_decides_whether_anything_is_below(draft: list[Token]) -> None:
    low = lowest(draft)
    if low is not None:
        assert below(draft, low, "<") == ()
        assert below(draft, low, "<=")
