"""A source that needs no network: the leads of some ten thousand Wikipedia articles in each of three languages.

BM25 over title and text. Each word of a query counts with the better of the two fields and a little of the
other, so that an article about the word is before one that mentions it, while a sentence with its names masked
still finds its article by its text; a query that is a title puts that article first.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from urllib.parse import quote

import tantivy

from flare_core.errors import Stopped
from flare_core.events import Passage, SearchOutcome, SearchReport
from flare_core.ports import Cancel, Clock, Found
from flare_core.sources.encyclopedia_index import LANGUAGES, Language, analyzer, open_index, plain, schema, whole_name
from flare_core.sources.passages import passage_id

LICENCE = "CC BY-SA 4.0"
MAX_QUERY = 2000
"""Characters of a query that are looked at."""
MAX_TERMS = 64
TITLE_BOOST = 1.3
TIE_BREAKER = 0.3
NAME_SCORE = 10.0
"""These three measured best together on titles, requests and masked sentences (`bench/encyclopedia.py`)."""

_SCHEMA = schema()


@dataclass(slots=True)
class _Edition:
    """One language, opened."""

    language: Language
    index: tantivy.Index
    words: tantivy.TextAnalyzer
    query_words: tantivy.TextAnalyzer


class Encyclopedia:
    """The offline encyclopedia.

    >>> Encyclopedia().find("Marie Curie", k=1, lang="en", cancel=Never()).passages[0][0].title  # doctest: +SKIP
    'Marie Curie'
    """

    name = "encyclopedia"
    attribution = (
        "Text from Wikipedia (https://www.wikipedia.org), by its contributors, "
        "CC BY-SA 4.0 (https://creativecommons.org/licenses/by-sa/4.0/); shortened to leads."
    )

    def __init__(self, clock: Clock | None = None) -> None:
        self._now = clock.now if clock else time.time
        self._editions: dict[str, _Edition] = {}
        self._lock = threading.Lock()

    def find(self, query: str, *, k: int, lang: str, cancel: Cancel) -> Found:
        """The best passages for a query, at most `k`; English where there is no edition in `lang`.

        Raises Stopped when the cancel signal is set, SourceError when the encyclopedia is not installed.
        """
        if cancel.is_set():
            raise Stopped
        started = time.perf_counter()
        code, detail = _edition_for(lang)
        edition = self._edition(code)
        sent = plain(query[:MAX_QUERY])
        asked = _query(sent, edition)
        passages: tuple[tuple[Passage, float], ...] = ()
        considered = 0
        if asked is None:
            detail = f"{detail} There is no word in the query to look for.".strip()
        elif k > 0:
            searcher = edition.index.searcher()
            result = searcher.search(asked, limit=k)
            considered = int(result.count)  # type: ignore[attr-defined]  # missing in tantivy's stub
            passages = tuple((self._passage(searcher.doc(where), code), float(score)) for score, where in result.hits)
        report = SearchReport(
            source=self.name,
            backend=f"tantivy ({code})",
            query=sent,
            outcome=SearchOutcome.OK if passages else SearchOutcome.EMPTY,
            hits=len(passages),
            ms=(time.perf_counter() - started) * 1000,
            detail=detail,
        )
        return Found(searches=(report,), passages=passages, considered=considered)

    def close(self) -> None:
        """Let go of the indexes; a later `find` opens them again."""
        with self._lock:
            self._editions.clear()

    def _edition(self, code: str) -> _Edition:
        with self._lock:
            if code not in self._editions:
                language = LANGUAGES[code]
                self._editions[code] = _Edition(
                    language,
                    open_index(language),
                    analyzer(language, drop_stop_words=False),
                    analyzer(language, drop_stop_words=True),
                )
            return self._editions[code]

    def _passage(self, document: tantivy.Document, code: str) -> Passage:
        title, text = str(document.get_first("title")), str(document.get_first("text"))
        url = article_url(title, code)
        return Passage(
            id=passage_id(url, text),
            text=text,
            title=title,
            url=url,
            host=f"{code}.wikipedia.org",
            source=self.name,
            retrieved_at=self._now(),
            licence=LICENCE,
        )


def article_url(title: str, code: str) -> str:
    """The address of the article that a lead was taken from."""
    return f"https://{code}.wikipedia.org/wiki/{quote(title.replace(' ', '_'))}"


def _edition_for(lang: str) -> tuple[str, str]:
    """The edition to ask, and what to say about it when it is not the one that was meant."""
    code = lang.replace("_", "-").split("-")[0].lower()
    if code in LANGUAGES:
        return code, ""
    return "en", f"There is no offline encyclopedia for the language {lang[:20]!r}: the English one was asked."


def _query(text: str, edition: _Edition) -> tantivy.Query | None:
    """Term queries only: nothing in a text is ever read as query syntax. None when there is no word in it."""
    name = whole_name(text, edition.words)
    if not name:
        return None
    parts = [
        tantivy.Query.boost_query(
            tantivy.Query.const_score_query(tantivy.Query.term_query(_SCHEMA, "name", name, "basic"), 1.0), NAME_SCORE
        )
    ]
    for word in list(dict.fromkeys(edition.query_words.analyze(text)))[:MAX_TERMS]:
        in_title = tantivy.Query.boost_query(tantivy.Query.term_query(_SCHEMA, "title", word, "freq"), TITLE_BOOST)
        in_text = tantivy.Query.term_query(_SCHEMA, "text", word, "freq")
        parts.append(tantivy.Query.disjunction_max_query([in_title, in_text], TIE_BREAKER))
    return tantivy.Query.boolean_query([(tantivy.Occur.Should, part) for part in parts])
