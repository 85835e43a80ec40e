"""Bot that plays by a saved network, for `put-bot` and `put-arena`.

    from put_env.network_bot import NetworkBot

    class Trained(NetworkBot):
        file = "trained_put.npz"

The file has a matrix and a bias vector for each layer, alternating, as written by `numpy.savez`. Between layers,
negative numbers become 0 (ReLU). The last layer begins with one number for each action: a larger number means a
likelier action. For another kind of network, override `logits`.
"""

import random
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from put_client.bots.bot import Bot
from put_env.env_table import Table
from put_env.observing import Observation, Translator
from put_protocol.games.unions import Action, Choice, GameView

Floats = npt.NDArray[np.float32]


class NetworkBot(Bot):
    """A player at one table, with the rule set, seats and options that its network was trained with."""

    file = ""
    """The saved network, beside the module of the class or in the current folder."""
    least = 0.03
    """Actions below this probability are dropped: they remain from the network's first guesses."""

    def __init__(self, dice: random.Random | None = None) -> None:
        self._dice = dice or random.Random()
        self._weights = self.load()
        self._translator: Translator | None = None

    def load(self) -> list[Floats]:
        module = getattr(sys.modules.get(type(self).__module__), "__file__", None) or ""
        beside = Path(module).parent / self.file
        with np.load(beside if beside.is_file() else self.file) as kept:
            return [kept[name].astype(np.float32) for name in kept.files]

    def logits(self, observation: Observation) -> npt.NDArray[Any]:
        """A number for each action. Further numbers are ignored.

        :raises ValueError: the network is for another table.
        """
        seen = observation["observation"]
        if len(self._weights[0]) != len(seen):
            raise ValueError(f"the network takes {len(self._weights[0])} numbers, and {self.info.game} has {len(seen)}")
        return layers(self._weights, seen)[-1]

    def choose(self, view: GameView, legal: tuple[Choice, ...]) -> Action:
        """A legal action, drawn with the network's probabilities."""
        if self._translator is None:
            table = Table(rule_set=self.info.game, seats=len(self.info.seats), options=self.info.options)
            self._translator = Translator(table, self.seat)
        observation = self._translator.observe(view, legal)
        numbers = np.flatnonzero(observation["action_mask"])
        logits = self.logits(observation)[numbers]
        odds = np.exp(logits - logits.max())
        odds = np.where(odds < self.least * odds.sum(), 0, odds)
        return self._translator.act(self._dice.choices(numbers.tolist(), odds.tolist())[0])


def layers(weights: Sequence[Floats], seen: Floats) -> list[Floats]:
    """Output of each layer of a network, the input first."""
    out = [seen]
    for at in range(0, len(weights), 2):
        sums = out[-1] @ weights[at] + weights[at + 1]
        out.append(np.maximum(sums, 0) if at + 2 < len(weights) else sums)
    return out
