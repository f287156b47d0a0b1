"""A small web of invented pages, served on loopback under public-looking names: no test needs a network.

    from tests.local_site import local_site

    with local_site() as site:
        source = site.web_source()                  # flare_core's WebSource: real fetcher, real extraction
        found = source.find("Who built the Veldmark observatory?", k=3, lang="en", cancel=Never())
        source.close()

The guard works as it does outside: names are resolved by `site.resolver` to public addresses, which are checked and
pinned as ever; only `site.dial` then opens the socket to the local server instead. Nothing is switched off.

`site.pages` lists all pages with the outcome that each must have (`page.expect`), `site.search` is a search engine
over them (`site.search.asked` keeps the queries), `site.requests` what the server was asked, `site.given_up` the
paths whose readers hung up. For an application under test: `site.fetcher()` and `site.search` go into `WebSource`.
Browse it: `python -m tests.local_site`.
"""

from tests.local_site.page import Page
from tests.local_site.search import LocalSearch
from tests.local_site.site import LocalSite, local_site

__all__ = ["LocalSearch", "LocalSite", "Page", "local_site"]
