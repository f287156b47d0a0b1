"""How alike two sentences are: the repetition guard. A looping model is confident, so probability cannot tell."""

from __future__ import annotations

from collections.abc import Sequence

from flare_core.text.words import words

REPEATS = 0.7
"""From this similarity on a sentence counts as a repetition of the other."""


def similarity(a: str, b: str) -> float:
    """Share of the shorter sentence's word triples that the other has too, 0..1.

    Sentences under five words are only alike when all their words are the same.
    """
    first, second = words(a), words(b)
    if not first or not second:
        return 0.0
    if min(len(first), len(second)) < 5:
        return 1.0 if first == second else 0.0
    x, y = _triples(first), _triples(second)
    return len(x & y) / min(len(x), len(y))


def most_similar(sentence: str, earlier: Sequence[str]) -> tuple[int, float]:
    """Index of the earlier sentence that is most like this one, and how alike they are; (-1, 0.0) without any."""
    best = max(((similarity(sentence, other), -i) for i, other in enumerate(earlier)), default=(0.0, 1))
    return -best[1], best[0]


def _triples(tokens: list[str]) -> set[tuple[str, ...]]:
    return {tuple(tokens[i : i + 3]) for i in range(len(tokens) - 2)}
