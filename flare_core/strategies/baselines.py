"""The baselines that never look ahead (METHOD 4): the same loop with retrieval taken out of it."""

from __future__ import annotations

from collections.abc import Generator

from flare_core.events import AnyEvent
from flare_core.strategies.context import Context, Ending
from flare_core.strategies.direct import direct


def single(context: Context) -> Generator[AnyEvent, None, Ending]:
    """Single-time retrieval: once, with the user's input; its passages stay in the prompt."""
    changes = {"theta": "never", "initial": True, "draft_docs": "first", "keep_first": False}
    context.spec = context.spec.model_copy(update=changes)
    return (yield from direct(context))


def none(context: Context) -> Generator[AnyEvent, None, Ending]:
    """No retrieval at all: the model's memory alone."""
    context.spec = context.spec.model_copy(update={"theta": "never", "initial": False})
    return (yield from direct(context))
