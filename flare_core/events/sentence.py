"""The life of a sentence: drafted, judged, asked about, written again, accepted."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from flare_core.events._base import Event, Value
from flare_core.events.tokens import Token


class SentenceDrafted(Event):
    """A draft of the next sentence is complete (the paper's temporary next sentence, section 3.2.1)."""

    type: Literal["sentence_drafted"] = "sentence_drafted"
    sentence: int
    """Number of the sentence in the report, from 1."""
    attempt: int = 1
    """Rises when the same sentence is drafted again."""
    text: str
    """The draft, without surrounding white space."""
    tokens: tuple[Token, ...]
    """Its tokens; joined they are the text with the white space before it."""
    aligned: bool
    """Whether the joined tokens equal the text; if not, no decision is taken from them."""
    passages: tuple[str, ...]
    """Ids of the passages that stood in the prompt of the draft."""


class Verdict(StrEnum):
    """What the trigger found."""

    CONFIDENT = "confident"
    UNCERTAIN = "uncertain"
    ALWAYS = "always"
    NEVER = "never"
    NO_PROBABILITIES = "no_probabilities"
    UNALIGNED = "unaligned"
    REPEATS = "repeats"


class Decided(Event):
    """The trigger was asked whether to retrieve for this draft (equation 3)."""

    type: Literal["decided"] = "decided"
    sentence: int
    """Number of the sentence."""
    attempt: int = 1
    """Which draft of it."""
    verdict: Verdict
    """What the trigger found."""
    retrieve: bool
    """Whether a retrieval follows."""
    rule: str
    """The rule in words, with its numbers."""
    theta: float | None
    """The threshold that was compared with; None where none was needed."""
    beta: float | None
    """The threshold for masking; None where none was needed."""
    lowest: float | None
    """Lowest known probability in the draft; None when none is known."""
    below: tuple[int, ...] = ()
    """Indexes of the tokens under theta."""
    unknown: int = 0
    """Tokens without a probability: they neither trigger nor veto."""


class Span(Value):
    """Neighbouring tokens of a draft, from `start` up to but not including `end`."""

    start: int
    """Index of the first token."""
    end: int
    """Index after the last token."""
    text: str
    """The tokens joined, stripped."""


class QueryKind(StrEnum):
    """How a query came about."""

    INPUT = "input"
    MASKED = "masked"
    QUESTION = "question"
    SENTENCE = "sentence"


class QueryFormed(Event):
    """A query is ready to be sent (equation 4: implicit by masking, or explicit by a generated question)."""

    type: Literal["query_formed"] = "query_formed"
    sentence: int
    """Number of the sentence it serves; 0 for the initial retrieval with the user's input."""
    query_id: str
    """Name of the query in this run: `q1`, `q2`, …"""
    kind: QueryKind
    """How it came about."""
    text: str
    """The query."""
    masked: tuple[int, ...] = ()
    """Indexes of the draft's tokens that were left out."""
    span: Span | None = None
    """The tokens that the question is about."""
    note: str = ""
    """Why it is not the kind that was asked for."""


class SentenceRewritten(Event):
    """The sentence was written again with the retrieved passages (equation 5)."""

    type: Literal["sentence_rewritten"] = "sentence_rewritten"
    sentence: int
    """Number of the sentence."""
    attempt: int = 1
    """Rises when a rewrite was not accepted."""
    text: str
    """The rewrite, without surrounding white space."""
    tokens: tuple[Token, ...]
    """Its tokens."""
    aligned: bool
    """Whether the joined tokens equal the text."""
    passages: tuple[str, ...]
    """Ids of the passages that stood in its prompt."""


class SentenceRejected(Event):
    """A sentence was not accepted because it nearly repeats an earlier one, or goes in circles itself."""

    type: Literal["sentence_rejected"] = "sentence_rejected"
    sentence: int
    """Number that the sentence would have had."""
    text: str
    """What was not accepted."""
    repeats: int
    """Number of the earlier sentence; the same as `sentence` where it repeats itself."""
    similarity: float
    """How alike they are, 0..1; for a sentence that repeats itself, the share of it that does."""


class Outcome(StrEnum):
    """Why the accepted sentence is the draft or the rewrite."""

    CONFIDENT = "confident"
    RETRIEVED = "retrieved"
    NOT_REWRITTEN = "not_rewritten"
    NOTHING_TO_ASK = "nothing_to_ask"
    NO_HITS = "no_hits"
    NOTHING_READ = "nothing_read"
    SEARCH_FAILED = "search_failed"
    DUPLICATE_QUERY = "duplicate_query"
    NO_PROBABILITIES = "no_probabilities"
    UNALIGNED = "unaligned"
    OUT_OF_BUDGET = "out_of_budget"
    NOT_JUDGED = "not_judged"


class Evidence(Value):
    """A passage that supports an accepted sentence."""

    passage_id: str
    """The passage; it stood in the prompt that the sentence was written from."""
    coverage: float
    """Share of the sentence's content words, names and numbers found in the passage, 0..1."""
    span: tuple[int, int]
    """Character range in the passage that supports it best."""


class SentenceAccepted(Event):
    """The sentence is part of the report from now on."""

    type: Literal["sentence_accepted"] = "sentence_accepted"
    sentence: int
    """Number of the sentence, from 1."""
    text: str
    """The sentence."""
    before: str
    """White space between it and what stands before it."""
    origin: Literal["draft", "rewrite"]
    """Which of the two was accepted."""
    outcome: Outcome
    """Why."""
    evidence: tuple[Evidence, ...] = ()
    """The passages that support it, best first; none means that nothing shown to the model supports it."""
