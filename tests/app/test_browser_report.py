"""Stories in a real browser: a finished report, its downloads, and the panels by width."""

from __future__ import annotations

import re

import pytest

from tests.app.browser import DESKTOP, PHONE, TABLET, Page, expect, needs_browser, panel

pytestmark = needs_browser


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
    assert "secondary-school teacher [1] [2]." in text
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
