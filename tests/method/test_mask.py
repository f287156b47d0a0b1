"""Implicit queries: the draft without its uncertain tokens, or without the words they stand in."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from flare_core.events import Token
from flare_core.queries.mask import has_words, mask, whole_words
from tests.fakes import tok, tokens


def parts(*pieces: str | bytes) -> list[Token]:
    return [tok(piece) for piece in pieces]


def ask(pieces: list[Token], *low: int) -> str:
    """The query in which whole words are left out."""
    return mask(pieces, whole_words(pieces, low))


# --- by token


def test_each_uncertain_token_becomes_one_space() -> None:
    assert mask(tokens("Marie was born in 1867 in Warsaw."), (4, 6)) == "Marie was born in in ."


def test_a_word_loses_only_its_uncertain_part() -> None:
    assert mask(parts("Marie", " Sk", "lod", "owska"), (2,)) == "Marie Sk owska"


def test_nothing_uncertain_leaves_the_draft() -> None:
    assert mask(parts(" Marie", " left", "."), ()) == "Marie left."


def test_a_draft_of_which_all_is_masked_is_empty() -> None:
    assert mask(parts(" a", " b"), (0, 1)) == ""


def test_a_character_split_between_tokens_is_whole_again() -> None:
    assert mask(parts("Z", b"\xc3", b"\xbc", "rich", " lies"), (4,)) == "Zürich"


def test_half_a_character_leaves_no_debris_in_the_query() -> None:
    assert mask(parts("Z", b"\xc3", b"\xbc", "rich"), (1,)) == "Z rich"
    assert mask(parts("Z", b"\xc3", b"\xbc", "rich"), (2,)) == "Z rich"


@given(st.lists(st.text(max_size=6), max_size=12), st.sets(st.integers(0, 11)))
def test_masking_by_the_authors_rule_said_a_second_time(pieces: list[str], low: set[int]) -> None:
    expected = "".join(" " if i in low else piece for i, piece in enumerate(pieces)).strip()
    assert mask(parts(*pieces), low).split() == expected.split()


# --- by whole words


def test_no_part_of_an_uncertain_word_is_left() -> None:
    pieces = parts("Marie", " Sk", "lod", "owska", " was")
    assert all(ask(pieces, i) == "Marie was" for i in (1, 2, 3))


def test_marks_next_to_an_uncertain_word_stay() -> None:
    assert ask(parts(" in", " 18", "67", ",", " she"), 2) == "in , she"
    assert ask(parts("(", "War", "saw", ")."), 1) == "( )."


def test_an_uncertain_mark_takes_no_word_with_it() -> None:
    assert ask(parts("Marie", ",", " a", " chemist"), 1) == "Marie a chemist"


def test_hyphens_apostrophes_and_decimals_hold_a_word_together() -> None:
    assert ask(parts("a", " well", "-", "known", " one"), 1) == "a one"
    assert ask(parts("it", " is", " Curie", "’", "s", " lab"), 4) == "it is lab"
    assert ask(parts("about", " 3", ".", "14", " or", " so", "."), 3) == "about or so."


def test_a_token_that_spans_two_words_takes_both() -> None:
    assert ask(parts("born", " in War", "saw", " then"), 2) == "born then"


def test_white_space_alone_is_no_part_of_a_word() -> None:
    assert whole_words(parts("a", " ", "b", "c"), (3,)) == (2, 3)


def test_scripts_without_spaces_stay_as_they_are() -> None:
    pieces = parts("東京", "は", "日本", "の", "首都", "。")
    assert whole_words(pieces, (2,)) == (2,)
    assert ask(pieces, 2) == "東京は の首都。"
    assert whole_words(parts("กรุงเทพ", "เป็น", "เมือง"), (1,)) == (1,)


def test_right_to_left_words_are_whole_too() -> None:
    assert ask(parts("وُلدت", " في", " وار", "سو"), 3) == "وُلدت في"


def test_a_word_that_begins_with_a_split_character_is_left_out_whole() -> None:
    pieces = parts("see", " ", b"\xc3", b"\x89", "mile", " now")  # see Émile now
    assert all(ask(pieces, i) == "see now" for i in (2, 3, 4))


def test_a_word_that_ends_with_a_split_character_is_left_out_whole() -> None:
    pieces = parts("a", " caf", b"\xc3", b"\xa9", " here")
    assert all(ask(pieces, i) == "a here" for i in (1, 2, 3))


words = st.lists(st.text("abé東 -.'", min_size=1, max_size=4), max_size=10)


@given(words, st.sets(st.integers(0, 9)))
def test_widening_keeps_every_uncertain_token_and_adds_none_where_there_is_none(
    pieces: list[str], low: set[int]
) -> None:
    low &= set(range(len(pieces)))
    widened = whole_words(parts(*pieces), low)
    assert set(widened) >= low
    assert list(widened) == sorted(set(widened))
    assert widened or not low
    assert whole_words(parts(*pieces), ()) == ()


@given(words, st.sets(st.integers(0, 9)))
def test_widening_twice_changes_nothing_where_tokens_hold_one_word(pieces: list[str], low: set[int]) -> None:
    singles = [piece.replace(" ", "") for piece in pieces]
    draft = parts(*[f" {piece}" if piece else "" for piece in singles])
    once = whole_words(draft, low & set(range(len(draft))))
    assert whole_words(draft, once) == once


@given(st.text(min_size=1, max_size=12), st.data())
def test_bytes_as_tokens_give_no_debris(text: str, data: st.DataObject) -> None:
    pieces = parts(*[bytes([byte]) for byte in text.encode()])
    low = data.draw(st.sets(st.integers(0, len(pieces) - 1)))
    assert "\ufffd" not in mask(pieces, low) or "\ufffd" in text
    assert "\ufffd" not in ask(pieces, *low) or "\ufffd" in text


# --- anything left to ask


def test_marks_alone_are_nothing_to_ask() -> None:
    assert not has_words("") and not has_words(" , . — “”")
    assert has_words("1867") and has_words("東") and has_words("é")
