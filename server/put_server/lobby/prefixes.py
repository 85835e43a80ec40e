"""Prefixes of an origin: the networks around it, for each of which quotas are kept.

An origin is what one person can be expected to have: an IPv4 address, or the /64 of an IPv6 address, as text. But
addresses come in bulk: a customer of a provider may have a /56 or a /48, which is 65,536 origins, and a rented rack a
/24. Whoever becomes a provider has a /32, which is 65,536 times a /48; as much of IPv4 nobody can rent. So everything
that is limited for an origin is limited for each network around it as well, at some times as much. The empty origin is
exempt, and has no prefixes.
"""

import ipaddress
from functools import lru_cache
from typing import NamedTuple

_AROUND_V4 = ((24, 8, 4),)
_AROUND_V6 = ((56, 72, 2), (48, 80, 4), (32, 96, 16))
"""The networks around an origin, the narrowest first: the bits of the prefix, the bits behind it, and its share. That
of a /32 is large, for all customers of a provider may be in one."""


class Prefix(NamedTuple):
    """A network for which quotas are kept."""

    network: str
    share: int
    """It may have so many times what one origin may have."""


@lru_cache(maxsize=16_384)  # more than the people of the largest server
def prefixes_of(origin: str) -> tuple[Prefix, ...]:
    """The networks around an origin, the narrowest first: that is the origin itself."""
    if not origin:
        return ()
    kind, widths = (ipaddress.IPv6Address, _AROUND_V6) if ":" in origin else (ipaddress.IPv4Address, _AROUND_V4)
    number = int(kind(origin.partition("/")[0]))
    around = [Prefix(f"{kind(number >> host << host)}/{bits}", share) for bits, host, share in widths]
    return (Prefix(origin, 1), *around)


@lru_cache(maxsize=16_384)
def networks_of(origin: str) -> tuple[str, ...]:
    """The same without their shares, and that of all, "", the widest first."""
    return ("", *[prefix.network for prefix in reversed(prefixes_of(origin))])


class Crowds:
    """Counts by network, and in all of them together, the exempt included."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}

    def __getitem__(self, network: str) -> int:
        return self._counts.get(network, 0)

    def note(self, origin: str, more: int = 1) -> None:
        """So many more are of this origin, or fewer."""
        for network in networks_of(origin):
            count = self._counts.pop(network, 0) + more
            if count:
                self._counts[network] = count
