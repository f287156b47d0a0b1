"""From the names in a spec to sources."""

from __future__ import annotations

from flare_core.ports import Source
from flare_core.spec import RunSpec


def open_sources(spec: RunSpec) -> list[Source]:
    """The sources that the spec names, in its order; all `site:` addresses are one source."""
    opened: list[Source] = []
    urls = [name.removeprefix("site:") for name in spec.sources if name.startswith("site:")]
    for name in () if spec.strategy == "none" else spec.sources:
        if name == "encyclopedia":
            from flare_core.sources.encyclopedia import Encyclopedia

            opened.append(Encyclopedia())
        elif name == "web":
            from flare_core.sources.web import WebSource

            opened.append(WebSource())
        elif not any(source.name == "site" for source in opened):
            from flare_core.sources.site import SiteSource

            opened.append(SiteSource(urls))
    return opened
