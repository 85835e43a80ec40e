"""Budgets: what peers make the server do, and who has to wait until it is paid.

The model is one of debt. A request is carried out, and then its cost is charged: the bytes that came, and the messages
it made the server send, to whomever. A debt is paid by time passing. Whoever owes too much is not read until enough is
paid, so what they send waits at their end and costs nothing here.

A cost is an estimate in microseconds of the server's time, computed from counts alone: it does not depend on how busy
the machine is. It is charged to three accounts:

- the person's, or the stranger's connection. It belongs to the person and not to the socket: reconnecting pays nothing.
- the origin's: many people at one address share one account.
- the total. While the total is in debt everybody pays more slowly, the more so the deeper it is, and who owes more than
  a trifle waits. What is heavy, a look at the lobby or a newcomer, is served one at a time then, who owes the least
  first: a crowd of people who owe nothing yet would stall the server, and nobody may wait for ever. So all that is
  asked, by however many, takes a part of the server's time, and the rest is left to play.

Moves are free, for a table sets the pace of its game itself. So are those who are exempt. Whoever only plays, talks and
looks around at the pace of people owes nothing that counts, whatever others do.
"""

from collections.abc import Iterable
from typing import Final

from put_protocol.messages import Events, LobbyState, ServerMessage, TableSnapshot
from put_server.table.effects import Effect, PersonId, Tell
from put_server.transport.rate_limit import RateLimit

TRIFLE: Final = 1_500.0
"""Who owes less never waits, unless for something heavy: some ten requests of a person."""

ORIGIN_TRIFLE: Final = 3_000.0
"""The same for all who come from one address."""

PERSON_RATE: Final = 60_000.0
"""What a person pays in a second."""

PERSON_CREDIT: Final = 300_000.0
"""What a person may owe: coming back to sixty tables costs a tenth of it."""

ORIGIN_RATE: Final = 150_000.0
ORIGIN_CREDIT: Final = 600_000.0
"""The same for all who come from one address."""

TOTAL_RATE: Final = 250_000.0
"""Of a second for what all ask that is no play, where it is asked for."""

TOTAL_CREDIT: Final = 10_000.0
"""What may be owed in all before anybody waits: a delay of others that nobody notices."""

REQUEST_COST: Final = 60.0
"""Of any request: decoding, checking, recording, answering."""

CONNECTION_COST: Final = 200.0
"""Of a connection that says something: accepting it, and its session."""

HANDSHAKE_COST: Final = 2_000.0
"""Of a TLS handshake, besides."""

HELLO_COST: Final = 300.0
"""Of letting somebody in, besides: a token, a welcome, and what is recorded of their coming and going."""

REFUSAL_COST: Final = 40.0
"""Of telling somebody to wait."""

HEARTBEAT_COST: Final = 8.0

BYTE_COST: Final = 0.25
"""Of a byte of frames or JSON: the worst 64 KiB take a hundredth of a second."""

TYPED_BYTE_COST: Final = 16.0
"""Of a byte of typed text, every one of which may be a line that is answered. A person's typing is paid at once."""


class Account:
    """What one owes."""

    __slots__ = ("_at", "_rate", "debt")

    def __init__(self, now: int, rate: float) -> None:
        self.debt = 0.0
        """At the time of the last `settle`."""
        self._rate = rate
        self._at = now

    def settle(self, now: int, pace: float = 1.0) -> float:
        """Pay for the time that passed; returns what is still owed."""
        if self.debt:
            self.debt = max(0.0, self.debt - (now - self._at) * self._rate * pace / 1000)
        self._at = now
        return self.debt


class Standing:
    """What is counted against a person, or against a connection that is nobody's yet."""

    __slots__ = ("account", "rate_limit")

    def __init__(self, now: int) -> None:
        self.account = Account(now, PERSON_RATE)
        self.rate_limit = RateLimit(now)


class Budgets:
    """All accounts but those of origins, which are kept with the origins."""

    def __init__(self, now: int) -> None:
        self._total = Account(now, TOTAL_RATE)
        self._standings: dict[PersonId, Standing] = {}
        self._heavy_left = 0

    def let_heavy(self, count: int) -> None:
        """From now on serve so many heavy requests though the total is in debt."""
        self._heavy_left = count

    def of(self, person: PersonId, now: int) -> Standing:
        """What is counted against a person."""
        standing = self._standings.get(person)
        if standing is None:
            standing = self._standings[person] = Standing(now)
        return standing

    def keep(self, people: Iterable[PersonId]) -> None:
        """Forget everyone else."""
        known = set(people)
        if len(self._standings) > len(known):
            self._standings = {person: kept for person, kept in self._standings.items() if person in known}

    def charge(self, now: int, cost: float, standing: Standing, origin: Account) -> None:
        pace = self._pace(now)
        for account in (standing.account, origin):
            account.settle(now, pace)
            account.debt += cost
        self._total.debt += cost

    def _pace(self, now: int) -> float:
        """At which debts are paid: 1, or less while the total is in debt."""
        total = self._total
        return 1.0 if not total.debt or total.settle(now) <= TOTAL_CREDIT else TOTAL_CREDIT / total.debt

    def must_wait(self, now: int, standing: Standing, origin: Account, *, for_heavy: bool = False) -> bool:
        """Whether somebody owes too much for anything but moves. `for_heavy`: it is about something that takes long."""
        mine, pace = standing.account, self._pace(now)
        owed, owed_there = mine.settle(now, pace), origin.settle(now, pace)
        if pace == 1.0:
            return owed > PERSON_CREDIT or owed_there > ORIGIN_CREDIT
        if owed > TRIFLE or owed_there > ORIGIN_TRIFLE:
            return True
        if not for_heavy:
            return False
        self._heavy_left -= 1
        return self._heavy_left < 0

    def owes(self, now: int, standing: Standing) -> bool:
        """Whether a person owes too much to come back at once."""
        return standing.account.settle(now) > PERSON_CREDIT


_TOLD: Final = 20.0
"""Of a message to one more person: queueing and writing it."""


def cost_of(effects: Iterable[Effect]) -> float:
    """Of a request that had these effects."""
    return REQUEST_COST + sum(
        [len(effect.people) * _TOLD + _cost_of_message(effect.message) for effect in effects if type(effect) is Tell]
    )


def _cost_of_message(message: ServerMessage) -> float:
    """Of making and encoding it, once for all who see the same."""
    match message:
        case LobbyState(tables=tables, people=people):
            return 10.0 + 16.0 * len(tables) + 3.0 * len(people)
        case TableSnapshot():
            return 150.0
        case Events(events=events):
            return 20.0 + 10.0 * len(events)
        case _:
            return 10.0
