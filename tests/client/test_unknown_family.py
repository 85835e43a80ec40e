"""A family of a later release: this release's client plays its games to the end, in the server's words.

The client's codec renames a family: its tags, its rule set, its view. So to the client it is one that it has never
heard of, and the server plays a game that it has. What it signs is renamed, too.
"""

import asyncio
import io
import os
import random
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec
import pyte
import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from put_client import Bot, Client, RandomBot, connect, play
from put_client.fairness.referee import Referee
from put_client.line import line_mode
from put_client.sdk.deal_checks import CheckFailed
from put_client.tui import app
from put_protocol.blind_acts import act_body
from put_protocol.codecs import LINES, Codec
from put_protocol.games.unions import Action, Choice, Event, GameView
from put_protocol.games.unknown import UnknownAction, UnknownEvent, UnknownView
from put_protocol.messages import Events, TableSnapshot
from put_protocol.seats import Seat
from put_protocol.table_events import GameStarted
from put_protocol.table_info import ClockInfo, SeatInfo, TableInfo, TableState
from put_server.settings import Settings
from tests.serving import serving

GAMES = [("triomphe", "triomphe-forcee", 4), ("primero", "primero", 3)]


@asynccontextmanager
async def meeting(family: str) -> AsyncIterator[Client]:
    """A client at a server, with a codec that calls a family `whist`."""
    old, new = f'"{family}'.encode(), b'"whist'
    codec = Codec(
        "renaming",
        encode=lambda message: LINES.encode(message).replace(new, old),
        objects=lambda body, items: LINES.objects(body.replace(old, new), items),
        typed=lambda union: lambda body: LINES.typed(union)(body.replace(old, new)),
        bare=lambda message: LINES.bare(message).replace(new, old),
        splitter=LINES.splitter,
    )

    def renamed(act: Any) -> bytes:
        plain = msgspec.json.encode(msgspec.msgpack.decode(act_body(act)))
        return msgspec.msgpack.encode(msgspec.json.decode(plain.replace(new, old)))

    settings = Settings(host="127.0.0.1", port=0, data=":memory:")
    with (
        patch("put_client.sdk.blind_table.act_body", renamed),
        patch("put_protocol.blind_acts.act_body", renamed),
    ):
        async with (
            asyncio.timeout(25),
            serving(settings, thinks=False) as server,
            connect("127.0.0.1", server.port, name="Moll", codec=codec, knows=("put",)) as client,
        ):
            yield client


class Noting(RandomBot):
    """Chooses at random, and notes of what kind everything is that it is given."""

    def __init__(self) -> None:
        super().__init__(random.Random(1))
        self.kinds: set[type] = set()

    def choose(self, view: GameView, legal: tuple[Choice, ...]) -> Action:
        self.kinds |= {type(view), *(type(choice.action) for choice in legal)}
        return super().choose(view, legal)

    def saw(self, event: Event, view: GameView | None) -> None:
        self.kinds.add(type(event))


@pytest.mark.parametrize(("family", "game", "seats"), GAMES)
async def test_bot_plays_a_family_that_it_does_not_know(family: str, game: str, seats: int) -> None:
    """The SDK gives it the view and the actions as they came, and sends back what it chose."""
    bot: Noting = Noting()
    async with meeting(family) as client:
        # Six hands, for one may be won by a declaration before the bot is asked.
        name = game.replace(family, "whist")
        record = await play(
            bot, client, game=name, seats=seats, options={"hands": 6, "dealing": "plain"}, house="beginner", games=1
        )
    assert isinstance(bot, Bot)
    assert record.games == 1
    assert {UnknownView, UnknownAction, UnknownEvent} <= bot.kinds
    assert not {kind for kind in bot.kinds if kind.__module__.endswith((".triomphe", ".primero", ".put"))}


@pytest.mark.parametrize(("family", "game", "seats"), GAMES)
async def test_line_mode_plays_a_family_that_it_does_not_know(family: str, game: str, seats: int) -> None:
    """Every event, the board and every choice in the server's words, typed by number or by the server's phrase."""
    async with meeting(family) as client:
        said = await played_in_lines(
            lambda descriptor, say: line_mode.run(client, descriptor=descriptor, say=say),
            game.replace(family, "whist"),
            seats,
        )
    assert any(line.startswith("The game is over:") for line in said)
    assert not any("cheat" in line or "fair" in line for line in said)
    assert not any("no choice of yours" in line for line in said)


