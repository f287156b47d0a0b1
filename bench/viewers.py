"""What watching costs: CPU of the server for 50 viewers of one run at 10 events a second (at most 10 % of a core).

    python -m bench.viewers [--viewers 50] [--rate 10] [--seconds 8]

A child process serves the app's routes and headers over a fake engine; this one opens the viewers. The line tells the
CPU of the child (engine and store included) in percent of one core, and the delay from event to viewer in ms.
Exits with 1 if an event was missed or the target was not met.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bench.line import line

ROOT = Path(__file__).resolve().parents[1]
TARGET_PERCENT = 10.0
TOKENS = 25


def serve(folder: str, rate: float, seconds: float) -> None:
    """The child: prints its port and the run's id, then its CPU seconds for each line that it reads."""
    import threading

    import uvicorn
    from starlette.applications import Starlette
    from starlette.middleware import Middleware

    from flare_core.events import AnyEvent, ModelInfo, RunEnded, RunStarted, SentenceDrafted, Status, Token
    from flare_core.ports import Cancel
    from flare_core.runs import Runs, Store
    from flare_core.spec import RunSpec
    from pages.server import Hub, SecurityHeaders, routes

    go = threading.Event()
    token = Token(text=" word", logprob=-0.31)

    def engine(spec: RunSpec, cancel: Cancel) -> Iterator[AnyEvent]:
        model = ModelInfo(name="fake", kind="embedded", base_url="")
        yield RunStarted(seq=1, at=time.time(), flare_version="0", spec=spec, model=model, sources=spec.sources)
        go.wait()
        print(sum(os.times()[:2]), flush=True)
        began, count = time.monotonic(), int(rate * seconds)
        for n in range(1, count + 1):
            time.sleep(max(0.0, began + n / rate - time.monotonic()))
            draft = {"sentence": n, "text": " word" * TOKENS, "tokens": (token,) * TOKENS}
            yield SentenceDrafted(seq=n + 1, at=time.time(), aligned=True, passages=(), **draft)
        print(sum(os.times()[:2]), flush=True)
        yield RunEnded(seq=count + 2, at=time.time(), status=Status.COMPLETE, reason="sentences", message="Done.")

    runs = Runs(Store(Path(folder) / "runs.db"), engine)
    app = Starlette(routes=routes(Hub(lambda: runs)), middleware=[Middleware(SecurityHeaders)])
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="error", access_log=False))
    threading.Thread(target=server.run, daemon=True).start()
    while not server.started:
        time.sleep(0.01)
    print(server.servers[0].sockets[0].getsockname()[1], runs.start(RunSpec(topic="Benchmark")), flush=True)
    sys.stdin.readline()  # all viewers are there
    go.set()
    sys.stdin.read()
    runs.close()


async def view(port: int, run_id: str, there: asyncio.Semaphore, delays: list[float]) -> int:
    """One viewer; how many events it saw, the first and the end included."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**20)
    writer.write(f"GET /api/runs/{run_id}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    seen = 0
    while line := await reader.readline():
        if not line.startswith((b"event: ", b"data: ")):
            continue
        if line.startswith(b"event: "):
            seen += 1
            if line == b"event: run_started\n":
                there.release()
        elif b'"type":"sentence_drafted"' in line:
            at = float(line.partition(b'"at":')[2].partition(b",")[0])
            delays.append((time.time() - at) * 1000)
        elif b'"last_seq"' in line:
            break
    writer.close()
    return seen


async def watch(port: int, run_id: str, viewers: int, child: subprocess.Popen[str]) -> tuple[list[int], list[float]]:
    there, delays = asyncio.Semaphore(0), []
    tasks = [asyncio.create_task(view(port, run_id, there, delays)) for _ in range(viewers)]
    for _ in range(viewers):
        await there.acquire()
    child.stdin.write("go\n")
    child.stdin.flush()
    return list(await asyncio.gather(*tasks)), sorted(delays)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--viewers", type=int, default=50)
    parser.add_argument("--rate", type=float, default=10.0, help="events a second")
    parser.add_argument("--seconds", type=float, default=8.0)
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.serve:
        serve(args.serve, args.rate, args.seconds)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        settings = ["--serve", folder, "--rate", str(args.rate), "--seconds", str(args.seconds)]
        command = [sys.executable, "-m", "bench.viewers", *settings]
        child = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        try:
            port, run_id = child.stdout.readline().split()
            seen, delays = asyncio.run(watch(int(port), run_id, args.viewers, child))
            before, after = float(child.stdout.readline()), float(child.stdout.readline())
        finally:
            child.stdin.close()
            child.wait(10)
    percent = 100 * (after - before) / args.seconds
    wanted = int(args.rate * args.seconds) + 3  # and the start, the end of the run, the end of the stream
    missed = sum(wanted - count for count in seen)
    met = line(
        "viewers: CPU of the server", round(percent, 1), TARGET_PERCENT, percent <= TARGET_PERCENT and not missed,
        unit="% of a core", viewers=args.viewers, events_per_second=args.rate, seconds=args.seconds, missed=missed,
        delay_ms_p50=round(delays[len(delays) // 2], 1), delay_ms_p95=round(delays[int(len(delays) * 0.95)], 1),
    )  # fmt: skip
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
