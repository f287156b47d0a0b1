"""The body of a request for a chat completion."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flare_core.events import Capabilities
from flare_core.lm.continuation import Instruction
from flare_core.lm.dialect import Dialect
from flare_core.ports import Prompt


def messages(prompt: Prompt, *, continues: bool, instruction: Instruction) -> list[dict[str, str]]:
    """System, user and, where something was started, the started answer or an instruction to go on from it."""
    user = prompt.user
    if prompt.started and not continues:
        user = instruction(user, prompt.started)
    turns = [{"role": "system", "content": prompt.system}] if prompt.system else []
    turns.append({"role": "user", "content": user})
    if prompt.started and continues:
        turns.append({"role": "assistant", "content": prompt.started})
    return turns


def body(
    model: str,
    turns: list[dict[str, str]],
    *,
    capabilities: Capabilities,
    dialect: Dialect,
    alternatives: int,
    max_tokens: int,
    stop: Sequence[str] = (),
) -> dict[str, Any]:
    """Greedy decoding, with the probabilities of up to `alternatives` tokens a place if the model gives them."""
    streams = capabilities.streaming is not False
    fields: dict[str, Any] = {**dialect.extra, "model": model, "messages": turns, dialect.limit: max_tokens}
    fields["stream"] = streams
    if streams and dialect.stream_options:
        fields["stream_options"] = dict(dialect.stream_options)
    if dialect.temperature:
        fields["temperature"] = 0
    if capabilities.logprobs is not False:
        fields["logprobs"] = True
        known = capabilities.top_logprobs
        top = alternatives if known is None else min(alternatives, known)
        if top:
            fields["top_logprobs"] = top
    if stop:
        fields["stop"] = list(stop)
    if turns[-1]["role"] == "assistant":
        fields |= dialect.continuing
    return fields
