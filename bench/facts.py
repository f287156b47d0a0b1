"""Supported facts: names and numbers of a report that the encyclopedia has about its topic too.

A cheap stand-in for a fact check, the same for every variant: a fact is a name or a number, each counted once a
report; it is supported when it stands in one of the encyclopedia's articles that name the topic.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from flare_core.text.sentences import split
from flare_core.text.words import content_words, names, numbers


@dataclass(frozen=True)
class Facts:
    supported: int
    all: int
    words: int

    @property
    def per_100_words(self) -> float:
        return 100 * self.supported / self.words if self.words else 0.0

    @property
    def precision(self) -> float | None:
        return self.supported / self.all if self.all else None


def count(report: str, topic: str, articles: list[tuple[str, str]]) -> Facts:
    """Facts of the report; `articles` are (title, text) of the whole encyclopedia."""
    reference = reference_for(topic, articles)
    wanted = {w.lower() for w in re.findall(r"\w+", topic)}
    found: set[str] = set()
    for start, end in split(report):
        sentence = report[start:end]
        found |= numbers(sentence) | {n.removesuffix("'s") for n in names(sentence)}
    found -= wanted
    supported = {fact for fact in found if re.search(rf"(?<!\w){re.escape(fact)}(?!\w)", reference)}
    return Facts(len(supported), len(found), len(report.split()))


def reference_for(topic: str, articles: list[tuple[str, str]]) -> str:
    """All articles that name the topic, lower-cased."""
    key = " ".join(w for w in content_words(topic))
    return "\n".join(
        f"{title}\n{text}" for title, text in articles if key in " ".join(content_words(f"{title} {text}"))
    ).lower()
