"""Which addresses may be opened: public ones, over HTTP. A page never chooses to look inside this network.

Two checks, both needed. `check_url` judges the address as written, before anything is resolved and again at every
redirect. `check_address` judges each IP address that a name resolves to; `pinned.py` then connects to exactly that
one, so that a name which answers differently the second time (DNS rebinding) gains nothing.

Special-purpose ranges: IANA registries of RFC 6890, as `ipaddress` knows them, and those it leaves out.
"""

from __future__ import annotations

import re
import socket
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

import httpx2

PORTS = frozenset({80, 443, 8080, 8443})
"""Ports that web pages are served on; others belong to other services."""

LONGEST_URL = 4000
"""Characters."""

_NAT64 = ip_network("64:ff9b::/96")
_TUNNELS = ("2002::/16", "2001::/32", "64:ff9b:1::/48", "::/96", "192.88.99.0/24")
"""They carry another address (6to4, Teredo, local NAT64, IPv4-compatible), or are relays to such: nothing that a
public page is served from, and a way around a check of the outer address."""
_ASSIGNED = ("192.0.0.0/24", "3fff::/20", "5f00::/16")
"""Protocol assignments (a cloud has its metadata at 192.0.0.192), documentation, segment routing: some versions of
`ipaddress` take them for public."""
_NEVER = tuple(map(ip_network, (*_TUNNELS, *_ASSIGNED)))
_UNPRINTABLE = re.compile(r"[\x00-\x20\x7f\\]")
_NUMERIC_HOST = re.compile(r"[0-9a-fx.]+", re.IGNORECASE)
_NUMERIC_LABEL = re.compile(r"(?:0x[0-9a-f]*|[0-9]+)", re.IGNORECASE)


class Refused(Exception):
    """The policy forbids this address; `str` says why, in plain words."""


def check_url(url: str) -> httpx2.URL:
    """The parsed address, if its form allows it to be opened. Raises Refused."""
    if len(url) > LONGEST_URL:
        raise Refused(f"the address is longer than {LONGEST_URL} characters")
    if _UNPRINTABLE.search(url):
        raise Refused("the address holds spaces, backslashes or control characters")
    try:
        parsed = httpx2.URL(url)
    except (httpx2.InvalidURL, ValueError) as error:
        raise Refused(f"not a valid address ({error})") from error
    if parsed.scheme not in ("http", "https"):
        raise Refused(f"only http and https are opened, not {parsed.scheme or 'an address without a scheme'}")
    if parsed.userinfo:
        raise Refused("the address holds a user name or password")
    if parsed.port is not None and parsed.port not in PORTS:
        raise Refused(f"port {parsed.port} is not a port of web pages")
    host = parsed.raw_host.decode("ascii")
    if not host or "%" in host:
        raise Refused("the address names no valid host")
    literal = as_address(host)
    if literal is not None:
        check_address(literal)
    return parsed


def as_address(host: str) -> str | None:
    """The IP address that a host is another spelling of (octal, hex, short, with a final dot), or None for a name.

    Raises Refused for a host that looks like a number and is none.
    """
    bare = host.strip("[]").rstrip(".")
    try:
        return str(ip_address(bare.partition("%")[0]))
    except ValueError:
        pass
    if not _NUMERIC_LABEL.fullmatch(bare.rpartition(".")[2]):
        return None
    if _NUMERIC_HOST.fullmatch(bare):
        try:
            return socket.inet_ntoa(socket.inet_aton(bare))
        except OSError:
            pass
    raise Refused(f"{host} looks like an IP address and is not a valid one")


def check_address(address: str) -> None:
    """Raise Refused unless this IP address is public."""
    if not is_public(address):
        raise Refused(f"{address} is not a public address")


def is_public(address: str) -> bool:
    """Whether an IP address, in standard notation and of either version, belongs to the public internet."""
    try:
        ip = _unwrapped(ip_address(address.partition("%")[0]))
    except ValueError:
        return False
    if any(ip in network for network in _NEVER):
        return False
    if isinstance(ip, IPv6Address) and ip.is_site_local:
        return False
    return ip.is_global and not ip.is_multicast and not ip.is_reserved


def _unwrapped(ip: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    """The IPv4 address inside an IPv4-mapped or NAT64 one: it is where the packets end up."""
    if isinstance(ip, IPv6Address):
        if ip.ipv4_mapped is not None:
            return ip.ipv4_mapped
        if ip in _NAT64:
            return IPv4Address(int(ip) & 0xFFFFFFFF)
    return ip
