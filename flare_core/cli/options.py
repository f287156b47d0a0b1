"""Command line options made from the fields of the run spec, so that names, help and ranges are the same everywhere."""

from __future__ import annotations

import argparse
from types import NoneType
from typing import Any, Literal, get_args, get_origin

from flare_core.errors import UsageError
from flare_core.presets import PRESETS
from flare_core.spec import RunSpec, make_spec

BUDGETS = ("tokens", "searches", "minutes")
_NOT_HERE = ("topic", "sources", "preset", *(f"budget_{name}" for name in BUDGETS))


def add_spec_options(parser: argparse.ArgumentParser) -> None:
    """An option for each field of the spec."""
    parser.add_argument("topic", metavar="TOPIC", help=RunSpec.model_fields["topic"].description)
    add_sources(parser)
    parser.add_argument("--preset", choices=list(PRESETS), default="default", help=_help("preset"))
    for name, field in RunSpec.model_fields.items():
        if name not in _NOT_HERE:
            _add(parser, name, field.annotation)
    parser.add_argument(
        "--budget",
        action="append",
        default=[],
        metavar="NAME=N",
        help="What may be spent: tokens=N, searches=N or minutes=N; several with commas, or the option again.",
    )


def add_sources(parser: argparse.ArgumentParser) -> None:
    """`--source`, once for each source."""
    parser.add_argument("--source", action="append", dest="sources", metavar="SOURCE", help=_help("sources"))


def spec_from(args: argparse.Namespace) -> RunSpec:
    """The spec that was asked for. Raises UsageError."""
    chosen = {name: getattr(args, name) for name in RunSpec.model_fields if getattr(args, name, None) is not None}
    chosen |= _budgets(args.budget)
    topic, preset = chosen.pop("topic"), chosen.pop("preset")
    if "sources" in chosen:
        chosen["sources"] = tuple(chosen["sources"])
    return make_spec(topic, preset, **chosen)


def theta(text: str) -> str | float:
    """`auto`, `never`, `always` or a number; what it may be is checked by the spec."""
    try:
        return float(text)
    except ValueError:
        return text


def _add(parser: argparse.ArgumentParser, name: str, kind: Any) -> None:
    option = "--" + name.replace("_", "-")
    if name == "theta":
        parser.add_argument(option, type=theta, metavar="auto|never|always|0..1", help=_help(name))
    elif kind is bool:
        parser.add_argument(option, action=argparse.BooleanOptionalAction, default=None, help=_help(name))
    elif get_origin(kind) is Literal:
        parser.add_argument(option, choices=list(get_args(kind)), help=_help(name))
    else:
        plain = next((part for part in get_args(kind) if part is not NoneType), kind)
        parser.add_argument(option, type=plain, metavar=_METAVARS.get(name, "N"), help=_help(name))


_METAVARS = {"lang": "CODE", "lm": "BASE_URL", "model": "NAME", "beta": "0..1", "target_share": "0..1"}


def _help(name: str) -> str:
    return (RunSpec.model_fields[name].description or "").replace("%", "%%")


def _budgets(texts: list[str]) -> dict[str, float]:
    budgets: dict[str, float] = {}
    for part in (part for text in texts for part in text.split(",")):
        name, _, amount = part.strip().partition("=")
        try:
            budgets[f"budget_{name}"] = float(amount) if name == "minutes" else int(amount)
        except ValueError:
            name = ""
        if name not in BUDGETS:
            raise UsageError(
                f"--budget {part.strip()!r} is not understood.", "Write tokens=N, searches=N or minutes=N."
            )
    return budgets
