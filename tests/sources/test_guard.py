"""The policy: public addresses over HTTP, however they are written."""

from __future__ import annotations

import pytest

from flare_core.sources.guard import Refused, as_address, check_url, is_public

LOOPBACK = [
    "http://127.0.0.1/",
    "http://127.0.0.1./",
    "http://127.1/",
    "http://127.255.255.254/",
    "http://0177.0.0.1/",
    "http://0x7f.0.0.1/",
    "http://0x7f000001/",
    "http://2130706433/",
    "http://017700000001/",
    "http://0/",
    "http://0.0.0.0/",
    "http://[::1]/",
    "http://[::]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://[0:0:0:0:0:ffff:7f00:0001]/",
    "http://[64:ff9b::7f00:1]/",
    "http://[64:ff9b:1::7f00:1]/",
    "http://[2002:7f00:1::]/",
    "http://[::127.0.0.1]/",
    "http://①②⑦.⓪.⓪.①/",
    "http://127。0。0。1/",
]


@pytest.mark.parametrize("url", LOOPBACK)
def test_no_spelling_of_loopback_is_opened(url: str) -> None:
    with pytest.raises(Refused):
        check_url(url)


@pytest.mark.parametrize(
    "address",
    "10.1.2.3 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 192.0.2.1 198.18.0.1 203.0.113.9 224.0.0.1 240.0.0.1 "
    "255.255.255.255 192.88.99.1 fe80::1 fe80::1%eth0 fc00::1 fd00:ec2::254 fec0::1 ff02::1 2001:db8::1 2001::1 "
    "::ffff:10.0.0.1 64:ff9b::a9fe:a9fe not-an-address".split(),
)
def test_special_addresses_are_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", "1.1.1.1 93.184.216.34 2606:4700::1111 ::ffff:8.8.8.8 64:ff9b::808:808".split())
def test_public_addresses_are_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("file:///etc/passwd", "only http"),
        ("ftp://example.org/", "only http"),
        ("javascript:alert(1)", "only http"),
        ("data:text/html,hi", "only http"),
        ("gopher://example.org/", "only http"),
        ("//example.org/", "without a scheme"),
        ("example.org", "without a scheme"),
        ("", "without a scheme"),
        ("http://", "no valid host"),
        ("http:///path", "no valid host"),
        ("http://user:secret@example.org/", "password"),
        ("http://example.org@127.0.0.1/", "password"),
        ("http://example.org\\@127.0.0.1/", "backslash"),
        ("http://example.org:22/", "port 22"),
        ("http://example.org:6379/", "port 6379"),
        ("http://example.org:99999/", "port"),
        ("http://exam ple.org/", "spaces"),
        ("http://example.org/\r\nHost: evil", "control characters"),
        ("http://[bad", "valid"),
        ("http://1.2.3.4.5/", "looks like an IP address"),
        ("http://999.1.1.1/", "valid"),
        ("http://example.org/" + "a" * 5000, "longer than"),
    ],
)
def test_forms_that_are_refused_say_why(url: str, reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        check_url(url)


@pytest.mark.parametrize(
    "url",
    "http://example.org https://example.org:443/a?b=c http://example.org:8080/ https://example.org:8443/ "
    "https://bücher.example/ü HTTPS://EXAMPLE.ORG/ http://8.8.8.8/ http://cafe.de/ http://[2606:4700::1111]/".split(),
)
def test_ordinary_addresses_are_allowed(url: str) -> None:
    assert check_url(url).host


def test_names_are_not_taken_for_addresses() -> None:
    assert as_address("cafe.de") is None
    assert as_address("0x7f.1") == "127.0.0.1"
