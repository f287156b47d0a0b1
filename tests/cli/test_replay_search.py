"""`replay` and `search`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from flare_core.errors import SourceError
from flare_core.events import SearchOutcome
from tests.engine.story import tale
from tests.fakes import FakeModel, FakeSource, author, passage

Flare = Callable[..., Any]


@pytest.fixture
def recorded(flare: Flare, trace: Path) -> Path:
    """A trace in which the second and fourth of five sentences retrieve."""
    model = FakeModel(author(lambda n, passages: tale(n, unsure=() if n == 3 else (2, 4))))
    flare("write", "Marie Curie", "--theta", "0.3", "--sentences", "5", "--trace", str(trace), model=model)
    return trace


def test_a_replay_finds_what_was_recorded(flare: Flare, recorded: Path) -> None:
    said = flare("replay", str(recorded))
    assert said.code == 0
    assert said.out.splitlines()[-1] == "All 5 decisions are as recorded: 2 retrievals."
    assert len(said.out.splitlines()) == 6
    assert said.out.splitlines()[1].startswith("  2  retrieve ")


@pytest.mark.parametrize("theta", ["0.01", "never"])
def test_a_replay_lists_what_would_change(flare: Flare, recorded: Path, theta: str) -> None:
    said = flare("replay", str(recorded), "--theta", theta)
    assert said.code == 0
    assert "retrieve → accept" in said.out
    assert "2 of 5 decisions change (sentences 2, 4): 0 retrievals instead of 2." in said.out


def test_a_replay_can_be_told_to_always_retrieve(flare: Flare, recorded: Path) -> None:
    assert "3 of 5 decisions change (sentences 1, 3, 5): 5" in flare("replay", str(recorded), "--theta", "always").out


def test_a_replay_at_another_beta_says_what_would_be_asked_otherwise(flare: Flare, recorded: Path) -> None:
    said = flare("replay", str(recorded), "--beta", "0.01")
    assert "All 5 decisions are as recorded" in said.out
    assert "Other queries would be asked for sentences 2, 4." in said.out


@pytest.mark.parametrize("option", [["--theta", "7"], ["--theta", "maybe"], ["--beta", "7"], ["--beta", "x"]])
def test_a_threshold_out_of_range(flare: Flare, recorded: Path, option: list[str]) -> None:
    said = flare("replay", str(recorded), *option)
    assert said.code == 2 and "Traceback" not in said.err and said.err


@pytest.mark.parametrize(("content", "words"), [
    (b"", "does not begin with the start of a run"),
    (b"\n\n", "does not begin"),
    (b"hello", "Line 1 is not an event of a Flare log. It is no JSON"),
    (b"\xff\xfe\x00PK\x03\x04", "It is no JSON"),
    (b"[]\n", "It has no type"),
    (b'{"type":"run_started"}\n', "Its type is 'run_started'"),
    (b"[" * 300_000, "It is no JSON"),
    (b"x" * 5_000_000, "too long for an event"),
    (b'{"type":"run_started","schema_version":99}\n', "newer Flare (schema 99). Update Flare"),
])  # fmt: skip
def test_a_file_that_is_no_trace(flare: Flare, trace: Path, content: bytes, words: str) -> None:
    trace.write_bytes(content)
    said = flare("replay", str(trace))
    assert said.code == 1 and words in said.err
    assert len(said.err) < 500 and said.out == ""


def test_a_trace_that_was_cut_off(flare: Flare, recorded: Path) -> None:
    recorded.write_bytes(recorded.read_bytes()[:-40])
    said = flare("replay", str(recorded))
    assert said.code == 1 and "was the file cut off" in said.err


def test_a_trace_cannot_drive_the_terminal(flare: Flare, recorded: Path) -> None:
    recorded.write_text(recorded.read_text("utf-8").replace(" boys", " \\u001b[2Jboys"), "utf-8")
    said = flare("replay", str(recorded), "--theta", "0.95")
    assert "\x1b" not in said.out and "boys" in said.out


# --- search


def test_a_search_shows_its_funnel_and_passages(flare: Flare) -> None:
    found = [passage(f"P{n}", f"Text {n}.", title=f"Page {n}") for n in range(5)]
    said = flare("search", "Curie", "--top-k", "2", sources=[FakeSource(lambda _: found)])
    assert said.code == 0
    assert "fake (fake): ok, 5 hits, 1 ms\n  5 passages scored, 2 returned" in said.out
    assert "Page 0 — https://example.org/P0\nText 0." in said.out and "Text 2." not in said.out


def test_a_search_without_hits_fails_and_says_why(flare: Flare) -> None:
    said = flare("search", "Curie", sources=[FakeSource(lambda _: SearchOutcome.RATE_LIMITED), FakeSource()])
    assert said.code == 1
    assert "rate_limited, 0 hits, 1 ms — why" in said.out and "empty, 0 hits" in said.out


def test_a_source_that_cannot_work_fails_and_all_are_closed(flare: Flare) -> None:
    sources = [FakeSource(lambda _: SourceError("No index.", "Make one.")), FakeSource()]
    said = flare("search", "Curie", sources=sources)
    assert said.code == 1 and "No index. Make one." in said.err
    assert all(source.closed for source in sources)


def test_a_page_cannot_drive_the_terminal(flare: Flare) -> None:
    evil = passage("P1", "Text\x1b[2J.", title="T\x07")
    assert not {"\x1b", "\x07"} & set(flare("search", "Curie", sources=[FakeSource(lambda _: [evil])]).out)
