"""Bots for the arena's tests: good ones, and one for each way to misbehave."""

import os
import random
import time

from put_client import Bot, RandomBot
from put_protocol.games.put import Give
from put_protocol.games.unions import Action, Choice, GameView


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
