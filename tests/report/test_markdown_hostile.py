"""Nothing that a model or a page says is read as markup: a Markdown parser sees the report's own and no more."""

from __future__ import annotations

import re
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from flare_core.events import Status
from flare_core.report.markdown import render
from tests.fakes import passage
from tests.report.logs import accepted, ended, report

PARSER = MarkdownIt("js-default", {"html": True})
BAITS = [
    "[x](http://evil)", "![x](http://evil/i.png)", "<script>alert(1)</script>", "<http://evil>", "<b>", "# x", "> x",
    "1. x", "- x", "* x", "```", "`", "~~~", "    x", "|a|b|", "|---|---|", "---", "===", "***", "[1]: http://evil",
    "[1]", "[x][1]", "](", "](<", "\\", "\\[", "&lt;b&gt;", "&#60;b&#62;", "&colon;", "\n\n", "\n", "\r", "\t", "\x00",
    "\x1b[2J", "\u2028", "\u202e", "*", "_", "__", "~~", "$x$", "$$", "^", "<!--", "-->", "<![CDATA[", "<?", "</a>",
    "javascript:x", "data:x", "http://evil", "www.evil", "a@evil.org", "]: <", "「", "”", "?", ".", "\u0085", "#",
]  # fmt: skip
hostile = st.lists(st.sampled_from(BAITS) | st.text(max_size=4), max_size=6).map(" ".join) | st.lists(
    st.sampled_from(BAITS), max_size=6
).map("".join)
addresses = st.builds(lambda scheme, rest: scheme + rest, st.sampled_from(["https://ok.org/", "http://", ""]), hostile)
passages = st.builds(
    lambda n, title, url, host, date, licence: passage(
        f"P{n}", title=title, host=host, date=date, licence=licence, url="https://x"
    ).model_copy(update={"url": url}),
    st.integers(0, 9), hostile, addresses, hostile, st.none() | hostile, st.none() | hostile,
)  # fmt: skip


def flat(tokens: list[Token]) -> list[Token]:
    return [one for token in tokens for one in [token, *flat(token.children or [])]]


def visible(tokens: list[Token]) -> str:
    return "".join(t.content if t.type in ("text", "code_inline") else " " for t in tokens if not t.children)


@settings(max_examples=250)
@given(
    hostile, st.lists(st.tuples(hostile.filter(str.strip), st.sets(st.integers(0, 3))), max_size=4),
    st.lists(passages, max_size=4, unique_by=lambda p: p.id), hostile, hostile, hostile,
)  # fmt: skip
def test_a_parser_sees_the_reports_own_markup_only(
    topic: str, sentences: list[tuple[str, set[int]]], found: list[Any], model: str, message: str, credit: str
) -> None:
    events = [
        accepted(n, text, *[found[i] for i in sorted(cites) if i < len(found)])
        for n, (text, cites) in enumerate(sentences, 1)
    ]
    state = report(*events, found=found, topic=topic, model=model, credits=[credit], end=ended(Status.STOPPED, message))
    text = render(state)
    tokens = flat(PARSER.parse(text))
    kinds = {token.type for token in tokens}
    assert not kinds & {
        "image", "html_inline", "html_block", "fence", "code_block", "code_inline", "table_open", "blockquote_open",
        "s_open", "strong_open",
    }  # fmt: skip
    assert [t.tag for t in tokens if t.type == "heading_open"] in (
        ["h1"], ["h1", "h2"], ["h1", "h3"], ["h1", "h2", "h3"],
    )  # fmt: skip
    allowed = {p.url for p in found if p.url.startswith(("http://", "https://"))}
    links = [str(t.attrs["href"]) for t in tokens if t.type == "link_open"]
    assert len(set(links)) <= len(allowed)
    assert all(any(link.startswith(url[:7]) for url in allowed) for link in links)
    assert sum(t.type == "list_item_open" for t in tokens) == len({p.url for p in found})
    assert sum(t.type == "hr" for t in tokens) == 1
    bare = re.sub(r"<[^>]*>", "", text)
    assert not re.search(r"(?<!\\)(?:https?://|\bwww\.\w|\w@\w)", bare)
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f\u202e]", text)


@settings(max_examples=150)
@given(hostile.filter(lambda s: re.search(r"\w", s)))
def test_what_is_shown_is_what_was_written(sentence: str) -> None:
    tokens = PARSER.parse(render(report(accepted(1, sentence), topic=sentence)))
    inline = [token for token in tokens if token.type == "inline"]
    expected = " ".join(re.sub(r"[\x00-\x1f\x7f-\x9f\u202d\u202e]", " ", sentence).split())
    assert [visible(flat(inline[i].children or [])) for i in (0, 1)] == [expected, expected]
