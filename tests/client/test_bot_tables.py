"""Bots at many tables: opened, shared out or invited to; how they think, and what becomes of their errors."""

import asyncio
import logging
import random
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from put_client import (
    BadTerms,
    Bot,
    IllegalChoice,
    OnError,
    Played,
    RandomBot,
    Record,
    Terms,
    play,
    play_invited,
    play_tables,
)
from put_client.sdk.client import Client
from put_client.sdk.errors import Disconnected, Refusal
from put_protocol.games.unions import Action, Choice, Event, GameView
from put_protocol.messages import Act, Again, Events, Goodbye, Invited, Leave, Left, Ping, Refused, Sit
from put_protocol.refusals import RefusalCode
from put_protocol.seats import Seat
from put_protocol.table_events import Stood
from put_protocol.table_info import Admits
from tests.client.scripted_server import CHOICES, Peer, Server, decision, info
from tests.client.test_bot import SNAPSHOT, ended, grant, playing, seat, started

pytestmark = pytest.mark.usefixtures("no_referee")

SHORT: dict[str, int | str] = {"target": 1, "dealing": "plain"}
"""A game of one hand, in which nothing is proved."""


@asynccontextmanager
async def invitable(server: Server, **how: Any) -> AsyncIterator[tuple[Peer, "asyncio.Future[int]"]]:
    """A random bot that waits to be invited."""
    connecting = asyncio.ensure_future(Client.connect("127.0.0.1", server.port, name="Bot", waits=lambda: (0.0,)))
    peer = await server.arrival()
    await peer.welcome()
    async with await connecting as client:
        yield peer, asyncio.ensure_future(play_invited(RandomBot, client, **how))


# --- many tables ---


async def test_tables_are_played_at_once_and_share_the_games_out(port: int) -> None:
    """A bot each, all over one connection, and every game is counted once."""
    made: list[Bot] = []
    games: list[Played] = []

    def make() -> Bot:
        made.append(RandomBot(random.Random(len(made))))
        return made[-1]

    async with await Client.connect("127.0.0.1", port, name="Many", is_bot=True) as client:
        records = await play_tables(
            make, client, tables=3, games=5, on_game=games.append, house="beginner", options=SHORT, turn=60
        )
    assert sorted(record.games for record in records) == [1, 2, 2]
    assert len({record.table for record in records}) == len(made) == 3
    assert (sum(game.paid for game in games), sum(game.won for game in games)) == (
        sum(record.purse for record in records),
        sum(record.won for record in records),
    )
    assert all(bot.info.clock.turn == 60 and bot.info.options["target"] == 1 for bot in made)
    assert {bot.table for bot in made} == {record.table for record in records}


@pytest.mark.parametrize(("game", "seats"), [("put-partners", 4), ("put-1674", 2)])
async def test_table_has_as_few_seats_as_the_game_allows(port: int, game: str, seats: int) -> None:
    """Unless it is told; and the house takes those that are left."""
    bot = RandomBot(random.Random(1))
    async with await Client.connect("127.0.0.1", port, name="Few", is_bot=True) as client:
        await play(bot, client, game=game, house="beginner", options=SHORT)
    assert len(bot.info.seats) == seats


@pytest.mark.parametrize(("tables", "games"), [(3, 2), (9, 20), (0, 1)])
async def test_tables_that_cannot_be_are_refused_before_any_is_opened(server: Server, tables: int, games: int) -> None:
    """More than games, more than the server allows (8, says this one), or none."""
    connecting = asyncio.ensure_future(Client.connect("127.0.0.1", server.port, name="Bot"))
    peer = await server.arrival()
    await peer.welcome()
    async with await connecting as client:
        with pytest.raises(BadTerms, match=f"{games} games? cannot be played at {tables} tables"):
            await play_tables(RandomBot, client, tables=tables, games=games)
        with pytest.raises(BadTerms, match="2 guests"):
            await play(RandomBot(), client, guests=("Nan", "Tib"))
    assert b"open" not in peer.heard_bytes


async def test_table_lost_with_the_line_ends_its_sitting(server: Server) -> None:
    """A table that is gone when the connection is back was not waited for."""
    async with playing(server, RandomBot(), games=3) as (peer, result):
        await seat(peer)
        peer.say(started(1, 1), ended(2, 1, 1))
        await peer.hear(Again)
        peer.drop()
        back = await server.arrival()
        await back.welcome_back(tables=())
        again = await back.hear(Again)
        back.say(Refused(id=again.id, code=RefusalCode.UNKNOWN_TABLE, says="no such table"))
        assert await result == Record(table=7, seat=Seat(0), games=1, won=1, purse=1)


async def test_end_of_the_connection_is_raised_as_it_is(server: Server) -> None:
    """And not wrapped in a group, whoever else was running."""
    async with playing(server, RandomBot()) as (peer, result):
        await seat(peer)
        peer.say(started(1, 1), Goodbye(code="kicked", says="go away"))
        with pytest.raises(Disconnected, match="go away"):
            await result


