"""Implicit queries: the draft without the tokens that the model was unsure of (equation 4, section 3.2.2)."""

from __future__ import annotations

import codecs
import re
from collections.abc import Collection, Sequence

from flare_core.events import Token

_WORD = re.compile(r"\w+(?:['’.,:-]\w+)*")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\u0e00-\u0e7f]")


def mask(tokens: Sequence[Token], low: Collection[int]) -> str:
    """The draft with one space in place of each token whose index is in `low`; runs of white space are folded.

    The authors' code keeps such runs (METHOD 0, item 6); to a search they are the same. What is left of a character
    whose other bytes are masked goes too.
    """
    data = b"".join(b" " if index in low else token.data for index, token in enumerate(tokens))
    return " ".join(data.decode("utf-8", "ignore").split())


def whole_words(tokens: Sequence[Token], low: Collection[int]) -> tuple[int, ...]:
    """`low` widened to every token that shares a word with one of them, so that no part of a word is left over.

    Text in a script without spaces is left as it is: there a token is the best guess at a word.
    """
    starts, text = _char_offsets(tokens)
    widened = set(low)
    for word in _WORD.finditer(text):
        if _UNSPACED.search(word.group()):
            continue
        inside = [i for i, (start, end) in enumerate(starts) if start < word.end() and end > word.start()]
        if any(index in low for index in inside):
            widened.update(i for i in inside if tokens[i].text.strip())
    return tuple(sorted(widened))


def has_words(query: str) -> bool:
    """Whether anything is left to search for."""
    return re.search(r"\w", query) is not None


def _char_offsets(tokens: Sequence[Token]) -> tuple[list[tuple[int, int]], str]:
    """Range of the characters that each token has a byte of, in the joined text."""
    decoder = codecs.getincrementaldecoder("utf-8")("ignore")
    ranges: list[tuple[int, int]] = []
    text = ""
    for token in tokens:
        start = len(text)
        text += decoder.decode(token.data)
        unfinished = bool(decoder.getstate()[0])
        ranges.append((start, len(text) + unfinished))
    return ranges, text
