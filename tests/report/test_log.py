"""A log as text: what is written is read back; what is not a log says what is wrong with it."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flare_core.errors import LogError
from flare_core.events import SCHEMA_VERSION, AnyEvent, Warned
from flare_core.events.log import MAX_LINE, lines_of, read_lines, write_line
from tests.engine.story import tale, write
from tests.fakes import FakeSource, passage
from tests.report.logs import started


def a_log() -> list[AnyEvent]:
    """Every kind of event, from a run."""

    def story(n: int, passages: list[str]) -> str:
        loops = n == 3 and "Other" not in " ".join(passages)
        return tale(1) if loops else tale(n, unsure=(2,))

    other = [passage("P1"), passage("P2", "Other things of Marie Curie.")]
    return [e for e in write(story, FakeSource(lambda _: other), sentences=4).events if e.durable]


def read(text: str) -> list[AnyEvent]:
    return list(read_lines(text.splitlines(keepends=True)))


def problem(text: str) -> str:
    with pytest.raises(LogError) as raised:
        read(text)
    return str(raised.value)


def test_a_log_is_read_back_exactly() -> None:
    log = a_log()
    assert len({event.type for event in log}) >= 10
    assert read("".join(map(write_line, log))) == log


def test_each_event_is_one_line_whatever_it_says() -> None:
    line = write_line(Warned(code="x", message="a\nb\r\u2028c\x85\x00"))
    assert line.count("\n") == 1 and line.endswith("\n")
    assert list(lines_of(io.StringIO(line))) == [line]


def test_blank_lines_are_passed_over() -> None:
    assert read("\n  \n" + write_line(started()) + "\n") == [started()]


def test_a_file_that_was_cut_off_names_the_line() -> None:
    text = "".join(map(write_line, a_log()))
    said = problem(text[: len(text) // 2])
    assert said.startswith("Line ") and "cut off" in said


@pytest.mark.parametrize("text", ["not json", "{", "\x00\x01", "PK\x03\x04", "[" * 100_000, '{"a":' * 50_000,
                                  "9" * 10_000, "<html>"])  # fmt: skip
def test_what_is_not_json_says_so(text: str) -> None:
    assert problem(text).startswith("Line 1 is not an event of a Flare log. It is no JSON") or "no type" in problem(
        text
    )


@pytest.mark.parametrize("value", [[], "x", 3, None, {}, {"type": 5}, {"typ": "warned"}])
def test_json_that_is_no_event_has_no_type(value: Any) -> None:
    assert problem(json.dumps(value)).endswith("It has no type.")


def test_an_unknown_type_is_named_shortly() -> None:
    assert "'nonsense'" in problem('{"type":"nonsense"}')
    assert len(problem(json.dumps({"type": "x" * 5000}))) < 200


def test_a_field_that_does_not_fit_is_named_without_its_content() -> None:
    event = json.loads(write_line(started()))
    event["sources"] = "SECRET"
    assert "'run_started'" in problem(json.dumps(event)) and "sources" in problem(json.dumps(event))
    assert "SECRET" not in problem(json.dumps(event))


def test_fields_of_a_later_version_are_ignored() -> None:
    event = json.loads(write_line(started()))
    assert read(json.dumps({**event, "news": [1, 2]})) == [started()]


@pytest.mark.parametrize("more", [{}, {"model": "of another shape"}])
def test_a_newer_log_asks_for_a_newer_flare(more: dict[str, Any]) -> None:
    event = json.loads(write_line(started()))
    said = problem(json.dumps({**event, "schema_version": SCHEMA_VERSION + 1, **more}))
    assert said == f"The log was written by a newer Flare (schema {SCHEMA_VERSION + 1}). Update Flare to open it."


def test_a_line_that_is_too_long_is_refused_before_it_is_read() -> None:
    assert "too long" in problem("x" * (MAX_LINE + 1))
    endless = io.StringIO("y" * (3 * MAX_LINE))
    assert len(next(lines_of(endless))) == MAX_LINE + 1


@given(st.text(max_size=30))
def test_any_text_is_kept_in_a_log(text: str) -> None:
    event = Warned(code="x", message=text)
    assert read_back(event) == event


def read_back(event: AnyEvent) -> AnyEvent:
    (again,) = read_lines([write_line(event)])
    return again


@given(st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
def test_garbage_is_never_anything_but_a_log_error(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    try:
        assert not text.strip() or read(text)
    except LogError as error:
        assert str(error).startswith("Line ")


@given(st.data())
def test_a_damaged_log_is_never_anything_but_a_log_error(data: st.DataObject) -> None:
    line = write_line(started())
    at = data.draw(st.integers(0, len(line) - 2))
    broken = line[:at] + data.draw(st.text(max_size=3)) + line[at + data.draw(st.integers(0, 5)) :]
    try:
        list(read_lines([broken]))
    except LogError as error:
        assert error.message
