"""The server, and the names under which it is reached."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from flare_core.sources.fetch import HttpFetcher, Limits
from flare_core.sources.site import SiteSource
from flare_core.sources.web import WebSource
from tests.local_site.articles import articles
from tests.local_site.awkward import awkward
from tests.local_site.languages import languages
from tests.local_site.page import Page
from tests.local_site.search import LocalSearch

PUBLIC = ("1.2.3.4", "2600:1f18::10")
"""Public addresses that all hosts of the site resolve to; nothing is ever sent there."""
PRIVATE = {"intranet.example": ["10.0.0.5"], "mixed.example": ["1.2.3.4", "127.0.0.1"]}


@cache
def all_pages() -> tuple[Page, ...]:
    """Made once: some of them are large."""
    return (*articles(), *languages(), *awkward())


class LocalSite:
    """The running site. See the package's docstring."""

    def __init__(self) -> None:
        self.pages: list[Page] = list(all_pages())
        self.search = LocalSearch(self.pages)
        self.requests: list[tuple[str, str]] = []
        """Host and path of each request, in order."""
        self.given_up: list[str] = []
        """Paths whose readers hung up before the end."""
        self.headers: list[dict[str, str]] = []
        """Headers of each request, names in lower case."""
        self.resolved: list[str] = []
        """Host names that were resolved."""
        self.closing = threading.Event()
        self._by_address = {(page.host, page.path): page for page in self.pages}
        self._hosts = {page.host for page in self.pages}
        self._server = _Server(self)
        self.port: int = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    def page(self, path: str) -> Page:
        """The page with this path."""
        return next(page for page in self.pages if page.path == path)

    def url(self, path: str) -> str:
        """The address of the page with this path."""
        return self.page(path).url

    def at(self, host: str, path: str) -> Page | None:
        return self._by_address.get((host, path))

    async def resolver(self, host: str, port: int) -> Sequence[str]:
        """The name server: the site's hosts are public, two others are not, the rest does not exist."""
        self.resolved.append(host)
        if host in PRIVATE:
            return PRIVATE[host]
        if host not in self._hosts:
            raise OSError(f"no such host: {host}")
        return [PUBLIC[0]] if len(host) % 2 else [PUBLIC[1]]

    def dial(self, address: str, port: int) -> tuple[str, int]:
        """The way to a public address leads to the local server."""
        if address not in PUBLIC:
            raise AssertionError(f"{address} was to be connected to")
        return "127.0.0.1", self.port

    def fetcher(self, **limits: Any) -> HttpFetcher:
        """A real fetcher for these pages; `limits` are those of `Limits`."""
        return HttpFetcher(resolver=self.resolver, dial=self.dial, limits=Limits(**limits))

    def web_source(self, **options: Any) -> WebSource:
        """A real web source over these pages, with the local search engine."""
        fetcher = options.pop("fetcher", None) or self.fetcher()
        return WebSource(options.pop("search", self.search), fetcher, **options)

    def site_source(self, urls: Sequence[str], **options: Any) -> SiteSource:
        """A real site source for some of these pages."""
        return SiteSource(urls, self.fetcher(), **options)

    def close(self) -> None:
        """Stop serving."""
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(timeout=2)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, site: LocalSite) -> None:
        self.site = site
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Readers that hang up are what is tested here."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_GET(self) -> None:
        site = self.server.site
        host = (self.headers.get("host") or "").partition(":")[0]
        site.requests.append((host, self.path))
        site.headers.append({name.lower(): value for name, value in self.headers.items()})
        page = site.at(host, self.path)
        try:
            if page is None:
                self._send(Page(host, self.path, b"<h1>Not found</h1>", status=404))
            elif page.serve is not None:
                self.close_connection = True
                page.serve(self, site.closing)
            else:
                self._send(page)
        except (TimeoutError, ConnectionError):
            site.given_up.append(self.path)
            self.close_connection = True

    def _send(self, page: Page) -> None:
        self.send_response(page.status)
        self.send_header("content-type", page.content_type)
        for name, value in page.headers.items():
            self.send_header(name, value)
        if page.status != 204:
            self.send_header("content-length", str(len(page.body)))
        self.end_headers()
        self.wfile.write(page.body)

    def log_message(self, format: str, *args: Any) -> None:
        """The site keeps its own log."""


@contextmanager
def local_site() -> Iterator[LocalSite]:
    """The site, served until the block ends."""
    site = LocalSite()
    try:
        yield site
    finally:
        site.close()
