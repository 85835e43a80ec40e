"""A hand of Primero as one array of integers, compiled: its transitions, and the spot and legal deeds of a decision."""

from typing import Any

import numpy as np

from scripts.research.compiling import compiled, fast
from scripts.research.primero_trades import COUNT, place_of, strength

# What is compiled must find what it uses under plain names.
spots: Any = compiled("scripts.research.primero_spots")

opening, first_answer, betting_spot, second_answer = (
    spots.opening, spots.first_answer, spots.betting, spots.second_answer,
)  # fmt: skip

vada_spot, vada_grade = spots.vada, spots.vada_grade

REFUSE, SEE, LITTLE, HALF, MOST, DEEDS, SPOTS = (
    spots.REFUSE, spots.SEE, spots.LITTLE, spots.HALF, spots.MOST, spots.DEEDS, spots.SPOTS,
)  # fmt: skip

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
