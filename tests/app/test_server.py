"""The routes beside the pages: the events of a run as they come, its trace, health, and who is let in."""

from __future__ import annotations

import asyncio
import http.client
import json
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.testclient import TestClient

from flare_core.events import EVENT
from flare_core.runs import Engine, Runs, RunStatus, Store
from flare_core.spec import RunSpec
from pages.server import Hub, SecurityHeaders, channel, routes
from tests.runs import fakes

SPEC = RunSpec(topic="Straße – 東京", sentences=5)


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Callable[[Engine], Runs]]:
    made: list[tuple[Runs, Store]] = []

    def make(engine: Engine) -> Runs:
        store = Store(tmp_path / "runs.db")
        made.append((Runs(store, engine), store))
        return made[-1][0]

    yield make
    for runs, store in made:
        runs.close()
        store.close()


def asgi(hub: Hub) -> Starlette:
    return Starlette(routes=routes(hub), middleware=[Middleware(SecurityHeaders), Middleware(GZipMiddleware)])


def client(runs: Runs) -> TestClient:
    return TestClient(asgi(Hub(lambda: runs)), base_url="http://localhost")


def finished(runs: Runs, spec: RunSpec = SPEC) -> str:
    run_id = runs.start(spec)
    list(runs.follow(run_id, timeout=5))
    return run_id


def parse(text: str) -> list[dict[str, str]]:
    """The events in a stream of server-sent events, comments and settings left out."""
    blocks = [
        dict(line.split(": ", 1) for line in block.split("\n")) for block in text.split("\n\n") if block.strip(":")
    ]
    return [block for block in blocks if "event" in block]


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 5
    while not condition():
        assert time.monotonic() < end, "did not happen in time"
        time.sleep(0.01)


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


@pytest.mark.parametrize(
    "host", ["localhost", "localhost:8501", "127.0.0.1:80", "[::1]:8501", "LOCALHOST", "localhost."]
)
def test_this_machine_is_let_in(service, host):
    assert client(service(fakes.fast)).get("/api/health", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "evil@localhost", "localhost/x", "[::1", ":80",
     "localhost:x", "127.0.0.1#.evil.example"],
)  # fmt: skip
def test_names_of_others_are_refused(service, host):
    answer = client(service(fakes.fast)).get("/api/health", headers={"Host": host})
    assert answer.status_code == 403
    assert "FLARE_ALLOWED_HOSTS" in answer.json()["error"]


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("http://localhost:8501", 200),
        ("http://evil.example", 403),
        ("null", 403),
        ("", 403),
        ("http://localhost.evil.example", 403),
    ],
)
def test_pages_of_others_are_refused(service, origin, status):
    assert client(service(fakes.fast)).get("/api/health", headers={"Origin": origin}).status_code == status


@pytest.mark.parametrize(
    ("setting", "host", "status"),
    [
        ("flare.example.org", "flare.example.org", 200),
        ("a.example, *.Example.org", "b.example.org:443", 200),
        ("*.example.org", "example.org", 403),
        ("*.example.org", "badexample.org", 403),
        ("192.168.0.2", "192.168.0.2:8501", 200),
        ("*", "whatever.example", 200),
        ("", "whatever.example", 403),
    ],
)
def test_further_names_are_let_in_by_setting(service, monkeypatch, setting, host, status):
    monkeypatch.setenv("FLARE_ALLOWED_HOSTS", setting)
    assert client(service(fakes.fast)).get("/api/health", headers={"Host": host}).status_code == status


def test_every_answer_carries_the_headers(service):
    for path in ("/api/health", "/api/runs/unknown/events", "/nowhere"):
        headers = client(service(fakes.fast)).get(path).headers
        assert "img-src 'self' data: blob:;" in headers["content-security-policy"]
        assert "object-src 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "SAMEORIGIN"
        assert headers["referrer-policy"] == "same-origin"


async def watched(hub: Hub, run_id: str, after: int = 0) -> list[dict[str, str]]:
    with hub.join(run_id, hub.runs().info(run_id).last_seq) as joined:
        return parse(b"".join([chunk async for chunk in joined.watch(after)]).decode())


def test_many_viewers_see_all_and_each_event_is_put_into_words_once(service, monkeypatch):
    runs, framed = service(fakes.paced(0.02)), []
    frame = channel.frame
    monkeypatch.setattr(channel, "frame", lambda row: framed.append(row.seq) or frame(row))

    async def main() -> list[list[dict[str, str]]]:
        hub = Hub(lambda: runs)
        run_id = runs.start(SPEC)
        seen = await asyncio.gather(*(watched(hub, run_id) for _ in range(50)))
        assert hub._channels == {}
        return seen

    seen = asyncio.run(asyncio.wait_for(main(), 20))
    for events in seen:
        assert [int(event["id"]) for event in events if "id" in event] == [1, 2, 3, 4, 5, 6, 7]
        assert events[-1]["event"] == "end"
    assert sorted(framed)[-6:] == [2, 3, 4, 5, 6, 7]
    assert len(framed) <= 7 + 50  # the first may have been in the store before they came


def test_a_viewer_that_lags_far_behind_misses_nothing(service, monkeypatch):
    monkeypatch.setattr(channel, "KEEP", 4)
    monkeypatch.setattr(channel, "PAGE", 7)
    runs = service(fakes.paced(0.001))

    async def main() -> list[int]:
        hub = Hub(lambda: runs)
        run_id = runs.start(SPEC.model_copy(update={"sentences": 60}))
        numbers = []
        with hub.join(run_id, 0) as joined:
            async for chunk in joined.watch(0):
                numbers += [int(event["id"]) for event in parse(chunk.decode()) if "id" in event]
                await asyncio.sleep(0.03)
        return numbers

    assert asyncio.run(asyncio.wait_for(main(), 20)) == list(range(1, 63))


def test_drafts_are_shown_live_without_a_number(service):
    runs = service(fakes.drafting)

    async def main() -> list[dict[str, str]]:
        return await watched(Hub(lambda: runs), runs.start(SPEC))

    told = asyncio.run(asyncio.wait_for(main(), 20))
    drafts = [event for event in told if event["event"] == "drafting"]
    assert 3 <= len(drafts) <= 20
    assert all("id" not in draft for draft in drafts)
    kinds = [event["event"] for event in told if event["event"] != "drafting"]
    assert kinds == ["run_started", "sentence_accepted", "run_ended", "end"]


def test_a_quiet_run_sends_a_comment_now_and_then(service, monkeypatch):
    monkeypatch.setattr(channel, "QUIET_SECONDS", 0.05)
    runs = service(fakes.endless)

    async def main() -> list[bytes]:
        hub, chunks = Hub(lambda: runs), []
        run_id = runs.start(SPEC)
        with hub.join(run_id, 0) as joined:
            async for chunk in joined.watch(0):
                chunks.append(chunk)
                if len(chunks) == 5:
                    return chunks
        return chunks

    assert asyncio.run(asyncio.wait_for(main(), 5))[-2:] == [b":\n\n", b":\n\n"]


def test_viewers_are_let_go_when_the_server_ends(service):
    runs = service(fakes.endless)

    async def main() -> list[dict[str, str]]:
        hub = Hub(lambda: runs)
        task = asyncio.create_task(watched(hub, runs.start(SPEC)))
        await asyncio.sleep(0.2)
        hub.close()
        return await task

    assert [event["event"] for event in asyncio.run(asyncio.wait_for(main(), 5))] == ["run_started"]


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
    assert time.monotonic() - began < 0.5
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
