"""Stories in a real browser: the strip of tokens, its looks, its keyboard, and hostile text."""

from __future__ import annotations

from tests.app.browser import Page, expect, needs_browser

pytestmark = needs_browser

WALK = """strip => {
  const began = performance.now();
  for (let i = 0; i < 100; i++) {
    const event = new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true, cancelable: true });
    strip.getRootNode().activeElement.dispatchEvent(event);
  }
  return performance.now() - began;
}"""


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
