"""Tokens brought in step with the text: joined, the tokens that were handed out are the text that was.

A server may send tokens ahead of their text (a character split between tokens, text held back for a stop string),
tokens that never become text (the stop string, an end-of-turn mark) and tokens whose bytes it has lost (U+FFFD).
"""

from __future__ import annotations

from dataclasses import replace

from flare_core.events import Token
from flare_core.lm.normalise import Delta
from flare_core.ports import Piece

LOST = "\ufffd"
"""What a server sends for bytes that it no longer knows."""


class Aligner:
    """Takes the deltas of one stream in order and gives pieces; tokens wait here until their text has come."""

    def __init__(self, *, tokens: bool = True) -> None:
        """`tokens` is False where the server was not asked for probabilities: pieces then have none."""
        self._tokens = tokens
        self._ahead: tuple[Token, ...] = ()

    def feed(self, delta: Delta) -> Piece | None:
        """The piece that is now complete, or None where there is nothing new to show."""
        if not self._tokens:
            return Piece(delta.text) if delta.text else None
        tokens = self._ahead + tuple([token for token in delta.tokens or () if token.data])
        if not delta.text:
            self._ahead = tokens
            return None
        if not tokens:
            return Piece(delta.text, (Token(delta.text),))
        shown, self._ahead = split(delta.text, tokens)
        return Piece(delta.text, shown)


def split(text: str, tokens: tuple[Token, ...]) -> tuple[tuple[Token, ...], tuple[Token, ...]]:
    """The tokens that spell `text`, and those ahead of it. Tokens that spell something else are handed out as they are.

    A token that is only partly text yet (the rest is held back or was cut off) is cut too; its parts keep its
    probability.
    """
    data = text.encode("utf-8", "surrogatepass")
    size = 0
    for count, token in enumerate(tokens, start=1):
        piece = token.data
        if not data.startswith(piece, size):
            rest = data[size:]
            if piece.startswith(rest):
                return (*tokens[: count - 1], _cut(token, rest)), (_cut(token, piece[len(rest) :]), *tokens[count:])
            return _mended(data, tokens), ()
        size += len(piece)
        if size == len(data):
            return tokens[:count], tokens[count:]
    return (*tokens, _cut(Token(""), data[size:])), ()


def _cut(token: Token, data: bytes) -> Token:
    text = data.decode("utf-8", "replace")
    return replace(token, text=text, raw=None if text.encode("utf-8") == data else tuple(data))


def _mended(data: bytes, tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """One run of tokens with lost bytes gets the bytes missing between its neighbours, or all stay as they are.

    How the bytes are shared out within the run is a guess; that they join to the text is not.
    """
    lost = [place for place, token in enumerate(tokens) if LOST in token.text and token.raw is None]
    if not lost:
        return tokens
    first, last = lost[0], lost[-1] + 1
    before = b"".join(token.data for token in tokens[:first])
    after = b"".join(token.data for token in tokens[last:])
    gap = data[len(before) : len(data) - len(after)]
    fits = data.startswith(before) and data.endswith(after) and len(before) + len(after) < len(data)
    if not fits or len(lost) != last - first or len(gap) < len(lost):
        return tokens
    shares = [gap[i : i + 1] for i in range(len(lost) - 1)] + [gap[len(lost) - 1 :]]
    mended = [_cut(token, share) for token, share in zip(tokens[first:last], shares, strict=True)]
    return (*tokens[:first], *mended, *tokens[last:])
