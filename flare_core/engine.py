"""The engine: a spec and a few ports go in, the events of a run come out."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Literal

from flare_core import __version__
from flare_core.errors import FlareError, ModelError, Stopped
from flare_core.events import AnyEvent, RunEnded, RunStarted, Status
from flare_core.lm.choice import open_model
from flare_core.ports import Cancel, Clock, LanguageModel, Never, Source
from flare_core.prompts import version
from flare_core.sources.choice import open_sources
from flare_core.spec import RunSpec
from flare_core.strategies.baselines import none, single
from flare_core.strategies.context import Context, Emitter, Ending, SystemClock
from flare_core.strategies.direct import direct

Strategy = Callable[[Context], Generator[AnyEvent, None, Ending]]

STRATEGIES: dict[str, Strategy] = {"direct": direct, "single": single, "none": none}
PROMPTS = ("write", "write_with_passages", "question", "extract")


def run(
    spec: RunSpec,
    cancel: Cancel | None = None,
    *,
    model: LanguageModel | None = None,
    sources: Sequence[Source] | None = None,
    clock: Clock | None = None,
    drafting: Literal["stream", "sentence"] = "stream",
) -> Iterator[AnyEvent]:
    """The events of a run, as they happen. Expected failures are its last event, never an exception.

    Ports that are not given are opened from the spec and closed at the end. `drafting="sentence"` makes one call
    for each draft and each rewrite, as the paper does; under greedy decoding it gives the same report.
    """
    clock = clock or SystemClock()
    emit = Emitter(clock)
    opened: list[LanguageModel | Source] = []
    try:
        if model is None:
            model = open_model(spec.lm, spec.model)
            opened.append(model)
        if sources is None:
            sources = open_sources(spec)
            opened.extend(sources)
        context = Context(spec, model, sources, clock, emit, cancel or Never(), drafting)
        yield from _write(context)
    except FlareError as error:
        yield emit(
            RunEnded(status=Status.FAILED, reason="error", message=Exception.__str__(error), remedy=error.remedy)
        )
    finally:
        for port in opened:
            port.close()


def _write(context: Context) -> Iterator[AnyEvent]:
    """Start, strategy, end; whatever stops it, the call in flight is entered in the ledger."""
    context.started_at = context.clock.now()
    yield context.emit(_started(context))
    try:
        _check(context)
        ending = yield from STRATEGIES[context.spec.strategy](context)
    except Stopped:
        yield from _last_call(context)
        message = f"Stopped after {len(context.sentences)} sentences; everything written is kept."
        yield context.emit(RunEnded(status=Status.STOPPED, reason="user", message=message))
    except FlareError as error:
        yield from _last_call(context)
        yield context.emit(
            RunEnded(status=Status.FAILED, reason="error", message=Exception.__str__(error), remedy=error.remedy)
        )
    else:
        yield context.emit(RunEnded(status=ending.status, reason=ending.reason, message=ending.message))


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
    if context.call is not None:
        yield context.call.ledger()