# --- invited ---


def invitation(table: int = 7, at: Seat | None = None) -> Invited:
    return Invited(table=table, by="Nan", info=info(), seat=at)


async def test_guests_of_guests_meet(port: int) -> None:
    """One bot opens tables and asks another to them, which plays at all of them at once and is alone afterwards."""
    terms: Terms = {"guests": ("Guest",), "admits": Admits.BOTS, "options": SHORT}
    async with (
        await Client.connect("127.0.0.1", port, name="Guest", is_bot=True) as guest,
        await Client.connect("127.0.0.1", port, name="Host", is_bot=True) as host,
    ):
        waiting = asyncio.ensure_future(play_invited(RandomBot, guest, games=6))
        records = await play_tables(RandomBot, host, tables=3, games=6, **terms)
        assert await waiting == 6
    assert sum(record.games for record in records) == 6


async def test_guest_takes_the_seat_meant_for_it(server: Server) -> None:
    """And plays; told to go, it waits on, and may be asked to the same table again."""
    async with invitable(server) as (peer, _):
        for _ in range(2):
            peer.say(invitation(at=Seat(1)))
            sit = await grant(peer, Sit, SNAPSHOT, started(1, 1), decision(1))
            assert isinstance(sit, Sit)
            assert (sit.table, sit.seat) == (7, Seat(1))
            await grant(peer, Act, Left(7, "the table was cleared away"))


@pytest.mark.parametrize("code", [RefusalCode.SEAT_TAKEN, RefusalCode.GAME_IN_PLAY, RefusalCode.UNKNOWN_TABLE])
async def test_guest_that_finds_no_seat_waits_on(server: Server, code: RefusalCode) -> None:
    """Somebody was quicker; the next invitation is taken all the same."""
    async with invitable(server) as (peer, result):
        peer.say(invitation())
        sit = await peer.hear(Sit)
        peer.say(Refused(id=sit.id, code=code, says="no"), invitation(8))
        again = await peer.hear(Sit)
        assert again.table == 8
        assert not result.done()


async def test_guest_left_alone_leaves(server: Server) -> None:
    """Whoever invited it has gone: it does not keep the table to itself."""
    async with invitable(server) as (peer, result):
        peer.say(invitation())
        await grant(peer, Sit, SNAPSHOT)
        peer.say(started(1, 1), ended(2, 1, 1))
        gone = Events(7, 3, (Stood(Seat(1), "Nan"),), info=info(names=("Moll", None), games=1))
        await grant(peer, Again, gone)
        leave = await grant(peer, Leave)
        assert isinstance(leave, Leave)
        assert leave.table == 7
        assert not result.done()  # it waits for the next invitation


async def test_guest_that_played_enough_ends(server: Server) -> None:
    """The game that was the last is played to its end, and the seat given back."""
    async with invitable(server, games=1) as (peer, result):
        peer.say(invitation())
        await grant(peer, Sit, SNAPSHOT)
        peer.say(started(1, 1), ended(2, 1, 1))
        await grant(peer, Leave)
        assert await result == 1


async def test_invitations_are_bounded(server: Server) -> None:
    """Somebody who invites to tables without end cannot fill the memory: there is room for as many as are allowed."""
    async with invitable(server) as (peer, _):
        peer.say(*[invitation(table) for table in range(1, 100)])
        asked = {(await peer.hear(Sit)).table for _ in range(8)}
        assert asked == set(range(1, 9))


# --- thinking ---


async def test_slow_thought_costs_the_connection_nothing(server: Server) -> None:
    """While a bot thinks, pings are answered and events come in; then it answers the same decision."""
    may_answer = threading.Event()

    class Slow(Bot):
        def choose(self, view: GameView, legal: tuple[Choice, ...]) -> Action:
            assert may_answer.wait(20)
            return legal[0].action

    async with playing(server, Slow()) as (peer, result):
        await seat(peer)
        peer.say(started(1, 1), decision(1))
        peer.say(Ping())
        await peer.hear_bytes(b"pong")
        may_answer.set()
        await grant(peer, Act, ended(2, 1, 1))
        await grant(peer, Leave)
        assert (await result).won == 1


async def test_plain_methods_share_a_thread_of_the_bots_own_and_coroutines_the_loops(port: int) -> None:
    """Each bot's are called in one thread and one at a time, whichever it is."""
    busy = threading.Lock()

    class Watched(RandomBot):
        def __init__(self) -> None:
            super().__init__(random.Random(1))
            self.threads: set[int] = set()

        def note(self) -> None:
            self.threads.add(threading.get_ident())

        def choose(self, view: GameView, legal: tuple[Choice, ...]) -> Action:
            with busy:
                self.note()
            return super().choose(view, legal)

        def saw(self, event: Event, view: GameView | None) -> None:
            assert not busy.locked()
            self.note()

        def game_over(self, record: Record) -> None:
            self.note()

    class Coroutine(Watched):
        async def choose(self, view: GameView, legal: tuple[Choice, ...]) -> Action:  # type: ignore[override]  # it may
            self.note()
            return legal[0].action

    here = threading.get_ident()
    async with await Client.connect("127.0.0.1", port, name="Thinker", is_bot=True) as client:
        for kind in (Watched, Coroutine):
            bot = kind()
            await play(bot, client, house="beginner", options=SHORT)
            assert len(bot.threads) == 1
            assert (here in bot.threads) == (kind is Coroutine)


