"""Whatever a model says and a source finds, the log keeps its promises (`story.check`)."""

from __future__ import annotations

import random
import threading
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flare_core.errors import ModelError, SourceError
from flare_core.events import Alternative, Decided, SearchOutcome, Token
from flare_core.replay import replay
from tests.engine.story import TALES, write
from tests.fakes import Asked, FakeModel, FakeSource, Said, passage

WORDS = [w for line in TALES for w in line.split()] + ["1867", "東京", "é", "“no”", "Dr.", "3.5", "-", "#", "\u200f"]
ENDS = [".", ".", ".", "!", "?", "…", "。", ".”", "\n", "\n\n", ".\n", " ", ". And", "", "?!"]


def babble(seed: int, cancel: threading.Event) -> Any:
    """A model that says anything, with any probabilities; the same for the same prompt."""

    def say(asked: Asked) -> Said:
        chance = random.Random(f"{seed} {asked.prompt.user} {asked.prompt.started[-60:]}")
        for _ in range(chance.choice([0, 1, 3, 9])):
            for _ in range(chance.randint(0, 12)):
                word: Any = " " + chance.choice(WORDS)
                p = chance.choice([None, 0.01, 0.3, 0.9, 0.99, 1.0, chance.random() or 0.5])
                if chance.random() < 0.1:
                    data = word.encode()
                    yield from ((data[i : i + 2], p) for i in range(0, len(data), 2))
                else:
                    yield (word, p)
            yield (chance.choice(ENDS), chance.random() or 0.5)
            if chance.random() < 0.01:
                yield ModelError("It broke.", "Wait.")
            if chance.random() < 0.01:
                yield cancel.set

    return say


def anything(seed: int, name: str) -> FakeSource:
    """A source that finds anything or fails somehow."""

    def find(query: str) -> Any:
        chance = random.Random(f"{seed} {name} {query}")
        if chance.random() < 0.02:
            return SourceError("It is gone.", "Look for it.")
        if chance.random() < 0.2:
            return chance.choice(list(SearchOutcome))
        return [
            passage(f"P{n}", ". ".join(TALES[n::5]) + ".", url=f"https://example.org/{n % 5}")
            for n in chance.sample(range(12), chance.randint(0, 6))
        ]

    return FakeSource(find, name)


specs = st.fixed_dictionaries({
    "theta": st.sampled_from(["auto", "always", "never"]) | st.floats(0, 1),
    "beta": st.none() | st.floats(0, 1),
    "query": st.sampled_from(["mask", "question"]),
    "mask_unit": st.sampled_from(["word", "token"]),
    "compare": st.sampled_from(["<", "<="]),
    "initial": st.booleans(),
    "draft_docs": st.sampled_from(["none", "first", "last"]),
    "keep_first": st.booleans(),
    "empty_query": st.sampled_from(["sentence", "skip"]),
    "until": st.sampled_from(["length", "stop"]),
    "expand_spans": st.sampled_from(["word", "model", "none"]),
    "strategy": st.sampled_from(["direct", "direct", "direct", "single", "none"]),
    "top_k": st.integers(1, 4),
    "draft_tokens": st.integers(8, 30),
    "sentences": st.integers(1, 9),
    "words": st.none() | st.integers(10, 80),
    "budget_tokens": st.none() | st.integers(1, 300),
    "budget_searches": st.none() | st.integers(0, 6),
})  # fmt: skip


@settings(max_examples=150)
@given(specs, st.integers(0, 10**6), st.sampled_from(["stream", "sentence"]), st.integers(1, 3), st.integers(1, 2))
def test_every_log_keeps_its_promises(spec: dict[str, Any], seed: int, mode: Any, size: int, sources: int) -> None:
    cancel = threading.Event()
    model = FakeModel(babble(seed, cancel), per_piece=size)
    found = [anything(seed, f"source {n}") for n in range(sources)]
    written = write(model, found, cancel=cancel, drafting=mode, **spec)
    assert len(model.asked) < 500
    if spec["strategy"] != "direct" or spec["theta"] == "never":
        assert not any(event.retrieve for event in written.all(Decided))
    if spec["budget_searches"] is not None:
        assert sum(len(source.queries) for source in found) <= spec["budget_searches"]


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.floats(0, 1), st.floats(0, 1))
def test_a_replay_at_another_theta_decides_as_the_rule_says(seed: int, recorded: float, other: float) -> None:
    written = write(FakeModel(babble(seed, threading.Event())), anything(seed, "s"), theta=recorded, sentences=6)
    for one in replay(written.events, theta=other):
        known = [token.p for token in one.draft.tokens if token.p is not None]
        if one.now.verdict in ("confident", "uncertain"):
            assert one.now.retrieve == any(p < other for p in known)
        assert one.now.theta == other and one.recorded.theta == recorded
    assert [one.now.retrieve for one in replay(written.events, theta="always")] == [True] * len(written.all(Decided))
    assert not any(one.now.retrieve for one in replay(written.events, theta="never"))


@pytest.mark.parametrize("preset", ["default", "paper", "released"])
def test_a_preset_runs_to_its_end(preset: str) -> None:
    written = write(FakeModel(babble(5, threading.Event())), anything(5, "s"), preset=preset, theta=0.4, sentences=6)
    assert written.all(type(written.events[0]))[0].spec.preset == preset


def test_half_a_surrogate_pair_from_a_server_can_be_logged() -> None:
    odd = Token(" \ud83d", -0.1, (Alternative(" \ud83d", -0.1), Alternative("\udc00", -3.0)))
    written = write(FakeModel([[" It", odd, " rained", ".", " They", " left", "."]]), sentences=1)
    assert written.texts == ["It \ufffd rained."] and written.outcomes == ["confident"]
