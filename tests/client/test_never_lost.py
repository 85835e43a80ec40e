"""The real server, when connection, server or client fail: nothing is lost or done twice."""

import asyncio
import os
import random
import re
import signal
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

import pytest

from put_client import Bot, Record, play
from put_client.sdk.client import Client
from put_client.sdk.dialler import Dialler
from put_client.sdk.lasting_wire import ConnectionLost
from put_client.sdk.session_store import KeyMemory
from put_client.sdk.wire import dial
from put_protocol import PROTOCOL_VERSION
from put_protocol.cards import Card
from put_protocol.codecs import FRAMES
from put_protocol.games.put import DidPut, Played, PutView, Saw, ThrewIn
from put_protocol.games.unions import Action, Choice, Event, GameView
from put_protocol.messages import Decision, Events, Hello, Ok, TableSnapshot
from put_protocol.seats import Seat
from put_protocol.table_events import Paused, Said
from put_protocol.table_info import TableState
from put_server.app import Server
from put_server.settings import Settings
from tests.client.test_cli import Run, start
from tests.serving import serving
from tests.transport.sockets import EXEMPT

BACKSTOP_S = 60
"""For a whole test: never waited out by one that passes."""

M = TypeVar("M")


def soon() -> Iterable[float]:
    """Attempts without end, one right after another."""
    while True:
        yield 0.005


@asynccontextmanager
async def house(data: Path | None = None, port: int = 0) -> AsyncIterator[Server]:
    settings = Settings(host="127.0.0.1", port=port, data=str(data) if data is not None else ":memory:", exempt=EXEMPT)
    async with serving(settings, thinks=False) as server:
        yield server


async def guest(server: Server, name: str = "", token: str = "", keys: KeyMemory | None = None) -> Client:
    return await Client.connect("127.0.0.1", server.port, name=name, token=token, is_bot=True, waits=soon, keys=keys)


async def until(client: Client, kind: type[M]) -> M:
    """The next message of a kind."""
    async for message in client:
        if isinstance(message, kind):
            return message
    raise AssertionError(f"the connection ended before any {kind.__name__} came")


async def turns(count: int) -> None:
    """The loop turns, and with it the server in it."""
    for _ in range(count):
        await asyncio.sleep(0)


# --- the connection --------------------------------------------------------------------------------------------------


async def test_talk_over_a_connection_that_drops_is_heard_once_and_in_order() -> None:
    """Whether the request, or only its answer, was lost with the connection."""
    async with asyncio.timeout(BACKSTOP_S), house() as server:
        moll, nan = await guest(server, "Moll"), await guest(server, "Nan")
        table = await moll.open_table("put-1674")
        await moll.sit(table)
        await nan.watch(table)
        said = [f"word {number}" for number in range(60)]
        for number, text in enumerate(said):
            saying = asyncio.ensure_future(moll.say(table, text))
            await turns(number % 12)
            moll._wire.current.drop()
            await saying
        heard: list[str] = []
        while len(heard) < len(said):
            heard += [event.text for event in (await until(nan, Events)).events if isinstance(event, Said)]
        assert heard == said
        for client in (moll, nan):
            await client.close()


async def test_table_opened_over_a_connection_that_drops_is_opened_once() -> None:
    """The number of a table survives the connection that told it."""
    async with asyncio.timeout(BACKSTOP_S), house() as server, await guest(server, "Moll") as moll:
        for wait in range(8):
            opening = asyncio.ensure_future(moll.open_table("put-1674"))
            await turns(wait)
            moll._wire.current.drop()
            assert await opening == wait + 1


async def test_answer_that_is_lost_twice_is_told_a_third_time() -> None:
    """A way back that breaks off before the answer was heard costs nothing either."""
    async with asyncio.timeout(BACKSTOP_S), house() as server:
        moll = await guest(server, "Moll")
        table = await moll.open_table("put-1674")
        await moll.close(keep=True)
        hello = Hello(version=PROTOCOL_VERSION, token=moll.token, asked=(1,))
        for _ in range(3):
            wire, _, taken = await dial(Dialler("127.0.0.1", server.port), hello, codec=FRAMES, timeout_s=BACKSTOP_S)
            while not taken:
                taken = await wire.receive() or []
            assert taken[0] == Ok(id=1, table=table)
            wire.drop()
            await wire.gone(BACKSTOP_S)


