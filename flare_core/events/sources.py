"""What the outside world answered: searches, pages, passages. Each failure is a value with a reason."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from flare_core.events._base import Event, Value


class SearchOutcome(StrEnum):
    """How a search ended."""

    OK = "ok"
    EMPTY = "empty"
    POSSIBLY_BLOCKED = "possibly_blocked"
    RATE_LIMITED = "rate_limited"
    TIMED_OUT = "timed_out"
    BAD_QUERY = "bad_query"
    REFUSED = "refused"
    UNREACHABLE = "unreachable"


class PageOutcome(StrEnum):
    """How the reading of a page ended."""

    READ = "read"
    BLOCKED = "blocked"
    ERROR_PAGE = "error_page"
    TIMED_OUT = "timed_out"
    TOO_LARGE = "too_large"
    NOT_TEXT = "not_text"
    NO_TEXT = "no_text"
    NEEDS_JAVASCRIPT = "needs_javascript"
    FORBIDDEN = "forbidden"
    UNREACHABLE = "unreachable"
    BAD_REDIRECT = "bad_redirect"


class Passage(Value):
    """A piece of text that a sentence can stand on, and where it is from."""

    id: str
    """Stable id made from address and text; the same passage found twice has the same id."""
    text: str
    """About 100 words, whole sentences."""
    title: str
    """Title of the page or article, from the page itself; the host where it has none."""
    url: str
    """Final address, after redirects."""
    host: str
    """Host of that address."""
    source: str
    """Which source found it: `encyclopedia`, `web`, `site`."""
    date: str | None = None
    """Date of the page as the page states it (ISO 8601), or None."""
    retrieved_at: float
    """When it was read, in seconds since the Unix epoch."""
    licence: str | None = None
    """Licence of the text, where it is known."""


class SearchReport(Value):
    """One question put to one search backend."""

    source: str
    """Which source was asked."""
    backend: str
    """Which engine answered, or was asked last."""
    query: str
    """The text as it was sent."""
    outcome: SearchOutcome
    """How it ended."""
    hits: int
    """Results returned."""
    ms: float
    """Time it took, in milliseconds."""
    detail: str = ""
    """Why it did not go well, and what was dropped, in plain words."""


class PageReport(Value):
    """One page that was opened, or refused."""

    url: str
    """Address asked for."""
    final_url: str
    """Address after redirects."""
    outcome: PageOutcome
    """How it ended."""
    status: int | None = None
    """HTTP status, where there was one."""
    bytes: int | None = None
    """Bytes read after decompression."""
    content_type: str | None = None
    """Media type: as found in the bytes, else as declared."""
    extractor: str | None = None
    """What turned it into text."""
    title: str | None = None
    """Title stated by the page."""
    chars: int | None = None
    """Characters of text extracted."""
    passages: int = 0
    """Passages cut from it."""
    ms: float
    """Time it took, in milliseconds."""
    detail: str = ""
    """Why it did not go well, in plain words."""


class RankedPassage(Value):
    """A passage with its place in the ranking."""

    passage: Passage
    """The passage."""
    score: float
    """The ranker's score (BM25); only comparable within one query."""
    rank: int
    """Place for its query, from 1."""
    query_id: str
    """The query that found it."""
    kept: bool
    """Whether it went into the prompt."""
    why: str = ""
    """Why it was dropped."""


class Searched(Event):
    """A search ended."""

    type: Literal["searched"] = "searched"
    sentence: int
    """Number of the sentence it was made for; 0 for the initial retrieval."""
    query_id: str
    """The query that was sent."""
    search: SearchReport
    """What came of it."""


class PageRead(Event):
    """A page was opened, or refused."""

    type: Literal["page_read"] = "page_read"
    sentence: int
    """Number of the sentence it was opened for; 0 for the initial retrieval."""
    query_id: str
    """The query that led to it."""
    page: PageReport
    """What came of it."""


class PassagesRanked(Event):
    """The passages of all queries of a sentence were merged, rank first, and cut to k (METHOD 1.4)."""

    type: Literal["passages_ranked"] = "passages_ranked"
    sentence: int
    """Number of the sentence; 0 for the initial retrieval."""
    considered: int
    """Passages that were scored."""
    ranked: tuple[RankedPassage, ...]
    """The best of them, in their order after merging; those not kept say why."""
