"""A server that begins again from its journal."""

import asyncio
import os
import random
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from put_protocol import messages
from put_protocol.codecs import FRAMES, LINES
from put_protocol.games.unions import GameView
from put_protocol.table_events import PresenceChanged
from put_rules.registry import GAMES
from put_server.app import Server, new_lobby
from put_server.journal.archive import Archive
from put_server.journal.journal_check import check
from put_server.journal.journal_reader import GameRow
from put_server.settings import Settings
from put_server.table.table_effects import TableId
from tests.table.table_harness import state_of
from tests.transport.sockets import SocketPeer, running_server

TABLE = TableId(1)


def public(server: Server) -> dict[int, Any]:
    """The snapshot of every table, but for who is away and how long they may be."""
    pictures = {}
    for number, table in server.dispatcher.lobby.tables.items():
        info, people, empty, viewers, *_, decision, _, _, players, dealer = state_of(table, 0)
        seats = [(seat.name, seat.is_house, seat.agrees, seat.purse) for seat in info.seats]
        views = [(viewer, view) for viewer, _, view in viewers]
        pictures[int(number)] = (
            info.game,
            info.games,
            info.state,
            seats,
            people,
            empty,
            views,
            decision,
            players,
            dealer,
        )
    return pictures


async def test_restart_brings_tables_hands_purses_and_tokens_back(tmp_path: Path) -> None:
    """Every table is as it was, and everyone takes up their seat with token and numbers."""
    dice = random.Random(7)
    async with running_server(data=str(tmp_path)) as harness:
        players = await harness.game(FRAMES, LINES, FRAMES, options={"target": 1})
        table = harness.server.dispatcher.lobby.tables[TABLE]
        moves = 0
        while moves < 45 or table.info.games < 2:  # packs are the system's: how long a game takes nobody knows
            mover, decision = await harness.asked(players)
            await mover.act(decision, dice.choice(decision.legal).action)
            moves += 1
            if table.model.turn.seat is None:
                for player in players:
                    await player.ask(lambda n: messages.Again(n, 1))
        before = public(harness.server)
        seen = [player.client.seen for player in players]
        assert table.info.games > 1
    async with running_server(data=str(tmp_path)) as harness:
        assert public(harness.server) == before
        backs: list[SocketPeer] = []
        for player, known in zip(players, seen, strict=True):
            back = await harness.call(LINES)
            back.client.follow_from(known)
            welcome = await back.hello(token=player.token, seen=known)
            assert (welcome.name, welcome.tables) == (f"Player {len(backs)}", (1,))
            backs.append(back)
        mover, decision = await harness.asked(backs)
        assert isinstance(
            await mover.ask(lambda n: messages.Act(n, 1, decision.decision, decision.legal[0].action)), messages.Ok
        )
        stranger = await harness.call()
        stranger.send(messages.Hello(2, "Player 0"))
        goodbye = await stranger.over()
        assert goodbye is not None
        assert goodbye.refusal == "name_taken"


async def test_restart_tells_who_was_away_what_they_missed(tmp_path: Path) -> None:
    """Numbers go on over a restart: the tail is the tail, with the absence it brought."""
    async with running_server(data=str(tmp_path)) as harness:
        ann, ben = await harness.game(FRAMES, FRAMES)
        await ben.ask(lambda n: messages.Say(n, 1, "hm"))
        await ann.until(messages.Events, lambda m: "hm" in repr(m.events))
        seen = ann.client.seen
    async with running_server(data=str(tmp_path)) as harness:
        back = await harness.call()
        back.client.follow_from(seen)
        await back.hello(token=ann.token, seen=seen)
        missed = await back.until(messages.Events)
        assert all(isinstance(event, PresenceChanged) for event in missed.events)
        assert not [m for m in back.messages if isinstance(m, messages.TableSnapshot)]


async def test_restart_lets_house_players_go_on(tmp_path: Path) -> None:
    """A house player is in its seat again, knows its cards, and answers what was asked of it."""
    async with running_server(data=str(tmp_path)) as harness:
        ann = await harness.guest("Ann")
        await ann.ask(lambda n: messages.OpenTable(n, "put-1674", seats=3))
        await ann.ask(lambda n: messages.Sit(n, 1))
        await ann.ask(lambda n: messages.Invite(n, 1))
        await ann.ask(lambda n: messages.Invite(n, 1))
        await ann.until(messages.Decision)
    for _ in range(3):
        async with running_server(data=str(tmp_path)) as harness:
            back = await harness.call()
            await back.hello(token=ann.token)
            asked = await back.until(messages.Decision)
            assert isinstance(await back.act(asked), messages.Ok)
            while back.messages[-1] is asked or max(d.decision for d in decisions(back)) == asked.decision:
                await back.read()


async def test_restart_keeps_clocks_where_they_stood(tmp_path: Path) -> None:
    """Time does not pass while the server is down."""
    async with running_server(data=str(tmp_path)) as harness:
        await harness.game(FRAMES, FRAMES, bank=60)
        at = harness.server.dispatcher.now()
    async with running_server(data=str(tmp_path)) as harness:
        assert harness.server.dispatcher.now() >= at
        table = harness.server.dispatcher.lobby.tables[TABLE]
        banks = [chair.bank.remaining(harness.server.dispatcher.now()) for chair in table.seating.chairs]
        assert all(bank is not None and 50_000 < bank <= 60_000 for bank in banks)
        harness.advance(60_000)
        assert harness.server.dispatcher.lobby.tables == {}


