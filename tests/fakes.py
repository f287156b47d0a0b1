"""Ports made of scripts, in memory: a model, a source, a clock. No network, no threads, no time.

    model = FakeModel(lambda asked: toks("Marie was born in 1867{.1}. She left."))
    source = FakeSource({"marie": [passage("P1", "Marie was born in Warsaw.")]})
    events = list(run(spec, model=model, sources=[source], clock=FakeClock()))
    model.asked[0].passages      # what the first call was shown

A *token* is text, or (text or bytes, probability); the probability None is unknown. A scripted answer may hold other
things between its tokens: an exception is raised, anything callable is called (to cancel, to let time pass).
"""

from __future__ import annotations

import codecs
import itertools
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from flare_core.errors import Stopped
from flare_core.events import Capabilities, ModelInfo, Passage, SearchOutcome, SearchReport, Token
from flare_core.ports import Cancel, Found, Piece, Prompt, Usage

Tok = str | tuple[str | bytes, float | None]
Said = Iterable[Tok | Token | BaseException | Callable[[], object]]

SURE = 0.9
"""Probability of a token of which nothing else is said."""
ALL = Capabilities(logprobs=True, top_logprobs=5, streaming=True, continues=True, context=4096)
_MARKED = re.compile(r"(\s*(?:\w+|[^\w\s{]))(?:\{(\.\d+|\?|1|0)\})?")


def tok(text: str | bytes, p: float | None = SURE) -> Token:
    """A token; bytes that are no whole character are kept as `raw`."""
    logprob = None if p is None else math.log(p) if p else -math.inf
    if isinstance(text, str):
        return Token(text, logprob)
    shown = text.decode("utf-8", "replace")
    return Token(shown, logprob, raw=None if shown.encode() == text else tuple(text))


def toks(marked: str) -> list[Tok]:
    """Words and marks as tokens, each with the probability in braces behind it: `born in 1867{.1}`; `{?}` unknown."""
    found = [(m[1], SURE if m[2] is None else None if m[2] == "?" else float(m[2])) for m in _MARKED.finditer(marked)]
    assert "".join(text for text, _ in found) == plain(marked).rstrip(), marked
    return list(found)


def plain(marked: str) -> str:
    """The text without the probabilities."""
    return re.sub(r"\{(?:\.\d+|\?|1|0)\}", "", marked)


def tokens(marked: str) -> tuple[Token, ...]:
    """As `toks`, as the engine sees them."""
    return tuple(tok(*t) if isinstance(t, tuple) else tok(t) for t in toks(marked))


def passage(id: str, text: str = "", url: str = "", **more: Any) -> Passage:
    """A passage of its own page."""
    values = {"title": f"Title of {id}", "host": "example.org", "source": "fake", "retrieved_at": 0.0, **more}
    return Passage(id=id, text=text or f"Passage {id}.", url=url or f"https://example.org/{id}", **values)


@dataclass
class FakeClock:
    """Stands still unless told otherwise."""

    t: float = 1000.0

    def now(self) -> float:
        return self.t

    def forward(self, seconds: float) -> None:
        self.t += seconds


@dataclass
class FakeCompletion:
    """Implements `ports.Completion`."""

    said: Iterator[Any]
    max_tokens: int
    cancel: Cancel
    per_piece: int
    with_tokens: bool
    usage: Usage = field(default_factory=Usage)
    finish: str | None = None
    closed: bool = False

    def __iter__(self) -> Iterator[Piece]:
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        held: list[Token] = []
        text = ""
        while not self.closed:
            if self.cancel.is_set():
                self.close()
                raise Stopped
            if self.usage.generated_tokens >= self.max_tokens:
                self.finish = "length"
                break
            item = next(self.said, None)
            if item is None:
                self.finish = "stop"
                break
            if isinstance(item, BaseException):
                self.closed = True
                raise item
            if callable(item):
                item()
                continue
            token = item if isinstance(item, Token) else tok(*item) if isinstance(item, tuple) else tok(item)
            self.usage.generated_tokens += 1
            held.append(token)
            text += token.text if token.raw is None else decoder.decode(token.data)
            if text and len(held) >= self.per_piece:
                yield self._piece(text, held)
                text, held = "", []
        if text and self.finish is not None:
            yield self._piece(text, held)

    def _piece(self, text: str, held: list[Token]) -> Piece:
        return Piece(text, tuple(held) if self.with_tokens else ())

    def close(self) -> None:
        if not self.closed:
            self.closed = True
            self.usage.closed_early = self.finish is None


