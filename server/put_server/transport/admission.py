"""Admission: which connections there are, from where, and which are cut when there is no room.

A connection is a *stranger's* until the lobby has let its peer in. Strangers have places of their own, and never take
those of people: so a player who comes back to a seat finds a place, however many strangers there are. A new stranger is
let in even when all places of strangers are taken. Then another is cut: of the network with the most strangers, and in
it of the origin with the most, the one who has been here longest. So a network that fills the places crowds out itself,
and a program that says its hello at once is not a stranger for long.

Besides, an origin has quotas: connections a minute, and newcomers a minute. Who comes back with a token is no newcomer,
and meets none but the first. How many people of an origin may be here at once, the lobby says. Every quota holds for
the networks around an origin as well, each with its share (`lobby.prefixes`).
"""

from collections.abc import Callable
from itertools import pairwise
from typing import Protocol

from put_server.lobby.prefixes import prefixes_of
from put_server.transport.bans import Bans
from put_server.transport.budgets import HOUSE_CREDIT, HOUSE_RATE, ORIGIN_CREDIT, ORIGIN_RATE, Account, Recent
from put_server.transport.origins import EXEMPT, Network, parse_address
from put_server.transport.peer_log import PeerLog
from put_server.transport.rate_limit import Bucket

STRANGERS = 256
"""Connections of strangers: those who have not said hello yet, and those about to be refused."""

STRANGERS_AN_ORIGIN = 64
"""Enough for the bots of one machine that all connect at once."""

ARRIVALS_AT_ONCE = 120
ARRIVALS_PER_SECOND = 4.0
"""Connections of one origin: a whole club comes back at once after a restart, each of them more than once."""

NEWCOMERS_AT_ONCE = 80
NEWCOMERS_PER_SECOND = 1.0
"""People without a token: more than sit at the tables of a club, and each makes the server remember a person."""

ASIDE = 64
"""Descriptors for other things than connections: the journal, the operator's socket, programs that weigh decisions."""

KEPT_FOR_RETURNS = 8
"""One in so many of the connections that people may have is for those who come back."""


class Holder(Protocol):
    """Holder of a connection: the listener, and then a session."""

    def cut(self) -> None: ...


class NetworkUse:
    """An origin, or a network around it, from which there are connections, or that owes something."""

    __slots__ = ("account", "arrivals", "connections", "house", "narrower", "newcomers", "recent", "share", "strangers")

    def __init__(self, now: int, share: int = 1) -> None:
        self.share = share
        """So many times as much is allowed as to one origin."""
        self.connections = 0
        self.strangers: dict[Caller, None] = {}
        """The oldest first."""
        self.narrower: dict[NetworkUse, None] = {}
        """Those in it where strangers are from; among equals the first gives way."""
        self.account = Account(now, ORIGIN_RATE * share, ORIGIN_CREDIT * share)
        self.recent = Recent(now, share)
        """The recent cost of what was asked, but play: of those who wait, who had least is the next."""
        self.house = Account(now, HOUSE_RATE * share, HOUSE_CREDIT * share)
        """The cost of what house players do for them."""
        self.arrivals = Bucket(now, most=ARRIVALS_AT_ONCE * share, per_second=ARRIVALS_PER_SECOND * share)
        self.newcomers = Bucket(now, most=NEWCOMERS_AT_ONCE * share, per_second=NEWCOMERS_PER_SECOND * share)

    def is_idle(self, now: int) -> bool:
        """True if it is as good as new."""
        owes = any([self.account.settle(now), self.recent.settle(now), self.house.settle(now)])
        return not (self.connections or owes) and (self.arrivals.is_full(now) and self.newcomers.is_full(now))


