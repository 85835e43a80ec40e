"""Views folded from events: whoever reads a client's messages cannot tell how the server sent them."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import msgspec
import pytest

from put_client import Client, connect
from put_client.sdk.errors import BadServer
from put_client.sdk.lasting_wire import ConnectionBack, ConnectionLost
from put_protocol import messages
from put_protocol.cards import Card
from put_protocol.games import put
from put_protocol.games.tricks import TrickView
from put_protocol.games.unknown import UnknownEvent
from put_protocol.messages import Decision, Events, TableSnapshot, Turn, ViewForm
from put_protocol.seats import Seat
from put_protocol.table_events import Said
from put_protocol.table_info import TableState
from put_server.settings import Settings
from put_text.phrases import Speaker
from tests.client.scripted_server import Peer, Server, decision, info, welcome
from tests.serving import serving

NEAR, FAR = Seat(0), Seat(1)
VIEW = put.PutView(5, (0, 0), 1, NEAR, FAR, (Card("3s"),), (3, 3), to_move=FAR, moment=put.Moment.LEAD)
LED = put.Played(FAR, Card("Ks"), leads=True)
AFTER = put.PutView(
    5,
    (0, 0),
    1,
    NEAR,
    FAR,
    (Card("3s"),),
    (3, 2),
    trick=TrickView((FAR,), (Card("Ks"),)),
    to_move=NEAR,
    moment=put.Moment.REPLY,
)


@asynccontextmanager
async def at_table(server: Server, *, checked: bool = False) -> AsyncIterator[tuple[Client, Peer]]:
    """A client at a table that it has been told of whole."""
    connecting = asyncio.ensure_future(
        Client.connect("127.0.0.1", server.port, name="Moll", waits=lambda: [0.0] * 9, checked=checked)
    )
    peer = await server.arrival()
    assert (await peer.hear(messages.Hello)).views is ViewForm.CHANGES
    peer.say(welcome(), TableSnapshot(7, NEAR, 3, info(TableState.PLAYING), VIEW, Turn(FAR)))
    async with asyncio.timeout(20), await connecting as client:
        assert isinstance(await anext(client), TableSnapshot)
        yield client, peer


def say_raw(peer: Peer, **message: Any) -> None:
    """A message with what no type here has."""
    peer.say_bytes(msgspec.msgpack.encode(message))


async def test_view_is_folded(server: Server) -> None:
    """And put into the message, as if it had come so; a message that changes nothing has none."""
    async with at_table(server) as (client, peer):
        peer.say(
            Events(7, 4, (LED,), turn=Turn(NEAR, 1_000), moment="reply"),
            Events(7, 5, (Said("Nan", "Your turn."),)),
            Events(7, 6, (put.Played(NEAR, Card("3s")), put.TrickEnded(1, FAR, FAR, (0, 1)))),
        )
        assert await anext(client) == Events(7, 4, (LED,), view=AFTER, turn=Turn(NEAR, 1_000))
        assert await anext(client) == Events(7, 5, (Said("Nan", "Your turn."),))
        taken = await anext(client)
        assert isinstance(taken, Events)
        assert isinstance(taken.view, put.PutView)
        assert (taken.view.tricks, taken.view.cards, taken.view.to_move) == ((0, 1), (), None)


async def test_view_goes_on_after_a_drop(server: Server) -> None:
    """What was missed is folded, too, and ends with the view as the server has it."""
    async with at_table(server) as (client, peer):
        peer.drop()
        assert isinstance(await anext(client), ConnectionLost)
        peer = await server.arrival()
        hello = await peer.welcome(tables=(7,))
        assert (hello.views, hello.seen) == (ViewForm.CHANGES, (messages.Seen(7, 3),))
        peer.say(
            Events(7, 4, (LED,)),
            Events(7, 5, (Said("Nan", "There."),), info=info(TableState.PLAYING), view=AFTER, turn=Turn(NEAR)),
        )
        assert isinstance(await anext(client), ConnectionBack)
        missed, last = await anext(client), await anext(client)
        assert isinstance(missed, Events)
        assert isinstance(last, Events)
        assert missed.view == msgspec.structs.replace(AFTER, to_move=None, moment=None)
        assert last.view == AFTER


async def test_what_cannot_be_folded_is_asked_for_whole(server: Server) -> None:
    """An event of a later release: it is delivered, but no decision behind it, for the view is not known. On another
    connection whole views are told, and the decision comes again behind the first."""
    async with at_table(server) as (client, peer):
        say_raw(peer, type="events", table=7, first=4, events=[{"event": "rain", "inches": 2}])
        peer.say(decision(1))
        rain = await anext(client)
        assert isinstance(rain, Events)
        assert (type(rain.events[0]), rain.view) == (UnknownEvent, None)
        assert isinstance(await anext(client), ConnectionLost)
        peer = await server.arrival()
        whole = Events(7, 5, (), info=info(TableState.PLAYING), view=AFTER, turn=Turn(NEAR))
        hello = await peer.welcome(whole, decision(1), tables=(7,))
        assert (hello.views, hello.seen) == (ViewForm.WHOLE, (messages.Seen(7, 4),))
        assert isinstance(await anext(client), ConnectionBack)
        assert [await anext(client), await anext(client)] == [whole, decision(1)]
        say_raw(peer, type="events", table=7, first=5, events=[{"event": "snow"}])
        peer.say(Events(7, 6, (), view=AFTER, turn=Turn(NEAR)))
        snow, after = await anext(client), await anext(client)
        assert isinstance(snow, Events)
        assert (snow.view, after) == (None, Events(7, 6, (), view=AFTER, turn=Turn(NEAR))), "and it goes on"


@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [
        ("put-1674", 2, {"pack": 28, "target": 3}),
        ("put-partners", 4, {"pack": 28, "target": 1}),
        ("triomphe-forcee", 4, {"hands": 1}),
        ("primero", 3, {"hands": 1}),
    ],
)
async def test_changes_and_whole_views_are_told_alike(game: str, seats: int, options: dict[str, int | str]) -> None:
    """Two spectators of a game, one of whom asked for whole views, are given the same messages."""
    settings = Settings(host="127.0.0.1", port=0, data=":memory:")
    async with (
        asyncio.timeout(60),
        serving(settings, thinks=False) as server,
        connect("127.0.0.1", server.port, name="Ann") as ann,
        connect("127.0.0.1", server.port, name="Ben", views=ViewForm.WHOLE, checked=False) as ben,
        connect("127.0.0.1", server.port, name="Cat", views=ViewForm.CHANGES, checked=False) as cat,
    ):
        table = await ann.open_table(game, seats=seats, options=options)
        for watcher in (ben, cat):
            await watcher.watch(table)
        await ann.sit(table)
        for _ in range(seats - 1):
            await ann.invite(table)
        playing = asyncio.create_task(play_at_random(ann))
        both = [await heard(client, table) for client in (ben, cat)]
        playing.cancel()
    assert len(both[0]) > 10
    assert both[0] == both[1]


async def play_at_random(client: Client) -> None:
    """One of the legal actions, whenever it is our turn."""
    dice = random.Random(4)
    async for message in client:
        if isinstance(message, Decision):
            await client.act(message.table, message.decision, dice.choice(message.legal).action)


async def heard(client: Client, table: int) -> list[tuple[Any, ...]]:
    """What a spectator is told, to the end of the first game: without numbers, which may differ, and without news of
    the gallery, which who came first may hear once more."""
    told: list[tuple[Any, ...]] = []
    async for message in client:
        if isinstance(message, Events) and message.table == table:
            if message.events:
                told.append((message.events, message.info, message.view, message.turn, message.moment))
            if message.info is not None and message.info.state is TableState.BETWEEN and message.info.games:
                break
    return told


BEHIND = info(TableState.PLAYING, names=("Moll",), purses=(0,), agrees=(False,))
NONE = info(TableState.PLAYING, names=(), purses=(), agrees=())


@pytest.mark.parametrize(
    "told",
    [
        TableSnapshot(7, NEAR, 3, NONE),
        TableSnapshot(7, "gallery", 3, NONE),
        TableSnapshot(7, Seat(2), 3, info(TableState.PLAYING)),
        TableSnapshot(7, Seat(-1), 3, info(TableState.PLAYING)),
        TableSnapshot(7, NEAR, 3, info(TableState.PLAYING), VIEW, Turn(Seat(2))),
        TableSnapshot(8, NEAR, 3, info(TableState.PLAYING)),
        Events(7, 4, (), info=NONE),
        Events(7, 4, (), info=BEHIND),
        Events(7, 4, (), info=msgspec.structs.replace(info(TableState.PLAYING), id=8)),
        Events(7, 4, (LED,), turn=Turn(Seat(9)), moment="reply"),
        Events(7, 4, (LED,), turn=Turn(Seat(-1)), moment="reply"),
    ],
)
async def test_seat_that_the_table_does_not_have_is_refused(server: Server, told: messages.ServerMessage) -> None:
    """With a sentence, before any program meets a table without seats, or fewer than it had."""
    async with at_table(server) as (client, peer):
        peer.say(told)
        with pytest.raises(BadServer, match="it told of a"):
            await anext(client)


async def test_action_that_is_nested_too_deep_is_the_servers_fault(server: Server) -> None:
    """The wire has room for one that cannot be searched for cards."""
    nested: Any = "3s"
    for _ in range(800):
        nested = [nested]
    async with at_table(server, checked=True) as (client, peer):
        choice = {"action": {"do": "whist.play", "card": nested}, "says": ""}
        say_raw(peer, type="decision", table=7, decision=1, asks="", legal=[choice])
        with pytest.raises(BadServer, match="nested too deep"):
            _ = [message async for message in client]


def test_seat_that_does_not_exist_is_named_by_its_number() -> None:
    """A lie in an event does not end the sentence about it."""
    assert Speaker(("Moll", "Nan"), NEAR).name(Seat(-8)) == "seat minus 7"
