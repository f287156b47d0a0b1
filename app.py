"""The door: `streamlit run app.py`. The pages, and beside them the routes and headers of pages/server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.routing import Route

from pages import service
from pages.server import Hub, SecurityHeaders, released_on_signals, routes

hub = Hub(service.runs)


@asynccontextmanager
async def lifespan(_app: st.App) -> AsyncIterator[None]:
    with released_on_signals(hub):
        try:
            yield
        finally:
            await asyncio.to_thread(service.close)


def front_page(request: Request) -> RedirectResponse:
    """The front page has the address `/` alone; Streamlit would call `/write` not found."""
    return RedirectResponse(f"./?{request.url.query}" if request.url.query else "./", status_code=307)


app = st.App(
    # main.py stands in a folder without a pages/ of its own: beside one, a deep link would run a page without it
    Path(__file__).parent / "pages" / "main.py",
    routes=[*routes(hub), Route("/write", front_page)],
    middleware=[Middleware(SecurityHeaders)],
    lifespan=lifespan,
)
