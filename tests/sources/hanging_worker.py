"""An extraction process in which pages with HANG hang, and pages with CRASH crash: the worst that a parser does."""

import os
import time
from typing import Any

from flare_core.events import PageOutcome
from flare_core.sources import extract_worker
from flare_core.sources.contracts import Extracted


def read(content: bytes, **_: Any) -> Extracted:
    if b"HANG" in content:
        time.sleep(60)
    if b"CRASH" in content:
        os._exit(139)
    if b"RAISE" in content:
        raise RecursionError
    if b"PRINT" in content:
        print("noise from a library")
    secrets = ",".join(name for name in os.environ if "KEY" in name)
    return Extracted(PageOutcome.READ, content.decode(), title=secrets or None, extractor="stub")


if __name__ == "__main__":
    extract_worker.main(read)
