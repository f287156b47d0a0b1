"""`search QUERY`: retrieval alone, with what was found, dropped and kept."""

from __future__ import annotations

import argparse
from typing import Any

from flare_core.cli.options import add_sources
from flare_core.events import PageOutcome, SearchOutcome
from flare_core.ports import Found, Never, Source
from flare_core.queries.merge import merge
from flare_core.sources.choice import open_sources
from flare_core.spec import make_spec
from flare_core.text.printable import printable


def add_to(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser("search", help="retrieve only", description=__doc__)
    parser.add_argument("query", metavar="QUERY")
    add_sources(parser)
    parser.add_argument("--top-k", type=int, default=3, metavar="N", help="Passages to keep.")
    parser.add_argument("--lang", default="en", metavar="CODE", help="Language of the sources.")
    parser.set_defaults(command=run)


def run(args: argparse.Namespace) -> int:
    """Print the funnel and the passages; 1 when nothing was found."""
    sources = tuple(args.sources or ("encyclopedia",))
    spec = make_spec(args.query, sources=sources, top_k=args.top_k, lang=args.lang)
    opened = open_sources(spec)
    try:
        found = [_ask(source, args) for source in opened]
    finally:
        for source in opened:
            source.close()
    merged = merge([(f"q{i}", f.passages) for i, f in enumerate(found, 1)], spec.top_k)
    for ranked in (ranked for ranked in merged if ranked.kept):
        p = ranked.passage
        print(printable(f"\n[{ranked.score:.1f}] {p.title} — {p.url}\n{p.text}"))
    return 0 if merged else 1


def _ask(source: Source, args: argparse.Namespace) -> Found:
    found = source.find(args.query, k=args.top_k, lang=args.lang, cancel=Never())
    for search in found.searches:
        why = f" — {search.detail}" if search.detail and search.outcome != SearchOutcome.OK else ""
        said = f"{search.source} ({search.backend}): {search.outcome}, {search.hits} hits, {search.ms:.0f} ms{why}"
        print(printable(said))
    for page in found.pages:
        why = f" — {page.detail}" if page.outcome != PageOutcome.READ else f", {page.passages} passages"
        print(printable(f"  {page.outcome:<16} {page.url} ({page.ms:.0f} ms){why}"))
    print(f"  {found.considered} passages scored, {len(found.passages)} returned")
    return found
