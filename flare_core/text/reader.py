"""Reads a streamed answer sentence by sentence and gives each sentence the tokens it is made of.

Tokens join to text by bytes, never by string search (DESIGN 3): a token belongs to the sentence that holds its
first non-space character. A sentence whose tokens do not join to the text is marked as not aligned.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flare_core.events import Token
from flare_core.text.sentences import SentenceStream


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence cut from a stream."""

    text: str
    """Without surrounding white space."""
    before: str
    """White space that stood before it."""
    tokens: tuple[Token, ...]
    aligned: bool
    """Whether the tokens, joined and stripped, are the text."""
    cut: bool = False
    """Whether it was cut for its length and may go on in the next one."""


class SentenceReader:
    """Feed chunks of an answer, take sentences out as soon as their ends are certain."""

    def __init__(self, lang: str = "en", max_tokens: int = 64) -> None:
        self._stream = SentenceStream(lang)
        self._lang = lang
        self._max_tokens = max_tokens
        self._base = 0
        """Characters of text that went through earlier streams (a cut starts a new one)."""
        self._text = ""
        self._taken = 0
        """Characters of text already given out."""
        self._tokens: list[Token] = []
        """Tokens not given out yet."""

    @property
    def pending(self) -> str:
        """Text of the sentence in work."""
        return self._text[self._taken :].lstrip()

    @property
    def pending_tokens(self) -> Sequence[Token]:
        """Tokens of the sentence in work."""
        return self._tokens

    def feed(self, text: str, tokens: Sequence[Token]) -> list[Sentence]:
        """The sentences that became complete with this chunk."""
        self._text += text
        self._tokens.extend(tokens)
        done = [self._take(self._base + end) for _, end in self._stream.feed(text)]
        if len(self._tokens) >= self._max_tokens and self.pending:
            done.append(self._take(len(self._text), cut=True))
            self._restart()
        return done

    def finish(self) -> list[Sentence]:
        """What is left when the answer has ended."""
        return [self._take(self._base + end) for _, end in self._stream.finish()]

    def _restart(self) -> None:
        self._stream = SentenceStream(self._lang)
        self._base = len(self._text)

    def _take(self, end: int, *, cut: bool = False) -> Sentence:
        raw = self._text[self._taken : end]
        self._taken = end
        tokens, self._tokens = split_tokens(self._tokens, raw)
        text = raw.strip()
        joined = b"".join(token.data for token in tokens).strip()
        before = raw[: len(raw) - len(raw.lstrip())]
        return Sentence(text, before, tuple(tokens), joined == text.encode("utf-8", "surrogatepass"), cut)


def split_tokens(tokens: Sequence[Token], raw: str) -> tuple[list[Token], list[Token]]:
    """Tokens of the first `raw` characters, and the rest.

    A token goes with the part in which its first non-space byte lies; one that is all white space goes with what
    follows it, as the leading space of the next sentence.
    """
    end = len(raw.encode("utf-8", "surrogatepass"))
    offset = 0
    for index, token in enumerate(tokens):
        data = token.data
        lead = len(data) - len(data.lstrip())
        first = offset + lead
        if first >= end:
            return list(tokens[:index]), list(tokens[index:])
        offset += len(data)
    return list(tokens), []
