"""Prefixes of an origin."""

import pytest

from put_server.lobby.prefixes import prefixes_of
from put_server.transport.origins import origin_of, parse_address


@pytest.mark.parametrize(
    ("address", "networks"),
    [
        ("192.0.2.77", ["192.0.2.77", "192.0.2.0/24"]),
        ("::ffff:192.0.2.77", ["192.0.2.77", "192.0.2.0/24"]),
        (
            "2001:db8:aa:bbcc::1",
            ["2001:db8:aa:bbcc::/64", "2001:db8:aa:bb00::/56", "2001:db8:aa::/48", "2001:db8::/32"],
        ),
        ("fe80::1%eth0", ["fe80::/64", "fe80::/56", "fe80::/48", "fe80::/32"]),
        ("64:ff9b::192.0.2.77", ["192.0.2.77", "192.0.2.0/24"]),
        ("2002:c000:24d:1::1", ["192.0.2.77", "192.0.2.0/24"]),
        ("2001:0:5ef5:79fb::3fff:fdb2", ["192.0.2.77", "192.0.2.0/24"]),
    ],
)
def test_every_address_has_its_prefixes(address: str, networks: list[str]) -> None:
    """The narrowest first; an address that IPv6 makes of an IPv4 address (mapped, NAT64, 6to4, Teredo) has those of
    that one, for behind each stands one host."""
    found = prefixes_of(origin_of(parse_address(address)))
    assert [prefix.network for prefix in found] == networks
    shares = [prefix.share for prefix in found]
    assert shares == sorted(shares)
    assert shares[0] == 1


def test_the_exempt_have_no_prefixes() -> None:
    """The empty origin is in no network."""
    assert prefixes_of("") == ()
