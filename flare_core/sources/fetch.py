"""Fetching pages: at the same time, under one deadline, each with an outcome and none with an exception."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import httpcore2
import httpx2

from flare_core import __version__
from flare_core.events import PageOutcome
from flare_core.ports import Cancel
from flare_core.sources.contracts import Fetched, Kind
from flare_core.sources.guard import Refused, check_url
from flare_core.sources.loop import LoopThread
from flare_core.sources.pinned import Dial, PinnedBackend, PinnedTransport, Resolver, direct, system_resolver
from flare_core.sources.sniff import HEAD, sniff

USER_AGENT = f"Flare/{__version__} (research assistant; opens pages at its user's request)"
MOST_REDIRECTS = 5
AT_ONCE = 8
"""Pages fetched at the same time by one fetcher call."""

_WIRE_ERRORS = (
    httpx2.HTTPError,
    httpx2.StreamError,
    httpcore2.NetworkError,
    httpcore2.ProtocolError,
    httpcore2.TimeoutException,
    httpcore2.UnsupportedProtocol,
)
_ACCEPT = "text/html,application/xhtml+xml,application/pdf;q=0.9,text/plain;q=0.8,*/*;q=0.1"


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one page. Bytes are counted after decompression, times are in seconds."""

    html_bytes: int = 2_000_000
    pdf_bytes: int = 8_000_000
    page_s: float = 6.0
    """All of one page: resolving, connecting, redirects, reading."""
    connect_s: float = 3.0

    def bytes_for(self, kind: Kind) -> int:
        """Cap for a page of this kind; plain text counts as HTML."""
        return self.pdf_bytes if kind == "pdf" else self.html_bytes


@dataclass(slots=True)
class _Visit:
    """A page on its way; what is known so far survives a deadline."""

    url: str
    final_url: str
    began: float | None = None
    ended: float | None = None
    outcome: PageOutcome = PageOutcome.TIMED_OUT
    detail: str = "no answer within the time for it"
    status: int | None = None
    chunks: list[bytes] = field(default_factory=list)
    size: int | None = None
    content_type: str | None = None
    kind: Kind | None = None
    charset: str | None = None

    def end(self, outcome: PageOutcome, detail: str = "") -> None:
        self.outcome, self.detail, self.ended = outcome, detail, time.monotonic()

    def result(self) -> Fetched:
        now = time.monotonic()
        return Fetched(
            url=self.url,
            final_url=self.final_url,
            outcome=self.outcome,
            ms=0.0 if self.began is None else ((self.ended or now) - self.began) * 1000,
            status=self.status,
            content=b"".join(self.chunks) if self.outcome is PageOutcome.READ else b"",
            size=self.size,
            content_type=self.content_type,
            kind=self.kind,
            charset=self.charset,
            detail=self.detail,
        )


