"""What is known of a language model: who it is and what it can do."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from flare_core.events._base import Value


class Capabilities(Value):
    """What a (base URL, model) pair was found to do when it was probed; None means not found out."""

    logprobs: bool | None = None
    """Gives the probability of each token that it writes."""
    top_logprobs: int | None = None
    """How many alternatives it gives for each token; 0 for none."""
    streaming: bool | None = None
    """Sends its answer token by token."""
    continues: bool | None = None
    """Continues a started answer (a trailing assistant message) instead of starting a new one."""
    context: int | None = None
    """Context size in tokens for one call."""
    probed_at: float | None = None
    """When this was found out, in seconds since the Unix epoch."""
    notes: tuple[str, ...] = ()
    """What was odd, in plain words."""


class ModelInfo(Value):
    """The model behind a run."""

    name: str
    """The model's name as the endpoint knows it."""
    kind: Literal["embedded", "endpoint"]
    """Inside this process, or behind a URL."""
    base_url: str
    """Where it answers, without credentials."""
    slots: int = Field(default=1, ge=1)
    """Prompt caches that can be held at the same time: drafts and rewrites use different ones."""
    capabilities: Capabilities = Capabilities()
    """What the probe found."""
