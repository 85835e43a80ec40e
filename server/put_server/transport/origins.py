"""Origins: keys of addresses for quotas (see `lobby.prefixes`), and lists of addresses.

An origin is an IPv4 address, or the /64 of an IPv6 address, because each customer of a provider has a whole /64. IPv4
written as IPv6 (`::ffff:192.0.2.1`) is IPv4. The empty origin is exempt from quotas.
"""

import ipaddress
import re
from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
"""RFC 6052."""

_V6_SITE = 64
"""Bits of an IPv6 address that identify a customer; a host chooses the rest freely."""


@lru_cache(maxsize=1_024)
def parse_address(text: str) -> Address:
    """Parse an address. Recent results are cached, because a flood comes from few addresses.

    :raises ValueError: it is no address.
    """
    address = ipaddress.ip_address(text.partition("%")[0])
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address


def parse_network(text: str) -> Network:
    """Parse an address or a prefix (`192.0.2.0/24`); a scope and bits behind the prefix are dropped.

    :raises ValueError: it is neither.
    """
    network = ipaddress.ip_network(re.sub("%[^/]*", "", text), strict=False)
    if isinstance(network, ipaddress.IPv6Network) and network.prefixlen >= 96:
        mapped = network.network_address.ipv4_mapped
        if mapped is not None:
            return ipaddress.ip_network((mapped, network.prefixlen - 96))
    return network


def site_of(network: Network) -> Network:
    """Network that a ban of a single IPv6 address covers: its /64, because the host chooses the rest."""
    if isinstance(network, ipaddress.IPv6Network) and network.prefixlen > _V6_SITE:
        return network.supernet(new_prefix=_V6_SITE)
    return network


def parse_networks(text: str) -> tuple[Network, ...]:
    """Addresses and prefixes with commas or spaces between them.

    :raises ValueError: an item is invalid; the sentence names it.
    """
    return tuple([parse_network(word) for word in text.replace(",", " ").split()])


@lru_cache(maxsize=1_024)
def origin_of(address: Address) -> str:
    """Key of an address for quotas."""
    inner = address if isinstance(address, ipaddress.IPv4Address) else _inner(address)
    if inner is not None:
        return str(inner)
    site = int(address) >> _V6_SITE << _V6_SITE
    return f"{ipaddress.IPv6Address(site)}/{_V6_SITE}"


def _inner(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """The IPv4 host behind an address of a transition mechanism, only for quotas. Otherwise a translator (NAT64) would
    be one origin for all of IPv4, and 6to4 would give each host 65,536. Permissions never depend on its lower bits."""
    if address in _NAT64:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address.teredo[1] if address.teredo else address.sixtofour


class Networks:
    """A set of networks. Looking up an address takes constant time."""

    def __init__(self, networks: Iterable[Network] = ()) -> None:
        self._by_prefix: dict[tuple[int, int], set[int]] = defaultdict(set)
        """First addresses of the networks, by IP version and number of host bits."""
        for network in networks:
            host_bits = network.max_prefixlen - network.prefixlen
            self._by_prefix[network.version, host_bits].add(int(network.network_address))

    def __contains__(self, address: Address) -> bool:
        number, version = int(address), address.version
        return any(
            of_version == version and number >> host << host in networks
            for (of_version, host), networks in self._by_prefix.items()
        )
