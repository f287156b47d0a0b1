"""Whether a passage may be cited for a sentence: by words, names and numbers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flare_core.text.support import support
from flare_core.text.words import content_words, names, numbers, words

PASSAGE = "She was born in Warsaw on 7 November 1867. Marie Curie moved to Paris in 1891 and studied physics."


def test_a_passage_that_says_the_same_may_be_cited() -> None:
    found = support("Marie Curie was born in Warsaw in 1867.", PASSAGE)
    assert found.enough and found.coverage == 1


def test_the_best_sentence_of_the_passage_is_pointed_at() -> None:
    start, end = support("In 1891 Curie moved to Paris.", PASSAGE).span
    assert PASSAGE[start:end].startswith("Marie Curie moved")


@pytest.mark.parametrize(("sentence", "missing"), [
    ("Marie Curie was born in Warsaw in 1876.", "1876"),
    ("She and Pierre moved to Paris to study physics.", "pierre"),
])  # fmt: skip
def test_a_number_or_name_that_the_passage_lacks_forbids_it(sentence: str, missing: str) -> None:
    found = support(sentence, PASSAGE)
    assert found.missing == (missing,) and not found.enough


def test_few_shared_words_are_not_enough() -> None:
    assert not support("She loved long walks along quiet rivers near Warsaw.", PASSAGE).enough


def test_a_sentence_without_meaning_is_supported_by_nothing() -> None:
    assert not support("It was what it was.", PASSAGE).enough
    assert not support("", PASSAGE).enough
    assert not support("…", "").enough


def test_scripts_without_spaces_are_compared_by_pairs() -> None:
    passage = "東京は日本の首都であり、人口は約1400万人である。"
    assert support("東京は日本の首都である。", passage).enough
    assert not support("大阪は商業の町として知られる。", passage).enough


def test_possessives_are_the_same_name() -> None:
    assert (
        support("Physics was also Curie's field in Paris.", "In Paris Curie studied physics, her field.").missing == ()
    )


def test_numbers_are_compared_without_the_marks_that_group_them() -> None:
    assert numbers("1,400,000 or 1.400.000") == {"1400000"}
    assert numbers("3.14 and 7") == {"3.14", "7"}
    assert numbers("１８６７") == {"1867"}


def test_names_are_capitals_inside_the_sentence() -> None:
    assert names("Born in Warsaw, The Curies left Île-de-France.") == {"warsaw", "curies", "île-de-france"}
    assert names("東京は首都") == set()


def test_words_of_any_script() -> None:
    assert words("L’eau n'est pas 3.5°C") == ["l’eau", "n'est", "pas", "3.5", "c"]
    assert words("東京都 ok") == ["東京", "京都", "ok"]
    assert content_words("She was in the lab, a 7 東") == ["lab", "7", "東"]


@given(st.text(max_size=60), st.text(max_size=60))
def test_whatever_is_compared_gives_a_share_and_a_place(sentence: str, passage: str) -> None:
    found = support(sentence, passage)
    assert 0 <= found.coverage <= 1
    assert 0 <= found.span[0] <= found.span[1] <= len(passage)


@given(st.text(max_size=60), st.text(max_size=60))
def test_what_is_supported_lacks_no_number(sentence: str, passage: str) -> None:
    assert not support(sentence, passage).enough or numbers(sentence) <= numbers(passage)
