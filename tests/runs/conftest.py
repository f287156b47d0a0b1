from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from flare_core.runs import Engine, Runs, Store
from flare_core.spec import RunSpec


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home with spaces?" / "runs.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    store = Store(path)
    yield store
    store.close()


@pytest.fixture
def service(store: Store) -> Iterator[Callable[..., Runs]]:
    """Makes services that are closed after the test."""
    made: list[Runs] = []

    def make(engine: Engine, **settings: object) -> Runs:
        made.append(Runs(store, engine, **settings))
        return made[-1]

    yield make
    for runs in made:
        runs.close()


@pytest.fixture
def spec() -> RunSpec:
    return RunSpec(topic="Straße № 5 – 東京", sentences=5)
