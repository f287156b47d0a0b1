"""The encyclopedia, measured: time to build, open and ask; how often the article meant comes first.

Queries are made from the articles themselves: their titles, requests that name them, and
sentences without the title's words and a third of the others, as a masked draft is.
"""

from __future__ import annotations

import os
import random
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator

from bench.line import line
from flare_core.ports import Never
from flare_core.sources import encyclopedia_index as index
from flare_core.sources.encyclopedia import Encyclopedia
from flare_core.text.sentences import split

ARTICLES = 500
BUILD_S, P50_MS = 10.0, 2.0
SEED = 1


def title(article: index.Article, lang: str, dice: random.Random) -> str:
    return article.title


def request(article: index.Article, lang: str, dice: random.Random) -> str:
    asks = {"en": "Tell me about {} and its history", "fr": "Parle-moi de {} et de son histoire"}
    return asks.get(lang, "Háblame de {} y de su historia").format(article.title)


def masked(article: index.Article, lang: str, dice: random.Random) -> str:
    start, end = dice.choice(split(article.text, lang)[:2])
    own = set(re.findall(r"\w+", article.title.lower()))
    return " ".join(
        word
        for word in article.text[start:end].split()
        if not own & set(re.findall(r"\w+", word.lower())) and dice.random() > 1 / 3
    )


KINDS: dict[str, Callable[[index.Article, str, random.Random], str]] = {
    "title": title,
    "request": request,
    "masked sentence": masked,
}


def seconds(act: Callable[[], object]) -> float:
    started = time.perf_counter()
    act()
    return time.perf_counter() - started


def measure(language: index.Language) -> Iterator[bool]:
    """Print the lines of one language; which targets were met."""
    data, _ = index._data(language)
    source = Encyclopedia()

    def ask(query: str, k: int = 10) -> list[str]:
        found = source.find(query, k=k, lang=language.code, cancel=Never())
        return [passage.title for passage, _ in found.passages]

    build = seconds(lambda: ask("x"))
    source.close()
    reopen = seconds(lambda: ask("x"))
    articles = index.articles(data)
    yield line(
        "encyclopedia: index build", round(build, 3), BUILD_S, unit="s", lang=language.code, articles=len(articles),
        open_s=round(reopen, 4),
    )  # fmt: skip
    dice = random.Random(SEED)
    for kind, make in KINDS.items():
        times, ranks = [], []
        for article in dice.sample(articles, ARTICLES):
            query = make(article, language.code, dice)
            if len(query.split()) < 4 and kind == "masked sentence":
                continue
            started = time.perf_counter()
            titles = ask(query)
            times.append((time.perf_counter() - started) * 1000)
            ranks.append(1 / (titles.index(article.title) + 1) if article.title in titles else 0.0)
        times.sort()
        yield line(
            "encyclopedia: query, p50", round(statistics.median(times), 3), P50_MS, unit="ms", lang=language.code,
            queries=kind, n=len(times), p95_ms=round(times[int(len(times) * 0.95)], 3),
            first=round(sum(rank == 1 for rank in ranks) / len(ranks), 3), mrr=round(statistics.mean(ranks), 3),
        )  # fmt: skip
    source.close()


def main() -> int:
    """1 when a target was missed."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        os.environ["FLARE_HOME"] = home
        missed = sum(not met for language in index.LANGUAGES.values() for met in measure(language))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
