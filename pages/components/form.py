"""The form of a new report. Labels, help and ranges come from the fields of the run spec."""

from __future__ import annotations

import os
from typing import Any, get_args

import streamlit as st
from pydantic.fields import FieldInfo

from flare_core.presets import PRESETS
from flare_core.spec import MAX_TOPIC, RunSpec
from pages.components.plain import plain

LANGUAGES = ("en", "fr", "es", "de", "it", "pt", "pl", "nl", "ru", "uk", "tr", "ar", "fa", "hi", "zh", "ja", "ko")
SOURCES = {"encyclopedia": "Encyclopedia", "web": "Web"}
THETAS = ("auto", "always", "never", "0.8", "0.6", "0.4")
SERVERS = ("embedded",)
NARROW = 150
"""Pixels under which the form drops a column."""
SHORT = ("lang", "sentences", "preset", "query", "theta", "beta", "lm", "model")
"""Fields that are always in sight, beside the topic and the sources; the others are under "Options"."""


def ask() -> dict[str, Any] | None:
    """Draws the form; what was chosen once it is sent, else None. Values may be wrong: `make_spec` says so."""
    with st.form("new", border=False):
        field = RunSpec.model_fields["topic"]
        topic = st.text_area(
            field.title or "",
            key="topic",
            height=96,
            max_chars=MAX_TOPIC,
            help=field.description,
            placeholder="A name, a question, a task, in any language",
        )
        with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
            sent = st.form_submit_button("Start writing", type="primary", icon=":material/edit_note:")
            st.caption(model_line(), width="stretch")
        chosen: dict[str, Any] = {"topic": topic or ""}
        with st.grid(5, min_column_width=NARROW):
            named = st.pills(
                "Sources",
                SOURCES,
                default=["encyclopedia"],
                selection_mode="multi",
                format_func=lambda name: SOURCES[name],
                key="sources",
                help=RunSpec.model_fields["sources"].description,
            )
            chosen |= {name: _field(name) for name in SHORT}
        chosen |= _options()
    chosen["sources"] = _sources(named, chosen.pop("urls"))
    return chosen if sent else None


def _sources(named: list[str], urls: str | None) -> tuple[str, ...]:
    pages = [url if "://" in url else f"https://{url}" for url in (urls or "").split()]
    return (*named, *(f"site:{url}" for url in pages))


def _options() -> dict[str, Any]:
    """The fields that few people touch."""
    chosen: dict[str, Any] = {}
    with st.expander("Options", icon=":material/tune:"):
        chosen["urls"] = st.text_area(
            "Own pages",
            key="urls",
            height=68,
            placeholder="https://example.org/article",
            help="Addresses of web pages to retrieve from, one on each line.",
        )
        with st.grid(4, min_column_width=NARROW):
            chosen |= {name: _field(name) for name in RunSpec.model_fields if name not in (*SHORT, "topic", "sources")}
    return chosen


def _field(name: str) -> Any:
    """A widget for one field of the spec; None where nothing was chosen."""
    field = RunSpec.model_fields[name]
    label, kinds = field.title or name, _kinds(field)
    free = name in PRESET_FIELDS or field.default is None
    shown: dict[str, Any] = {"key": f"field-{name}", "help": _help(name, field), "placeholder": _hint(name)}
    if name == "theta":
        picked = st.selectbox(label, THETAS, None, accept_new_options=True, **shown)
        return picked if picked in ("auto", "always", "never", None) else _number(picked)
    if name == "lm":
        return st.selectbox(label, SERVERS, None, accept_new_options=True, **shown)
    if name == "lang":
        return st.selectbox(label, LANGUAGES, 0, accept_new_options=True, **shown)
    if bool in kinds:
        at = None if free else 0 if field.default else 1
        return st.selectbox(label, (True, False), at, format_func=lambda yes: "Yes" if yes else "No", **shown)
    if int in kinds or float in kinds:
        low, high = _range(field)
        step, digits = (1, "%d") if int in kinds else (0.05, "%.2f")
        return st.number_input(label, low, high, None if free else field.default, step, digits, **shown)
    if kinds and all(isinstance(kind, str) for kind in kinds):
        return st.selectbox(label, kinds, None if free else kinds.index(field.default), **shown)
    return st.text_input(label, **shown) or None


PRESET_FIELDS = frozenset(name for preset in PRESETS.values() for name in preset) | {"beta"}


def _help(name: str, field: FieldInfo) -> str:
    default = {} if name not in PRESET_FIELDS else {p: v.get(name, field.default) for p, v in PRESETS.items()}
    values = "; ".join(f"{preset}: {'as θ' if value is None else value}" for preset, value in default.items())
    return f"{field.description} Presets: {values}." if values else field.description or ""


def _hint(name: str) -> str:
    """What an empty field means."""
    if name in PRESET_FIELDS:
        return "from preset"
    return "no limit" if name.startswith("budget") or name == "words" else "automatic"


def _kinds(field: FieldInfo) -> list[Any]:
    """The types that a field allows, None aside; for a choice, its values."""
    return [kind for kind in get_args(field.annotation) or (field.annotation,) if kind is not type(None)]


def _range(field: FieldInfo) -> tuple[Any, Any]:
    """The smallest and the largest value that the field's bounds allow."""
    bounds = {name: getattr(m, name) for m in field.metadata for name in ("ge", "gt", "le") if hasattr(m, name)}
    low, high = bounds.get("ge", bounds.get("gt")), bounds.get("le")
    number = int if int in _kinds(field) else float
    return (None if low is None else number(low), None if high is None else number(high))


def _number(text: str) -> float | str:
    try:
        return float(text.replace(",", "."))
    except ValueError:
        return text


def model_line() -> str:
    """Which model will write, as far as it is known before a run."""
    server = os.environ.get("OPENAI_BASE_URL") or ("OpenAI" if os.environ.get("OPENAI_API_KEY") else None)
    if server is None:
        return "Embedded SmolLM2-135M: weak, works offline. Token probabilities ✓"
    return f"Model server: {plain(server.rpartition('@')[2])}. Token probabilities are looked for at the start."
