"""A token as the model wrote it: its bytes and how sure the model was. Unknown is None, never 0."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Alternative:
    """A token that the model could have written in the same place."""

    text: str
    logprob: float | None


@dataclass(frozen=True, slots=True)
class Token:
    """One token of a draft or a rewrite."""

    text: str
    """Printable form; bytes that are no whole character stand as U+FFFD."""
    logprob: float | None = None
    """Natural logarithm of the model's probability of this token, or None where it gave none."""
    top: tuple[Alternative, ...] = ()
    """The likeliest tokens in this place, best first, as far as the model tells."""
    raw: tuple[int, ...] | None = None
    """The token's bytes where they differ from the UTF-8 of `text` (a character split between tokens)."""

    @property
    def data(self) -> bytes:
        """The token's exact bytes; joined over a text's tokens they are the text."""
        return self.text.encode("utf-8", "surrogatepass") if self.raw is None else bytes(self.raw)

    @property
    def p(self) -> float | None:
        """Probability in 0..1, or None where the model gave none."""
        return None if self.logprob is None else math.exp(min(self.logprob, 0.0))
