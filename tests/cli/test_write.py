"""`write`: a report to stdout or files, progress to stderr, an exit code that scripts can rely on."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from flare_core.errors import ModelError
from flare_core.events import RunEnded, RunStarted
from flare_core.events.log import read_lines
from flare_core.report.fold import fold
from tests.engine.story import tale
from tests.fakes import FakeModel, FakeSource, author, passage, toks

Flare = Callable[..., Any]


def confident() -> FakeModel:
    return FakeModel(author(lambda n, _: tale(n)))


def test_the_report_goes_to_stdout_and_progress_to_stderr(flare: Flare) -> None:
    said = flare("write", "Marie Curie", "--sentences", "2", model=confident())
    assert said.code == 0
    assert said.out.startswith("# Marie Curie\n\nMarie Curie was a physicist")
    assert "Model fake" in said.err and "  1 ○ confident: Marie Curie was" in said.err


def test_files_are_named_by_their_endings(flare: Flare, tmp_path: Path) -> None:
    files = [tmp_path / "r.md", tmp_path / "r.TXT"]
    said = flare("write", "Marie Curie", "--sentences", "1", *[x for f in files for x in ("--out", str(f))],
                 model=confident())  # fmt: skip
    assert (said.code, said.out) == (0, "")
    assert files[0].read_text("utf-8").startswith("# Marie Curie")
    assert files[1].read_text("utf-8") == f"{tale(1)}\n"
    assert said.err.count("Written to") == 2


def test_the_trace_is_a_log(flare: Flare, trace: Path) -> None:
    unsure = FakeModel(author(lambda n, _: tale(n, unsure=(2,))))
    said = flare("write", "Marie Curie", "--sentences", "3", "--theta", "0.3", "--trace", str(trace), model=unsure)
    events = list(read_lines(trace.read_text("utf-8").splitlines()))
    assert said.code == 0
    assert isinstance(events[0], RunStarted) and isinstance(events[-1], RunEnded)
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert fold(events).text == " ".join(tale(n) for n in (1, 2, 3))
    assert events[0].spec.theta == 0.3 and events[0].spec.sentences == 3


def test_quiet_says_only_the_end_and_warnings(flare: Flare) -> None:
    said = flare("write", "Marie Curie", "--sentences", "1", "--quiet", model=confident(), sources=[FakeSource()])
    assert said.err.splitlines() == [
        "  !  Nothing was found for the topic, so the first sentence is written from the model's memory. "
        "Word the topic differently, or choose another source.",
        "The report has its one sentence.",
    ]


def test_a_source_without_hits_still_gives_a_report(flare: Flare) -> None:
    said = flare("write", "Marie Curie", "--sentences", "2", "--theta", "always", model=confident(),
                 sources=[FakeSource()])  # fmt: skip
    assert said.code == 0 and tale(2) in said.out
    assert "no_hits" in said.err


def test_options_reach_the_spec(flare: Flare, trace: Path) -> None:
    flare("write", "Marie Curie", "--preset", "paper", "--theta", "0.5", "--beta", "0.1", "--query", "question",
          "--no-initial", "--top-k", "5", "--lang", "fr", "--words", "50", "--budget", "tokens=500,searches=2",
          "--budget", "minutes=1.5", "--keep-first", "--trace", str(trace), model=confident())  # fmt: skip
    spec = next(read_lines(trace.read_text("utf-8").splitlines())).spec  # type: ignore[union-attr]
    chosen = (spec.preset, spec.theta, spec.beta, spec.query, spec.initial, spec.top_k, spec.lang, spec.words)
    assert chosen == ("paper", 0.5, 0.1, "question", False, 5, "fr", 50)
    assert (spec.budget_tokens, spec.budget_searches, spec.budget_minutes) == (500, 2, 1.5)
    assert spec.keep_first and spec.draft_docs == "none" and spec.mask_unit == "token"


@pytest.mark.parametrize(("budget", "code"), [("tokens=10", 3), ("searches=0", 0), ("minutes=999", 0)])
def test_a_budget_that_runs_out_leaves_a_partial_report(flare: Flare, budget: str, code: int) -> None:
    said = flare("write", "Marie Curie", "--sentences", "4", "--budget", budget, model=confident())
    assert said.code == code and tale(1) in said.out
    assert ("not complete" in said.out) == (code == 3)


def test_an_error_on_the_way_keeps_what_was_written(flare: Flare, tmp_path: Path, trace: Path) -> None:
    broken = ModelError("The server broke off.", "Try again.")
    model = FakeModel([[*toks(f"{tale(1)} They left"), broken]])
    out = tmp_path / "r.md"
    said = flare("write", "Marie Curie", "--out", str(out), "--trace", str(trace), model=model)
    assert said.code == 3
    assert tale(1) in out.read_text("utf-8") and "not complete" in out.read_text("utf-8")
    assert said.err.rstrip().endswith(f"The server broke off. Try again.\nWritten to {out}")
    assert isinstance(list(read_lines(trace.read_text("utf-8").splitlines()))[-1], RunEnded)


def test_an_error_before_anything_was_written_fails(flare: Flare, tmp_path: Path) -> None:
    out = tmp_path / "r.md"
    said = flare("write", "Marie Curie", "--out", str(out), model=FakeModel([[ModelError("Gone.", "Wait.")]]))
    assert said.code == 1 and "Gone. Wait." in said.err and not out.exists()


def test_a_crash_keeps_what_was_written(flare: Flare, tmp_path: Path) -> None:
    out = tmp_path / "r.md"
    model = FakeModel([[*toks(f"{tale(1)} They left"), RuntimeError("a bug")]])
    with pytest.raises(RuntimeError, match="a bug"):
        flare("write", "Marie Curie", "--out", str(out), model=model)
    assert tale(1) in out.read_text("utf-8")


# --- Ctrl-C


def interrupt() -> None:
    os.kill(os.getpid(), signal.SIGINT)


def test_ctrl_c_stops_in_order_and_keeps_what_was_written(flare: Flare, trace: Path) -> None:
    model = FakeModel([[*toks(f"{tale(1)} They left"), interrupt, "."]])
    said = flare("write", "Marie Curie", "--trace", str(trace), model=model)
    assert said.code == 3
    assert tale(1) in said.out and "not complete" in said.out
    assert "Stopping." in said.err and "Stopped after 1 sentence;" in said.err
    assert list(read_lines(trace.read_text("utf-8").splitlines()))[-1].reason == "user"  # type: ignore[union-attr]


def test_ctrl_c_twice_ends_at_once_and_still_keeps_what_was_written(flare: Flare) -> None:
    def deaf() -> None:
        interrupt()
        interrupt()

    said = flare("write", "Marie Curie", model=FakeModel([[*toks(f"{tale(1)} They left"), deaf, "."]]))
    assert said.code == 3
    assert tale(1) in said.out and "ended at once" in said.err


def test_after_a_run_ctrl_c_means_what_it_meant_before(flare: Flare) -> None:
    before = signal.getsignal(signal.SIGINT)
    flare("write", "Marie Curie", "--sentences", "1", model=confident())
    assert signal.getsignal(signal.SIGINT) == before


# --- what comes from outside


def test_pages_and_models_cannot_drive_the_terminal(flare: Flare) -> None:
    evil = "\x1b]0;owned\x07\x1b[2J\u202e"
    page = passage("P1", f"Marie{evil} Curie was a physicist from Warsaw.", title=f"Title{evil}")
    model = FakeModel([[*toks(tale(1))[:-1], (f" now{evil}", 0.01), "."], [*toks(tale(1))[:-1], f" now{evil}", "."]])
    said = flare("write", "Marie Curie", "--theta", "0.3", "--sentences", "1", model=model,
                 sources=[FakeSource(lambda _: [page])])  # fmt: skip
    assert "Title" in said.err
    assert not {"\x1b", "\x07", "\u202e"} & set(said.out + said.err)
