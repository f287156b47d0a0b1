"""One call of the model, cancellable, and entered in the ledger when it ends; read whole or sentence by sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal

from flare_core.errors import FlareError
from flare_core.events import CallMade, Drafting, Passage, Purpose, Token
from flare_core.ports import Piece, Prompt
from flare_core.strategies.context import Context
from flare_core.text.printable import whole
from flare_core.text.reader import Sentence, SentenceReader

LIVE_INTERVAL = 1 / 12
"""Seconds between two `drafting` events: more often is not seen."""


class Call:
    """A streamed call. Iterate over its `pieces`, then take its `ledger` entry."""

    def __init__(
        self,
        context: Context,
        prompt: Prompt,
        purpose: Purpose,
        *,
        max_tokens: int,
        stop: Sequence[str] = (),
        lane: int = 0,
        vary: bool = False,
    ) -> None:
        self._context = context
        self._purpose = purpose
        self._began_with = context.number
        self._completion = context.model.stream(
            prompt, max_tokens=max_tokens, stop=stop, lane=lane, vary=vary, cancel=context.cancel
        )
        self._error: str | None = None
        self.entered = False
        """Whether the call is in the ledger."""

    def pieces(self) -> Iterator[Piece]:
        """What the model says."""
        try:
            yield from map(_whole, self._completion)
        except FlareError as error:
            self._error = str(error)
            raise

    @property
    def owed(self) -> int:
        """Tokens that are not in the ledger yet."""
        return 0 if self.entered else self._completion.usage.generated_tokens

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


class SentenceCall(Call):
    """A call that writes on in the report. Iterate for `Drafting` events and `Sentence`s."""

    def __init__(
        self, context: Context, prompt: Prompt, phase: Literal["draft", "rewrite"], passages: tuple[Passage, ...]
    ) -> None:
        self.phase: Literal["draft", "rewrite"] = phase
        self.passages = passages
        self.ended = False
        """Whether the model itself ended the answer, with nothing left to come."""
        self._reader = SentenceReader(context.spec.lang, context.spec.draft_tokens)
        self._whole = context.drafting == "sentence"
        rewrites = phase == "rewrite"
        super().__init__(
            context,
            prompt,
            Purpose.REGENERATE if rewrites else Purpose.DRAFT,
            max_tokens=context.spec.draft_tokens if self._whole else room(context),
            lane=int(rewrites),
            vary=rewrites and context.retried == context.number,
        )

    def __iter__(self) -> Iterator[Drafting | Sentence]:
        return self._whole_call() if self._whole else self._streamed()

    def _streamed(self) -> Iterator[Drafting | Sentence]:
        """Each sentence as soon as text follows it or the answer ends: the last one must be known to be the last."""
        shown, given = 0.0, 0
        held: list[Sentence] = []
        for piece in self.pieces():
            held += self._reader.feed(piece.text, piece.tokens)
            if held and self._reader.pending:
                given += len(held)
                yield from held
                held = []
            now = self._context.clock.now()
            if now - shown >= LIVE_INTERVAL and self._reader.pending:
                shown = now
                yield self._live()
        held += self._left(given + len(held))
        over = self._completion.finish != "length"
        for place, sentence in enumerate(held, 1):
            self.ended = over and place == len(held)
            yield sentence
        self.ended = over

    def _whole_call(self) -> Iterator[Drafting | Sentence]:
        """The paper's way: the call runs to its end, the first sentence is kept, the rest thrown away."""
        sentences: list[Sentence] = []
        for piece in self.pieces():
            sentences += self._reader.feed(piece.text, piece.tokens)
        sentences += self._left(len(sentences))
        self.ended = self._completion.finish != "length" and len(sentences) <= 1
        yield from sentences[:1]

    def _left(self, given: int) -> list[Sentence]:
        """What is left at the end of the answer; of one that ran out of room only where it gave no sentence yet."""
        cut = self._completion.finish == "length"
        return [] if cut and given else self._reader.finish(cut=cut)

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


def _whole(piece: Piece) -> Piece:
    """The piece without halves of surrogate pairs: a server can send them, but no log can hold them."""
    text, tokens = whole(piece.text), tuple(map(_whole_token, piece.tokens))
    return piece if text is piece.text and tokens == piece.tokens else Piece(text, tokens)


def _whole_token(token: Token) -> Token:
    text = whole(token.text)
    if text is token.text and all(whole(other.text) is other.text for other in token.top):
        return token
    return replace(token, text=text, top=tuple(replace(other, text=whole(other.text)) for other in token.top))


def room(context: Context) -> int:
    """Tokens to ask for: the sentences still wanted, at the length where a sentence would be cut."""
    spec = context.spec
    wanted = max(1, spec.sentences - len(context.sentences)) * spec.draft_tokens
    size = context.model.info.capabilities.context
    return min(wanted, 2048 if size is None else max(spec.draft_tokens, size // 4))
