"""What the pages draw with: words for everything, the article, text that stays text."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from flare_core.report.citations import numbered
from flare_core.report.fold import fold
from pages.components.article import MARKS, article
from pages.components.plain import JOINER, plain
from tests.app.sample_run import sample

ROOT = Path(__file__).resolve().parents[2]


def test_no_script_or_page_builds_markup_from_text() -> None:
    for path in (ROOT / "assets" / "js").glob("*.js"):
        for bad in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "DOMParser", "setHTML"):
            assert bad not in path.read_text("utf-8"), path.name
    for path in (ROOT / "pages").rglob("*.py"):
        for bad in ("unsafe_allow_html", "st.html", "components.v1"):
            assert bad not in path.read_text("utf-8"), path.name


def test_every_outcome_and_every_word_of_the_vocabulary_has_words_on_the_screen() -> None:
    from flare_core.events import Outcome, PageOutcome, QueryKind, SearchOutcome, Status

    words = json.loads((ROOT / "assets" / "words.json").read_text("utf-8"))
    for part, names in (
        ("outcomes", Outcome),
        ("searches", SearchOutcome),
        ("pages", PageOutcome),
        ("queries", QueryKind),
        ("endings", Status),
    ):
        assert set(names) <= set(words[part]), part
    assert {mark for mark, _ in words["outcomes"].values()} <= set(MARKS)


def test_the_article_numbers_sources_as_the_exports_do() -> None:
    state = fold(sample())
    assert {s["url"]: s["number"] for s in article(state)["sources"]} == numbered(state)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Marie Curie", "Marie Curie"),
        ("two\nlines\t here", "two lines here"),
        ("$x$", r"\$x\$"),
        (":red[x]", rf"\:{JOINER}red\[x\]"),
        (":material/home:", rf"\:{JOINER}material/home\:"),
        ("![](https://e.org/p)", rf"\!\[\]\(https\:{JOINER}//e\.org/p\)"),
        ("<b>", r"\<b\>"),
        ("www.e.org", rf"www{JOINER}\.e\.org"),
        ("a@e.org", rf"a\@{JOINER}e\.org"),
        ("a -> b", rf"a \-{JOINER}\> b"),
        ("居禮夫人 ☢️ ماري", "居禮夫人 ☢️ ماري"),
        (r"\$", r"\\\$"),
    ],
)
def test_plain_text_stays_plain_in_markdown(text: str, shown: str) -> None:
    assert plain(text) == shown
