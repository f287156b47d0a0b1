"""Text from outside, made harmless for a terminal or a file: it must not move the cursor or turn the line around."""

from __future__ import annotations

import re

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202d\u202e]")
_LONE_SURROGATE = re.compile(r"[\ud800-\udfff]")


def printable(text: str) -> str:
    """The text with a space for each control character (line ends and tabs stay) and each override of direction."""
    return whole(_CONTROL.sub(" ", text))


def whole(text: str) -> str:
    """The text with U+FFFD for each half of a surrogate pair: such a text could not be written to any file."""
    return text if text.isascii() else _LONE_SURROGATE.sub("\ufffd", text)
