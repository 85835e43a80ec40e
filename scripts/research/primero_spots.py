"""Spots: decisions of the betting, each described by a number, the same for all that are played alike.

A spot says how good the player's cards are, who else is in, what a bet costs compared with the pot, and what refusing
it would mean. Two spots with the same number get the same answer, so what is left out here cannot be taken into
account: the exact cards, the seats, the announcements.

Plain numbers only, so that `learn_primero` can compile these functions.
"""

REFUSE, SEE, LITTLE, HALF, MOST = 0, 1, 2, 3, 4
"""What may be done. REFUSE is also to pass and to go on, SEE also to trade and to call vada; the others are bets and
raises of 1, of half of the limit, and of the limit."""
DEEDS = 5

TWO_GRADES = 12
"""Grades of two cards, the worst being 0."""
FOUR_GRADES = 12
"""Grades of four."""
VADA_GRADES = 6

_OPEN = 0
_FIRST = _OPEN + TWO_GRADES * 4 * 6 * 5
_BET = _FIRST + TWO_GRADES * 3 * 4 * 6 * 2 * 3 * 3
_SECOND = _BET + FOUR_GRADES * 3 * 3 * 3
_VADA = _SECOND + FOUR_GRADES * 3 * 3 * 6 * 2 * 2 * 3
SPOTS = _VADA + VADA_GRADES * 3 * 3
"""How many there are."""


def opening(grade: int, players: int, after: int, limit: int) -> int:
    """To bet or trade, with two cards. `players`: in the deal; `after`: who would be asked next, if nobody bets."""
    size = 0
    if limit >= 4 * players:
        size = 4
    elif limit >= 2 * players:
        size = 3
    elif limit >= players:
        size = 2
    elif 2 * limit >= players:
        size = 1
    return _OPEN + ((grade * 4 + players - 3) * 6 + min(after, 5)) * 5 + size


def _price(due: int, pot: int) -> int:
    """A grade for what a bet costs: `due` to win it and what the pot holds."""
    share = due / (pot + due)
    if share < 0.1:
        return 0
    if share < 0.17:
        return 1
    if share < 0.24:
        return 2
    if share < 0.31:
        return 3
    return 4 if share < 0.38 else 5


def _scale(limit: int, pot: int) -> int:
    """A grade for what a bet may mean beside the pot."""
    if 5 * limit < 2 * pot:
        return 0
    return 1 if 5 * limit < 6 * pot else 2


def first_answer(
    grade: int, committed: int, after: int, due: int, pot: int, may_raise: int, is_bound: int, is_raise: int, limit: int
) -> int:
    """To answer a bet, with two cards. `committed`: who has made or taken it; `after`: who is yet to answer;
    `is_bound`: nobody else has taken the first bet of the hand, so it must be taken; `is_raise`: there is a bet below
    it."""
    kind = 0 if is_bound else 1 + is_raise
    at = (grade * 3 + min(committed, 3) - 1) * 4 + min(after, 3)
    return _FIRST + (((at * 6 + _price(due, pot)) * 2 + may_raise) * 3 + kind) * 3 + _scale(limit, pot)


def betting(grade: int, others: int, after: int, pot: int, limit: int) -> int:
    """To bet or pass, with four cards. `others`: who else is in; `after`: who is yet to speak."""
    return _BET + ((grade * 3 + min(others, 3) - 1) * 3 + min(after, 2)) * 3 + _scale(limit, pot)


def second_answer(
    grade: int, committed: int, after: int, due: int, pot: int, may_raise: int, is_raise: int, limit: int
) -> int:
    """To answer a bet, with four cards; what is said of it is the same as with two."""
    at = (grade * 3 + min(committed, 3) - 1) * 3 + min(after, 2)
    return _SECOND + (((at * 6 + _price(due, pot)) * 2 + may_raise) * 2 + is_raise) * 3 + _scale(limit, pot)


def vada_grade(strong: int) -> int:
    """The grade of a hand that may call vada, by its strength."""
    if strong >= 300:
        return 5 if strong >= 355 else 4
    if strong >= 168:
        return 3
    if strong >= 158:
        return 2
    return 1 if strong >= 150 else 0


def vada(grade: int, others: int, after: int) -> int:
    """To call an immediate showdown, or go on. `after`: who is asked next."""
    return _VADA + (grade * 3 + min(others, 3) - 1) * 3 + min(after, 2)
