"""One channel a run: many viewers, slow viewers, quiet runs, the end of the server."""

from __future__ import annotations

import asyncio

from pages.server import Hub, channel
from tests.app.routes import SPEC, parse
from tests.runs import fakes


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
