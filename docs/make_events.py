"""Writes docs/events.md from the event models (`make docs`); `tests/test_house.py` checks that it is up to date."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import json
import re
import sys
import textwrap
import types
import typing
from enum import StrEnum
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Literal

from event_examples import EXAMPLES
from pydantic import BaseModel

from flare_core.events import SCHEMA_VERSION, AnyEvent, Event
from flare_core.spec import RunSpec

TARGET = Path(__file__).with_name("events.md")
ELSEWHERE = {RunSpec: "settings.md"}

HEAD = f"""# The log of a run

*Written by `make docs` from `flare_core/events`. Schema version {SCHEMA_VERSION}.*

A run is a log of events. In a file it is JSON Lines in UTF-8: one event a line, in order. Every screen, export
and measurement reads only this. `EVENT.validate_json(line)` from `flare_core.events` reads a line in Python.

- `type` tells which event it is. `seq` counts from 1 without gaps; `at` is when it happened.
- `null` means unknown or not applicable. It is never 0: a token without a probability has `"logprob": null`.
- Fields that a reader does not know are to be ignored. A new field with a default needs no new schema version;
  a field that changes its meaning or goes away does. The first event states the version.
- `sentence` counts the sentences of the report from 1; 0 is what comes before the first.
- Offsets into text count characters (code points); offsets into tokens count tokens; ranges are half open.
"""


def main() -> int:
    """Write the file; with `--check`, only say whether it would change."""
    text = render()
    if "--check" in sys.argv[1:]:
        return int(not TARGET.exists() or TARGET.read_text(encoding="utf-8") != text)
    TARGET.write_text(text, encoding="utf-8", newline="\n")
    return 0


def render() -> str:
    """The whole file."""
    events: tuple[type[Event], ...] = typing.get_args(typing.get_args(AnyEvent)[0])
    values = _values(events)
    overview = ["| event | |", "|---|---|"]
    overview += [f"| {_link(event)} | {_first_line(event)} |" for event in events]
    parts = [HEAD, "\n".join(overview) + "\n", "## Events\n", *map(_event, events)]
    parts += ["## Values inside events\n", *(_section(value) for value in values if not _is_enum(value))]
    parts += ["## Enumerations\n", *(_enumeration(value) for value in values if _is_enum(value))]
    return "\n".join(parts)


def _event(event: type[Event]) -> str:
    example = event.model_validate({"type": _kind(event), **EXAMPLES[_kind(event)]})
    line = json.dumps(example.model_dump(mode="json"), ensure_ascii=False)
    note = "" if event.durable else "\nOnly sent to whoever watches; never in a log.\n"
    return f"{_section(event)}{note}\n```json\n{line}\n```\n"


def _section(value: type) -> str:
    title = _kind(value) if issubclass(value, Event) else value.__name__
    rows = ["| field | type | meaning | default |", "|---|---|---|---|"]
    rows += [f"| `{name}` | {kind} | {meaning} | {default} |" for name, kind, meaning, default in _fields(value)]
    return f"### {title}\n\n{_first_line(value)}\n\n" + "\n".join(rows) + "\n"


def _enumeration(value: type[StrEnum]) -> str:
    return f"### {value.__name__}\n\n{_first_line(value)}\n\n" + ", ".join(f"`{m.value}`" for m in value) + "\n"


def _fields(value: type) -> list[tuple[str, str, str, str]]:
    """Name, type, meaning and default of each field, without those that all events share."""
    if issubclass(value, BaseModel):
        return [
            (
                name,
                _type(field.annotation),
                _cell(field.description or ""),
                _default(field.get_default(), field.is_required()),
            )
            for name, field in value.model_fields.items()
            if name not in ("type", "seq", "at")
        ]
    hints, meanings = typing.get_type_hints(value), _docstrings(value)
    return [
        (
            field.name,
            _type(hints[field.name]),
            _cell(meanings.get(field.name, "")),
            _default(field.default, field.default is dataclasses.MISSING),
        )
        for field in dataclasses.fields(value)
    ]


def _docstrings(value: type) -> dict[str, str]:
    """The string after each field of a dataclass, which Python itself throws away."""
    body = typing.cast(ast.ClassDef, ast.parse(textwrap.dedent(inspect.getsource(value))).body[0]).body
    return {
        field.target.id: inspect.cleandoc(after.value.value)
        for field, after in pairwise(body)
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) and isinstance(after.value.value, str)
    }


def _type(kind: Any) -> str:
    """A type in the words of JSON."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is Annotated:
        return _type(arguments[0])
    if origin is Literal:
        return " or ".join(f"`{json.dumps(argument)}`" for argument in arguments)
    if origin in (typing.Union, types.UnionType):
        return " or ".join(_type(argument) for argument in arguments)
    if origin is tuple and arguments[-1] is Ellipsis:
        inner = _type(arguments[0])
        return f"list of ({inner})" if " or " in inner else f"list of {inner}"
    if origin is tuple:
        return f"[{', '.join(_type(argument) for argument in arguments)}]"
    if kind in ELSEWHERE:
        return f"[{kind.__name__}]({ELSEWHERE[kind]})"
    plain = {str: "string", int: "integer", float: "number", bool: "boolean", types.NoneType: "null"}
    return plain[kind] if kind in plain else _link(kind)


def _default(default: Any, required: bool) -> str:
    if required:
        return ""
    if isinstance(default, BaseModel):
        return "all unknown"
    return f"`{json.dumps(list(default) if isinstance(default, tuple) else default)}`"


def _values(events: tuple[type, ...]) -> list[type]:
    """Everything nested in the events, in the order in which it is first met."""
    found: list[type] = []

    def visit(kind: Any) -> None:
        for argument in typing.get_args(kind):
            visit(argument)
        nested = isinstance(kind, type) and (dataclasses.is_dataclass(kind) or issubclass(kind, BaseModel | StrEnum))
        if nested and kind not in found and kind not in ELSEWHERE:
            if kind not in events:
                found.append(kind)
            for hint in () if _is_enum(kind) else typing.get_type_hints(kind).values():
                visit(hint)

    for event in events:
        visit(event)
    return found


def _is_enum(value: type) -> typing.TypeGuard[type[StrEnum]]:
    return issubclass(value, StrEnum)


def _kind(event: type) -> str:
    return str(typing.cast(type[Event], event).model_fields["type"].default)


def _link(value: type) -> str:
    name = _kind(value) if issubclass(value, Event) else value.__name__
    return f"[{name}](#{name.lower()})"


def _first_line(value: type) -> str:
    return _cell((inspect.getdoc(value) or "").split("\n\n")[0])


def _cell(text: str) -> str:
    """Text for a cell, in which Python's None is JSON's null."""
    return re.sub(r"\bNone\b", "`null`", " ".join(text.replace("|", "\\|").split()))


if __name__ == "__main__":
    sys.exit(main())
