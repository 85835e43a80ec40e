"""Peers of protocol version 1: they play games of every family, and are told nothing that version 1 does not have.

`version-1.schema.json` is the JSON Schema that the release of version 1 published, without its descriptions. It was
made once from that release and never changes.
"""

import asyncio
import json
import random
from pathlib import Path
from typing import Any

import pytest

from put_protocol import messages
from put_protocol.cards import Card
from put_protocol.games import primero, put, triomphe
from put_protocol.games.put import Discard, PutView
from put_protocol.games.unions import Action, Choice
from put_protocol.seal_events import Openings
from put_protocol.seats import Seat
from put_protocol.table_events import Agreed, Said, TimedOut
from put_protocol.table_info import ClockInfo, TableInfo
from put_server.transport.older import OlderPeer
from tests.docs.validating import is_valid
from tests.transport.sockets import ServerHarness, running_server

SCHEMA = json.loads(Path(__file__).with_name("version-1.schema.json").read_text())
INFO = TableInfo(id=7, game="primero", options={}, seats=(), clock=ClockInfo())
EVENTS = frozenset(name.removeprefix("event.") for name in SCHEMA["$defs"] if name.startswith("event."))


def is_known(message: dict[str, Any]) -> bool:
    """Whether a client of version 1 takes this: it passes over events that it does not know, and counts them."""
    events = message.get("events")
    if events is not None:
        message = {**message, "events": [event for event in events if event["event"] in EVENTS]}
    return is_valid(message, {"$ref": "#/$defs/server"}, SCHEMA)


def adapter(family: str) -> OlderPeer:
    return OlderPeer(lambda _: family)


