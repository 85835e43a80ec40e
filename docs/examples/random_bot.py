"""Chooses any legal action: it knows no rule, and is a legal player of every game."""

import random

from put_client import Bot
from put_protocol.games.unions import Action, Choice, GameView


class Reckless(Bot):
    def __init__(self, dice: random.Random | None = None) -> None:
        self.dice = dice or random.Random()

    def choose(self, view: GameView, legal: tuple[Choice, ...]) -> Action:
        return self.dice.choice(legal).action
