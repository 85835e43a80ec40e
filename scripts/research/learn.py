"""Teach the house to play: it plays hands against itself, and does more of what turned out better than expected.

The hands are those of `put_server.house.put.rank_hand`, compiled; what is learned is a small network a kind of play,
which sees what a seat sees. A second network, which sees all cards and is thrown away afterwards, says what was to be
expected: so luck in the dealing hardly disturbs. Being told to stay a little undecided, less and less, the player
learns to mix its moves as bluffing asks. The same seed on the same machine gives the same player. Needs the extra
`put-cards[solve]`.

    python -m scripts.research.learn doubling --rounds 1000 --out doubling.npz
"""

import argparse
import os
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numba
import numpy as np

from put_env.kernels.put import rank_hand as h
from put_server.house.put.score_values import StakeRule, win_probability

KINDS = {
    "any_turn": (0, StakeRule.PLAYED_OUT),
    "stages": (1, StakeRule.GIVEN_UP),
    "concessions": (2, StakeRule.OUTRIGHT),
    "opening": (3, StakeRule.PLAYED_OUT),
    "doubling": (4, StakeRule.DOUBLED),
}
"""Each kind of play by its number in `rank_hand`, and what its scores are worth."""

HIDDEN = (128, 64)
JUDGE = (64, 32)
"""Inner sums, layer by layer, of the network that is kept and of the one that is thrown away."""

A_POINT_OF_THREE, A_POINT_OF_FOUR = 1.2, 1.1
"""Divisors of a player's chance for each point to come: measured, with sharp players among steady ones."""


# What is compiled must find what it uses under plain names.
fill_legal, step, fill_features, hand_value = h.fill_legal, h.step, h.fill_features, h.hand_value
SIZE, FEATURES, ACTIONS, RANKS = h.SIZE, h.FEATURES, h.ACTIONS, h.RANKS
# What the judge sees: the same, the others' hands, and whether the rival plays.
ALL = FEATURES + 3 * RANKS + 1
HELD, THROWN, IN, TABLE, NEEDS = h.HELD, h.THROWN, h.IN, h.TABLE, h.NEEDS
KIND, COUNT, LEFT, PHASE, PUTTER, VALUE, FIRST, PACK = (
    h.KIND, h.COUNT, h.LEFT, h.PHASE, h.PUTTER, h.VALUE, h.FIRST, h.PACK,
)  # fmt: skip
IS_GAME, WINNER = h.IS_GAME, h.WINNER
TIES_GO, RECEIVED, STAKE, ANEW, MOVER, OVER, PLAY = h.TIES_GO, h.RECEIVED, h.STAKE, h.ANEW, h.MOVER, h.OVER, h.PLAY


@numba.njit
def deal(hand: Any, kind: int, least: int, most: int) -> None:
    """A new hand of so many players, at some score, with some pack, under some options."""
    hand[:] = 0
    count = np.random.randint(least, most + 1) if kind in (0, 3) else 2
    ranks, longest, often = 13, 5, np.random.random()
    if kind == 4:
        ranks, longest = (8 if often < 0.85 else 7), 12
        hand[TIES_GO] = np.random.random() < 0.15
    elif often > 0.8:
        ranks = 8 if often < 0.9 else 7
    if kind != 4 and np.random.random() < 0.1:
        longest = 9
    hand[KIND], hand[COUNT], hand[PACK] = kind, count, ranks
    hand[STAKE] = 2 if kind == 2 and np.random.random() < 0.2 else 1
    hand[ANEW] = np.random.random() < 0.1
    hand[LEFT] = count + 1
    hand[PUTTER], hand[FIRST], hand[VALUE] = -1, -1, 1
    hand[PHASE] = 0 if kind == 3 else PLAY
    pack = np.empty(4 * ranks, np.int64)
    for at in range(4 * ranks):
        pack[at] = 12 - at // 4
    for at in range(20 if count == 4 else 12):
        other = np.random.randint(at, 4 * ranks)
        pack[at], pack[other] = pack[other], pack[at]
    for seat in range(4):
        hand[TABLE + seat] = -1
        if seat < count:
            hand[IN + seat] = 1
            hand[NEEDS + seat] = np.random.randint(1, longest + 1)
    is_received = kind <= 1 and count == 2 and np.random.random() < 0.4
    hand[RECEIVED] = is_received
    at = 0
    for seat in range(count):
        if not is_received:
            for _ in range(count + 1):
                hand[HELD + RANKS * seat + pack[at]] += 1
                at += 1
            continue
        ours = np.empty((2, 4), np.int64)
        for partner in range(2):
            ours[partner, :3] = np.sort(pack[at : at + 3])
            at += 3
        for partner in range(2):
            ours[partner, 3] = ours[1 - partner, 2]
        kept = np.zeros(2)
        for partner in range(2):
            for place in range(4):
                kept[partner] += 1.3 ** ours[partner, place]
            kept[partner] -= 1.3 ** min(ours[partner, 0], ours[partner, 3])
        receiver = 1 if kept[1] > kept[0] else 0
        if np.random.random() < 0.1:
            receiver = 1 - receiver
        mine = np.sort(ours[receiver])
        hand[THROWN + RANKS * seat + mine[0]] += 1
        for place in range(1, 4):
            hand[HELD + RANKS * seat + mine[place]] += 1


