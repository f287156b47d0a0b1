"""Quotation marks and brackets: which one opens, which one closes what."""

import re

CLOSES = dict(zip(")]}）】」』》〉›", "([{（【「『《〈‹", strict=True))
"""Closing mark to opening mark, where the character alone tells which it is."""

BRACKETS = frozenset("([{（【")
OPENING = frozenset(CLOSES.values())

MARKS = '"“”„‘’«»' + "".join([*CLOSES, *CLOSES.values()])
"""Every quotation mark and bracket but the straight apostrophe, which hardly ever quotes."""

_CLOSED_BY = {"”": "“„”", "“": "„", '"': '"', "»": "«", "«": "»", "’": "‘"}
"""Quotation marks whose part depends on what is open: to the marks that they may close."""
_SPACE_OR_DASH = re.compile(r"[\s—–\-*_]")


def take(text: str, at: int, first: int, stack: list[int]) -> None:
    """Let the mark at `at` open a pair (push its offset) or close one (pop down to its partner).

    `stack` holds offsets of open marks; a mark that fits nothing leaves it alone. `first` is where the
    sentence starts: nothing before it is looked at.
    """
    mark = text[at]
    if mark in OPENING:
        if text[max(first, at - 1) : at] != ":":  # not a smiley
            stack.append(at)
        return
    partners = CLOSES.get(mark) or _CLOSED_BY.get(mark, "")
    before = text[at - 1] if at > first else " "
    after = text[at + 1 : at + 2] or " "
    for depth in range(len(stack) - 1, -1, -1):
        if text[stack[depth]] in partners and _may_close(mark, before, after):
            del stack[depth:]
            return
    if mark not in CLOSES and _may_open(mark, before, after):
        stack.append(at)


def _may_close(mark: str, before: str, after: str) -> bool:
    """An apostrophe inside a word closes nothing, nor does a straight quote that a word follows."""
    if mark == "’":
        return not after.isalnum()
    return mark != '"' or before != " " or not after.isalnum()


def _may_open(mark: str, before: str, after: str) -> bool:
    """Marks made for opening do; the others only where a word follows and none precedes."""
    if mark in "“„‘«":
        return True
    if mark == "’" or after.isspace():
        return False
    return before in OPENING or _SPACE_OR_DASH.match(before) is not None or before >= "\u2e80"