class Teller(Bot):
    """Chooses by dice, and remembers what it chose and what it saw."""

    def __init__(self, seat: int) -> None:
        self._dice = random.Random(seat)
        self.seat = Seat(seat)
        self.choices = 0
        self.acts: list[Played | DidPut | Saw | ThrewIn] = []
        self._chose = asyncio.Event()

    async def choose(self, view: GameView, legal: tuple[Choice, ...]) -> Action:  # on the loop, for it sets an event
        self.choices += 1
        self._chose.set()
        return self._dice.choice(legal).action

    def saw(self, event: Event, view: GameView | None) -> None:
        if isinstance(event, Played | DidPut | Saw | ThrewIn):
            self.acts.append(event)

    async def has_chosen(self, count: int) -> None:
        while self.choices < count:
            self._chose.clear()
            await self._chose.wait()


GAMES = 5


def sit_down(table: int, *clients: Client) -> tuple[tuple[Teller, ...], tuple["asyncio.Future[Record]", ...]]:
    """A bot for each client, and what will come of their games."""
    bots = tuple(Teller(seat) for seat in range(len(clients)))
    records = [play(bot, client, table=table, games=GAMES) for bot, client in zip(bots, clients, strict=True)]
    return bots, tuple(map(asyncio.ensure_future, records))


def assert_nobody_noticed(bots: tuple[Teller, ...], records: list[Record]) -> None:
    """Every game was played, everyone tells the same tale, and each move in it was chosen once."""
    assert_whole(records)
    assert bots[0].acts == bots[1].acts
    assert Counter(event.seat for event in bots[0].acts) == {bot.seat: bot.choices for bot in bots}


def assert_whole(records: list[Record]) -> None:
    """Every game was played to its end, and one lost what the other won."""
    moll, nan = records
    assert (moll.games, nan.games) == (GAMES, GAMES)
    assert moll.won + nan.won == GAMES
    assert moll.purse == -nan.purse


async def test_games_of_bots_whose_connections_drop_all_the_time_are_played_to_their_end() -> None:
    """No bot notices anything. For blind deals `test_blind_tables` shows it."""
    dice = random.Random(1674)
    async with asyncio.timeout(BACKSTOP_S), house() as server:
        clients = await guest(server, "Moll"), await guest(server, "Nan")
        bots, playing = sit_down(await clients[0].open_table("put-1674", options={"dealing": "plain"}), *clients)
        drops = 0
        while not all(one.done() for one in playing):
            await turns(dice.randrange(40))
            dice.choice(clients)._wire.current.drop()
            drops += 1
        assert drops > 20
        assert_nobody_noticed(bots, [one.result() for one in playing])
        for client in clients:
            await client.close()


# --- the server ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dealing", ["plain", "blind"])
async def test_games_go_on_over_restarts_of_the_server(tmp_path: Path, dealing: str) -> None:
    """A server that stops and comes back costs nobody a game, a move or an answer. At a blind table it may ask again
    for an act that was not signed yet, and tell the hand as it stands in place of what was missed."""
    async with asyncio.timeout(BACKSTOP_S):
        async with house(tmp_path) as server:
            port = server.port
            clients = await guest(server, "Moll"), await guest(server, "Nan")
            bots, playing = sit_down(
                await clients[0].open_table("put-1674", options={"dealing": dealing, "pack": 28}), *clients
            )
            await bots[0].has_chosen(5)
        for seat, chosen in ((1, 8), (0, 11), (1, 14)):
            async with house(tmp_path, port):
                await bots[seat].has_chosen(chosen)
        async with house(tmp_path, port):
            records = [await one for one in playing]
            assert_whole(records)
            if dealing == "plain":
                assert_nobody_noticed(bots, records)
            else:
                assert all(record.proved == record.deals > 0 for record in records)
                acted = Counter(event.seat for event in bots[0].acts)
                assert all(acted[bot.seat] <= bot.choices for bot in bots), "nobody else moved for them"
            for client in clients:
                await client.close()


async def test_adjourned_game_waits_for_those_who_come_back(tmp_path: Path) -> None:
    """Both agree to a pause and go; the server restarts; with their tokens they sit in the same hand and go on."""
    async with asyncio.timeout(BACKSTOP_S):
        async with house(tmp_path) as server:
            port = server.port
            moll, nan = await guest(server, "Moll"), await guest(server, "Nan")
            table = await moll.open_table("put-1674")
            for client in (moll, nan):
                await client.sit(table)
            asked = await first_of((moll, nan))
            await moll.pause(table, 7 * 24 * 60)
            await nan.pause(table)
            hands = [await hand_at_pause(client) for client in (moll, nan)]
            for client in (moll, nan):
                await client.close(keep=True)
        async with house(tmp_path, port) as server:
            back = [await guest(server, token=client.token, keys=client.keys) for client in (moll, nan)]
            assert [client.name for client in back] == ["Moll", "Nan"]
            snapshots = [await until(client, TableSnapshot) for client in back]
            assert [cards_of(snapshot.view) for snapshot in snapshots] == hands
            assert {snapshot.info.state for snapshot in snapshots} == {TableState.PAUSED}
            for client in back:
                await client.go_on(table)
            again = await first_of(back)
            assert again.decision == asked.decision
            assert [choice.action for choice in again.legal] == [choice.action for choice in asked.legal]
            for client in back:
                await client.close()


