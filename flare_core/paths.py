"""Where Flare keeps its files: the user's own folders, or one folder named by FLARE_HOME."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs


def cache_dir() -> Path:
    """What can be found out again: capabilities of endpoints, pages read. Made if it does not exist, else OSError."""
    return _folder("cache", platformdirs.user_cache_path("flare", appauthor=False))


def data_dir() -> Path:
    """What cannot be found again: runs, documents. Made if it does not exist, else OSError."""
    return _folder("data", platformdirs.user_data_path("flare", appauthor=False))


def _folder(name: str, usual: Path) -> Path:
    home = os.environ.get("FLARE_HOME", "").strip()
    try:
        folder = Path(home).expanduser() / name if home else usual
    except RuntimeError as error:
        raise OSError(f"{error} FLARE_HOME is {home!r}") from None
    folder.mkdir(parents=True, exist_ok=True)
    return folder
