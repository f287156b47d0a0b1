"""Stories in a real browser: the element's scripts, its looks by width, its keyboard, and hostile text.

The engine plays tests/app/sample_run.py; all else is the real app. Needs Chromium or Chrome and Playwright.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.app.sample_run import HOSTILE

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
DESKTOP, TABLET, PHONE = (1280, 850), (820, 1100), (390, 844)
PACE = 0.03

try:
    from playwright.sync_api import Browser, Page, Request, expect, sync_playwright
except ImportError:
    sync_playwright = None  # type: ignore[assignment]

MISSING = "no Chromium or Chrome on the path" if CHROMIUM is None else "playwright is not installed"
pytestmark = pytest.mark.skipif(
    (CHROMIUM is None or sync_playwright is None) and os.environ.get("CI") != "true", reason=MISSING
)

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
from tests.app.sample_run import HOSTILE, say
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

WALK = """strip => {
  const began = performance.now();
  for (let i = 0; i < 100; i++) {
    const event = new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true, cancelable: true });
    strip.getRootNode().activeElement.dispatchEvent(event);
  }
  return performance.now() - began;
}"""


def serve(command: list[str], port: int, log: Path) -> subprocess.Popen[bytes]:
    """Starts a server and waits until it answers."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), "FLARE_HOME": str(log.parent), "STREAMLIT_SERVER_PORT": str(port)}
    with log.open("wb") as output:
        server = subprocess.Popen(command, cwd=ROOT, env=env, stdout=output, stderr=subprocess.STDOUT)
    for _ in range(120):
        try:
            urllib.request.urlopen(f"http://localhost:{port}/_stcore/health", timeout=2).close()
        except OSError:
            time.sleep(0.25)
        else:
            return server
    server.kill()
    raise AssertionError(log.read_text("utf-8", "replace")[-2000:])


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def stop(server: subprocess.Popen[bytes]) -> None:
    server.terminate()
    try:
        server.wait(10)
    except subprocess.TimeoutExpired:
        server.kill()


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


def start(page: Page, address: str, topic: str = "Marie Curie") -> str:
    """Asks for a report; the id of its run."""
    page.goto(address)
    page.locator("textarea").first.fill(topic)
    page.get_by_role("button", name="Start writing").click()
    page.wait_for_url(re.compile(r"run=\w+"))
    expect(page.locator(".view-run")).to_be_visible()
    return page.url.partition("run=")[2]


def wait_for_end(page: Page) -> None:
    expect(page.locator(".pill")).to_have_text("Complete", timeout=40_000)


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


def panel(page: Page, name: str) -> Any:
    return page.locator(f".panel.{name}")


def test_a_report_grows_before_the_eyes_and_ends_with_one_rerun(page: Page, address: str) -> None:
    streams: list[Request] = []
    page.on("request", lambda request: streams.append(request) if request.url.endswith("/events") else None)
    start(page, address)
    expect(panel(page, "draft").locator(".strip .t").first).to_be_visible(timeout=20_000)
    expect(page.locator(".rows li.working")).to_be_visible(timeout=20_000)
    assert page.get_by_role("button", name="Read the report").count() == 0
    wait_for_end(page)
    expect(page.get_by_role("button", name="Read the report")).to_be_visible()
    assert page.locator(".rows li").count() == 5
    signs = page.locator(".rows .sign").evaluate_all("signs => signs.map(s => s.className.split(' ')[1])")
    assert signs == ["memory", "supported", "unsupported", "failed", "supported"]
    counters = dict(
        zip(page.locator(".counters dt").all_inner_texts(), page.locator(".counters dd").all_inner_texts(), strict=True)
    )
    assert (counters["sentences"], counters["retrievals"], counters["searches"], counters["model calls"]) == (
        "5 / 5",
        "4",
        "9",
        "5",
    )
    assert len(streams) == 1, "one connection, over all reruns"


