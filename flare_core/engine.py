"""The engine: a spec and a few ports go in, the events of a run come out."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack
from typing import Literal

from flare_core import __version__
from flare_core.errors import FlareError, ModelError, Stopped
from flare_core.events import AnyEvent, RunEnded, RunStarted, Status
from flare_core.lm.choice import open_model
from flare_core.ports import Cancel, Clock, LanguageModel, Never, Source
from flare_core.prompts import go_on, version
from flare_core.sources.choice import open_sources
from flare_core.spec import RunSpec
from flare_core.strategies.baselines import none, single
from flare_core.strategies.context import Context, Emitter, Ending, SystemClock
from flare_core.strategies.direct import direct
from flare_core.waiting import wait_for

Strategy = Callable[[Context], Generator[AnyEvent, None, Ending]]

STRATEGIES: dict[str, Strategy] = {"direct": direct, "single": single, "none": none}
WEAK = "SmolLM2-135M"
"""The model that comes with Flare, for the time when there is no other."""
PROMPTS = ("write", "write_with_passages", "continue", "question", "extract")


def open_ports(
    spec: RunSpec, cancel: Cancel, *, env: Mapping[str, str] = os.environ, stack: ExitStack
) -> tuple[LanguageModel, list[Source]]:
    """The model and the sources that the spec names; `stack` closes them.

    Raises FlareError where that fails, Stopped where it is cancelled meanwhile.
    """
    return _open_model(spec, cancel, env, stack), _open_sources(spec, stack)


def _open_model(spec: RunSpec, cancel: Cancel, env: Mapping[str, str], stack: ExitStack) -> LanguageModel:
    def opening() -> LanguageModel:
        return open_model(spec.lm, spec.model, env=env, continue_with=go_on)

    model = wait_for(opening, cancel, lambda late: late.close())
    stack.callback(model.close)
    return model


def _open_sources(spec: RunSpec, stack: ExitStack) -> list[Source]:
    sources = open_sources(spec)
    for source in sources:
        stack.callback(source.close)
    return sources


def run(
    spec: RunSpec,
    cancel: Cancel | None = None,
    *,
    model: LanguageModel | None = None,
    sources: Sequence[Source] | None = None,
    clock: Clock | None = None,
    drafting: Literal["stream", "sentence"] = "stream",
    env: Mapping[str, str] = os.environ,
) -> Iterator[AnyEvent]:
    """The events of a run, as they happen. Expected failures are its last event, never an exception.

    Ports that are not given are opened from the spec and closed at the end. `drafting="sentence"` makes one call
    for each draft and each rewrite, as the paper does; under greedy decoding it gives the same report. `env` is where
    OPENAI_API_KEY and OPENAI_BASE_URL are looked up.
    """
    clock, cancel = clock or SystemClock(), cancel or Never()
    emit = Emitter(clock)
    with ExitStack() as stack:
        try:
            model = _open_model(spec, cancel, env, stack) if model is None else model
            sources = _open_sources(spec, stack) if sources is None else sources
        except Stopped:
            yield emit(RunEnded(status=Status.STOPPED, reason="user", message="Stopped before anything was written."))
        except FlareError as error:
            yield emit(_failed(error))
        else:
            yield from _write(Context(spec, model, sources, clock, emit, cancel, drafting))


def _write(context: Context) -> Iterator[AnyEvent]:
    """Start, strategy, end; whatever stops it, the call in flight is entered in the ledger."""
    context.started_at = context.clock.now()
    yield context.emit(_started(context))
    try:
        _check(context)
        if context.model.info.name.startswith(WEAK):
            yield from context.warn(
                "weak_model",
                f"The embedded model {context.model.info.name} is very small: expect wrong statements.",
                "It shows how the method works. For a report to use, name a larger model.",
            )
        ending = yield from STRATEGIES[context.spec.strategy](context)
    except Stopped:
        yield from _last_call(context)
        written = f"{len(context.sentences)} sentence{'' if len(context.sentences) == 1 else 's'}"
        message = f"Stopped after {written}; everything written is kept."
        yield context.emit(RunEnded(status=Status.STOPPED, reason="user", message=message))
    except FlareError as error:
        yield from _last_call(context)
        yield context.emit(_failed(error))
    else:
        yield context.emit(RunEnded(status=ending.status, reason=ending.reason, message=ending.message))
    finally:
        if context.call is not None:
            context.call.close()


def _failed(error: FlareError) -> RunEnded:
    return RunEnded(status=Status.FAILED, reason="error", message=error.message, remedy=error.remedy)


def _started(context: Context) -> RunStarted:
    return RunStarted(
        flare_version=__version__,
        spec=context.spec,
        model=context.model.info,
        sources=tuple(source.name for source in context.sources),
        attributions=tuple(source.attribution for source in context.sources if source.attribution),
        prompts=tuple(version(name) for name in PROMPTS),
    )


def _check(context: Context) -> None:
    """Refuse what cannot work, before anything is spent."""
    spec, found = context.spec, context.model.info.capabilities
    if spec.strategy == "direct" and spec.theta not in ("always", "never") and found.logprobs is False:
        raise ModelError(
            f"The model {context.model.info.name} gives no token probabilities, so a threshold θ cannot decide.",
            "Set θ to always (retrieve for every sentence) or to never, or choose another model.",
        )


def _last_call(context: Context) -> Iterator[AnyEvent]:
    if context.call is not None and not context.call.entered:
        yield context.call.ledger()