class Caller:
    """One connection, from its being accepted to its end."""

    __slots__ = (
        "address",
        "holder",
        "is_counted",
        "is_encrypted",
        "is_stranger",
        "name",
        "origin",
        "parting",
        "places",
        "refusal",
        "since",
        "site",
    )

    def __init__(self, address: str = "", site: str = "", *, is_exempt: bool = False) -> None:
        self.address = address
        """The address as text, for the log; empty where there is no socket."""
        self.site = site
        """The origin of the address, be it exempt or not."""
        self.origin = EXEMPT if is_exempt else site
        """The origin that quotas are kept under; empty: exempt."""
        self.places: tuple[NetworkUse, ...] = ()
        """Places of the origin and of each network around it, while the connection stands; none: exempt."""
        self.since = 0
        """The time when it was accepted."""
        self.holder: Holder | None = None
        self.is_counted = False
        """It is one of the server's connections."""
        self.is_encrypted = False
        self.refusal = ""
        """The reason why the peer is sent away, to be said as soon as it has shown how it speaks; empty: it is not."""
        self.is_stranger = False
        self.name = ""
        """The name of the person who was let in, for the log."""
        self.parting = "lost"
        """The end of the connection, for the log: the code of the goodbye, if there was one."""

    @property
    def place(self) -> NetworkUse | None:
        """Use by the origin alone."""
        return self.places[0] if self.places else None

    def is_within(self, network: Network) -> bool:
        return bool(self.address) and (
            (address := parse_address(self.address)).version == network.version and address in network
        )


class Admission:
    def __init__(self, now: Callable[[], int], *, strangers: int = STRANGERS, bans: Bans | None = None) -> None:
        self.bans = bans or Bans()
        self.log = PeerLog()
        self._now = now
        self._most_people: int | None = None
        """Connections of people; None: as many as the lobby lets in."""
        self._most_strangers = strangers
        self._places: dict[str, NetworkUse] = {}
        self._exempt = NetworkUse(0)
        """The standing of all who are exempt: it has no quotas, but its strangers are counted with the others."""
        self._everywhere = NetworkUse(0)

    @property
    def connections(self) -> int:
        return self._everywhere.connections

    def enter(self, caller: Caller) -> str:
        """A connection was made; another may be cut for it. Returns why it is refused; empty if it is not."""
        now = caller.since = self._now()
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
        """Close the connections of strangers from there; returns how many there were."""
        found = [caller for caller in self._everywhere.strangers if caller.is_within(network)]
        for caller in found:
            if caller.holder is not None:
                caller.holder.cut()
        return len(found)

    def newcomer(self, caller: Caller) -> int:
        """A person without a token wants to be let in. Returns 0, or how many milliseconds they have to wait."""
        now = self._now()
        return next((wait for place in caller.places if (wait := place.newcomers.spend(now))), 0)

    def fit(self, descriptors: int) -> None:
        """Make do with so many: strangers may have a quarter of them, and people the rest."""
        left = max(2, descriptors - ASIDE)
        self._most_strangers = min(self._most_strangers, max(1, left // 4))
        self._most_people = left - self._most_strangers

    @property
    def has_room_for_newcomers(self) -> bool:
        """True if more places are left than those kept for players who come back."""
        if self._most_people is None:
            return True
        people = self.connections - len(self._everywhere.strangers)
        return people < self._most_people - self._most_people // KEPT_FOR_RETURNS

    def places_of(self, origin: str) -> tuple[NetworkUse, ...]:
        """Use by an origin, and by each network around it; empty: it is exempt."""
        known = self._places
        for network, share in prefixes_of(origin):
            if network not in known:
                known[network] = NetworkUse(self._now(), share)
        return tuple([known[prefix.network] for prefix in prefixes_of(origin)])

    def _counted(self, caller: Caller) -> tuple[NetworkUse, ...]:
        """Uses that a connection counts against, the narrowest first."""
        return (*(caller.places or (self._exempt,)), self._everywhere)

    def distrust(self, caller: Caller) -> None:
        """Count a connection as a stranger's, be it new or no longer anybody's."""
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
        """Cuts the oldest stranger of the network with most strangers, in its most crowded narrower network."""
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
        """A connection ended; may be called again."""
        if not caller.is_counted:
            return
        self.trust(caller)
        caller.holder = None
        caller.is_counted = False
        for place in self._counted(caller):
            place.connections -= 1

    def tick(self, now: int) -> None:
        """Forget origins that are as good as new; every second or so."""
        self.log.tick(now)
        for origin in [origin for origin, place in self._places.items() if place.is_idle(now)]:
            del self._places[origin]
