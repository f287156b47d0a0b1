"""The repetition guard: how alike two sentences are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flare_core.text.similar import REPEATS, most_similar, similarity

CURIE = "Marie Curie was born in Warsaw in 1867 and moved to Paris."
texts = st.text(st.sampled_from("ab cd東é. "), max_size=40)


@pytest.mark.parametrize("again", [
    CURIE, CURIE.upper(), "  " + CURIE.replace(" ", "\n"), CURIE.replace(".", "!"),
    "In short, " + CURIE, CURIE.replace("Paris", "Lyon"), CURIE.removesuffix(" and moved to Paris."),
])  # fmt: skip
def test_the_same_in_another_dress_is_a_repetition(again: str) -> None:
    assert similarity(CURIE, again) >= REPEATS


@pytest.mark.parametrize("other", [
    "Marie Curie was awarded the Nobel Prize in Physics in 1903.",
    "Pierre Curie was born in Paris in 1859 and taught physics there.",
    "She was the first woman to win a Nobel Prize.",
])  # fmt: skip
def test_another_statement_about_the_same_is_none(other: str) -> None:
    assert similarity(CURIE, other) < REPEATS


def test_short_sentences_are_only_alike_when_equal() -> None:
    assert similarity("She won it.", "she won it!") == 1
    assert similarity("She won it.", "She won them.") == 0


def test_a_loop_in_a_script_without_spaces_is_seen() -> None:
    assert similarity("東京は日本の首都である。", "東京は日本の首都である。") == 1
    assert similarity("東京は日本の首都である。", "大阪は西日本の中心都市で人口が多い。") < REPEATS


def test_marks_alone_are_like_nothing() -> None:
    assert similarity("…", "…") == 0


def test_the_most_similar_sentence_is_named_the_earliest_of_equals() -> None:
    assert most_similar(CURIE, ["She left.", CURIE, CURIE]) == (1, 1.0)
    assert most_similar(CURIE, []) == (-1, 0.0)


@given(texts, texts)
def test_likeness_is_a_share_and_mutual(a: str, b: str) -> None:
    assert 0 <= similarity(a, b) <= 1
    assert similarity(a, b) == similarity(b, a)


@given(texts)
def test_every_sentence_with_words_repeats_itself(a: str) -> None:
    assert similarity(a, a) == (1.0 if any(c.isalnum() for c in a) else 0.0)
