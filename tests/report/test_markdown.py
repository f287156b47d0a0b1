"""The report as Markdown: citations before the full stop, sources, and how it was written."""

from __future__ import annotations

import time

import pytest

from flare_core.events import Status
from flare_core.report.markdown import escape, plain_text, render
from tests.fakes import passage
from tests.report.logs import A, B, C, accepted, ended, report


@pytest.mark.parametrize(("text", "shown"), [
    ("She won.", "She won [1]."),
    ("Did she?", "Did she [1]?"),
    ("She won…", "She won [1]…"),
    ("She won?!", "She won [1]?!"),
    ("She said “no.”", "She said “no [1].”"),
    ("She said “no”.", "She said “no” [1]."),
    ("（彼女は言った。）", "（彼女は言った [1]。）"),
    ("彼女は「いいえ。」", "彼女は「いいえ [1]。」"),
    ("東京は首都である。", "東京は首都である [1]。"),
    ("هل فازت؟", "هل فازت [1]؟"),
    ("वह जीती।", "वह जीती [1]।"),
    ("No full stop", "No full stop [1]"),
    ("It is called “Radium”", "It is called “Radium” [1]"),
    ("She left at 5 p.m.", "She left at 5 p.m [1]."),
    ("...", "[1]..."),
])  # fmt: skip
def test_a_citation_stands_before_the_full_stop(text: str, shown: str) -> None:
    assert f"\n\n{shown}\n\n" in render(report(accepted(1, text, A), found=[A]))


def test_several_citations_stand_apart_and_link_to_their_sources() -> None:
    """`[1][2]` would be one link."""
    text = render(report(accepted(1, "One.", A, B), found=[A, B]))
    assert "One [1] [2]." in text
    assert f"[1]: <{A.url}>\n[2]: <{B.url}>" in text


def test_paragraphs_and_sentences_stay_apart_as_they_were() -> None:
    state = report(accepted(1, "One."), accepted(2, "Two."), accepted(3, "Three.", before="\n\n"),
                   accepted(4, "四。"), accepted(5, "五。", before=""))  # fmt: skip
    assert "\n\nOne. Two.\n\nThree. 四。五。\n\n" in render(state)


def test_sources_are_described() -> None:
    p = passage("P", title="Marie *Curie*", url="https://example.org/m", date="2020-01-02", licence="CC BY-SA 4.0",
                retrieved_at=86400.0)  # fmt: skip
    assert (
        "1. [Marie \\*Curie\\*](<https://example.org/m>) — example.org, 2020-01-02, read 1970-01-02, CC BY-SA 4.0"
        in render(report(accepted(1, "One.", p), found=[p]))
    )


def test_unused_sources_are_listed_once_and_apart() -> None:
    text = render(report(accepted(1, "One.", A), found=[A, B, B, C]))
    assert text.count(B.title) == text.count(C.title) == 1
    assert text.index("## Sources") < text.index(A.title) < text.index("### Read, not cited") < text.index(B.title)


def test_a_source_without_title_is_called_by_its_host() -> None:
    p = passage("P", title=" ", url="https://example.org/m")
    assert "[example.org](<https://example.org/m>)" in render(report(accepted(1, "One.", p), found=[p]))


@pytest.mark.parametrize("when", [float("nan"), float("inf"), -1e30, 1e300])
def test_a_time_out_of_this_world_is_left_out(when: float) -> None:
    p = passage("P", retrieved_at=when)
    assert "read" not in render(report(accepted(1, "One.", p), found=[p])).split("## Sources")[1].split("---")[0]


@pytest.mark.parametrize("url", ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "", "//example.org"])
def test_an_address_that_is_no_web_page_is_not_linked(url: str) -> None:
    p = passage("P", title="Bad").model_copy(update={"url": url})
    text = render(report(accepted(1, "One.", p), found=[p]))
    assert "1. Bad — example.org" in text and "](" not in text and "]: <" not in text


def test_an_address_cannot_leave_its_place() -> None:
    p = passage("P", url="https://example.org/a>b c`d\\e\n[x](y)<f>&copy;|é")
    text = render(report(accepted(1, "One.", p), found=[p]))
    assert "[1]: <https://example.org/a%3Eb%20c%60d%5Ce%0A[x](y)%3Cf%3E&amp;copy;%7Cé>" in text


def test_it_says_who_wrote_it_and_how_much_is_backed() -> None:
    text = render(report(accepted(1, "One.", A), accepted(2, "Two."), found=[A], credits=["Text from *Wiki*"]))
    assert "with the model fake. For 1 of 2 sentences" in text
    assert "*Text from \\*Wiki\\**" in text
    assert "not complete" not in text


def test_an_unfinished_report_says_so() -> None:
    state = report(accepted(1, "One."), end=ended(Status.FAILED, "It *broke*."))
    assert "*The report is not complete. It \\*broke\\*.*" in render(state)
    assert "*Nothing was written.*" in render(report(end=ended(Status.STOPPED)))


@pytest.mark.parametrize(("text", "escaped"), [
    ("# one", "\\# one"), ("- one", "\\- one"), ("+ one", "\\+ one"), ("1. one", "1\\. one"), ("12) one", "12\\) one"),
    ("1867 was", "1867 was"), ("3.5 km", "3.5 km"), ("--- x", "\\--- x"), ("a - b # c", "a - b # c"),
    ("C# and F#", "C# and F#"), ("On C #", "On C \\#"), ("-", "\\-"), ("#", "\\#"), ("1.", "1\\."),
    ("&lt;b&gt; &copy; AT&T", "\\&lt;b\\&gt; \\&copy; AT&T"), ("a\nb\x00c\x1b[31md", "a b c \\[31md"),
    ("https://evil.org www.evil.org me@evil.org", "https:\\//evil.org www\\.evil.org me\\@evil.org"),
])  # fmt: skip
def test_escape(text: str, escaped: str) -> None:
    assert escape(text) == escaped


def test_plain_text_has_no_marks_of_any_kind() -> None:
    state = report(accepted(1, "One *a*.", A), accepted(2, "Two\x1b[31m.", before="\n\n"), found=[A])
    assert plain_text(state) == "One *a*.\n\nTwo [31m.\n"


def test_a_very_long_run_of_full_stops_takes_no_time() -> None:
    before = time.perf_counter()
    render(report(accepted(1, "." * 200_000 + "x", A), found=[A]))
    assert time.perf_counter() - before < 2
