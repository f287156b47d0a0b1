"""Queries are words, never commands."""

from __future__ import annotations

import pytest

from flare_core.sources.search_query import LONGEST, cleaned


@pytest.mark.parametrize(
    ("query", "sent"),
    [
        ("Ilse Brandvoll clock factory", "Ilse Brandvoll clock factory"),
        ('"exact words" here', "exact words here"),
        ("site:evil.example keys", "site evil.example keys"),
        ("intitle:index filetype:sql dump", "intitle index filetype sql dump"),
        ("!g bang", "g bang"),
        ("\\first result", "first result"),
        ("film -horror +new ~old", "film horror new old"),
        ("cats OR dogs AND NOT birds", "cats or dogs and not birds"),
        ("a\x00b\x1b[31m\nc\td", "a b 31m c d"),
        ("tag\U000e0049s and \u202eorder", "tag s and order"),
        ("C++ at -5 °C, 10:30", "C++ at 5 °C, 10:30"),
        ("state-of-the-art e-mail", "state-of-the-art e-mail"),
        ("東京大学 はどこ？", "東京大学 はどこ?"),
        ("AC/DC  &  Guns N' Roses", "AC/DC & Guns N' Roses"),
    ],
)
def test_operators_lose_their_meaning_and_words_stay(query: str, sent: str) -> None:
    assert cleaned(query)[0] == sent


@pytest.mark.parametrize("query", ["", "   ", "\x00\x01", '"" () !!', "-"])
def test_a_query_without_words_is_bad(query: str) -> None:
    assert cleaned(query) == ("", "the query holds no words")


def test_of_a_long_query_the_end_is_kept() -> None:
    text, dropped = cleaned("beginning " * 50 + "the very end")
    assert text.endswith("the very end")
    assert text.startswith("beginning ")
    assert LONGEST - 20 < len(text) <= LONGEST
    assert "last 300 characters" in dropped


def test_a_long_query_without_spaces_is_cut_as_well() -> None:
    assert cleaned("東" * 1000)[0] == "東" * LONGEST
