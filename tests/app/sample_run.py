"""A run made by hand: five sentences about Marie Curie, with everything a screen must cope with.

One sentence is confident, three retrieve, one finds nothing; tokens have alternatives, some have no probability,
one character is split between tokens, and the pages hold hostile text, Chinese, Arabic and emoji.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from typing import Any

from flare_core.errors import Stopped
from flare_core.events import (
    AnyEvent,
    Capabilities,
    ModelInfo,
    QueryFormed,
    RunEnded,
    RunStarted,
    SentenceAccepted,
    SentenceRejected,
    Span,
    Token,
    Warned,
)
from flare_core.ports import Cancel
from flare_core.spec import make_spec
from tests.app.sample_log import BETA, THETA, Writer, evidence, say
from tests.app.sample_passages import ARABIC, CHINESE, HOSTILE_PAGE, NOBEL, POLISH, STARTED, WIKI


def sample(topic: str = "Marie Curie", with_end: bool = True) -> Iterator[AnyEvent]:
    """All events of the run in their order, the short-lived `Drafting` ones included (they have seq 0)."""
    w = Writer()
    yield w.log(
        RunStarted(
            flare_version="1.0",
            spec=make_spec(topic, sources=("encyclopedia", "web"), theta=THETA, beta=BETA, sentences=5),
            model=ModelInfo(
                name="SmolLM2-135M-Instruct",
                kind="embedded",
                base_url="embedded",
                slots=2,
                capabilities=Capabilities(logprobs=True, top_logprobs=5, streaming=True, continues=True, context=8192),
            ),
            sources=("encyclopedia", "web"),
            attributions=("Wikipedia contributors, CC BY-SA 4.0",),
        )
    )
    yield w.log(
        Warned(
            code="weak_model",
            message="The embedded model SmolLM2-135M is weak: expect wrong statements.",
            remedy="Name a model server under Options to get better text.",
        )
    )
    yield from _topic(w, topic)
    yield from _confident(w)
    yield from _supported(w)
    yield from _unsupported(w)
    yield from _no_hits(w)
    yield from _questions(w)
    if with_end:
        yield w.log(RunEnded(status="complete", reason="sentences", message="All 5 sentences are written."), 0.4)  # type: ignore[arg-type]


def _topic(w: Writer, topic: str) -> Iterator[AnyEvent]:
    yield w.query(0, "q1", "input", topic)
    yield w.searched(0, "q1", topic, hits=8)
    yield w.ranked(0, "q1", 14, (WIKI, 11.2, ""), (ARABIC, 6.1, ""), (POLISH, 0.9, "below rank k = 2"))


def _confident(w: Writer) -> Iterator[AnyEvent]:
    tokens = say(
        "Marie Curie was a [Polish .88 French .07 physicist .02] and [naturalised .71 French .22][-French .97]"
        " physicist and chemist [who .66 known .2] studied radioactivity."
    )
    yield from w.draft(1, tokens, (WIKI.id, ARABIC.id))
    yield w.accept(
        1,
        "Marie Curie was a Polish and naturalised-French physicist and chemist who studied radioactivity.",
        "",
        "confident",
    )


def _supported(w: Writer) -> Iterator[AnyEvent]:
    tokens = say(
        " She was born in [Kraków .21 Warsaw .19 Paris .12 Poland .11 the .04] on [7 .64 the .1] [November .83]"
        " [186 .55 187 .3][9 .31 7 .28 8 .12][, .97] [the ?] [youngest .48 daughter .31 fifth .09] of five children."
    )
    yield from w.draft(2, tokens, (WIKI.id,))
    yield w.call(2, "draft", 412, 42, closed=True)
    query = "She was born in on 7 November , the youngest of five children."
    yield w.query(2, "q2", "masked", query, masked=(4, 8, 9))  # type: ignore[arg-type]
    yield w.searched(2, "q2", query, hits=6)
    yield w.searched(
        2,
        "q2",
        query,
        "rate_limited",
        0,
        source="web",
        backend="duckduckgo",
        detail="HTTP 202: asked to wait 40 s",
        ms=1210.0,
    )
    yield w.searched(2, "q2", query, "ok", 5, source="web", backend="brave", ms=640.0)
    yield w.page(
        2,
        "q2",
        NOBEL.url,
        status=200,
        bytes=81_233,
        content_type="text/html",
        extractor="trafilatura",
        title=NOBEL.title,
        chars=9_120,
        passages=11,
    )
    yield w.page(2, "q2", "https://paywalled.example/curie", "blocked", status=403, detail="the server refused (403)")
    yield w.page(2, "q2", POLISH.url, status=200, bytes=12_000, content_type="text/html", chars=400, passages=1)
    yield w.ranked(2, "q2", 31, (WIKI, 14.83, ""), (NOBEL, 13.97, ""), (POLISH, 2.2, "below rank k = 2"))
    rewritten = say(
        " She was born in [Warsaw .97 Kraków .01] on 7 November [186 .98][7 .99][, .98] [the .8] [daughter .77]"
        " of a secondary-school teacher."
    )
    yield from w.rewrite(2, rewritten, (WIKI.id, NOBEL.id))
    yield w.call(2, "regenerate", 874, 19)
    yield w.accept(
        2,
        "She was born in Warsaw on 7 November 1867, the daughter of a secondary-school teacher.",
        " ",
        "retrieved",
        evidence(NOBEL, "born in Warsaw on November 7, 1867, the daughter of a secondary-school teacher", 1.0),
        evidence(WIKI, "born in Warsaw, in what was then the Kingdom of Poland, on 7 November 1867", 0.75),
    )


def _unsupported(w: Writer) -> Iterator[AnyEvent]:
    repeated = say(" She was born in Warsaw on 7 November 1867.")
    yield from w.drafting(3, repeated)
    yield w.log(
        SentenceRejected(sentence=3, text="She was born in Warsaw on 7 November 1867.", repeats=2, similarity=0.91)
    )
    tokens = say(" In [1891 .58 1903 .2] she moved to Paris and [enrolled .52 studied .3] at the [Sorbonne .91].")
    yield from w.draft(3, tokens, attempt=2)
    query = "In she moved to Paris and at the Sorbonne"
    yield w.log(
        QueryFormed(
            sentence=3,
            query_id="q3",
            kind="sentence",
            text=query,  # type: ignore[arg-type]
            note="Masking would have left too little, so the sentence itself was asked.",
        )
    )
    yield w.searched(3, "q3", query, hits=2)
    yield w.ranked(3, "q3", 4, (ARABIC, 3.4, ""), (CHINESE, 3.1, ""))
    yield from w.rewrite(3, say(" In 1891 she moved to Paris and studied at the Sorbonne."), (ARABIC.id, CHINESE.id))
    yield w.call(3, "regenerate", 702, 14)
    yield w.accept(3, "In 1891 she moved to Paris and studied at the Sorbonne.", " ", "retrieved")


def _no_hits(w: Writer) -> Iterator[AnyEvent]:
    tokens = say("\n\nHer sister [Bronisława .37 Helena .2 Zofia .11] became a [physician .74 doctor .19].")
    yield from w.draft(4, tokens)
    query = "Her sister became a physician"
    yield w.query(4, "q4", "masked", query, masked=(2,))  # type: ignore[arg-type]
    yield w.searched(4, "q4", query, "empty", 0)
    yield w.searched(
        4, "q4", query, "timed_out", 0, source="web", backend="mojeek", detail="no answer in 8 s", ms=8000.0
    )
    yield w.log(
        Warned(
            code="web_search_failing",
            message="The web search did not answer in time.",
            remedy="Wait a minute and start again, or choose the encyclopedia alone.",
        )
    )
    yield w.ranked(4, "q4", 0)
    yield w.accept(4, "Her sister Bronisława became a physician.", "\n\n", "no_hits")


def _questions(w: Writer) -> Iterator[AnyEvent]:
    emoji = "☢️".encode()
    tokens = (
        *say(" Her notebooks [remain .81 are .17] [radioactive .57 locked .12 放射性 .1]"),
        Token(" �", math.log(0.4), (), (32, *emoji[:2])),
        Token("�", math.log(0.95), (), (emoji[2],)),
        Token("️", math.log(0.99), ()),
        *say(" and are kept in [Vienna .18 Paris .17 lead .15 London .1] [boxes .45]."),
    )
    yield from w.draft(5, tokens)
    yield w.call(5, "question", 260, 24)
    for query_id, text, start, end in (
        ("q5", "What is special about Marie Curie's notebooks?", 3, 4),
        ("q6", "Where are Marie Curie's notebooks kept?", 11, 13),
    ):
        span = Span(start=start, end=end, text="".join(t.text for t in tokens[start:end]).strip())
        yield w.query(5, query_id, "question", text, span=span)
    yield w.searched(5, "q5", "What is special about Marie Curie's notebooks?", hits=3)
    yield w.searched(5, "q6", "Where are Marie Curie's notebooks kept?", hits=4, source="web", backend="brave")
    yield w.page(
        5,
        "q6",
        HOSTILE_PAGE.url,
        status=200,
        bytes=4_000,
        content_type="text/html",
        title=HOSTILE_PAGE.title,
        chars=900,
        passages=1,
    )
    yield w.ranked(5, "q6", 9, (HOSTILE_PAGE, 9.4, ""), (CHINESE, 7.7, ""), (WIKI, 1.1, "already shown for the topic"))
    rewritten = say(" Her notebooks are still radioactive ☢️ (居禮夫人) and are kept in lead-lined boxes.")
    yield from w.rewrite(5, rewritten, (HOSTILE_PAGE.id, CHINESE.id))
    yield w.call(5, "regenerate", 990, 17)
    yield w.log(
        SentenceAccepted(
            sentence=5,
            text="Her notebooks are still radioactive ☢️ (居禮夫人) and are kept in lead-lined boxes.",
            before=" ",
            origin="rewrite",
            outcome="retrieved",  # type: ignore[arg-type]
            evidence=(
                evidence(HOSTILE_PAGE, "notebooks are kept in lead-lined boxes", 0.8),
                evidence(CHINESE, "她的筆記本至今仍具放射性 ☢️", 0.6),
            ),
        )
    )


def engine(pace: float = 0.0) -> Callable[[Any, Cancel], Iterator[AnyEvent]]:
    """An engine for `flare_core.runs.Runs` that plays the sample, `pace` seconds an event."""

    def play(spec: Any, cancel: Cancel) -> Iterator[AnyEvent]:
        now = time.time() - STARTED
        for event in sample(spec.topic):
            if pace:
                time.sleep(pace)
            if cancel.is_set():
                raise Stopped
            yield event.model_copy(update={"at": event.at + now if not pace else time.time()})

    return play