def test_the_four_panels_tell_how_a_sentence_came_about(page: Page, address: str, finished: str) -> None:
    page.goto(f"{address}/?run={finished}")
    page.locator(".rows li[data-n='2'] p").click()
    draft, query, passages, rewrite = (panel(page, name) for name in ("draft", "query", "passages", "rewrite"))
    expect(draft.locator(".rule")).to_contain_text("θ = 0.60")
    assert draft.locator(".t.below").all_inner_texts() == ["Kraków", "186", "9", "youngest"]
    assert draft.locator(".t.masked").all_inner_texts() == ["Kraków", "186", "9"]
    assert draft.locator(".t.unknown").all_inner_texts() == ["the"]
    assert draft.locator("table tr").count() == 17
    assert query.locator("del").all_inner_texts() == ["Kraków", "1869"]
    expect(query.locator(".sent")).to_have_text(re.compile("^She was born in on 7 November"))
    assert passages.locator(".passage.kept").count() == 2
    expect(passages.locator(".passage.dropped .score")).to_contain_text("below rank")
    expect(passages.locator(".outcomes .bad").first).to_contain_text("asked to wait")
    assert rewrite.locator("del").first.inner_text() == "Kraków"
    assert rewrite.locator("ins").first.inner_text() == "Warsaw"
    assert rewrite.locator("blockquote").count() == 2


def test_questions_show_the_span_that_they_are_about(page: Page, address: str, finished: str) -> None:
    page.goto(f"{address}/?run={finished}")
    page.locator(".cell", has_text="5").click()
    assert panel(page, "query").locator(".about q").all_inner_texts() == ["radioactive", "Vienna boxes"]
    assert panel(page, "query").locator(".sent").count() == 2
    assert "☢️" in panel(page, "draft").locator(".strip .t").all_inner_texts(), "a split character is whole"


def test_sentences_are_walked_with_buttons(page: Page, address: str, finished: str) -> None:
    page.goto(f"{address}/?run={finished}")
    expect(page.locator(".nav h3")).to_have_text("Sentence 2")
    page.get_by_role("button", name="Next sentence").click()
    expect(page.locator(".nav h3")).to_have_text("Sentence 3")
    expect(panel(page, "draft")).to_contain_text("nearly repeats sentence 2")
    for _ in range(3):
        page.get_by_role("button", name="Previous sentence").click()
    expect(page.locator(".nav h3")).to_have_text("Before the first sentence")
    expect(page.get_by_role("button", name="Previous sentence")).to_be_disabled()


def test_a_reload_half_way_and_a_second_tab_show_the_same_run(page: Page, address: str) -> None:
    run_id = start(page, address)
    expect(page.locator(".rows li").nth(1)).to_be_visible(timeout=20_000)
    page.reload()
    other = page.context.new_page()
    other.goto(f"{address}/?run={run_id}")
    for tab in (page, other):
        wait_for_end(tab)
        assert tab.locator(".rows li").count() == 5


def test_a_second_run_is_stopped_and_keeps_what_it_has(page: Page, address: str) -> None:
    start(page, address)
    expect(page.locator(".rows li").nth(1)).to_be_visible(timeout=20_000)
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".pill")).to_have_text("Stopped", timeout=15_000)
    assert 1 <= page.locator(".rows li").count() < 5
    assert page.locator(".rows li.working").count() == 0
    expect(page.get_by_role("button", name="Read the report")).to_be_visible()


def test_without_the_stream_the_page_asks_by_itself(page: Page, address: str) -> None:
    page.route("**/api/runs/*/events*", lambda route: route.fulfill(status=502))
    start(page, address)
    wait_for_end(page)
    assert page.locator(".rows li").count() == 5
    expect(page.get_by_role("button", name="Read the report")).to_be_visible(timeout=15_000)


def test_a_topic_becomes_a_report_with_the_real_engine(page: Page, real: str) -> None:
    page.goto(real)
    page.locator("textarea").first.fill("Marie Curie")
    page.locator(".st-key-field-sentences input").fill("4")
    page.get_by_role("button", name="Start writing").click()
    expect(page.locator(".rows li .sign:not(.work)").first).to_be_visible(timeout=120_000)
    page.reload()
    expect(page.locator(".pill")).to_have_text("Complete", timeout=180_000)
    assert page.locator(".rows li").count() == 4
    expect(page.locator(".panel.draft .strip .t").first).to_be_visible()
    page.get_by_role("button", name="Read the report").click()
    expect(page.locator(".sentence")).to_have_count(4)
    assert len(page.locator(".sources ol .cite").all_inner_texts()) == len(
        set(page.locator(".reading .cite").all_inner_texts())
    )
    page.get_by_role("link", name="How it was written").click()
    page.get_by_role("button", name="New report").click()
    page.locator("textarea").first.fill("Fridtjof Nansen")
    page.get_by_role("button", name="Start writing").click()
    expect(page.locator(".rows li").first).to_be_visible(timeout=120_000)
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".pill")).to_have_text("Stopped", timeout=60_000)