class HttpFetcher:
    """Fetches public pages over HTTP. Proxies of the environment are not used: they would resolve names unchecked.

    >>> from flare_core.ports import Never
    >>> fetcher = HttpFetcher()
    >>> [page.outcome.value for page in fetcher.fetch_all(["http://127.0.0.1/"], cancel=Never())]
    ['forbidden']
    """

    def __init__(
        self, *, resolver: Resolver = system_resolver, dial: Dial = direct, limits: Limits | None = None
    ) -> None:
        self.limits = limits or Limits()
        self._backend = PinnedBackend(resolver, dial)
        self._transport: PinnedTransport | None = None
        self._loop = LoopThread("flare-fetch")

    def fetch_all(
        self, urls: Sequence[str], *, deadline_s: float = 6.0, lang: str = "", cancel: Cancel
    ) -> list[Fetched]:
        """See `Fetcher.fetch_all`. What has not arrived after `deadline_s` seconds is `timed_out`."""
        if not urls:
            return []
        visits = [_Visit(url, url) for url in urls]
        self._loop.run(lambda: self._all(visits, deadline_s, lang), cancel)
        return [visit.result() for visit in visits]

    def close(self) -> None:
        """Close connections and end the thread."""

        async def last() -> None:
            if self._transport is not None:
                await self._transport.aclose()

        self._loop.close(last)

    async def _all(self, visits: list[_Visit], deadline_s: float, lang: str) -> None:
        if self._transport is None:
            self._transport = PinnedTransport(self._backend)
        slots = asyncio.Semaphore(AT_ONCE)
        tasks = [asyncio.create_task(self._within_limits(visit, slots, lang)) for visit in visits]
        try:
            await asyncio.wait(tasks, timeout=deadline_s)
        finally:
            late = [task for task in tasks if task.cancel()]
            if late:
                await asyncio.wait(late, timeout=0.1)
        for task in tasks:
            if task.done() and not task.cancelled():
                task.result()  # an error here is a mistake in this file, and must show

    async def _within_limits(self, visit: _Visit, slots: asyncio.Semaphore, lang: str) -> None:
        async with slots:
            visit.began = time.monotonic()
            try:
                async with asyncio.timeout(self.limits.page_s):
                    await self._visit(visit, lang)
            except Refused as refusal:
                redirected = visit.final_url != visit.url
                visit.end(
                    PageOutcome.FORBIDDEN, f"redirected to {visit.final_url}: {refusal}" if redirected else str(refusal)
                )
            except (TimeoutError, httpcore2.TimeoutException, httpx2.TimeoutException) as error:
                visit.end(PageOutcome.TIMED_OUT, str(error) or f"not complete within {self.limits.page_s:g} s")
            except httpx2.DecodingError:
                visit.end(PageOutcome.NOT_TEXT, "its compression is damaged")
            except _WIRE_ERRORS as error:
                visit.end(PageOutcome.UNREACHABLE, _why(error))

    async def _visit(self, visit: _Visit, lang: str) -> None:
        """Follow redirects to the page and read it. A client for each page: cookies last no longer than that."""
        assert self._transport is not None
        headers = {"user-agent": USER_AGENT, "accept": _ACCEPT, "accept-encoding": "gzip, deflate"}
        if lang:
            headers["accept-language"] = f"{lang}, *;q=0.5"
        url = check_url(visit.url)
        async with httpx2.AsyncClient(
            transport=_Lent(self._transport),
            headers=headers,
            timeout=httpx2.Timeout(self.limits.page_s, connect=self.limits.connect_s),
            trust_env=False,
            follow_redirects=False,
        ) as client:
            for _ in range(MOST_REDIRECTS + 1):
                async with client.stream("GET", url) as response:
                    visit.status = response.status_code
                    if response.status_code not in (301, 302, 303, 307, 308):
                        await self._read(visit, response)
                        return
                    location = response.headers.get("location", "")
                try:
                    joined = url.join(location)
                except (httpx2.InvalidURL, ValueError):
                    visit.end(PageOutcome.BAD_REDIRECT, "redirects to an address that is not valid")
                    return
                if not location:
                    visit.end(PageOutcome.BAD_REDIRECT, "redirects without saying where to")
                    return
                visit.final_url = str(joined)
                url = check_url(visit.final_url)
        visit.end(PageOutcome.BAD_REDIRECT, f"redirects more than {MOST_REDIRECTS} times")

    async def _read(self, visit: _Visit, response: httpx2.Response) -> None:
        """Judge the status, then read up to the cap for what it turns out to be."""
        refused = _judge_status(response)
        if refused is not None:
            visit.end(*refused)
            return
        declared = response.headers.get("content-type", "").partition(";")[0].strip().lower() or None
        visit.charset = response.charset_encoding
        visit.content_type = declared
        visit.size = 0
        async for chunk in response.aiter_bytes():
            visit.chunks.append(chunk)
            visit.size += len(chunk)
            if visit.kind is None and visit.size >= HEAD and not self._sniff(visit, declared):
                return
            if visit.kind is not None and not self._fits(visit, response):
                return
        if visit.size == 0:
            visit.end(PageOutcome.NO_TEXT, "the page is empty")
        elif visit.kind is not None or (self._sniff(visit, declared) and self._fits(visit, response)):
            visit.end(PageOutcome.READ)

    @staticmethod
    def _sniff(visit: _Visit, declared: str | None) -> bool:
        visit.kind, visit.content_type = sniff(b"".join(visit.chunks), declared)
        if visit.kind is None:
            visit.end(PageOutcome.NOT_TEXT, f"{visit.content_type} is not a page of text")
        return visit.kind is not None

    def _fits(self, visit: _Visit, response: httpx2.Response) -> bool:
        assert visit.kind is not None and visit.size is not None
        cap = self.limits.bytes_for(visit.kind)
        length = response.headers.get("content-length", "")
        announced = int(length) if length.isascii() and length.isdigit() else 0
        if max(visit.size, announced) <= cap:
            return True
        visit.end(PageOutcome.TOO_LARGE, f"more than {cap / 1e6:g} MB")
        return False


class _Lent(httpx2.AsyncBaseTransport):
    """The shared transport, which a client must not close."""

    def __init__(self, transport: PinnedTransport) -> None:
        self._transport = transport

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        return await self._transport.handle_async_request(request)


def _judge_status(response: httpx2.Response) -> tuple[PageOutcome, str] | None:
    """Outcome for a status that brings no page (RFC 9110, section 15), or None."""
    status = response.status_code
    if "cf-mitigated" in response.headers or status in (401, 403, 407, 429, 451):
        reasons = {
            401: "asks for a login",
            429: "says that it was asked too often",
            451: "is withheld for legal reasons",
        }
        return PageOutcome.BLOCKED, f"status {status}: the site {reasons.get(status, 'refuses to show this page')}"
    if status == 402:
        return PageOutcome.BLOCKED, "status 402: it asks for payment"
    if status in (204, 205):
        return PageOutcome.NO_TEXT, f"status {status}: the page is empty"
    if not 200 <= status < 300:
        return PageOutcome.ERROR_PAGE, f"status {status}"
    return None


def _why(error: Exception) -> str:
    """What went wrong on the wire, in plain words."""
    text = str(error)
    if "certificate" in text.lower():
        return "its certificate is not valid"
    if isinstance(error, httpcore2.ConnectError):
        return text if "could not be resolved" in text or "has no address" in text else "no connection could be made"
    if isinstance(error, (httpcore2.ProtocolError, httpx2.ProtocolError)):
        return "the server broke off, or does not speak HTTP"
    return "the connection broke"
