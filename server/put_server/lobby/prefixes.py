"""Prefixes of an origin: the networks around it, which have quotas too.

An origin is what one person usually has: an IPv4 address, or the /64 of an IPv6 address, as text. But one customer of a
provider may have a /56 or a /48 (65,536 origins), and a rented rack a /24. A new provider gets a /32, which is 65,536
times a /48; nothing like that can be rented for IPv4. So every limit for an origin also holds for each network around
it, multiplied by a share. The empty origin is exempt, and has no prefixes.
"""

import ipaddress
from functools import lru_cache
from typing import NamedTuple

_AROUND_V4 = ((24, 8, 4),)
_AROUND_V6 = ((56, 72, 2), (48, 80, 4), (32, 96, 16))
"""Networks around an IPv6 origin, the narrowest first: bits of the prefix, bits behind it, and share. A /32 has a large
share, because all customers of a provider may be in it."""


class Prefix(NamedTuple):
    network: str
    share: int
    """Its limits, as a multiple of those of one origin."""


@lru_cache(maxsize=16_384)  # more than the people of the largest server
def prefixes_of(origin: str) -> tuple[Prefix, ...]:
    """The networks around an origin, the narrowest first; the first is the origin itself."""
    if not origin:
        return ()
    kind, widths = (ipaddress.IPv6Address, _AROUND_V6) if ":" in origin else (ipaddress.IPv4Address, _AROUND_V4)
    number = int(kind(origin.partition("/")[0]))
    around = [Prefix(f"{kind(number >> host << host)}/{bits}", share) for bits, host, share in widths]
    return (Prefix(origin, 1), *around)


@lru_cache(maxsize=16_384)
def networks_of(origin: str) -> tuple[str, ...]:
    """Names of these networks and of "", the network of everyone; the widest first."""
    return ("", *[prefix.network for prefix in reversed(prefixes_of(origin))])


class Crowds:
    """Counts by network and in total, including exempt origins."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}

    def __getitem__(self, network: str) -> int:
        return self._counts.get(network, 0)

    def note(self, origin: str, more: int = 1) -> None:
        """Add to the counts of an origin; a negative number subtracts."""
        for network in networks_of(origin):
            count = self._counts.pop(network, 0) + more
            if count:
                self._counts[network] = count
