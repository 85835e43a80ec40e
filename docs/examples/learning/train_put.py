"""Trains a player of two-handed Put that beats a house player, with numpy alone, and saves what it learned.

    pip install 'put-cards[env]'
    python train_put.py --minutes 8            # --resume goes on where it was stopped
    put-arena trained_bot.py house:steady --game put-1674 --games 2000

How it learns. First it watches the house player, and a small network learns to do as it does. Then a second network
plays thousands of tables at once: most against that likeness, which is a thousand times faster than the house player,
and the others against itself, so that it does not grow too used to one opponent. It says how likely each action is, and
what the hand is worth, and does more of what turned out better than it had said (proximal policy optimisation). A
reward for staying undecided fades away. A hand is worth what it does to the chance of winning the game; what each score
is worth is learned beside, from the same hands.
"""

import argparse
import os
import pickle
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # sums as small as these are faster on one core than shared out

import numpy as np
import numpy.typing as npt

from put_env import aec, network_bot
from put_env.vector import VectorEnv
from put_server.house import registry
from put_server.house_runner import terms_at

Floats = npt.NDArray[np.float32]
GAME, TARGET = "put-1674", 5
HIDDEN = (128, 64)
RATE, UNDECIDED = (1e-3, 1e-4), (0.02, 0.002)
"""Rates of learning, and the reward for staying undecided: at the beginning, and at the end."""
AGAINST = 0.75
"""Share of the tables that play against the likeness of the house player."""
ODD = 0.2
"""While it is watched, how often anything legal is done in its place: so it is seen where it would not go itself."""


