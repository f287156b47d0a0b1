"""Report: the text with its citations and sources, and behind each sentence how it came about."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from flare_core.events import Status
from flare_core.report.fold import ReportState, fold
from flare_core.runs import RunInfo
from pages import service
from pages.components import plain, reading
from pages.components.recent import recent

WRITE = Path(__file__).with_name("write.py")


def markdown(state: ReportState) -> str:
    """The report as a file."""
    from flare_core.report.markdown import render

    return render(state)


def trace(run_id: str) -> str:
    """The log, one event a line."""
    return "".join(row.json + "\n" for row in service.runs().rows(run_id))


def downloads(info: RunInfo, state: ReportState) -> None:
    """The report and its log as files, made when they are asked for."""
    name = f"flare-{info.id[:8]}"
    with st.popover("Download", icon=":material/download:"):
        st.download_button(
            "Report (Markdown)",
            lambda: markdown(state),
            f"{name}.md",
            "text/markdown",
            on_click="ignore",
            type="tertiary",
        )
        st.download_button(
            "Trace (JSON Lines)",
            lambda: trace(info.id),
            f"{name}.jsonl",
            "application/jsonl",
            on_click="ignore",
            type="tertiary",
            help="Every event of the run, one JSON object on each line.",
        )


def show(info: RunInfo) -> None:
    """The report of a run, so far as it is written."""
    state = fold(service.runs().events(info.id))
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        marks = st.toggle("Show evidence marks", key="marks", help="Before each sentence: what it stands on.")
        with st.container(horizontal=True, vertical_alignment="center", width="content"):
            st.page_link(WRITE, label="How it was written", icon=":material/edit:", query_params={"run": info.id})
            downloads(info, state)
    if info.active:
        st.info("This report is still being written: what stands here is what was accepted when you opened the page.")
    elif state.ended is None or state.ended.status != Status.COMPLETE:
        why = state.ended.message if state.ended else "The run has no end."
        st.warning(f"This report is not complete. {plain(why)}", icon=":material/content_cut:")
    if not state.accepted:
        st.write("No sentence was written in this run.")
        return
    key = f"lost-{info.id}"
    given = service.runs().events(info.id) if st.session_state.get(key) else None
    if reading(info.id, state, marks=marks, events=given) and given is None:
        st.session_state[key] = True
        st.rerun()


run_id = st.query_params.get("run") or st.session_state.get("shown_run")
found = service.runs().info(run_id) if run_id else None
if found is not None:
    st.query_params["run"] = st.session_state["shown_run"] = found.id
    show(found)
else:
    st.title("Report")
    if run_id:
        st.warning(
            "There is no such run. It may have been deleted, or the address is incomplete.",
            icon=":material/search_off:",
        )
    known = service.runs().recent(30)
    if not known:
        st.write("No report has been written yet.")
        st.page_link(WRITE, label="Write one", icon=":material/edit:")
    recent(known)
