"""Budgets: the cost of each peer's work, and waits until it is paid.

The model is debt. The server does the work first, and then charges its processor time to the peer that caused it. A
debt is paid off over time. The server does not read from a peer with too much debt, so their input waits at their end
and costs nothing here.

Only work before a peer is known is estimated. `Budgets.work` measures the time that passes, and once in a millisecond
of work the processor time of this thread, so the price does not depend on other load. It covers all that a peer causes:
reading, execution, encoding, writes to others, and later work after a commit or for a crowd. Nested work is charged
once, to the inner payers. A debt is in microseconds, and charged to three kinds of accounts:

- that of the person, or of the stranger's connection. A person keeps their debt when they reconnect.
- those of the origin and its networks, shared by all people there.
- the total, for all work except play. While the total has too much debt, all work except play waits. The origin with
  the least recent work then goes first, because debts are paid too quickly to tell a crowd from a newcomer. So
  requests, from any number of peers, take a limited part of the server's time, and the rest is for play.

Play is charged only to the person and their places, so it never waits for the debts of others. It is limited only if
one person, or one address, uses more than their share. Exempt peers are not charged.
"""

import math
import time
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from put_protocol.messages import Act, Again, Blind
from put_server.table.table_effects import PersonId
from put_server.transport.rate_limit import Account, RateLimit

if TYPE_CHECKING:
    from put_server.transport.interfaces import Peer

MOVES: Final = frozenset((Act, Again, Blind))
"""Requests that count as play when carried out."""

TRIFLE: Final = 1_500.0
RECENT_TRIFLE: Final = 10_000.0
"""A peer below this debt and this recent work is read at any total debt, but requests other than moves wait in turn.
A limit of debt alone is not enough: twenty peers that send useless bytes pay off so quickly that they would take all
the time."""

PERSON_RATE: Final = 60_000.0
"""Cost that a person pays off in a second: some 200 moves."""

PERSON_CREDIT: Final = 300_000.0
"""Largest debt of a person. Returning to sixty tables costs a tenth of it."""

ORIGIN_RATE: Final = 150_000.0
ORIGIN_CREDIT: Final = 600_000.0
"""Largest debt of one address."""

HOUSE_RATE: Final = 150_000.0
HOUSE_CREDIT: Final = 200_000.0
"""Largest debt for house players in games with people of one address; beyond it house players answer later."""

TOTAL_RATE: Final = 250_000.0
"""Cost of requests other than play that is paid off in a second, in total."""

TOTAL_CREDIT: Final = 10_000.0
"""Total debt at which a peer waits. The delay for other peers is too short to notice."""

TOTAL_MOST: Final = 100_000.0
"""Cap of the total debt: a peer waits at most about half a second for others. News to a crowd may cost more."""

RECENT_MS: Final = 30_000
"""Time in which recent work of an origin fades by two thirds, when deciding whose turn is next."""

RECENT_RATE: Final = 100.0
"""Additional constant fading: a connection that did nothing is forgotten in three seconds."""

TURN_COST: Final = 20.0
"""Cost of the event loop around a call of a session."""

READ_NS: Final = 1_000_000
"""Time between two looks at the processor time of this thread: each is a system call of 0.8 us."""

PLAY_COST: Final = 1_000.0
"""Amount of play that is charged at once: some moves."""

CONNECTION_COST: Final = 200.0
"""Cost of accepting a connection and making its session, if the peer sends something."""

HANDSHAKE_COST: Final = 2_000.0
"""The cost of a TLS handshake, besides."""


class Recent:
    """Recent work for a person, an origin, or a network around it.

    It fades instead of being paid off, so slow but steady work adds up. Thus a crowd of many origins, each below its
    limit, still differs from a newcomer.
    """

    __slots__ = ("_at", "_share", "_work")

    def __init__(self, now: int, share: int = 1) -> None:
        """`share`: its limits, as a multiple of those of one origin."""
        self._work = 0.0
        self._share = share
        self._at = now

    def charge(self, now: int, cost: float) -> None:
        self._work = self.settle(now) + cost / self._share

    def settle(self, now: int) -> float:
        """Microseconds not faded yet, scaled to one origin."""
        if self._work:
            passed = now - self._at
            self._work = max(0.0, self._work * math.exp(-passed / RECENT_MS) - passed * RECENT_RATE / 1000)
        self._at = now
        return self._work


class Allowance:
    """Debt and rate limit of a person, or of a connection without a person."""

    __slots__ = ("account", "played", "rate_limit", "recent")

    def __init__(self, now: int) -> None:
        self.account = Account(now, PERSON_RATE, PERSON_CREDIT)
        self.recent = Recent(now)
        """Recent cost of requests other than play."""
        self.played = 0.0
        """The cost of play, not charged yet."""
        self.rate_limit = RateLimit(now)


