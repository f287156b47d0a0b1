"""What can this endpoint do with this model? Asked once, with two or three tiny calls, and remembered.

Tables of what providers support are wrong within months (they even contradict each other), so nothing is inferred.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from flare_core.errors import ModelError
from flare_core.events import Capabilities, Value
from flare_core.lm.completion import Patience, StreamedCompletion
from flare_core.lm.dialect import Dialect
from flare_core.lm.failures import ContextExceeded, NotUnderstood, Refused
from flare_core.lm.openai_chat import OpenAIChat
from flare_core.lm.request import body, messages
from flare_core.ports import Never, Piece, Prompt

FREE = "Name an animal and say in one sentence what it eats."
LETTERS = "Write the alphabet in capital letters, separated by spaces."
STARTED = "A B C D E F G"
GOES_ON = " H"
"""How a model that continues goes on: with the space. One that begins a new message would leave it out."""
QUESTIONS = frozenset({FREE, LETTERS})
MAX_TOKENS = 12
PATIENCE = Patience(first=90.0, next=30.0)
LADDER = {20: 5, 5: 0}
"""Alternatives to ask for after so many were refused."""
ENOUGH = 4
"""So many probabilities of exactly 1 in a row are no probabilities."""


class Probed(Value):
    """What was found out of an endpoint and a model."""

    capabilities: Capabilities
    """What it can do."""
    dialect: Dialect
    """How it wants to be asked."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A way to ask."""

    dialect: Dialect
    logprobs: bool = True
    top: int = 20
    streaming: bool = True
    notes: tuple[str, ...] = ()


def probe(model: OpenAIChat, *, context: int | None = None, now: Callable[[], float] = time.time) -> Probed:
    """Find out. `context` is the context size, where the endpoint told. Raises ModelError where nothing works."""
    trial, pieces = _first_answer(model, Trial(model.dialect))
    certain, notes = _probabilities(pieces, trial)
    seen = [len(token.top) for piece in pieces for token in piece.tokens]
    continues, more = _continues(model, trial)
    capabilities = Capabilities(
        logprobs=certain,
        top_logprobs=min(trial.top, max(seen, default=0)) if certain else (None if certain is None else 0),
        streaming=trial.streaming,
        continues=continues,
        context=context,
        probed_at=now(),
        notes=(*trial.notes, *notes, *more),
    )
    return Probed(capabilities=capabilities, dialect=trial.dialect)


def _first_answer(model: OpenAIChat, trial: Trial) -> tuple[Trial, list[Piece]]:
    """Ask, each time for less, until there is an answer."""
    while True:
        try:
            return trial, list(_ask(model, trial, Prompt("", FREE)))
        except ContextExceeded:
            raise
        except (Refused, NotUnderstood) as error:
            lower = step_down(trial, error)
            if lower is None:
                raise
            trial = lower


def step_down(trial: Trial, error: ModelError) -> Trial | None:
    """A smaller request after a refusal: without what its words name, else with fewer alternatives; None at the end."""
    said, dialect = str(error).lower(), trial.dialect
    if isinstance(error, NotUnderstood):
        return replace(trial, streaming=False, notes=_with(trial, "It does not stream.")) if trial.streaming else None
    if dialect.limit in said and dialect.limit == "max_tokens":
        return replace(trial, dialect=_changed(dialect, limit="max_completion_tokens"))
    if "temperature" in said and dialect.temperature:
        note = "It does not accept temperature 0: answers may differ from run to run."
        return replace(trial, dialect=_changed(dialect, temperature=False), notes=_with(trial, note))
    if dialect.stream_options and any(name in said for name in ("stream_options", *dialect.stream_options)):
        return replace(trial, dialect=_changed(dialect, stream_options={}))
    if dialect.extra and any(name in said for name in dialect.extra):
        return replace(trial, dialect=_changed(dialect, extra={}))
    if not trial.logprobs:
        return None
    if trial.top not in LADDER or ("logprobs" in said and "top_logprobs" not in said):
        return replace(trial, logprobs=False, top=0, notes=_with(trial, "It refuses to give probabilities."))
    return replace(trial, top=LADDER[trial.top])


def _ask(model: OpenAIChat, trial: Trial, prompt: Prompt) -> StreamedCompletion:
    capabilities = Capabilities(logprobs=trial.logprobs, top_logprobs=trial.top, streaming=trial.streaming)
    request = body(
        model.info.name,
        messages(prompt, continues=True, instruction=lambda user, _: user),
        capabilities=capabilities,
        dialect=trial.dialect,
        alternatives=trial.top,
        max_tokens=MAX_TOKENS,
    )
    return model.send(request, cancel=Never(), patience=PATIENCE)


def _probabilities(pieces: list[Piece], trial: Trial) -> tuple[bool | None, tuple[str, ...]]:
    """Whether it gives real probabilities; None where it wrote nothing to judge by."""
    if not trial.logprobs:
        return False, ()
    tokens = [token for piece in pieces for token in piece.tokens]
    if not tokens:
        return None, ("It wrote no text in the few tokens of the probe; perhaps it thinks first.",)
    values = [token.logprob for token in tokens if token.logprob is not None]
    if not values:
        return False, ("It gives no probabilities.",)
    if len(values) >= ENOUGH and not any(values):
        return False, ("It claims to be certain of every token: these are no real probabilities.",)
    return True, ()


def _continues(model: OpenAIChat, trial: Trial) -> tuple[bool, tuple[str, ...]]:
    """Whether a trailing assistant message is continued."""
    try:
        text = "".join(piece.text for piece in _ask(model, trial, Prompt("", LETTERS, STARTED)))
    except Refused:
        return False, ("It refuses a started answer.",)
    return text.startswith(GOES_ON), ()


def _changed(dialect: Dialect, **fields: object) -> Dialect:
    return dialect.model_copy(update=fields)


def _with(trial: Trial, note: str) -> tuple[str, ...]:
    return (*trial.notes, note)
