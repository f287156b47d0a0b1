"""Places that cannot be written to: the report reaches the user all the same."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import pytest

from flare_core.events.log import read_lines
from tests.hostile.rude import Said, chunk, rude, said, whole

ROOT = Path(__file__).parents[2]
FULL = Path("/dev/full")
needs_full = pytest.mark.skipif(not FULL.exists(), reason="this system has no /dev/full")
OPTIONS = ("--source", "encyclopedia", "--sentences", "3", "--theta", "never", "--no-initial")


def start(url: str, *argv: str, stdout: int | IO[Any] = subprocess.PIPE, stderr: int | IO[Any] = subprocess.PIPE):  # type: ignore[no-untyped-def]
    command = [sys.executable, "-m", "flare_core", "write", "Marie Curie", "--lm", url, *OPTIONS, *argv]
    return subprocess.Popen(
        command,
        cwd=ROOT,
        stdout=stdout,
        stderr=stderr,
        text=True,
        encoding="utf-8",
        preexec_fn=_heed_signals if sys.platform != "win32" else None,
    )


def _heed_signals() -> None:
    """Under nohup, or in a background job of a shell, a process begins with some signals ignored."""
    for number in (signal.SIGINT, getattr(signal, "SIGHUP", signal.SIGTERM)):
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)


def write(url: str, *argv: str, **streams: Any) -> tuple[int, str, str]:
    with start(url, *argv, **streams) as process:
        out, err = process.communicate(timeout=60)
    return process.returncode, out or "", err or ""


@needs_full
def test_report_that_fits_nowhere_goes_to_stdout(tmp_path: Path) -> None:
    (tmp_path / "full.md").symlink_to(FULL)
    with rude() as url:
        code, out, err = write(url, "--out", str(tmp_path / "full.md"), "--out", str(tmp_path / "good.txt"))
    assert code == 1
    assert "# Marie Curie" in out and "radium" in out
    assert "full.md" in err and "No space left" in err
    assert "radium" in (tmp_path / "good.txt").read_text("utf-8")


@needs_full
def test_trace_that_cannot_be_written_does_not_end_the_run() -> None:
    with rude() as url:
        code, out, err = write(url, "--trace", str(FULL))
    assert code == 1
    assert "radium" in out
    assert err.count("trace") == 1


@needs_full
def test_progress_that_cannot_be_written_does_not_end_the_run() -> None:
    with rude() as url, FULL.open("w") as full:
        _, out, _ = write(url, stderr=full)
    assert "radium" in out


def test_progress_that_nobody_reads_does_not_end_the_run() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with rude() as url, os.fdopen(writing, "w") as broken:
        _, out, _ = write(url, stderr=broken)
    assert "radium" in out


def test_stdout_that_is_closed_is_no_crash(tmp_path: Path) -> None:
    with rude() as url:
        shell = f'"{sys.executable}" -m flare_core write Curie --lm {url} {" ".join(OPTIONS)} --trace {tmp_path}/t >&-'
        done = subprocess.run(["sh", "-c", shell], cwd=ROOT, stderr=subprocess.PIPE, text=True, timeout=60)
    assert (done.returncode, "Traceback" in done.stderr) == (0, False)
    assert len(list(read_lines((tmp_path / "t").read_text("utf-8").splitlines()))) > 5


@pytest.mark.parametrize("same", ["a.md", "../{}/a.md", "link.md"])
def test_report_and_trace_in_one_file_are_refused(same: str, tmp_path: Path) -> None:
    (tmp_path / "link.md").symlink_to(tmp_path / "a.md")
    trace = tmp_path / same.format(tmp_path.name)
    code, _, err = write("http://127.0.0.1:9/v1", "--out", str(tmp_path / "a.md"), "--trace", str(trace))
    assert code == 2
    assert "same file" in err


def slow(seconds: float) -> Callable[[], Said]:
    def say() -> Said:
        yield from said("Marie Curie was born in Warsaw. She studied")
        time.sleep(seconds)
        yield chunk(" on.", finish="stop")

    return say


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)])
def test_signal_stops_in_order_and_delivers(number: signal.Signals, tmp_path: Path) -> None:
    answers = iter([whole("A B C."), whole("A B C.")])  # the probe asks twice
    with rude(lambda: next(answers, None) or slow(30)()) as url, start(url) as process:
        for line in process.stderr:
            if "Marie Curie was born" in line:
                break
        process.send_signal(number)
        out, _ = process.communicate(timeout=10)
    assert process.returncode == 3
    assert "Marie Curie was born in Warsaw." in out
