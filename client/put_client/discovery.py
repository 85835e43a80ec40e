"""Servers that announce themselves on the local network (DNS-SD).

Law: nothing that is announced is trusted. Names are made printable and short, numbers are checked, addresses must be of
local networks, and so many servers at most are listed. That a server says it has a key which we know proves nothing
yet: whoever connects to it does so with that key and no other.
"""

import asyncio
import ipaddress
from dataclasses import dataclass
from typing import Any

from put_client.sdk.errors import address
from put_protocol.text import printable
from put_runtime.discovery import KEY, PEOPLE, SERVICE, TABLES
from put_runtime.fingerprint import parse_fingerprint

LOOK_SECONDS = 1.0
"""For servers to answer: most do within a tenth of it."""

ASK_SECONDS = 0.5
"""For what an answer left out: where a server is, and what it says of itself."""

MOST = 20
"""Servers listed, at most; a network with more is not one to choose from by number."""

NAME_LENGTH = 30

ADDRESSES = 16
"""Looked at of those that one server says it has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A server, as it describes itself."""

    name: str
    host: str
    port: int
    fingerprint: str = ""
    """Of the key that it says it has; empty: none."""
    tables: int | None = None
    people: int | None = None

    @property
    def address(self) -> str:
        return address(self.host, self.port)


class CannotLook(Exception):
    """The network cannot be asked; the sentence says why."""


async def look() -> tuple[Found, ...]:
    """Servers on the local network, by name. Takes `LOOK_SECONDS` and a little.

    :raises CannotLook: the network cannot be asked.
    """
    from zeroconf import ServiceStateChange  # noqa: PLC0415  # most know where they go
    from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf  # noqa: PLC0415

    names: dict[str, None] = {}

    def changed(*, name: str, state_change: ServiceStateChange, **_: Any) -> None:
        if state_change is ServiceStateChange.Removed:
            names.pop(name, None)
        elif len(names) < MOST:
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
        await asyncio.gather(*[info.async_request(network.zeroconf, ASK_SECONDS * 1000) for info in infos])
    except OSError as error:
        raise CannotLook(error.strerror or str(error)) from None
    finally:
        await network.async_close()
    found = [
        read(info.name, info.parsed_scoped_addresses(), info.port, info.properties) for info in infos if info.addresses
    ]
    return tuple(sorted(filter(None, found), key=lambda server: (server.name.casefold(), server.address)))


def read(name: str, addresses: list[str], port: int | None, said: dict[bytes, bytes | None]) -> Found | None:
    """What an announcement says, as far as it can be believed; None: no server that could be reached."""
    host = next(iter(sorted(filter(_is_near, addresses[:ADDRESSES]), key=_preference)), None)
    if host is None or port is None or not 0 < port < 65536:
        return None
    label = printable(name.removesuffix(f".{SERVICE}")).strip()
    return Found(
        name=label if len(label) <= NAME_LENGTH else f"{label[: NAME_LENGTH - 3]}...",
        host=host,
        port=port,
        fingerprint=parse_fingerprint(_text(said, KEY)) or "",
        tables=_count(said, TABLES),
        people=_count(said, PEOPLE),
    )


def _is_near(host: str) -> bool:
    """Whether an address is of a local network; of this machine's own only by its other addresses."""
    try:
        found = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return False
    mapped = getattr(found, "ipv4_mapped", None)
    near = mapped or found
    return not (near.is_global or near.is_loopback or near.is_multicast or near.is_unspecified)


def _preference(host: str) -> tuple[bool, bool]:
    """IPv4 first, for it is the shorter to read; link-local addresses last."""
    found = ipaddress.ip_address(host.partition("%")[0])
    return found.version == 6, found.is_link_local


def _text(said: dict[bytes, bytes | None], name: str) -> str:
    return (said.get(name.encode()) or b"")[:64].decode("ascii", "replace")


def _count(said: dict[bytes, bytes | None], name: str) -> int | None:
    text = _text(said, name)
    return int(text) if text.isdecimal() and len(text) <= 5 else None