@dataclass(frozen=True)
class Asked:
    """One call, as the scripted model sees it."""

    number: int
    prompt: Prompt
    max_tokens: int
    lane: int
    vary: bool
    completion: FakeCompletion

    @property
    def passages(self) -> list[str]:
        """The passages in the prompt, one a line."""
        return re.findall(r"^- (.*)", self.prompt.user, re.M)

    @property
    def generated(self) -> int:
        return self.completion.usage.generated_tokens


class FakeModel:
    """Says what a function of the call says. With a list, one answer a call."""

    def __init__(
        self,
        script: Callable[[Asked], Said] | Sequence[Said],
        *,
        capabilities: Capabilities = ALL,
        per_piece: int = 1,
        with_tokens: bool = True,
    ) -> None:
        self.info = ModelInfo(name="fake", kind="endpoint", base_url="http://fake", capabilities=capabilities)
        self.script, self.per_piece, self.with_tokens = script, per_piece, with_tokens
        self.asked: list[Asked] = []
        self.closed = False

    def stream(
        self, prompt: Prompt, *, max_tokens: int, stop: Sequence[str] = (), lane: int = 0, vary: bool = False,
        cancel: Cancel,
    ) -> FakeCompletion:  # fmt: skip
        usage = Usage(prompt_tokens=len(f"{prompt.user} {prompt.started}".split()))
        completion = FakeCompletion(iter(()), max_tokens, cancel, self.per_piece, self.with_tokens, usage)
        asked = Asked(len(self.asked) + 1, prompt, max_tokens, lane, vary, completion)
        self.asked.append(asked)
        if callable(self.script):
            completion.said = iter(self.script(asked))
        else:
            answer = self.script[asked.number - 1] if asked.number <= len(self.script) else ()
            completion.said = iter(answer)
        return completion

    def close(self) -> None:
        self.closed = True


def author(story: Callable[[int, list[str]], str], *, end: int | None = None) -> Callable[[Asked], Said]:
    """A greedy writer: `story(n, passages)` is sentence n (from 1), marked as for `toks`, its only full stop last.

    It goes on exactly after the report so far, as decoding at temperature 0 would; it stops after sentence `end`, and
    where the story is empty.
    """

    def say(asked: Asked) -> Iterator[Tok]:
        first = asked.prompt.started.count(".") + 1
        for n in itertools.count(first) if end is None else range(first, end + 1):
            space = " " if n > 1 and (n > first or not asked.prompt.started.endswith("\n")) else ""
            sentence = story(n, asked.passages)
            if not sentence:
                return
            yield from toks(space + sentence)

    return say


Findings = Sequence[Passage] | SearchOutcome | BaseException


class FakeSource:
    """Finds what a function of the query, or a table of words in it, says; nothing for other queries."""

    def __init__(
        self,
        found: Mapping[str, Findings] | Callable[[str], Findings] | None = None,
        name: str = "fake",
        credit: str = "",
    ) -> None:
        self.found, self.name, self.attribution = found or {}, name, credit
        self.queries: list[str] = []
        self.closed = False

    def find(self, query: str, *, k: int, lang: str, cancel: Cancel) -> Found:
        if cancel.is_set():
            raise Stopped
        self.queries.append(query)
        findings = self._findings(query)
        if isinstance(findings, BaseException):
            raise findings
        passages = () if isinstance(findings, SearchOutcome) else tuple(findings)
        outcome = SearchOutcome.OK if passages else SearchOutcome.EMPTY
        if isinstance(findings, SearchOutcome):
            outcome = findings
        report = SearchReport(
            source=self.name, backend="fake", query=query, outcome=outcome, hits=len(passages), ms=1.0, detail="why"
        )
        ranked = tuple((p, float(-rank)) for rank, p in enumerate(passages[:k]))
        return Found((report,), (), ranked, len(passages))

    def _findings(self, query: str) -> Findings:
        if callable(self.found):
            return self.found(query)
        return next((found for word, found in self.found.items() if word in query.lower()), ())

    def close(self) -> None:
        self.closed = True