async def test_restart_forgets_who_said_bye(tmp_path: Path) -> None:
    """A token that ended stays ended."""
    async with running_server(data=str(tmp_path)) as harness:
        ann = await harness.guest("Ann")
        ann.send(messages.Bye())
        await ann.over()
    async with running_server(data=str(tmp_path)) as harness:
        ghost = await harness.call()
        ghost.send(messages.Hello(2, token=ann.token))
        goodbye = await ghost.over()
        assert goodbye is not None
        assert goodbye.refusal == "bad_token"


async def test_restart_follows_from_what_was_kept(tmp_path: Path) -> None:
    """While the server runs, after it stopped and after it began again: every record follows, and every game that
    ended is among the finished ones."""
    dice = random.Random(5)
    journal = Settings(data=str(tmp_path)).journal
    assert journal is not None
    for is_again in (False, True):
        async with running_server(data=str(tmp_path)) as harness:
            if not is_again:
                players = await harness.game(FRAMES, LINES, options={"target": 1})
                while harness.server.dispatcher.games_finished == 0:
                    mover, decision = await harness.asked(players)
                    await mover.act(decision, dice.choice(decision.legal).action)
            assert checked(journal) == ()
        assert checked(journal) == ()
        (game,) = journal_games(journal)
        assert [player.name for player in game.players] == ["Player 0", "Player 1"]
        assert game.result is not None


def checked(journal: Path) -> tuple[str, ...]:
    with Archive(journal) as archive:
        return check(archive, new_lobby(Settings(), archive.passcode_key), GAMES).findings


def journal_games(journal: Path) -> list[GameRow]:
    with Archive(journal) as archive:
        return archive.latest(10)[0]


def decisions(caller: SocketPeer) -> list[messages.Decision]:
    return [message for message in caller.messages if isinstance(message, messages.Decision)]


# --- the real process, killed ---


class Process:
    """`python -m put_server`, on a port it chose itself."""

    def __init__(self, process: asyncio.subprocess.Process, port: int) -> None:
        self.process = process
        self.port = port

    async def call(self) -> SocketPeer:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=2**20)
        return SocketPeer(LINES, reader, writer)

    async def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        await self.process.wait()


@asynccontextmanager
async def process(data: Path) -> AsyncIterator[Process]:
    """A server of its own; killed at the end if it is not yet."""
    flags = ("--host", "127.0.0.1", "--port", "0", "--data", str(data))
    running = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "put_server", *flags, stdout=asyncio.subprocess.PIPE, env={**os.environ}
    )
    try:
        assert running.stdout is not None
        line = (await running.stdout.readline()).decode()
        yield Process(running, int(line.rpartition(":")[2]))
    finally:
        if running.returncode is None:
            running.kill()
        await running.wait()


async def test_killed_server_forgets_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    """Killed in mid-game again and again, it has every action that was answered with ok, and the same hands."""
    dice = random.Random(3)
    tokens: list[str] = []
    views: list[GameView | None] = [None, None]
    acknowledged = 0
    async with asyncio.timeout(25):
        for _ in range(5):
            async with process(tmp_path) as server:
                players = [await server.call() for _ in range(2)]
                if not tokens:
                    for place, player in enumerate(players):
                        tokens.append((await player.hello(f"Player {place}")).token)
                    await players[0].ask(lambda n: messages.OpenTable(n, "put-1674", options={"target": 21}))
                    for player in players:
                        await player.ask(lambda n: messages.Sit(n, 1))
                else:
                    for player, token, view in zip(players, tokens, views, strict=True):
                        assert (await player.hello(token=token)).tables == (1,)
                        found = await player.until(messages.TableSnapshot)
                        assert found.view == view
                for _ in range(dice.randrange(3, 12)):
                    mover, decision = await _asked(players, acknowledged)
                    assert isinstance(await mover.act(decision), messages.Ok)
                    acknowledged = decision.decision
                await _asked(players, acknowledged)  # what came of it was told, too
                views = [await _view(player) for player in players]
                await server.kill()
                for player in players:
                    player.writer.transport.abort()
    assert acknowledged > 15


async def _asked(players: list[SocketPeer], answered: int) -> tuple[SocketPeer, messages.Decision]:
    """Who is asked after that decision was answered."""
    while True:
        for player in players:
            for message in player.messages:
                if isinstance(message, messages.Decision) and message.decision > answered:
                    return player, message
        reads = [asyncio.ensure_future(player.read()) for player in players]
        _, pending = await asyncio.wait(reads, return_when=asyncio.FIRST_COMPLETED)
        for read in pending:
            read.cancel()
        await asyncio.gather(*pending, return_exceptions=True)


async def _view(player: SocketPeer) -> GameView | None:
    """The game as a player sees it after everything was told: they ask for something and read up to the answer."""
    await player.ask(lambda n: messages.Sit(n, 999))
    views = [
        m.view
        for m in player.messages
        if isinstance(m, messages.Events | messages.TableSnapshot) and m.view is not None
    ]
    return views[-1]
