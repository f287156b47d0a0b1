"""Replay: the decisions again, from the stored probabilities, without a model."""

from __future__ import annotations

import pytest

from flare_core.errors import LogError, UsageError
from flare_core.events import AnyEvent, Decided, RunStarted, SentenceDrafted, Verdict
from flare_core.events.log import read_lines, write_line
from flare_core.replay import replay
from tests.engine.story import tale, write
from tests.fakes import FakeSource, passage


def log(**settings: object) -> list[AnyEvent]:
    """Five sentences; the second and fourth drafts are uncertain, the fourth less so."""

    def story(n: int, passages: list[str]) -> str:
        return {2: "Pierre lent a corner of that shed{.05}.", 4: "A horse cart killed him soon{.2}."}.get(n, tale(n))

    return write(story, FakeSource(lambda query: [passage(query[:30])]), sentences=5, **settings).events


def again(events: list[AnyEvent], **settings: object) -> list[bool]:
    return [one.now.retrieve for one in replay(events, **settings)]  # type: ignore[arg-type]


def test_at_the_recorded_theta_nothing_changes() -> None:
    for settings in ({}, {"theta": "auto"}, {"theta": "always"}, {"theta": "never"}, {"strategy": "single"}):
        events = log(**settings)
        assert replay(events) and not any(one.changed or one.asks_differently for one in replay(events))


def test_another_theta_decides_otherwise() -> None:
    events = log()
    assert again(events) == [False, True, False, True, False]
    assert again(events, theta=0.1) == [False, True, False, False, False]
    assert again(events, theta=0.01) == again(events, theta="never") == [False] * 5
    assert again(events, theta="always") == again(events, theta=0.95) == [True] * 5


def test_what_changes_is_marked() -> None:
    changed = [one.draft.sentence for one in replay(log(), theta=0.1) if one.changed]
    assert changed == [4]


def test_another_beta_only_asks_otherwise() -> None:
    found = replay(log(), beta=0.01)
    assert not any(one.changed for one in found)
    assert [one.draft.sentence for one in found if one.asks_differently] == [2, 4]


def test_auto_is_played_from_the_drafts_alone() -> None:
    events = log(theta="auto")
    thetas = [event.theta for event in events if isinstance(event, Decided)]
    assert [one.now.theta for one in replay(events)] == thetas
    assert len(set(thetas)) > 1


def test_a_log_read_from_its_lines_replays_the_same() -> None:
    events = log(theta="auto")
    lines = [write_line(event) for event in events if event.durable]
    assert [one.now for one in replay(read_lines(lines))] == [one.now for one in replay(events)]


def test_a_repetition_is_found_again() -> None:
    events = write(
        lambda n, p: tale(1) if n == 3 and not p else tale(n), FakeSource({"marie": [passage("P1")]}), initial=False,
        sentences=3,
    ).events  # fmt: skip
    assert [one.now.verdict for one in replay(events)][2] == Verdict.REPEATS


def test_half_a_log_replays_what_it_has() -> None:
    events = log()
    half = events[: next(i for i, e in enumerate(events) if isinstance(e, SentenceDrafted) and e.sentence == 3)]
    assert [one.draft.sentence for one in replay(half)] == [1, 2]


def test_a_log_without_its_start_is_refused() -> None:
    events = [event for event in log() if not isinstance(event, RunStarted)]
    for part in (events, []):
        with pytest.raises(LogError, match="does not begin"):
            replay(part)


def test_a_decision_without_a_draft_is_passed_over() -> None:
    events = [event for event in log() if not isinstance(event, SentenceDrafted)]
    assert replay(events) == []


@pytest.mark.parametrize("settings", [{"theta": 1.5}, {"theta": -0.1}, {"theta": "sometimes"}, {"beta": 2.0},
                                      {"theta": float("nan")}])  # fmt: skip
def test_thresholds_out_of_range_are_wrong_usage(settings: dict[str, object]) -> None:
    with pytest.raises(UsageError, match=r"θ|β"):
        replay(log(), **settings)  # type: ignore[arg-type]
