"""One shape for all measurements: a JSON object a line."""

from __future__ import annotations

import json


def line(bench: str, value: float | None, target: float | None, ok: bool | None = None, **more: object) -> bool:
    """Print a measurement; whether its target was met.

    By default `value` has to be at most `target`; without a target the line only informs.
    """
    if ok is None:
        ok = target is None or (value is not None and value <= target)
    print(
        json.dumps({"bench": bench, "value": value, "target": target, "ok": ok, **more}, ensure_ascii=False), flush=True
    )
    return ok
