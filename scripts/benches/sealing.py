"""Cost of sealed deals: moves with them against moves without, bytes of a deal, and a client's time for a hand."""

import random
import time
from collections.abc import Iterable
from contextlib import ExitStack

from put_protocol.cards import FULL_PACK
from put_protocol.codecs import FRAMES, LINES, Codec
from put_protocol.games.put import Dealt
from put_protocol.messages import Events, ServerMessage
from put_protocol.seal.checking import Checker
from put_protocol.seal.cuts import Chain
from put_protocol.seal.packs import seal
from put_protocol.seal_events import Openings, SealEvent
from put_protocol.seats import Seat
from scripts.benches import harness
from scripts.benches.harness import Report
from scripts.benches.load import Tables
from tests.table.table_harness import ANN, BEN
from tests.table.test_sealing import SealedTableHarness

TABLES = 200
AIM = 0.95


def measure(report: Report, *, is_quick: bool) -> None:
    """All sections."""
    seconds, rounds = (1.0, 3) if is_quick else (3.0, 7)
    report.section(f"Sealed deals: {TABLES} tables of two, moves with them and without in turns")
    with ExitStack() as stack:
        rates: dict[bool, list[float]] = {}
        contestants: dict[bool, Tables] = {}
        for is_sealed in (False, True):
            process = stack.enter_context(harness.server())
            contestants[is_sealed] = Tables(process.port, TABLES, is_sealed=is_sealed)
            stack.callback(contestants[is_sealed].close)
            contestants[is_sealed].run(seconds)
            rates[is_sealed] = []
        for _ in range(rounds):
            for is_sealed, tables in contestants.items():
                moves, span = tables.run(seconds)
                rates[is_sealed].append(moves / span)
    report.figure("dealt without seals", rates[False], "a second")
    report.figure("sealed, both players cutting every deal", rates[True], "a second")
    ratios = [sealed / plain for plain, sealed in zip(*rates.values(), strict=True)]
    report.figure("the second against the first", ratios, "of it", at_least=AIM, decimals=2)
    _of_a_deal(report)


def _of_a_deal(report: Report) -> None:
    """Bytes and times of a deal, from tables in this process at which each player checks what they are sent."""
    harness = SealedTableHarness()
    harness.join(ANN, Seat(0))
    harness.join(BEN, Seat(1))
    harness.play_on(random.Random(1), 1_000)
    told = [message for message in harness.mail[ANN] if isinstance(message, Events | Openings)]
    hands = sum(isinstance(event, Dealt) for message in told if isinstance(message, Events) for event in message.events)
    for codec in (FRAMES, LINES):
        seals = _bytes(_seals(told), codec) / hands
        proofs = _bytes([message for message in told if isinstance(message, Openings)], codec) / hands
        report.figure(f"a deal in {codec.name}, without openings", [seals], "bytes")
        report.figure("    and with them", [seals + proofs], "bytes")
    checker = Checker(7, Seat(0), chain=Chain(bytes([1]) * 32, 128))
    begun = time.perf_counter()
    for message in told:
        for one in (message,) if isinstance(message, Openings) else message.events:
            checker.check(one)
        checker.cut()
    report.figure("a client checks a hand", [(time.perf_counter() - begun) / hands * 1e6], "us")
    begun = time.perf_counter()
    for deal in range(200):
        seal(bytes(32), 1, deal, FULL_PACK)
    report.figure("a server seals a deal", [(time.perf_counter() - begun) / 200 * 1e6], "us")


def _seals(told: Iterable[ServerMessage]) -> list[ServerMessage]:
    """The messages with only their events of seals."""
    seals = [
        (message, tuple([event for event in message.events if isinstance(event, SealEvent)]))
        for message in told
        if isinstance(message, Events)
    ]
    return [Events(message.table, message.first, events) for message, events in seals if events]


def _bytes(messages: Iterable[ServerMessage], codec: Codec) -> int:
    return sum(len(codec.encode(message)) for message in messages)