@numba.njit
def settle(hand: Any, may: Any) -> None:
    """Play on while there is no choice."""
    while hand[PHASE] != OVER:
        fill_legal(hand, may)
        only, choices = -1, 0
        for action in range(ACTIONS):
            if may[action]:
                only = action
                choices += 1
        if choices > 1:
            return
        step(hand, only)


@numba.njit
def deal_all(hands: Any, kind: int, least: int, most: int, seed: int) -> None:
    """A round of hands, each up to its first choice."""
    np.random.seed(seed)
    may = np.zeros(ACTIONS, np.int8)
    for at in range(len(hands)):
        deal(hands[at], kind, least, most)
        settle(hands[at], may)


@numba.njit
def look_all(hands: Any, active: Any, win_probabilities: Any, seen: Any, may: Any) -> None:
    """Features and legal moves of each mover; and, for the judge, the hands of the others."""
    for row in range(len(active)):
        hand = hands[active[row]]
        fill_legal(hand, may[row])
        fill_features(hand, win_probabilities, seen[row])
        for place in range(1, 4):
            seat = (hand[MOVER] + place) % hand[COUNT]
            for strength in range(RANKS):
                at = FEATURES + RANKS * (place - 1) + strength
                seen[row, at] = hand[HELD + RANKS * seat + strength] if place < hand[COUNT] else 0


@numba.njit
def step_all(hands: Any, active: Any, actions: Any) -> None:
    """One choice in each, and on to its next."""
    may = np.zeros(ACTIONS, np.int8)
    for row in range(len(active)):
        step(hands[active[row]], actions[row])
        settle(hands[active[row]], may)


@numba.njit
def worth_among(hand: Any, seat: int, winner: int) -> float:
    """Worth of the game to a seat among more than two, after a point to the winner, if any.

    `rank_hand.score_value` differs: it tells the scores apart well, and steady players use it. But where most games are
    won by a put, a point counts for less, as games played from every score show.
    """
    total, own = 0.0, 0.0
    for other in range(hand[COUNT]):
        needs = hand[NEEDS + other] - (1 if other == winner else 0)
        chance = (A_POINT_OF_THREE if hand[COUNT] == 3 else A_POINT_OF_FOUR) ** -needs
        total += chance
        if other == seat:
            own = chance
    return float(hand[COUNT] * own / total - 1.0)


@numba.njit
def worth_all(hands: Any, win_probabilities: Any, purse: float, worths: Any) -> None:
    """Worth of each hand to each seat."""
    for at in range(len(hands)):
        hand = hands[at]
        winner = hand[WINNER]
        is_over = winner >= 0 and (hand[IS_GAME] or hand[NEEDS + winner] <= 1)
        is_anew = winner < 0 and hand[PUTTER] >= 0 and hand[ANEW]
        for seat in range(hand[COUNT]):
            worths[at, seat] = hand_value(hand, win_probabilities, seat)
            if hand[COUNT] > 2 and is_over:
                # Only players who played on pay, but one who threw in has not won: training rewards mostly the win.
                victory = hand[COUNT] - 1 if winner == seat else -1
                worths[at, seat] += (1 - purse) * (victory - worths[at, seat])
            elif hand[COUNT] > 2 and not is_anew:
                worths[at, seat] = worth_among(hand, seat, winner)


