"""Citation numbers, given when rendering: in order of first use, one number for one source (DESIGN 3)."""

from __future__ import annotations

from dataclasses import dataclass

from flare_core.events import Passage, SentenceAccepted
from flare_core.report.fold import ReportState


@dataclass(frozen=True, slots=True)
class CitedSource:
    """A source with its number in the report; `number` is None for one that was read but not cited."""

    number: int | None
    passages: tuple[Passage, ...]
    sentences: tuple[int, ...]

    @property
    def passage(self) -> Passage:
        """The passage that stands for the source."""
        return self.passages[0]


def numbered(state: ReportState) -> dict[str, int]:
    """Address of each cited source to its number."""
    numbers: dict[str, int] = {}
    for sentence in state.accepted:
        for passage in _cited(sentence, state):
            numbers.setdefault(passage.url, len(numbers) + 1)
    return numbers


def cited_numbers(sentence: SentenceAccepted, state: ReportState, numbers: dict[str, int]) -> list[int]:
    """The numbers that stand behind a sentence, rising, each once."""
    return sorted({numbers[passage.url] for passage in _cited(sentence, state)})


def _cited(sentence: SentenceAccepted, state: ReportState) -> list[Passage]:
    """The passages behind a sentence; an id that the log does not hold (a log from elsewhere) cites nothing."""
    return [state.passages[e.passage_id] for e in sentence.evidence if e.passage_id in state.passages]


def sources(state: ReportState) -> list[CitedSource]:
    """All sources: the cited ones by number, then those that were shown to the model but are not cited."""
    numbers = numbered(state)
    passages: dict[str, list[Passage]] = {}
    sentences: dict[str, list[int]] = {}
    for sentence in state.accepted:
        for passage in _cited(sentence, state):
            if passage not in passages.setdefault(passage.url, []):
                passages[passage.url].append(passage)
            if sentence.sentence not in sentences.setdefault(passage.url, []):
                sentences[passage.url].append(sentence.sentence)
    for step in state.sentences.values():
        for ranking in step.rankings:
            for ranked in ranking.ranked:
                found = passages.setdefault(ranked.passage.url, []) if ranked.kept else []
                if ranked.passage.url not in numbers and ranked.passage not in found:
                    found.append(ranked.passage)
    listed = [
        CitedSource(numbers.get(url), tuple(found), tuple(sentences.get(url, ()))) for url, found in passages.items()
    ]
    return sorted(listed, key=lambda s: (s.number is None, s.number or 0))