async def played_in_lines(run: Callable[..., object], game: str, seats: int) -> list[str]:
    """All that is said to somebody who opens a table with house players, and plays until the game is over."""
    reading, writing = os.pipe()
    said: list[str] = []
    dice = random.Random(seats)

    def type_line(line: str) -> None:
        os.write(writing, f"{line}\n".encode())

    def hear(line: str) -> None:
        said.append(line)
        if line.startswith("Your move."):
            type_line("legal")
        elif line.startswith("You can: "):
            choices = re.findall(r"(?:: |; )\d+ ([^;]+)", line.partition("You can")[2])
            place = dice.randrange(len(choices))
            for question in ("table", "hand", "score", "why") if len(said) % 9 == 0 else ():
                type_line(question)
            type_line(dice.choice((f"#{place + 1}", choices[place].rstrip("."))))
        elif line.startswith("The game is over:"):
            type_line("quit")

    type_line(f"open {game} {seats} hands=1")
    for seat in range(1, seats):
        type_line(f"invite {seat + 1} beginner")
    await run(reading, hear)  # type: ignore[misc]  # a coroutine
    os.close(writing)
    return said


@pytest.mark.parametrize(("family", "game", "seats"), GAMES)
async def test_deals_of_a_family_that_is_not_known_are_not_called_false(family: str, game: str, seats: int) -> None:
    """Nobody can check a pack that they do not know, or cards that they were shown by events that say nothing to them:
    such deals are not proved, and no honest server is accused."""
    async with meeting(family) as client:
        table = await client.open_table(game.replace(family, "whist"), seats=seats, options={"hands": 1})
        await client.sit(table)
        for _ in range(seats - 1):
            await client.invite(table, house="beginner")
        async for message in client:
            assert not isinstance(message, CheckFailed), message
            if getattr(message, "legal", ()):
                await client.act(table, message.decision, message.legal[0].action)  # type: ignore[union-attr, arg-type]
            if getattr(getattr(message, "info", None), "state", "") == "between":
                break


def test_game_that_is_told_at_once_accuses_nobody() -> None:
    """What a game pays is not known, also where no message came while it was played. Between games it is."""

    def table(state: TableState, games: int, *purses: int) -> TableInfo:
        seats = tuple([SeatInfo(name, purse=purse) for name, purse in zip(("Moll", "Nan"), purses, strict=True)])
        return TableInfo(1, "whist", {}, seats, ClockInfo(), state, games)

    referee = Referee(TableSnapshot(1, Seat(0), 0, table(TableState.FILLING, 0, 0, 0)))
    game = Events(1, 1, (GameStarted(1, ("Moll", "Nan")),), table(TableState.BETWEEN, 1, 2, -2))
    assert referee.receive(game, 0.0) is None
    later = Events(1, 2, (), table(TableState.BETWEEN, 1, 3, -3))
    assert referee.receive(later, 0.0) == "The purse of you is 2 by the rules, and was told as 3."


class Drawn(io.StringIO):
    """A terminal in memory."""

    def __init__(self) -> None:
        super().__init__()
        self.screen = pyte.Screen(80, 24)
        self._stream = pyte.Stream(self.screen)
        self._changed = asyncio.Event()

    def write(self, text: str) -> int:
        self._stream.feed(text)
        self._changed.set()
        return len(text)

    async def shows(self, text: str) -> None:
        """Wait until a line of the screen has this in it."""
        while not any(text in line for line in self.screen.display):
            self._changed.clear()
            await self._changed.wait()


@pytest.mark.parametrize(("family", "game", "seats"), GAMES)
async def test_full_screen_plays_a_family_that_it_does_not_know(
    family: str, game: str, seats: int, tmp_path: Path
) -> None:
    """It shows the board in the server's words, and what is typed for the first choice is done, to the end. It writes
    no such game down, and says why."""
    terminal = Drawn()
    async with meeting(family) as client:
        table = await client.open_table(game.replace(family, "whist"), seats=seats, options={"hands": 1})
        await client.sit(table)
        with create_pipe_input() as pipe:
            output = Vt100_Output(terminal, lambda: Size(24, 80))
            with create_app_session(pipe, output):
                shown = asyncio.create_task(app.run(client))
            for _ in range(seats - 1):
                await client.invite(table, house="beginner")
            while not any("game is over" in line for line in terminal.screen.display):
                pipe.send_text("\x1b[C\r")
                await asyncio.sleep(0.02)  # between two looks at the screen
            pipe.send_text(f"/save {tmp_path}/game.put\r")
            await terminal.shows("newer than this client")
            shown.cancel()
            await asyncio.wait({shown})
    assert not (tmp_path / "game.put").exists()
    assert any("In this sitting" in line for line in terminal.screen.display)
