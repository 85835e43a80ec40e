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
import importlib.util
import time
from collections.abc import Callable
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, TypeVar, cast

import numba
import numpy as np
import numpy.typing as npt

from put_server.house.primero import practice

Doubles = npt.NDArray[np.float64]
F = TypeVar("F", bound=Callable[..., Any])


def fast(function: F) -> F:
    """The function, compiled."""
    return cast(F, numba.njit(function))


def compiled(name: str) -> ModuleType:
    """A module of the house, each of its functions compiled."""
    spec = importlib.util.find_spec(f"put_server.house.primero.{name}")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for key, function in list(vars(module).items()):
        if isinstance(function, FunctionType) and function.__name__ != "category_of":
            setattr(module, key, numba.njit(function))
    return module


# What is compiled must find what it uses under plain names.
cards: Any = compiled("four_cards")
spots: Any = compiled("spots")
strength, STRENGTHS, COUNT = cards.strength, cards.STRENGTHS, cards.COUNT
opening, first_answer, betting_spot, second_answer = (
    spots.opening, spots.first_answer, spots.betting, spots.second_answer,
)  # fmt: skip
vada_spot, vada_grade = spots.vada, spots.vada_grade
REFUSE, SEE, LITTLE, HALF, MOST, DEEDS, SPOTS = (
    spots.REFUSE, spots.SEE, spots.LITTLE, spots.HALF, spots.MOST, spots.DEEDS, spots.SPOTS,
)  # fmt: skip
TWO_GRADES, FOUR_GRADES = spots.TWO_GRADES, spots.FOUR_GRADES

HANDS = 91_390
"""Hands of four cards."""
TRIES = 2
"""How often each thing that may be done is tried."""
CURIOUS = 0.3
"""The share of the decisions after which the player who learns goes on with anything at all."""

# --- a hand as an array of integers ---

(N, LIMIT, PHASE, MOVER, POT, LEVELS, PLACE, NO_TRADE, AWAY_COUNT, WINNER, SHOWN) = range(11)
OPEN, ANSWER, VADA, BET, OVER = range(5)
SEATS = 6
PLAYING, PUT_IN, PAID, RAISES, BARRED, TRADED, SPOKEN = (16 + SEATS * place for place in range(7))
"""One item a seat; the eldest is seat 0, so that seats are in the order of play."""
HELD = 64
"""Four items a seat."""
DECK, AWAY = 96, 140
AMOUNT, MAKER, TOOK, REFUSED = 184, 210, 236, 262
"""One item a level of the betting; the last two are sets of seats."""
SIZE = 288


@fast
def place_of(a: int, b: int, c: int, d: int) -> int:
    """The number of four cards in ascending order."""
    return a + b * (b - 1) // 2 + c * (c - 1) * (c - 2) // 6 + d * (d - 1) * (d - 2) * (d - 3) // 24


@fast
def draws(held: Any, chance: Any, best: Any, strengths: Any) -> int:
    """The best trade of a hand in ascending order, as a set of the places laid down; `best[0]` is what it is worth."""
    top, which = chance[strengths[place_of(held[0], held[1], held[2], held[3])]], 0
    others = np.empty(36, np.int64)
    count = 0
    for card in range(COUNT):
        if card != held[0] and card != held[1] and card != held[2] and card != held[3]:
            others[count] = card
            count += 1
    for out in range(1, 15):
        kept = np.empty(4, np.int64)
        left = 0
        for place in range(4):
            if not out >> place & 1:
                kept[left] = held[place]
                left += 1
        if left < 2:
            continue
        total = 0.0
        if left == 3:
            for x in range(36):
                total += chance[strength(kept[0], kept[1], kept[2], others[x])]
            total /= 36
        else:
            for x in range(36):
                for y in range(x):
                    total += chance[strength(kept[0], kept[1], others[x], others[y])]
            total /= 630
        if total > top:
            top, which = total, out
    best[0] = top
    return which


@fast
def all_draws(chance: Any, strengths: Any, worth: Any, trades: Any) -> None:
    """The worth and the best trade of every hand of four."""
    held, best = np.empty(4, np.int64), np.empty(1)
    for d in range(3, COUNT):
        for c in range(2, d):
            for b in range(1, c):
                for a in range(b):
                    held[0], held[1], held[2], held[3] = a, b, c, d
                    at = place_of(a, b, c, d)
                    trades[at] = draws(held, chance, best, strengths)
                    worth[at] = best[0]


