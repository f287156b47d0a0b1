"""Reads a streamed answer sentence by sentence and gives each sentence the tokens it is made of.

Tokens join to text by bytes, never by string search (DESIGN 3): a token belongs to the sentence that holds its
first non-space character. A sentence whose tokens do not join to the text is marked as not aligned.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from flare_core.events import Token
from flare_core.text.sentences import SentenceStream, split


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
        self._size = 0
        """Bytes of that text."""
        self._taken = 0
        """Characters of text already given out."""
        self._taken_size = 0
        """Bytes of that text."""
        self._tokens: list[tuple[int, Token]] = []
        """Tokens not given out yet, each with the byte of the text where it begins."""
        self._spelled = 0
        """The byte where the last token ends."""
        self._bare = 0
        """Chunks without tokens since the last sentence."""

    @property
    def pending(self) -> str:
        """Text of the sentence in work."""
        return self._text[self._taken :].lstrip()

    @property
    def pending_tokens(self) -> Sequence[Token]:
        """Tokens of the sentence in work."""
        return [token for _, token in self._tokens]

    def feed(self, text: str, tokens: Sequence[Token]) -> list[Sentence]:
        """The sentences that became complete with this chunk."""
        self._place(text, tokens)
        self._text += text
        self._bare += not tokens
        done = [self._take(self._base + end) for _, end in self._stream.feed(text)]
        if max(len(self._tokens), self._bare) >= self._max_tokens and self.pending:
            done += self._cut()
        return done

    def finish(self, *, cut: bool = False) -> list[Sentence]:
        """What is left when the answer has ended; with `cut`, its last sentence may go on."""
        ends = [self._base + end for _, end in self._stream.finish()]
        return [self._take(end, cut=cut and end == ends[-1]) for end in ends]

    def _place(self, text: str, tokens: Sequence[Token]) -> None:
        """Find where the tokens begin: with their chunk, or, where they do not spell it, after the tokens before.

        Tokens may run ahead of the text by a part of a character; by more they have lost their way.
        """
        data = _encode(text)
        ahead = self._spelled - self._size
        if b"".join([token.data for token in tokens]) == data or not 0 <= ahead < 4:
            self._spelled = self._size
        for token in tokens:
            self._tokens.append((self._spelled, token))
            self._spelled += len(token.data)
        self._size += len(data)

    def _cut(self) -> list[Sentence]:
        """The look-ahead is used up: what is a sentence by now is given out, else all there is, as a part of one."""
        start = self._taken
        ends = [start + end for _, end in split(self._text[start:], self._lang)]
        done = [self._take(end) for end in ends[:-1]] or [self._take(ends[0], cut=True)]
        self._stream, self._base = SentenceStream(self._lang), self._taken
        return done + [self._take(self._base + end) for _, end in self._stream.feed(self._text[self._base :])]

    def _take(self, end: int, *, cut: bool = False) -> Sentence:
        raw = self._text[self._taken : end]
        self._taken = end
        self._taken_size += len(_encode(raw))
        self._bare = 0
        count = sum(1 for _ in takewhile(self._was_given_out, self._tokens))
        tokens = tuple(token for _, token in self._tokens[:count])
        del self._tokens[:count]
        text = raw.strip()
        before = raw[: len(raw) - len(raw.lstrip())]
        return Sentence(text, before, tokens, _spell(tokens, text), cut)

    def _was_given_out(self, placed: tuple[int, Token]) -> bool:
        """Whether the token's first non-space byte was. A sentence ends in one, so that is where the token begins."""
        return placed[0] < self._taken_size


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _spell(tokens: Sequence[Token], text: str) -> bool:
    """Whether the tokens, joined and stripped, are the text."""
    try:
        return b"".join(token.data for token in tokens).decode("utf-8", "surrogatepass").strip() == text
    except UnicodeDecodeError:
        return False
