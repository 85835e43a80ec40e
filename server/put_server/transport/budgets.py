"""Budgets: what peers make the server do, and who has to wait until it is paid.

The model is one of debt. Work is done, and then the processor time that it took is charged to whom it was done for. A
debt is paid by time passing. A peer that owes too much is not read until enough is paid, so what they send waits at
their end and costs nothing here.

Nothing is estimated but what is done before there is a peer to charge. `Budgets.work` measures the processor time of
this thread, so a busy machine makes no peer pay more. It covers all that a peer causes: reading, carrying out,
encoding, the writes to others, and what is done later, behind a commit or for a crowd. Work within work is charged
once, to those it is for. A debt is in microseconds, and charged to three kinds of accounts:

- the person's, or the stranger's connection. It belongs to the person and not to the socket: reconnecting pays nothing.
- those of their places: many people at one address, or in one network, share one account.
- the total, of all but play. While it is in debt all but play waits, and that goes first for whose origin least was
  done of late: debts are paid too soon to tell a crowd from a newcomer. So all that is asked, by however many, takes a
  part of the server's time, and the rest is left to play.

Play is charged as well, to the person and their places alone: no play waits for what others owe. It meets a limit
only where it takes more than one person, or one address, may have of the server. Who is exempt is not charged.
"""

import math
import time
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from put_protocol.messages import Act, Again, Blind
from put_server.table.table_effects import PersonId
from put_server.transport.rate_limit import RateLimit

if TYPE_CHECKING:
    from put_server.transport.interfaces import Peer

MOVES: Final = frozenset((Act, Again, Blind))
"""Requests that are play, where they are carried out."""

TRIFLE: Final = 1_500.0
RECENT_TRIFLE: Final = 10_000.0
"""A peer who owes less, and for whom less was done of late, is read on at any total debt: what they ask for is served
by turns, if it is no move. Debts alone are paid too soon: twenty who each send bytes that come to nothing would take
all of the time, and be read on."""

PERSON_RATE: Final = 60_000.0
"""The cost that a person pays in a second: some 200 moves."""

PERSON_CREDIT: Final = 300_000.0
"""The most that a person may owe: coming back to sixty tables costs a tenth of it."""

ORIGIN_RATE: Final = 150_000.0
ORIGIN_CREDIT: Final = 600_000.0
"""The same for all who come from one address."""

HOUSE_RATE: Final = 150_000.0
HOUSE_CREDIT: Final = 200_000.0
"""The same of house players, for all at one address who play with them; beyond it they answer later."""

TOTAL_RATE: Final = 250_000.0
"""The share of a second for what all ask that is no play, where it is asked for."""

TOTAL_CREDIT: Final = 10_000.0
"""The debt in all at which a peer waits: a delay of others that no player notices."""

TOTAL_MOST: Final = 100_000.0
"""The part of what is owed in all that counts: nobody waits much longer than half a second for what others have had
done. More comes together where the news of one request goes to a crowd."""

RECENT_MS: Final = 30_000
"""Time in which two thirds of what was done for an origin are forgotten, where it is asked whose turn is next."""

RECENT_RATE: Final = 100.0
"""The rate at which it is forgotten besides: of a connection that came to nothing, in three seconds."""

TURN_COST: Final = 20.0
"""The cost of what the event loop does before and after a session is called."""

PLAY_COST: Final = 1_000.0
"""The cost of play that is charged in one go: some moves."""

CONNECTION_COST: Final = 200.0
"""The cost of a connection that says something: accepting it, and its session."""

HANDSHAKE_COST: Final = 2_000.0
"""The cost of a TLS handshake, besides."""


class Account:
    __slots__ = ("_at", "_credit", "_most", "_rate", "debt")

    def __init__(self, now: int, rate: float, credit: float, most: float = math.inf) -> None:
        """`most`: what is owed beyond it is forgiven."""
        self.debt = 0.0
        """The debt at the time of the last `settle`."""
        self._most = most
        self._rate = rate
        self._credit = credit
        self._at = now

    def settle(self, now: int) -> float:
        """Pay for the time that passed; returns what is still owed."""
        if self.debt:
            self.debt = max(0.0, self.debt - (now - self._at) * self._rate / 1000)
        self._at = now
        return self.debt

    def charge(self, now: int, cost: float) -> bool:
        """Returns whether more is owed now than may be."""
        debt = self.debt - (now - self._at) * self._rate / 1000
        self.debt = debt = min(debt + cost if debt > 0.0 else cost, self._most)
        self._at = now
        return debt > self._credit

    def is_over(self, now: int) -> bool:
        """True if more is owed than may be."""
        return self.debt > self._credit and self.settle(now) > self._credit

    def wait_s(self, now: int) -> float:
        """Seconds until it is not."""
        return max(0.0, self.settle(now) - self._credit) / self._rate


class Recent:
    """Work done of late for a person, an origin, or a network around it.

    It fades instead of being paid, so what is done steadily adds up however slowly it comes: a crowd of many origins,
    for each of which less is done than anybody may ask for, is told from a newcomer all the same.
    """

    __slots__ = ("_at", "_share", "_work")

    def __init__(self, now: int, share: int = 1) -> None:
        """`share`: how many times as much as an origin it may have."""
        self._work = 0.0
        self._share = share
        self._at = now

    def charge(self, now: int, cost: float) -> None:
        self._work = self.settle(now) + cost / self._share

    def settle(self, now: int) -> float:
        """Microseconds that are not forgotten, as if for one origin."""
        if self._work:
            passed = now - self._at
            self._work = max(0.0, self._work * math.exp(-passed / RECENT_MS) - passed * RECENT_RATE / 1000)
        self._at = now
        return self._work


