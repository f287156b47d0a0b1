"""The engine's own time per token: a run against a local server of no latency, minus reading the same streams.

The server is a script in a process of its own (tests/fake_lm), the source answers from memory. First the engine
writes a report; its calls are written down. Then the adapter alone opens the same calls and reads each as far as the
engine did. What the first took longer is the engine: sentences, offsets, decisions, masks, prompts, events.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bench.line import line
from flare_core import engine
from flare_core.events import Passage, SearchOutcome, SearchReport
from flare_core.lm.openai_chat import OpenAIChat
from flare_core.ports import Cancel, Completion, Found, Piece, Prompt
from flare_core.spec import RunSpec, make_spec
from flare_core.text import similar, support
from tests.fake_lm import fake_lm_process
from tests.fake_lm.server import ALL

TARGET_US = 50.0
SENTENCES = 120
WORDS = 22
"""Tokens of a sentence, its full stop not counted."""
UNCERTAIN_EVERY = 4
"""Every fourth sentence holds two uncertain tokens."""
SYLLABLES = "ba ke li mo nu ra se ti vo za dri gan hel jor kas lem".split()


@dataclass(frozen=True)
class Asked:
    """A call that the engine made, and how many chunks it read."""

    prompt: Prompt
    settings: Mapping[str, Any]
    read: int


@dataclass
class Watched:
    """A model that writes down what it is asked."""

    model: OpenAIChat
    asked: list[Asked] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.info = self.model.info

    def stream(self, prompt: Prompt, **settings: Any) -> Completion:
        inner = self.model.stream(prompt, **settings)
        return Counted(inner, lambda read: self.asked.append(Asked(prompt, settings, read)))

    def close(self) -> None:
        self.model.close()


class Counted:
    """A completion that tells how many chunks were read when it is closed."""

    def __init__(self, inner: Completion, tell: Callable[[int], None]) -> None:
        self._inner, self._tell, self._read, self._told = inner, tell, 0, False
        self.usage = inner.usage

    @property
    def finish(self) -> str | None:
        return self._inner.finish

    def __iter__(self) -> Iterator[Piece]:
        for piece in self._inner:
            self._read += 1
            yield piece

    def close(self) -> None:
        self._inner.close()
        if not self._told:
            self._told = True
            self._tell(self._read)


class Memory:
    """A source that has three passages for everything."""

    name, attribution = "memory", ""

    def find(self, query: str, *, k: int, lang: str, cancel: Cancel) -> Found:
        text = " ".join(query.split()[:20] * 5)
        about = {"title": "Title", "url": "", "host": "", "source": self.name, "retrieved_at": 0.0}
        passages = tuple(
            (Passage(id=f"{query[:20]} {n}", text=f"{n} {text}", **about), 1.0 / (n + 1)) for n in range(k)
        )
        report = SearchReport(
            source=self.name, backend=self.name, query=query, outcome=SearchOutcome.OK, hits=k, ms=0.0
        )
        return Found((report,), (), passages, k)

    def close(self) -> None:
        """Nothing to close."""


def script(sentences: int) -> list[list[object]]:
    """Replies, more than a run makes calls; no two sentences are alike."""
    dice = random.Random(1)

    def sentence(sure: bool) -> list[object]:
        words = ["".join(dice.choices(SYLLABLES, k=3)) for _ in range(WORDS)]
        tokens: list[object] = [[f" {word}", -0.05] for word in [words[0].title(), *words[1:]]]
        if not sure:
            tokens[5], tokens[6] = [f" {words[5]}", -2.5], [f" {words[6]}", -1.9]
        return [*tokens, [".", -0.01]]

    reply = [n % UNCERTAIN_EVERY != UNCERTAIN_EVERY - 1 for n in range(2 * UNCERTAIN_EVERY)]
    return [[token for sure in reply for token in sentence(sure)] for _ in range(2 * sentences)]


@dataclass(frozen=True)
class Spent:
    """Seconds of the clock, and of this process on all its threads."""

    wall: float
    cpu: float


def timed(act: Callable[[], object]) -> Spent:
    wall, cpu = time.perf_counter(), time.process_time()
    act()
    return Spent(time.perf_counter() - wall, time.process_time() - cpu)


def drain(model: OpenAIChat, asked: Sequence[Asked]) -> int:
    """Read the same calls as far as the engine did; how many tokens came."""
    tokens = 0
    for call in asked:
        completion = model.stream(call.prompt, **call.settings)
        for place, piece in enumerate(completion, 1):
            tokens += len(piece.tokens)
            if place == call.read:
                break
        completion.close()
    return tokens


def first_run(spec: RunSpec, replies: list[list[object]]) -> list[Asked]:
    """The calls of a run. A server that begins again after so many replies serves every further run alike."""
    with fake_lm_process(replies) as base_url:
        watched = Watched(OpenAIChat(base_url, "fake-model", capabilities=ALL))
        try:
            end = list(engine.run(spec, model=watched, sources=[Memory()]))[-1]
        finally:
            watched.close()
    if end.status != "complete" or len(watched.asked) > len(replies):
        raise SystemExit(f"The script does not fit the engine: {end.message}")
    return watched.asked


def main() -> int:
    """Print CPU and wall time a token; 1 when the target was missed."""
    parser = argparse.ArgumentParser(prog="python -m bench.engine_time", description=__doc__.splitlines()[0])
    parser.add_argument("--repeat", type=int, default=9, help="how often both are measured, in turn")
    args = parser.parse_args()
    spec = make_spec("Benchmark", theta=0.25, beta=0.25, sentences=SENTENCES)
    replies = script(SENTENCES)
    asked = first_run(spec, replies)
    with fake_lm_process(replies[: len(asked)]) as base_url:
        model = OpenAIChat(base_url, "fake-model", capabilities=ALL)
        try:
            tokens = drain(model, asked)
            runs, drains = [], []
            for _ in range(args.repeat):
                similar._said.cache_clear()  # a run keeps what it has read, but knows nothing of the run before
                support._read.cache_clear()
                runs.append(timed(lambda: list(engine.run(spec, model=model, sources=[Memory()]))))
                drains.append(timed(lambda: drain(model, asked)))
        finally:
            model.close()
    return 0 if report(tokens, len(asked), runs, drains) else 1


def report(tokens: int, calls: int, runs: Sequence[Spent], drains: Sequence[Spent]) -> bool:
    """One line for CPU time, one for the clock: the quickest run less the quickest reading, medians beside them."""
    results = []
    for name in ("cpu", "wall"):
        whole, adapter = ([1e6 * getattr(spent, name) / tokens for spent in part] for part in (runs, drains))
        medians = {"run": round(statistics.median(whole), 1), "adapter": round(statistics.median(adapter), 1)}
        value = round(min(whole) - min(adapter), 1)
        results.append(
            line(
                f"engine: {name} time a token", value, TARGET_US, unit="µs", run=round(min(whole), 1),
                adapter=round(min(adapter), 1), medians=medians, tokens=tokens, calls=calls, repeat=len(runs),
            )
        )  # fmt: skip
    return all(results)


if __name__ == "__main__":
    sys.exit(main())
