"""`doctor`: what works here, what does not, and what will be used."""

from __future__ import annotations

import argparse
import platform
from typing import Any

from flare_core import __version__
from flare_core.errors import FlareError
from flare_core.events import SearchOutcome
from flare_core.lm.choice import open_model
from flare_core.paths import cache_dir, data_dir
from flare_core.ports import Never
from flare_core.sources.choice import open_sources
from flare_core.spec import make_spec


def add_to(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser("doctor", help="check model and sources", description=__doc__)
    parser.add_argument("--lm", metavar="BASE_URL", help="As for write.")
    parser.add_argument("--model", metavar="NAME", help="As for write.")
    parser.add_argument("--web", action="store_true", help="Also send one search to the web.")
    parser.set_defaults(command=run)


def run(args: argparse.Namespace) -> int:
    """Print what was found; 0 when a report can be written, else 1."""
    print(f"Flare {__version__}, Python {platform.python_version()}, {platform.system()} {platform.machine()}")
    try:
        print(f"Files: {data_dir()} (runs), {cache_dir()} (what can be made again)")
    except OSError as error:
        print(f"✗  files: {error}. Set FLARE_HOME to a folder that can be written to.")
    model = _model(args)
    encyclopedia = _source("encyclopedia")
    web = _source("web") if args.web else False
    if not args.web:
        print("·  web: not tried (doctor --web sends one search)")
    return 0 if model and (encyclopedia or web) else 1


def _model(args: argparse.Namespace) -> bool:
    try:
        model = open_model(args.lm, args.model, refresh=True)
    except FlareError as error:
        print(f"✗  model: {error}")
        return False
    info, found = model.info, model.info.capabilities
    model.close()
    print(f"✓  model: {info.name} ({info.kind}) at {info.base_url}")
    alternatives = "unknown" if found.top_logprobs is None else str(found.top_logprobs)
    for name, value in {
        "token probabilities": _yes(found.logprobs),
        "alternatives a token": alternatives,
        "streaming": _yes(found.streaming),
        "continues a started answer": _yes(found.continues),
        "context": f"{found.context} tokens" if found.context else "unknown",
    }.items():
        print(f"     {name}: {value}")
    for note in found.notes:
        print(f"     note: {note}")
    if found.logprobs is False:
        print("     retrieval: θ cannot decide without probabilities; use --theta always or --theta never")
    return True


def _source(name: str) -> bool:
    try:
        (source,) = open_sources(make_spec("doctor", sources=(name,)))
        found = source.find("Marie Curie", k=1, lang="en", cancel=Never())
        source.close()
    except FlareError as error:
        print(f"✗  {name}: {error}")
        return False
    search = found.searches[0]
    good = search.outcome == SearchOutcome.OK
    print(f"{'✓' if good else '✗'}  {name}: {search.outcome}, {search.hits} hits in {search.ms:.0f} ms {search.detail}")
    return good


def _yes(value: bool | None) -> str:
    return {True: "yes", False: "no", None: "unknown"}[value]
