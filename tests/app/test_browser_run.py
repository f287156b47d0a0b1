"""Stories in a real browser: a report as it is written. Beside tests/app/sample_run.py all is the real app."""

from __future__ import annotations

import re

from tests.app.browser import Page, Request, expect, needs_browser, panel, start, wait_for_end
from tests.app.sample_passages import HOSTILE

pytestmark = needs_browser


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
    page.locator(".st-key-topic textarea").fill("Marie Curie")
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
    page.locator(".st-key-topic textarea").fill("Fridtjof Nansen")
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
