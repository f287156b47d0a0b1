"""Ranking: behaviour, and comparison with the formula written out."""

from __future__ import annotations

import math

import pytest

from flare_core.events import Passage
from flare_core.sources.rank import PositiveBM25, distinct, query_tokens, rank, tokens


def passage(text: str, title: str = "", id: str = "") -> Passage:
    return Passage(
        id=id or text[:20],
        text=text,
        title=title,
        url="http://a.example/",
        host="a.example",
        source="web",
        retrieved_at=0,
    )


def found(query: str, *texts: str, lang: str = "en") -> list[str]:
    return [hit.text for hit, _ in rank(query, [passage(text) for text in texts], lang)]


def test_one_document_that_has_the_words_is_found() -> None:
    assert found("copper mine", "The copper mine of Orsten.") == ["The copper mine of Orsten."]


def test_two_documents_are_ranked_by_what_they_have() -> None:
    assert found("copper mine", "A mine.", "A copper mine.") == ["A copper mine.", "A mine."]


def test_no_documents_no_hits() -> None:
    assert rank("copper", []) == []
    assert found("copper", "", "...") == []
    assert found("?!", "The copper mine.") == []


def test_documents_without_a_word_of_the_query_are_dropped() -> None:
    assert found("copper", "The copper mine.", "A lake.", "A bridge.") == ["The copper mine."]


def test_a_word_in_every_document_still_counts() -> None:
    hits = rank("mine", [passage("The mine."), passage("A mine, a mine!"), passage("Mine and lake and hill.")])
    assert len(hits) == 3
    assert all(score > 0 for _, score in hits)
    assert [score for _, score in hits] == sorted((score for _, score in hits), reverse=True)


def test_function_words_of_a_question_do_not_decide() -> None:
    assert found("Who was the founder of it?", "It was the end of it, who was it?", "The founder, Karl Tarn.") == [
        "The founder, Karl Tarn."
    ]
    assert query_tokens("The Who") == ["the", "who"]
    assert query_tokens("war of the roses", "de") == ["war", "of", "the", "roses"]


def test_a_title_helps_its_passages() -> None:
    hits = rank(
        "Veldmark founded", [passage("It was founded in 1103."), passage("It was founded in 1201.", "Veldmark")]
    )
    assert hits[0][0].title == "Veldmark"


@pytest.mark.parametrize(
    ("query", "right", "wrong", "lang"),
    [
        ("大学在哪里", "东京大学位于东京。", "天文台在山上。", "zh"),
        ("天文台の鏡", "天文台の望遠鏡は大きい。", "鉄道は五月から。", "ja"),
        ("천문대 거울", "천문대의 거울은 크다.", "열차는 오월부터.", "ko"),
        ("หอดูดาว", "หอดูดาวอยู่บนภูเขา", "รถไฟวิ่งเดือนพฤษภาคม", "th"),
        ("обсерватория", "Обсерватория на хребте.", "Поезд ходит летом.", "ru"),
        ("C++", "C++ is a language.", "Copper is a metal.", "en"),
    ],
)
def test_every_script_is_searched(query: str, right: str, wrong: str, lang: str) -> None:
    assert found(query, wrong, right, lang=lang)[0] == right


def test_passages_with_the_same_words_are_kept_once() -> None:
    kept = distinct(
        [passage("The mine closed.", id="p1"), passage("the MINE — closed", id="p2"), passage("Open.", id="p3")]
    )
    assert [one.id for one in kept] == ["p1", "p3"]


def test_scores_are_those_of_the_formula() -> None:
    """Okapi BM25 with k1 = 1.5, b = 0.75 and idf = log(1 + (N - n + .5) / (n + .5)), written out again."""
    corpus = [tokens(text) for text in ("copper copper mine", "mine lake", "lake bridge hill tower", "copper hill")]
    query = ["copper", "hill", "unknown"]
    mean = sum(map(len, corpus)) / len(corpus)

    def score(document: list[str]) -> float:
        total = 0.0
        for term in query:
            n = sum(term in other for other in corpus)
            f = document.count(term)
            idf = math.log(1 + (len(corpus) - n + 0.5) / (n + 0.5))
            total += idf * f * 2.5 / (f + 1.5 * (0.25 + 0.75 * len(document) / mean))
        return total

    assert list(PositiveBM25(corpus).get_scores(query)) == pytest.approx([score(document) for document in corpus])
