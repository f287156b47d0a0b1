"""How an endpoint wants to be asked, beyond what all have in common."""

from __future__ import annotations

from typing import Any

from flare_core.events import Value


class Dialect(Value):
    """What differs between endpoints in a request for a chat completion."""

    limit: str = "max_tokens"
    """Name of the field that limits the answer."""
    temperature: bool = True
    """Whether it can be told to be greedy (temperature 0)."""
    extra: dict[str, Any] = {}
    """Fields for every request."""
    stream_options: dict[str, Any] = {"include_usage": True}
    """Fields of `stream_options`; empty where the endpoint refuses them."""
    continuing: dict[str, Any] = {}
    """Fields for a request that ends in a started answer."""
    varying: dict[str, Any] = {}
    """Fields for a request whose answer must not repeat what stands before it."""
    pins_slots: bool = False
    """Whether `id_slot` chooses the prompt cache (llama.cpp)."""


LLAMA_CPP = Dialect(extra={"cache_prompt": True, "timings_per_token": True, "return_progress": True})
"""Counts prompt and cached tokens while it streams, so that closed streams are accounted for."""

VLLM = Dialect(
    stream_options={"include_usage": True, "continuous_usage_stats": True},
    continuing={"continue_final_message": True, "add_generation_prompt": False},
    varying={"frequency_penalty": 0.5},
)

BY_OWNER = {"llamacpp": LLAMA_CPP, "vllm": VLLM}


def guess(owner: str) -> Dialect:
    """The dialect to try first, by what `/models` says of its maker (`owned_by`). The probe has the last word."""
    return BY_OWNER.get(owner.lower(), Dialect())
