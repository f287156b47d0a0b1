"""Resolve, check, pin."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Sequence

import httpcore2
import pytest

from flare_core.events import PageOutcome
from flare_core.ports import Never
from flare_core.sources.fetch import HttpFetcher
from flare_core.sources.guard import Refused
from flare_core.sources.pinned import PinnedBackend, system_resolver
from tests.local_site import LocalSite


class Rebinding:
    """A name server that answers with a public address once, and with loopback from then on."""

    def __init__(self) -> None:
        self.asked = 0

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        self.asked += 1
        return ["1.2.3.4"] if self.asked == 1 else ["127.0.0.1"]


def test_the_address_that_was_checked_is_the_one_connected_to(site: LocalSite) -> None:
    resolver, dialled = Rebinding(), []

    def dial(address: str, port: int) -> tuple[str, int]:
        dialled.append((address, port))
        return "127.0.0.1", site.port

    fetcher = HttpFetcher(resolver=resolver, dial=dial)
    (page,) = fetcher.fetch_all([site.url("/story")], cancel=Never())
    fetcher.close()
    assert page.outcome is PageOutcome.READ
    assert (resolver.asked, dialled) == (1, [("1.2.3.4", 80)])


def test_a_name_that_turns_to_loopback_is_refused_at_its_next_connection(site: LocalSite) -> None:
    resolver = Rebinding()
    for expected in (PageOutcome.READ, PageOutcome.FORBIDDEN):
        fetcher = HttpFetcher(resolver=resolver, dial=site.dial)
        (page,) = fetcher.fetch_all([site.url("/story")], cancel=Never())
        fetcher.close()
        assert page.outcome is expected
    assert "127.0.0.1 is not a public address" in page.detail


def test_one_private_record_among_public_ones_is_enough_to_refuse(site: LocalSite) -> None:
    fetcher = site.fetcher()
    (page,) = fetcher.fetch_all(["http://mixed.example/"], cancel=Never())
    fetcher.close()
    assert page.outcome is PageOutcome.FORBIDDEN
    assert site.requests == []


@pytest.mark.parametrize("host", ["127.1", "0x7f.1", "2130706433", "::1", "::ffff:127.0.0.1", "localhost"])
def test_the_backend_checks_by_itself_whatever_the_url_check_let_through(host: str) -> None:
    with pytest.raises(Refused):
        asyncio.run(PinnedBackend().connect_tcp(host, 80, timeout=5))


def test_sockets_of_this_machine_are_never_opened() -> None:
    with pytest.raises(Refused):
        asyncio.run(PinnedBackend().connect_unix_socket("/var/run/docker.sock"))


def test_the_next_address_is_tried_when_one_does_not_answer(site: LocalSite) -> None:
    async def two(host: str, port: int) -> Sequence[str]:
        return ["1.2.3.4", "1.2.3.5"]

    def dial(address: str, port: int) -> tuple[str, int]:
        return "127.0.0.1", site.port if address == "1.2.3.5" else 9  # nothing listens on port 9

    fetcher = HttpFetcher(resolver=two, dial=dial)
    (page,) = fetcher.fetch_all([site.url("/story")], cancel=Never())
    fetcher.close()
    assert page.outcome is PageOutcome.READ


def test_a_name_without_addresses_is_unreachable() -> None:
    async def none(host: str, port: int) -> Sequence[str]:
        return []

    with pytest.raises(httpcore2.ConnectError, match="has no address"):
        asyncio.run(PinnedBackend(none).connect_tcp("nowhere.example", 80))


def test_a_name_server_that_hangs_holds_up_neither_the_page_nor_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    released = threading.Event()
    monkeypatch.setattr("socket.getaddrinfo", lambda *_, **__: released.wait(10) and [])
    began = time.monotonic()
    with pytest.raises(httpcore2.ConnectTimeout):
        asyncio.run(PinnedBackend(system_resolver).connect_tcp("hanging.example", 80, timeout=0.2))
    assert time.monotonic() - began < 2
    released.set()
