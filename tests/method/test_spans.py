"""Spans that questions are asked about (METHOD 2.3, steps 1 and 3)."""

from __future__ import annotations

import string

from hypothesis import given
from hypothesis import strategies as st

from flare_core.events import Span
from flare_core.queries.spans import spans
from tests.fakes import tok, tokens

DRAFT = tokens("a b c d e f g h i j k l")


def places(*low: int) -> list[tuple[int, int]]:
    return [(span.start, span.end) for span in spans(DRAFT, low)]


def test_low_tokens_up_to_four_apart_are_one_span_with_what_stands_between() -> None:
    assert places(1, 5) == [(1, 6)]
    assert spans(DRAFT, (1, 5))[0].text == "b c d e f"


def test_low_tokens_five_apart_are_two_spans() -> None:
    assert places(1, 6) == [(1, 2), (6, 7)]


def test_a_chain_of_near_tokens_is_one_span() -> None:
    assert places(0, 4, 8, 11) == [(0, 12)]


def test_no_low_token_gives_no_span() -> None:
    assert places() == []


def test_a_single_punctuation_mark_is_dropped() -> None:
    assert spans([tok(" Marie"), tok(",")], (1,)) == []
    assert spans([tok(" Marie"), tok(" ")], (1,)) == []


def test_two_punctuation_marks_are_kept() -> None:
    assert [span.text for span in spans([tok("()"), tok("x")], (0,))] == ["()"]
    assert [span.text for span in spans([tok("«"), tok("x")], (0,))] == ["«"]


def test_a_span_has_no_white_space_around_it() -> None:
    assert spans([tok("in"), tok(" 1867"), tok(" \n")], (1, 2)) == [Span(start=1, end=3, text="1867")]


def test_a_split_character_is_whole_inside_a_span() -> None:
    assert spans([tok(" caf"), tok(b"\xc3"), tok(b"\xa9")], (0, 2))[0].text == "café"


def the_authors_rule(pieces: list[str], low: list[int], gap: int) -> list[tuple[int, int, str]]:
    """METHOD 2.3, steps 1 and 3, in other words than the code's."""
    found: list[tuple[int, int, str]] = []
    start = last = -1
    for i in range(len(pieces) + 1):
        if i in low and start >= 0 and i < last + gap:
            last = i
        elif i in low or i == len(pieces):
            if start >= 0:
                found.append((start, last + 1, "".join(pieces[start : last + 1]).strip()))
            start = last = i
    return [f for f in found if f[2] and not (len(f[2]) == 1 and f[2] in string.punctuation)]


@given(
    st.lists(st.sampled_from([" a", " bc", ",", "()", ".", " ", "é", ' "', "\n"]), min_size=1, max_size=25),
    st.sets(st.integers(0, 24)),
    st.integers(1, 7),
)
def test_spans_are_those_of_the_authors_rule(pieces: list[str], chosen: set[int], gap: int) -> None:
    low = sorted(i for i in chosen if i < len(pieces))
    found = spans([tok(piece) for piece in pieces], low, gap)
    assert [(s.start, s.end, s.text) for s in found] == the_authors_rule(pieces, low, gap)


def test_half_a_character_is_no_part_of_a_span() -> None:
    assert [span.text for span in spans([tok(b"\xc3"), tok(b"\x89"), tok("mile")], (1, 2))] == ["mile"]
    assert spans([tok(b"\xc3"), tok(b"\x89")], (1,)) == []
