"""Ranges that this Python's `ipaddress` may take for public, though no page is ever served from them."""

from __future__ import annotations

import pytest

from flare_core.sources.guard import Refused, check_url, is_public


@pytest.mark.parametrize(
    "address",
    [
        "192.0.0.192",  # the metadata service of a cloud, inside the block of protocol assignments (RFC 6890)
        "192.0.0.8",
        "192.0.0.255",
        "3fff::1",  # documentation (RFC 9637)
        "5f00::1",  # segment routing (RFC 9602)
        "fec0::1",
        "::ffff:192.0.0.192",
        "64:ff9b::192.0.0.192",
    ],
)
def test_protocol_and_documentation_ranges_are_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("url", ["http://192.0.0.192/latest/", "http://[3fff::1]/", "http://[::ffff:192.0.0.192]/"])
def test_pages_in_protocol_ranges_are_refused_as_written(url: str) -> None:
    with pytest.raises(Refused, match="not a public address"):
        check_url(url)


@pytest.mark.parametrize("address", ["193.0.0.1", "192.0.1.1", "2606:4700::1", "3ffe::1"])
def test_neighbours_stay_public(address: str) -> None:
    assert is_public(address)
