"""One chunk of a streamed chat completion, as servers really send it, turned into one shape.

Servers differ (OpenAI, vLLM, llama.cpp, Ollama, SGLang, Together …): keys are missing or null, probabilities come
in two shapes, some numbers are no probabilities. Everything here is pure and takes the parsed JSON.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flare_core.events import Alternative, Token
from flare_core.ports import Piece

UNLIKELY = -9998.0
"""OpenAI sends -9999.0 for "not among the likeliest": no probability at all."""
ROUNDING = 1e-4
"""A logarithm this far above 0 is 0 with a rounding error; beyond, it is no probability."""

MOST_TEXT, MOST_TOKENS, MOST_TOP = 200_000, 50_000, 20
"""Characters and tokens of one chunk, alternatives of one token: far more than is ever asked for."""


@dataclass(frozen=True, slots=True)
class Delta:
    """What one chunk adds to the answer."""

    text: str = ""
    tokens: tuple[Token, ...] | None = None
    """None where the chunk says nothing of tokens."""
    finish: str | None = None
    """The server's reason for ending, in its own word."""


NOTHING = Delta()


def normalise(chunk: Mapping[str, Any]) -> Piece:
    """The text and the tokens of one chunk, as far as a single chunk tells (see `align` for a whole stream).

    Text without probabilities becomes one token whose probability is unknown, so that joined tokens equal the text.
    """
    delta = read(chunk)
    tokens = delta.tokens
    if tokens is None:
        tokens = (Token(delta.text),) if delta.text else ()
    return Piece(delta.text, tuple(token for token in tokens if token.data))


def read(chunk: Mapping[str, Any]) -> Delta:
    """What a chunk adds; a chunk without choices (usage, progress, keep-alive) adds nothing."""
    choices = chunk.get("choices")
    if not choices:
        return NOTHING
    choice = choices[0]
    delta = choice.get("delta") or choice.get("message") or {}
    text = _readable(delta.get("content"))
    tokens = read_tokens(choice.get("logprobs"))
    if not text and (delta.get("reasoning_content") or delta.get("reasoning")):
        tokens = None
    return Delta(text, tokens, choice.get("finish_reason"))


def read_tokens(logprobs: Any) -> tuple[Token, ...] | None:
    """The tokens of a `logprobs` object in today's or the legacy shape; None where it names none."""
    if not isinstance(logprobs, Mapping):
        return None
    content = logprobs.get("content")
    if content and len(content) > MOST_TOKENS:
        raise ValueError("too many tokens in one chunk")
    if content:
        return tuple(_token(entry) for entry in content)
    if logprobs.get("tokens"):
        return _legacy(logprobs)
    return None


def _token(entry: Mapping[str, Any]) -> Token:
    text, raw = _spelling(entry)
    likely = (entry.get("top_logprobs") or ())[:MOST_TOP]
    top = tuple([Alternative(_spelling(other)[0], real(other.get("logprob"))) for other in likely])
    return Token(text, real(entry.get("logprob")), top, raw)


def _spelling(entry: Mapping[str, Any]) -> tuple[str, tuple[int, ...] | None]:
    """Printable text, and the bytes where they are not simply its UTF-8. `bytes` wins over `token`, if it is there."""
    text = _readable(entry.get("token"))
    numbers = entry.get("bytes")
    if not numbers:
        return text, None
    if not isinstance(numbers, list):  # bytes(3_000_000_000) would take the memory
        raise TypeError("bytes are no list")
    data = bytes(numbers)
    if data == text.encode("utf-8", "surrogatepass"):
        return text, None
    shown = data.decode("utf-8", "replace")
    return shown, None if shown.encode("utf-8") == data else tuple(numbers)


def _readable(text: Any) -> str:
    """Text as it can be kept: half a surrogate pair becomes U+FFFD. Raises TypeError for what is no text."""
    text = text or ""
    if not isinstance(text, str):
        raise TypeError("no text")
    if len(text) > MOST_TEXT:
        raise ValueError("too much text in one chunk")
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _legacy(logprobs: Mapping[str, Any]) -> tuple[Token, ...]:
    """The shape of the old completions API: parallel lists, alternatives as a mapping from token to logarithm."""
    texts: Sequence[str] = logprobs["tokens"]
    values = logprobs.get("token_logprobs") or ()
    tops = logprobs.get("top_logprobs") or ()
    tokens = []
    for place, text in enumerate(texts):
        value = values[place] if place < len(values) else None
        top = tops[place] if place < len(tops) else None
        ranked = sorted((top or {}).items(), key=lambda item: -(real(item[1]) or UNLIKELY))[:MOST_TOP]
        alternatives = tuple(Alternative(_readable(other), real(p)) for other, p in ranked)
        tokens.append(Token(_readable(text), real(value), alternatives))
    return tuple(tokens)


def real(value: Any) -> float | None:
    """A logarithm of a probability, or None for what is none: null, NaN, -inf, -9999 and anything above 0."""
    if value is None or isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if UNLIKELY < value <= 0.0:
        return float(value)
    return 0.0 if 0.0 < value <= ROUNDING else None
