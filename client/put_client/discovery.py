"""Servers that announce themselves on the local network (DNS-SD).

Law: announcements are not trusted. Names are made printable and short, numbers are checked, addresses must be of local
networks, and the number of servers is limited. A server's key is the one that it proves in a TLS handshake, not the
announced one; silent servers are not listed. In a flood of announcements every host is considered, and possible known
servers are asked first.
"""

import asyncio
import ipaddress
import ssl
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from put_client.sdk.dialler import Dialler
from put_client.sdk.errors import address
from put_client.sdk.known_servers import KnownServers
from put_protocol.text import printable
from put_runtime.dns_service import KEY, PEOPLE, SERVICE, TABLES
from put_runtime.fingerprint import parse_fingerprint

LOOK_SECONDS = 1.0
"""Time for servers to answer: most need a tenth of it."""

ASK_SECONDS = 0.5
"""Time to ask for missing parts of an answer: the server's address, and its description."""

MOST = 20
"""Most servers in the list; a longer list is useless for choosing by number."""

HEARD = 10_000
"""Most announcements accepted; details are checked only for some."""

ASKED = 256
"""Most announcements whose missing parts are requested, and most servers whose key is requested."""

HANDSHAKES_AT_ONCE = 32

HANDSHAKE_SECONDS = 1.0
"""Time limit of one handshake, which takes some milliseconds on a local network."""

PROVE_SECONDS = 4.0
"""Time limit of all handshakes; servers not asked by then are not listed."""

NAME_LENGTH = 30
ADDRESSES_TRIED = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundServer:
    name: str
    host: str
    port: int
    fingerprint: str = ""
    """Fingerprint of the announced key; empty: none."""
    key: str = ""
    """Fingerprint of the proved key; empty: no encryption, or not asked."""
    tables: int | None = None
    people: int | None = None
    known_as: str | None = None
    """Name under which the announced key was remembered."""
    has_another: bool = False
    """A different key is remembered for this address."""

    @property
    def address(self) -> str:
        return address(self.host, self.port)

    @property
    def is_honest(self) -> bool:
        """True if the connection is encrypted with the announced key."""
        return bool(self.key) and self.fingerprint in ("", self.key)

    @property
    def is_safe(self) -> bool:
        return self.is_honest and not self.has_another


class CannotLook(Exception):
    """The network cannot be searched; the sentence says why."""


async def look() -> tuple[FoundServer, ...]:
    """Servers on the local network by name, as announced. Takes slightly more than `LOOK_SECONDS`.

    :raises CannotLook: the network cannot be searched.
    """
    from zeroconf import ServiceStateChange  # noqa: PLC0415  # most users name a server
    from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf  # noqa: PLC0415

    names: dict[str, None] = {}

    def changed(*, name: str, state_change: ServiceStateChange, **_: Any) -> None:
        if state_change is ServiceStateChange.Removed:
            names.pop(name, None)
        elif len(names) < HEARD:
            names[name] = None

    try:
        network = AsyncZeroconf()
    except OSError as error:
        raise CannotLook(error.strerror or str(error)) from None
    try:
        browser = AsyncServiceBrowser(network.zeroconf, SERVICE, handlers=[changed])
        await asyncio.sleep(LOOK_SECONDS)
        await browser.async_cancel()
        infos = [AsyncServiceInfo(SERVICE, name) for name in names]
        less = [info for info in infos if not info.load_from_cache(network.zeroconf)][:ASKED]
        await asyncio.gather(*[info.async_request(network.zeroconf, ASK_SECONDS * 1000) for info in less])
    except OSError as error:
        raise CannotLook(error.strerror or str(error)) from None
    finally:
        await network.async_close()
    found = [
        read(info.name, info.parsed_scoped_addresses(), info.port, info.properties) for info in infos if info.addresses
    ]
    return tuple(sorted(filter(None, found), key=lambda server: (server.name.casefold(), server.address)))


async def prove(found: Iterable[FoundServer], known: KnownServers) -> tuple[FoundServer, ...]:
    """The servers that answer, each with its proved key; only the first with each key.

    :raises CannotTrust: the list of known servers is unreadable.
    """

    def rank(server: FoundServer) -> tuple[bool, bool]:
        name = known.name_of(server.fingerprint) if server.fingerprint else None
        return name != server.address, name is None

    hosts: Counter[str] = Counter()
    turns: list[tuple[tuple[bool, bool], int, int, FoundServer]] = []
    for server in sorted(found, key=rank):
        hosts[server.host] += 1
        turns.append((rank(server), hosts[server.host], len(turns), server))
    gate = asyncio.Semaphore(HANDSHAKES_AT_ONCE)

    async def prove_one(server: FoundServer) -> FoundServer | None:
        async with gate:
            try:
                async with asyncio.timeout(HANDSHAKE_SECONDS):
                    return replace(server, key=await Dialler(server.host, server.port).key_offered())
            except (ssl.SSLError, ConnectionResetError):  # a server is there, without encryption
                return server
            except OSError:
                return None

    asked = [server for *_, server in sorted(turns, key=lambda turn: turn[:3])[:ASKED]]
    tasks = [asyncio.create_task(prove_one(server)) for server in asked]
    try:
        if tasks:
            await asyncio.wait(tasks, timeout=PROVE_SECONDS)
        answers = [task.result() for task in tasks if task.done()]
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    proved: dict[str, FoundServer] = {}
    for server in filter(None, answers):
        # A server that announces another server's key is not listed before that server.
        proved.setdefault(server.key if server.is_honest else f"{server.key} {server.address}", server)
    return tuple(proved.values())


def read(name: str, addresses: list[str], port: int | None, said: dict[bytes, bytes | None]) -> FoundServer | None:
    """The server of an announcement; None: no usable address."""
    host = next(iter(sorted(filter(_is_near, addresses[:ADDRESSES_TRIED]), key=_preference)), None)
    if host is None or port is None or not 0 < port < 65536:
        return None
    label = printable(name.removesuffix(f".{SERVICE}")).strip()
    return FoundServer(
        name=label if len(label) <= NAME_LENGTH else f"{label[: NAME_LENGTH - 3]}...",
        host=host,
        port=port,
        fingerprint=parse_fingerprint(_text(said, KEY)) or "",
        tables=_count(said, TABLES),
        people=_count(said, PEOPLE),
    )


def _is_near(host: str) -> bool:
    """True if an address is of a local network. Loopback addresses are not."""
    try:
        found = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return False
    mapped = getattr(found, "ipv4_mapped", None)
    near = mapped or found
    return not (near.is_global or near.is_loopback or near.is_multicast or near.is_unspecified)


def _preference(host: str) -> tuple[bool, bool]:
    """IPv4 first, because it is shorter to read; link-local addresses last."""
    found = ipaddress.ip_address(host.partition("%")[0])
    return found.version == 6, found.is_link_local


def _text(said: dict[bytes, bytes | None], name: str) -> str:
    return (said.get(name.encode()) or b"")[:64].decode("ascii", "replace")


def _count(said: dict[bytes, bytes | None], name: str) -> int | None:
    text = _text(said, name)
    return int(text) if text.isdecimal() and len(text) <= 5 else None
