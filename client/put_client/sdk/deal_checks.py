"""Checks of tables' messages, and our part in their deals, for one person at all tables.

Laws: every message of a table is checked before the program receives it, in order. Every deal is reported: as proved,
or as unproved with a reason, and both are counted. After a failed check nothing more is checked, dealt or played at the
table.

This module has the common part of all tables; `table_check` has the checks of one table, which need all rules.
"""

import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from msgspec import Struct

from put_client.sdk.errors import BadServer, Cheated
from put_client.sdk.session_store import KeyMemory
from put_protocol.blind import IS_AVAILABLE
from put_protocol.blind_events import BlindSpan
from put_protocol.cards import Card
from put_protocol.games.unions import GameView
from put_protocol.messages import Act, Decision, Events, Leave, Left, Ok, Request, Resign, Stand, TableSnapshot
from put_protocol.seats import GALLERY, Seat

if TYPE_CHECKING:
    from put_client.sdk.table_check import TableCheck


CLOCKS = (time.monotonic, time.time)


class ElapsedClock:
    """Clock for checking the server's times: it never runs slow, even if the machine sleeps.

    A monotonic clock stops while the machine sleeps, and the system's date may be set back. A slow clock would accuse
    an honest server of early time-outs. So each reading uses the larger advance of the two. If the date is set forward,
    this clock runs fast: an early time-out is then not noticed, but no server is accused wrongly.
    """

    def __init__(self, clocks: tuple[Callable[[], float], ...] = CLOCKS) -> None:
        self._clocks = clocks
        self._read = [clock() for clock in clocks]
        self._now = self._read[0]

    def now(self) -> float:
        """Seconds since some moment."""
        read = [clock() for clock in self._clocks]
        self._now += max(0.0, *[after - before for before, after in zip(self._read, read, strict=True)])
        self._read = read
        return self._now


Ask = Callable[[Callable[[int], Request]], Awaitable[Ok]]

SPANS = 16
"""States of blind games without their tables so far, of at most 3 MB each. The table follows immediately."""

TAKEN = 256
"""Tables that a server has taken from us, whose tallies are kept."""


class ProofStanding(StrEnum):
    """Proof of the deal in play."""

    AWAITED = "awaited"
    """It is being shuffled and shared."""
    PROVED = "proved"
    """Every shuffle, and every card shown, is proved."""
    UNPROVED = "unproved"
    """It cannot be proved, for a reason."""
    BROKEN = "broken"
    """A check failed: the table cheats."""


class Unproved(StrEnum):
    """Reason why a deal is not proved, although no fault was found."""

    PLAIN = "plain"
    """the server dealt it alone"""
    MISSED = "missed"
    """we came, or came back, during a hand that the server reads"""
    BLIND = "blind"
    """it was dealt blind, and the code for checks is not installed"""
    PACK = "pack"
    """the game is unknown here, so its pack cannot be checked"""


class DealSummary(Struct, frozen=True):
    """A deal shuffled by holders of keys, for the screen."""

    game: int
    """Number of the game of these keys at the table."""
    deal: int
    shufflers: tuple[Seat, ...] = ()
    """Seats that shuffled it, in order, with proofs."""
    awaited: tuple[Seat, ...] = ()
    is_read: bool = False
    """The rules must see hands: the server can read every card, but cannot choose any."""
    held: tuple[Seat, ...] = ()
    """Seats whose keys the server holds; it can see their cards."""
    cards: tuple[tuple[Card, Seat | None], ...] = ()
    """The viewer's own cards and shown cards, each with its player; None: turned up for all."""
    unseen: tuple[tuple[Seat, int], ...] = ()
    """Number of unseen cards of each player."""
    blamed: Seat | None = None
    """Seat that caused the repetition of the deal."""
    is_ruling: bool = False
    """Based only on the server's word."""

    @property
    def key(self) -> int:
        """Sort key among all deals of a sitting."""
        return self.game << 32 | self.deal


DealCounts = Counter[Unproved | None]
"""Deals with dealt cards, by the reason why they are not proved; None: proved."""


class Tally(Struct, frozen=True):
    """Deals of a sitting: each is proved, or unproved for a reason."""

    proved: int = 0
    unproved: tuple[tuple[Unproved, int], ...] = ()

    @classmethod
    def of(cls, counts: DealCounts) -> Self:
        return cls(counts[None], tuple([(why, count) for why, count in counts.items() if why is not None]))

    @property
    def dealt(self) -> int:
        return self.proved + sum(count for _, count in self.unproved)


class DealChecked(Struct, frozen=True):
    """The state of the checks, sent after each change."""

    table: int
    standing: ProofStanding | None
    """State of the deal in play; None: there was no deal yet."""
    deal: DealSummary | None
    """The changed deal, usually the one in play; None: no blind deal yet."""
    unproved: Unproved | None = None
    """Reason why the deal in play is not proved; None unless `standing` says so."""
    tally: Tally = Tally()
    """Counts of all deals since we came to the table, including the one in play."""
    is_game_over: bool = False
    """A game has just ended, and the tally includes its last deal."""
    is_weighable: bool = False
    """The server did not see our hand in that game, but `Client.analyse` still works."""

    @property
    def is_proved(self) -> bool:
        """Every card shown of the deal in play is proved."""
        return self.standing is ProofStanding.PROVED


class CheckFailed(Struct, frozen=True):
    """A check failed. No more moves are made at this table: `Client.act` raises the error."""

    table: int
    error: Cheated


class DealWarning(Struct, frozen=True):
    """A warning of this program about our own part in blind deals; unlike a `Notice`, no server can send it."""

    table: int
    says: str


