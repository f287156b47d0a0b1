"""Short calls of the model that answer a side question: a search question, a term."""

from __future__ import annotations

from collections.abc import Generator

from flare_core.events import AnyEvent, CallMade, Purpose
from flare_core.ports import Prompt
from flare_core.strategies.context import Context


def ask(context: Context, prompt: Prompt, purpose: Purpose, max_tokens: int = 60) -> Generator[AnyEvent, None, str]:
    """The first line of the model's answer, stripped; yields the call's ledger entry."""
    completion = context.model.stream(prompt, max_tokens=max_tokens, stop=("\n\n",), lane=1, cancel=context.cancel)
    try:
        answer = "".join(piece.text for piece in completion)
    finally:
        completion.close()
    usage = completion.usage
    context.spent.tokens += usage.generated_tokens
    yield context.emit(
        CallMade(
            purpose=purpose,
            sentence=context.number,
            prompt_tokens=usage.prompt_tokens,
            cached_tokens=usage.cached_tokens,
            evaluated_tokens=usage.evaluated_tokens,
            generated_tokens=usage.generated_tokens,
            closed_early=usage.closed_early,
            ttft_ms=usage.ttft_ms,
            ms=usage.ms,
        )
    )
    lines = answer.strip().splitlines()
    return lines[0].strip() if lines else ""