async def first_of(clients: Iterable[Client]) -> Decision:
    """The decision of whoever is asked."""
    waiting = [asyncio.ensure_future(until(client, Decision)) for client in clients]
    done, pending = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    for one in pending:
        one.cancel()
    await asyncio.wait(waiting)
    (asked,) = done
    return asked.result()


async def hand_at_pause(client: Client) -> tuple[Card, ...]:
    while True:
        news = await until(client, Events)
        if any(isinstance(event, Paused) for event in news.events):
            return cards_of(news.view)


def cards_of(view: GameView | None) -> tuple[Card, ...]:
    assert isinstance(view, PutView)
    assert len(view.cards) == 3
    return view.cards


async def test_server_that_goes_away_says_when_it_is_back(tmp_path: Path) -> None:
    """Whoever is told of its return is back when it is."""
    settings = Settings(host="127.0.0.1", port=0, data=str(tmp_path), back_seconds=1)
    async with asyncio.timeout(BACKSTOP_S):
        async with serving(settings, thinks=False) as server:
            port = server.port
            moll = await guest(server, "Moll")
            table = await moll.open_table("put-1674")
            await moll.sit(table)
        assert (await until(moll, ConnectionLost)).back_s == 1
        async with house(tmp_path, port):
            await moll.invite(table)
            await until(moll, Decision)
            await moll.close()


# --- the client ------------------------------------------------------------------------------------------------------


class Speaking:
    """A `put-client --line` in a process of its own."""

    def __init__(self, run: Run) -> None:
        self.run = run

    def types(self, *lines: str) -> None:
        assert self.run.process.stdin is not None
        self.run.process.stdin.write("".join(f"{line}\n" for line in lines).encode())

    async def hears(self, beginning: str) -> str:
        """A sentence that begins like this is said, sooner or later."""
        assert self.run.process.stdout is not None
        said = []
        while line := (await self.run.process.stdout.readline()).decode():
            if line.startswith(beginning):
                return line
            said.append(line)
        raise AssertionError(f"it ended without {beginning!r}: {said}")


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGHUP])
async def test_client_that_is_killed_and_started_again_sits_in_the_same_hand(number: signal.Signals) -> None:
    """Same name, same seat, same cards, same question; a goodbye then leaves nothing behind."""
    async with asyncio.timeout(BACKSTOP_S), house() as server:
        first = Speaking(await start(f"127.0.0.1:{server.port}", "--name", "Moll"))
        first.types("open", "invite")
        question = await first.hears("Your move.")
        first.types("hand")
        cards = await first.hears("You hold")
        first.run.process.send_signal(number)
        await first.run.ends()
        again = Speaking(await start(f"127.0.0.1:{server.port}"))
        await again.hears("You are Moll, at The Put Table.")
        await again.hears("You are in seat 1 at table 1.")
        assert await again.hears("Your move.") == question
        again.types("hand")
        assert await again.hears("You hold") == cards
        again.types("leave", "quit")
        assert (await again.run.ends())[0] == os.EX_OK
        new = Speaking(await start(f"127.0.0.1:{server.port}", "--name", "Moll"))
        await new.hears("You are at no table.")
        new.types("quit")
        await new.run.ends()


async def test_client_that_quits_during_a_pause_comes_back_to_it() -> None:
    """The seat is kept, the game rests, and goes on when they are back."""
    async with asyncio.timeout(BACKSTOP_S), house() as server:
        first = Speaking(await start(f"127.0.0.1:{server.port}", "--name", "Moll"))
        first.types("open", "invite")
        question = await first.hears("Your move.")
        first.types("pause 2d")
        await first.hears("All agree to a pause of at most two days: the clocks stand still.")
        first.types("quit")
        await first.hears("Your seat at table 1 is kept while the game rests, two days at most")
        await first.hears(f"To come back, type: put-client 127.0.0.1:{server.port}")
        assert (await first.run.ends())[0] == os.EX_OK
        again = Speaking(await start(f"127.0.0.1:{server.port}", "--name", "Moll"))
        assert re.search("game 1 is paused", await again.hears("Table 1,"))
        again.types("go on")
        await again.hears("The pause is over, and the game goes on.")
        assert await again.hears("Your move.") == question
        again.types("quit")
        await again.run.ends()
