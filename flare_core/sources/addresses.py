"""One spelling for each address, so that a page is known again."""

from __future__ import annotations

from urllib.parse import urldefrag, urlsplit

from courlan import normalize_url


def canonical(url: str) -> str:
    """The address without fragment and tracking parameters, host in lower case, query sorted.

    What cannot be parsed stays as it is; the guard will refuse it.

    >>> canonical("HTTPS://Example.org:443/a?utm_source=x&b=2&a=1#part")
    'https://example.org/a?a=1&b=2'
    """
    try:
        plain = normalize_url(urldefrag(url.strip()).url)
        return f"{plain}/" if not urlsplit(plain).path and not urlsplit(plain).query else plain
    except ValueError:
        return url


def host_of(url: str) -> str:
    """Host of an address, or the address itself when it has none."""
    try:
        return urlsplit(url).hostname or url
    except ValueError:
        return url
