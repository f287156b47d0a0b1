"""Wrong usage is refused before anything is spent, in words that say what to do; exit code 2."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.engine.story import tale
from tests.fakes import FakeModel, author

Flare = Callable[..., Any]


@pytest.mark.parametrize(("argv", "words"), [
    (["write", ""], "The topic is empty"),
    (["write", " \t\n"], "The topic is empty"),
    (["write", "\x00\x1b\u200b…"], "The topic is empty"),
    (["write", "x" * 20_000], "20,000 characters, at most 2,000"),
    (["write", "Curie", "--theta", "1.5"], "θ (theta) must be auto, never, always or a number from 0 to 1, not 1.5"),
    (["write", "Curie", "--theta", "-0.1"], "θ (theta) must be"),
    (["write", "Curie", "--theta", "nan"], "θ (theta) must be"),
    (["write", "Curie", "--theta", "sometimes"], "θ (theta) must be"),
    (["write", "Curie", "--beta", "2"], "β (beta)"),
    (["write", "Curie", "--sentences", "0"], "Sentences"),
    (["write", "Curie", "--words", "3"], "Words"),
    (["write", "Curie", "--lang", "x y"], "Language"),
    (["write", "Curie", "--source", "bing"], "Unknown source 'bing'. Known are encyclopedia, web and site:URL"),
    (["write", "Curie", "--source", "site:file:///etc/passwd"], "Unknown source"),
    (["write", "Curie", "--out", "r.docx"], "r.docx: unknown ending. A report can be written as .md, .txt."),
    (["write", "Curie", "--out", "report"], "unknown ending"),
    (["write", "Curie", "--out", "no/such/r.md"], "does not exist"),
    (["write", "Curie", "--trace", "."], "is a folder"),
    (["write", "Curie", "--budget", "money=3"], "--budget 'money=3' is not understood. Write tokens=N"),
    (["write", "Curie", "--budget", "tokens"], "is not understood"),
    (["write", "Curie", "--budget", "tokens=many"], "is not understood"),
    (["write", "Curie", "--budget", "tokens=1.5"], "is not understood"),
    (["write", "Curie", "--budget", "tokens=3,"], "is not understood"),
    (["write", "Curie", "--budget", ""], "is not understood"),
    (["write", "Curie", "--budget", "tokens=0"], "Token budget"),
    (["write", "Curie", "--budget", "searches=-1"], "Search budget"),
    (["write", "Curie", "--budget", "minutes=0"], "Time budget"),
    (["write", "Curie", "--budget", "minutes=nan"], "Time budget"),
    (["write", "Curie", "--preset", "best"], "invalid choice: 'best'"),
    (["write", "Curie", "--strategy", "magic"], "invalid choice"),
    (["write", "Curie", "--beta", "low"], "invalid float value: 'low'"),
    (["write", "Curie", "--sentences", "few"], "invalid int value: 'few'"),
    (["write"], "TOPIC"),
    (["write", "Curie", "--colour", "red"], "unrecognized arguments"),
    (["replay", "no-such.jsonl"], "There is no file no-such.jsonl"),
    (["replay", "."], "There is no file"),
    (["replay"], "TRACE.jsonl"),
    (["search", ""], "empty"),
    (["search", "Curie", "--top-k", "0"], "Passages"),
    (["search", "Curie", "--source", "bing"], "Unknown source"),
    ([], "COMMAND"),
    (["dance"], "invalid choice"),
])  # fmt: skip
def test_wrong_usage(flare: Flare, argv: list[str], words: str) -> None:
    model = FakeModel([])
    said = flare(*argv, model=model)
    assert said.code == 2
    assert words in said.err
    assert said.out == "" and model.asked == []
    assert "Traceback" not in said.err


@pytest.mark.parametrize("topic", [
    "ماري كوري", "מארי קירי", "居里夫人", "マリ・キュリー", "Curie\x00\x07 Marie\nof \x1b[31mWarsaw", "🧪 radium",
    "x" * 2000, "--theta", "*[Curie](http://x)* <b>", "'; DROP TABLE runs; --", "$HOME `ls`", "é\u0301",
])  # fmt: skip
def test_topics_of_any_kind_are_written_about(flare: Flare, topic: str) -> None:
    argv = ["write", "--sentences", "1", "--", topic]
    said = flare(*argv, model=FakeModel(author(lambda n, _: tale(n))))
    assert said.code == 0
    assert tale(1) in said.out
    assert "\x1b" not in said.out + said.err and "\x00" not in said.out


def test_several_wrong_values_are_all_named(flare: Flare) -> None:
    said = flare("write", "Curie", "--theta", "7", "--beta", "7", "--source", "x")
    assert all(word in said.err for word in ("θ", "β", "Unknown source"))


def test_help_names_exit_codes_and_ranges(flare: Flare) -> None:
    assert "3 stopped early with a partial report" in " ".join(flare("--help").out.split())
    assert "auto|never|always|0..1" in flare("write", "--help").out
    assert flare("--version").out.startswith("Flare ")


def test_a_file_that_cannot_be_written_says_so(flare: Flare) -> None:
    said = flare("write", "Curie", "--trace", "/proc/nothing.jsonl", model=FakeModel([]))
    assert said.code == 1 and "/proc/nothing.jsonl" in said.err
