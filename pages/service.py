"""The runs of this process: one service for all sessions and for the routes, made when it is first needed."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Mapping
from urllib.parse import urlsplit

from flare_core.events import AnyEvent
from flare_core.ports import Cancel
from flare_core.runs import Runs, Store
from flare_core.spec import RunSpec

OPENAI = "https://api.openai.com"
_lock = threading.Lock()
_runs: Runs | None = None
_store: Store | None = None


def runs() -> Runs:
    """The service. Raises LogError where the runs cannot be kept on disk.

    Not an `st.cache_resource`: "Clear caches" in anybody's menu would take the runs of all away. If editing this
    file makes Streamlit load it again, the runs of the earlier service are followed as those of another process.
    """
    global _runs, _store
    with _lock:
        if _runs is None:
            _store = Store()
            _runs = Runs(_store, _engine)
        return _runs


def use(instead: Runs | None) -> None:
    """Put another service in its place, for tests; None has the usual one made again."""
    global _runs, _store
    close()
    with _lock:
        _runs, _store = instead, None


def close() -> None:
    """End what this process writes, if it was ever asked to. A service put in by `use` is left to its owner."""
    global _runs, _store
    with _lock:
        if _runs is not None and _store is not None:
            _runs.close()
            _store.close()
        _runs = _store = None


def _engine(spec: RunSpec, cancel: Cancel) -> Iterator[AnyEvent]:
    from flare_core.engine import run  # brings the model's libraries: not for those who only read

    return run(spec, cancel, env=_environment(spec.lm, os.environ))


def _environment(lm: str | None, env: Mapping[str, str]) -> Mapping[str, str]:
    """The environment for a run that was asked for on a page: who names a server there must not get its key.

    The key goes to the server that the environment names with it, and to OpenAI's where it names none.
    """
    own = urlsplit(env.get("OPENAI_BASE_URL") or OPENAI)
    if not lm or (urlsplit(lm).scheme, urlsplit(lm).netloc) == (own.scheme, own.netloc):
        return env
    return {name: value for name, value in env.items() if name != "OPENAI_API_KEY"}