async def test_bot_knows_where_it_is_before_it_is_asked(server: Server) -> None:
    """Seat, table and its picture are set, and the record of each game is told."""
    told: list[object] = []

    class Curious(Bot):
        def choose(self, view: GameView, legal: tuple[Choice, ...]) -> Action:
            told.append((self.table, self.seat, self.info.game))
            return legal[0].action

        def game_over(self, record: Record) -> None:
            told.append(record)

    async with playing(server, Curious()) as (peer, result):
        await seat(peer)
        peer.say(started(1, 1), decision(1))
        await grant(peer, Act, ended(2, 1, 1))
        await grant(peer, Leave)
        record = await result
    assert told == [(7, Seat(0), "put-1674"), record]


# --- errors ---


class Broken(Bot):
    """Does what is asked of it as it was told to fail."""

    def __init__(self, fail: Callable[[], Any]) -> None:
        self.fail = fail

    def choose(self, view: GameView, legal: tuple[Choice, ...]) -> Action:
        chosen: Action = self.fail()
        return chosen


@pytest.mark.parametrize(
    ("fail", "kind", "says"),
    [
        (lambda: next(iter(())), RuntimeError, "StopIteration"),
        (lambda: dict[str, Action]()["3s"], KeyError, "3s"),
        (
            lambda: None,
            IllegalChoice,
            "chose nothing .did it forget to return.., which is none of the legal actions: play 3s; play",
        ),
        (lambda: CHOICES[0], IllegalChoice, "Return choice.action"),
        (lambda: "put", IllegalChoice, "Broken chose 'put'"),
    ],
)
async def test_error_of_the_bot_ends_the_sitting_as_it_is(
    server: Server, fail: Callable[[], Any], kind: type[Exception], says: str
) -> None:
    """Whatever it raises comes out unchanged; a bad choice names the good ones, and nothing was sent."""
    async with playing(server, Broken(fail)) as (peer, result):
        await seat(peer)
        peer.say(started(1, 1), decision(1))
        with pytest.raises(kind, match=says):
            await result
    assert b"act" not in peer.heard_bytes.replace(b"action", b"")


async def test_bot_may_be_forgiven_its_errors(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    """The first legal action is taken in place of its own, and the log has the traceback."""
    connecting = asyncio.ensure_future(Client.connect("127.0.0.1", server.port, name="Bot"))
    peer = await server.arrival()
    await peer.welcome()
    async with await connecting as client:
        result = asyncio.ensure_future(play(Broken(lambda: 1 // 0), client, house="steady", on_error=OnError.FIRST))
        await seat(peer)
        peer.say(started(1, 1), decision(1))
        act = await grant(peer, Act, ended(2, 1, 1))
        assert isinstance(act, Act)
        assert act.action == CHOICES[0].action
        await grant(peer, Leave)
        assert (await result).games == 1
    assert "ZeroDivisionError" in caplog.text


async def test_bot_chooses_again_when_the_server_finds_it_illegal(server: Server) -> None:
    """Among the others, each once; its list is to be trusted, so it is not asked for ever."""
    async with playing(server, RandomBot()) as (peer, result):
        await seat(peer)
        peer.say(started(1, 1), decision(1))
        refused = []
        for _ in CHOICES:
            act = await peer.hear(Act)
            refused.append(act.action)
            peer.say(Refused(id=act.id, code=RefusalCode.ILLEGAL, says="no such card"))
        assert sorted(map(repr, refused)) == sorted(repr(choice.action) for choice in CHOICES)
        with pytest.raises(Refusal, match="No such card"):
            await result


async def test_log_tells_every_event_and_no_card_but_the_bots_own(port: int, caplog: pytest.LogCaptureFixture) -> None:
    """Games at INFO, events and choices at DEBUG: what this seat was told, and nothing else could be."""
    caplog.set_level(logging.DEBUG, "put_client.bots")
    seen: list[Event] = []

    class Listener(RandomBot):
        def saw(self, event: Event, view: GameView | None) -> None:
            seen.append(event)

    async with await Client.connect("127.0.0.1", port, name="Ear", is_bot=True) as client:
        await play(Listener(random.Random(3)), client, house="beginner", options=SHORT)
    told = [record for record in caplog.records if record.name == "put_client.bots"]
    events = [record.getMessage() for record in told if "event" in record.getMessage().split(": ")[1]]
    assert len(events) == len(seen) > 0
    assert [record.levelname for record in told if ": game 1 " in record.getMessage()] == ["INFO"]
