"""Cost of sealed deals: moves with them against moves without, bytes of a deal, and a client's time for a hand."""

import tempfile
import time
from collections.abc import Iterable
from contextlib import ExitStack

from put_protocol.cards import FULL_PACK
from put_protocol.codecs import FRAMES, LINES, Codec, decoder_of_replies
from put_protocol.games.put import Dealt
from put_protocol.messages import Events, ServerMessage
from put_protocol.parts import parts
from put_protocol.seal.checker import Checker
from put_protocol.seal.cuts import Chain
from put_protocol.seal.findings import Failure
from put_protocol.seal.packs import seal
from put_protocol.seal_events import Openings, SealEvent
from put_protocol.seats import Seat
from scripts.benches import harness
from scripts.benches.harness import Report, in_turns, under_load
from scripts.benches.load import CHAIN_SECRET, LINKS, Tables

TABLES = 200

DEALT, SEALED, OPENED = "dealt without seals", "sealed", "sealed, with openings"
AIMS = {SEALED: 0.95, OPENED: 0.85}
"""The least each should be of moves dealt without seals; all with the journal on disk."""

CHECKED = 1_000
"""Moves of the table whose deals are checked."""


def measure(report: Report, *, is_quick: bool) -> None:
    seconds, rounds = (1.0, 3) if is_quick else (2.0, 7)
    report.section(f"Sealed deals: {TABLES} tables of two with the journal on disk, both players cutting, in turns")
    with ExitStack() as stack:
        contestants = {}
        for name in (DEALT, SEALED, OPENED):
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="put-bench-"))
            process = stack.enter_context(harness.server(data=folder))
            tables = Tables(process.port, TABLES, is_sealed=name != DEALT, openings=name == OPENED)
            stack.callback(tables.close)
            contestants[name] = under_load(tables.run, server=[process.pid])
        found = in_turns(contestants, seconds, rounds)
    for name, figures in found.items():
        report.rounds(name, figures)
    for name, aim in AIMS.items():
        report.compare(f"{name}, against {DEALT}", found[name], found[DEALT], at_least=aim)
    _of_a_deal(report)


def _of_a_deal(report: Report) -> None:
    """Bytes and times of a deal, from all that a player at one table is sent."""
    heard: list[bytes] = []
    with harness.server() as process:
        tables = Tables(process.port, 1, is_sealed=True, openings=True, heard=heard)
        tables.run_moves(CHECKED)
        tables.close()
    decode = decoder_of_replies(FRAMES).decode
    told = [part for message in map(decode, heard) for part in parts(message) if isinstance(part, Events | Openings)]
    hands = sum(isinstance(event, Dealt) for message in told if isinstance(message, Events) for event in message.events)
    for codec in (FRAMES, LINES):
        seals = _bytes(_seals(told), codec) / hands
        proofs = _bytes([message for message in told if isinstance(message, Openings)], codec) / hands
        report.figure(f"a deal in {codec.name}, without openings", [seals], "bytes")
        report.figure("    and with them", [seals + proofs], "bytes")
    checker = Checker(told[0].table, Seat(0), chain=Chain(CHAIN_SECRET, LINKS))
    failures: list[Failure] = []
    begun = time.perf_counter()
    for message in told:
        for one in (message,) if isinstance(message, Openings) else message.events:
            failures += checker.check(one)
        checker.cut()
    report.figure("a client checks a hand", [(time.perf_counter() - begun) / hands * 1e6], "us")
    assert not failures
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
