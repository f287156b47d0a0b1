"""The embedded model and the offline encyclopedia, for measurements that leave nothing behind."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

from flare_core.lm.choice import open_model
from flare_core.ports import LanguageModel, Never, Prompt, Source
from flare_core.prompts import go_on
from flare_core.sources.choice import open_sources
from flare_core.spec import make_spec


@contextmanager
def opened(lm: str = "embedded") -> Iterator[tuple[LanguageModel, Sequence[Source]]]:
    """A model and the encyclopedia; files go to a temporary folder."""
    with ExitStack() as stack:
        os.environ["FLARE_HOME"] = stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
        model = open_model(lm, continue_with=go_on)
        stack.callback(model.close)
        sources = open_sources(make_spec("Benchmark"))
        for source in sources:
            stack.callback(source.close)
        yield model, sources


def empty_caches(model: LanguageModel) -> None:
    """Put something else into every prompt cache, so that the next run begins as the first one did."""
    for lane in range(model.info.slots):
        list(model.stream(Prompt("Say yes.", f"Yes {lane}"), max_tokens=1, lane=lane, cancel=Never()))
