"""Plays two-handed Put as `train_put.py` learned it, from `trained_put.npz` beside this file or in this folder."""

import random
from pathlib import Path

import numpy as np

from put_client import Bot
from put_env import Table
from put_env.families import codec_of
from put_protocol.games.put import PutView
from put_protocol.games.unions import Action, Choice, GameView

NAME = "trained_put.npz"
SELDOM = 0.03
"""Drop actions below this probability: they are left from the network's first guesses."""


class Trained(Bot):
    def __init__(self, dice: random.Random | None = None) -> None:
        self.dice = dice or random.Random()
        beside = Path(__file__).with_name(NAME)
        with np.load(beside if beside.exists() else NAME) as kept:
            self.weights = [kept[name].astype(np.float32) for name in kept.files]
        self.codec = codec_of(Table(rule_set="put-1674", seats=2))

    def choose(self, view: GameView, legal: tuple[Choice, ...]) -> Action:
        if self.info.game != "put-1674" or not isinstance(view, PutView) or len(view.scores) != 2:
            return self.dice.choice(legal).action  # it knows no other game
        coded = self.codec.coded(view, [choice.action for choice in legal])
        numbers = np.frombuffer(self.codec.encode(view, self.seat), np.float32)
        for at in range(0, len(self.weights), 2):
            numbers = numbers @ self.weights[at] + self.weights[at + 1]
            if at + 2 < len(self.weights):
                numbers = np.maximum(numbers, 0)
        logits = numbers[list(coded)]
        odds = np.exp(logits - logits.max())
        odds = np.where(odds < SELDOM * odds.sum(), 0, odds)
        chosen: Action = self.dice.choices(list(coded.values()), odds.tolist())[0]
        return chosen
