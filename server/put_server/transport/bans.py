"""Bans: addresses and prefixes that may not connect. Stored in a small file of the data directory, one per line."""

from collections.abc import Iterable
from pathlib import Path

from put_runtime.private_files import replace_private
from put_server.transport.origins import Address, Network, Networks, parse_network, site_of

MOST_BANS = 1_000
"""More are a task for a firewall."""

TOO_MANY = f"there are {MOST_BANS} bans already; lift some, or use a firewall"


class BadBans(Exception):
    """The file cannot be read or written; the sentence says why."""


class Bans:
    """All bans, in the order in which they were added."""

    def __init__(self, path: Path | None = None) -> None:
        """Read the bans from this file; None: bans are not stored.

        :raises BadBans: the file cannot be read, or a line is no address.
        """
        self._path = path
        try:
            self.replace(parse_bans(self._read()))
        except ValueError as error:
            raise BadBans(f"{path}, {error}") from None

    def _read(self) -> str:
        if self._path is None:
            return ""
        try:
            return self._path.read_text("utf-8")
        except FileNotFoundError:
            return ""
        except NotADirectoryError:
            raise BadBans(f"{self._path.parent} is not a directory; choose another with --data") from None
        except (OSError, UnicodeDecodeError) as error:
            raise BadBans(f"{self._path} cannot be read: {getattr(error, 'strerror', None) or 'no text'}") from None

    def __contains__(self, address: Address) -> bool:
        return address in self._lookup

    @property
    def all(self) -> tuple[str, ...]:
        return tuple(map(written, self._networks))

    def replace(self, networks: Iterable[Network]) -> None:
        """Replace all bans by these, which are stored elsewhere."""
        self._networks = dict.fromkeys(networks)
        self._lookup = Networks(map(site_of, self._networks))

    def has(self, network: Network) -> bool:
        """True if exactly this network is banned."""
        return network in self._networks

    def add(self, network: Network) -> None:
        """Add a ban; nothing changes if it cannot be stored.

        :raises BadBans: the file cannot be written, or there are too many bans.
        """
        if network in self._networks:
            return
        if len(self._networks) >= MOST_BANS:
            raise BadBans(TOO_MANY)
        self._store([*self._networks, network])

    def discard(self, network: Network) -> None:
        """:raises BadBans: it cannot be written."""
        if network in self._networks:
            self._store([kept for kept in self._networks if kept != network])

    def _store(self, networks: list[Network]) -> None:
        """Replace all bans, in the file too: whole or not at all, whenever the power goes."""
        if self._path is not None:
            try:
                replace_private(self._path, lines_of(networks).encode())
            except OSError as error:
                raise BadBans(f"{self._path} cannot be written: {error.strerror}") from None
        self.replace(networks)


def parse_bans(text: str) -> list[Network]:
    """Read bans, one per line.

    :raises ValueError: a line is no address; the sentence names it.
    """
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                found.append(parse_network(line.strip()))
            except ValueError:
                raise ValueError(f"line {number}: this is neither an address nor a prefix") from None
    return found


def lines_of(networks: Iterable[Network]) -> str:
    """Write bans in the form that `parse_bans` reads."""
    return "".join(f"{written(network)}\n" for network in networks)


def written(network: Network) -> str:
    """An address without its prefix length, a prefix with it."""
    return str(network.network_address if network.prefixlen == network.max_prefixlen else network)