class Allowance:
    """Debt and rate limit of a person, or of a connection without one yet."""

    __slots__ = ("account", "played", "rate_limit", "recent")

    def __init__(self, now: int) -> None:
        self.account = Account(now, PERSON_RATE, PERSON_CREDIT)
        self.recent = Recent(now)
        """The recent cost of what was asked, but play."""
        self.played = 0.0
        """The cost of play, not charged yet."""
        self.rate_limit = RateLimit(now)


class Work(Struct):
    """The processor time of this thread while a block runs, charged at its end."""

    budgets: "Budgets"
    payers: "tuple[Peer, ...]"
    cost: float = 0.0
    """Microseconds; when the block has ended, with what it took."""
    is_play: bool = False
    must_wait: bool = False
    """Behind the block: those it was for owe too much for more of it."""
    _former: "tuple[Peer, ...]" = ()
    _begun: int = 0

    def __enter__(self) -> "Work":
        budgets = self.budgets
        self._former, budgets.payers = budgets.payers, self.payers
        self._begun = budgets.clock() - budgets.charged
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        budgets = self.budgets
        taken = budgets.clock() - budgets.charged - self._begun
        budgets.charged += taken
        budgets.payers = self._former
        self.cost = cost = self.cost + taken / 1000
        if self.is_play and len(self.payers) == 1:  # of a player's moves several are charged at once
            standing = self.payers[0].standing
            standing.played = cost = cost + standing.played
            if cost < PLAY_COST:
                return
            standing.played = 0.0
        self.must_wait = budgets.charge(self.payers, cost, is_play=self.is_play)


class Budgets:
    """All accounts but those of places, which are kept with them."""

    def __init__(self, now: Callable[[], int], clock: Callable[[], int] = time.thread_time_ns) -> None:
        """`now`: milliseconds that pass. `clock`: nanoseconds that this thread has worked."""
        self._now = now
        self.clock = clock
        self.charged = 0
        """Nanoseconds of all work that has ended: work within work is not counted again."""
        self.payers: tuple[Peer, ...] = ()
        """Whom the work is for that is done now."""
        self._arrivals = Account(now(), TOTAL_RATE / 2, TOTAL_CREDIT / 2, TOTAL_MOST)
        self._total = Account(now(), TOTAL_RATE, TOTAL_CREDIT, TOTAL_MOST)
        self._standings: dict[PersonId, Allowance] = {}

    def of(self, person: PersonId) -> Allowance:
        standing = self._standings.get(person)
        if standing is None:
            standing = self._standings[person] = Allowance(self._now())
        return standing

    def keep(self, people: Iterable[PersonId]) -> None:
        known = set(people)
        if len(self._standings) > len(known):
            self._standings = {person: kept for person, kept in self._standings.items() if person in known}

    def work(self, payers: "tuple[Peer, ...]", cost: float = 0.0) -> Work:
        """Measures a block, and charges these for it in equal parts, with `cost` besides."""
        return Work(self, payers, cost)

    def charge(self, payers: "tuple[Peer, ...]", cost: float, *, is_play: bool = False) -> bool:
        """They owe this, in equal parts; those who are exempt owe nothing. Returns whether one must wait."""
        if not payers:
            return False
        now, part, must_wait = self._now(), max(0.0, cost) / len(payers), False
        for payer in payers:
            places = payer.caller.places
            if not places:
                continue
            must_wait |= payer.standing.account.charge(now, part)
            for place in places:
                must_wait |= place.account.charge(now, part)
            if not is_play:
                must_wait |= self._total.charge(now, part)
        return must_wait

    @property
    def is_over(self) -> bool:
        """True if all together owe too much."""
        return self._total.is_over(self._now())

    def charge_all(self, cost: float) -> None:
        """All together owe this, and nobody by themselves."""
        self._total.charge(self._now(), cost)

    def charge_arrival(self, payer: "Peer", cost: float) -> None:
        """A connection was made, which no peer decides to wait with. All together owe for that at most half of their
        part, so under a flood of handshakes the other half is left to newcomers."""
        now = self._now()
        payer.standing.account.charge(now, cost)
        for place in payer.caller.places:
            place.account.charge(now, cost)
        if payer.caller.places and not self._arrivals.charge(now, cost):
            self._total.charge(now, cost)
        self.note_turn(payer, cost)

    def note_turn(self, payer: "Peer", cost: float) -> None:
        """A peer had a turn that was no play. News to others are debts alone, so a newcomer goes before a crowd."""
        now = self._now()
        payer.standing.recent.charge(now, cost)
        for place in payer.caller.places:
            place.recent.charge(now, cost)

    def recent(self, payer: "Peer") -> float:
        """Recent work for the networks of a peer, for the one that had most of its share."""
        now = self._now()
        return max([place.recent.settle(now) for place in payer.caller.places], default=0.0)

    def is_trifle(self, standing: Allowance) -> bool:
        """True if a person owes so little, and so little was done for them, that they are read on at any total debt."""
        return standing.account.debt < TRIFLE and standing.recent.settle(self._now()) < RECENT_TRIFLE

    def must_wait(self, payer: "Peer", *, is_play: bool = False) -> bool:
        """True if a person is not served before something is paid, by them or, but for play, by all."""
        places = payer.caller.places
        if not places:
            return False
        now = self._now()
        return (
            payer.standing.account.is_over(now)
            or any(place.account.is_over(now) for place in places)
            or (not is_play and self._total.is_over(now))
        )

    def owes(self, standing: Allowance) -> bool:
        """True if a person owes too much to come back at once."""
        return standing.account.is_over(self._now())
