"""Passages of several queries become one list: rank first, no passage twice, cut to k (METHOD 1.4)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from flare_core.events import Passage, RankedPassage


def merge(
    found: Sequence[tuple[str, Sequence[tuple[Passage, float]]]], k: int, barred: Collection[str] = ()
) -> list[RankedPassage]:
    """All first passages in the order of their queries, then all second ones, …; the first k are kept.

    `found` holds (query id, passages with scores, best first) for each query; `barred` are ids of passages that
    may not be used again.
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
            elif kept >= k:
                why = f"below the first {k}"
            seen.add(passage.id)
            kept += not why
            merged.append(
                RankedPassage(passage=passage, score=score, rank=rank + 1, query_id=query_id, kept=not why, why=why)
            )
    return merged
