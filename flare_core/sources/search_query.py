"""Making a query safe to send: a draft's words are words, never commands to a search engine."""

from __future__ import annotations

import re
import unicodedata

LONGEST = 300
"""Characters sent; of a longer query the end is kept, which is nearest to what the sentence asks for."""

_FIELD = re.compile(
    r"\b(allin(?:title|url|text|anchor)|in(?:title|url|text|anchor|body)|site|filetype|ext|related|cache|link|"
    r"info|define|before|after|lang|language|loc|location|region|domain|host|hostname|feed|url|ip|near):(?=\S)",
    re.IGNORECASE,
)
_LOGIC = re.compile(r"\b(?:AND|OR|NOT|AROUND|NEAR)\b")
_LEADING = re.compile(r"(?<!\S)[-+!~@\\/|&]+(?=\S)")
_MARKS = re.compile(r"[\"“”„«»<>{}\[\]()|*^\\`]")


def cleaned(query: str) -> tuple[str, str]:
    """The text to send, maybe empty, and what was dropped from it, in plain words.

    >>> cleaned('!g site:example.org "Ada Lovelace" -film OR born')
    ('g site example.org Ada Lovelace film or born', 'search operators were taken as words')
    """
    folded = unicodedata.normalize("NFKC", query)
    plain = "".join(" " if unicodedata.category(c)[0] == "C" or c.isspace() else c for c in folded)
    plain = " ".join(plain.split())
    text = _FIELD.sub(r"\1 ", plain)
    text = _LOGIC.sub(lambda match: match.group().lower(), text)
    text = _LEADING.sub("", _MARKS.sub(" ", text))
    text = " ".join(text.split())
    if not any(c.isalnum() for c in text):
        return "", "the query holds no words"
    dropped = []
    if _FIELD.search(plain) or _LOGIC.search(plain) or _LEADING.search(plain):
        dropped.append("search operators were taken as words")
    if len(text) > LONGEST:
        text = _tail(text)
        dropped.append(f"only its last {LONGEST} characters were sent")
    return text, "; ".join(dropped)


def _tail(text: str) -> str:
    """The last `LONGEST` characters, from the start of a word where there is one."""
    tail = text[-LONGEST:]
    if text[-LONGEST - 1] == " ":
        return tail
    head, space, rest = tail.partition(" ")
    return rest if space and len(head) < LONGEST // 4 else tail
