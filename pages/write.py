"""Write: ask for a report, or watch one being written. The address holds the run, so every tab shows the same."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Any

import streamlit as st

from flare_core.errors import FlareError
from flare_core.events import RunEnded, RunStarted
from flare_core.runs import RunInfo, RunStatus
from flare_core.spec import RunSpec, make_spec
from pages import service
from pages.components import live_run, plain
from pages.components.form import ask
from pages.components.recent import recent

REPORT = Path(__file__).with_name("report.py")


def start(spec: RunSpec) -> None:
    """Start a run and go to it. Sent twice by a hasty finger, it still starts once."""
    request_id = st.session_state.setdefault("request", uuid.uuid4().hex)
    run_id = service.runs().start(spec, request_id=request_id)
    del st.session_state["request"]
    open_run(run_id)


def open_run(run_id: str | None) -> None:
    """Show this run, or with None the form."""
    if run_id is None:
        st.query_params.clear()
        st.session_state.pop("shown_run", None)
    else:
        st.query_params["run"] = st.session_state["shown_run"] = run_id
    st.rerun()


def new_report() -> None:
    """The form, and the runs that can be opened again."""
    st.title("What should the report be about?")
    problems = st.container()
    chosen = ask()
    if chosen is not None:
        try:
            start(make_spec(**{**chosen, "preset": chosen["preset"] or "default"}))
        except FlareError as error:
            for line in str(error).splitlines():
                problems.error(plain(line), icon=":material/error:")
    st.caption("An API key is only taken from the environment variable `OPENAI_API_KEY`, never from this page.")
    recent(service.runs().recent(12))


def show_run(info: RunInfo) -> None:
    """A run from its first event to its end."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.title(plain(info.topic), anchor=False, width="stretch")
        if info.active and st.button("Stop", icon=":material/stop_circle:", disabled=info.status == RunStatus.STOPPING):
            service.runs().stop(info.id)
            st.rerun()
        if written(info) and st.button("Read the report", type="primary", icon=":material/article:"):
            st.switch_page(REPORT, query_params={"run": info.id})
        if st.button("New report", icon=":material/add:"):
            open_run(None)
    if st.session_state.get("poll") == info.id:
        poll(info.id)
    else:
        finished, lost = live_run(info.id, running=info.active)
        if lost:
            st.session_state["poll"] = info.id
        if finished or lost:
            st.rerun()
    if not info.active:
        again(info)


@st.fragment(run_every=1)
def poll(run_id: str) -> None:
    """The run without a stream, where something between server and browser holds it back."""
    info, runs = service.runs().info(run_id), service.runs()
    if info is None:
        return
    draft = runs.live(run_id)
    live_run(run_id, running=info.active, events=[*runs.events(run_id), *([draft] if draft else [])], key="polled")
    if not info.active and st.session_state.pop("polling", False):
        st.rerun()
    st.session_state["polling"] = info.active


def written(info: RunInfo) -> bool:
    """Whether the run has ended with something to read."""
    return not info.active and any(row.type == "sentence_accepted" for row in service.runs().rows(info.id))


def again(info: RunInfo) -> None:
    """Ways on for a run that failed or was cut off."""
    if info.status not in (RunStatus.FAILED, RunStatus.INTERRUPTED):
        return
    if st.button("Try again", icon=":material/replay:"):
        start(info.spec)
    events: list[Any] = service.runs().events(info.id)
    started = next((e for e in events if isinstance(e, RunStarted)), None)
    ended = next((e for e in events if isinstance(e, RunEnded)), None)
    silent = started and ended and started.model.capabilities.logprobs is False
    if silent and info.spec.theta not in ("always", "never"):
        st.write("This model gives no token probabilities. Flare can retrieve for every sentence instead.")
        if st.button("Run again with retrieval: always", type="primary", icon=":material/travel_explore:"):
            start(info.spec.model_copy(update={"theta": "always"}))


run_id = st.query_params.get("run") or st.session_state.get("shown_run")
found = service.runs().info(run_id) if run_id else None
if found is not None:
    st.query_params["run"] = st.session_state["shown_run"] = found.id
    show_run(found)
else:
    if run_id:
        st.warning(
            "There is no such run. It may have been deleted, or the address is incomplete.",
            icon=":material/search_off:",
        )
    new_report()
