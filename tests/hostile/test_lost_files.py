"""Files that vanish, folders that cannot be used: what can be made again is, and what cannot is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from flare_core.errors import LogError
from flare_core.lm.choice import open_model
from flare_core.ports import Never
from flare_core.runs import RunStatus, Store
from flare_core.sources.encyclopedia import Encyclopedia
from flare_core.spec import RunSpec
from pages.server import Hub, routes
from tests.hostile.rude import rude
from tests.runs.fakes import started

SPEC = RunSpec(topic="Marie Curie")


def delete(database: Path) -> None:
    for file in database.parent.glob(database.name + "*"):
        file.unlink()


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "deep" / "runs.db")


def test_database_deleted_under_the_store_is_made_again(store: Store) -> None:
    store.create_run("a", SPEC, at=1.0)
    delete(store.path)
    assert store.list_runs() == []
    assert store.get_run("a") is None
    assert store.create_run("b", SPEC, at=2.0) == "b"
    assert [info.id for info in Store(store.path).list_runs()] == ["b"]
    store.close()


def test_folder_deleted_under_the_store_is_made_again(store: Store) -> None:
    delete(store.path)
    store.path.parent.rmdir()
    store.create_run("b", SPEC, at=2.0)
    assert store.path.is_file()
    store.close()


def test_run_whose_log_was_deleted_ends_in_words(store: Store) -> None:
    store.create_run("a", SPEC, at=1.0)
    delete(store.path)
    with pytest.raises(LogError):
        store.append("a", started(SPEC))
    store.close()


def test_database_that_another_file_took_the_place_of_is_used(store: Store, tmp_path: Path) -> None:
    other = Store(tmp_path / "other.db")
    other.create_run("c", SPEC, at=1.0)
    other.close()
    delete(store.path)
    other.path.rename(store.path)
    info = store.get_run("c")
    assert info is not None and info.status is RunStatus.QUEUED
    store.close()


@pytest.mark.parametrize("path", ["/api/runs/x/events", "/api/runs/x/trace.jsonl", "/api/health"])
def test_unusable_database_is_503_not_500(path: str) -> None:
    from starlette.applications import Starlette
    from starlette.testclient import TestClient

    def unusable() -> None:
        raise LogError("The runs cannot be kept.", "Set FLARE_HOME.")

    app = Starlette(routes=routes(Hub(unusable)))  # type: ignore[arg-type]
    answer = TestClient(app, base_url="http://localhost").get(path)
    assert (answer.status_code, answer.json()) == (503, {"error": "The runs cannot be kept. Set FLARE_HOME."})


def test_unusable_database_is_told_on_the_page(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from streamlit.testing.v1 import AppTest

    from pages import service

    service.use(None)
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("FLARE_HOME", str(tmp_path / "file"))
    page = AppTest.from_file(str(Path(__file__).parents[2] / "pages" / "main.py"), default_timeout=20).run()
    service.use(None)
    assert not page.exception
    assert "FLARE\\_HOME" in page.error[0].value


@pytest.mark.parametrize("home", ["file", "file/below", "~nobody-here/flare"])
def test_cache_that_cannot_be_used_holds_up_nothing(home: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FLARE_HOME", home if home.startswith("~") else str(tmp_path / home))
    with rude() as url:
        open_model(url, env={}).close()
    found = Encyclopedia().find("Marie Curie", k=1, lang="en", cancel=Never())
    assert found.passages
    with pytest.raises(LogError, match="FLARE_HOME"):
        Store()


def test_cache_file_that_is_a_folder_holds_up_nothing(flare_home: Path) -> None:
    (flare_home / "cache" / "endpoints.json").mkdir(parents=True)
    with rude() as url:
        open_model(url, env={}).close()
    assert [file.name for file in (flare_home / "cache").iterdir()] == ["endpoints.json"]
