"""Admission: which connections there are, from where, and which are cut when there is no room.

A connection is a *stranger's* until the lobby has let its peer in. Strangers have places of their own, and never take
those of people: so whoever comes back to a seat finds a place, however many strangers there are. A new stranger is let
in even when all places of strangers are taken. Then another is cut: of the origin with the most strangers the one who
has been here longest. So an origin that fills the places crowds out itself, and a program that says its hello at once
is not a stranger for long.

Besides, an origin has quotas: connections a minute, and newcomers a minute. Who comes back with a token is no newcomer,
and meets none but the first. How many people of an origin may be here at once, the lobby says.
"""

from collections.abc import Callable
from typing import Protocol

from put_server.transport.bans import Bans
from put_server.transport.budgets import ORIGIN_RATE, Account
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
"""People without a token: more than sit at the tables of a club, and each makes the server remember somebody."""

ASIDE = 64
"""Descriptors for other things than connections: the journal, the operator's socket, programs that weigh decisions."""

KEPT_FOR_RETURNS = 8
"""One in so many of the connections that people may have is for those who come back."""


class Holder(Protocol):
    """Whoever holds a connection: the listener, and then a session."""

    def cut(self) -> None: ...


class Place:
    """An origin from which there are connections, or that owes something."""

    __slots__ = ("account", "arrivals", "connections", "newcomers", "strangers")

    def __init__(self, now: int) -> None:
        self.connections = 0
        self.strangers: dict[Caller, None] = {}
        """The oldest first."""
        self.account = Account(now, ORIGIN_RATE)
        self.arrivals = Bucket(now, most=ARRIVALS_AT_ONCE, per_second=ARRIVALS_PER_SECOND)
        self.newcomers = Bucket(now, most=NEWCOMERS_AT_ONCE, per_second=NEWCOMERS_PER_SECOND)

    def is_idle(self, now: int) -> bool:
        """Whether it is as good as new."""
        return not (self.connections or self.account.settle(now)) and (
            self.arrivals.is_full(now) and self.newcomers.is_full(now)
        )


class Caller:
    """One connection, from its being accepted to its end."""

    __slots__ = (
        "address",
        "holder",
        "is_encrypted",
        "is_stranger",
        "name",
        "origin",
        "parting",
        "place",
        "refusal",
        "since",
        "site",
    )

    def __init__(self, address: str = "", site: str = "", *, is_exempt: bool = False) -> None:
        self.address = address
        """As text, for the log; empty where there is no socket."""
        self.site = site
        """The origin of the address, be it exempt or not."""
        self.origin = EXEMPT if is_exempt else site
        """What quotas are kept under; empty: exempt."""
        self.place: Place | None = None
        """Of the origin, while the connection stands; None: exempt."""
        self.since = 0
        """When it was accepted."""
        self.holder: Holder | None = None
        self.is_encrypted = False
        self.refusal = ""
        """Why the peer is sent away, to be said as soon as it has shown how it speaks; empty: it is not."""
        self.is_stranger = False
        self.name = ""
        """Of the person who was let in, for the log."""
        self.parting = "lost"
        """How the connection ended, for the log: the code of the goodbye, if there was one."""

    def is_within(self, network: Network) -> bool:
        """Whether it comes from there."""
        return bool(self.address) and (
            (address := parse_address(self.address)).version == network.version and address in network
        )


class Admission:
    """The connections of a server."""

    def __init__(self, now: Callable[[], int], *, strangers: int = STRANGERS, bans: Bans | None = None) -> None:
        self.bans = bans or Bans()
        self.log = PeerLog()
        self._now = now
        self._most_people: int | None = None
        """Connections of people; None: as many as the lobby lets in."""
        self._most_strangers = strangers
        self._callers: set[Caller] = set()
        self._places: dict[str, Place] = {}
        self._exempt = Place(0)
        """Of all who are exempt: it has no quotas, but its strangers are counted with the others."""
        self._crowded: dict[Place, None] = {}
        """Where strangers are from; among equals the first gives way."""
        self._stranger_count = 0

    @property
    def connections(self) -> int:
        return len(self._callers)

    def enter(self, caller: Caller) -> str:
        """A connection was made; another may be cut for it. Returns why it is refused; empty if it is not."""
        now = caller.since = self._now()
        if caller.address and parse_address(caller.address) in self.bans:
            return self._refused(caller, "banned")
        place = self._place_of(caller.origin)
        if caller.origin:
            if place.arrivals.spend(now):
                return self._refused(caller, "too many connections")
            caller.place = place
        place.connections += 1
        self._callers.add(caller)
        self.distrust(caller)
        return ""

    def _refused(self, caller: Caller, why: str) -> str:
        self.log.refused(caller.address, why)
        return why

    def cut_strangers(self, network: Network) -> int:
        """Close the connections of strangers from there; returns how many there were."""
        found = [caller for caller in self._callers if caller.is_stranger and caller.is_within(network)]
        for caller in found:
            if caller.holder is not None:
                caller.holder.cut()
        return len(found)

    def newcomer(self, caller: Caller) -> int:
        """Somebody without a token wants to be let in. Returns 0, or how many milliseconds they have to wait."""
        place = caller.place
        return 0 if place is None else place.newcomers.spend(self._now())

    def fit(self, descriptors: int) -> None:
        """Make do with so many: strangers may have a quarter of them, and people the rest."""
        left = max(2, descriptors - ASIDE)
        self._most_strangers = min(self._most_strangers, max(1, left // 4))
        self._most_people = left - self._most_strangers

    @property
    def has_room_for_newcomers(self) -> bool:
        """Whether the places that are left are more than those kept for who comes back."""
        if self._most_people is None:
            return True
        people = len(self._callers) - self._stranger_count
        return people < self._most_people - self._most_people // KEPT_FOR_RETURNS

    def _place_of(self, origin: str) -> Place:
        if not origin:
            return self._exempt
        place = self._places.get(origin)
        if place is None:
            place = self._places[origin] = Place(self._now())
        return place

    def distrust(self, caller: Caller) -> None:
        """Count a connection as a stranger's, be it new or no longer anybody's."""
        if caller.is_stranger or caller not in self._callers:
            return
        place = caller.place or self._exempt
        if caller.place is not None and len(place.strangers) >= STRANGERS_AN_ORIGIN:
            self._cut_oldest(place)
        elif self._stranger_count >= self._most_strangers:
            self.make_room()
        caller.is_stranger = True
        place.strangers[caller] = None
        self._crowded[place] = None
        self._stranger_count += 1

    def make_room(self) -> bool:
        """Cut a stranger. False: there is none."""
        if not self._crowded:
            return False
        self._cut_oldest(max(self._crowded, key=lambda place: len(place.strangers)))
        return True

    def _cut_oldest(self, place: Place) -> None:
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
        place = caller.place or self._exempt
        del place.strangers[caller]
        if not place.strangers:
            self._crowded.pop(place, None)
        self._stranger_count -= 1

    def leave(self, caller: Caller) -> None:
        """A connection ended; may be called again."""
        if caller not in self._callers:
            return
        self.trust(caller)
        caller.holder = None
        self._callers.discard(caller)
        (caller.place or self._exempt).connections -= 1

    def tick(self, now: int) -> None:
        """Forget origins that are as good as new; every second or so."""
        self.log.tick(now)
        for origin in [origin for origin, place in self._places.items() if place.is_idle(now)]:
            del self._places[origin]
