"""What a fake model says, and the bad habits it can have."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Tok = str | tuple[str | bytes, float | None] | tuple[str | bytes, float | None, Mapping[str, float]]
"""A token: text; or text, log-probability (None: null) and, if wanted, alternatives."""

LIKELY = -0.01


@dataclass(frozen=True)
class Quirks:
    """Bad habits; the default is a well-behaved server."""

    logprobs: Literal["yes", "missing", "null", "empty", "refused", "faked", "legacy"] = "yes"
    """`refused`: 400 when asked for. `faked`: every value is 0 or -9999."""
    top_limit: int = 20
    """More alternatives than this are refused with 400."""
    continues: bool = True
    """False: a trailing assistant message is ignored, the answer begins anew."""
    refuses_started: bool = False
    """400 for a trailing assistant message."""
    status: int = 0
    """Answer every call with this status: 401, 403, 404, 429, 500 … (401 echoes the key)."""
    message: str = ""
    """Words of the error."""
    fails: int | None = None
    """How many calls fail with `status` before it goes well; None is all."""
    stall_after: int | None = None
    """Send nothing more after so many tokens; 0 stalls before the first."""
    delay: float = 0.0
    """Seconds before each token."""
    cut_after: int | None = None
    """Break the connection after so many tokens."""
    no_finish: bool = False
    """End politely but without a reason for ending."""
    per_chunk: int = 1
    """Tokens in a chunk."""
    bytes_null: bool = False
    """`bytes` is null everywhere."""
    lost_bytes: bool = False
    """Tokens that are no whole character come as U+FFFD, with its bytes (Ollama, vLLM)."""
    stop_in_tokens: bool = False
    """The stop string is gone from the text but still among the tokens."""
    end_token: bool = False
    """A last entry with an empty token."""
    streams: bool = True
    """False: the answer comes in one piece of JSON, whatever was asked for."""
    rejects: tuple[str, ...] = ()
    """Names of request fields that are refused with 400, such as `max_tokens` or `temperature`."""
    llama: bool = False
    """Tells progress and timings with each chunk, as llama.cpp does when asked to."""
    cached: int | None = None
    """Prompt tokens that it claims to have cached."""
    error_in_stream: str = ""
    """After the first token, an error object with this message instead of more tokens."""
    odd: Any = None
    """After the first token, this instead of `choices`."""
    owner: str = "fake"
    """`owned_by` in `/models`."""
    models: tuple[str, ...] = ("fake-model",)
    """Models that it offers."""
    context: int | None = 4096
    """Context size it tells in `/models`; longer prompts (in words) are refused."""
    key: str = ""
    """API key that it insists on."""


@dataclass(frozen=True)
class Reply:
    """One answer with its own bad habits."""

    tokens: Sequence[Tok]
    quirks: Quirks | None = None
    finish: str = ""
    """The reason for ending; by default `stop`, or `length` at `max_tokens`."""


@dataclass(frozen=True)
class Call:
    """One request, as a scripted model sees it."""

    number: int
    """From 1; probes are not counted."""
    body: Mapping[str, Any]
    started: str
    """The trailing assistant message, or empty (also where the server ignores it)."""

    @property
    def system(self) -> str:
        return self._last("system")

    @property
    def user(self) -> str:
        return self._last("user")

    @property
    def max_tokens(self) -> int:
        return int(self.body.get("max_tokens") or self.body.get("max_completion_tokens") or 1 << 30)

    def _last(self, role: str) -> str:
        return next((str(m["content"]) for m in reversed(self.body["messages"]) if m["role"] == role), "")


Script = Sequence[Reply | Sequence[Tok]] | Callable[[Call], Iterable[Tok]]


@dataclass(frozen=True)
class Entry:
    """One token as it goes over the wire."""

    data: bytes
    logprob: float | None = LIKELY
    top: tuple[tuple[str, float], ...] = field(default=())

    @classmethod
    def of(cls, tok: Tok) -> Entry:
        if isinstance(tok, str):
            tok = (tok, LIKELY)
        text, logprob = tok[0], tok[1]
        data = text if isinstance(text, bytes) else text.encode()
        others = tok[2] if len(tok) > 2 else {}
        top = {data.decode("utf-8", "replace"): logprob if logprob is not None else -math.inf, **others}
        return cls(data, logprob, tuple(sorted(top.items(), key=lambda item: -item[1])))

    def json(self, quirks: Quirks, top: int) -> dict[str, Any]:
        text = self.data.decode("utf-8", "replace")
        data = text.encode() if quirks.lost_bytes else self.data
        logprob = self.logprob
        if quirks.logprobs == "faked":
            logprob = 0.0
        alternatives = [
            {"token": t, "bytes": None if quirks.bytes_null else list(t.encode()), "logprob": max(p, -9999.0)}
            for t, p in self.top[:top]
        ]
        numbers = None if quirks.bytes_null else list(data)
        return {"token": text, "bytes": numbers, "logprob": logprob, "top_logprobs": alternatives}
