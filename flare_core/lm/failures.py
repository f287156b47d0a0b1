"""What can go wrong with a language model, in words for its user; no message ever holds a key."""

from __future__ import annotations

import re
from dataclasses import dataclass

import openai

from flare_core.errors import ModelError

SHOWN = 300
"""Characters of a server's own message that are shown at most."""
KEY_LIKE = re.compile(r"\b(?:sk|pk|gsk|xai|hf|nvapi)[-_][\w*.-]{6,}|(?i:bearer)\s+[\w.~+/=-]{6,}")


class ContextExceeded(ModelError):
    """The prompt is longer than the model can read."""


class Refused(ModelError):
    """The endpoint does not take the request as it is (400, 403, 422); without some field it may."""


class UnknownModel(ModelError):
    """The endpoint has no model of that name."""


class NotUnderstood(ModelError):
    """Something answers, but not as an OpenAI-compatible server (or not in a stream)."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a model answers, for messages."""

    url: str
    """Base URL without credentials."""
    model: str = ""
    secrets: tuple[str, ...] = ()
    """What must never be shown: keys, passwords."""

    def clean(self, text: str) -> str:
        """Text from outside, made fit to be shown: no secrets, no control characters, not long."""
        for secret in self.secrets:
            if len(secret) > 3:
                text = text.replace(secret, "***")
        text = KEY_LIKE.sub("***", text)
        text = " ".join("".join(c if c.isprintable() else " " for c in text).split())
        return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"


def as_model_error(error: BaseException, place: Place) -> ModelError | None:
    """The failure in words for the user, or None where `error` is no failure of a model but a fault in Flare."""
    if isinstance(error, ModelError):
        return error
    if isinstance(error, openai.APIStatusError):
        return _refused(error, place)
    if isinstance(error, openai.APITimeoutError):
        return timed_out(place, "did not answer in time")
    if isinstance(error, openai.APIConnectionError) and isinstance(error.__cause__, ModelError):
        return error.__cause__
    if isinstance(error, openai.APIConnectionError):
        return _unreachable(error, place)
    if isinstance(error, openai.APIError):
        return _told(place.clean(error.message), place)
    if isinstance(error, ValueError | RecursionError | openai.OpenAIError):  # JSON that is none, or no sane one
        return not_understood(place)
    return None


def timed_out(place: Place, what: str) -> ModelError:
    """The server is too slow, or hangs."""
    return ModelError(
        f"The language model at {place.url} {what}.",
        "Try again, or allow more time if it is slow; see whether the server still works.",
    )


def broke_off(place: Place) -> ModelError:
    """The stream ended without a reason for ending."""
    return ModelError(f"The answer of the language model at {place.url} broke off.", "Resume or try again.")


def too_much(place: Place) -> ModelError:
    """An answer without end, or without bounds."""
    return ModelError(
        f"{place.url} sends much more than it was asked for.", "Check the address; a server that does this is broken."
    )


def filtered(place: Place) -> ModelError:
    """The provider's content filter ended the answer."""
    return ModelError(
        f"A content filter of {place.url} ended the answer.", "Word the topic differently, or use another model."
    )


def not_understood(place: Place) -> NotUnderstood:
    """What answers there speaks something else."""
    return NotUnderstood(
        f"{place.url} does not answer like an OpenAI-compatible server.", "Check the address; it often ends in /v1."
    )


def unknown_model(place: Place, known: tuple[str, ...] = ()) -> UnknownModel:
    """`known` are the names that it does have."""
    names = ", ".join(place.clean(name) for name in known[:8])
    remedy = f"It offers: {names}{', …' if len(known) > 8 else ''}." if names else "Check the model's name."
    return UnknownModel(f"{place.url} has no model named “{place.model}”.", remedy)


def _unreachable(error: openai.APIConnectionError, place: Place) -> ModelError:
    cause = error.__cause__ or error.__context__
    detail = place.clean(str(cause)) if cause else ""
    if (
        "chunked read" in detail
        or "disconnected" in detail
        or type(cause).__name__ in ("ReadError", "RemoteProtocolError")
    ):
        return broke_off(place)
    return ModelError(
        f"Cannot reach the language model at {place.url}{f' ({detail})' if detail else ''}.",
        "Check the address and that the server runs.",
    )


def _refused(error: openai.APIStatusError, place: Place) -> ModelError:
    status, said = error.status_code, place.clean(_said(error))
    if status == 401:
        return ModelError(
            f"{place.url} does not accept the API key (401).",
            "Check OPENAI_API_KEY; it may belong to another provider.",
        )
    if status == 403:
        return Refused(f"{place.url} does not allow this (403): {said}", "Check what the API key may do.")
    if 300 <= status < 400:
        to = place.clean(error.response.headers.get("location", ""))
        return ModelError(
            f"{place.url} leads elsewhere ({status}){f': {to}' if to else ''}.",
            "If you trust that address, name it instead; it often ends in /v1.",
        )
    if _too_long(f"{error.code} {error.type} {said}"):
        return _context(said, place)
    if status == 404 and (not said or "model" in said.lower()) and place.model:
        return unknown_model(place)
    if status == 404:
        return not_understood(place)
    if status == 429:
        return _too_many(error, said, place)
    if status >= 500:
        return ModelError(f"The server at {place.url} failed ({status}): {said}", "Try again later.")
    return Refused(f"{place.url} refused the request ({status}): {said}", "Another model may accept it.")


def _too_many(error: openai.APIStatusError, said: str, place: Place) -> ModelError:
    if "quota" in f"{error.code} {error.type} {said}".lower():
        return ModelError(f"The credit at {place.url} is used up (429): {said}", "Add credit, or use another model.")
    return ModelError(f"{place.url} asks to slow down (429): {said}", "Wait a little, then resume.")


def _told(said: str, place: Place) -> ModelError:
    """An error that came inside the stream, without a status."""
    if _too_long(said):
        return _context(said, place)
    return ModelError(f"The server at {place.url} failed: {said}", "Try again later.")


def _context(said: str, place: Place) -> ContextExceeded:
    return ContextExceeded(
        f"The prompt is longer than the model at {place.url} can read: {said}",
        "Use a model with a larger context, fewer passages or a shorter report.",
    )


def _too_long(said: str) -> bool:
    said = said.lower()
    named = any(sign in said for sign in ("context_length_exceeded", "exceed_context_size", "context_window"))
    return named or ("context" in said and any(sign in said for sign in ("exceed", "maximum", "too long", "longer")))


def _said(error: openai.APIStatusError) -> str:
    """The server's own words, taken out of whatever envelope it uses."""
    body = error.body
    if isinstance(body, dict):
        inner = body.get("error", body)
        words = inner.get("message") or inner.get("detail") if isinstance(inner, dict) else inner
        if isinstance(words, str) and words:
            return words
    return body if isinstance(body, str) else error.message
