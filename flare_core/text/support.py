"""Whether a passage supports a sentence, by words: cheap, and blind to negation. Said so wherever it is shown."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from flare_core.text.sentences import split
from flare_core.text.words import content_words, names, numbers

SUPPORTED = 0.5
"""A passage is cited when it covers at least this share of a sentence's content words."""


@dataclass(frozen=True, slots=True)
class Support:
    """How far a passage covers a sentence."""

    coverage: float
    """Share of the sentence's content words that the passage has, 0..1."""
    missing: tuple[str, ...]
    """Numbers and names of the sentence that the passage lacks."""
    span: tuple[int, int]
    """Character range of the passage's best sentence."""

    @property
    def enough(self) -> bool:
        """Whether the passage may be cited: enough words covered, and no number or name missing."""
        return self.coverage >= SUPPORTED and not self.missing


def support(sentence: str, passage: str, lang: str = "en") -> Support:
    """How far `passage` supports `sentence`."""
    wanted = set(content_words(sentence))
    read = _read(passage, lang)
    missing = sorted((numbers(sentence) - read.numbers) | {n for n in names(sentence) if not _has_name(n, read.lower)})
    coverage = len(wanted & read.words) / len(wanted) if wanted else 0.0
    best = max(read.sentences, key=lambda one: len(wanted & one[1]))
    return Support(coverage, tuple(missing), best[0])


@dataclass(frozen=True, slots=True)
class _Read:
    """What a passage says, taken apart."""

    lower: str
    words: frozenset[str]
    numbers: frozenset[str]
    sentences: tuple[tuple[tuple[int, int], frozenset[str]], ...]


@lru_cache(maxsize=512)
def _read(passage: str, lang: str) -> _Read:
    """Kept, since a passage stands in the prompts of many sentences."""
    spans = split(passage, lang) or [(0, len(passage))]
    sentences = tuple((span, frozenset(content_words(passage[span[0] : span[1]]))) for span in spans)
    return _Read(passage.lower(), frozenset(content_words(passage)), frozenset(numbers(passage)), sentences)


def _has_name(name: str, lower: str) -> bool:
    stem = name.removesuffix("'s").removesuffix("’s")
    return re.search(rf"(?<!\w){re.escape(stem)}", lower) is not None
