"""Admission: counts connections by network, and cuts some when there is no room.

A connection is a *stranger's* until the lobby admits its peer. Strangers have separate places, and never take those of
people, so a returning player always finds a place. When all strangers' places are taken, a new stranger replaces
another: the longest connected in the origin with most strangers, in the network with most strangers. So a network that
floods the server crowds out itself, and a program that says `hello` at once is not a stranger for long.

An origin also has quotas: connections a minute, and newcomers a minute. A person who returns with a token is no
newcomer, so only the first quota applies. The lobby limits the number of people of an origin. Every quota also holds
for the networks around an origin, each with its share (`lobby.prefixes`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

from put_server.lobby.prefixes import prefixes_of
from put_server.transport.bans import Bans
from put_server.transport.budgets import HOUSE_CREDIT, HOUSE_RATE, ORIGIN_CREDIT, ORIGIN_RATE, Recent
from put_server.transport.origins import Network, parse_address
from put_server.transport.peer_log import PeerLog
from put_server.transport.rate_limit import Account

STRANGERS = 256
"""Connections of strangers: peers before `hello`, and peers that are about to be refused."""

STRANGERS_AN_ORIGIN = 64
"""Strangers of one origin: enough for the bots of one machine that all connect at once."""

ARRIVALS_AT_ONCE = 120
ARRIVALS_PER_SECOND = 4.0
"""Connections of one origin: after a restart a whole club returns at once, and each person tries more than once."""

NEWCOMERS_AT_ONCE = 80
NEWCOMERS_PER_SECOND = 1.0
"""Newcomers of one origin: more than sit at the tables of a club. The server must remember each of them."""

ASIDE = 64
"""File descriptors for other uses: the journal, the operator's socket, analysis programs."""

KEPT_FOR_RETURNS = 8
"""Share of the connections of people that is reserved for people who return: one in so many."""


class Holder(Protocol):
    """Holder of a connection: the listener at first, then a session."""

    def cut(self) -> None: ...


class NetworkUse:
    """An origin, or a network around it, that has connections or debts."""

    __slots__ = ("account", "arrivals", "connections", "house", "narrower", "newcomers", "recent", "share", "strangers")

    def __init__(self, now: int, share: int = 1) -> None:
        self.share = share
        """Its limits, as a multiple of those of one origin."""
        self.connections = 0
        self.strangers: dict[Caller, None] = {}
        """The oldest first."""
        self.narrower: dict[NetworkUse, None] = {}
        """Its narrower networks with strangers; on a tie the first loses a stranger."""
        self.account = Account(now, ORIGIN_RATE * share, ORIGIN_CREDIT * share)
        self.recent = Recent(now, share)
        """Recent cost of requests other than play. Among waiting peers, the one with the least goes next."""
        self.house = Account(now, HOUSE_RATE * share, HOUSE_CREDIT * share)
        """Cost of the house players in games with its people."""
        self.arrivals = Account(now, ARRIVALS_PER_SECOND * share, ARRIVALS_AT_ONCE * share)
        self.newcomers = Account(now, NEWCOMERS_PER_SECOND * share, NEWCOMERS_AT_ONCE * share)

    def is_idle(self, now: int) -> bool:
        """True if its state equals that of a new network."""
        debts = self.account, self.recent, self.house, self.arrivals, self.newcomers
        return not (self.connections or any(debt.settle(now) for debt in debts))


@dataclass(slots=True, eq=False)
class Caller:
    """One connection, from accepting to its end."""

    address: str = ""
    """Address as text, for the log; empty without a socket."""
    site: str = ""
    """Origin of the address."""
    is_exempt: bool = False
    """It has no quotas."""
    places: tuple[NetworkUse, ...] = ()
    """Uses of the origin and of each network around it, during the connection; empty: exempt."""
    accepted_at: int = 0
    """Milliseconds of the server's clock."""
    holder: Holder | None = None
    is_counted: bool = False
    """It counts towards the server's connections."""
    is_encrypted: bool = False
    refusal: str = ""
    """Reason to refuse the peer, sent once its codec is known; empty: not refused."""
    is_stranger: bool = False
    name: str = ""
    """Name of the admitted person, for the log."""
    parting: str = "lost"
    """End of the connection, for the log: the code of the goodbye, if any."""

    @property
    def origin(self) -> str:
        """Origin for quotas; empty: exempt."""
        return "" if self.is_exempt else self.site

    def is_within(self, network: Network) -> bool:
        return bool(self.address) and parse_address(self.address) in network


