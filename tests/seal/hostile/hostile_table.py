"""An evening at a hostile server: `put-client --line` in a process of its own, the SDK, and what both were told.

Moll sits in seat 0 with line mode and types what a person would; Nan is a bot of the SDK. Where the attack needs one, a
shill of the server's sits with them.
"""

import asyncio
import re
from asyncio.subprocess import Process
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from put_client import Bot, Record, play
from put_client.recording import Recording, recorded, sheet_of, with_proofs
from put_client.sdk.client import Client
from put_client.sdk.deal_checks import DealChecked
from put_client.sdk.errors import Cheated, ClientError
from put_protocol.games.put import Dealt, PutView
from put_protocol.games.unions import Action, Choice, GameView
from put_protocol.messages import Events, TableSnapshot
from put_protocol.seal_events import Openings
from put_protocol.seats import GALLERY, Viewer
from put_protocol.table_info import TableInfo
from put_server.app import Server, serving
from put_server.settings import Settings
from put_text.notation import Sheet, read, write
from tests.client.test_cli import start
from tests.seal.hostile.hostile_servers import SHILL

BACKSTOP_S = 60
"""For a whole evening: never waited out by one that ends."""


@dataclass
class Noted:
    """What the SDK's player was told, and what came of it."""

    checked: list[DealChecked] = field(default_factory=list)
    error: Cheated | None = None
    faults_heard: list[Cheated] = field(default_factory=list)
    """Told to the bot."""
    record: Record | None = None
    recording: Recording | None = None
    info: TableInfo | None = None
    viewer: Viewer = GALLERY
    view: GameView | None = None

    def sheet(self) -> Sheet:
        """The game as it would be saved, written down and read again."""
        assert self.recording is not None
        assert self.info is not None
        assert isinstance(self.view, PutView)
        return read(write(sheet_of(self.recording, self.info, self.view, "Hostile")))


class Noting(Client):
    """Keeps what it hands on."""

    noted: Noted
    drops: int
    """Hands in which connections are still to drop."""
    drop_all: Callable[[], None]

    async def __anext__(self) -> object:  # type: ignore[override]  # what it hands on is what the base does
        message = await super().__anext__()
        noted = self.noted
        is_dealt = isinstance(message, Events) and any(isinstance(event, Dealt) for event in message.events)
        if is_dealt and self.drops:
            self.drops -= 1
            self.drop_all()
        match message:
            case DealChecked():
                noted.checked.append(message)
            case TableSnapshot():
                noted.info, noted.view, noted.viewer = message.info, message.view, message.viewer
            case Openings():
                noted.recording = with_proofs(noted.recording, message)
            case Events():
                noted.info = message.info or noted.info
                noted.view = message.view or noted.view
                assert noted.info is not None
                noted.recording = recorded(noted.recording, message, noted.info, noted.viewer, 0)
            case _:
                pass
        return message


class Calm(Bot):
    """Plays the first card it may, so that games have many hands."""

    def __init__(self, noted: Noted) -> None:
        self._noted = noted

    async def choose(self, view: GameView, legal: tuple[Choice, ...]) -> Action:
        return legal[0].action

    def on_fault(self, error: Cheated) -> None:
        self._noted.faults_heard.append(error)


class Typist:
    """`put-client --line`, and somebody who types."""

    def __init__(self, process: Process, until: str) -> None:
        """`until`: the sentence at which there is no more to hear."""
        self._process = process
        self._until = re.compile(until)
        self.said: list[str] = []
        self.sits = asyncio.Event()
        self.has_heard = asyncio.Event()

    async def play(self) -> None:
        """Answer what is asked, to the end of the output."""
        assert self._process.stdout is not None
        while line := await self._process.stdout.readline():
            sentence = line.decode().rstrip("\n")
            self.said.append(sentence)
            if sentence.startswith("You are in seat") or " you sit in seat" in sentence:
                self.sits.set()
            if self._until.search(sentence):
                self.has_heard.set()
            if sentence.startswith("Your move."):
                self.type("1")  # the first choice: a card, where one may be played
            if sentence.startswith('Say "again"'):
                self.type("again")

    def type(self, line: str) -> None:
        assert self._process.stdin is not None
        with suppress(ConnectionError):
            self._process.stdin.write(f"{line}\n".encode())

    async def end(self) -> None:
        self._process.terminate()  # a move that was typed may wait for a turn that does not come
        await self._process.wait()


@dataclass
class Evening:
    """What became of it."""

    line: list[str]
    """Every sentence of line mode."""
    nan: Noted


async def evening(
    *,
    until: str,
    game: str = "put-1674",
    with_shill: bool = False,
    games: int = 3,
    drops: int = 0,
    waits_for_nan: bool = True,
    **options: int | str,
) -> Evening:
    """Play until line mode says something, and the SDK's bot has caught the table or played its games.

    `drops`: hands from the first in which both players' connections drop. `waits_for_nan`: else the bot may not come to
    an end, because line mode has caught the table and does not play on.
    """
    settings = Settings(host="127.0.0.1", port=0, data=":memory:")
    async with asyncio.timeout(BACKSTOP_S), serving(settings, thinks=False) as server:
        noted = Noted()
        nan = await Noting.connect("127.0.0.1", server.port, name="Nan", is_bot=True, waits=lambda: iter([0.0] * 100))
        nan.noted = noted
        nan.drops, nan.drop_all = drops, partial(_drop_all, server)
        table = await nan.open_table(game, seats=3 if with_shill else 2, options=dict(options))
        run = await start(f"127.0.0.1:{server.port}", "--line", "--name", "Moll", "--table", str(table))
        typist = Typist(run.process, until)
        typing = asyncio.ensure_future(typist.play())
        await typist.sits.wait()
        shill = None
        tasks = [asyncio.ensure_future(_play(nan, noted, table, games))]
        if with_shill:
            shill = await Client.connect("127.0.0.1", server.port, name=SHILL, is_bot=True, sealed=False)
            tasks.append(asyncio.ensure_future(_play(shill, Noted(), table, games)))
        await typist.has_heard.wait()
        if waits_for_nan:
            await tasks[0]
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        await typist.end()
        await typing
        await nan.close()
        if shill is not None:
            await shill.close()
    return Evening(typist.said, noted)


def _drop_all(server: Server) -> None:
    for session in list(server.dispatcher._sessions):
        session.cut()


async def _play(client: Client, noted: Noted, table: int, games: int) -> None:
    try:
        noted.record = await play(Calm(noted), client, table=table, games=games)
    except Cheated as error:
        noted.error = error
    except ClientError:
        pass  # the server ended first


def save(noted: Noted, to: Path) -> Path:
    """The game as a file for put-verify."""
    to.write_text(write(noted.sheet()))
    return to