@fast
def all_strengths(strengths: Any) -> None:
    for d in range(3, COUNT):
        for c in range(2, d):
            for b in range(1, c):
                for a in range(b):
                    strengths[place_of(a, b, c, d)] = strength(a, b, c, d)


@fast
def two_worths(worth: Any, two: Any, trades: Any) -> None:
    """What each two cards are worth: the mean over the two that come. And the best trade: a set of the places."""
    hand = np.empty(4, np.int64)
    for b in range(COUNT):
        for a in range(b):
            total, count = 0.0, 0
            for d in range(COUNT):
                for c in range(d):
                    if a in (c, d) or b in (c, d):
                        continue
                    hand[0], hand[1], hand[2], hand[3] = a, b, c, d
                    hand.sort()
                    total += worth[place_of(hand[0], hand[1], hand[2], hand[3])]
                    count += 1
            two[a, b] = two[b, a] = total / count
    mean = two.sum() / (COUNT * (COUNT - 1))
    for a in range(COUNT):
        for b in range(COUNT):
            if a == b:
                continue
            without_a = (two[b].sum() - two[a, b]) / (COUNT - 2)
            without_b = (two[a].sum() - two[a, b]) / (COUNT - 2)
            best = max(without_a, without_b, mean)
            trades[a, b] = 3 if best == mean else (1 if best == without_a else 2)


@fast
def four_place(state: Any, seat: int, hand: Any) -> int:
    for place in range(4):
        hand[place] = state[HELD + 4 * seat + place]
    hand.sort()
    return place_of(hand[0], hand[1], hand[2], hand[3])


@fast
def next_card(state: Any) -> int:
    """The next card of the stock, or of a new one made of what went away."""
    if state[PLACE] == COUNT:
        count = state[AWAY_COUNT]
        for place in range(count):
            state[DECK + COUNT - count + place] = state[AWAY + place]
        for place in range(count - 1, 0, -1):
            other = np.random.randint(0, place + 1)
            one, two = DECK + COUNT - count + place, DECK + COUNT - count + other
            state[one], state[two] = state[two], state[one]
        state[PLACE] = COUNT - count
        state[AWAY_COUNT] = 0
    state[PLACE] += 1
    return int(state[DECK + state[PLACE] - 1])


@fast
def begin(state: Any, players: int, limit: int, no_trade: int) -> None:
    """A new hand: two cards each."""
    state[:] = 0
    state[N], state[LIMIT], state[NO_TRADE] = players, limit, no_trade
    for card in range(COUNT):
        state[DECK + card] = card
    for place in range(COUNT - 1, 0, -1):
        other = np.random.randint(0, place + 1)
        state[DECK + place], state[DECK + other] = state[DECK + other], state[DECK + place]
    for seat in range(players):
        state[PLAYING + seat] = 1
        state[PAID + seat] = -1
        for place in range(2):
            state[HELD + 4 * seat + place] = next_card(state)
    state[POT] = players
    state[PHASE] = OPEN


@fast
def go_out(state: Any, gone: int) -> None:
    first = state[LEVELS] > 0 and state[PHASE] < VADA and state[SPOKEN] == 0
    for seat in range(state[N]):
        if gone >> seat & 1:
            state[PLAYING + seat] = 0
            for place in range(2 if first else 4):
                state[AWAY + state[AWAY_COUNT]] = state[HELD + 4 * seat + place]
                state[AWAY_COUNT] += 1


@fast
def take_top(state: Any, seat: int) -> None:
    top = state[LEVELS] - 1
    state[TOOK + top] |= 1 << seat
    gone = state[REFUSED + top]
    state[REFUSED + top] = 0
    go_out(state, gone)


@fast
def pay_in(state: Any, seat: int, level: int) -> None:
    paid = level - state[PUT_IN + seat]
    state[PUT_IN + seat] = level
    state[PAID + seat] -= paid
    state[POT] += paid


