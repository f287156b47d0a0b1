"""A stream of tokens, read sentence by sentence; each sentence keeps the tokens it is made of."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flare_core.events import Token
from flare_core.text.reader import Sentence, SentenceReader
from tests.fakes import tok


def read(*pieces: str | bytes, max_tokens: int = 64, lang: str = "en", per_piece: int = 1) -> list[Sentence]:
    """Sentences of an answer that comes token by token, bytes that are no whole character with the next ones."""
    reader = SentenceReader(lang, max_tokens)
    found: list[Sentence] = []
    held = b""
    waiting: list[Token] = []
    for piece in pieces:
        held += piece.encode() if isinstance(piece, str) else piece
        waiting.append(tok(piece))
        try:
            text = held.decode()
        except UnicodeDecodeError:
            continue
        if len(waiting) >= per_piece:
            found += reader.feed(text, waiting)
            held, waiting = b"", []
    found += reader.feed(held.decode(), waiting)
    return found + reader.finish()


def spelled(sentence: Sentence) -> str:
    return b"".join(token.data for token in sentence.tokens).decode()


def shape(sentences: list[Sentence]) -> list[tuple[str, list[str]]]:
    return [(s.text, [token.text for token in s.tokens]) for s in sentences]


# --- tokens go with the sentence that holds their first non-space byte


def test_leading_spaces_belong_to_the_sentence_they_lead_to() -> None:
    assert shape(read("It", " rained", ".", " We", " stayed", ".")) == [
        ("It rained.", ["It", " rained", "."]),
        ("We stayed.", [" We", " stayed", "."]),
    ]


def test_white_space_tokens_go_with_what_follows_them() -> None:
    first, second = read("It rained", ".", "\n", "\n", "We stayed", ".")
    assert [token.text for token in second.tokens] == ["\n", "\n", "We stayed", "."]
    assert (first.before, second.before) == ("", "\n\n")


def test_white_space_after_a_full_stop_in_the_same_token_harms_nothing() -> None:
    sentences = read("It rained", ".\n\n", "We stayed", ".")
    assert shape(sentences) == [("It rained.", ["It rained", ".\n\n"]), ("We stayed.", ["We stayed", "."])]
    assert all(s.aligned for s in sentences)


def test_wide_and_hard_spaces_are_white_space_too() -> None:
    sentences = read("雨だ", "。", "\u3000", "家に", "いた", "。", "\u3000次", "。", lang="ja")
    assert [s.text for s in sentences] == ["雨だ。", "家にいた。", "次。"]
    assert [s.aligned for s in sentences] == [True, True, True]
    assert [s.before for s in sentences] == ["", "\u3000", "\u3000"]
    assert read("Il pleut", ".", "\u00a0", "Bien", ".", lang="fr")[1].aligned


def test_a_token_that_straddles_two_sentences_goes_with_the_first_and_both_are_not_aligned() -> None:
    sentences = read("It rained", ". We", " stayed", ".", " Then", " sun", ".")
    assert shape(sentences)[0] == ("It rained.", ["It rained", ". We"])
    assert [s.aligned for s in sentences] == [False, False, True]


def test_a_straddling_token_does_not_shift_the_tokens_of_later_sentences() -> None:
    sentences = read("It rained", ". We", " stayed", ".", " Then", " sun", ".", " Then", " snow", ".")
    assert [[token.text for token in s.tokens] for s in sentences[1:]] == [
        [" stayed", "."],
        [" Then", " sun", "."],
        [" Then", " snow", "."],
    ]


def test_characters_split_between_tokens_keep_their_bytes() -> None:
    sentences = read("Z", b"\xc3", b"\xbc", "rich", ".", " ", b"\xc3", b"\x89", "mile", ".")
    assert [(s.text, spelled(s), s.aligned) for s in sentences] == [
        ("Zürich.", "Zürich.", True),
        ("Émile.", " Émile.", True),
    ]


def test_a_split_character_at_the_beginning_of_a_sentence_goes_with_it_whole() -> None:
    sentences = read("雨。", b"\xe6", b"\x9d", b"\xb1", "京", "。", lang="ja")
    assert [(s.text, len(s.tokens), s.aligned) for s in sentences] == [("雨。", 1, True), ("東京。", 5, True)]


def test_text_without_tokens_is_read_and_not_aligned() -> None:
    reader = SentenceReader()
    found = reader.feed("It rained. We stayed. ", ()) + reader.finish()
    assert [(s.text, s.tokens, s.aligned) for s in found] == [("It rained.", (), False), ("We stayed.", (), False)]


@pytest.mark.parametrize("spoken", ["It poured", "It", "It rained!"])
def test_tokens_that_spell_something_else_are_marked(spoken: str) -> None:
    reader = SentenceReader()
    found = reader.feed("It rained", [tok(spoken)]) + reader.feed(". We", [tok("."), tok(" We")]) + reader.finish()
    assert found[0].text == "It rained." and not found[0].aligned


def test_a_stream_finds_its_way_back_after_tokens_that_spelled_something_else() -> None:
    reader = SentenceReader()
    found = reader.feed("It rained", [tok("It was raining a lot")])
    for piece in (".", " We", " stayed", ".", " Then", " sun", ".", " Good", "."):
        found += reader.feed(piece, [tok(piece)])
    found += reader.finish()
    assert [s.aligned for s in found] == [False, True, True, True]


def test_it_finds_its_way_back_in_a_chunk_that_ends_in_half_a_character_too() -> None:
    reader = SentenceReader()
    found = reader.feed("It rained", [tok("It was raining a lot")])
    for text, pieces in ((". Z", (".", " Z", b"\xc3")), ("ü", (b"\xbc",)), ("rich", ("rich",)), (" lay", (" lay",))):
        found += reader.feed(text, [tok(piece) for piece in pieces])
    found += reader.finish()
    assert [(s.text, s.aligned) for s in found] == [("It rained.", False), ("Zürich lay", True)]


# --- long sentences


def test_a_sentence_is_cut_at_its_greatest_length() -> None:
    sentences = read(*["a", " b", " c", " d", " e"], max_tokens=3)
    assert [(s.text, s.cut, s.before) for s in sentences] == [("a b c", True, ""), ("d e", False, " ")]
    assert all(s.aligned for s in sentences)


def test_the_length_counts_from_each_sentence_on() -> None:
    sentences = read("It", " fell", ".", " We", " ran", ".", " She", " sat", ".", max_tokens=5)
    assert [(s.text, s.cut) for s in sentences] == [("It fell.", False), ("We ran.", False), ("She sat.", False)]


def test_a_sentence_that_ended_before_the_limit_is_not_cut_in_the_next_one() -> None:
    sentences = read("It", " rained", " all", ".", " We", " stayed", ".", max_tokens=5)
    assert [(s.text, s.cut) for s in sentences] == [("It rained all.", False), ("We stayed.", False)]


def test_a_text_without_tokens_is_cut_by_its_chunks() -> None:
    reader = SentenceReader("en", 3)
    found = [s for piece in ("a", " b", " c", " d", " e") for s in reader.feed(piece, ())] + reader.finish()
    assert [(s.text, s.cut) for s in found] == [("a b c", True), ("d e", False)]


# --- what is in work


def test_the_sentence_in_work_is_shown_with_its_tokens() -> None:
    reader = SentenceReader()
    for piece in ("It", " rained", ".", " We", " st"):
        reader.feed(piece, [tok(piece)])
    assert reader.pending == "We st"
    assert [token.text for token in reader.pending_tokens] == [" We", " st"]


def test_a_paragraph_break_stands_before_the_sentence_it_leads_to() -> None:
    assert [s.before for s in read("\nOne is.", "\n\n", "Two is.", " Three is.")] == ["\n", "\n\n", " "]


# --- whatever comes

pieces = st.lists(
    st.sampled_from(["a", " b", ".", ". C", " D", "?\n", "\n\n", " ", "é", "東", "。", "\u3000", ' "', '."', "1."])
    | st.text(max_size=4),
    max_size=30,
)


@given(pieces, st.integers(2, 40), st.integers(1, 5))
def test_before_and_text_of_all_sentences_are_the_stream(parts: list[str], most: int, per_piece: int) -> None:
    sentences = read(*parts, max_tokens=most, per_piece=per_piece)
    whole = "".join(parts)
    assert "".join(s.before + s.text for s in sentences) == whole.rstrip() or not whole.strip()
    assert all(s.text and s.text == s.text.strip() and not s.before.strip() for s in sentences)


@given(pieces, st.integers(2, 40), st.integers(1, 5))
def test_no_token_is_lost_and_none_comes_twice(parts: list[str], most: int, per_piece: int) -> None:
    sentences = read(*parts, max_tokens=most, per_piece=per_piece)
    given_out = [token.text for s in sentences for token in s.tokens]
    assert given_out == parts[: len(given_out)]
    assert not "".join(parts[len(given_out) :]).strip()


@given(pieces, st.integers(2, 40))
def test_a_sentence_is_aligned_exactly_when_its_tokens_spell_it(parts: list[str], most: int) -> None:
    for s in read(*parts, max_tokens=most):
        assert s.aligned == (spelled(s).strip() == s.text)


@given(st.text(min_size=1, max_size=40).filter(str.strip), st.lists(st.integers(1, 4), min_size=1))
def test_splitting_characters_between_tokens_never_loses_alignment(text: str, sizes: list[int]) -> None:
    data, parts = text.encode(), []
    while data:
        size = sizes[len(parts) % len(sizes)]
        parts.append(data[:size])
        data = data[size:]
    single = read(*[bytes([b]) for b in text.encode()], max_tokens=999)
    assert all(s.aligned for s in single)
    assert [s.text for s in single] == [s.text for s in read(*parts, max_tokens=999)]
