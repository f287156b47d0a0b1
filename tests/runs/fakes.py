"""Engines that need no model: each is a generator function as the service expects it."""

from __future__ import annotations

import time
from collections.abc import Iterator

from flare_core.events import (
    AnyEvent,
    Drafting,
    ModelInfo,
    Outcome,
    RunEnded,
    RunStarted,
    SentenceAccepted,
    Status,
)
from flare_core.ports import Cancel
from flare_core.spec import RunSpec

MODEL = ModelInfo(name="fake", kind="embedded", base_url="")


def started(spec: RunSpec) -> RunStarted:
    return RunStarted(seq=1, at=time.time(), flare_version="0", spec=spec, model=MODEL, sources=spec.sources)


def accepted(seq: int, number: int) -> SentenceAccepted:
    text = f"Sentence {number} – 東京 🗼."
    return SentenceAccepted(
        seq=seq, at=time.time(), sentence=number, text=text, before=" ", origin="draft", outcome=Outcome.CONFIDENT
    )


def ended(seq: int, status: Status = Status.COMPLETE, reason: str = "sentences") -> RunEnded:
    return RunEnded.model_validate(
        {"seq": seq, "at": time.time(), "status": status, "reason": reason, "message": "Done."}
    )


def fast(spec: RunSpec, cancel: Cancel) -> Iterator[AnyEvent]:
    yield started(spec)
    for number in range(1, spec.sentences + 1):
        yield Drafting(sentence=number, phase="draft", text="Sent")
        yield accepted(number + 1, number)
    yield ended(spec.sentences + 2)


def paced(seconds: float):
    """As `fast`, with a pause after each event; ends when asked to."""

    def engine(spec: RunSpec, cancel: Cancel) -> Iterator[AnyEvent]:
        seq = 0
        for event in fast(spec, cancel):
            if cancel.is_set():
                yield ended(seq + 1, Status.STOPPED, "user")
                return
            yield event
            seq = event.seq or seq
            time.sleep(seconds)

    return engine


def drafting(spec: RunSpec, cancel: Cancel) -> Iterator[AnyEvent]:
    """Writes one long draft at 200 tokens a second."""
    yield started(spec)
    for n in range(200):
        yield Drafting(sentence=1, phase="draft", text="x" * n)
        time.sleep(0.005)
    yield accepted(2, 1)
    yield ended(3)


def endless(spec: RunSpec, cancel: Cancel) -> Iterator[AnyEvent]:
    yield started(spec)
    while not cancel.is_set():
        time.sleep(0.01)
    yield ended(2, Status.STOPPED, "user")


def deaf(spec: RunSpec, cancel: Cancel) -> Iterator[AnyEvent]:
    """Does not listen to the cancel signal."""
    yield started(spec)
    time.sleep(0.8)
    yield ended(2)


def raising(spec: RunSpec, cancel: Cancel) -> Iterator[AnyEvent]:
    yield started(spec)
    yield accepted(2, 1)
    raise RuntimeError("broken pipe, key sk-abcdefgh12345678")


def silent(spec: RunSpec, cancel: Cancel) -> Iterator[AnyEvent]:
    yield started(spec)
