"""Teach the house to bet in Primero: it plays hands against itself, and regrets what it should have done.

    python -m scripts.research.learn_primero --seed 1 --out server/put_server/house/primero/practice.table

Regret matching (Hart and Mas-Colell 2000) with linear weights (Brown and Sandholm 2019) over the spots of
`put_server.house.primero.spots`: hands are dealt; at each decision of one player everything that may be done is tried
to the end of the hand, while all play as they have learned so far; and what turned out better than their average is
done more often. With three players and more this promises no equilibrium; `docs/house.md` says what it is worth.

Cards are traded as is best against the hands that others showed so far (`--rounds` times that is found out anew). What
a player announces is not learned. The same seed and number of hands give the same table. Needs the extra `put[solve]`.
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
    SEATS,
    SHOWN,
    SIZE,
    SPOTS,
    TRADED,
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
def play_on(
    state: Any, hero: int, regrets: Any, sums: Any, rival: Any, is_rival: Any, tables: Any, scratch: Any, stops: int
) -> int:
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
        total = 0.0
        if is_rival[seat]:
            for deed in range(DEEDS):
                mixture[deed] = rival[spot, deed] * may[deed]
                total += mixture[deed]
        if total > 0:
            for deed in range(DEEDS):
                mixture[deed] /= total
        else:
            match_regrets(regrets[spot], may, mixture)
            if stops:
                for deed in range(DEEDS):
                    sums[spot, deed] += mixture[deed]
        act(state, drawn(mixture), tables)
    return -1


@fast
def walk(state: Any, hero: int, regrets: Any, sums: Any, rival: Any, is_rival: Any, tables: Any, scratch: Any) -> None:
    """Play a hand; at each of the hero's decisions try everything, each to the end of the hand, and regret."""
    may, mixture, values, other = scratch[3], scratch[4], scratch[5], scratch[6]
    hand = scratch[2]
    while True:
        spot = play_on(state, hero, regrets, sums, rival, is_rival, tables, scratch, 1)
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
                    play_on(other, hero, regrets, sums, rival, is_rival, tables, scratch, 0)
                    values[deed] += other[PAID + hero] / TRIES
                mean += mixture[deed] * values[deed]
                count += 1
        for deed in range(DEEDS):
            if may[deed]:
                regrets[spot, deed] += values[deed] - mean
                mixture[deed] = (1 - CURIOUS) * mixture[deed] + CURIOUS / count
        act(state, drawn(mixture), tables)


@fast
def practise(hands: int, seed: int, rivals: float, regrets: Any, sums: Any, rival: Any, tables: Any) -> None:
    """So many hands, each walked for one player."""
    np.random.seed(seed)
    state = np.zeros(SIZE, np.int64)
    scratch = (
        np.zeros(DEEDS, np.int64), np.zeros(DEEDS), np.zeros(4, np.int64),
        np.zeros(DEEDS, np.int64), np.zeros(DEEDS), np.zeros(DEEDS), np.zeros(SIZE, np.int64),
    )  # fmt: skip
    is_rival = np.zeros(SEATS, np.int64)
    for _ in range(hands):
        players = np.random.randint(3, 7)
        often = np.random.random()
        limit = 6 if often < 0.7 else np.random.randint(1, 21)
        begin(state, players, limit, int(np.random.random() < 0.03))
        hero = np.random.randint(0, players)
        are_rivals = np.random.random() < rivals
        for seat in range(players):
            is_rival[seat] = are_rivals and seat != hero
        walk(state, hero, regrets, sums, rival, is_rival, tables, scratch)


@fast
def play_out(hands: int, seed: int, mixtures: Any, tables: Any, shown: Any, met: Any) -> None:
    """Hands played as learned: what was shown at the end, by cards traded; and how often each hand of four was met."""
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
                    shown[state[TRADED + seat], strong] += 1


def mixtures_of(sums: Doubles) -> Doubles:
    """How often each thing was done on average."""
    total = sums.sum(axis=1, keepdims=True)
    mixtures: Doubles = np.where(total > 0, sums / np.maximum(total, 1e-12), 0.0)
    return mixtures


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--hands", type=int, default=20_000, help="hands between two reports")
    parser.add_argument("--reports", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3, help="how often the hands that others show are found out anew")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rival", type=Path, help="what others do at the spots, for a share of the hands")
    parser.add_argument("--against", type=float, default=0.0, help="the share of the hands against the rival")
    parser.add_argument("--out", type=Path, required=True)
    asked = parser.parse_args()
    strengths = np.zeros(HANDS, np.int64)
    all_strengths(strengths)
    dealt = np.bincount(strengths, minlength=STRENGTHS).astype(np.float64)
    trades = Trades(beaten(dealt))
    met = np.ones(HANDS)
    rival = np.zeros((SPOTS, DEEDS))
    if asked.rival:
        rival = np.load(asked.rival)
    regrets, sums = np.zeros((SPOTS, DEEDS)), np.zeros((SPOTS, DEEDS))
    shown = np.zeros((3, STRENGTHS))
    began = time.monotonic()
    renewed = [asked.reports * (round_ + 1) // 20 for round_ in range(asked.rounds)]
    trades.grade(met)
    for report in range(asked.reports):
        practise(asked.hands, asked.seed * 1_000_003 + report, asked.against, regrets, sums, rival, trades.tables())
        weight = (report + 1) / (report + 2)
        regrets *= weight
        sums *= weight
        if report in renewed or report == asked.reports - 1:
            shown, met = np.zeros((3, STRENGTHS)), np.zeros(HANDS)
            play_out(50_000, asked.seed + report, mixtures_of(sums), trades.tables(), shown, met)
        if report in renewed:
            trades = Trades(beaten(shown.sum(axis=0)))
            trades.grade(met)
            sums[:] = 0  # the grades are others now
            regrets *= 0.1
        print(
            f"{report + 1} reports, {time.monotonic() - began:.0f} s, {np.count_nonzero(sums.sum(axis=1))} spots",
            flush=True,
        )
    practice.write(
        asked.out, mixtures_of(sums).tolist(), [*(beaten(each).tolist() for each in shown), trades.chance.tolist()],
        trades.two.tolist(), trades.two_bounds.tolist(), trades.four_bounds.tolist(),
    )  # fmt: skip


if __name__ == "__main__":
    main()
