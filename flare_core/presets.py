"""Named settings of the run spec. Differences between the paper and the authors' code: METHOD 2.4 and 8."""

from __future__ import annotations

from typing import Any

PRESETS: dict[str, dict[str, Any]] = {
    "default": {},
    "paper": {
        "theta": 0.8,
        "beta": 0.4,
        "compare": "<",
        "mask_unit": "token",
        "draft_docs": "none",
        "keep_first": False,
        "question_sees_input": True,
        "expand_spans": "none",
        "empty_query": "skip",
        "topic_in_query": False,
        "until": "stop",
        "draft_tokens": 64,
    },
    "released": {
        "theta": 0.8,
        "beta": 0.4,
        "compare": "<=",
        "mask_unit": "token",
        "draft_docs": "last",
        "keep_first": False,
        "question_sees_input": False,
        "expand_spans": "model",
        "empty_query": "skip",
        "topic_in_query": False,
        "until": "stop",
        "draft_tokens": 64,
    },
}
"""Preset name to the fields that it sets; what it does not name keeps the spec's default."""

DIFFERENCES: tuple[str, ...] = (
    "The prompts are our own and ask for a report, without exemplars; passages are shown without numbers.",
    "No blank line ends the answer: a report has paragraphs.",
    "A confident draft is accepted as it stands. The authors' code asks for it again, with the same prompt and the "
    "same answer (METHOD 0, item 2).",
    "Sentences end where Flare's splitter says, not where an untrained Punkt does.",
    "Queries are not cut to their last 64 tokens, and runs of white space in them are folded.",
    "A draft of which only punctuation is left after masking counts as wholly masked.",
    "A retrieval without hits keeps the earlier passages and accepts the draft; the authors' code goes on without "
    "passages.",
    "The guard against repetition, and the rule that no query is sent twice, hold in every preset.",
)
"""Where all presets, `paper` and `released` too, differ from the paper or the authors' code on purpose."""
