"""A page of the local site."""

from __future__ import annotations

import html
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from threading import Event

from flare_core.events import PageOutcome

Serve = Callable[[BaseHTTPRequestHandler, Event], None]
"""Answers a request by hand; the event is set when the site closes."""


@dataclass(frozen=True)
class Page:
    """What is served under one address, and what must come of it."""

    host: str
    path: str
    body: bytes = b""
    content_type: str = "text/html; charset=utf-8"
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    expect: tuple[PageOutcome, ...] = (PageOutcome.READ,)
    """Outcomes that are right for it."""
    title: str = ""
    about: str = ""
    """What the search engine knows of it."""
    contains: str = ""
    """Text that must be in its passages."""
    serve: Serve | None = None

    @property
    def url(self) -> str:
        return f"http://{self.host}{self.path}"


def article_html(title: str, paragraphs: list[str], *, lang: str = "en", date: str = "", head: str = "") -> str:
    """A page as the web has them: menu, article, aside, footer."""
    text = "\n".join(f"<p>{html.escape(p)}</p>" for p in paragraphs)
    stated = f'<meta property="article:published_time" content="{date}">' if date else ""
    return f"""<!doctype html>
<html lang="{lang}"><head>{head}<title>{html.escape(title)}</title>{stated}</head>
<body><header><nav><ul><li><a href="/">Home</a></li><li><a href="/map">Map</a></li><li><a href="/about">About</a></li>
</ul></nav></header>
<main><article><h1>{html.escape(title)}</h1>
{text}
</article></main>
<aside><h3>Most read</h3><a href="/a">Ten walks</a> <a href="/b">Weather</a></aside>
<footer>Privacy | Imprint | Follow us</footer></body></html>"""
