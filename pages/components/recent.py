"""The list of runs that can be opened again."""

from __future__ import annotations

import time
from collections.abc import Sequence

import streamlit as st

from flare_core.runs import RunInfo
from pages.components.plain import plain

STATUS = {
    "queued": ("Waiting", "gray"),
    "running": ("Writing", "blue"),
    "stopping": ("Stopping", "blue"),
    "complete": ("Complete", "green"),
    "stopped": ("Stopped", "orange"),
    "out_of_budget": ("Budget used up", "orange"),
    "interrupted": ("Interrupted", "red"),
    "failed": ("Failed", "red"),
}


def recent(runs: Sequence[RunInfo]) -> None:
    """The newest runs; a click opens one on this page."""
    if not runs:
        return
    st.subheader("Recent runs", anchor=False)
    with st.container(gap="xxsmall"):
        for info in runs:
            _line(info)


def _line(info: RunInfo) -> None:
    label, color = STATUS[info.status]
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if st.button(plain(_short(info.topic)), key=f"open-{info.id}", type="tertiary"):
            st.query_params["run"] = st.session_state["shown_run"] = info.id
            st.rerun()
        st.badge(label, color=color)  # type: ignore[arg-type]
        st.caption(time.strftime("%-d %b %Y, %H:%M", time.localtime(info.started)), width="content")


def _short(topic: str) -> str:
    return topic if len(topic) <= 90 else topic[:89].rstrip() + "…"
