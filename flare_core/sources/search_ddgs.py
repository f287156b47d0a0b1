"""Searching the web with `ddgs`: named engines, one after the other, and outcomes that say what is known.

What one must know about ddgs 9.16 (run against a local server): statuses 202, 403 and 429 all end as "No results
found.", so an empty answer may as well be a block, and is reported as *possibly blocked*. Its own list of engines
(`auto`) asks two encyclopedias first; and given several engines it does not say which one answered. Hence one call
for each engine.
"""

from __future__ import annotations

import queue
import re
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from flare_core.errors import SourceError, Stopped
from flare_core.events import SearchOutcome
from flare_core.ports import Cancel
from flare_core.sources.contracts import Hit, SearchAnswer
from flare_core.sources.loop import POLL_S
from flare_core.sources.pace import Pace
from flare_core.sources.search_query import cleaned

ENGINES = ("duckduckgo", "brave", "mojeek", "startpage", "yahoo")
APART_S = 1.0
REST_S = 300.0
"""Seconds that an engine which may have blocked us is asked last."""

_PACE = Pace(APART_S)
"""One for the process: the engines see one visitor, however many runs there are."""
_REGIONS = {
    "ar": "xa-ar", "cs": "cz-cs", "da": "dk-da", "de": "de-de", "el": "gr-el", "en": "us-en", "es": "es-es",
    "fi": "fi-fi", "fr": "fr-fr", "he": "il-he", "hu": "hu-hu", "id": "id-id", "it": "it-it", "ja": "jp-jp",
    "ko": "kr-kr", "nl": "nl-nl", "no": "no-no", "pl": "pl-pl", "pt": "pt-pt", "pt-br": "br-pt", "ro": "ro-ro",
    "ru": "ru-ru", "sv": "se-sv", "th": "th-th", "tr": "tr-tr", "uk": "ua-uk", "vi": "vn-vi", "zh": "cn-zh",
    "zh-tw": "tw-tzh", "en-gb": "uk-en", "de-at": "at-de", "de-ch": "ch-de", "fr-ca": "ca-fr", "es-mx": "mx-es",
}  # fmt: skip
"""DuckDuckGo's regions (country-language), which ddgs translates for the other engines."""

Ask = Callable[[str, str, str, int, float], Sequence[dict[str, Any]]]
"""Query, region, engine, number of results and seconds; results with `href`, `title`, `body`."""


def ask_ddgs(query: str, region: str, engine: str, limit: int, timeout_s: float) -> Sequence[dict[str, Any]]:
    """One call of ddgs. Raises its DDGSException, and SourceError when the package is missing."""
    try:
        from ddgs import DDGS
    except ImportError as error:
        raise SourceError("Web search needs the package ddgs.", "Install it: pip install ddgs") from error
    client = DDGS(timeout=max(1, int(timeout_s)))
    return client.text(query, region=region, max_results=limit, backend=engine)


@dataclass(frozen=True, slots=True)
class _Tried:
    """What came of asking one engine."""

    engine: str
    outcome: SearchOutcome
    detail: str
    hits: tuple[Hit, ...] = ()


class DdgsSearch:
    """Searches with the engines that `ddgs` knows.

    >>> from flare_core.ports import Never
    >>> DdgsSearch(ask=lambda *_: []).search("", lang="en", limit=5, cancel=Never()).outcome.value
    'bad_query'
    """

    name = "ddgs"

    def __init__(
        self,
        engines: Sequence[str] = ENGINES,
        *,
        deadline_s: float = 8.0,
        engine_s: float = 4.0,
        ask: Ask = ask_ddgs,
        pace: Pace = _PACE,
    ) -> None:
        """`deadline_s` is the time for one search, `engine_s` the time for one engine, both in seconds."""
        if not engines:
            raise ValueError("name at least one engine")
        self._engines = tuple(engines)
        self._deadline_s = deadline_s
        self._engine_s = engine_s
        self._ask = ask
        self._pace = pace
        self._rested_at: dict[str, float] = {}

    def search(self, query: str, *, lang: str, limit: int, cancel: Cancel) -> SearchAnswer:
        """See `SearchBackend.search`."""
        began = time.monotonic()
        text, dropped = cleaned(query)
        if not text:
            return SearchAnswer(SearchOutcome.BAD_QUERY, self._engines[0], text, 0.0, detail=dropped)
        tried: list[_Tried] = []
        for engine in self._in_order():
            left = began + self._deadline_s - time.monotonic()
            wait = self._pace.wait_needed(left - POLL_S)
            if wait is None:
                tried.append(_Tried(engine, SearchOutcome.TIMED_OUT, "no time was left to ask"))
                break
            _sleep(wait, cancel)
            timeout_s = min(self._engine_s, began + self._deadline_s - time.monotonic())
            tried.append(self._one(text, region(lang), engine, limit, timeout_s, cancel))
            if tried[-1].outcome is SearchOutcome.OK or _offline(tried):
                break
        return _summed_up(tried, text, (time.monotonic() - began) * 1000, dropped)

    def close(self) -> None:
        """Nothing is held."""

    def _in_order(self) -> list[str]:
        """The engines as named, those that may have blocked us lately last."""
        now = time.monotonic()
        return sorted(self._engines, key=lambda engine: self._rested_at.get(engine, 0.0) > now)

    def _one(self, query: str, region: str, engine: str, limit: int, timeout_s: float, cancel: Cancel) -> _Tried:
        """Ask one engine in a daemon thread: the call cannot be interrupted, but it need not be waited for."""
        answer: queue.SimpleQueue[Sequence[dict[str, Any]] | Exception] = queue.SimpleQueue()

        def call() -> None:
            try:
                answer.put(self._ask(query, region, engine, limit, timeout_s))
            except Exception as error:  # noqa: BLE001 - classified, or raised again, in the thread that waits
                answer.put(error)

        threading.Thread(target=call, name=f"flare-search-{engine}", daemon=True).start()
        ends = time.monotonic() + timeout_s
        while True:
            if cancel.is_set():
                raise Stopped
            try:
                result = answer.get(timeout=max(0.001, min(POLL_S, ends - time.monotonic())))
                break
            except queue.Empty:
                if time.monotonic() >= ends:
                    return _Tried(engine, SearchOutcome.TIMED_OUT, f"no answer within {timeout_s:.1f} s")
        tried = _classified(engine, result, limit)
        if tried.outcome in (SearchOutcome.POSSIBLY_BLOCKED, SearchOutcome.RATE_LIMITED, SearchOutcome.REFUSED):
            self._rested_at[engine] = time.monotonic() + REST_S
        return tried


