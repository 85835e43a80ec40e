"""A disk with no room left, under a real server."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from put_protocol.codecs import LINES
from put_protocol.messages import Act, Decision, Goodbye, Ok, OpenTable, Sit, TableSnapshot, Watch
from put_rules.registry import GAMES
from put_server.journal.archive import Archive
from put_server.journal.journal_check import check
from put_server.lobby.inputs import Ask
from tests.lobby.lobby_harness import new_lobby
from tests.transport.sockets import SocketPeer

ROOM = 200_000
"""Bytes that a file may have: the log of some dozen moves."""

FIRST_MOVE = 100
"""The id of each player's first move, above those of earlier requests."""

SERVER = """
import resource, sys
from put_server.cli import main
if sys.argv[1] != "0":
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), int(sys.argv[1])))
main(sys.argv[2:])
"""


class Serving:
    """A server's process, and those who called it."""

    def __init__(self, process: asyncio.subprocess.Process, port: int) -> None:
        self.process = process
        self._port = port
        self._callers: list[SocketPeer] = []

    async def call(self) -> SocketPeer:
        self._callers.append(SocketPeer(LINES, *await asyncio.open_connection("127.0.0.1", self._port)))
        return self._callers[-1]

    async def end(self) -> None:
        for caller in self._callers:
            caller.cut()
            with suppress(OSError):
                await caller.writer.wait_closed()
        if self.process.returncode is None:
            self.process.kill()
        await self.process.communicate()


@asynccontextmanager
async def serving(data: Path, room: int = 0) -> AsyncIterator[Serving]:
    """A server whose files may be so long; 0: as long as it likes."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", SERVER, str(room), "--host", "127.0.0.1", "--port", "0", "--data", str(data)),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    line = (await process.stdout.readline()).decode()
    server = Serving(process, int(line.rpartition(":")[2]))
    try:
        yield server
    finally:
        await server.end()


async def play(player: SocketPeer) -> dict[int, int]:
    """They answer every decision until the server closes. Returns the requests that were acknowledged, each
    with its decision."""
    asked: dict[int, int] = {}
    while not player.is_over:
        for message in player.messages:
            if isinstance(message, Decision) and message.decision not in asked.values():
                number = FIRST_MOVE + len(asked)
                asked[number] = message.decision
                player.send(Act(number, message.table, message.decision, message.legal[0].action))
        await player.read()
    return {m.id: asked[m.id] for m in player.messages if isinstance(m, Ok) and m.id in asked}


async def test_server_whose_disk_is_full_loses_nothing_it_acknowledged(tmp_path: Path) -> None:
    """Everyone who has said something is told why it stops; it ends as one whose disk failed; and with room again every
    move that was answered with ok is there."""
    async with asyncio.timeout(25):
        async with serving(tmp_path, ROOM) as server:
            players = [await server.call(), await server.call()]
            watcher, guest, stranger = [await server.call() for _ in range(3)]
            tokens = [(await player.hello(f"Player {place}")).token for place, player in enumerate(players)]
            await players[0].ask(lambda n: OpenTable(n, "put-1674", options={"target": 21}))
            await watcher.hello("Watcher")
            await watcher.ask(lambda n: Watch(n, 1))
            await guest.hello("Guest")
            for player in players:
                await player.ask(lambda n: Sit(n, 1))
            others = (watcher, guest, stranger)
            moves, _ = await asyncio.gather(
                asyncio.gather(*map(play, players)), asyncio.gather(*map(SocketPeer.over, others))
            )
            _, said = await server.process.communicate()
        assert not stranger.messages  # who has said nothing may speak anything
        for caller in (*players, watcher, guest):
            (goodbye,) = [message for message in caller.messages if isinstance(message, Goodbye)]
            assert goodbye.says == "the server cannot write to its disk, and stops"
        assert server.process.returncode == os.EX_IOERR
        assert b"the journal cannot be written: disk I/O error" in said.splitlines()[-1]
        assert sum(map(len, moves)) > 5, "it never had room to play"
        with Archive(tmp_path / "put.sqlite3") as archive:
            report = check(archive, new_lobby(), GAMES)
            stored = {
                (record.input.person, record.input.request.id)
                for record in archive.kept.inputs()
                if isinstance(record.input, Ask)
            }
        assert report.findings == ()
        assert {(place + 1, number) for place, acknowledged in enumerate(moves) for number in acknowledged} <= stored
        async with serving(tmp_path) as server:
            for token in tokens:
                back = await server.call()
                await back.hello(token=token)
                table = await back.until(TableSnapshot)
                assert table.view is not None
                if table.viewer == table.view.to_move:
                    decision = await back.until(Decision)
                    assert decision.decision > max(d for acknowledged in moves for d in acknowledged.values())
