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
    },
}
"""Preset name to the fields that it sets; what it does not name keeps the spec's default."""
