"""Serve the pages until Ctrl-C, for a look at them with a browser or curl."""

import contextlib
import time

from tests.local_site import local_site

with local_site() as site, contextlib.suppress(KeyboardInterrupt):
    for page in site.pages:
        print(f"curl -sH 'Host: {page.host}' 'http://127.0.0.1:{site.port}{page.path}'   # {page.expect[0].value}")
    while True:
        time.sleep(1)