class Admission:
    def __init__(self, now: Callable[[], int], *, strangers: int = STRANGERS, bans: Bans | None = None) -> None:
        self.bans = bans or Bans()
        self.log = PeerLog()
        self._now = now
        self._most_people: int | None = None
        """Connections of people; None: the lobby's limit."""
        self._most_strangers = strangers
        self._places: dict[str, NetworkUse] = {}
        self._exempt = NetworkUse(0)
        """Use of all exempt peers: without quotas, but its strangers count."""
        self._everywhere = NetworkUse(0)

    @property
    def connections(self) -> int:
        return self._everywhere.connections

    def enter(self, caller: Caller) -> str:
        """Add a connection, perhaps by cutting another. Returns why it is refused; empty: accepted."""
        now = caller.accepted_at = self._now()
        if caller.address and parse_address(caller.address) in self.bans:
            return self._refused(caller, "banned")
        places = self.places_of(caller.origin)
        # The narrowest first: an origin that is refused takes nothing from its neighbours.
        if any(place.arrivals.spend(now) for place in places):
            return self._refused(caller, "too many connections")
        caller.places = places
        for place in self._counted(caller):
            place.connections += 1
        caller.is_counted = True
        self.distrust(caller)
        return ""

    def _refused(self, caller: Caller, why: str) -> str:
        self.log.refused(caller.address, why)
        return why

    def cut_strangers(self, network: Network) -> int:
        """Close the strangers' connections of a network; returns their number."""
        found = [caller for caller in self._everywhere.strangers if caller.is_within(network)]
        for caller in found:
            if caller.holder is not None:
                caller.holder.cut()
        return len(found)

    def newcomer(self, caller: Caller) -> int:
        """Check the quota of newcomers. Returns 0, or the milliseconds to wait."""
        now = self._now()
        return next((wait for place in caller.places if (wait := place.newcomers.spend(now))), 0)

    def fit(self, descriptors: int) -> None:
        """Limit connections to this many descriptors: a quarter for strangers, the rest for people."""
        left = max(2, descriptors - ASIDE)
        self._most_strangers = min(self._most_strangers, max(1, left // 4))
        self._most_people = left - self._most_strangers

    @property
    def has_room_for_newcomers(self) -> bool:
        """True if places are left beyond those reserved for returning players."""
        if self._most_people is None:
            return True
        people = self.connections - len(self._everywhere.strangers)
        return people < self._most_people - self._most_people // KEPT_FOR_RETURNS

    def places_of(self, origin: str) -> tuple[NetworkUse, ...]:
        """Uses of an origin and of each network around it; empty: exempt."""
        known = self._places
        for network, share in prefixes_of(origin):
            if network not in known:
                known[network] = NetworkUse(self._now(), share)
        return tuple([known[prefix.network] for prefix in prefixes_of(origin)])

    def _counted(self, caller: Caller) -> tuple[NetworkUse, ...]:
        """Uses that a connection counts for, the narrowest first."""
        return (*(caller.places or (self._exempt,)), self._everywhere)

    def distrust(self, caller: Caller) -> None:
        """Count a connection as a stranger's, because it is new or no longer a person's."""
        if caller.is_stranger or not caller.is_counted:
            return
        full = [place for place in caller.places if len(place.strangers) >= STRANGERS_AN_ORIGIN * place.share]
        if full:
            self._cut_stranger(full[0])
        elif len(self._everywhere.strangers) >= self._most_strangers:
            self.make_room()
        caller.is_stranger = True
        places = self._counted(caller)
        for place in places:
            place.strangers[caller] = None
        for narrow, wide in pairwise(places):
            wide.narrower[narrow] = None

    def make_room(self) -> bool:
        """Cut a stranger. False: there is none."""
        if not self._everywhere.strangers:
            return False
        self._cut_stranger(self._everywhere)
        return True

    def _cut_stranger(self, place: NetworkUse) -> None:
        """Cut the oldest stranger of the most crowded narrower network in the most crowded network."""
        while place.narrower:
            place = max(place.narrower, key=lambda narrower: len(narrower.strangers))
        caller = next(iter(place.strangers))
        holder = caller.holder
        self.leave(caller)
        if holder is not None:
            holder.cut()

    def trust(self, caller: Caller) -> None:
        """The lobby let the peer in."""
        if not caller.is_stranger:
            return
        caller.is_stranger = False
        places = self._counted(caller)
        for place in places:
            del place.strangers[caller]
        for narrow, wide in pairwise(places):
            if not narrow.strangers:
                wide.narrower.pop(narrow, None)

    def leave(self, caller: Caller) -> None:
        """Remove a connection; may be called again."""
        if not caller.is_counted:
            return
        self.trust(caller)
        caller.holder = None
        caller.is_counted = False
        for place in self._counted(caller):
            place.connections -= 1

    def tick(self, now: int) -> None:
        """Forget origins without state; call every second or so."""
        self.log.tick(now)
        for origin in [origin for origin, place in self._places.items() if place.is_idle(now)]:
            del self._places[origin]
