"""What the parts of a web source hand to each other, and the small ports between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from flare_core.events import PageOutcome, SearchOutcome
from flare_core.ports import Cancel

Kind = Literal["html", "pdf", "text"]
"""What a page is, judged by its bytes."""


@dataclass(frozen=True, slots=True)
class Hit:
    """One result of a search: an address to open. Its snippet is never evidence, since nobody fetched it."""

    url: str
    title: str = ""
    snippet: str = ""


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """What a search backend answered."""

    outcome: SearchOutcome
    backend: str
    """Engine that answered, or was asked last."""
    query: str
    """The text as it was sent."""
    ms: float
    """Time it took, in milliseconds."""
    hits: tuple[Hit, ...] = ()
    detail: str = ""
    """Why it did not go well, in plain words."""


class SearchBackend(Protocol):
    """Finds addresses for a query."""

    name: str

    def search(self, query: str, *, lang: str, limit: int, cancel: Cancel) -> SearchAnswer:
        """At most `limit` hits, best first. Failures are outcomes.

        Raises Stopped when the cancel signal is set, SourceError when it cannot work at all.
        """

    def close(self) -> None:
        """Release what it holds."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """One page as it came over the wire. `outcome` is READ when its bytes are here."""

    url: str
    """Address asked for."""
    final_url: str
    """Address after redirects, or the last one tried."""
    outcome: PageOutcome
    ms: float
    status: int | None = None
    content: bytes = b""
    """Bytes after decompression; empty unless READ."""
    size: int | None = None
    """Bytes read after decompression, kept or not."""
    content_type: str | None = None
    """Media type: as found in the bytes, else as declared."""
    kind: Kind | None = None
    charset: str | None = None
    """Character set that the HTTP header declares."""
    detail: str = ""


class Fetcher(Protocol):
    """Gets pages."""

    def fetch_all(
        self, urls: Sequence[str], *, deadline_s: float = 6.0, lang: str = "", cancel: Cancel
    ) -> list[Fetched]:
        """Fetch at the same time, under one deadline; one result for each address, in the same order.

        Raises Stopped when the cancel signal is set.
        """

    def close(self) -> None:
        """Close connections."""


@dataclass(frozen=True, slots=True)
class Extracted:
    """What a page says. `outcome` is READ when `text` is worth reading."""

    outcome: PageOutcome
    text: str = ""
    title: str | None = None
    date: str | None = None
    """ISO 8601, as the page states it."""
    extractor: str | None = None
    detail: str = ""
    ms: float = 0.0


class Extractor(Protocol):
    """Turns bytes into text."""

    def warm(self) -> None:
        """Get ready in the background, if that takes time."""

    def extract_all(self, pages: Sequence[Fetched], *, deadline_s: float = 12.0, cancel: Cancel) -> list[Extracted]:
        """One result for each page, in the same order, within one deadline.

        Raises Stopped when the cancel signal is set.
        """