def test_hostile_pages_and_topics_are_text(page: Page, address: str) -> None:
    start(page, address, f"Curie {HOSTILE}")
    wait_for_end(page)
    page.locator(".cell", has_text="5").click()
    expect(panel(page, "passages").locator(".title").first).to_contain_text("<img src=x")
    assert panel(page, "passages").locator("a.title").count() == 2, "no link for an address that is not http"
    assert page.locator(".flare :is(img, script, iframe)").count() == 0
    assert page.locator("h1 :is(img, a, code, strong, .katex)").count() == 0
    page.get_by_role("button", name="Read the report").click()
    expect(page.locator(".reading h1")).to_contain_text("<img src=x")
    assert page.locator(".flare :is(img, script, iframe)").count() == 0


def test_the_report_is_read_cited_and_opened(page: Page, address: str, finished: str) -> None:
    page.goto(f"{address}/report?run={finished}")
    expect(page.locator(".reading h1")).to_have_text("Marie Curie")
    numbers = page.locator(".reading .cite").all_inner_texts()
    assert numbers == ["1", "2", "3", "4"]
    assert page.locator(".sources ol .cite").all_inner_texts() == numbers
    second = page.locator(".sentence[data-n='2']")
    assert re.sub(r"\s+", "", second.inner_text()).endswith("teacher12."), "the numbers stand before the full stop"
    for link in page.locator(".sources a").all():
        assert str(link.get_attribute("href")).startswith("https://")
        assert "noopener" in str(link.get_attribute("rel"))
    page.locator(".reading .cite").nth(1).click()
    expect(page.locator(".sources [data-source='2']")).to_have_class(re.compile("flash"))
    assert page.locator(".sheet").is_hidden()
    second.locator(".how").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".sheet .panel.draft .rule")).to_contain_text("θ = 0.60")
    page.get_by_role("button", name="Close").click()
    expect(page.locator(".sheet")).to_be_hidden()


def test_the_report_and_its_trace_are_downloaded(page: Page, address: str, finished: str) -> None:
    page.goto(f"{address}/report?run={finished}")
    page.get_by_role("button", name="Download").click()
    with page.expect_download() as report:
        page.get_by_role("button", name="Report (Markdown)").click()
    text = report.value.path().read_text("utf-8")
    assert text.startswith("# Marie Curie")
    assert "secondary-school teacher [1][2]." in text
    with page.expect_download() as trace:
        page.get_by_role("button", name="Trace (JSON Lines)").click()
    lines = trace.value.path().read_text("utf-8").splitlines()
    assert '"type":"run_started"' in lines[0]
    assert '"type":"run_ended"' in lines[-1]


def test_evidence_marks_come_with_a_switch(page: Page, address: str, finished: str) -> None:
    page.goto(f"{address}/report?run={finished}")
    expect(page.locator(".reading h1")).to_be_visible()
    width = "element => element.getBoundingClientRect().width"
    assert page.locator(".how").first.evaluate(width) <= 1
    page.get_by_text("Show evidence marks").click()
    page.wait_for_selector(".view-report.marks")
    assert page.locator(".how").first.evaluate(width) > 5


