"""BM25 over the few passages of one query: Okapi with k1 = 1.5, b = 0.75, and an idf that is never negative."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from rank_bm25 import BM25Okapi

from flare_core.events import Passage
from flare_core.text.words import words

_STOP_WORDS = frozenset(
    "a an and are as at be been by did do does for from had has have how in is it its of on or s t that the their this "
    "to was were what when where which who whom why will with".split()
)
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]{3,}")
"""Thai, Lao, Burmese, Khmer. (`words` does the same for Chinese, Japanese and Korean.)"""


class PositiveBM25(BM25Okapi):  # type: ignore[misc]
    """BM25Okapi with idf(t) = log(1 + (N - n + 0.5) / (n + 0.5)).

    The package's own idf is zero or negative for a term in half of the documents or more. With one or two of them,
    which is an everyday case here, it would rank nothing.
    """

    def _calc_idf(self, nd: dict[str, int]) -> None:
        """`nd` holds for each term the number of documents that have it."""
        for term, n in nd.items():
            self.idf[term] = math.log(1 + (self.corpus_size - n + 0.5) / (n + 0.5))


def tokens(text: str) -> list[str]:
    """Lower-cased words; runs of a script without spaces as pairs of characters."""
    found: list[str] = []
    for word in words(text):
        if _UNSPACED.fullmatch(word):
            found.extend(word[i : i + 2] for i in range(len(word) - 1))
        else:
            found.append(word)
    return found


def query_tokens(query: str, lang: str = "en") -> list[str]:
    """Tokens of a query. English function words are dropped unless nothing is left: few documents, no idf to speak of.

    >>> query_tokens("The Who"), query_tokens("Who founded the mine?")
    (['the', 'who'], ['founded', 'mine'])
    """
    found = tokens(query)
    if lang and not lang.lower().startswith("en"):
        return found
    return [token for token in found if token not in _STOP_WORDS] or found


def distinct(passages: Sequence[Passage]) -> list[Passage]:
    """The passages without those whose words another had before: mirrors, and pages under two addresses."""
    first: dict[str, Passage] = {}
    for passage in passages:
        first.setdefault(" ".join(tokens(passage.text)), passage)
    return list(first.values())


def rank(query: str, passages: Sequence[Passage], lang: str = "en") -> list[tuple[Passage, float]]:
    """Passages that share a word with the query, with their scores, best first; ties keep their order.

    The title counts as part of the passage, since a passage often says "it" for what its page is about.
    """
    asked = query_tokens(query, lang)
    corpus = [tokens(f"{passage.title} {passage.text}") for passage in passages]
    if not asked or not any(corpus):
        return []
    scores = [float(score) for score in PositiveBM25(corpus).get_scores(asked)]
    scored = [(passage, score) for passage, score in zip(passages, scores, strict=True) if score > 0]
    return sorted(scored, key=lambda pair: -pair[1])
