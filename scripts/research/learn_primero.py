"""Find out which hands win in Primero: players bet against each other, and regret what they should have done.

    python -m scripts.research.learn_primero --seed 1 --out server/put_server/house/primero/practice.table

Regret matching (Hart and Mas-Colell 2000) with linear weights (Brown and Sandholm 2019) over the spots of
`primero_spots`: hands are dealt; at each decision of one player everything that may be done is tried
to the end of the hand, while all play as they have learned so far; and what turned out better than their average is
done more often. With three players and more this promises no equilibrium; `docs/house.md` says what it is worth.

Cards are traded as is best against the hands that others showed so far, which are counted anew at the reports
`--renewed`; the last count is the table. Of an announcement nothing is learned. The same seed and number of hands give
the same table. Needs the extra `put-cards[solve]`.
"""

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np

from put_server.house.primero import practice
from scripts.research.compiling import fast
from scripts.research.primero_hand import (
    BET,
    DEEDS,
    HELD,
    MOVER,
    OPEN,
    OVER,
    PAID,
    PHASE,
    PLAYING,
    REFUSE,
    SHOWN,
    SIZE,
    SPOTS,
    VADA,
    N,
    act,
    begin,
    four_place,
    look,
)
from scripts.research.primero_trades import HANDS, STRENGTHS, Doubles, Trades, all_strengths, beaten, strength

TRIES = 2
"""How often each thing that may be done is tried."""

CURIOUS = 0.3
"""The share of the decisions after which the player who learns goes on with anything at all."""


@fast
def match_regrets(regrets: Any, may: Any, mixture: Any) -> None:
    """How often to do what: in proportion to the regrets that are above 0."""
    total, count = 0.0, 0
    for deed in range(DEEDS):
        mixture[deed] = max(regrets[deed], 0.0) * may[deed]
        total += mixture[deed]
        count += may[deed]
    for deed in range(DEEDS):
        mixture[deed] = mixture[deed] / total if total > 0 else may[deed] / count


@fast
def drawn(mixture: Any) -> int:
    chance = np.random.random()
    last = 0
    for deed in range(DEEDS):
        if mixture[deed] > 0:
            last = deed
            chance -= mixture[deed]
            if chance < 0:
                break
    return last


@fast
def play_on(state: Any, hero: int, regrets: Any, sums: Any, tables: Any, scratch: Any, stops: int) -> int:
    """Play as was learned so far: to the end, or if it `stops`, to a decision of the hero's. Its spot, or -1."""
    may, mixture, hand = scratch[0], scratch[1], scratch[2]
    while state[PHASE] != OVER:
        spot = look(state, may, tables, hand)
        if spot < 0:
            act(state, REFUSE, tables)
            continue
        seat = state[MOVER]
        if stops and seat == hero:
            return int(spot)
        match_regrets(regrets[spot], may, mixture)
        if stops:
            for deed in range(DEEDS):
                sums[spot, deed] += mixture[deed]
        act(state, drawn(mixture), tables)
    return -1


@fast
def walk(state: Any, hero: int, regrets: Any, sums: Any, tables: Any, scratch: Any) -> None:
    """Play a hand; at each of the hero's decisions try everything, each to the end of the hand, and regret."""
    may, mixture, values, other = scratch[3], scratch[4], scratch[5], scratch[6]
    hand = scratch[2]
    while True:
        spot = play_on(state, hero, regrets, sums, tables, scratch, 1)
        if spot < 0:
            return
        look(state, may, tables, hand)
        match_regrets(regrets[spot], may, mixture)
        mean, count = 0.0, 0
        for deed in range(DEEDS):
            if may[deed]:
                values[deed] = 0.0
                for _ in range(TRIES):
                    other[:] = state
                    act(other, deed, tables)
                    play_on(other, hero, regrets, sums, tables, scratch, 0)
                    values[deed] += other[PAID + hero] / TRIES
                mean += mixture[deed] * values[deed]
                count += 1
        for deed in range(DEEDS):
            if may[deed]:
                regrets[spot, deed] += values[deed] - mean
                mixture[deed] = (1 - CURIOUS) * mixture[deed] + CURIOUS / count
        act(state, drawn(mixture), tables)


