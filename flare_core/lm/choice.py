"""Which language model: what was asked for, else what the environment names, else the embedded one."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import openai
from openai import OpenAI

from flare_core.errors import ModelError, UsageError
from flare_core.lm.address import Address
from flare_core.lm.bounds import NOT_PACKED, bounded
from flare_core.lm.continuation import Instruction, instruction
from flare_core.lm.dialect import guess
from flare_core.lm.embedded import open_embedded
from flare_core.lm.failures import Place, UnknownModel, as_model_error, unknown_model
from flare_core.lm.openai_chat import NO_KEY, OpenAIChat, options
from flare_core.lm.probe_cache import probed

EMBEDDED = "embedded"
OPENAI = "https://api.openai.com/v1"
LISTING = openai.Timeout(20.0, connect=10.0)
"""Seconds to wait for the list of models."""
NO_CHAT = ("embed", "whisper", "tts", "dall-e", "moderation", "rerank", "transcribe", "realtime", "image", "sora")
"""Parts of names of models that do not chat."""
CONTEXT_FIELDS = ("max_model_len", "context_length", "context_window", "max_context_length", "n_ctx")

MAX_NAME = 500
"""Characters of a model's name."""

Listing = list[dict[str, Any]]


def open_model(
    lm: str | None = None,
    model: str | None = None,
    *,
    env: Mapping[str, str] = os.environ,
    refresh: bool = False,
    continue_with: Instruction = instruction,
) -> OpenAIChat:
    """Open a language model and find out what it can do (once: `refresh` asks again).

    `lm`: `embedded`, the base URL of an OpenAI-compatible endpoint, or the path of a .gguf file; None or empty leaves
    it to OPENAI_BASE_URL and OPENAI_API_KEY, and without those to the embedded model. `model`: a name that the
    endpoint knows; None or empty takes the first that it lists. Raises UsageError for a setting that makes no sense,
    ModelError for an endpoint that does not work; neither shows a key.
    """
    lm, model = (lm or "").strip(), (model or "").strip()
    key, base_url = env.get("OPENAI_API_KEY", "").strip(), env.get("OPENAI_BASE_URL", "").strip()
    if not lm:
        lm = base_url or (OPENAI if key else EMBEDDED)
    if lm == EMBEDDED:
        return open_embedded(refresh=refresh, continue_with=continue_with)
    if is_file(lm):
        return open_embedded(_existing(lm), refresh=refresh, continue_with=continue_with)
    return _open_endpoint(Address.parse(lm), model, key, refresh=refresh, continue_with=continue_with)


def is_file(lm: str) -> bool:
    """Whether a setting names a model file rather than an address."""
    return "://" not in lm and (lm.lower().endswith(".gguf") or _found(lm) is not None)


def _existing(lm: str) -> Path:
    path = _found(lm)
    if path is None:
        raise ModelError(f"There is no model file {lm[:200]}.", "Check its path.")
    return path


def _found(lm: str) -> Path | None:
    """The file, if there is one."""
    try:
        path = Path(lm).expanduser()
        return path if path.is_file() else None
    except (OSError, RuntimeError, ValueError):  # too long for a path, no such home, a zero in it
        return None


def _open_endpoint(address: Address, model: str, key: str, *, refresh: bool, continue_with: Instruction) -> OpenAIChat:
    place = Place(address.shown, model, tuple(secret for secret in (key, *address.secrets) if secret))
    listing = _listing(address, key, place)
    name = model or first_chat_model(listing)
    if model and not _named(model):
        raise UsageError("The name of the model is too long, or holds characters that cannot be shown.")
    if not name:
        raise UsageError(f"{address.shown} does not list its models.", "Name the model to use.")
    entry = next((entry for entry in listing if entry.get("id") == name), {})
    settings: dict[str, Any] = {"api_key": key, "continue_with": continue_with}
    asking = OpenAIChat(address, name, dialect=guess(str(entry.get("owned_by"))), **settings)
    try:
        found = probed(asking, context=context_of(entry), refresh=refresh)
    except UnknownModel:
        known = tuple(str(entry.get("id")) for entry in listing)
        raise unknown_model(Place(place.url, name, place.secrets), known) from None
    finally:
        asking.close()
    return OpenAIChat(address, name, capabilities=found.capabilities, dialect=found.dialect, **settings)


def _listing(address: Address, key: str, place: Place) -> Listing:
    """What `/models` names; nothing where the endpoint has no such page."""
    asking = OpenAI(
        base_url=address.url,
        api_key=key or NO_KEY,
        default_headers=NOT_PACKED,
        http_client=openai.DefaultHttpxClient(event_hooks={"response": [bounded(place)]}, follow_redirects=False),
        default_query=address.query or None,
        max_retries=1,
        timeout=LISTING,
    )
    with asking:
        try:
            answer: Any = asking.get("/models", cast_to=object, options=options(key))
        except (openai.NotFoundError, openai.PermissionDeniedError):
            return []
        except (openai.OpenAIError, ValueError, RecursionError) as error:
            raise as_model_error(error, place) or error from None
    entries = answer.get("data") if isinstance(answer, dict) else answer
    entries = entries if isinstance(entries, list) else []
    return [entry for entry in entries if isinstance(entry, dict) and _named(entry.get("id"))]


def _named(name: Any) -> bool:
    """Whether this is a name that can be shown and sent."""
    return isinstance(name, str) and 0 < len(name) <= MAX_NAME and name.isprintable()


def first_chat_model(listing: Listing) -> str:
    """The first model that is not plainly for something else; empty where there is none."""
    names = [str(entry["id"]) for entry in listing]
    chatting = [name for name in names if not any(part in name.lower() for part in NO_CHAT)]
    return next(iter(chatting or names), "")


def context_of(entry: Mapping[str, Any]) -> int | None:
    """Context size in tokens, under whatever name the endpoint tells it."""
    meta = entry.get("meta")
    told = {**(meta if isinstance(meta, dict) else {}), **entry}
    sizes = [told.get(name) for name in CONTEXT_FIELDS]
    return next((size for size in sizes if type(size) is int and 0 < size < 2**53), None)
