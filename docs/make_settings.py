"""Writes docs/settings.md from the fields of the run spec (`make docs`)."""

from __future__ import annotations

import json
import sys
from itertools import groupby
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from pydantic.fields import FieldInfo

from flare_core.presets import DIFFERENCES, PRESETS
from flare_core.spec import MAX_TOPIC, RunSpec

TARGET = Path(__file__).with_name("settings.md")
GROUPS = {"what": "What to write", "method": "The method", "model": "The model", "budget": "Budgets"}
OPTIONS = {
    "topic": "`TOPIC`",
    "sources": "`--source` (again for each)",
    **{f"budget_{name}": f"`--budget {name}=N`" for name in ("tokens", "searches", "minutes")},
}
"""Where the option is not named after the field."""

HEAD = """# Settings of a run

*Written by `make docs` from `flare_core/spec.py`.*

The form on the page, the command line (`python -m flare_core write TOPIC --name value`), the library
(`make_spec(topic, preset, name=value)`) and the first event of a log use the same names.
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
    parts = [HEAD]
    for group, members in groupby(RunSpec.model_fields.items(), key=lambda item: _group(item[1])):
        rows = ["| setting | on the command line | what it does | values | default |", "|---|---|---|---|---|"]
        rows += [_row(name, field) for name, field in members]
        parts.append(f"## {GROUPS.get(group, group)}\n\n" + "\n".join(rows) + "\n")
    return "\n".join([*parts, _presets()])


def _row(name: str, field: FieldInfo) -> str:
    help_text = " ".join((field.description or "").replace("|", "\\|").split())
    cells = (
        f"**{field.title or name}** `{name}`",
        _option(name, field),
        help_text,
        _range(name, field),
        _default(field),
    )
    return f"| {' | '.join(cells)} |"


def _option(name: str, field: FieldInfo) -> str:
    option = name.replace("_", "-")
    return OPTIONS.get(name) or (f"`--{option}` `--no-{option}`" if field.annotation is bool else f"`--{option}`")


def _range(name: str, field: FieldInfo) -> str:
    """Allowed values in words."""
    if name == "topic":
        return f"text, up to {MAX_TOPIC:,} characters"
    choices = [choice for choice in _flat(field.annotation) if choice is not None]
    bounds = {key: _bound(field, key) for key in ("ge", "gt", "le")}
    low, high = bounds["ge"], bounds["le"]
    if low is not None and high is not None:
        return f"{low:,} to {high:,}"
    if low is not None:
        return f"{low:,} or more"
    if bounds["gt"] is not None:
        return f"more than {bounds['gt']:,}"
    return " ".join(choices)


def _flat(kind: Any) -> list[str | None]:
    """The choices in a type."""
    if get_origin(kind) is Literal:
        return [f"`{choice}`" for choice in get_args(kind)]
    if hasattr(kind, "__metadata__"):
        return ["or a number from 0 to 1"]
    if kind is bool:
        return ["`yes` `no`"]
    if kind is str or get_origin(kind) is tuple:
        return ["text"]
    return [choice for argument in get_args(kind) for choice in _flat(argument)] or [None]


def _bound(field: FieldInfo, key: str) -> Any:
    return next((getattr(bound, key) for bound in field.metadata if hasattr(bound, key)), None)


def _default(field: FieldInfo) -> str:
    value = field.default
    if field.is_required():
        return "required"
    if value is None:
        return "empty"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"`{', '.join(value) if isinstance(value, tuple) else value}`"


def _presets() -> str:
    """A table of what each preset sets."""
    names = [name for name, chosen in PRESETS.items() if chosen]
    settings = dict.fromkeys(setting for name in names for setting in PRESETS[name])
    rows = ["| setting | " + " | ".join(f"`{name}`" for name in names) + " |", "|---|" + "---|" * len(names)]
    for setting in settings:
        cells = " | ".join(
            f"`{json.dumps(PRESETS[name][setting])}`" if setting in PRESETS[name] else "the default" for name in names
        )
        rows.append(f"| `{setting}` | {cells} |")
    return (
        "## Presets\n\nWhat a preset does not name keeps its default; what you choose goes before it.\n\n"
        + "\n".join([*rows, ""])
        + "\n### What still differs from the paper and the authors' code\n\n"
        + "\n".join([*(f"- {difference}" for difference in DIFFERENCES), ""])
    )


def _group(field: FieldInfo) -> str:
    extra = field.json_schema_extra
    return str(extra.get("group", "")) if isinstance(extra, dict) else ""


if __name__ == "__main__":
    sys.exit(main())
