"""The paper's trigger: retrieve when any token of the draft is less likely than theta (equation 3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from flare_core.events import Token

Comparison = Literal["<", "<="]


def below(tokens: Sequence[Token], threshold: float, compare: Comparison = "<") -> tuple[int, ...]:
    """Indexes of the tokens under the threshold. A token without a probability is never under it.

    The paper compares with <, the authors' code with <= (METHOD 0, item 4). No token is excluded (item 5).
    """
    return tuple(
        index
        for index, token in enumerate(tokens)
        if token.p is not None and (token.p < threshold or (compare == "<=" and token.p == threshold))
    )


def lowest(tokens: Sequence[Token]) -> float | None:
    """The lowest known probability, or None when none is known."""
    return min((token.p for token in tokens if token.p is not None), default=None)
