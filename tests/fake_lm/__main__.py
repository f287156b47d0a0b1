"""`python -m tests.fake_lm script.json [--repeat]` prints the base URL and serves until it is ended; `-` is stdin."""

from __future__ import annotations

import argparse
import json
import sys
import threading
from collections.abc import Iterable
from pathlib import Path

from tests.fake_lm.script import Call, Tok
from tests.fake_lm.server import fake_lm


def main() -> None:
    parser = argparse.ArgumentParser(prog="fake_lm")
    parser.add_argument("script", help="JSON: a list of replies, each a list of tokens (text, or [text, logprob])")
    parser.add_argument("--repeat", action="store_true", help="begin again when the replies are used up")
    args = parser.parse_args()
    text = sys.stdin.read() if args.script == "-" else Path(args.script).read_text("utf-8")
    replies = [[tok if isinstance(tok, str) else tuple(tok) for tok in reply] for reply in json.loads(text)]

    def say(call: Call) -> Iterable[Tok]:
        return replies[(call.number - 1) % len(replies)]

    with fake_lm(say if args.repeat else replies) as server:
        print(server.base_url, flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main()
