"""One call of the model, read sentence by sentence, cancellable, and entered in the ledger when it ends."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from flare_core.errors import FlareError
from flare_core.events import CallMade, Drafting, Passage, Purpose
from flare_core.ports import Prompt
from flare_core.strategies.context import Context
from flare_core.text.reader import Sentence, SentenceReader

LIVE_INTERVAL = 1 / 12
"""Seconds between two `drafting` events: more often is not seen."""


class SentenceCall:
    """A streamed call. Iterate for `Drafting` events and `Sentence`s, then take its `ledger` entry."""

    def __init__(
        self, context: Context, prompt: Prompt, phase: Literal["draft", "rewrite"], passages: tuple[Passage, ...]
    ) -> None:
        self._context = context
        self._began_with = context.number
        self._purpose = Purpose.REGENERATE if phase == "rewrite" else Purpose.DRAFT
        self.phase: Literal["draft", "rewrite"] = phase
        self._reader = SentenceReader(context.spec.lang, context.spec.draft_tokens)
        self._whole = context.drafting == "sentence"
        limit = context.spec.draft_tokens if self._whole else self._room()
        self.passages = passages
        self.entered = False
        """Whether the call is in the ledger."""
        lane = int(phase == "rewrite")
        again = phase == "rewrite" and context.retried == context.number
        self._completion = context.model.stream(prompt, max_tokens=limit, lane=lane, vary=again, cancel=context.cancel)
        self._error: str | None = None
        self.ended = False
        """Whether the model itself ended the answer, with nothing left to come."""

    def __iter__(self) -> Iterator[Drafting | Sentence]:
        return self._whole_call() if self._whole else self._streamed()

    def _streamed(self) -> Iterator[Drafting | Sentence]:
        shown = 0.0
        try:
            for piece in self._completion:
                yield from self._reader.feed(piece.text, piece.tokens)
                now = self._context.clock.now()
                if now - shown >= LIVE_INTERVAL and self._reader.pending:
                    shown = now
                    yield self._live()
        except FlareError as error:
            self._error = str(error)
            raise
        if self._completion.finish != "length":
            yield from self._reader.finish()
            self.ended = True

    def _whole_call(self) -> Iterator[Drafting | Sentence]:
        """The paper's way: the call runs to its end, the first sentence is kept, the rest thrown away."""
        sentences: list[Sentence] = []
        for piece in self._completion:
            sentences.extend(self._reader.feed(piece.text, piece.tokens))
        sentences.extend(self._reader.finish())
        self.ended = self._completion.finish != "length" and len(sentences) <= 1
        yield from sentences[:1]

    def close(self) -> None:
        """End the call; what was not read is thrown away."""
        self._completion.close()

    def ledger(self) -> CallMade:
        """The call's row in the ledger. Closes the call; asked for once."""
        self.close()
        self.entered = True
        usage = self._completion.usage
        self._context.spent.tokens += usage.generated_tokens
        return self._context.emit(
            CallMade(
                purpose=self._purpose,
                sentence=self._began_with,
                prompt_tokens=usage.prompt_tokens,
                cached_tokens=usage.cached_tokens,
                evaluated_tokens=usage.evaluated_tokens,
                generated_tokens=usage.generated_tokens,
                closed_early=usage.closed_early,
                ttft_ms=usage.ttft_ms,
                ms=usage.ms,
                error=self._error,
            )
        )

    def _room(self) -> int:
        """Tokens to ask for: the sentences still wanted, at the length where a sentence would be cut."""
        spec = self._context.spec
        wanted = max(1, spec.sentences - len(self._context.sentences)) * spec.draft_tokens
        context = self._context.model.info.capabilities.context
        return min(wanted, 2048 if context is None else max(spec.draft_tokens, context // 4))

    def _live(self) -> Drafting:
        tokens = self._reader.pending_tokens
        return self._context.emit(
            Drafting(
                sentence=self._context.number,
                phase=self.phase,
                text=self._reader.pending,
                probabilities=tuple(token.p for token in tokens),
                pieces=tuple(token.text for token in tokens),
            )
        )
