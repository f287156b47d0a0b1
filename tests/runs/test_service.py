"""Runs are started, followed, stopped and never lost."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from flare_core.errors import LogError, ModelError, Stopped
from flare_core.events import RunEnded, Status
from flare_core.runs import Runs, RunStatus, Store
from flare_core.spec import RunSpec
from tests.runs import fakes
from tests.runs.helpers import Service, durable, until


def test_a_run_is_kept_as_it_was_yielded(service: Service, spec: RunSpec):
    runs = service(fakes.fast)
    run_id = runs.start(spec)
    followed = durable(runs.follow(run_id, timeout=5))
    assert [event.seq for event in followed] == [1, 2, 3, 4, 5, 6, 7]
    assert runs.events(run_id) == followed
    info = runs.info(run_id)
    assert (info.status, info.topic, info.spec, info.last_seq) == (RunStatus.COMPLETE, spec.topic, spec, 7)
    assert info.ended >= info.started
    assert [other.id for other in runs.recent()] == [run_id]


def test_ids_cannot_be_guessed(service: Service, spec: RunSpec):
    runs = service(fakes.fast)
    ids = {runs.start(spec) for _ in range(5)}
    assert len(ids) == 5
    assert all(len(run_id) >= 20 for run_id in ids)


def test_the_same_request_starts_one_run(service: Service, spec: RunSpec):
    runs = service(fakes.endless)
    with ThreadPoolExecutor(8) as pool:
        ids = list(pool.map(lambda _: runs.start(spec, request_id="click 1"), range(8)))
    assert len(set(ids)) == 1
    assert len(runs.recent()) == 1
    assert runs.start(spec, request_id="click 2") not in ids


def test_a_run_stops_within_a_second(service: Service, spec: RunSpec):
    runs = service(fakes.endless)
    run_id = runs.start(spec)
    until(lambda: runs.info(run_id).status is RunStatus.RUNNING)
    began = time.monotonic()
    assert runs.stop(run_id)
    last = list(runs.follow(run_id, timeout=5))[-1]
    assert time.monotonic() - began < 1
    assert (last.status, last.reason) == (Status.STOPPED, "user")
    assert runs.info(run_id).status is RunStatus.STOPPED
    assert not runs.stop(run_id)
    assert not runs.stop("unknown")


def test_stopping_is_seen_until_the_engine_ends(service: Service, spec: RunSpec):
    runs = service(fakes.deaf)
    run_id = runs.start(spec)
    until(lambda: runs.info(run_id).last_seq == 1)
    assert runs.stop(run_id)
    assert runs.stop(run_id)
    assert runs.info(run_id).status is RunStatus.STOPPING


def test_further_runs_wait_and_can_be_stopped_there(service: Service, spec: RunSpec):
    runs = service(fakes.endless, workers=1)
    first, second, third = (runs.start(spec) for _ in range(3))
    until(lambda: runs.info(first).status is RunStatus.RUNNING)
    assert runs.info(second).status is RunStatus.QUEUED
    assert runs.at_work == 3
    assert runs.stop(second)
    assert [event.type for event in runs.follow(second, timeout=5)] == ["run_ended"]
    runs.stop(first)
    until(lambda: runs.info(third).status is RunStatus.RUNNING)


def test_an_engine_that_raises_loses_nothing(service: Service, spec: RunSpec):
    runs = service(fakes.raising)
    *kept, last = runs.follow(runs.start(spec), timeout=5)
    assert [event.seq for event in kept] == [1, 2]
    assert (last.seq, last.status, last.reason) == (3, Status.FAILED, "error")
    assert "broken pipe" in last.message
    assert "abcdefgh12345678" not in last.message


@pytest.mark.parametrize(
    ("error", "status", "message", "remedy"),
    [
        (ModelError("No answer.", "Start the server."), Status.FAILED, "No answer.", "Start the server."),
        (Stopped(), Status.STOPPED, "Stopped.", ""),
        (SystemExit(3), Status.FAILED, "SystemExit: 3", ""),
    ],
)
def test_what_an_engine_raises_is_said_to_the_user(service: Service, spec, error, status, message, remedy):
    def engine(spec, cancel):
        yield fakes.started(spec)
        raise error

    runs = service(engine)
    last = list(runs.follow(runs.start(spec), timeout=5))[-1]
    assert (last.status, last.message, last.remedy) == (status, message, remedy)


def test_an_engine_that_ends_without_an_end_has_failed(service: Service, spec: RunSpec):
    runs = service(fakes.silent)
    last = list(runs.follow(runs.start(spec), timeout=5))[-1]
    assert isinstance(last, RunEnded)
    assert last.status is Status.FAILED


def test_gaps_in_the_numbers_are_closed(service: Service, spec: RunSpec):
    def engine(spec, cancel):
        yield fakes.started(spec).model_copy(update={"seq": 0, "at": 0.0})
        yield fakes.accepted(7, 1)
        yield fakes.ended(7)

    runs = service(engine)
    events = durable(runs.follow(runs.start(spec), timeout=5))
    assert [event.seq for event in events] == [1, 2, 3]
    assert events[0].at > 0


def test_runs_of_a_dead_process_are_interrupted(store: Store, service: Service, spec: RunSpec):
    store.create_run("dead", spec, at=time.time() - 60)
    store.append("dead", fakes.started(spec))
    store.create_run("elsewhere", spec, at=time.time() - 5)
    runs = service(fakes.fast)
    assert runs.info("dead").status is RunStatus.INTERRUPTED
    last = list(runs.follow("dead", timeout=1))[-1]
    assert (last.status, last.reason) == (Status.INTERRUPTED, "cut_off")
    assert runs.info("elsewhere").status is RunStatus.QUEUED


def test_a_run_of_another_process_is_followed_and_stopped(path: Path, service: Service, spec: RunSpec):
    theirs = service(fakes.endless)
    run_id = theirs.start(spec)
    with Runs(Store(path), fakes.fast) as ours:
        followed = ours.follow(run_id)
        assert next(followed).type == "run_started"
        assert ours.stop(run_id)
        assert ours.info(run_id).status is RunStatus.STOPPING
        assert next(followed).status is Status.STOPPED


def test_a_run_that_was_taken_away_ends_here_too(store: Store, service: Service, spec: RunSpec):
    gate = threading.Event()

    def engine(spec, cancel):
        yield fakes.started(spec)
        gate.wait(5)
        yield fakes.accepted(2, 1)
        yield fakes.ended(3)

    runs = service(engine)
    run_id = runs.start(spec)
    until(lambda: runs.info(run_id).last_seq == 1)
    store.end_abandoned(silent_since=time.time() + 60, at=time.time())
    gate.set()
    assert [event.type for event in runs.follow(run_id, timeout=5)] == ["run_started", "run_ended"]
    assert runs.info(run_id).status is RunStatus.INTERRUPTED


def test_an_end_that_cannot_be_written_is_still_told(store: Store, service: Service, spec, monkeypatch):
    def full(run_id, event):
        raise LogError("The disk is full.")

    gate = threading.Event()

    def engine(spec, cancel):
        yield fakes.started(spec)
        gate.wait(5)
        yield fakes.accepted(2, 1)

    runs = service(engine)
    run_id = runs.start(spec)
    until(lambda: runs.info(run_id).last_seq == 1)
    monkeypatch.setattr(store, "append", full)
    gate.set()
    last = list(runs.follow(run_id, timeout=5))[-1]
    assert (last.status, last.message) == (Status.FAILED, "The disk is full.")
    assert runs.info(run_id).status is RunStatus.FAILED


def test_closing_interrupts_what_is_at_work(store: Store, spec: RunSpec):
    runs = Runs(store, fakes.endless, workers=1)
    first, second = runs.start(spec), runs.start(spec)
    until(lambda: runs.info(first).last_seq == 1)
    began = time.monotonic()
    runs.close()
    assert time.monotonic() - began < 2
    assert [store.get_run(run_id).status for run_id in (first, second)] == [RunStatus.INTERRUPTED] * 2
    with pytest.raises(LogError):
        runs.start(spec)


def test_closing_does_not_wait_for_an_engine_that_does_not_listen(store: Store, spec: RunSpec, monkeypatch):
    monkeypatch.setattr("flare_core.runs.service.CLOSE_SECONDS", 0.2)
    runs = Runs(store, fakes.deaf)
    run_id = runs.start(spec)
    until(lambda: runs.info(run_id).last_seq == 1)
    runs.close()
    assert store.events(run_id)[-1].status is Status.INTERRUPTED
    time.sleep(1)
    assert [event.seq for event in store.events(run_id)] == [1, 2]


def test_a_program_that_forgets_to_close_ends_all_the_same(path: Path):
    code = (
        "import sys, time; from flare_core.runs import Runs, Store; from flare_core.spec import RunSpec\n"
        "from tests.runs.fakes import endless\n"
        "print(Runs(Store(sys.argv[1]), endless).start(RunSpec(topic='x'))); time.sleep(0.3)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, timeout=20)
    store = Store(path)
    assert store.get_run(done.stdout.strip()).status is RunStatus.INTERRUPTED
    store.close()


def test_eight_runs_at_once(service: Service, spec: RunSpec):
    runs = service(fakes.paced(0.001), workers=8)
    ids = [runs.start(spec) for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        logs = list(pool.map(lambda run_id: durable(runs.follow(run_id, timeout=10)), ids))
    assert all([event.seq for event in log] == list(range(1, 8)) for log in logs)