@fast
def act(state: Any, deed: int, tables: Any) -> None:
    """The player to move does this; then the hand goes on to the next decision."""
    seat = state[MOVER]
    phase = state[PHASE]
    limit = state[LIMIT]
    amount = 0
    if deed == LITTLE:
        amount = 1
    elif deed == HALF:
        amount = (limit + 1) // 2
    elif deed == MOST:
        amount = limit
    if phase == OPEN:
        if amount:
            state[AMOUNT], state[MAKER], state[TOOK], state[REFUSED] = amount, seat, 0, 0
            state[LEVELS] = 1
            pay_in(state, seat, amount)
            ask_next(state, seat, tables)
            return
        a, b = state[HELD + 4 * seat], state[HELD + 4 * seat + 1]
        out = tables[4][a, b]
        new = np.empty(2, np.int64)
        for place in range(2):
            if out >> place & 1:
                new[place] = next_card(state)
        for place in range(2):
            if out >> place & 1:
                state[AWAY + state[AWAY_COUNT]] = state[HELD + 4 * seat + place]
                state[AWAY_COUNT] += 1
                state[HELD + 4 * seat + place] = new[place]
        if seat == state[N] - 1:  # everyone traded: the antes stay, so each has its share of them again
            for other in range(state[N]):
                state[PAID + other] += 1
            state[PHASE] = OVER
            return
        state[MOVER] = seat + 1
        return
    if phase == VADA:
        if deed == SEE:
            show(state)
            return
        for other in range(seat + 1, state[N]):
            if state[PLAYING + other]:
                state[MOVER] = other
                return
        state[SPOKEN] = 1
        state[LEVELS] = 1
        state[AMOUNT], state[MAKER], state[TOOK], state[REFUSED] = 0, -1, 0, 0
        ask_next(state, state[N] - 1, tables)
        return
    if amount:
        take_top(state, seat)
        top = state[LEVELS]
        if state[AMOUNT + top - 1] > 0:
            state[RAISES + seat] += 1
        state[AMOUNT + top] = state[AMOUNT + top - 1] + amount
        state[MAKER + top], state[TOOK + top], state[REFUSED + top] = seat, 0, 0
        state[LEVELS] = top + 1
        pay_in(state, seat, state[AMOUNT + top])
    elif deed == SEE or phase == BET:
        take_top(state, seat)
        pay_in(state, seat, state[AMOUNT + state[LEVELS] - 1])
    elif state[TOOK + state[LEVELS] - 1]:
        go_out(state, 1 << seat)
    else:
        state[REFUSED + state[LEVELS] - 1] |= 1 << seat
    ask_next(state, seat, tables)


@fast
def ask_next(state: Any, after: int, tables: Any) -> None:
    """Who answers next; bets that everyone refused are withdrawn; a round that is over leads to what follows."""
    players = state[N]
    while True:
        top = state[LEVELS] - 1
        answered = state[TOOK + top] | state[REFUSED + top]
        maker = state[MAKER + top]
        for step in range(1, players + 1):
            seat = (after + step) % players
            if state[PLAYING + seat] and seat != maker and not answered >> seat & 1:
                state[MOVER] = seat
                state[PHASE] = BET if maker < 0 else ANSWER
                return
        if maker < 0 or state[TOOK + top]:
            break
        pay_in(state, maker, state[AMOUNT + top - 1])
        state[BARRED + maker] = 1
        state[LEVELS] = top
        after = maker
    for seat in range(players):
        state[PUT_IN + seat] = state[RAISES + seat] = state[BARRED + seat] = 0
    if state[SPOKEN]:
        last_trades(state, tables)
        show(state)
        return
    for place in range(2, 4):
        for seat in range(players):
            if state[PLAYING + seat]:
                state[HELD + 4 * seat + place] = next_card(state)
    state[PHASE] = VADA
    for seat in range(players):
        if state[PLAYING + seat]:
            state[MOVER] = seat
            return


@fast
def last_trades(state: Any, tables: Any) -> None:
    """Each trades as is best against as many others."""
    others = -1
    for seat in range(state[N]):
        others += state[PLAYING + seat]
    which = min(max(others, 1), 3) - 1
    hand = np.empty(4, np.int64)
    for seat in range(state[N]):
        if not state[PLAYING + seat]:
            continue
        out = tables[1][which, four_place(state, seat, hand)]
        state[TRADED + seat] = 0
        for place in range(4):
            state[HELD + 4 * seat + place] = hand[place]
        for place in range(4):
            if out >> place & 1:
                state[HELD + 4 * seat + place] = next_card(state)
                state[TRADED + seat] += 1
        for place in range(4):
            if out >> place & 1:
                state[AWAY + state[AWAY_COUNT]] = hand[place]
                state[AWAY_COUNT] += 1


@fast
def show(state: Any) -> None:
    """The best hand takes the pot."""
    best, winner = -1, 0
    for seat in range(state[N]):
        if state[PLAYING + seat]:
            at = HELD + 4 * seat
            strong = strength(state[at], state[at + 1], state[at + 2], state[at + 3])
            if strong > best:
                best, winner = strong, seat
    state[PAID + winner] += state[POT]
    state[WINNER] = winner
    state[SHOWN] = state[SPOKEN]
    state[PHASE] = OVER


@fast
def grade_of(worth: float, bounds: Any) -> int:
    grade = 0
    for bound in bounds:
        grade += worth >= bound
    return grade


