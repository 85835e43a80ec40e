"""Bots for the arena's tests: good ones, and one for each way to misbehave."""

import os
import random
import signal
import time
from hashlib import sha256
from pathlib import Path
from typing import get_args

from msgspec.structs import replace

from put_client import Bot, RandomBot
from put_client.bots.bot import Record
from put_protocol.games.put import Give
from put_protocol.games.unions import Action, Choice, Event, GameEvent, GameView
from put_protocol.table_info import ClockInfo


class First(Bot):
    """Always the first of what is legal."""

    def choose(self, view: GameView, legal: tuple[Choice, ...]) -> Action:
        return legal[0].action


class Dicey(RandomBot):
    """Any legal action, by dice it is given."""


class Thinker(Bot):
    """Chooses in a coroutine."""

    async def choose(self, view: GameView, legal: tuple[Choice, ...]) -> Action:
        return legal[-1].action


class Hanging(Bot):
    """Never comes back."""

    def choose(self, view: GameView, legal: tuple[Choice, ...]) -> Action:
        while True:
            time.sleep(60)


class Dreaming(Bot):
    """Never comes back, and blocks nobody."""

    async def choose(self, view: GameView, legal: tuple[Choice, ...]) -> Action:
        import asyncio  # noqa: PLC0415

        await asyncio.sleep(3600)
        return legal[0].action


class Dying(Bot):
    """Its process ends."""

    def choose(self, view: GameView, legal: tuple[Choice, ...]) -> Action:
        os._exit(3)


class Quitting(Bot):
    """Asks to end the program."""

    def choose(self, view: GameView, legal: tuple[Choice, ...]) -> Action:
        raise SystemExit(3)


class Failing(Bot):
    """Raises an error now and then."""

    def __init__(self, dice: random.Random) -> None:
        self._dice = dice

    def choose(self, view: GameView, legal: tuple[Choice, ...]) -> Action:
        if self._dice.random() < 0.2:
            raise KeyError("no such card")
        return legal[0].action


class Cheating(Bot):
    """Does what is never legal here."""

    def choose(self, view: GameView, legal: tuple[Choice, ...]) -> Action:
        return Give()


class Deaf(Bot):
    """Never comes back, and cannot be interrupted."""

    def choose(self, view: GameView, legal: tuple[Choice, ...]) -> Action:
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
        time.sleep(3600)
        return legal[0].action


class Diarist(Bot):
    """Writes down at once all that it is told of its games, a file for each deal, seat and player; plays by dice."""

    def __init__(self, dice: random.Random) -> None:
        self._dice = dice
        self._deal = ""

    def choose(self, view: GameView, legal: tuple[Choice, ...]) -> Action:
        self._write(f"choose {view!r} {legal!r}")
        return self._dice.choice(legal).action

    def saw(self, event: Event, view: GameView | None) -> None:
        if isinstance(event, get_args(GameEvent)):
            self._write(f"saw {event!r} {view!r}")

    def game_over(self, record: Record) -> None:
        table = replace(self.info, id=0, clock=ClockInfo(), seats=tuple([replace(s, name="") for s in self.info.seats]))
        self._write(f"over {record.games} {record.won} {record.purse} {table!r}")
        self._deal = ""

    def _write(self, line: str) -> None:
        self._deal = self._deal or sha256(line.encode()).hexdigest()[:12]  # the first is of the draw for the deal
        folder = Path(os.environ["PYTHON_DIARY"])
        folder.mkdir(exist_ok=True)
        with (folder / f"{self._deal} {self.seat} {self.info.seats[self.seat].name}").open("a") as diary:
            diary.write(f"{line}\n")
