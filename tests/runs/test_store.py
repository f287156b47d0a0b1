"""The store keeps what was appended, and only that."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import inspect

from flare_core.errors import LogError
from flare_core.events import Drafting, Status
from flare_core.runs import RunStatus, Store
from flare_core.runs.schema import METADATA, MIGRATIONS
from flare_core.spec import RunSpec
from tests.runs.fakes import accepted, ended, fast, started


def test_a_log_survives_reopening(store: Store, path: Path, spec: RunSpec):
    store.create_run("a", spec, at=1.0)
    log = [event for event in fast(spec, None) if event.durable]
    store.append_many("a", log)
    store.close()
    again = Store(path)
    assert again.events("a") == log
    assert again.events("a", after=5) == log[5:]
    assert again.events("a", after=2, limit=2) == log[2:4]
    info = again.get_run("a")
    assert (info.topic, info.spec, info.status, info.last_seq) == (spec.topic, spec, RunStatus.COMPLETE, 7)
    assert info.ended == log[-1].at
    again.close()


def test_what_is_not_durable_is_never_written(store: Store, spec: RunSpec):
    store.create_run("a", spec, at=1.0)
    store.append("a", Drafting(seq=1, sentence=1, phase="draft", text="x"))
    store.append_many("a", [started(spec), Drafting(seq=9, sentence=1, phase="draft", text="x")])
    assert [event.type for event in store.events("a")] == ["run_started"]


def test_a_number_is_given_once(store: Store, spec: RunSpec):
    store.create_run("a", spec, at=1.0)
    store.append("a", started(spec))
    with pytest.raises(LogError):
        store.append_many("a", [accepted(2, 1), started(spec)])
    assert [event.seq for event in store.events("a")] == [1]


def test_an_event_needs_its_run(store: Store, spec: RunSpec):
    with pytest.raises(LogError):
        store.append("nowhere", started(spec))


def test_eight_writers_at_once(store: Store, spec: RunSpec):
    def write(name: str) -> None:
        store.create_run(name, spec, at=1.0)
        for seq in range(1, 51):
            store.append(name, accepted(seq, seq))

    names = [f"run{n}" for n in range(8)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, names))
    for name in names:
        assert [event.seq for event in store.events(name)] == list(range(1, 51))


def test_several_processes_open_a_new_store_at_once(tmp_path: Path):
    code = "import sys; from flare_core.runs import Store; print(len(Store(sys.argv[1]).list_runs()))"
    command = [sys.executable, "-c", code, str(tmp_path / "new.db")]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    assert [process.communicate()[0].strip() for process in processes] == ["0"] * 4


def test_a_request_starts_one_run(store: Store, spec: RunSpec):
    assert store.create_run("a", spec, at=1.0, request_id="r") == "a"
    assert store.create_run("b", spec, at=1.0, request_id="r") == "a"
    assert [info.id for info in store.list_runs()] == ["a"]


def test_a_status_changes_only_from_the_expected_one(store: Store, spec: RunSpec):
    store.create_run("a", spec, at=1.0)
    assert store.set_status("a", RunStatus.RUNNING, only_from={RunStatus.QUEUED})
    assert not store.set_status("a", RunStatus.RUNNING, only_from={RunStatus.QUEUED})
    assert store.get_run("a").status is RunStatus.RUNNING


def test_abandoned_runs_are_ended_once(store: Store, spec: RunSpec):
    for name, at in (("old", 100.0), ("mine", 100.0), ("fresh", 200.0), ("done", 100.0)):
        store.create_run(name, spec, at=at)
    store.append("old", started(spec))
    store.append_many("done", [started(spec), ended(2)])
    assert store.end_abandoned(silent_since=150.0, at=201.0, but=["mine"]) == ["old"]
    assert store.end_abandoned(silent_since=150.0, at=201.0, but=["mine"]) == []
    last = store.events("old")[-1]
    assert (last.seq, last.status, last.reason, last.at) == (2, Status.INTERRUPTED, "cut_off", 201.0)
    assert store.get_run("old").status is RunStatus.INTERRUPTED
    assert store.get_run("fresh").status is RunStatus.QUEUED


def test_newest_runs_come_first(store: Store, spec: RunSpec):
    for at in (3.0, 1.0, 2.0):
        store.create_run(f"at{at}", spec, at=at)
    assert [info.id for info in store.list_runs(2)] == ["at3.0", "at2.0"]


def test_migrations_make_the_tables_that_the_code_names(store: Store):
    found = inspect(store._engine)
    assert set(found.get_table_names()) == set(METADATA.tables)
    for table in METADATA.tables.values():
        assert [c["name"] for c in found.get_columns(table.name)] == [c.name for c in table.columns]


def test_a_database_of_a_newer_flare_is_left_alone(tmp_path: Path):
    path = tmp_path / "runs.db"
    Store(path).close()
    with sqlite3.connect(path) as database:
        database.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    with pytest.raises(LogError, match="newer Flare"):
        Store(path)


def test_a_file_that_is_no_database_is_an_error_for_the_user(tmp_path: Path):
    path = tmp_path / "runs.db"
    path.write_bytes(b"not a database" * 100)
    with pytest.raises(LogError, match="FLARE_HOME"):
        Store(path)


def test_an_event_of_a_newer_flare_is_an_error_for_the_user(store: Store, spec: RunSpec):
    store.create_run("a", spec, at=1.0)
    store.append("a", started(spec))
    with sqlite3.connect(store.path) as database:
        database.execute("""UPDATE events SET json = '{"type": "unheard_of"}'""")
    database.close()
    with pytest.raises(LogError, match="newer Flare"):
        store.events("a")


def test_a_spec_that_is_refused_today_is_still_listed(store: Store, spec: RunSpec):
    store.create_run("a", spec, at=1.0)
    with sqlite3.connect(store.path) as database:
        database.execute("""UPDATE runs SET spec = '{"topic": "old", "sources": ["gone"]}'""")
    database.close()
    assert store.get_run("a").spec.sources == ["gone"]


def test_the_file_is_in_flares_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("FLARE_HOME", str(tmp_path))
    store = Store()
    assert tmp_path in store.path.parents
    store.close()
