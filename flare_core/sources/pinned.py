"""Resolve, check, pin: connections that go to an address that was checked, and to no other."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Iterable, Sequence

import anyio
import httpcore2
import httpx2

from flare_core.sources.guard import Refused, as_address, check_address

Resolver = Callable[[str, int], Awaitable[Sequence[str]]]
"""Host and port to IP addresses. Raises OSError when there are none."""

Dial = Callable[[str, int], tuple[str, int]]
"""Where the socket for a checked address and port is opened. Only tests, which serve public names from this
machine, have another than `direct`."""

MOST_TRIED = 3
"""Addresses of one host that are tried, one after the other."""


def direct(address: str, port: int) -> tuple[str, int]:
    """Connect to the address that was checked."""
    return address, port


async def system_resolver(host: str, port: int) -> list[str]:
    """Ask the operating system.

    In a daemon thread of its own: a name server that hangs must hold up neither a cancel nor the end of the program,
    and threads of an executor are waited for at exit.
    """
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[list[str]] = loop.create_future()

    def settle(result: list[str] | OSError) -> None:
        if answer.done():
            return
        if isinstance(result, OSError):
            answer.set_exception(result)
        else:
            answer.set_result(result)

    def look_up() -> None:
        result: list[str] | OSError
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            result = list(dict.fromkeys(str(entry[4][0]) for entry in found))
        except OSError as error:
            result = error
        except UnicodeError:
            result = OSError(f"{host} is not a valid host name")
        try:
            loop.call_soon_threadsafe(settle, result)
        except RuntimeError:
            return  # the loop was closed meanwhile; nobody waits for the answer

    threading.Thread(target=look_up, name="flare-resolve", daemon=True).start()
    return await answer


class PinnedBackend(httpcore2.AsyncNetworkBackend):
    """Opens sockets to public addresses only. TLS still verifies the host name, which is left as it was."""

    def __init__(self, resolver: Resolver = system_resolver, dial: Dial = direct) -> None:
        self._resolver = resolver
        self._dial = dial
        self._tcp = httpcore2.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """Resolve once, require every address to be public, connect to one of exactly these. Raises Refused.

        `timeout`, in seconds, is for all of it.
        """
        try:
            with anyio.fail_after(timeout):
                addresses = (await self._checked(host, port))[:MOST_TRIED]
                for i, address in enumerate(addresses):
                    share = None if timeout is None else timeout / (len(addresses) - i + 1)
                    last = i == len(addresses) - 1
                    try:
                        target, target_port = self._dial(address, port)
                        return await self._tcp.connect_tcp(target, target_port, None if last else share)
                    except (httpcore2.ConnectError, httpcore2.ConnectTimeout):
                        if last:
                            raise
        except TimeoutError as error:
            raise httpcore2.ConnectTimeout(f"no connection to {host} within {timeout} s") from error
        raise httpcore2.ConnectError(f"{host} has no address")

    async def _checked(self, host: str, port: int) -> list[str]:
        literal = as_address(host)
        if literal is not None:
            addresses: Sequence[str] = [literal]
        else:
            try:
                addresses = await self._resolver(host, port)
            except OSError as error:
                raise httpcore2.ConnectError(f"the host name {host} could not be resolved") from error
        for address in addresses:
            try:
                check_address(address)
            except Refused as refusal:
                raise Refused(f"{host} leads to a place that is not public: {refusal}") from refusal
        return list(addresses)

    async def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None
    ) -> httpcore2.AsyncNetworkStream:
        """Never."""
        raise Refused("sockets of this machine are not opened")

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await anyio.sleep(seconds)


class PinnedTransport(httpx2.AsyncBaseTransport):
    """An httpx2 transport over a pool of pinned connections.

    Written out instead of patching the pool of `httpx2.AsyncHTTPTransport`: should a private name there change, a
    patched transport would go on without its guard. Errors of the wire stay those of httpcore2.
    """

    def __init__(self, backend: PinnedBackend, connections: int = 16) -> None:
        self._pool = httpcore2.AsyncConnectionPool(
            ssl_context=httpx2.create_ssl_context(),
            max_connections=connections,
            max_keepalive_connections=connections // 2,
            keepalive_expiry=5.0,
            network_backend=backend,
        )

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send one request, without following redirects."""
        url = request.url
        response = await self._pool.handle_async_request(
            httpcore2.Request(
                method=request.method,
                url=httpcore2.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path),
                headers=request.headers.raw,
                extensions=request.extensions,
            )
        )
        return httpx2.Response(
            status_code=response.status,
            headers=response.headers,
            stream=_Body(response),
            extensions=response.extensions,
        )

    async def aclose(self) -> None:
        """Close all connections."""
        await self._pool.aclose()


class _Body(httpx2.AsyncByteStream):
    """The bytes of a response as they come."""

    def __init__(self, response: httpcore2.Response) -> None:
        self._response = response

    async def __aiter__(self) -> AsyncIterator[bytes]:
        assert isinstance(self._response.stream, AsyncIterable)
        async for chunk in self._response.stream:
            yield chunk

    async def aclose(self) -> None:
        await self._response.aclose()
