"""The address of an endpoint: what is sent, and what may be shown of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import parse_qsl, unquote, urlsplit

import httpx2

from flare_core.errors import UsageError


@dataclass(frozen=True, slots=True)
class Address:
    """A base URL such as `https://api.example.org/v1`."""

    url: str
    """What requests are sent to, with user and password if it has them, without query."""
    shown: str
    """The same without user, password and query: fit for screens, logs and events."""
    query: dict[str, str] = field(default_factory=dict)
    """Parameters sent with each request (some providers put their version there)."""
    secrets: tuple[str, ...] = ()
    """Parts that must never be shown."""

    @classmethod
    def parse(cls, text: str) -> Address:
        """Raises UsageError where `text` is no http(s) address."""
        remedy = "Give an address such as http://127.0.0.1:8080/v1, the path of a .gguf file, or “embedded”."
        try:
            parts = urlsplit(text.strip())
            host, port = parts.hostname, parts.port
            (host or "").encode("idna")
            text.encode()
            httpx2.URL(text.strip())
        except (ValueError, httpx2.InvalidURL):
            raise UsageError("The address of the language model is malformed.", remedy) from None
        if parts.scheme not in ("http", "https") or not host or " " in host:
            raise UsageError(f"“{_brief(text)}” is not the address of a language model.", remedy)
        bare = f"[{host}]" if ":" in host else host
        where = bare if port is None else f"{bare}:{port}"
        path = parts.path.rstrip("/")
        shown = f"{parts.scheme}://{where}{path}"
        user = parts.netloc.rpartition("@")[0]
        query = dict(parse_qsl(parts.query))
        hidden = (parts.password, unquote(parts.password) if parts.password else None, *query.values())
        return cls(
            url=f"{parts.scheme}://{user}@{where}{path}" if user else shown,
            shown=shown,
            query=query,
            secrets=tuple(part for part in hidden if part),
        )


def _brief(text: str) -> str:
    """Enough of a wrong setting to recognise it, without what may be a password in it."""
    text = text.strip().rpartition("@")[2].partition("?")[0]
    return text if len(text) <= 60 else text[:59] + "…"