def region(lang: str) -> str:
    """DuckDuckGo's region for a language code; without one, or for one it does not know, the United States."""
    code = lang.lower().replace("_", "-")
    return _REGIONS.get(code) or _REGIONS.get(code.partition("-")[0], "us-en")


def _classified(engine: str, result: Sequence[dict[str, Any]] | Exception, limit: int) -> _Tried:
    """What an answer or an error of ddgs means. Errors that are not ddgs's own are raised."""
    if not isinstance(result, Exception):
        hits = _hits(result)[:limit]
        if hits:
            return _Tried(engine, SearchOutcome.OK, "", hits)
        return _Tried(engine, SearchOutcome.EMPTY, "nothing was found")
    kind, text = type(result).__name__, str(result)
    if kind not in ("DDGSException", "RatelimitException", "TimeoutException"):
        raise result
    if kind == "RatelimitException":
        return _Tried(engine, SearchOutcome.RATE_LIMITED, "asked too often")
    if kind == "TimeoutException" or "timed out" in text.lower() or "TimeoutError" in text:
        return _Tried(engine, SearchOutcome.TIMED_OUT, "no answer in time")
    if "no results" in text.lower():
        return _Tried(engine, SearchOutcome.POSSIBLY_BLOCKED, "no results, which may mean that the search is blocked")
    if re.search(r"DNSError|dns error|ConnectError|error sending request|error trying to connect", text):
        return _Tried(engine, SearchOutcome.UNREACHABLE, "no connection; is there a network?")
    return _Tried(engine, SearchOutcome.REFUSED, f"an answer that ddgs cannot read ({text.partition(':')[0][:80]})")


def _hits(results: Sequence[dict[str, Any]]) -> tuple[Hit, ...]:
    hits: dict[str, Hit] = {}
    for result in results:
        url = str(result.get("href") or "")
        if url.startswith(("http://", "https://")):
            hits.setdefault(url, Hit(url, str(result.get("title") or "")[:300], str(result.get("body") or "")[:1000]))
    return tuple(hits.values())


def _offline(tried: list[_Tried]) -> bool:
    """Two engines out of reach, and none in reach: the others would be no different."""
    return len(tried) >= 2 and all(one.outcome is SearchOutcome.UNREACHABLE for one in tried)


def _summed_up(tried: list[_Tried], query: str, ms: float, dropped: str) -> SearchAnswer:
    """The engine that answered, or the most telling failure; the detail names all that failed on the way."""
    telling = [
        SearchOutcome.OK,
        SearchOutcome.POSSIBLY_BLOCKED,
        SearchOutcome.RATE_LIMITED,
        SearchOutcome.EMPTY,
        SearchOutcome.REFUSED,
        SearchOutcome.TIMED_OUT,
        SearchOutcome.UNREACHABLE,
    ]
    best = min(tried, key=lambda one: telling.index(one.outcome))
    asked = best.engine if best.outcome is SearchOutcome.OK else tried[-1].engine
    failures = [f"{one.engine}: {one.detail}" for one in tried if one.detail]
    detail = "; ".join(part for part in (*failures, dropped) if part)
    return SearchAnswer(best.outcome, asked, query, ms, best.hits, detail)


def _sleep(seconds: float, cancel: Cancel) -> None:
    ends = time.monotonic() + seconds
    while (left := ends - time.monotonic()) > 0:
        if cancel.is_set():
            raise Stopped
        time.sleep(min(POLL_S, left))
    if cancel.is_set():
        raise Stopped
