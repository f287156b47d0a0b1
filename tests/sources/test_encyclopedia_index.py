"""The encyclopedia's index: built once, whole or not at all, and again when it is damaged."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from flare_core.errors import SourceError
from flare_core.ports import Never
from flare_core.sources import encyclopedia_index as index
from flare_core.sources.encyclopedia import Encyclopedia


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(autouse=True)
def own_cache(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLARE_HOME", str(home))


def first_titles(query: str, lang: str = "es") -> list[str]:
    """Asked of a new source, which opens the index again."""
    found = Encyclopedia().find(query, k=3, lang=lang, cancel=Never())
    return [passage.title for passage, _ in found.passages]


def folders(home: Path, lang: str = "es") -> list[Path]:
    return sorted(home.rglob(f"encyclopedia/{lang}-*"))


def test_the_index_is_built_once(home: Path) -> None:
    first_titles("Paris")
    (folder,) = folders(home)
    assert metadata.version(index.DISTRIBUTION) in folder.name
    before = folder.stat().st_mtime_ns
    first_titles("Paris")
    assert folders(home) == [folder] and folder.stat().st_mtime_ns == before


def truncate(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 2)


def flip_a_byte(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 0xFF
    file.write_bytes(data)


@pytest.mark.parametrize("spoil", [truncate, flip_a_byte, Path.unlink], ids=["truncated", "byte flipped", "missing"])
@pytest.mark.parametrize("which", ["*.store", "*.term", "*.idx", "meta.json", index.MANIFEST])
def test_a_damaged_index_is_built_again(home: Path, which: str, spoil: object) -> None:
    expected = first_titles("canal de Suez")
    (folder,) = folders(home)
    (file,) = folder.glob(which)
    spoil(file)  # type: ignore[operator]
    assert first_titles("canal de Suez") == expected
    assert folders(home) == [folder]
    assert index._intact(folder, index.LANGUAGES["es"]) is not None


def test_a_cache_folder_that_cannot_be_written_is_done_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "file"
    home.write_text("not a folder")
    monkeypatch.setattr(index.paths, "cache_dir", lambda: home)
    assert first_titles("Paris")[0] == "París"
    assert home.read_text() == "not a folder"


def test_processes_that_start_together_do_not_spoil_each_other(tmp_path: Path) -> None:
    code = (
        "from flare_core.sources.encyclopedia import Encyclopedia as E; from flare_core.ports import Never;"
        "print(E().find('canal de Suez', k=1, lang='es', cancel=Never()).passages[0][0].title)"
    )
    environment = {**os.environ, "FLARE_HOME": str(tmp_path), "PYTHONIOENCODING": "utf-8"}
    processes = [
        subprocess.Popen([sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    assert [process.communicate(timeout=60)[0].strip() for process in processes] == ["Canal de Suez"] * 3
    (folder,) = folders(tmp_path)
    assert index._intact(folder, index.LANGUAGES["es"]) is not None


def test_what_killed_processes_left_is_swept_after_a_day(home: Path) -> None:
    first_titles("Paris")
    (folder,) = folders(home)
    old, new = folder.with_name("es-building-old"), folder.with_name("es-building-new")
    old.mkdir()
    new.mkdir()
    os.utime(old, (0, 0))
    (folder / index.MANIFEST).unlink()
    first_titles("Paris")
    assert not old.exists() and new.exists() and folder.exists()
    new.rmdir()


def test_a_lead_stays_whole_unless_it_is_longer_than_a_passage() -> None:
    sentence = "The quick brown fox jumps over the lazy dog near the bank of the river."
    short, long = " ".join([sentence] * 9), " ".join([sentence] * 20)
    assert index.leads(short, "en") == [short]
    pieces = index.leads(long, "en")
    assert len(pieces) > 1 and " ".join(pieces) == long and all(piece.endswith("river.") for piece in pieces)


def test_entries_that_are_no_articles_are_left_out(tmp_path: Path) -> None:
    data = tmp_path / "data.json"
    data.write_text(
        '{"A": {"title": "A", "extract": "Text."}, "B": 3, "C": {"title": "C"}, "D": {"title": "A", "extract": "x"}}'
    )
    (article,) = index.articles(data)
    assert (article.title, article.text, article.names) == ("A", "Text.", ["A", "D"])
    data.write_text("{")
    with pytest.raises(SourceError, match="cannot be read"):
        index.articles(data)
