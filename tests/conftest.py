"""What all tests share: files go to a temporary folder, settings of the machine are out of sight."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from flare_core.lm.embedded import open_embedded
from flare_core.lm.openai_chat import OpenAIChat

settings.register_profile("flare", deadline=None)  # a busy machine is no failure; pytest-timeout sees to the rest
settings.load_profile("flare")


@pytest.fixture(autouse=True)
def flare_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """FLARE_HOME is a fresh folder; no key and no address come from the environment."""
    home = tmp_path / "flare_home"
    monkeypatch.setenv("FLARE_HOME", str(home))
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    return home


@pytest.fixture(scope="session")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenAIChat]:
    """The embedded model, really running; started once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FLARE_HOME", str(tmp_path_factory.mktemp("embedded_home")))
        model = open_embedded()
    yield model
    model.close()
