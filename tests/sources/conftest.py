"""A fresh local site for each test, and one pool of extraction processes for all."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))  # for `tests.local_site`, however pytest was started

from flare_core.sources.extract import ExtractionPool
from tests.local_site import LocalSite, local_site


@pytest.fixture
def site() -> Iterator[LocalSite]:
    with local_site() as running:
        yield running


@pytest.fixture(scope="session")
def pool() -> Iterator[ExtractionPool]:
    with ExtractionPool(2, timeout_s=10) as shared:
        yield shared
