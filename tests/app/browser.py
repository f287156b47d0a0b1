"""A real browser for tests, and short ways to use the app in it. Needs Chromium or Chrome and Playwright."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import time
import urllib.request
from pathlib import Path
from typing import Any

import pytest

try:
    from playwright.sync_api import Browser, Page, Request, expect, sync_playwright
except ImportError:
    Browser = Page = Request = expect = sync_playwright = None  # type: ignore[assignment, misc]

__all__ = ["Browser", "Page", "Request", "expect", "sync_playwright"]

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
DESKTOP, TABLET, PHONE = (1280, 850), (820, 1100), (390, 844)

MISSING = "no Chromium or Chrome on the path" if CHROMIUM is None else "playwright is not installed"
needs_browser = pytest.mark.skipif(
    (CHROMIUM is None or sync_playwright is None) and os.environ.get("CI") != "true", reason=MISSING
)


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


def start(page: Page, address: str, topic: str = "Marie Curie") -> str:
    """Asks for a report; the id of its run."""
    page.goto(address)
    page.locator(".st-key-topic textarea").fill(topic)
    page.get_by_role("button", name="Start writing").click()
    page.wait_for_url(re.compile(r"run=\w+"))
    expect(page.locator(".view-run")).to_be_visible()
    return page.url.partition("run=")[2]


def wait_for_end(page: Page) -> None:
    expect(page.locator(".pill")).to_have_text("Complete", timeout=40_000)


def panel(page: Page, name: str) -> Any:
    return page.locator(f".panel.{name}")
