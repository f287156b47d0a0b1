"""A log as text: one event a line, in JSON. What is read may come from anywhere, so it is bounded and checked."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TextIO

from pydantic import ValidationError

from flare_core.errors import LogError
from flare_core.events import EVENT, SCHEMA_VERSION, AnyEvent

MAX_LINE = 4_000_000
"""Characters of one event."""
NO_JSON = object()


def write_line(event: AnyEvent) -> str:
    """The event as a line of a log, line end included."""
    return event.model_dump_json() + "\n"


def lines_of(file: TextIO) -> Iterator[str]:
    """The lines of a file, none read further than shows that it is too long."""
    return iter(lambda: file.readline(MAX_LINE + 1), "")


def read_lines(lines: Iterable[str]) -> Iterator[AnyEvent]:
    """The events of a log. Raises LogError that names the line where it is none."""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        if len(line) > MAX_LINE:
            raise LogError(f"Line {number} has {len(line):,} characters: too long for an event.")
        try:
            event = EVENT.validate_json(line)
        except (ValidationError, ValueError) as error:
            value = _json(line)
            _check_version(value.get("schema_version") if isinstance(value, dict) else None)
            raise LogError(f"Line {number} is not an event of a Flare log.", _why(value, error)) from None
        _check_version(getattr(event, "schema_version", None))
        yield event


def _check_version(version: object) -> None:
    if isinstance(version, int) and version > SCHEMA_VERSION:
        raise LogError(f"The log was written by a newer Flare (schema {version}).", "Update Flare to open it.")


def _json(line: str) -> object:
    """The value of a line, or NO_JSON."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return NO_JSON


def _why(value: object, error: Exception) -> str:
    """What is wrong with the line, without its content."""
    if value is NO_JSON:
        return "It is no JSON: was the file cut off, or is it another kind of file?"
    kind = value.get("type") if isinstance(value, dict) else None
    if isinstance(error, ValidationError) and isinstance(kind, str):
        place = ".".join(str(part) for part in error.errors()[0]["loc"][1:])
        return f"Its type is {kind[:40]!r}; what does not fit: {place or 'the type itself'}."
    return "It has no type."
