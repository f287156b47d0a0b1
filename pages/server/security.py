"""What a browser is told to refuse, and which requests the server refuses itself. Plain ASGI: nothing is buffered."""

from __future__ import annotations

import os
from urllib.parse import urlsplit

import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = {
    "default-src": "'self'",
    "script-src": "'self' 'unsafe-inline' 'unsafe-eval' blob:",  # Streamlit's own page needs these
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' data: blob:",  # no picture from elsewhere: it could carry text away in its address
    "font-src": "'self' data:",
    "media-src": "'self' data: blob:",
    "connect-src": "'self'",
    "worker-src": "'self' blob:",
    "frame-src": "'self' blob: data:",
    "frame-ancestors": "'self'",
    "form-action": "'self'",
    "object-src": "'none'",
    "base-uri": "'self'",
}
HEADERS = {
    "Content-Security-Policy": "; ".join(f"{name} {value}" for name, value in POLICY.items()),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "SAMEORIGIN",
    "Referrer-Policy": "same-origin",  # an address holds the id of a run, and sources are links
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
LOCAL = ("localhost", "127.0.0.1", "::1")


class SecurityHeaders:
    """Adds the headers to every answer that does not bring its own."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, send_with_headers if scope["type"] == "http" else send)


class HostGuard:
    """Refuses requests under a name that is not this server's, or from a page of another one (DNS rebinding)."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and (refused := _refused(Headers(scope=scope))):
            await JSONResponse({"error": refused}, status_code=403)(scope, receive, send)
        else:
            await self._app(scope, receive, send)


def _refused(headers: Headers) -> str:
    """Why a request is refused; empty if it is not."""
    allowed = allowed_hosts()
    if not _is_allowed(_host(headers.get("host", "")), allowed):
        return "Flare is not known under this name. Add it to FLARE_ALLOWED_HOSTS or to server.allowedHosts."
    origin = headers.get("origin")
    if origin is not None and not _is_allowed(_host(origin.partition("://")[2]), allowed):
        return "Requests from pages of other servers are refused."
    return ""


def allowed_hosts() -> tuple[str, ...]:
    """Names of this server, in lower case; `*.example.org` stands for all below it, `*` for any."""
    named = os.environ.get("FLARE_ALLOWED_HOSTS", "").replace(",", " ").split()
    configured = st.get_option("server.allowedHosts") or []
    return (*LOCAL, *(name.strip("[]").rstrip(".").lower() for name in (*named, *configured)))


def _host(authority: str) -> str | None:
    """The name in `name:port`; None for anything else."""
    try:
        parts = urlsplit(f"//{authority}")
        _ = parts.port
    except ValueError:
        return None
    if parts.netloc != authority or "@" in authority or not parts.hostname:
        return None
    return parts.hostname.rstrip(".")


def _is_allowed(host: str | None, allowed: tuple[str, ...]) -> bool:
    return host is not None and any(
        pattern in ("*", host) or (pattern.startswith("*.") and host.endswith(pattern[1:])) for pattern in allowed
    )
