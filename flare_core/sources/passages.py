"""Cutting a text to passages of about 100 words that begin and end with sentences. Pure."""

from __future__ import annotations

import re
from hashlib import blake2b

from flare_core.text import sentences

TARGET = 100.0
"""Words in a passage. The paper's passages (the Wikipedia dump of DPR) have 100."""
MOST = 150.0
"""Words that a passage may have so that a sentence stays whole."""
ENOUGH_AT_PARAGRAPH = 60.0
"""Words at which a passage ends with its paragraph."""
LEAST = 25.0
"""Words below which a remainder joins the passage before it, where it fits."""

_SPACELESS = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)
"""Thai, Lao, Burmese, Khmer, Japanese, Chinese: scripts without spaces between words."""


def passage_id(url: str, text: str) -> str:
    """`p` and 12 hexadecimal digits, made from address and text: the same passage always has the same id."""
    return "p" + blake2b(f"{url}\n{text}".encode()).hexdigest()[:12]


def measure(text: str) -> float:
    """Length in words; two characters of a script without spaces count as one.

    >>> measure("two words"), measure("东京大学")
    (2.0, 2.0)
    """
    rest, spaceless = _SPACELESS.subn(" ", text)
    return len(re.findall(r"\w+(?:['’.,-]\w+)*", rest)) + spaceless / 2


def cut(text: str, lang: str = "en") -> list[str]:
    """Passages in their order, white space made single. Only a sentence longer than `MOST` words is cut itself."""
    passages: list[str] = []
    current: list[str] = []
    size = 0.0
    for sentence, starts_paragraph in _sentences(text, lang):
        length = measure(sentence)
        full = size + length > MOST or size >= TARGET
        if current and (full or (starts_paragraph and size >= ENOUGH_AT_PARAGRAPH)):
            passages.append(_joined(current))
            current, size = [], 0.0
        current.append(sentence)
        size += length
    if current:
        if passages and size < LEAST and measure(passages[-1]) + size <= MOST:
            current.insert(0, passages.pop())
        passages.append(_joined(current))
    return passages


def _sentences(text: str, lang: str) -> list[tuple[str, bool]]:
    """Sentences, cut where they are too long, and whether each starts a paragraph."""
    found: list[tuple[str, bool]] = []
    before = 0
    for start, end in sentences.split(text, lang):
        starts = "\n" in text[before:start] or not found
        for piece in _bounded(" ".join(text[start:end].split())):
            found.append((piece, starts))
            starts = False
        before = end
    return found


def _bounded(sentence: str) -> list[str]:
    """The sentence, or pieces of it of at most `MOST` words: tables and lists may come as one sentence."""
    if len(sentence) <= MOST or measure(sentence) <= MOST:
        return [sentence]
    pieces: list[str] = []
    words: list[str] = []
    size = 0.0
    for word in re.findall(r"\S{1,150}\s?", sentence):
        length = measure(word)
        if words and size + length > TARGET:
            pieces.append("".join(words).strip())
            words, size = [], 0.0
        words.append(word)
        size += length
    return [*pieces, "".join(words).strip()]


def _joined(parts: list[str]) -> str:
    """With spaces, but not after the full stop of a script without spaces."""
    text = parts[0]
    for part in parts[1:]:
        text += part if text[-1] in "。！？」』" else f" {part}"
    return text
