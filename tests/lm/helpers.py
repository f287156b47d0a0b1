"""Short ways to ask a model in tests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flare_core.events import Token
from flare_core.ports import LanguageModel, Never, Piece, Prompt, Usage

TELL = Prompt("You write reports.", "Tell me of Paris.")


@dataclass(frozen=True)
class Answer:
    pieces: list[Piece]
    usage: Usage
    finish: str | None

    @property
    def text(self) -> str:
        return "".join(piece.text for piece in self.pieces)

    @property
    def tokens(self) -> list[Token]:
        return [token for piece in self.pieces for token in piece.tokens]

    @property
    def spelled(self) -> str:
        """The text that the tokens join to."""
        return b"".join(token.data for token in self.tokens).decode("utf-8", "surrogatepass")


def ask(model: LanguageModel, prompt: Prompt = TELL, *, max_tokens: int = 64, **settings: Any) -> Answer:
    """The whole answer; the model stays open."""
    completion = model.stream(prompt, max_tokens=max_tokens, **{"cancel": Never(), **settings})
    return Answer(list(completion), completion.usage, completion.finish)
