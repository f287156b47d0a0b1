"""Going on with a started answer where the model cannot simply be handed its beginning."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import replace

from flare_core.ports import Piece

Instruction = Callable[[str, str], str]
"""(the user's message, the answer so far) -> the message to send instead."""

LAST_WORDS = 8


def instruction(user: str, started: str) -> str:
    """The default wording."""
    last = " ".join(started.split()[-LAST_WORDS:])
    return (
        f"{user}\n\n"
        "You have already written this much of the answer:\n"
        f"<answer_so_far>\n{started}\n</answer_so_far>\n"
        f"Continue exactly after “{last}”. Write only what follows; repeat nothing and add no introduction."
    )


def joined(started: str, piece: Piece) -> Piece:
    """The first piece of a continuation, with the space that a model leaves out when it begins a new message."""
    if not piece.text or not needs_space(started, piece.text):
        return piece
    tokens = piece.tokens
    if tokens:
        first = tokens[0]
        raw = None if first.raw is None else (0x20, *first.raw)
        tokens = (replace(first, text=" " + first.text, raw=raw), *tokens[1:])
    return Piece(" " + piece.text, tokens)


def needs_space(before: str, after: str) -> bool:
    """Whether the two texts would run into each other. Chinese, Japanese and Korean put no space there."""
    left, right = before[-1:], after[:1]
    if not left or not right or left.isspace() or right.isspace():
        return False
    if any(unicodedata.east_asian_width(sign) in "WF" for sign in left + right):
        return False
    return right.isalnum() or right in "\"'“‘«([*_#-"
