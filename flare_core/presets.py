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
    },
    "released": {
        "theta": 0.8,
        "beta": 0.4,
        "compare": "<=",
        "mask_unit": "token",
        "draft_docs": "last",
        "keep_first": False,
        "question_sees_input": False,
    },
}
"""Preset name to the fields that it sets; what it does not name keeps the spec's default."""
