"""One custom element with three views: a run as it is written, a report to read, a strip of tokens.

Its scripts and styles are the files in assets/, joined when this module is loaded. Whatever is shown goes to it as
JSON and into the page as text nodes, so nothing that a model or a web page wrote is ever read as markup.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from flare_core.events import AnyEvent, Decided, Token
from flare_core.report.fold import ReportState
from pages.components.article import article

ASSETS = Path(__file__).resolve().parents[2] / "assets"
SCRIPTS = ("dom", "fold", "tokens", "diff", "panels", "stream", "essay", "instrument", "run", "report", "index")
STYLES = ("base", "tokens", "panels", "essay", "run")


def _script() -> str:
    words = json.loads((ASSETS / "words.json").read_text("utf-8"))
    parts = [(ASSETS / "js" / f"{name}.js").read_text("utf-8") for name in SCRIPTS]
    return "\n".join([f"const WORDS = {json.dumps(words)};", *parts])


def _style() -> str:
    return "\n".join((ASSETS / "css" / f"{name}.css").read_text("utf-8") for name in STYLES)


_mount = st.components.v2.component("flare", js=_script(), css=_style())


def _nothing() -> None:
    """A callback, so that the element's result always has the name."""


def stream_url(run_id: str) -> str:
    """Where the server sends the events of a run."""
    return f"/api/runs/{run_id}/events"


def live_run(
    run_id: str, *, running: bool, events: Sequence[AnyEvent] | None = None, key: str = "live"
) -> tuple[bool, bool]:
    """The page of a run, drawn by the browser from the server's stream, or from `events` where they are given.

    Returns whether the run has just ended, and whether the stream was lost.
    """
    data: dict[str, Any] = {"view": "run", "id": run_id, "running": running}
    data |= {"url": stream_url(run_id)} if events is None else {"events": _json(events)}
    result = _mount(key=key, data=data, on_finished_change=_nothing, on_lost_change=_nothing)
    return bool(result.finished), result.lost is not None


def reading(
    run_id: str, state: ReportState, *, marks: bool, events: Sequence[AnyEvent] | None = None, key: str = "article"
) -> bool:
    """The finished report. The log behind its sentences is fetched when the first of them is opened.

    Returns whether it could not be fetched, so that `events` must be given.
    """
    data: dict[str, Any] = {"view": "report", "id": run_id, "marks": marks, "report": article(state)}
    data |= {"url": stream_url(run_id)} if events is None else {"events": _json(events)}
    return _mount(key=key, data=data, on_lost_change=_nothing).lost is not None


def token_strip(
    tokens: Sequence[Token], decided: Decided | None = None, *, masked: Sequence[int] = (), key: str = "tokens"
) -> None:
    """Tokens as running text, each showing how sure the model was of it."""
    data: dict[str, Any] = {
        "view": "strip",
        "id": key,
        "tokens": [{"text": t.text, "raw": t.raw, "p": t.p, "top": _alternatives(t)} for t in tokens],
        "below": list(decided.below) if decided else [],
        "masked": list(masked),
        "theta": decided.theta if decided else None,
        "beta": decided.beta if decided else None,
    }
    _mount(key=key, data=data)


def _alternatives(token: Token) -> list[dict[str, Any]]:
    return [{"text": other.text, "logprob": other.logprob} for other in token.top]


def _json(events: Sequence[AnyEvent]) -> list[dict[str, Any]]:
    return [event.model_dump(mode="json") for event in events]
