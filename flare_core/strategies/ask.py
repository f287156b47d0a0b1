"""Short calls of the model that answer a side question: a search question, a term."""

from __future__ import annotations

from collections.abc import Generator

from flare_core.events import AnyEvent, Purpose
from flare_core.ports import Prompt
from flare_core.strategies.call import Call
from flare_core.strategies.context import Context


def ask(context: Context, prompt: Prompt, purpose: Purpose, max_tokens: int = 60) -> Generator[AnyEvent, None, str]:
    """The first line of the model's answer, stripped; yields the call's ledger entry."""
    context.call = call = Call(context, prompt, purpose, max_tokens=max_tokens, stop=("\n\n",), lane=1)
    answer = "".join(piece.text for piece in call.pieces())
    yield call.ledger()
    lines = answer.strip().splitlines()
    return lines[0].strip() if lines else ""