@pytest.mark.parametrize(("size", "columns"), [(DESKTOP, 4), (TABLET, 2), (PHONE, 1)])
def test_panels_fit_the_width_that_there_is(
    page: Page, address: str, finished: str, size: tuple[int, int], columns: int
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(f"{address}/?run={finished}")
    expect(page.locator(".panel.chosen")).to_be_visible()
    seen = [p for p in page.locator(".panel").all() if p.is_visible()]
    assert len({round(box["x"]) for p in seen if (box := p.bounding_box())}) == columns
    assert page.get_by_role("tab").first.is_visible() == (columns == 1)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    overflow = "elements => elements.filter(e => e.scrollWidth > e.clientWidth + 1).map(e => e.className)"
    assert page.locator(".flare, .panel").evaluate_all(overflow) == []


def test_on_a_phone_the_panels_are_tabs(page: Page, address: str, finished: str) -> None:
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    page.goto(f"{address}/?run={finished}")
    page.get_by_role("tab", name="Query").click()
    expect(panel(page, "query")).to_be_visible()
    expect(panel(page, "draft")).to_be_hidden()
    page.keyboard.press("ArrowRight")
    expect(panel(page, "passages")).to_be_visible()


def test_a_token_tells_more_on_hover_tap_and_key(page: Page, strips: str) -> None:
    page.goto(strips)
    strip, popover = page.locator(".st-key-short .strip"), page.locator(".st-key-short .popover")
    tokens = strip.locator(".t")
    tokens.nth(1).hover()
    expect(popover).to_contain_text("0.20")
    expect(popover.locator(".alt")).to_have_count(2)
    page.locator("h1").hover()
    expect(popover).to_be_hidden()
    tokens.nth(1).click()
    page.locator("h1").hover()
    expect(popover, "a click pins it").to_be_visible()
    page.keyboard.press("Escape")
    expect(popover).to_be_hidden()
    tokens.nth(0).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(popover).to_contain_text("no probability")
    assert strip.evaluate("strip => strip.querySelectorAll('[tabindex=\"0\"]').length") == 1, "one stop for the Tab key"


def test_a_strip_shows_confidence_without_colour(page: Page, strips: str) -> None:
    page.goto(strips)
    tokens = page.locator(".st-key-short .t")
    expect(tokens.first).to_be_visible()
    lines = tokens.evaluate_all(
        "all => all.slice(0, 4).map(t => getComputedStyle(t)).map(s => s.textDecorationStyle + s.textDecorationLine)"
    )
    assert lines == ["solidnone", "wavyunderline", "doubleunderline", "dashedunderline"]
    assert tokens.nth(1).get_attribute("aria-label") == "two: 0.20, under θ, masked"
    assert page.locator(".st-key-short .legend li").count() == 7


def test_hundreds_of_tokens_come_without_lag_and_can_be_selected(page: Page, strips: str) -> None:
    page.goto(strips)
    strip = page.locator(".st-key-long .strip")
    expect(strip.locator(".t")).to_have_count(900, timeout=15_000)
    select = "strip => { const all = new Range(); all.selectNodeContents(strip); return all.toString(); }"
    text = strip.evaluate(select)
    assert text == " ".join(f"word{i}" for i in range(900))
    main = page.locator("[data-testid=stMain]")
    assert main.evaluate("main => main.scrollHeight") < 9000, "the table for screen readers takes no room"
    strip.locator(".t").first.focus()
    spent = strip.evaluate(WALK)
    page.keyboard.press("End")
    expect(page.locator(".st-key-long .popover")).to_be_visible()
    assert spent < 1000, "milliseconds for 100 steps"


def test_scripts_that_join_or_run_from_the_right_stay_right(page: Page, strips: str) -> None:
    page.goto(strips)
    arabic = page.locator(".st-key-arabic .strip")
    expect(arabic).to_be_visible()
    assert arabic.evaluate("strip => getComputedStyle(strip).direction") == "rtl"
    arabic.locator(".t").first.focus()
    page.keyboard.press("ArrowLeft")
    assert arabic.locator(".t:focus").count() == 1
    assert arabic.locator(".t").first.get_attribute("tabindex") == "-1", "left is forward"
    padding = arabic.locator(".t").first.evaluate(
        "t => getComputedStyle(t).paddingInline + getComputedStyle(t).borderInlineWidth"
    )
    assert padding == "0px0px", "letters join over tokens"
    assert page.locator(".st-key-chinese .strip .t").all_inner_texts() == ["東", "京大", "👩‍🔬"]


def test_a_token_of_nothing_but_space_can_be_seen(page: Page, strips: str) -> None:
    page.goto(strips)
    first = page.locator(".st-key-blank .strip .t").first
    expect(first).to_be_visible()
    assert first.evaluate("t => getComputedStyle(t, '::before').content") == '"↵↵"'
    assert page.locator(".st-key-blank .strip").evaluate("strip => strip.getBoundingClientRect().height") < 50


def test_hostile_tokens_and_labels_are_text(page: Page, strips: str) -> None:
    page.goto(strips)
    expect(page.locator(".st-key-hostile .t").first).to_have_text("<img")
    assert page.locator(".st-key-hostile .flare :is(img, script, a)").count() == 0
    shown = page.locator(".st-key-plain")
    expect(shown).to_contain_text("bold")
    assert shown.locator("a, img, .katex, code, strong, [role=img], [style*=color]").count() == 0
