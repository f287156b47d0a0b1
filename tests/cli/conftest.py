"""The command line in this process, on fake ports or on a fake server."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from flare_core import engine
from flare_core.cli import main, search
from tests import fake_lm
from tests.fakes import FakeModel, FakeSource, passage, toks

Story = Callable[[int, list[str]], str]


@dataclass
class Said:
    """What a command came to."""

    code: int
    out: str
    err: str


@pytest.fixture
def flare(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Said]:
    """Runs a command. Sources are fakes; the model too, where one is given."""

    def run(*argv: str, model: FakeModel | None = None, sources: Sequence[FakeSource] | None = None) -> Said:
        found = [FakeSource(lambda _: [passage("P1", "Quite another matter.")])] if sources is None else list(sources)
        if model is not None:
            monkeypatch.setattr(engine, "open_model", lambda *_, **__: model)
        monkeypatch.setattr(engine, "open_sources", lambda spec: [] if spec.strategy == "none" else found)
        monkeypatch.setattr(search, "open_sources", lambda _: found)
        try:
            code = main(list(argv))
        except SystemExit as stop:  # argparse
            code = int(stop.code or 0)
        return Said(code, *capsys.readouterr())

    return run


def speaking(story: Story) -> Callable[[fake_lm.Call], Iterator[Any]]:
    """A script for a fake server that tells a story, as `fakes.author` does."""

    def say(call: fake_lm.Call) -> Iterator[Any]:
        n = call.started.count(".") + 1
        while sentence := story(n, re.findall(r"^- (.*)", call.user, re.M)):
            for text, p in toks(f" {sentence}" if n > 1 else sentence):
                yield text, None if p is None else math.log(p)
            n += 1

    return say


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    return tmp_path / "t.jsonl"
