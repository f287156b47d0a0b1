"""Extraction in processes that can be killed."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
import types
from collections.abc import Iterator
from pathlib import Path

import pytest

from flare_core.errors import SourceError, Stopped
from flare_core.events import PageOutcome
from flare_core.ports import Never
from flare_core.sources.contracts import Fetched
from flare_core.sources.extract import ExtractionPool

ROOT = Path(__file__).parents[2]
STUB = (sys.executable, str(Path(__file__).with_name("hanging_worker.py")))
NEVER = Never()


def page(text: str) -> Fetched:
    return Fetched("http://a.example/", "http://a.example/", PageOutcome.READ, 1.0, content=text.encode(), kind="html")


@pytest.fixture(scope="module")
def stub() -> Iterator[ExtractionPool]:
    with ExtractionPool(2, timeout_s=0.6, command=STUB) as running:
        running.extract_all([page("one"), page("two")], cancel=NEVER)
        yield running


def test_a_page_that_hangs_is_killed_and_the_others_are_read(stub: ExtractionPool) -> None:
    texts = ["a", "HANG", "b", "c", "d", "e"]
    began = time.monotonic()
    results = stub.extract_all([page(text) for text in texts], cancel=NEVER)
    assert time.monotonic() - began < 10
    assert [result.outcome.value for result in results] == ["read", "timed_out", "read", "read", "read", "read"]
    assert "longer than 0.6 s" in results[1].detail
    assert [result.text for result in results if result.text] == ["a", "b", "c", "d", "e"]


def test_a_page_that_crashes_its_process_costs_its_own_slot_only(stub: ExtractionPool) -> None:
    results = stub.extract_all([page("CRASH"), page("fine"), page("CRASH"), page("well")], cancel=NEVER)
    assert [result.outcome.value for result in results] == ["no_text", "read", "no_text", "read"]
    assert "broke the program" in results[0].detail


def test_an_exception_in_the_process_is_an_outcome_with_its_name(stub: ExtractionPool) -> None:
    (result,) = stub.extract_all([page("RAISE")], cancel=NEVER)
    assert (result.outcome, result.detail) == (PageOutcome.NO_TEXT, "the page could not be parsed (RecursionError)")


def test_what_a_library_prints_does_not_mix_with_the_answers(stub: ExtractionPool) -> None:
    results = stub.extract_all([page("PRINT")] * 3, cancel=NEVER)
    assert [result.text for result in results] == ["PRINT"] * 3


def test_keys_of_the_environment_stay_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    with ExtractionPool(1, command=STUB) as pool:
        assert pool.extract(page("a")).title is None


def test_cancel_kills_what_runs_for_this_call(stub: ExtractionPool) -> None:
    cancel, set_at = threading.Event(), list[float]()
    with ExtractionPool(1, timeout_s=30, command=STUB) as pool:
        pool.extract(page("a"))
        threading.Timer(0.2, lambda: (set_at.append(time.monotonic()), cancel.set())).start()
        with pytest.raises(Stopped):
            pool.extract_all([page("HANG"), page("HANG")], cancel=cancel)
        assert time.monotonic() - set_at[0] < 1.0
        assert pool.extract(page("b")).text == "b"


def test_one_deadline_for_all_pages_of_a_call() -> None:
    with ExtractionPool(1, timeout_s=30, command=STUB) as pool:
        pool.extract(page("a"))
        results = pool.extract_all([page("b"), page("HANG"), page("c")], deadline_s=0.7, cancel=NEVER)
        assert [result.outcome.value for result in results] == ["read", "timed_out", "timed_out"]
        assert results[1].detail == "no time was left to read it"
        assert pool.extract(page("d")).text == "d"


def test_a_page_does_not_wait_for_ever_for_its_turn() -> None:
    with ExtractionPool(1, timeout_s=5, wait_s=0.2, command=STUB) as pool:
        pool.extract(page("a"))
        other = threading.Thread(target=pool.extract, args=(page("HANG"),), daemon=True)
        other.start()
        time.sleep(0.1)
        result = pool.extract(page("b"))
    other.join(timeout=5)
    assert (result.outcome, result.detail) == (PageOutcome.TIMED_OUT, "too many other pages were waiting to be read")


def test_a_process_that_cannot_start_is_an_error_that_says_so() -> None:
    with (
        ExtractionPool(1, command=(sys.executable, "-c", "raise SystemExit(1)")) as pool,
        pytest.raises(SourceError, match="could not be started"),
    ):
        pool.extract_all([page("a")], cancel=NEVER)


def test_a_process_that_died_while_idle_is_replaced() -> None:
    with ExtractionPool(1, command=STUB) as pool:
        pool.extract(page("a"))
        pool._idle[0]._process.kill()
        pool._idle[0]._process.wait()
        assert pool.extract(page("b")).text == "b"


def test_a_closed_pool_is_not_used_again() -> None:
    pool = ExtractionPool(1, command=STUB)
    pool.close()
    with pytest.raises(Stopped):
        pool.extract(page("a"))


def test_the_main_script_is_not_run_again_in_the_process(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Under Streamlit, `__main__` is the page's script; `multiprocessing` would import it in each child."""
    script, mark = tmp_path / "page.py", tmp_path / "mark"
    script.write_text(f"open({str(mark)!r}, 'w').close()")
    main = types.ModuleType("__main__")
    main.__file__ = str(script)
    monkeypatch.setitem(sys.modules, "__main__", main)
    with ExtractionPool(1, command=STUB) as pool:
        assert pool.extract(page("a")).text == "a"
    assert not mark.exists()


@pytest.mark.skipif(os.name != "posix", reason="asks for processes by signal 0")
def test_processes_end_with_their_owner() -> None:
    code = (
        "import os, sys; from flare_core.sources.extract import ExtractionPool as P; p = P(1); p.warm();"
        "print(p._idle[0]._process.pid, flush=True); os.kill(os.getpid(), 9)"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    owner = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False)
    child = int(owner.stdout)
    ends = time.monotonic() + 15
    while time.monotonic() < ends and _alive(child):
        time.sleep(0.05)
    assert not _alive(child)


def _alive(pid: int) -> bool:
    """Whether a process runs; one that has ended and was not collected yet does not."""
    status = Path(f"/proc/{pid}/stat")
    if status.exists():
        return status.read_text().rpartition(")")[2].split()[0] != "Z"
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return not Path("/proc/self").exists()
