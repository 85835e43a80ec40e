"""Peers that send anything at all."""

import logging
import random
from typing import Any, get_args

import msgpack  # type: ignore[import-untyped]  # it ships no types
import msgspec
import pytest

from put_protocol.codecs import FRAMES, LINES
from put_protocol.messages import Goodbye, Look, Ok, Pong, Refused, Request
from tests.lobby.lobby_harness import new_lobby
from tests.repetitions import TIMES, TURN
from tests.transport.dispatcher_harness import DispatcherHarness, Peer

TYPES = (*(kind.__struct_config__.tag for kind in get_args(Request)), "ping", "pong", "nonsense")
FIELDS = sorted({field for kind in get_args(Request) for field in kind.__struct_fields__} - {"id"})


def value(dice: random.Random, depth: int = 0) -> Any:
    """Anything a wire can carry, often what a field expects."""
    match dice.randrange(12):
        case 0 | 1 | 2 | 3:
            return dice.choice((1, 1, 2, 3, 0, -1, 2**53 - 1, 2**53, 2**63, -(2**63), 10**6))
        case 4 | 5:
            return dice.choice(
                ("put-1674", "steady", "", "x" * 500, "\x00", "\u202e", "\U0001f0a1" * 30, "3s", "gallery")
            )
        case 6:
            return dice.choice((None, True, False, 1.5, 1.0, float(2**60)))
        case 7 if depth < 4:
            return [value(dice, depth + 1) for _ in range(dice.choice((0, 1, 3, 100)))]
        case 8 if depth < 4:
            keys = ("do", "card", "target", "pack", "cut", "x")
            return {dice.choice(keys): value(dice, depth + 1) for _ in range(dice.randrange(4))}
        case _:
            return dice.choice(({"do": "put"}, {"do": "play", "card": "3s"}, {"do": "see"}, {"do": []}, {}))


def message(dice: random.Random, number: int) -> dict[str, Any]:
    said: dict[str, Any] = {"type": dice.choice(TYPES), "id": number if dice.random() < 0.9 else value(dice)}
    for name in FIELDS:
        if dice.random() < 0.3:
            said[name] = value(dice)
    if dice.random() < 0.5:
        said["table"] = dice.choice((1, 2, 3))
    if dice.random() < 0.8:  # few messages have more than these
        keep = {"look": (), "open": ("game", "seats", "options"), "act": ("table", "decision", "action")}
        names = keep.get(str(said["type"]), ("table",))
        said = {name: said[name] for name in ("type", "id", *names) if name in said}
    return said


@pytest.mark.parametrize("seed", range(2 * TIMES))
def test_any_message_is_answered_and_none_is_a_bug(seed: int, caplog: pytest.LogCaptureFixture) -> None:
    """Whatever maps come, each is answered once or closes its own connection, and nothing breaks within."""
    caplog.set_level(logging.DEBUG)
    dice = random.Random(f"{seed}{TURN}")
    harness = DispatcherHarness(lobby=new_lobby(people=2_000))
    honest = harness.guest("Honest")
    peers: list[Peer] = []
    answered = 0
    for number in range(1, 1_500):
        harness.now += 200
        peers = [peer for peer in peers if not peer.transport.is_closed]
        while len(peers) < 3:
            peers.append(harness.guest(f"Peer {number}.{len(peers)}", dice.choice((FRAMES, LINES))))
        peer = dice.choice(peers)
        said = message(dice, number)
        if peer.codec is LINES:
            if dice.random() < 0.02:
                said["id"] = 10**40
            data = msgspec.json.encode(said) + b"\n"
        else:
            body = msgpack.packb(said)
            data = len(body).to_bytes(4, "big") + body
        if dice.random() < 0.05:
            spoilt = bytearray(data)
            spoilt[dice.randrange(4, len(spoilt))] = dice.randrange(256)
            data = bytes(spoilt)
        before = len(peer.messages)
        peer.client._waiting.add(number)
        peer.feed(data)
        peer.client._waiting.update(m.id for m in _answers(peer))
        peer.receive()
        answers = [m for m in peer.messages[before:] if isinstance(m, Ok | Refused | Goodbye)]
        assert len(answers) <= 2
        answered += len(answers)
        if peer.transport.is_closed:
            peer.drop()
        if number % 50 == 0:
            honest.send(Pong())
            harness.dispatcher.tick()
    assert answered > 1_000
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert isinstance(honest.ask(Look), Ok)


def _answers(peer: Peer) -> list[Ok | Refused]:
    """Answers that came and were not read yet, so that the client waits for whatever id the server read."""
    decoder, splitter = peer.client._decoder, peer.codec.splitter()
    unread = b"".join(peer.transport.written[peer._read :])
    said = [decoder.decode(piece) for piece in splitter.feed(unread)]
    return [m for m in said if isinstance(m, Ok | Refused)]


@pytest.mark.parametrize("seed", range(2 * TIMES))
def test_any_bytes_close_at_most_their_own_connection(seed: int, caplog: pytest.LogCaptureFixture) -> None:
    """Random bytes, before and after hello, break nothing within."""
    caplog.set_level(logging.DEBUG)
    dice = random.Random(f"{seed}{TURN}")
    harness = DispatcherHarness(lobby=new_lobby(people=2_000))
    honest = harness.guest("Honest")
    for number in range(300):
        peer = harness.guest(f"Peer {number}") if dice.random() < 0.5 else harness.peer()
        data = dice.randbytes(dice.choice((1, 10, 1_000)))
        peer.feed(dice.choice((b"", b"{", b"\x00\x00\x00\x20")) + data)
        if not peer.transport.is_closed:
            peer.drop()
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert isinstance(honest.ask(Look), Ok)
