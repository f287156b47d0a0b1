"""The app, served for a browser; services for the routes. The engine plays tests/app/sample_run.py."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from flare_core.runs import Engine, Runs, Store
from tests.app.browser import (
    CHROMIUM,
    DESKTOP,
    FLAGS,
    MISSING,
    ROOT,
    Browser,
    Page,
    free_port,
    serve,
    start,
    stop,
    sync_playwright,
    wait_for_end,
)

PACE = 0.03

APP = """
import sys
sys.path.insert(0, {root!r})
from flare_core.runs import Runs, Store
from pages import service
from tests.app.sample_run import engine
service.use(Runs(Store({database!r}), engine({pace})))
from app import app
"""

STRIP = """
import math, sys
sys.path.insert(0, {root!r})
import streamlit as st
from flare_core.events import Decided, Token
from pages.components import plain, token_strip
from tests.app.sample_log import say
from tests.app.sample_passages import HOSTILE
decided = Decided(sentence=1, verdict="uncertain", retrieve=True, rule="", theta=.6, beta=.4, lowest=.2, below=(1, 3))
st.title("Strips")
token_strip(say("One [two .2 three .1] [four ?] [five .5] six."), decided, masked=(1,), key="short")
token_strip(tuple(Token(f" word{{i}}", math.log(.05 + i % 19 / 20)) for i in range(900)), key="long")
token_strip(tuple(Token(t, -.5) for t in ("عُر", "فت", " بأبحاثها", " في", " باريس", ".")), key="arabic")
split = Token("京\\ufffd", -1, (), (228, 186, 172, 229)), Token("\\ufffd", -.1, (), (164, 167))
token_strip((Token("\\n\\n", -2.), Token("After"), Token(" two"), Token(" breaks.")), key="blank")
token_strip((Token("東"), *split, Token("👩\\u200d"), Token("🔬")), key="chinese")
token_strip(tuple(Token(" " + t, -1.) for t in HOSTILE.split()), key="hostile")
with st.container(key="plain"):
    st.markdown(plain(HOSTILE + " https://evil.example/x www.evil.example a@evil.example :streamlit: ->"))
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    assert CHROMIUM is not None and sync_playwright is not None, MISSING
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The whole app, its engine playing the sample."""
    folder, port = tmp_path_factory.mktemp("app"), free_port()
    text = APP.format(root=str(ROOT), database=str(folder / "runs.db"), pace=PACE)
    (folder / "served.py").write_text(text, "utf-8")
    uvicorn = [sys.executable, "-m", "uvicorn", "served:app", "--app-dir", str(folder), "--port", str(port)]
    server = serve(uvicorn, port, folder / "log")
    yield f"http://localhost:{port}"
    stop(server)


@pytest.fixture(scope="module")
def strips(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A page with nothing but token strips."""
    folder, port = tmp_path_factory.mktemp("strips"), free_port()
    (folder / "strips.py").write_text(STRIP.format(root=str(ROOT)), "utf-8")
    server = serve([sys.executable, "-m", "streamlit", "run", str(folder / "strips.py")], port, folder / "log")
    yield f"http://localhost:{port}"
    stop(server)


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A tab that notes which other servers were asked, and what went wrong in it."""
    context = browser.new_context(viewport={"width": DESKTOP[0], "height": DESKTOP[1]})
    opened = context.new_page()
    foreign: list[str] = []
    problems: list[str] = []
    opened.on(
        "request",
        lambda r: foreign.append(r.url) if not re.match(r"(https?|ws)://localhost|data:|blob:", r.url) else None,
    )
    opened.on("pageerror", lambda error: problems.append(str(error)))
    yield opened
    assert opened.evaluate("window.pwned") is None
    assert not [url for url in foreign if "evil" in url]
    assert not problems
    context.close()


@pytest.fixture(scope="module")
def finished(browser: Browser, address: str) -> str:
    """The id of a run that has ended."""
    tab = browser.new_page()
    run_id = start(tab, address)
    wait_for_end(tab)
    tab.close()
    return run_id


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The app as it is, with the embedded model and the offline encyclopedia."""
    if importlib.util.find_spec("xllamacpp") is None:
        pytest.skip("the embedded model is not installed")
    folder, port = tmp_path_factory.mktemp("real"), free_port()
    server = serve([sys.executable, "-m", "uvicorn", "app:app", "--port", str(port)], port, folder / "log")
    yield f"http://localhost:{port}"
    stop(server)


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Callable[[Engine], Runs]]:
    made: list[tuple[Runs, Store]] = []

    def make(engine: Engine) -> Runs:
        store = Store(tmp_path / "runs.db")
        made.append((Runs(store, engine), store))
        return made[-1][0]

    yield make
    for runs, store in made:
        runs.close()
        store.close()
