"""The decision for one draft."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flare_core.events import Token, Verdict
from flare_core.spec import make_spec
from flare_core.triggers.judge import BETA_WITHOUT_THETA, Judgement, judge
from tests.fakes import tokens

UNSURE = "Marie was born in 1867{.1} in Warsaw{.3}."


def decide(marked: str, **settings: Any) -> Judgement:
    more = {name: settings.pop(name) for name in ("aligned", "seen", "repeats") if name in settings}
    return judge(make_spec("Marie Curie", **{"theta": 0.25, **settings}), tokens(marked), **more)


def test_an_uncertain_token_retrieves() -> None:
    found = decide(UNSURE)
    assert (found.verdict, found.retrieve, found.below) == (Verdict.UNCERTAIN, True, (4,))
    assert (found.theta, found.beta, found.lowest) == (0.25, 0.25, pytest.approx(0.1))


def test_a_confident_draft_does_not() -> None:
    found = decide("Marie was born.")
    assert (found.verdict, found.retrieve, found.below) == (Verdict.CONFIDENT, False, ())


def test_the_rule_names_the_worst_tokens_and_the_threshold() -> None:
    assert decide(UNSURE, theta=0.5).rule == "2 of 8 tokens are below θ = 0.50: “1867” (0.10), “Warsaw” (0.30)."
    assert decide(UNSURE).rule == "1 of 8 tokens is below θ = 0.25: “1867” (0.10)."
    assert decide("a{.3} b", compare="<=").rule == "No token of 2 is at or below θ = 0.25; the lowest is 0.30."
    assert "θ = 0.25 (auto)" in decide(UNSURE, theta="auto").rule


def test_at_most_three_tokens_are_named() -> None:
    assert decide("a{.1} b{.1} c{.1} d{.1}").rule.endswith("(0.10), ….")


@pytest.mark.parametrize(("theta", "compare", "retrieve"), [
    (0.0, "<", False), (0.0, "<=", False), (1.0, "<", True), (1.0, "<=", True),
])  # fmt: skip
def test_theta_at_its_ends(theta: float, compare: str, retrieve: bool) -> None:
    assert decide("a{.5} b", theta=theta, compare=compare).retrieve is retrieve


def test_certain_tokens_are_not_under_1_but_at_it() -> None:
    assert not decide("a{1} b{1}", theta=1.0).retrieve
    assert decide("a{1} b{1}", theta=1.0, compare="<=").retrieve


def test_unknown_probabilities_are_counted_and_neither_trigger_nor_veto() -> None:
    assert (decide("a{?} b{?} c").verdict, decide("a{?} b{?} c").unknown) == (Verdict.CONFIDENT, 2)
    assert decide("a{?} b{.1}").verdict == Verdict.UNCERTAIN


def test_without_any_probability_nothing_is_decided() -> None:
    found = decide("a{?} b{?}")
    assert (found.verdict, found.retrieve, found.lowest, found.unknown) == (Verdict.NO_PROBABILITIES, False, None, 2)


def test_a_draft_without_tokens_has_no_probabilities_rather_than_being_unaligned() -> None:
    assert decide("", aligned=False).verdict == Verdict.NO_PROBABILITIES


def test_unaligned_tokens_decide_nothing() -> None:
    found = decide(UNSURE, aligned=False)
    assert (found.verdict, found.retrieve, found.below) == (Verdict.UNALIGNED, False, ())


@pytest.mark.parametrize("marked", [UNSURE, "Sure.", "a{?}", ""])
def test_always_retrieves_whatever_the_tokens_say(marked: str) -> None:
    found = decide(marked, theta="always", aligned=False)
    assert (found.verdict, found.retrieve, found.theta) == (Verdict.ALWAYS, True, None)


@pytest.mark.parametrize("settings", [{"theta": "never"}, {"strategy": "single"}, {"strategy": "none"}])
def test_never_retrieves_for_nothing(settings: dict[str, Any]) -> None:
    found = decide(UNSURE, **settings, repeats=2)
    assert (found.verdict, found.retrieve) == (Verdict.NEVER, False)


def test_a_repetition_retrieves_even_when_confident() -> None:
    found = decide("Sure.", repeats=3)
    assert (found.verdict, found.retrieve) == (Verdict.REPEATS, True)
    assert "sentence 3" in found.rule


@pytest.mark.parametrize(("theta", "beta", "used"), [
    (0.8, 0.4, 0.4), (0.8, 0.0, 0.0), (0.8, None, 0.8), ("always", None, BETA_WITHOUT_THETA),
    ("never", 0.3, None), ("always", 0.1, 0.1), ("auto", 0.3, 0.3), ("auto", None, 0.25),
])  # fmt: skip
def test_beta_is_theta_where_it_is_not_set_and_needless_where_nothing_is_asked(
    theta: Any, beta: float | None, used: float | None
) -> None:
    assert decide(UNSURE, theta=theta, beta=beta).beta == (used if used is None else pytest.approx(used))


def test_auto_says_which_theta_it_used() -> None:
    seen = [(0.2, True)] * 3 + [(0.6, False)] * 3
    found = decide(UNSURE, theta="auto", seen=seen)
    assert found.theta is not None and 0.2 < found.theta < 0.6


probability = st.none() | st.floats(-20, 0)


@given(
    st.lists(st.builds(Token, st.text(min_size=1, max_size=3), probability), max_size=9),
    st.sampled_from(["auto", "never", "always"]) | st.floats(0, 1),
    st.none() | st.floats(0, 1),
    st.sampled_from(["<", "<="]),
    st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=9),
    st.booleans(),
    st.integers(0, 2),
)
def test_every_decision_is_whole(
    draft: list[Token], theta: Any, beta: Any, compare: Any, seen: list[tuple[float, bool]], aligned: bool, repeats: int
) -> None:
    spec = make_spec("x", theta=theta, beta=beta, compare=compare)
    found = judge(spec, draft, aligned=aligned, seen=seen, repeats=repeats)
    assert found.retrieve == (found.verdict in (Verdict.UNCERTAIN, Verdict.ALWAYS, Verdict.REPEATS))
    assert bool(found.below) == (found.verdict == Verdict.UNCERTAIN)
    assert found.rule
    assert (found.beta is None) == (found.verdict == Verdict.NEVER) or 0 <= (found.beta or 0) <= 1
    assert found.theta is None or 0 <= found.theta <= 1
    assert found.unknown == sum(token.logprob is None for token in draft)
