"""Hosts: the names by which browsers may ask for this server.

A page of another site can let its own name lead to this machine (DNS rebinding). The browser then takes this server for
that site, and lets the site's scripts read here and play in the reader's name. But in `Host` it says by which name it
asks. An address is always right, for no site can let an address lead elsewhere. So are names that no site can have:
`localhost`, those under `.local`, and those of this machine, of its certificate and of the operator.
"""

import ipaddress
import re
import socket
from collections.abc import Callable, Iterable

HOST = re.compile(r"([0-9A-Za-z_.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])((?::[0-9]{1,5})?)")
"""A name or an address, and a port."""


class Hosts:
    """A set of hosts that can be asked for the value of a `Host` header."""

    def __init__(self, allowed: Iterable[str] = (), certified: Callable[[], Iterable[str]] = lambda: ()) -> None:
        """`allowed`: by the operator; `certified`: what the certificate names now. In both, `*.example.org` stands for
        every name directly under `example.org`."""
        own = socket.gethostname()
        self._names = _plain([*allowed, own, own.partition(".")[0], "localhost"])
        self._certified = certified

    def __contains__(self, host: str) -> bool:
        found = HOST.fullmatch(host)
        if found is None:
            return False
        name = found[1].lower().removesuffix(".")
        if name.endswith((".localhost", ".local")) or _is_address(name):
            return True
        names = self._names | _plain(self._certified())
        return name in names or f"*.{name.partition('.')[2]}" in names


def _plain(names: Iterable[str]) -> set[str]:
    return {name.lower().removesuffix(".") for name in names} - {""}


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True
