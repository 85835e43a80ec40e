"""Cost of blind deals: processor time of a client and of the server, and bytes, from one deal to the next.

One deal is the work of each side from one dealing to the next: its shares and cards, its shuffle of the next pack, and
checks of the others' shuffles. Each client has the key of one seat; the server has none, checks no shuffle, and deals
three cards to each. All cards are shown, and each seat acts twice. If the server reads the pack, it checks all shares,
and no card is shown.
"""

import time
from collections.abc import Callable
from typing import NamedTuple, ParamSpec, TypeVar

from put_protocol.blind.blind_game import BlindGame
from put_protocol.blind.deal import READ, holds
from put_protocol.blind.keys import key_of_seed
from put_protocol.blind.party import Party, deal_entry
from put_protocol.blind.reading import Reading
from put_protocol.blind.transcript import Terms
from put_protocol.cards import PACKS, Card
from put_protocol.seats import Seat
from scripts.benches.harness import Report

P = ParamSpec("P")
T = TypeVar("T")

A_HAND = 3
ACTS = 2
SERVER = -1
"""The number of the server's times among the seats'."""

SIZES = ((2, "french-52"), (3, "french-52"), (4, "french-52"), (6, "tarot-78"))
READ_SIZES = ((4, "french-52"), (4, "tarot-78"))
AIMS = {(2, "french-52"): 40, (4, "french-52"): 80}
"""The most milliseconds of a client."""
SERVER_AIM = 2
"""The most milliseconds of a server at a table of two."""


class Cost(NamedTuple):
    client: float
    """Seconds of the slowest client."""
    server: float
    holding: float
    """Seconds of a client from the dealing to the first act."""
    sent: int
    """Most bytes sent by a client."""
    reading: float = 0.0
    """Seconds of the server's thread that reads the pack."""


class TimedTable:
    def __init__(self, seats: int, cards: tuple[Card, ...]) -> None:
        self.server = key_of_seed(bytes(32))
        terms = Terms(table=1, game=1, holders=tuple(range(1, seats + 1)), cards=cards, server=self.server.point)
        self.game = BlindGame.begun(terms)
        self.parties = [Party.holding(bytes([seat + 1]) * 32, terms, [Seat(seat)]) for seat in range(seats)]
        self.views = [self.game] * seats
        self.times: dict[int, float] = {}
        self.sent: dict[int, int] = {}
        self._settle()

    def deal(self, *, is_read: bool = False) -> Cost:
        self.times, self.sent = {}, {}
        owners = [Seat(place % len(self.views)) for place in range(A_HAND * len(self.views))]
        if is_read:
            owners += [READ] * (len(self.game.terms.cards) - len(owners))
        reader = self.server.point.encoded if is_read else b""
        self._order(self._timed(SERVER, deal_entry, self.game, self.server, owners, reader), is_checked=True)
        while self.game.playing is None or not self.game.playing.is_shared:
            self._step()
        holding = max(self.times[seat] for seat in range(len(self.views)))
        self._settle()
        reading = self._read() if is_read else 0.0
        for seat, party in enumerate(self.parties):
            for place in () if is_read else self._timed(seat, party.hand, self.views[seat], Seat(seat)):
                self._send(seat, party.show, self.views[seat], Seat(seat), place)
            for _ in range(ACTS):
                self._send(seat, party.act, self.views[seat], Seat(seat), 0, b"put")
        client = max(self.times[seat] for seat in range(len(self.views)))
        return Cost(client, self.times[SERVER], holding, max(self.sent.values()), reading)

    def _read(self) -> float:
        deal, begun = self.game.playing, time.process_time()
        assert deal is not None
        reading = Reading(deal, self.server)
        assert reading.wrong is None
        return time.process_time() - begun

    def _settle(self) -> None:
        while self.game.awaits():
            self._step()

    def _step(self) -> None:
        seat = self.game.awaits()[0][0]
        (entry,) = self._timed(seat, self.parties[seat].due, self.views[seat])
        self._sent(seat, entry)

    def _send(self, seat: int, make: Callable[P, bytes], *args: P.args, **names: P.kwargs) -> None:
        self._sent(seat, self._timed(seat, make, *args, **names))

    def _sent(self, seat: int, entry: bytes) -> None:
        self.sent[seat] = self.sent.get(seat, 0) + len(entry)
        self._order(entry)

    def _order(self, entry: bytes, *, is_checked: bool = False) -> None:
        self.game, receipt = self._timed(SERVER, self.game.taken, entry, self.server, is_checked=is_checked)
        for seat, view in enumerate(self.views):
            holds.cache_clear()  # of what another party checked
            self.views[seat] = self._timed(seat, view.told, (entry, receipt), self.parties[seat].seats)

    def _timed(self, who: int, work: Callable[P, T], *args: P.args, **names: P.kwargs) -> T:
        begun = time.process_time()
        found = work(*args, **names)
        self.times[who] = self.times.get(who, 0.0) + time.process_time() - begun
        return found


def measure(report: Report, *, is_quick: bool) -> None:
    report.section("Blind deals: processor time from one dealing to the next, each client with its own key")
    for is_read, (seats, name) in [(False, size) for size in SIZES] + [(True, size) for size in READ_SIZES]:
        table = TimedTable(seats, PACKS[name])
        table.deal(is_read=is_read)
        costs = [table.deal(is_read=is_read) for _ in range(3 if is_quick else 9)]
        title = f"{seats} seats, {len(PACKS[name])} cards{', read' if is_read else ''}"
        aim = None if is_read else AIMS.get((seats, name))
        report.figure(f"{title}: a client", [1e3 * one.client for one in costs], "ms", at_most=aim, decimals=1)
        report.figure("    of it at the deal", [1e3 * one.holding for one in costs], "ms", decimals=1)
        at_most = SERVER_AIM if seats == 2 else None
        report.figure("    the server", [1e3 * one.server for one in costs], "ms", at_most=at_most, decimals=1)
        if is_read:
            report.figure("    the server reads", [1e3 * one.reading for one in costs], "ms", decimals=1)
        report.figure("    sent by a client", [one.sent for one in costs], "bytes")
