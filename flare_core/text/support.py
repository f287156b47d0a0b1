"""Whether a passage supports a sentence, by words: cheap, and blind to negation. Said so wherever it is shown."""

from __future__ import annotations

import re
from dataclasses import dataclass

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
    has = set(content_words(passage))
    missing = sorted((numbers(sentence) - numbers(passage)) | {n for n in names(sentence) if not _has_name(n, passage)})
    coverage = len(wanted & has) / len(wanted) if wanted else 0.0
    return Support(coverage, tuple(missing), _best_span(wanted, passage, lang))


def _has_name(name: str, passage: str) -> bool:
    stem = name.removesuffix("'s").removesuffix("’s")
    return re.search(rf"(?<!\w){re.escape(stem)}", passage.lower()) is not None


def _best_span(wanted: set[str], passage: str, lang: str) -> tuple[int, int]:
    spans = split(passage, lang) or [(0, len(passage))]
    return max(spans, key=lambda span: len(wanted & set(content_words(passage[span[0] : span[1]]))))
