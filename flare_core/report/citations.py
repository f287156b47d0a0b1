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
        for evidence in sentence.evidence:
            numbers.setdefault(state.passages[evidence.passage_id].url, len(numbers) + 1)
    return numbers


def cited_numbers(sentence: SentenceAccepted, state: ReportState, numbers: dict[str, int]) -> list[int]:
    """The numbers that stand behind a sentence, rising, each once."""
    return sorted({numbers[state.passages[e.passage_id].url] for e in sentence.evidence})


def sources(state: ReportState) -> list[CitedSource]:
    """All sources: the cited ones by number, then those that were shown to the model but are not cited."""
    numbers = numbered(state)
    passages: dict[str, list[Passage]] = {}
    sentences: dict[str, list[int]] = {}
    for sentence in state.accepted:
        for evidence in sentence.evidence:
            passage = state.passages[evidence.passage_id]
            if passage not in passages.setdefault(passage.url, []):
                passages[passage.url].append(passage)
            if sentence.sentence not in sentences.setdefault(passage.url, []):
                sentences[passage.url].append(sentence.sentence)
    for step in state.sentences.values():
        for ranking in step.rankings:
            for ranked in ranking.ranked:
                if ranked.kept and ranked.passage.url not in numbers:
                    passages.setdefault(ranked.passage.url, []).append(ranked.passage)
    listed = [
        CitedSource(numbers.get(url), tuple(found), tuple(sentences.get(url, ()))) for url, found in passages.items()
    ]
    return sorted(listed, key=lambda s: (s.number is None, s.number or 0))
