"""theta="auto": the share of retrieving sentences stays near its target."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flare_core.triggers.auto import PRIOR, auto_theta

SHAPES: dict[str, Callable[[random.Random], float]] = {
    "uniform": lambda r: r.random(),
    "a model that is never sure": lambda r: r.random() / 100,
    "a model that is always sure": lambda r: 0.9 + r.random() / 10,
    "skewed": lambda r: r.betavariate(0.5, 3),
}
seen = st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=30)
targets = st.floats(0.05, 0.95)


def retrieving(lows: list[float], target: float) -> list[tuple[float, bool]]:
    """A report of drafts with these lowest probabilities."""
    so_far: list[tuple[float, bool]] = []
    for low in lows:
        so_far.append((low, low < auto_theta(so_far, target)))
    return so_far


@settings(max_examples=40)
@given(st.sampled_from(sorted(SHAPES)), st.integers(0, 2**32), st.sampled_from([0.1, 0.3, 0.5, 0.7, 0.9]))
def test_the_share_converges_to_its_target(shape: str, seed: int, target: float) -> None:
    chance = random.Random(seed)
    drafts = retrieving([SHAPES[shape](chance) for _ in range(150)], target)
    share = sum(retrieved for _, retrieved in drafts) / len(drafts)
    assert share == pytest.approx(target, abs=0.15)


@settings(max_examples=20)
@given(st.integers(0, 2**32))
def test_it_follows_when_drafts_become_surer(seed: int) -> None:
    chance = random.Random(seed)
    before, after = [chance.random() * 0.1 for _ in range(30)], [0.5 + chance.random() / 2 for _ in range(90)]
    late = retrieving([*before, *after], 0.5)[60:]
    assert sum(retrieved for _, retrieved in late) >= 0.2 * len(late)


@given(seen, targets)
def test_it_lies_among_what_was_seen(drafts: list[tuple[float, bool]], target: float) -> None:
    values = [low for low, _ in drafts] + list(PRIOR)
    assert min(values) <= auto_theta(drafts, target) <= max(values)


@given(targets)
def test_before_any_draft_it_lies_between_the_priors(target: float) -> None:
    assert PRIOR[0] <= auto_theta([], target) <= PRIOR[1]


@given(seen, targets, targets)
def test_a_higher_target_never_lowers_it(drafts: list[tuple[float, bool]], a: float, b: float) -> None:
    low, high = sorted((a, b))
    assert auto_theta(drafts, low) <= auto_theta(drafts, high) + 1e-12


@given(seen.filter(bool), targets)
def test_each_retrieval_made_lowers_it_or_leaves_it(drafts: list[tuple[float, bool]], target: float) -> None:
    quiet, busy = ([(low, fired) for low, _ in drafts] for fired in (False, True))
    assert auto_theta(busy, target) <= auto_theta(drafts, target) + 1e-12 <= auto_theta(quiet, target) + 2e-12
