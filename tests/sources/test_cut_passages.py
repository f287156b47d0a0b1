"""Cutting to passages."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from flare_core.sources.passages import MOST, TARGET, cut, measure, passage_id

SENTENCE = "The old miners of Orsten lifted water with eleven wooden wheels."  # 11 words


def test_passages_have_about_a_hundred_words_and_whole_sentences() -> None:
    passages = cut(" ".join([SENTENCE] * 60))
    assert all(re.fullmatch(rf"(?:{re.escape(SENTENCE)} ?)+", passage) for passage in passages)
    assert all(TARGET <= measure(passage) <= MOST for passage in passages[:-1])
    assert sum(passage.count(SENTENCE) for passage in passages) == 60


def test_a_short_text_is_one_passage_and_none_is_none() -> None:
    assert cut("One fact. Another fact.") == ["One fact. Another fact."]
    assert cut("") == []
    assert cut(" \n\n ") == []


def test_a_passage_ends_with_its_paragraph_once_it_is_long_enough() -> None:
    text = "\n\n".join([" ".join([SENTENCE] * 7)] * 3)
    assert [passage.count(SENTENCE) for passage in cut(text)] == [7, 7, 7]


def test_a_small_remainder_joins_the_passage_before_it() -> None:
    assert [passage.count(SENTENCE) for passage in cut(" ".join([SENTENCE] * 11))] == [11]


def test_japanese_and_chinese_are_counted_by_characters() -> None:
    passages = cut("維爾德馬克天文台位於北部山丘，是一座歷史悠久的建築。" * 60, "zh")
    assert len(passages) > 3
    assert all(190 <= len(passage) <= 320 for passage in passages[:-1])
    assert all(passage.endswith("。") for passage in passages)
    assert "。 " not in passages[0]


def test_a_sentence_without_end_is_cut_between_words() -> None:
    passages = cut("ore " * 1000)
    assert sum(passage.split().count("ore") for passage in passages) == 1000
    assert all(measure(passage) <= MOST for passage in passages)


def test_a_word_without_end_is_bounded_too() -> None:
    assert all(len(passage) <= 400 for passage in cut("東" * 5000, "ja"))


def test_ids_depend_on_address_and_text_only() -> None:
    first = passage_id("http://a.example/", "text")
    assert re.fullmatch(r"p[0-9a-f]{12}", first)
    assert first == passage_id("http://a.example/", "text")
    assert first != passage_id("http://b.example/", "text")
    assert first != passage_id("http://a.example/", "Text")


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet=st.sampled_from("ab .!?\n东京。กข,-1"), max_size=2000))
def test_nothing_is_lost_and_nothing_is_added(text: str) -> None:
    assert "".join("".join(cut(text)).split()) == "".join(text.split())
