"""How alike two sentences are: the repetition guard. A looping model is confident, so probability cannot tell."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from flare_core.text.words import words

REPEATS = 0.7
"""From this similarity on a sentence counts as a repetition of the other."""
CIRCLES = 0.4
"""From this share of repeated triples on a sentence counts as a repetition of itself."""


def similarity(a: str, b: str) -> float:
    """Share of the shorter sentence's word triples that the other has too, 0..1.

    Sentences under five words are only alike when all their words are the same.
    """
    (first, x), (second, y) = _said(a), _said(b)
    if not first or not second:
        return 0.0
    if min(len(first), len(second)) < 5:
        return 1.0 if first == second else 0.0
    return len(x & y) / min(len(x), len(y))


def most_similar(sentence: str, earlier: Sequence[str]) -> tuple[int, float]:
    """Index of the earlier sentence that is most like this one, and how alike they are; (-1, 0.0) without any."""
    best = max(((similarity(sentence, other), -i) for i, other in enumerate(earlier)), default=(0.0, 1))
    return -best[1], best[0]


def circles(sentence: str) -> float:
    """Share of a sentence's word triples that it has said before, 0..1; 0 under twelve words.

    "A mountain that is a mountain that is a mountain …" comes near 1.
    """
    said, triples = _said(sentence)
    if len(said) < 12:
        return 0.0
    return 1 - len(triples) / (len(said) - 2)


def repetition(sentence: str, earlier: Sequence[str]) -> tuple[int, float]:
    """What a sentence repeats, and how much of it that is.

    The number of the earlier sentence, from 1; its own number, one more than there are, where it goes in circles
    itself; 0 where it is new.
    """
    if (share := circles(sentence)) >= CIRCLES:
        return len(earlier) + 1, share
    index, alike = most_similar(sentence, earlier)
    return (index + 1, alike) if alike >= REPEATS else (0, alike)


@lru_cache(maxsize=4096)
def _said(sentence: str) -> tuple[tuple[str, ...], frozenset[tuple[str, ...]]]:
    """A sentence's words and its word triples; kept, since each sentence is compared with all that follow it."""
    said = tuple(words(sentence))
    return said, frozenset(said[i : i + 3] for i in range(len(said) - 2))
