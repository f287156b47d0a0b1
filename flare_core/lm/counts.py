"""What a call cost, gathered from whatever its chunks tell on the way: also a stream that was closed is accounted for.

OpenAI sends `usage` once, at the end. vLLM can send it with every chunk. llama.cpp can send `timings` with every chunk
and `prompt_progress` while it still reads the prompt.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from flare_core.ports import Usage

MOST = 2**53
"""Larger numbers of tokens are nonsense."""


class Tally:
    """Keeps a `Usage` up to date, chunk by chunk."""

    def __init__(self) -> None:
        self.usage = Usage()
        self.chunks = 0
        """Chunks seen, of any kind."""
        self._received = 0
        self._told = 0

    def note(self, chunk: Mapping[str, Any]) -> None:
        """Take in what a chunk says of tokens."""
        self.chunks += 1
        self._received += written(chunk)
        for name, reader in READERS:
            said = chunk.get(name)
            if isinstance(said, dict):
                self._told = max(self._told, reader(self.usage, said))
        self.usage.generated_tokens = max(self._received, self._told)


def written(chunk: Mapping[str, Any]) -> int:
    """Tokens that a chunk carries; text without a list of tokens counts as one."""
    choices = chunk.get("choices")
    if not choices:
        return 0
    choice = choices[0]
    listed = (choice.get("logprobs") or {}).get("content")
    if listed:
        return sum(1 for entry in listed if entry.get("token"))
    delta = choice.get("delta") or choice.get("message") or {}
    return 1 if delta.get("content") or delta.get("reasoning_content") or delta.get("reasoning") else 0


def _progress(usage: Usage, progress: Mapping[str, Any]) -> int:
    """llama.cpp: `total`, of which `cache` were known already and `processed` are done (`cache` included)."""
    usage.prompt_tokens, usage.cached_tokens = _count(progress, "total"), _count(progress, "cache")
    processed = _count(progress, "processed")
    if usage.cached_tokens is not None and processed is not None:
        usage.evaluated_tokens = processed - usage.cached_tokens
    return 0


def _timings(usage: Usage, timings: Mapping[str, Any]) -> int:
    """llama.cpp: `cache_n` and `prompt_n` make up the prompt once the first token is written (`predicted_n` > 0)."""
    generated = _count(timings, "predicted_n") or 0
    cached, evaluated = _count(timings, "cache_n"), _count(timings, "prompt_n")
    if generated and cached is not None and evaluated is not None:
        usage.prompt_tokens = cached + evaluated
        usage.cached_tokens, usage.evaluated_tokens = cached, evaluated
    return generated


def _totals(usage: Usage, totals: Mapping[str, Any]) -> int:
    """OpenAI: `prompt_tokens`, of which `prompt_tokens_details.cached_tokens`."""
    prompt = _count(totals, "prompt_tokens")
    if prompt is not None:
        details = totals.get("prompt_tokens_details")
        cached = _count(details, "cached_tokens") if isinstance(details, dict) else None
        if cached is None and usage.prompt_tokens == prompt:
            cached = usage.cached_tokens
        usage.prompt_tokens, usage.cached_tokens = prompt, cached
        usage.evaluated_tokens = None if cached is None else prompt - cached
    return _count(totals, "completion_tokens") or 0


def _count(told: Mapping[str, Any], name: str) -> int | None:
    """A number of tokens; None for anything that is none."""
    value = told.get(name)
    return value if type(value) is int and 0 <= value < MOST else None


READERS: tuple[tuple[str, Callable[[Usage, Mapping[str, Any]], int]], ...] = (
    ("prompt_progress", _progress),
    ("usage", _totals),
    ("timings", _timings),
)
"""What each field of a chunk tells; each reader returns the tokens generated so far, or 0."""
