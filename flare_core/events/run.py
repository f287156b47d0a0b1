"""The frame of a run: its start, each model call, warnings, its end."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar, Literal

from flare_core.events._base import SCHEMA_VERSION, Event, Value
from flare_core.events.model import ModelInfo
from flare_core.spec import RunSpec


class PromptVersion(Value):
    """Which text of a prompt was used."""

    name: str
    """File name of the prompt, without its ending."""
    digest: str
    """First 12 hexadecimal digits of the SHA-256 of the file."""


class RunStarted(Event):
    """First event of a log; missing only where the run ended before its model was open."""

    type: Literal["run_started"] = "run_started"
    schema_version: int = SCHEMA_VERSION
    """Version of the vocabulary that this log is written in."""
    flare_version: str
    """Version of Flare that wrote it."""
    spec: RunSpec
    """What was asked for, every setting explicit."""
    model: ModelInfo
    """The model used and what it can do."""
    sources: tuple[str, ...]
    """Names of the sources, in the order in which they are asked."""
    attributions: tuple[str, ...] = ()
    """Credits owed to those sources, to be shown with the report."""
    prompts: tuple[PromptVersion, ...] = ()
    """The prompts used."""


class Purpose(StrEnum):
    """Why the model was called."""

    DRAFT = "draft"
    REGENERATE = "regenerate"
    QUESTION = "question"
    EXTRACT = "extract"
    PROBE = "probe"


class CallMade(Event):
    """One call of the language model, after it ended. The ledger is the list of these."""

    type: Literal["call_made"] = "call_made"
    purpose: Purpose
    """Why it was made; a stream that rewrites and then drafts on counts as `regenerate`."""
    sentence: int
    """Number of the sentence that it began with, from 1; 0 before the first."""
    prompt_tokens: int | None
    """Tokens of the prompt, as the server counted them."""
    cached_tokens: int | None
    """Of those, tokens taken from the server's prompt cache."""
    evaluated_tokens: int | None
    """Prompt tokens really evaluated: `prompt_tokens - cached_tokens` where both are known."""
    generated_tokens: int
    """Tokens received, those thrown away included."""
    closed_early: bool
    """Whether Flare closed the stream because it had seen enough."""
    ttft_ms: float | None
    """Time to the first token, in milliseconds; None when none came."""
    ms: float
    """Time from sending to closing, in milliseconds."""
    price: float | None = None
    """In the currency of the user's price table; None when unknown."""
    error: str | None = None
    """What went wrong, without secrets."""


class Warned(Event):
    """Something that the user should know and can act on; the run goes on."""

    type: Literal["warned"] = "warned"
    code: str
    """Short stable name, such as `weak_model`."""
    message: str
    """What happened."""
    remedy: str = ""
    """What the user can do."""


class Drafting(Event):
    """The text that is being written at this moment. Never logged."""

    durable: ClassVar[bool] = False

    type: Literal["drafting"] = "drafting"
    sentence: int
    """Number of the sentence in work."""
    phase: Literal["draft", "rewrite"]
    """Whether it is a draft or its rewrite."""
    text: str
    """What has come of it so far."""
    probabilities: tuple[float | None, ...] = ()
    """Probability of each token so far."""
    pieces: tuple[str, ...] = ()
    """The tokens so far."""


class Status(StrEnum):
    """How a run ended."""

    COMPLETE = "complete"
    STOPPED = "stopped"
    OUT_OF_BUDGET = "out_of_budget"
    INTERRUPTED = "interrupted"
    FAILED = "failed"


class RunEnded(Event):
    """Last event of every log that was not cut off."""

    type: Literal["run_ended"] = "run_ended"
    status: Status
    """How it ended."""
    reason: Literal["sentences", "words", "model_stopped", "repetition", "budget", "user", "error", "cut_off"]
    """What ended it."""
    message: str
    """The same in plain words."""
    remedy: str = ""
    """What the user can do, where something went wrong."""