News = DealChecked | CheckFailed | DealWarning


class _Taken(NamedTuple):
    """A table that the server has taken from us."""

    counts: DealCounts
    error: Cheated | None


class DealChecks:
    def __init__(self, server: str, *, is_checking: bool = True, keys: KeyMemory | None = None) -> None:
        """`server`: its name in evidence. `is_checking`: False: no checks, and the server holds our keys. `keys`:
        memory of blind deals."""
        self._server = server
        self._is_checking = is_checking
        self.keys = keys or KeyMemory()
        self.clock = ElapsedClock()
        self._ask: Ask
        self._deliver: Callable[[tuple[News, ...]], None]
        self._checks: dict[int, TableCheck] = {}
        self._spans: dict[int, list[bytes]] = {}
        """Parts of the states of blind games, whose tables are still to come."""
        self._asked_seat_at: dict[int, bool] = {}
        """Tables, and whether we keep our key there."""
        self._taken: dict[int, _Taken] = {}

    def attach(self, ask: Ask, deliver: Callable[[tuple[News, ...]], None]) -> None:
        """`deliver`: gets news that do not come from a message."""
        self._ask, self._deliver = ask, deliver

    def stop(self) -> None:
        for check in self._checks.values():
            check.stop()

    @property
    def holds_keys(self) -> bool:
        return self._is_checking and IS_AVAILABLE

    def of(self, table: int) -> "TableCheck | None":
        return self._checks.get(table)

    def read(self, message: TableSnapshot | Events | Decision | Left) -> Any:
        """The message for all other code, with places replaced by cards."""
        if isinstance(message, Left) or not self._is_checking:
            return message
        if isinstance(message, TableSnapshot):
            return self._read_snapshot(message)
        check = self._checks.get(message.table)
        if check is None:
            return message
        return check.read(message, self._take_span(message.table) if isinstance(message, Events) else b"")

    def _read_snapshot(self, snapshot: TableSnapshot) -> TableSnapshot:
        from put_client.sdk.table_check import TableCheck  # noqa: PLC0415  # with all rules; no first screen has a table

        table, span = snapshot.table, self._take_span(snapshot.table)
        check = self._checks.get(table)
        keeps_key = None if snapshot.viewer == GALLERY else self._asked_seat_at.pop(table, None)
        if snapshot.viewer != GALLERY and snapshot.viewer >= len(snapshot.info.seats):
            raise BadServer("it gave you a seat that the table does not have")
        if check is not None and keeps_key is None and snapshot.viewer not in (check.viewer, GALLERY):
            raise BadServer("it gave you a seat that you did not ask for")  # all that was told would be forgotten
        if check is None or keeps_key is not None or check.viewer != snapshot.viewer:
            self._take(table)
            taken = self._taken.pop(table, _Taken(Counter(), None))
            check = TableCheck(
                snapshot,
                self._server,
                self.keys,
                ask=self._ask,
                deliver=self._deliver,
                before=taken.counts,
                clock=self.clock,
                keeps_key=keeps_key or False,
            )
            if taken.error is not None:
                check.error = taken.error
                check.stop()
            self._checks[table] = check
        read: TableSnapshot = check.read(snapshot, span)
        return read

    def _take_span(self, table: int) -> bytes:
        return b"".join(self._spans.pop(table, ()))

    def add_span(self, span: BlindSpan) -> None:
        """:raises BadServer: the part does not follow the previous one."""
        if not self._is_checking:
            return
        if span.part == 1:
            self._spans[span.table] = []
        parts = self._spans.setdefault(span.table, [])
        if span.part != len(parts) + 1 or len(self._spans) > SPANS:
            raise BadServer("it gave the state of a deal in parts that do not follow one another")
        parts.append(span.data)

    def sit(self, table: int, *, keeps_key: bool = False) -> None:
        self._asked_seat_at[table] = keeps_key

    def asks(self, request: Request) -> None:
        """:raises Cheated: the request is a move, and a check failed at this table."""
        if isinstance(request, Act | Leave | Resign | Stand) and (check := self._checks.get(request.table)):
            if isinstance(request, Act) and check.error is not None:
                raise check.error
            check.note(request)

    def receive(
        self, message: TableSnapshot | Events | Decision | Left, forged: GameView | None, heard: float
    ) -> tuple[News, ...]:
        """Check a message. Deliver the returned news right after it.

        `forged`: its view, if that differs from the one that follows from the events. `heard`: when our latest answered
        request was sent, by the event loop's clock.
        """
        check = self._checks.get(message.table)
        if isinstance(message, Left):
            self._take(message.table)
            self.keys.forget(message.table)
            return ()
        return () if check is None else check.receive(message, forged, heard)

    def _take(self, table: int) -> None:
        """The server says that we have left the table. Results and counts are kept, in case we come back."""
        check = self._checks.pop(table, None)
        if check is not None:
            self._taken[table] = _Taken(check.leave(), check.error)
            if len(self._taken) > TAKEN:
                del self._taken[next(iter(self._taken))]

    def answered(self, request: Request | None) -> None:
        """A request was carried out; None: it was sent from here. Drops a table that we have left."""
        if isinstance(request, Stand | Leave) and (left := self._checks.pop(request.table, None)) is not None:
            left.stop()
            self.keys.forget(request.table)

    def lose(self) -> None:
        self._spans.clear()  # of the rest only the server knows whether it still comes
        for check in self._checks.values():
            check.lose()

    def come_back(self, tables: Iterable[int]) -> None:
        """The connection is back, and we are still at these tables."""
        for gone in self._checks.keys() - set(tables):
            self._take(gone)