class OldPeer:
    """A client of version 1 in JSON, which knows its schema and nothing else."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._last = 0
        self.heard: list[dict[str, Any]] = []

    @classmethod
    async def connected(cls, harness: ServerHarness, name: str) -> "OldPeer":
        self = cls(*await asyncio.open_connection("127.0.0.1", harness.server.port, limit=2**20))
        self.send(type="hello", version=1, name=name, openings=True)
        return self

    def send(self, **message: Any) -> None:
        self._writer.write(json.dumps(message).encode() + b"\n")

    def ask(self, **request: Any) -> None:
        self._last += 1
        assert is_valid({**request, "id": self._last}, {"$ref": "#/$defs/client"}, SCHEMA)
        self.send(**request, id=self._last)

    async def hear(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(await self._reader.readline())
        assert is_known(message), message
        self.heard.append(message)
        return message

    async def play(self, dice: random.Random) -> None:
        """Answer every decision until no game is in play any more."""
        while True:
            message = await self.hear()
            assert message["type"] not in ("refused", "goodbye"), message
            if message["type"] == "decision":
                action = dice.choice(message["legal"])["action"]
                self.ask(type="act", table=message["table"], decision=message["decision"], action=action)
            elif message["type"] == "events" and message.get("info", {}).get("state") == "between":
                return

    def close(self) -> None:
        self._writer.close()


@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [
        ("triomphe-forcee", 4, {"hands": 3}),
        ("triomphe-forcee", 10, {"hands": 2, "force": 9}),
        ("primero", 3, {"hands": 2}),
        ("primero", 6, {"hands": 1}),
        ("put-1674", 2, {}),
    ],
)
async def test_peer_of_version_1_plays_every_game_to_its_end(game: str, seats: int, options: dict[str, Any]) -> None:
    """Whatever it is told fits its schema, whatever it chooses is accepted, and events are numbered without gaps."""
    async with running_server() as harness:
        peer = await OldPeer.connected(harness, "Ann")
        peer.ask(type="open", game=game, seats=seats, options=options)
        peer.ask(type="sit", table=1, end="A" * 43 + "=")
        for _ in range(seats - 1):
            peer.ask(type="invite", table=1)
        await peer.play(random.Random(game + str(seats)))
        peer.close()
    assert peer.heard[0]["version"] == 1
    number = next(message["number"] for message in peer.heard if message["type"] == "table")
    for message in peer.heard:
        if message["type"] == "events":
            assert message["first"] == number + 1
            number += len(message["events"])


# --- what is adapted ---


def test_events_become_talk_one_for_one() -> None:
    """Events that version 1 has stay as they are; of the others it is told what the server says of them."""
    played = triomphe.Played(Seat(1), Card("21t"), leads=True)
    happened = messages.Events(
        7,
        3,
        (Agreed(Seat(0)), played, TimedOut(Seat(1))),
        says=("You agree.", "Moll leads.", "Time is up."),
        board=("x",),
    )
    assert adapter("triomphe").told(happened) == messages.Events(
        7, 3, (Agreed(Seat(0)), Said("The table", "Moll leads."), Said("The table", "Time is up."))
    )


def test_view_becomes_one_of_put() -> None:
    """With the hand, who holds how many cards, and whose move it is."""
    view = primero.PrimeroView(
        hands=12,
        limit=6,
        gains=(3, -3, 0),
        hand=2,
        cards=(Card("7h"), Card("Ks")),
        counts=(2, 2, 2),
        playing=(True, True, False),
        pot=5,
        to_move=Seat(1),
    )
    snapshot = messages.Events(7, 1, (), view=view, board=("The pot is 5.",))
    told = adapter("primero").told(snapshot)
    assert isinstance(told, messages.Events)
    assert told.view == PutView(
        target=1,
        scores=(0, 0, 0),
        hand=2,
        cards=(Card("7h"), Card("Ks")),
        counts=(2, 2, 2),
        playing=(True, True, False),
        tricks=(0, 0, 0),
        to_move=Seat(1),
    )
    assert told.board == ()


@pytest.mark.parametrize(
    ("actions", "cards"),
    [
        ((triomphe.Play(Card("21t")), triomphe.Play(Card("Kw"))), "21t Kw"),
        ((primero.See(), primero.Raise(1), primero.Raise(12), primero.Refuse()), "see r1 r12 refu"),
        ((primero.Trade((Card("7h"),)), primero.Trade((Card("7h"), Card("6h"))), primero.Stand()), "#1 #2 stan"),
        ((primero.Announce(primero.Category.FLUXUS), primero.Announce(primero.Category.CHORUS)), "flux chor"),
        ((primero.GoOn(), primero.Vada(), primero.Pass(), primero.Bet(1_000)), "goon vada pass #4"),
        ((primero.See(), primero.See()), "see #2"),
    ],
)
def test_actions_become_discards_and_are_translated_back(actions: tuple[Action, ...], cards: str) -> None:
    """Of their cards, or of cards that there are not; what comes back is the action that was offered."""
    peer = adapter("primero")
    peer.told(messages.TableSnapshot(7, Seat(0), 1, info=INFO, board=("The pot is 5.",)))
    legal = tuple(Choice(action, f"choice {place}") for place, action in enumerate(actions))
    told = peer.told(messages.Decision(7, 4, "What now?", legal, why="Because."))
    assert isinstance(told, messages.Decision)
    assert told.legal == tuple(
        Choice(Discard(Card(card)), choice.says) for card, choice in zip(cards.split(), legal, strict=True)
    )
    assert told.why == "Because. The pot is 5."
    for choice, action in zip(told.legal, actions, strict=True):
        assert peer.asked(messages.Act(1, 7, 4, choice.action)) == messages.Act(1, 7, 4, action)
        stale = messages.Act(1, 7, 3, choice.action)
        assert peer.asked(stale) == stale
        elsewhere = messages.Act(1, 8, 4, choice.action)
        assert peer.asked(elsewhere) == elsewhere


def test_seals_of_other_families_are_left_out() -> None:
    """A client of version 1 would check packs that it does not know: it neither cuts nor is told of seals."""
    peer = adapter("triomphe")
    assert peer.told(Openings(7, 1)) is None
    end = bytes(32)
    assert peer.asked(messages.Sit(1, 7, end=end)) == messages.Sit(1, 7)
    assert peer.asked(messages.Promise(1, 7, end)) == messages.Promise(1, 7)


def test_tables_of_put_are_told_as_they_are() -> None:
    """Nothing is changed there, and nothing that is asked."""
    peer = adapter("put")
    happened = messages.Events(7, 1, (put.DidPut(Seat(0)), TimedOut(Seat(1))), view=PutView(target=5, scores=(0, 0)))
    decision = messages.Decision(7, 4, "What now?", (Choice(Discard(Card("3s")), "throw it away"),))
    for message in (happened, decision, Openings(7, 1), messages.Ok(1)):
        assert peer.told(message) == message
    for request in (messages.Sit(1, 7, end=bytes(32)), messages.Act(1, 7, 4, Discard(Card("3s")))):
        assert peer.asked(request) == request


def test_left_table_is_forgotten() -> None:
    """What stood for an action there stands for nothing any more."""
    peer = adapter("primero")
    peer.told(messages.Decision(7, 4, "What now?", (Choice(primero.See(), "see"),)))
    peer.told(messages.Left(7, "it was closed"))
    act = messages.Act(1, 7, 4, Discard(Card("see")))
    assert peer.asked(act) == act