@fast
def look(state: Any, may: Any, tables: Any, hand: Any) -> int:
    """What may be done, and the spot; -1: there is only one thing to do, which is REFUSE, or must be SEE."""
    may[:] = 0
    seat, players, limit = state[MOVER], state[N], state[LIMIT]
    worth, _, two, two_bounds, _, four_bounds = tables
    phase = state[PHASE]
    if phase == OPEN:
        may[LITTLE] = 1
        may[MOST] = limit > 1
        may[HALF] = limit > 2
        may[SEE] = not state[NO_TRADE]
        grade = grade_of(two[state[HELD + 4 * seat], state[HELD + 4 * seat + 1]], two_bounds)
        return int(opening(grade, players, players - 1 - seat, limit))
    others = -1
    for other in range(players):
        others += state[PLAYING + other]
    if phase == VADA:
        at = HELD + 4 * seat
        strong = strength(state[at], state[at + 1], state[at + 2], state[at + 3])
        may[REFUSE] = 1
        if strong // 100 != 1 and strong // 100 != 3:
            return -1
        may[SEE] = 1
        after = 0
        for other in range(seat + 1, players):
            after += state[PLAYING + other]
        return int(vada_spot(vada_grade(strong), others, after))
    top = state[LEVELS] - 1
    committed, after = 0, 0
    answered = state[TOOK + top] | state[REFUSED + top]
    maker = state[MAKER + top]
    for other in range(players):
        if state[PLAYING + other] and other != seat:
            if other == maker or state[TOOK + top] >> other & 1:
                committed += 1
            elif not answered >> other & 1:
                after += 1
    may_raise = state[RAISES + seat] < 3 and not state[BARRED + seat]
    may[LITTLE] = may_raise
    may[MOST] = may_raise and limit > 1
    pot = state[POT]
    if state[SPOKEN]:
        which = min(others, 3) - 1
        grade = grade_of(worth[which, four_place(state, seat, hand)], four_bounds[which])
        may[REFUSE] = 1
        if phase == BET:
            return int(betting_spot(grade, others, after, pot, limit)) if may_raise else -1
        may[SEE] = 1
        due = state[AMOUNT + top] - state[PUT_IN + seat]
        return int(second_answer(grade, committed, after, due, pot, may_raise, int(top > 1), limit))
    due = state[AMOUNT + top] - state[PUT_IN + seat]
    grade = grade_of(two[state[HELD + 4 * seat], state[HELD + 4 * seat + 1]], two_bounds)
    is_bound = top == 0 and committed == 1 and after == 0
    may[SEE] = 1
    may[REFUSE] = not is_bound
    return int(first_answer(grade, committed, after, due, pot, may_raise, is_bound, int(top > 0), limit))


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


def beaten(shown: Doubles) -> Doubles:
    """The chance of each strength to beat one hand, given how often hands of each strength were shown."""
    share = shown / max(shown.sum(), 1.0)
    chance: Doubles = np.cumsum(share) - share / 2
    return chance


class Trades:
    """What trades are worth against others who show such hands."""

    def __init__(self, chance: Doubles) -> None:
        strengths = np.zeros(HANDS, np.int64)
        all_strengths(strengths)
        self.worth, self.trades = np.zeros((3, HANDS)), np.zeros((3, HANDS), np.int64)
        for others in range(3):
            all_draws(chance ** (others + 1), strengths, self.worth[others], self.trades[others])
        self.chance = chance
        self.two, self.two_trades = np.zeros((COUNT, COUNT)), np.zeros((COUNT, COUNT), np.int64)
        two_worths(self.worth[1], self.two, self.two_trades)
        off = self.two[~np.eye(COUNT, dtype=bool)]
        self.two_bounds = np.quantile(off, np.arange(1, TWO_GRADES) / TWO_GRADES)
        self.four_bounds = np.zeros((3, FOUR_GRADES - 1))

    def grade(self, met: Doubles) -> None:
        """Bounds of the grades, such that hands met so often are in each."""
        for others in range(3):
            order = np.argsort(self.worth[others])
            share = np.cumsum(met[order]) / met.sum()
            at = np.minimum(np.searchsorted(share, np.arange(1, FOUR_GRADES) / FOUR_GRADES), HANDS - 1)
            self.four_bounds[others] = self.worth[others][order][at]

    def tables(self) -> tuple[Any, ...]:
        """As the compiled functions take them."""
        return self.worth, self.trades, self.two, self.two_bounds, self.two_trades, self.four_bounds


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
