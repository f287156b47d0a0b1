"""The command line as others start it: a process of its own, with the real encyclopedia and a fake server."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from flare_core.events import RunEnded, SentenceAccepted
from flare_core.events.log import read_lines
from flare_core.report.fold import fold
from tests.cli.conftest import speaking
from tests.engine.story import tale
from tests.fake_lm import fake_lm

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for all, so that the encyclopedia is indexed once."""
    return tmp_path_factory.mktemp("home")


def start(home: Path, *argv: str, **settings: Any) -> subprocess.Popen[str]:
    env = {key: value for key, value in os.environ.items() if not key.startswith("OPENAI_")}
    env |= {"FLARE_HOME": str(home), "PYTHONPATH": str(ROOT), "LC_ALL": "C", "PYTHONUTF8": "0"}
    return subprocess.Popen(
        [sys.executable, "-m", "flare_core", *argv], cwd=home, env=env, text=True, encoding="utf-8",
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, **settings,
    )  # fmt: skip


def flare(home: Path, *argv: str) -> tuple[int, str, str]:
    process = start(home, *argv)
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err


def curie(n: int, _: list[str]) -> str:
    """The second sentence is unsure of the place."""
    if n == 1:
        return "Marie Curie was a Polish and naturalised French physicist and chemist who researched radioactivity."
    return "She was born in Warsaw{.05}." if n == 2 else tale(n)


def test_from_topic_to_report_and_back(home: Path) -> None:
    trace, out = home / "t.jsonl", home / "r.md"
    with fake_lm(speaking(curie)) as server:
        code, _, err = flare(
            home, "write", "Marie Curie", "--source", "encyclopedia", "--sentences", "4", "--theta", "0.3", "--lm",
            server.base_url, "--trace", str(trace), "--out", str(out),
        )  # fmt: skip
    assert code == 0, err
    events = list(read_lines(trace.read_text("utf-8").splitlines()))
    state = fold(events)
    assert state.retrievals == 1
    assert [e.origin for e in events if isinstance(e, SentenceAccepted)].count("draft") == 3
    cited = [evidence.passage_id for sentence in state.accepted for evidence in sentence.evidence]
    assert cited and set(cited) <= set(state.passages)
    report = out.read_text("utf-8")
    assert re.search(r"radioactivity \[1\]\.", report) and "[1]: <https://en.wikipedia.org/" in report
    assert "CC BY-SA" in report

    code, said, _ = flare(home, "replay", str(trace))
    assert code == 0 and said.splitlines()[-1] == "All 4 decisions are as recorded: 1 retrievals."
    code, said, _ = flare(home, "replay", str(trace), "--theta", "0.01")
    assert "1 of 4 decisions change (sentences 2)" in said


def test_ctrl_c_ends_within_a_second_with_what_was_written(home: Path) -> None:
    trace = home / "stopped.jsonl"
    with fake_lm(speaking(lambda n, _: tale(n)), delay=0.02) as server:
        process = start(
            home, "write", "Marie Curie", "--strategy", "none", "--sentences", "99", "--lm", server.base_url, "--trace",
            str(trace),
        )  # fmt: skip
        assert process.stderr
        for line in process.stderr:
            if line.startswith("  1 "):
                break
        process.send_signal(signal.SIGINT)
        sent = time.monotonic()
        out, err = process.communicate(timeout=20)
        took = time.monotonic() - sent
        assert server.requests[-1].closed.wait(2)
    assert process.returncode == 3
    assert tale(1) in out and "not complete" in out and "Traceback" not in err
    last = list(read_lines(trace.read_text("utf-8").splitlines()))[-1]
    assert isinstance(last, RunEnded) and last.reason == "user"
    assert took < 3


def test_a_reader_that_goes_away_gets_no_traceback(home: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with fake_lm(speaking(lambda n, _: tale(n))) as server:
        process = subprocess.Popen(
            [sys.executable, "-m", "flare_core", "write", "Marie Curie", "--strategy", "none", "--lm", server.base_url],
            cwd=home, env={**os.environ, "FLARE_HOME": str(home), "PYTHONPATH": str(ROOT)}, stdout=writer,
            stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        os.close(writer)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "Traceback" not in err and "BrokenPipe" not in err


def test_a_search_of_the_encyclopedia(home: Path) -> None:
    code, out, _ = flare(home, "search", "radioactivity physicist Curie", "--top-k", "2")
    assert code == 0
    assert "encyclopedia" in out and "wikipedia.org" in out
    assert out.count("\n[") == 2
    code, out, _ = flare(home, "search", "qqqqzzzz xxxxyyyy")
    assert code == 1 and "empty, 0 hits" in out


def test_doctor_in_a_fresh_process(home: Path) -> None:
    with fake_lm(speaking(curie)) as server:
        code, out, err = flare(home, "doctor", "--lm", server.base_url)
    assert code == 0, out + err
    assert "✓  model: fake-model" in out and "✓  encyclopedia: ok" in out and "web: not tried" in out