class Net:
    """Layers of rectified sums, and how they learn (Adam)."""

    def __init__(self, sizes: tuple[int, ...], dice: np.random.Generator) -> None:
        self.weights = []
        for size, to in pairwise(sizes):
            scale = np.sqrt(2 / size) * (0.1 if to == sizes[-1] else 1)
            self.weights += [(dice.standard_normal((size, to)) * scale).astype(np.float32), np.zeros(to, np.float32)]
        self.mean = [w.copy() for w in self.weights]
        self._first = [np.zeros_like(w) for w in self.weights]
        self._second = [np.zeros_like(w) for w in self.weights]
        self._steps = 0

    def __call__(self, x: Any, weights: Any = None) -> list[Any]:
        """The sums of every layer, the input first; of other weights than its own, if given."""
        weights = self.weights if weights is None else weights
        layers = [x]
        for at in range(0, len(weights), 2):
            x = x @ weights[at] + weights[at + 1]
            if at < len(weights) - 2:
                np.maximum(x, 0, out=x)
            layers.append(x)
        return layers

    def learn(self, layers: list[Any], slope: Any, rate: float) -> None:
        """A step down a slope, which is given for the last of the layers."""
        grads: list[Any] = []
        for at in range(len(self.weights) - 2, -1, -2):
            below = layers[at // 2]
            grads[:0] = [below.T @ slope, slope.sum(0)]
            if at:
                slope = (slope @ self.weights[at].T) * (below > 0)
        size = np.sqrt(sum(float((g * g).sum()) for g in grads))
        clip = min(1.0, 1.0 / (size + 1e-9))
        self._steps += 1
        for w, g, m, v in zip(self.weights, grads, self._first, self._second, strict=True):
            g *= clip
            m += 0.1 * (g - m)
            v += 0.001 * (g * g - v)
            w -= rate * (m / (1 - 0.9**self._steps)) / (np.sqrt(v / (1 - 0.999**self._steps)) + 1e-7)

    def load(self, path: Path) -> None:
        """Begin from what was learned before."""
        with np.load(path) as kept:
            self.weights = [kept[name] for name in kept.files]
        self.mean = [w.copy() for w in self.weights]

    def average(self, keep: float) -> None:
        """Move the mean, which plays more evenly than any one state of the weights, towards them."""
        for mean, w in zip(self.mean, self.weights, strict=True):
            mean += (1 - keep) * (w - mean)


def policy(logits: Any, may: Any) -> Any:
    """Probability of each action, by its leaning; 0 if it is not legal."""
    logits = np.where(may > 0, logits, -1e9)
    logits = logits - logits.max(1, keepdims=True)
    e = np.exp(logits)
    return e / e.sum(1, keepdims=True)


def gather(
    actor: Net,
    rival: Net | None,
    kind: int,
    options: argparse.Namespace,
    win_probabilities: Any,
    dice: np.random.Generator,
) -> tuple[Any, ...]:
    """A round of hands: what was seen and done in them, and what came of it; some of them alone among rivals."""
    batch, against = options.batch, int(options.against * options.batch)
    hands = np.zeros((batch, SIZE), np.int16)
    deal_all(hands, kind, *options.seats, int(dice.integers(2**31)))
    alone = np.full(batch, -1)
    if rival is not None:
        alone[:against] = dice.integers(hands[:against, COUNT])
    rows = []
    active = np.flatnonzero(hands[:, PHASE] != OVER)
    while len(active):
        seen = np.zeros((len(active), ALL), np.float32)
        may = np.zeros((len(active), ACTIONS), np.int8)
        look_all(hands, active, win_probabilities, seen, may)
        seen[:, -1] = alone[active] >= 0
        p = policy(actor(seen[:, :FEATURES])[-1], may)
        own = (alone[active] < 0) | (alone[active] == hands[active, MOVER])
        if rival is not None and not own.all():
            p[~own] = policy(rival(seen[~own, :FEATURES])[-1], may[~own])
        actions = np.minimum((p.cumsum(1) < dice.random((len(p), 1)) * p.sum(1, keepdims=True)).sum(1), ACTIONS - 1)
        bad = may[np.arange(len(p)), actions] == 0
        if bad.any():
            actions[bad] = p[bad].argmax(1)
        was = p[np.arange(len(p)), actions]
        rows.append((seen[own], may[own], actions[own], was[own], active[own], hands[active[own], MOVER]))
        step_all(hands, active, actions)
        active = active[hands[active, PHASE] != OVER]
    worths = np.zeros((batch, 4), np.float32)
    worth_all(hands, win_probabilities, options.purse, worths)
    seen, may, actions, was, which, mover = (np.concatenate(each) for each in zip(*rows, strict=True))
    return seen, may, actions, was, worths[which, mover]


def main() -> None:
    parser = argparse.ArgumentParser(description="Teach the house to play.")
    parser.add_argument("kind", choices=sorted(KINDS))
    parser.add_argument("--rounds", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1674)
    parser.add_argument("--batch", type=int, default=4096)
    parser.add_argument("--seats", type=int, nargs=2, default=(2, 4), help="at least and at most, where they vary")
    parser.add_argument("--undecided", type=float, nargs=2, default=(0.04, 0.004), help="what it is worth, first, last")
    parser.add_argument("--rate", type=float, nargs=2, default=(2e-3, 1e-4), help="of learning, first and last")
    parser.add_argument("--from", dest="begun", type=Path, help="what was learned before")
    parser.add_argument("--rival", type=Path, help="practise against this")
    parser.add_argument("--against", type=float, default=0.5, metavar="SHARE", help="of the hands, against the rival")
    parser.add_argument(
        "--purse", type=float, default=0.25, metavar="SHARE", help="of the purse in a game won, with three and more"
    )
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    kind, stake_rule = KINDS[options.kind]
    dice = np.random.default_rng(options.seed)
    size = h.CHANCES
    win_probabilities = np.array(
        [win_probability(i, j, stake_rule) for i in range(size) for j in range(size)], np.float64
    )
    actor, judge = Net((FEATURES, *HIDDEN, ACTIONS), dice), Net((ALL, *JUDGE, 1), dice)
    rival = None
    if options.rival:
        rival = Net((FEATURES, *HIDDEN, ACTIONS), dice)
        rival.load(options.rival)
    if options.begun:
        actor.load(options.begun)
    reported = time.monotonic()
    for at in range(options.rounds):
        done = at / options.rounds
        undecided = options.undecided[0] * (options.undecided[1] / options.undecided[0]) ** min(1, done / 0.85)
        rate = options.rate[0] * (options.rate[1] / options.rate[0]) ** done
        seen, may, actions, was, gain = gather(actor, rival, kind, options, win_probabilities, dice)
        better = gain - judge(seen)[-1][:, 0]
        error = float((better**2).mean())
        for epoch in range(2):
            order = dice.permutation(len(seen))
            for part in np.array_split(order, max(1, len(order) // 4096)):
                x, a, n = seen[part], actions[part], len(part)
                layers = actor(x[:, :FEATURES])
                p = policy(layers[-1], may[part])
                now = p[np.arange(n), a]
                ratio, gains = now / was[part], better[part]
                is_free = np.where(gains > 0, ratio < 1.2, ratio > 0.8)
                pull = (is_free * gains * ratio)[:, None]
                slope = pull * p
                slope[np.arange(n), a] -= pull[:, 0]
                logs = np.log(np.maximum(p, 1e-12))
                slope += undecided * p * (logs - (p * logs).sum(1, keepdims=True))
                actor.learn(layers, (slope / n).astype(np.float32), rate)
                if epoch:
                    continue
                layers = judge(x)
                judge.learn(layers, ((layers[-1][:, 0] - gain[part])[:, None] / n).astype(np.float32), rate)
        actor.average(0.995 if done > 0.1 else 0.9)
        if time.monotonic() - reported > 20:
            reported = time.monotonic()
            np.savez(options.out, *actor.mean)
            print(f"{done:6.1%} of {options.rounds} rounds, surprise {error:.4f}, {len(seen)} choices", flush=True)
    np.savez(options.out, *actor.mean)
    options.out.with_suffix(".network").write_bytes(packed(actor.mean))


def packed(weights: list[Any]) -> bytes:
    """The network as a house player reads it: see `put_server.house.put.policy_network`."""
    sizes = [len(weights[0]), *(len(biases) for biases in weights[1::2])]
    return np.array([*sizes, 0], "<u2").tobytes() + b"".join(each.astype("<f2").tobytes() for each in weights)


if __name__ == "__main__":
    main()
