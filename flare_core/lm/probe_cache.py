"""What was found out of endpoints, kept in one JSON file of the user's cache folder."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from flare_core.lm.openai_chat import OpenAIChat
from flare_core.lm.probe import Probed, probe
from flare_core.paths import cache_dir

FILE = "endpoints.json"
KEPT = 30 * 24 * 3600.0
"""Seconds after which an endpoint is probed again: servers are updated."""
ENTRIES: TypeAdapter[dict[str, Probed]] = TypeAdapter(dict[str, Probed])


def probed(
    model: OpenAIChat,
    *,
    context: int | None = None,
    refresh: bool = False,
    key: str = "",
    now: Callable[[], float] = time.time,
) -> Probed:
    """What is known of this endpoint and model, found out now if it is not known yet or `refresh` is asked for.

    `key` names the pair; by default it is the address and the model's name.
    """
    key = key or f"{model.info.base_url} {model.info.name}"
    entries = _load()
    known = entries.get(key)
    if known is not None and not refresh and now() - (known.capabilities.probed_at or 0.0) < KEPT:
        return known
    found = probe(model, context=context, now=now)
    _save({**_load(), key: found})
    return found


def _path() -> Path:
    return cache_dir() / FILE


def _load() -> dict[str, Probed]:
    """A file that is missing, broken, out of reach or of another version holds nothing."""
    try:
        return ENTRIES.validate_json(_path().read_bytes())
    except (OSError, ValidationError):
        return {}


def _save(entries: dict[str, Probed]) -> None:
    """In one step, so that a reader never sees half a file. Where it cannot be kept, it is found out again."""
    with suppress(OSError):
        path = _path()
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(ENTRIES.dump_json(entries, indent=1))
            Path(temporary).replace(path)
        except OSError:
            Path(temporary).unlink()
            raise
