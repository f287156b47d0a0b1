"""Which passages stand in a prompt: where the paper and the authors' code differ most (METHOD 2.4)."""

from __future__ import annotations

import re

from flare_core.events import Passage
from flare_core.ports import Prompt
from flare_core.prompts import fence, render
from flare_core.strategies.context import Context

LANGUAGES = {
    "en": "English", "fr": "French", "es": "Spanish", "de": "German", "it": "Italian", "pt": "Portuguese",
    "nl": "Dutch", "ru": "Russian", "uk": "Ukrainian", "pl": "Polish", "tr": "Turkish", "ar": "Arabic",
    "he": "Hebrew", "hi": "Hindi", "zh": "Chinese", "ja": "Japanese", "ko": "Korean",
}  # fmt: skip
"""Names of languages as a prompt calls them; others are called by their code."""
_SENTENCE_END = re.compile(r"[.!?…]\s+|[。！？]\s*")
BYTES_PER_TOKEN = 2.5
"""Bytes of UTF-8 that a token has at the least, on average, in any script: a careful guess."""


def for_draft(context: Context) -> tuple[Passage, ...]:
    """Passages in the prompt of the next draft: D_x for the first one; after it as the spec says."""
    spec = context.spec
    if context.number == 1 or spec.draft_docs == "first":
        return context.first
    kept = context.first if spec.keep_first else ()
    return joined(kept, context.last if spec.draft_docs == "last" else ())


def for_rewrite(context: Context, found: tuple[Passage, ...]) -> tuple[Passage, ...]:
    """Passages in the prompt of a rewrite: the new ones alone, or behind the topic's (`keep_first`)."""
    return joined(context.first if context.spec.keep_first else (), found)


def same(one: tuple[Passage, ...], other: tuple[Passage, ...]) -> bool:
    """Whether both are the same passages in the same order, whenever they were read."""
    return [passage.id for passage in one] == [passage.id for passage in other]


def joined(first: tuple[Passage, ...], then: tuple[Passage, ...]) -> tuple[Passage, ...]:
    """Both, none twice."""
    return tuple({passage.id: passage for passage in (*first, *then)}.values())


def prompt(context: Context, passages: tuple[Passage, ...]) -> Prompt:
    """The prompt that asks for the report, with the report so far as the beginning of the answer."""
    spec = context.spec
    language = LANGUAGES.get(spec.lang.split("-")[0].lower(), spec.lang)
    started = recent(context.text, context.model.info.capabilities.context) + context.seam
    if not passages:
        return render("write", started, topic=spec.topic, language=language)
    return render("write_with_passages", started, topic=spec.topic, language=language, passages=fence(passages))


def recent(text: str, context_tokens: int | None) -> str:
    """As much of the report's end as fits in half of the context.

    It begins at the same place until that much more has been written, so that the server's prompt cache lives long.
    """
    limit = int((context_tokens or 8192) / 2 * BYTES_PER_TOKEN)
    data = text.encode("utf-8", "replace")
    if len(data) <= limit:
        return text
    step = max(1, limit // 2)
    start = -((limit - len(data)) // step) * step
    shown = data[start:].decode("utf-8", "ignore")
    end = _SENTENCE_END.search(shown, 0, len(data[start : start + step].decode("utf-8", "ignore")))
    return shown[end.end() :] if end else shown
