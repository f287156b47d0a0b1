"""Explicit queries ask about spans: neighbouring uncertain tokens of a draft (METHOD 2.3, step 1)."""

from __future__ import annotations

import string
from collections.abc import Sequence

from flare_core.events import Span, Token

_MARKS = frozenset(string.punctuation)
MIN_GAP = 5
"""Uncertain tokens closer than this are one span, with what stands between them."""


def spans(tokens: Sequence[Token], low: Sequence[int], min_gap: int = MIN_GAP) -> list[Span]:
    """The spans of the tokens at the rising indexes `low`.

    Spans that are empty or a single punctuation mark are dropped (METHOD 2.3, step 3).
    """
    groups: list[list[int]] = []
    for index in low:
        if groups and index - groups[-1][-1] < min_gap:
            groups[-1].append(index)
        else:
            groups.append([index])
    found = [_span(tokens, group[0], group[-1] + 1) for group in groups]
    return [span for span in found if span.text and span.text not in _MARKS]


def _span(tokens: Sequence[Token], start: int, end: int) -> Span:
    data = b"".join(token.data for token in tokens[start:end])
    return Span(start=start, end=end, text=data.decode("utf-8", "ignore").strip())
