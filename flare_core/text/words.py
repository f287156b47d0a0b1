"""Words, names and numbers of a text, in any script; Chinese, Japanese and Korean as character pairs."""

from __future__ import annotations

import re
import unicodedata

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af"
_WORD = re.compile(rf"([{_CJK}]+)|[^\W{_CJK}]+(?:['’.,:-][^\W{_CJK}]+)*")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_NAME = re.compile(r"\b[^\W\d_]\w*(?:[-'’]\w+)*")

STOP_WORDS = frozenset(
    "a an the and or but nor of to in on at by for with from as into over under is are was were be been being it its "
    "this that these those he she his her him they them their who whom which what when where while than then there "
    "here has have had do does did not no also such can could may might will would shall should must one two more "
    "most some any each other both all many much very about after before between during through up out so if we our "
    "you your i my me le la les un une des du de et ou est sont était el los las del y o es son fue en con por para "
    "que der die das und oder ist sind war ein eine".split()
)
"""Words too common to tell anything about support."""


def words(text: str) -> list[str]:
    """Lower-cased words in their order, compatibility forms folded; CJK runs as overlapping pairs."""
    found: list[str] = []
    for match in _WORD.finditer(unicodedata.normalize("NFKC", text).lower()):
        word = match.group()
        if match.lastindex and len(word) > 1:
            found.extend(word[i : i + 2] for i in range(len(word) - 1))
        else:
            found.append(word)
    return found


def content_words(text: str) -> list[str]:
    """The words that carry meaning: no stop words, no single Latin letters."""
    return [w for w in words(text) if w not in STOP_WORDS and (len(w) > 1 or w.isdigit() or not w.isascii())]


def numbers(text: str) -> set[str]:
    """Numbers as written, without the marks that group their digits."""
    return {re.sub(r"[.,](?=\d{3}\b)", "", n) for n in _NUMBER.findall(unicodedata.normalize("NFKC", text))}


def names(text: str) -> set[str]:
    """Capitalised words that do not merely begin the text: a cheap stand-in for named entities."""
    found = list(_NAME.finditer(text))
    return {m.group().lower() for m in found[1:] if m.group()[0].isupper() and m.group().lower() not in STOP_WORDS}