@fast
def practise(hands: int, seed: int, regrets: Any, sums: Any, tables: Any) -> None:
    """So many hands, each walked for one player."""
    np.random.seed(seed)
    state = np.zeros(SIZE, np.int64)
    scratch = (
        np.zeros(DEEDS, np.int64), np.zeros(DEEDS), np.zeros(4, np.int64),
        np.zeros(DEEDS, np.int64), np.zeros(DEEDS), np.zeros(DEEDS), np.zeros(SIZE, np.int64),
    )  # fmt: skip
    for _ in range(hands):
        players = np.random.randint(3, 7)
        often = np.random.random()
        limit = 6 if often < 0.7 else np.random.randint(1, 21)
        begin(state, players, limit, int(np.random.random() < 0.03))
        hero = np.random.randint(0, players)
        np.random.random()  # a number that was drawn when the shipped table was made
        walk(state, hero, regrets, sums, tables, scratch)


@fast
def play_out(hands: int, seed: int, mixtures: Any, tables: Any, shown: Any, met: Any) -> None:
    """Hands played as learned: what was shown at the end, and how often each hand of four was met."""
    np.random.seed(seed)
    state = np.zeros(SIZE, np.int64)
    may, mixture, hand = np.zeros(DEEDS, np.int64), np.zeros(DEEDS), np.zeros(4, np.int64)
    for _ in range(hands):
        begin(state, np.random.randint(3, 7), 6, 0)
        was = OPEN
        while state[PHASE] != OVER:
            spot = look(state, may, tables, hand)
            if state[PHASE] == BET and was == VADA:
                for seat in range(state[N]):
                    if state[PLAYING + seat]:
                        met[four_place(state, seat, hand)] += 1
            was = state[PHASE]
            if spot < 0:
                act(state, REFUSE, tables)
                continue
            for deed in range(DEEDS):
                mixture[deed] = mixtures[spot, deed] * may[deed]
            total = mixture.sum()
            for deed in range(DEEDS):
                mixture[deed] = mixture[deed] / total if total > 0 else may[deed] / may.sum()
            act(state, drawn(mixture), tables)
        if state[SHOWN]:
            for seat in range(state[N]):
                if state[PLAYING + seat]:
                    at = HELD + 4 * seat
                    strong = strength(state[at], state[at + 1], state[at + 2], state[at + 3])
                    shown[strong] += 1


def mixtures_of(sums: Doubles) -> Doubles:
    """How often each thing was done on average."""
    total = sums.sum(axis=1, keepdims=True)
    mixtures: Doubles = np.where(total > 0, sums / np.maximum(total, 1e-12), 0.0)
    return mixtures


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--hands", type=int, default=10_000, help="hands between two reports")
    parser.add_argument(
        "--renewed", type=int, nargs="+", default=[3, 6], help="reports at which the hands that others show are counted"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    asked = parser.parse_args()
    strengths = np.zeros(HANDS, np.int64)
    all_strengths(strengths)
    dealt = np.bincount(strengths, minlength=STRENGTHS).astype(np.float64)
    trades = Trades(beaten(dealt))
    met = np.ones(HANDS)
    regrets, sums = np.zeros((SPOTS, DEEDS)), np.zeros((SPOTS, DEEDS))
    began = time.monotonic()
    trades.grade(met)
    for report in range(max(asked.renewed) + 1):
        practise(asked.hands, asked.seed * 1_000_003 + report, regrets, sums, trades.tables())
        weight = (report + 1) / (report + 2)
        regrets *= weight
        sums *= weight
        if report in asked.renewed:
            shown, met = np.zeros(STRENGTHS), np.zeros(HANDS)
            play_out(50_000, asked.seed + report, mixtures_of(sums), trades.tables(), shown, met)
            trades = Trades(beaten(shown))
            trades.grade(met)
            sums[:] = 0  # the grades are others now
            regrets *= 0.1
        print(
            f"{report + 1} reports, {time.monotonic() - began:.0f} s, {np.count_nonzero(sums.sum(axis=1))} spots",
            flush=True,
        )
    practice.write(asked.out, trades.chance.tolist(), trades.two.tolist())


if __name__ == "__main__":
    main()