@dataclass
class Network:
    """Two layers of inner sums; out come a number for each action, and the worth of the hand."""

    weights: list[Floats]
    mean: list[Floats] = field(default_factory=list)
    """Mean of the weights as they went: it plays more evenly than any one state of them."""
    slopes: list[tuple[Floats, Floats]] = field(default_factory=list)
    steps: int = 0

    @classmethod
    def new(cls, inputs: int, outputs: int, dice: np.random.Generator) -> "Network":
        """One that knows nothing."""
        weights: list[Floats] = []
        for come, go in pairwise((inputs, *HIDDEN, outputs + 1)):
            scale = 0.01 if go == outputs + 1 else (2 / come) ** 0.5
            weights += [dice.normal(0, scale, (come, go)).astype(np.float32), np.zeros(go, np.float32)]
        return cls(weights, [weight.copy() for weight in weights])

    def save(self, out: str) -> None:
        """Save in half precision: some tens of kilobytes."""
        with Path(out).open("wb") as file:  # numpy adds an ending to a name
            np.savez_compressed(file, *[weight.astype(np.float16) for weight in self.mean])

    def layers(self, seen: Floats) -> list[Floats]:
        """Output of each layer, the input first."""
        return network_bot.layers(self.weights, seen)

    def learn(self, layers: list[Floats], error: Floats, rate: float, keep: float = 0.99) -> None:
        """A step of Adam down the slope, given the slope of the last layer."""
        found: list[Floats] = []
        for at in range(len(self.weights) - 2, -1, -2):
            found = [layers[at // 2].T @ error, error.sum(axis=0), *found]
            if at:
                error = (error @ self.weights[at].T) * (layers[at // 2] > 0)
        if not self.slopes:
            self.slopes = [(np.zeros_like(slope), np.zeros_like(slope)) for slope in found]
        self.steps += 1
        length = sum(float((slope**2).sum()) for slope in found) ** 0.5
        for weight, mean, slope, (first, second) in zip(self.weights, self.mean, found, self.slopes, strict=True):
            slope *= min(1.0, 1.0 / (length + 1e-9))
            first += 0.1 * (slope - first)
            second += 0.001 * (slope**2 - second)
            weight -= rate * (first / (1 - 0.9**self.steps)) / (np.sqrt(second / (1 - 0.999**self.steps)) + 1e-8)
            mean += (1 - keep) * (weight - mean)


def chances(logits: Floats, masks: npt.NDArray[np.int8]) -> Floats:
    """Probability of each legal action."""
    shifted = np.where(masks > 0, logits, np.float32(-1e9))
    grown = np.exp(shifted - shifted.max(axis=1, keepdims=True))
    odds: Floats = grown / grown.sum(axis=1, keepdims=True)
    return odds


def drawn(odds: Floats, dice: np.random.Generator) -> npt.NDArray[np.int64]:
    """An action for each row of odds."""
    sums = odds.cumsum(axis=1)
    at = (sums < dice.random((len(odds), 1), dtype=np.float32) * sums[:, -1:]).sum(axis=1)
    is_possible = np.take_along_axis(odds, np.minimum(at, odds.shape[1] - 1)[:, None], 1)[:, 0] > 0
    actions: npt.NDArray[np.int64] = np.where(is_possible, at, odds.argmax(axis=1)).astype(np.int64)
    return actions


Spent = Callable[[], float]
"""Part of the time that is over: done at 1."""


def minutes(count: float, done: float = 0.0) -> Spent:
    """So many minutes of processor time, of which this part is over by now."""
    begun = time.process_time()
    return lambda: done + (time.process_time() - begun) / 60 / count


def watch(name: str, spent: Spent, seed: int) -> tuple[Floats, npt.NDArray[np.int8], Floats]:
    """Observations of a house player, its masks, and the probability of each of its actions."""
    env, dice = aec.env(GAME), Random(seed)
    player = registry.player(name, dice, terms_at(GAME, {}))
    episode, codec = env.episode, env.episode.codec
    seen, masks, odds = [], [], []
    env.reset(seed=seed)
    while spent() < 1:
        if episode.seat is None:
            env.reset()
        seat = episode.seat
        assert seat is not None
        view, shown = episode.view(seat), env.observe(env.agent_selection)
        mixture = player.mixture(view, episode.choices(), seat)
        row = np.zeros(len(codec.actions), np.float32)
        for action, share in mixture.items():
            row[codec.codes(view, [action])[0]] += share
        seen.append(shown["observation"])
        masks.append(shown["action_mask"])
        odds.append(row)
        is_odd = dice.random() < ODD
        legal = np.flatnonzero(shown["action_mask"] if is_odd else row)
        env.step(int(dice.choices(list(legal), None if is_odd else list(row[legal]))[0]))
    return np.array(seen), np.array(masks), np.array(odds)


def likeness(name: str, seen: Floats, masks: Any, odds: Floats, spent: Spent, dice: np.random.Generator) -> Network:
    """A network that does as a house player was seen to do."""
    network = Network.new(seen.shape[1], odds.shape[1], dice)
    kept = 1 + len(seen) // 20  # to see how well it does
    while (done := spent()) < 1:
        part = dice.integers(kept, len(seen), 512)
        layers = network.layers(seen[part])
        error = np.zeros_like(layers[-1])
        error[:, :-1] = (chances(layers[-1][:, :-1], masks[part]) - odds[part]) / len(part)
        network.learn(layers, error, 2e-3 * 0.05**done)
    network.weights = network.mean
    told = chances(network.layers(seen[:kept])[-1][:, :-1], masks[:kept])
    differs = abs(told - odds[:kept]).sum() / 2 / kept
    print(f"{len(seen):,} choices of {name} watched; its likeness differs by {differs:.1%}", flush=True)
    return network


class Scores:
    """The chance to win the game, by points that one needs and the other."""

    def __init__(self) -> None:
        self.wins = np.full((TARGET + 1, TARGET + 1), 0.5)
        for mine in range(TARGET + 1):
            for theirs in range(TARGET + 1):
                if mine * theirs == 0:
                    self.wins[mine, theirs] = 0.5 if mine == theirs else float(mine == 0)
                else:
                    self.wins[mine, theirs] = 0.5 + 0.06 * (theirs - mine)

    def after(self, mine: Any, theirs: Any, points: Any) -> Any:
        """Worth, from -1 to 1, after a hand that brings me these points, or the other if below 0."""
        mine, theirs = mine - np.maximum(points, 0), theirs - np.maximum(-points, 0)
        return 2 * self.wins[mine.astype(int), theirs.astype(int)] - 1

    def learn(self, mine: Any, theirs: Any, worth: Any) -> None:
        """These hands were played at these scores, and were worth so much."""
        for row in range(1, TARGET + 1):
            for column in range(1, TARGET + 1):
                chosen = (mine == row) & (theirs == column)
                if chosen.any():
                    found = (worth[chosen].mean() + 1) / 2
                    self.wins[row, column] += min(0.1, chosen.sum() / 20_000) * (found - self.wins[row, column])


@dataclass
class Training:
    """All that practice has come to, so that it can go on from there."""

    network: Network
    rival: Network
    """The likeness of the house player."""
    dice: np.random.Generator
    scores: Scores = field(default_factory=Scores)
    done: float = 0.0
    """Part of its time that is over."""
    choices: int = 0

    def save(self, out: str) -> None:
        """Save the player, and a checkpoint beside it."""
        self.network.save(out)
        new = Path(f"{out}.new")
        new.write_bytes(pickle.dumps(self))
        new.replace(f"{out}.checkpoint")

    @classmethod
    def resumed(cls, out: str) -> "Training":
        """Take up the training at its last checkpoint."""
        found = pickle.loads(Path(f"{out}.checkpoint").read_bytes())
        assert isinstance(found, cls)
        return found


def practise(training: Training, spent: Spent, asked: argparse.Namespace) -> None:
    """Play and learn until that is spent; save now and then, and at the end."""
    network, rival, scores, dice = training.network, training.rival, training.scores, training.dice
    tables, length = asked.tables, asked.length
    seed = asked.seed + training.choices  # other cards than before the checkpoint
    env = VectorEnv(GAME, 2, tables=tables, seed=seed, unit="hand", rewards="points")
    names = env.codec.layout.names
    me, other = names.index("score.me"), names.index("score.+1")
    rivals = np.where(np.arange(tables) < AGAINST * tables, np.arange(tables) % 2, -1)
    """Seat of the likeness at each table; -1: it has none."""
    shown = time.monotonic()
    while (done := spent()) < 1:
        rate, undecided = (first * (last / first) ** done for first, last in (RATE, UNDECIDED))
        seen = np.empty((length, tables, len(names)), np.float32)
        masks = np.empty((length, tables, len(env.codec.actions)), np.int8)
        acted, movers = np.empty((length, tables), np.int64), np.empty((length, tables), np.int8)
        was = np.empty((length, tables), np.float32)
        points, ends = np.empty((length, tables), np.float32), np.empty((length, tables), np.bool_)
        for at in range(length):
            seen[at], masks[at], movers[at] = env.observations, env.masks, env.movers
            odds = np.empty((tables, masks.shape[2]), np.float32)
            for player, rows in ((network, movers[at] != rivals), (rival, movers[at] == rivals)):
                odds[rows] = chances(player.layers(seen[at][rows])[-1][:, :-1], masks[at][rows])
            acted[at] = drawn(odds, dice)
            was[at] = np.take_along_axis(odds, acted[at][:, None], 1)[:, 0]
            rewards, ended = env.step(acted[at])
            points[at], ends[at] = rewards[:, 0], ended
        # What each choice led to, backwards: the end of its hand, or what is thought of it where that is yet to come.
        worth = network.layers(env.observations)[-1][:, -1] * (1 - 2 * env.movers)
        targets = np.empty((length, tables), np.float32)
        for at in range(length - 1, -1, -1):
            sign = 1 - 2 * movers[at]  # worth is counted from seat 0
            needs = TARGET - seen[at][:, me], TARGET - seen[at][:, other]
            mine, theirs = (np.where(sign > 0, *pair) for pair in (needs, needs[::-1]))
            worth = np.where(ends[at], scores.after(mine, theirs, points[at]), worth)
            targets[at] = worth * sign
            # Scores are counted from the seat of the one who learns.
            own = np.where(rivals == 0, -1, 1)
            over = ends[at] & (rivals >= 0)
            needed, by_other = (np.where(own > 0, *pair)[over] for pair in ((mine, theirs), (theirs, mine)))
            scores.learn(needed, by_other, (worth * own)[over])
        learns = np.flatnonzero((movers != rivals).ravel())
        parts = [part.reshape(length * tables, *part.shape[2:]) for part in (seen, masks, acted, was, targets)]
        for _ in range(2):
            for rows in np.array_split(dice.permutation(learns), max(1, len(learns) // 4096)):
                improve(network, *(part[rows] for part in parts), undecided=undecided, rate=rate)
        training.choices, training.done = training.choices + len(learns), done
        if time.monotonic() - shown > 20:
            shown = time.monotonic()
            print(f"{done:4.0%}  {training.choices:,} choices  {scores.wins[TARGET, TARGET]:.1%} of games", flush=True)
            training.save(asked.out)
    training.save(asked.out)
    print(f"{training.choices:,} choices; what was learned is in {asked.out}")


def improve(
    network: Network, seen: Floats, masks: Any, acted: Any, was: Any, targets: Any, *, undecided: float, rate: float
) -> None:
    """Learn from these choices and what they led to. `was`: how likely each was when it was made."""
    layers = network.layers(seen)
    logits, said = layers[-1][:, :-1], layers[-1][:, -1]
    odds, rows = chances(logits, masks), np.arange(len(acted))
    gain = targets - said
    ratio = odds[rows, acted] / was
    is_near = np.where(gain > 0, ratio < 1.2, ratio > 0.8)
    pull = is_near * gain * ratio
    log = np.log(np.maximum(odds, 1e-9))
    # The slope of what was gained by what was done, of the entropy, and of the squared error of the worth.
    slope = odds * pull[:, None]
    slope[rows, acted] -= pull
    slope += undecided * odds * (log - (odds * log).sum(axis=1, keepdims=True))
    error = np.concatenate([slope, -0.5 * gain[:, None]], axis=1).astype(np.float32) / np.float32(len(acted))
    network.learn(layers, error, rate, keep=0.995)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--minutes", type=float, default=8, help="of processor time, in all")
    parser.add_argument("--house", default="steady", choices=sorted(registry.HOUSES), help="whom to beat")
    parser.add_argument("--tables", type=int, default=1024)
    parser.add_argument("--length", type=int, default=24, help="choices at each table between two lessons")
    parser.add_argument("--seed", type=int, default=1674)
    parser.add_argument("--out", default="trained_put.npz")
    parser.add_argument("--resume", action="store_true", help="go on from the last checkpoint of --out")
    asked = parser.parse_args()
    if asked.resume:
        training = Training.resumed(asked.out)
    else:
        dice = np.random.default_rng(asked.seed)
        watched = watch(asked.house, minutes(0.15 * asked.minutes), asked.seed)
        rival = likeness(asked.house, *watched, minutes(0.1 * asked.minutes), dice)
        inputs, outputs = rival.weights[0].shape[0], rival.weights[-1].shape[0] - 1
        training = Training(Network.new(inputs, outputs, dice), rival, dice)
    practise(training, minutes(0.75 * asked.minutes, training.done), asked)


if __name__ == "__main__":
    main()
