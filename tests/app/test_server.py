"""The routes beside the pages: the events of a run as they come, its trace, health."""

from __future__ import annotations

import http.client
import json
import threading
import time

import pytest
import uvicorn

from flare_core.events import EVENT
from flare_core.runs import RunStatus
from pages.server import Hub, channel
from tests.app.routes import SPEC, asgi, client, finished, parse, until
from tests.runs import fakes


def test_a_finished_run_is_told_from_its_first_event(service):
    runs = service(fakes.fast)
    run_id = finished(runs)
    answer = client(runs).get(f"/api/runs/{run_id}/events")
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["x-accel-buffering"] == "no"
    assert "content-encoding" not in answer.headers
    *told, end = parse(answer.text)
    assert [int(event["id"]) for event in told] == [1, 2, 3, 4, 5, 6, 7]
    assert [EVENT.validate_json(event["data"]) for event in told] == runs.events(run_id)
    assert [event["event"] for event in told] == [event.type for event in runs.events(run_id)]
    assert (end["event"], "id" in end) == ("end", False)
    assert json.loads(end["data"]) == {"status": "complete", "last_seq": 7}


@pytest.mark.parametrize(
    ("query", "headers", "first"),
    [
        ("?after=4", {}, 5),
        ("", {"Last-Event-ID": "6"}, 7),
        ("?after=1", {"Last-Event-ID": "3"}, 4),
    ],
)
def test_a_browser_goes_on_where_it_was(service, query, headers, first):
    runs = service(fakes.fast)
    run_id = finished(runs)
    told = parse(client(runs).get(f"/api/runs/{run_id}/events{query}", headers=headers).text)
    assert [int(event["id"]) for event in told[:-1]] == list(range(first, 8))


def test_a_browser_that_has_everything_is_told_the_end(service):
    runs = service(fakes.fast)
    told = parse(client(runs).get(f"/api/runs/{finished(runs)}/events?after=7").text)
    assert [event["event"] for event in told] == ["end"]


@pytest.mark.parametrize("after", ["-1", "x", "1.5", "²", "9" * 30])
def test_a_wrong_number_is_refused(service, after):
    runs = service(fakes.fast)
    answer = client(runs).get(f"/api/runs/{finished(runs)}/events", params={"after": after})
    assert answer.status_code == 400
    assert "error" in answer.json()


@pytest.mark.parametrize("path", ["events", "trace.jsonl"])
def test_an_unknown_run_is_not_found(service, path):
    answer = client(service(fakes.fast)).get(f"/api/runs/unknown/{path}")
    assert answer.status_code == 404
    assert answer.json()["error"]


def test_the_trace_is_the_log_one_event_a_line(service, monkeypatch):
    monkeypatch.setattr("pages.server.events.PAGE", 3)
    runs = service(fakes.fast)
    run_id = finished(runs)
    answer = client(runs).get(f"/api/runs/{run_id}/trace.jsonl")
    assert [EVENT.validate_json(line) for line in answer.content.splitlines()] == runs.events(run_id)
    assert answer.headers["content-disposition"] == f'attachment; filename="flare-{run_id[:8]}.jsonl"'
    assert "東京" in answer.text


def test_asking_for_the_head_alone_ends(service):
    runs = service(fakes.endless)
    run_id = runs.start(SPEC)
    for path in ("events", "trace.jsonl"):
        answer = client(runs).head(f"/api/runs/{run_id}/{path}")
        assert (answer.status_code, answer.content) == (200, b"")


def test_health_says_what_is_at_work(service):
    runs = service(fakes.endless)
    runs.start(SPEC)
    answer = client(runs).get("/api/health").json()
    assert (answer["status"], answer["runs"]) == ("ok", 1)


def test_too_many_viewers_are_asked_to_come_back(service, monkeypatch):
    monkeypatch.setattr(channel, "VIEWERS", 0)
    runs = service(fakes.fast)
    answer = client(runs).get(f"/api/runs/{finished(runs)}/events")
    assert answer.status_code == 503
    assert answer.headers["retry-after"] == "10"


def test_a_real_server_sends_at_once_and_notices_who_leaves(service):
    """Through the headers and a gzip layer, as in the app."""
    gate = threading.Event()

    def engine(spec, cancel):
        yield fakes.started(spec)
        gate.wait(5)
        yield fakes.accepted(2, 1)
        while not cancel.is_set():
            time.sleep(0.01)
        yield fakes.ended(3)

    runs = service(engine)
    hub = Hub(lambda: runs)
    server = uvicorn.Server(uvicorn.Config(asgi(hub), port=0, log_level="error"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    until(lambda: server.started)
    port = server.servers[0].sockets[0].getsockname()[1]
    run_id = runs.start(SPEC)
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    connection.request("GET", f"/api/runs/{run_id}/events", headers={"Accept-Encoding": "gzip"})
    answer = connection.getresponse()

    def next_event() -> bytes:
        return next(line for line in iter(answer.readline, b"") if line.startswith(b"event:")).strip()

    assert next_event() == b"event: run_started"
    gate.set()
    began = time.monotonic()
    assert next_event() == b"event: sentence_accepted"
    assert time.monotonic() - began < 2.0
    answer.close()
    connection.close()
    until(lambda: hub._channels == {})
    assert runs.info(run_id).status is RunStatus.RUNNING
    server.should_exit = True
    thread.join(5)
    assert not thread.is_alive()


def test_the_door_names_the_pages_and_the_routes():
    import app

    assert app.app.script_path.name == "main.py"
    assert not (app.app.script_path.parent / "pages").exists()
    assert [route.path for route in app.app._user_routes] == [
        "/api/runs/{run_id}/events", "/api/runs/{run_id}/trace.jsonl", "/api/health", "/write",
    ]  # fmt: skip
