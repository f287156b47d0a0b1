"""A run is followed: from any place, by several, at once, without blocking."""

from __future__ import annotations

import asyncio
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from flare_core.errors import LogError
from flare_core.events import Drafting
from flare_core.spec import RunSpec
from tests.runs import fakes
from tests.runs.helpers import Service, durable, until


def test_following_from_the_middle(service: Service, spec: RunSpec):
    runs = service(fakes.paced(0.02))
    run_id = runs.start(spec)
    assert [event.seq for event in durable(runs.follow(run_id, after=3, timeout=5))] == [4, 5, 6, 7]
    assert [event.seq for event in runs.follow(run_id, after=6, timeout=5)] == [7]
    assert list(runs.follow(run_id, after=7, timeout=5)) == []


def test_two_followers_see_the_same(service: Service, spec: RunSpec):
    runs = service(fakes.paced(0.02))
    run_id = runs.start(spec)
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(lambda _: durable(runs.follow(run_id, timeout=5)), range(2))
    assert first == second == runs.events(run_id)


def test_a_follower_wakes_up_at_once(service: Service, spec: RunSpec):
    gate = threading.Event()

    def engine(spec, cancel):
        yield fakes.started(spec)
        gate.wait(5)
        yield fakes.ended(2)

    runs = service(engine)
    followed = runs.follow(runs.start(spec))
    assert next(followed).seq == 1
    time.sleep(0.05)
    gate.set()
    began = time.monotonic()
    assert next(followed).type == "run_ended"
    assert time.monotonic() - began < 0.2


def test_drafts_are_shown_but_not_kept_and_not_too_often(service: Service, spec: RunSpec):
    runs = service(fakes.drafting)
    run_id = runs.start(spec)
    began = time.monotonic()
    events = list(runs.follow(run_id, timeout=5))
    drafts = [event for event in events if isinstance(event, Drafting)]
    assert 3 <= len(drafts) <= 12 * (time.monotonic() - began) + 1
    assert len(drafts[-1].text) > 150
    assert [event.type for event in events if event.durable] == ["run_started", "sentence_accepted", "run_ended"]
    assert len(runs.events(run_id)) == 3
    assert runs.live(run_id) is None


def test_the_draft_in_work_can_be_asked_for(service: Service, spec: RunSpec):
    runs = service(fakes.drafting)
    run_id = runs.start(spec)
    until(lambda: runs.live(run_id) is not None)
    assert runs.live(run_id).sentence == 1
    assert runs.live("unknown") is None


def test_following_gives_up_after_its_timeout(service: Service, spec: RunSpec):
    runs = service(fakes.endless)
    run_id = runs.start(spec)
    until(lambda: runs.info(run_id).last_seq == 1)
    began = time.monotonic()
    assert [event.seq for event in runs.follow(run_id, timeout=0.1)] == [1]
    assert [event.seq for event in runs.follow(run_id, timeout=0)] == [1]
    assert time.monotonic() - began < 1


def test_following_an_unknown_run_says_so(service: Service):
    with pytest.raises(LogError, match="no run"):
        next(service(fakes.fast).follow("unknown"))


def test_following_without_blocking_the_event_loop(service: Service, spec: RunSpec):
    runs = service(fakes.paced(0.02))
    run_id = runs.start(spec)

    async def read() -> list[int]:
        return [event.seq async for event in runs.afollow(run_id, after=1) if event.durable]

    async def both() -> list[list[int]]:
        return await asyncio.gather(read(), read())

    assert asyncio.run(asyncio.wait_for(both(), 5)) == [[2, 3, 4, 5, 6, 7]] * 2