class Work(Struct):
    """Processor time of a block, charged at its end."""

    budgets: "Budgets"
    payers: "tuple[Peer, ...]"
    cost: float = 0.0
    """Microseconds; after the block, including those of the block."""
    is_play: bool = False
    must_wait: bool = False
    """After the block: the payers owe too much to continue."""
    _former: "tuple[Peer, ...]" = ()
    _begun: int = 0

    def __enter__(self) -> "Work":
        budgets = self.budgets
        self._former, budgets.payers = budgets.payers, self.payers
        now = budgets.wall_clock()
        if now - budgets.read_at >= READ_NS:
            budgets.read_clock(now)
        self._begun = now - budgets.charged
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        budgets = self.budgets
        budgets.payers = self._former
        now = budgets.wall_clock()
        taken = now - budgets.charged - self._begun
        budgets.charged += taken
        if now - budgets.read_at >= READ_NS:
            taken = min(taken, budgets.read_clock(now))  # it did not run longer than since the last reading
        self.cost = cost = self.cost + taken / 1000
        if self.is_play and len(self.payers) == 1:  # of a player's moves several are charged at once
            standing = self.payers[0].standing
            standing.played = cost = cost + standing.played
            if cost < PLAY_COST:
                return
            standing.played = 0.0
        self.must_wait = budgets.charge(self.payers, cost, is_play=self.is_play)


class Budgets:
    """All accounts except those of places, which the places store."""

    def __init__(
        self,
        now: Callable[[], int],
        clock: Callable[[], int] = time.thread_time_ns,
        wall_clock: Callable[[], int] = time.perf_counter_ns,
    ) -> None:
        """`now`: milliseconds of a monotonic clock. `clock`: processor time of this thread in nanoseconds.
        `wall_clock`: nanoseconds of a monotonic clock."""
        self._now = now
        self.clock = clock
        self.wall_clock = wall_clock
        self.charged = 0
        """Nanoseconds of all finished work by `wall_clock`, to count nested work only once."""
        self._read = self.read_at = 0
        """The last reading of `clock`, and the time of it by `wall_clock`."""
        self.payers: tuple[Peer, ...] = ()
        """The peers who pay for the current work."""

        self._arrivals = Account(now(), TOTAL_RATE / 2, TOTAL_CREDIT / 2)
        self._total = Account(now(), TOTAL_RATE, TOTAL_CREDIT)
        self._standings: dict[PersonId, Allowance] = {}

    def read_clock(self, now: int) -> int:
        """Nanoseconds of processor time since the last reading. `now`: by `wall_clock`."""
        before, self._read, self.read_at = self._read, self.clock(), now
        return self._read - before

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
        """Measure a block, and charge it to these peers in equal parts, with `cost` added."""
        return Work(self, payers, cost)

    def charge(self, payers: "tuple[Peer, ...]", cost: float, *, is_play: bool = False) -> bool:
        """Charge these peers in equal parts, except exempt ones. Returns true if one must wait."""
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
                must_wait |= self._total.charge(now, part, TOTAL_MOST)
        return must_wait

    @property
    def is_over(self) -> bool:
        return self._total.is_over(self._now())

    def charge_total(self, cost: float) -> None:
        self._total.charge(self._now(), cost, TOTAL_MOST)

    def charge_arrival(self, payer: "Peer", cost: float) -> None:
        """Charge for accepting a connection, which happens before its peer can be made to wait. The total is charged at
        most half of its rate for this, so during a flood of handshakes the other half is left for newcomers."""
        self.charge((payer,), cost, is_play=True)
        if payer.caller.places and not self._arrivals.charge(self._now(), cost, TOTAL_MOST):
            self.charge_total(cost)
        self.note_turn(payer, cost)

    def note_turn(self, payer: "Peer", cost: float) -> None:
        """Note a turn other than play as recent work. News to others is only debt, so a newcomer goes before a
        crowd."""
        now = self._now()
        payer.standing.recent.charge(now, cost)
        for place in payer.caller.places:
            place.recent.charge(now, cost)

    def recent(self, payer: "Peer") -> float:
        """Recent work of a peer's networks, relative to their shares; the largest counts."""
        now = self._now()
        return max([place.recent.settle(now) for place in payer.caller.places], default=0.0)

    def is_trifle(self, standing: Allowance) -> bool:
        """True if a person's debt and recent work are so small that they are read at any total debt."""
        return standing.account.debt < TRIFLE and standing.recent.settle(self._now()) < RECENT_TRIFLE

    def must_wait(self, payer: "Peer", *, is_play: bool = False) -> bool:
        """True if a person must wait for their own debt or, except for play, for the total."""
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
        """True if a person owes too much to return at once."""
        return standing.account.is_over(self._now())
