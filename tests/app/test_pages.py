"""Stories of the pages, told through AppTest: what a user does and what then stands on the screen."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from flare_core.events import AnyEvent, Capabilities, ModelInfo, RunEnded, RunStarted
from flare_core.ports import Cancel
from flare_core.runs import Runs, RunStatus, Store
from flare_core.spec import RunSpec, make_spec
from pages import service
from tests.app.sample_passages import HOSTILE
from tests.app.sample_run import engine

ROOT = Path(__file__).resolve().parents[2]
TOPIC = "Marie Curie"


@pytest.fixture
def runs(tmp_path: Path) -> Iterator[Runs]:
    """The service with an engine that plays the sample at once."""
    store = Store(tmp_path / "runs.db")
    with Runs(store, engine()) as made:
        service.use(made)
        yield made
        service.use(None)
    store.close()


def open_app(page: str = "", **query: str) -> AppTest:
    app = AppTest.from_file(str(ROOT / "pages" / "main.py"), default_timeout=20)
    for name, value in query.items():
        app.query_params[name] = value
    app.run()
    if page:
        app.switch_page(page).run()
    assert not app.exception
    return app


def press(app: AppTest, label: str) -> AppTest:
    app = next(button for button in app.button if button.label == label).click().run()
    assert not app.exception
    return app


def drawn(app: AppTest) -> dict[str, Any]:
    """What was given to the element on the page."""
    (element,) = app.get("bidi_component")
    return json.loads(element.proto.json)


def wait_for_end(runs: Runs, run_id: str) -> None:
    for _ in range(200):
        info = runs.info(run_id)
        if info is not None and not info.active:
            return
        time.sleep(0.02)
    raise AssertionError("the run did not end")


def finished(runs: Runs, topic: str = TOPIC) -> str:
    run_id = runs.start(make_spec(topic))
    wait_for_end(runs, run_id)
    return run_id


def test_a_topic_is_written_about_and_the_address_holds_the_run(runs: Runs) -> None:
    app = open_app()
    app.text_area(key="topic").set_value(TOPIC)
    app = press(app, "Start writing")
    run_id = app.query_params["run"]
    assert runs.info(run_id).topic == TOPIC  # type: ignore[union-attr]
    assert drawn(app) == {
        "view": "run",
        "id": run_id,
        "running": drawn(app)["running"],
        "url": f"/api/runs/{run_id}/events",
    }


def test_the_form_passes_on_what_was_chosen(runs: Runs) -> None:
    app = open_app()
    app.text_area(key="topic").set_value(TOPIC)
    app.selectbox(key="field-preset").select("paper")
    app.selectbox(key="field-query").select("question")
    app.number_input(key="field-sentences").set_value(3)
    app.number_input(key="field-beta").set_value(0.3)
    app.text_area(key="urls").set_value("example.org/a\nhttps://example.org/b")
    spec = runs.info(press(app, "Start writing").query_params["run"]).spec  # type: ignore[union-attr]
    assert (spec.preset, spec.query, spec.sentences, spec.beta) == ("paper", "question", 3, 0.3)
    assert spec.theta == 0.8, "what was not chosen comes from the preset"
    assert spec.sources == ("encyclopedia", "site:https://example.org/a", "site:https://example.org/b")


def test_an_untouched_form_is_the_default_spec(runs: Runs) -> None:
    app = open_app()
    app.text_area(key="topic").set_value(TOPIC)
    assert runs.info(press(app, "Start writing").query_params["run"]).spec == make_spec(TOPIC)  # type: ignore[union-attr]


@pytest.mark.parametrize("topic", ["", "   ", "?!"])
def test_an_empty_topic_is_refused_at_the_form(runs: Runs, topic: str) -> None:
    app = open_app()
    app.text_area(key="topic").set_value(topic)
    app = press(app, "Start writing")
    assert "topic is empty" in app.error[0].value
    assert app.text_area(key="topic").value == topic
    assert runs.recent() == []


def test_a_wrong_setting_is_named_and_nothing_starts(runs: Runs) -> None:
    app = open_app()
    app.text_area(key="topic").set_value(TOPIC)
    app.text_area(key="urls").set_value("ftp://example.org/x")
    app = press(app, "Start writing")
    assert "Unknown source" in app.error[0].value
    assert runs.recent() == []


def test_a_new_report_after_another_is_another_run(runs: Runs) -> None:
    app = open_app()
    app.text_area(key="topic").set_value(TOPIC)
    app = press(press(app, "Start writing"), "New report")
    assert len(runs.recent()) == 1
    app.text_area(key="topic").set_value(TOPIC)
    press(app, "Start writing")
    assert len(runs.recent()) == 2


def test_a_second_tab_shows_the_same_run(runs: Runs) -> None:
    run_id = finished(runs)
    assert drawn(open_app(run=run_id))["id"] == run_id


def test_an_unknown_run_is_said_and_the_form_is_there(runs: Runs) -> None:
    app = open_app(run="no-such-run")
    assert "no such run" in app.warning[0].value
    assert app.text_area(key="topic")


def test_a_run_can_be_stopped(runs: Runs, tmp_path: Path) -> None:
    with Runs(Store(tmp_path / "slow.db"), engine(pace=0.05)) as slow:
        service.use(slow)
        app = open_app()
        app.text_area(key="topic").set_value(TOPIC)
        app = press(app, "Start writing")
        run_id = app.query_params["run"]
        press(app, "Stop")
        wait_for_end(slow, run_id)
        assert slow.info(run_id).status == RunStatus.STOPPED  # type: ignore[union-attr]


def test_a_finished_run_leads_to_its_report(runs: Runs) -> None:
    run_id = finished(runs)
    app = press(open_app(run=run_id), "Read the report")
    assert app.query_params["run"] == run_id
    assert drawn(app)["view"] == "report"


def test_changing_the_page_keeps_the_run(runs: Runs) -> None:
    run_id = finished(runs)
    app = open_app(run=run_id)
    app.query_params.clear()
    app.switch_page(str(ROOT / "pages" / "report.py")).run()
    assert drawn(app)["id"] == run_id


def test_recent_runs_open_again(runs: Runs) -> None:
    run_id = finished(runs)
    app = open_app()
    app = app.button(key=f"open-{run_id}").click().run()
    assert app.query_params["run"] == run_id


def test_the_report_has_citations_sources_and_credits(runs: Runs) -> None:
    app = open_app(str(ROOT / "pages" / "report.py"), run=finished(runs))
    report = drawn(app)["report"]
    assert [s["cites"] for s in report["sentences"]] == [[], [1, 2], [], [], [3, 4]]
    assert [s["number"] for s in report["sources"]] == [1, 2, 3, 4]
    assert [s["sentences"] for s in report["sources"]] == [[2], [2], [5], [5]]
    assert len(report["unused"]) == 1
    assert report["credits"] == ["Wikipedia contributors, CC BY-SA 4.0"]
    assert report["counts"] == {"memory": 1, "supported": 2, "unsupported": 1, "failed": 1}


def test_evidence_marks_are_off_until_asked_for(runs: Runs) -> None:
    app = open_app(str(ROOT / "pages" / "report.py"), run=finished(runs))
    assert drawn(app)["marks"] is False
    assert drawn(app.toggle(key="marks").set_value(True).run())["marks"] is True


def test_the_report_page_without_a_run_offers_those_there_are(runs: Runs) -> None:
    app = open_app(str(ROOT / "pages" / "report.py"))
    assert "No report has been written yet." in app.markdown[0].value
    run_id = finished(runs)
    assert app.run().button(key=f"open-{run_id}")


def test_hostile_text_reaches_no_markdown(runs: Runs) -> None:
    topic = f"Curie {HOSTILE}"
    run_id = finished(runs, topic)
    for app in (open_app(run=run_id), open_app(), open_app(str(ROOT / "pages" / "report.py"), run=run_id)):
        assert not app.html
        for element in (*app.markdown, *app.title, *app.caption, *app.error, *app.warning):
            assert not getattr(element.proto, "allow_html", False)
            if "onerror" in element.value:
                assert not re.search(r"(?<!\\)[<>$!\[\]()*`]|:(?!\u2060)(?=\w)", element.value), element.value


def _without_probabilities(spec: RunSpec, cancel: Cancel) -> Iterator[AnyEvent]:
    model = ModelInfo(
        name="silent", kind="endpoint", base_url="http://127.0.0.1:1/v1", capabilities=Capabilities(logprobs=False)
    )
    yield RunStarted(seq=1, flare_version="1", spec=spec, model=model, sources=("encyclopedia",))
    message = "The model silent gives no token probabilities, so a threshold θ cannot decide."
    yield RunEnded(seq=2, status="failed", reason="error", message=message, remedy="Set θ to always.")  # type: ignore[arg-type]


def test_a_model_without_probabilities_offers_to_retrieve_always(runs: Runs, tmp_path: Path) -> None:
    with Runs(Store(tmp_path / "silent.db"), _without_probabilities) as silent:
        service.use(silent)
        app = open_app(run=finished(silent))
        app = press(app, "Run again with retrieval: always")
        assert silent.info(app.query_params["run"]).spec.theta == "always"  # type: ignore[union-attr]
        wait_for_end(silent, app.query_params["run"])
        labels = [button.label for button in app.run().button]
        assert "Run again with retrieval: always" not in labels, "it is no way on any more"
        assert "Read the report" not in labels, "there is nothing to read"


def test_a_failed_run_can_be_tried_again(runs: Runs, tmp_path: Path) -> None:
    with Runs(Store(tmp_path / "silent.db"), _without_probabilities) as silent:
        service.use(silent)
        run_id = finished(silent)
        app = press(open_app(run=run_id), "Try again")
        again = silent.info(app.query_params["run"])
        assert again.id != run_id  # type: ignore[union-attr]
        assert again.spec == silent.info(run_id).spec  # type: ignore[union-attr]
