"""Passages of several queries become one list: rank first, no passage twice, cut to k (METHOD 1.4)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from flare_core.events import Passage, RankedPassage
from flare_core.text.words import content_words


def merge(
    found: Sequence[tuple[str, Sequence[tuple[Passage, float]]]], k: int, barred: Collection[str] = (), about: str = ""
) -> list[RankedPassage]:
    """All first passages in the order of their queries, then all second ones, …; the first k are kept.

    `found` holds (query id, passages with scores, best first) for each query; `barred` are ids of passages that
    may not be used again; where `about` is given, a passage must have its content words (all of up to three, else
    six in ten).
    """
    merged: list[RankedPassage] = []
    seen: set[str] = set()
    kept = 0
    for rank in range(max((len(passages) for _, passages in found), default=0)):
        for query_id, passages in found:
            if rank >= len(passages):
                continue
            passage, score = passages[rank]
            why = ""
            if passage.id in seen:
                why = "found by another query too"
            elif passage.id in barred:
                why = "already used: other evidence is needed"
            elif about and not _is_about(passage, about):
                why = "says nothing about the topic"
            elif kept >= k:
                why = f"below the first {k}"
            seen.add(passage.id)
            kept += not why
            merged.append(
                RankedPassage(passage=passage, score=score, rank=rank + 1, query_id=query_id, kept=not why, why=why)
            )
    return merged


def _is_about(passage: Passage, topic: str) -> bool:
    wanted = set(content_words(topic))
    has = wanted & set(content_words(f"{passage.title} {passage.text}"))
    return len(has) >= (len(wanted) if len(wanted) <= 3 else 0.6 * len(wanted))
