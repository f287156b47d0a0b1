"""The ports: what the engine asks of the outside world. One adapter a file; a test passes in fakes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from flare_core.events import ModelInfo, PageReport, Passage, SearchReport, Token


class Cancel(Protocol):
    """A request to stop; `threading.Event` is one."""

    def is_set(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Prompt:
    """What the model is shown."""

    system: str
    user: str
    started: str = ""
    """Beginning of the answer, to be continued exactly where it ends."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One chunk of a streamed answer. `tokens` is empty where the server gives no probabilities."""

    text: str
    tokens: tuple[Token, ...] = ()


@dataclass(slots=True)
class Usage:
    """What a call cost, known after it was closed. None is unknown, not 0."""

    prompt_tokens: int | None = None
    cached_tokens: int | None = None
    evaluated_tokens: int | None = None
    generated_tokens: int = 0
    """Tokens (or, without probabilities, chunks) received."""
    ttft_ms: float | None = None
    ms: float = 0.0
    closed_early: bool = False


class Completion(Protocol):
    """A streamed answer. Iterating raises Stopped when the cancel signal is set, ModelError on failure."""

    usage: Usage
    finish: str | None
    """`stop`, `length`, or None while it runs or when it was closed."""

    def __iter__(self) -> Iterator[Piece]: ...

    def close(self) -> None:
        """End the call, at the server too. Safe to call twice and from another thread."""


class LanguageModel(Protocol):
    """A model that streams tokens with probabilities, at temperature 0."""

    info: ModelInfo

    def stream(
        self,
        prompt: Prompt,
        *,
        max_tokens: int,
        stop: Sequence[str] = (),
        lane: int = 0,
        vary: bool = False,
        cancel: Cancel,
    ) -> Completion:
        """Start a call. `lane` names the prompt cache to use (0 drafts, 1 rewrites), where there are several.

        `vary` asks for words other than those that stand before, where the server can do that; else decoding is greedy.
        """

    def close(self) -> None:
        """Release connections."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a source found for one query."""

    searches: tuple[SearchReport, ...] = ()
    pages: tuple[PageReport, ...] = ()
    passages: tuple[tuple[Passage, float], ...] = ()
    """Passages with their scores, best first."""
    considered: int = 0
    """Passages that were scored."""


class Source(Protocol):
    """A place to retrieve passages from."""

    name: str
    attribution: str
    """Credit to be shown with what came from it; may be empty."""

    def find(self, query: str, *, k: int, lang: str, cancel: Cancel) -> Found:
        """The best passages for a query, at most `k`. Failures are values in the result.

        Raises Stopped when the cancel signal is set, SourceError when it cannot work at all.
        """

    def close(self) -> None:
        """Release what it holds."""


class Clock(Protocol):
    """Time, injected so that tests are exact."""

    def now(self) -> float:
        """Seconds since the Unix epoch."""


class Never:
    """A cancel signal that is never set."""

    def is_set(self) -> bool:
        return False
