"""Short ways to write down the log of a run by hand."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from flare_core.events import (
    Alternative,
    AnyEvent,
    CallMade,
    Decided,
    Drafting,
    Evidence,
    Outcome,
    PageRead,
    PageReport,
    Passage,
    PassagesRanked,
    QueryFormed,
    QueryKind,
    RankedPassage,
    Searched,
    SearchReport,
    SentenceAccepted,
    SentenceDrafted,
    SentenceRewritten,
    Token,
)
from tests.app.sample_passages import STARTED

THETA, BETA = 0.6, 0.4


def say(text: str) -> tuple[Token, ...]:
    """Tokens from a text in which `[Kraków .21 Warsaw .19]` is a token with its probability and an alternative.

    A probability of `?` is unknown. All other words are sure.
    """
    tokens: list[Token] = []
    for space, inside, word in re.findall(r"(\s*)(?:\[(.*?)\]|([^\s\[]+))", text):
        if inside:
            parts = inside.split()
            top = [
                Alternative(space + written, None if p == "?" else math.log(float(p)))
                for written, p in zip(parts[::2], parts[1::2], strict=True)
            ]
            tokens.append(Token(top[0].text, top[0].logprob, tuple(top) if len(top) > 1 else ()))
        else:
            p = math.log(0.93 + (len(tokens) * 37 % 70) / 1000)
            tokens.append(Token(space + word, p, (Alternative(space + word, p), Alternative(" the", -4.1))))
    return tuple(tokens)


@dataclass
class Writer:
    """Numbers and dates the events of the log."""

    seq: Iterator[int] = field(default_factory=lambda: count(1))
    at: float = STARTED

    def log(self, event: AnyEvent, seconds: float = 0.2) -> AnyEvent:
        self.at += seconds
        return event.model_copy(update={"seq": next(self.seq), "at": self.at})

    def drafting(self, n: int, tokens: tuple[Token, ...], phase: str = "draft") -> Iterator[AnyEvent]:
        for end in range(1, len(tokens) + 1):
            self.at += 0.05
            written = tokens[:end]
            yield Drafting(
                sentence=n,
                phase=phase,
                text="".join(t.text for t in written).lstrip(),
                at=self.at,  # type: ignore[arg-type]
                pieces=tuple(t.text for t in written),
                probabilities=tuple(t.p for t in written),
            )

    def draft(
        self, n: int, tokens: tuple[Token, ...], passages: tuple[str, ...] = (), attempt: int = 1
    ) -> Iterator[AnyEvent]:
        yield from self.drafting(n, tokens)
        text = "".join(t.data.decode("utf-8", "replace") if t.raw is None else "" for t in tokens).strip()
        if any(t.raw for t in tokens):
            text = b"".join(t.data for t in tokens).decode().strip()
        yield self.log(
            SentenceDrafted(sentence=n, attempt=attempt, text=text, tokens=tokens, aligned=True, passages=passages)
        )
        known = [t.p for t in tokens if t.p is not None]
        below = tuple(i for i, t in enumerate(tokens) if t.p is not None and t.p < THETA)
        words = ", ".join(f"“{tokens[i].text.strip()}” ({tokens[i].p:.2f})" for i in below)
        rule = (
            f"{len(below)} of {len(known)} tokens are less likely than θ = {THETA:.2f}: {words}."
            if below
            else f"No token is less likely than θ = {THETA:.2f}; the least likely has {min(known):.2f}."
        )
        yield self.log(
            Decided(
                sentence=n,
                attempt=attempt,
                verdict="uncertain" if below else "confident",
                retrieve=bool(below),
                rule=rule,
                theta=THETA,
                beta=BETA,
                lowest=min(known),
                below=below,
                unknown=len(tokens) - len(known),
            )
        )

    def call(self, n: int, purpose: str, prompt: int, generated: int, closed: bool = False) -> AnyEvent:
        return self.log(
            CallMade(
                purpose=purpose,
                sentence=n,
                prompt_tokens=prompt,
                cached_tokens=prompt // 2,  # type: ignore[arg-type]
                evaluated_tokens=prompt - prompt // 2,
                generated_tokens=generated,
                closed_early=closed,
                ttft_ms=210,
                ms=1840,
            )
        )

    def rewrite(self, n: int, tokens: tuple[Token, ...], passages: tuple[str, ...]) -> Iterator[AnyEvent]:
        yield from self.drafting(n, tokens, "rewrite")
        text = "".join(t.text for t in tokens).strip()
        yield self.log(SentenceRewritten(sentence=n, text=text, tokens=tokens, aligned=True, passages=passages))

    def accept(self, n: int, text: str, before: str, outcome: str, *evidence: Evidence) -> AnyEvent:
        origin = "rewrite" if outcome == "retrieved" else "draft"
        return self.log(
            SentenceAccepted(
                sentence=n, text=text, before=before, origin=origin, outcome=Outcome(outcome), evidence=evidence
            )
        )

    def query(self, n: int, name: str, kind: str, text: str, **more: Any) -> AnyEvent:
        return self.log(QueryFormed(sentence=n, query_id=name, kind=QueryKind(kind), text=text, **more))

    def searched(self, n: int, query_id: str, query: str, outcome: str = "ok", hits: int = 10, **more: Any) -> AnyEvent:
        report = {"source": "encyclopedia", "backend": "offline encyclopedia", "ms": 38.0, **more}
        return self.log(
            Searched(
                sentence=n,
                query_id=query_id,
                search=SearchReport(query=query, outcome=outcome, hits=hits, **report),  # type: ignore[arg-type]
            )
        )

    def page(self, n: int, query_id: str, url: str, outcome: str = "read", **more: Any) -> AnyEvent:
        report = PageReport(url=url, final_url=url, outcome=outcome, ms=420.0, **more)  # type: ignore[arg-type]
        return self.log(PageRead(sentence=n, query_id=query_id, page=report))

    def ranked(self, n: int, query_id: str, considered: int, *rows: tuple[Passage, float, str]) -> AnyEvent:
        ranked = tuple(
            RankedPassage(passage=p, score=score, rank=i, query_id=query_id, kept=not why, why=why)
            for i, (p, score, why) in enumerate(rows, 1)
        )
        return self.log(PassagesRanked(sentence=n, considered=considered, ranked=ranked))


def evidence(passage: Passage, words: str, coverage: float) -> Evidence:
    start = passage.text.index(words)
    return Evidence(passage_id=passage.id, coverage=coverage, span=(start, start + len(words)))
