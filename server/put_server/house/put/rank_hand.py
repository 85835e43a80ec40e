"""A hand by ranks alone, as one flat list of numbers: transitions, legal words, and a seat's features.

Suits do not matter, so a card is its strength: 12 is the best, and a shortened pack lacks low cards. Seats are numbered
from eldest, who is 0. Dealing, and the game around the hand, are not here.

This module intentionally repeats rules of play that `put_rules` has as records and transitions. `put_env.kernels.put`
compiles these functions to play millions of hands, so they may use only numbers and loops; the immutable records of
`put_rules` cannot be compiled. A test, tests/house/test_hand.py, keeps both equal: in random games of every rule set
and option, both give the same choices, movers and ends at every turn.
"""

from collections.abc import MutableSequence, Sequence

SEATS = 4
RANKS = 13

HELD, SHOWN, THROWN = 0, 52, 104
"""Offsets of 13 numbers for each seat: cards of each strength that it holds, has played, and has given away or
discarded."""

IN, TRICKS, TABLE, SEES, YET, NEEDS = range(156, 180, 4)
"""Offsets of one number for each seat: it is in the hand; its tricks; its card in the trick, -1 for none; it has seen
the put; it must still answer the put; points that it still needs."""

KIND, COUNT, LEFT, LEADER, MOVER, PHASE, PUTTER, VALUE = range(180, 188)
"""The kind of play; number of seats; tricks left, including the current one; the seats that lead and move; the phase;
the last player to put or double, -1 for none; points of the hand."""

SPOKEN, TIES_GO, FIRST, TIED, ASKED = range(188, 193)
"""The mover has put in this turn and was seen; tied tricks go to the winner of the first untied one (a French custom);
that winner, -1 for none yet; tied tricks so far; players asked to put before the first trick."""

PACK, RECEIVED, STAKE, ANEW = range(193, 197)
"""Ranks in the pack; players received their partners' best cards; stakes for a game won outright; a drawn hand after an
accepted put resets all scores."""

WINNER, IS_GAME, SIZE = range(197, 200)
"""Winner of the hand, -1 if drawn; the hand won the game, not points; length of a hand's list."""

ANY_TURN, STAGES, CONCESSIONS, OPENING_ONLY, DOUBLING = range(5)
"""Kinds of play. A put before any card, for the game (Willughby c. 1665); three stages around one trick (Hoyle 1800); a
put invites to concede a hand that wins the game (Parlett 1994); puts only before the first trick (the tavern sheet); an
offer doubles the hand's points (Truc, Parlett 1994)."""

OPENING, PLAY, ANSWER, LAST_SAY, OVER = range(5)

PUT, SEE, THROW, PASS, ACTIONS = range(5, 10)
"""Actions after those for the cards (best card first); and the number of all actions."""

_A_POINT = 1.4
"""Divisor of a player's chance for each point still needed, with three and more."""

CHANCES = 22
"""Size of the table of chances for two players: points needed, from 0 to 21."""


def is_led(hand: Sequence[int]) -> bool:
    """True if there is a card on the table, even of a player who is out."""
    for seat in range(hand[COUNT]):  # noqa: SIM110 - `any` of a generator cannot be compiled
        if hand[TABLE + seat] >= 0:
            return True
    return False


def is_bound(hand: Sequence[int]) -> bool:
    """True if the mover may not say a word."""
    kind = hand[KIND]
    is_final = kind in (ANY_TURN, STAGES, OPENING_ONLY)
    return hand[SPOKEN] != 0 or (is_final and hand[PUTTER] >= 0)


def may_put(hand: Sequence[int]) -> bool:
    """True if the mover may put, or offer to double."""
    phase, kind = hand[PHASE], hand[KIND]
    if phase in (OPENING, LAST_SAY):
        return True
    if phase != PLAY or is_bound(hand) or kind == OPENING_ONLY:
        return False
    if kind == CONCESSIONS:
        return not is_led(hand)
    if kind == DOUBLING:
        return hand[VALUE] < max(hand[NEEDS], hand[NEEDS + 1])
    return True


def may_throw(hand: Sequence[int]) -> bool:
    phase, kind = hand[PHASE], hand[KIND]
    if phase in (ANSWER, LAST_SAY):
        return True
    if phase != PLAY or is_bound(hand):
        return False
    return kind == STAGES or (kind == CONCESSIONS and not is_led(hand))


def card_of(hand: Sequence[int], action: int) -> int:
    """Strength of the card that this action of the mover plays."""
    at, mover = action, hand[MOVER]
    for strength in range(RANKS - 1, -1, -1):
        if hand[HELD + RANKS * mover + strength] > 0:
            if at == 0:
                return strength
            at -= 1
    return -1


def step(hand: MutableSequence[int], action: int) -> None:
    """Carry out a legal action of the mover. Afterwards another decision is due, or the hand is over."""
    mover, count = hand[MOVER], hand[COUNT]
    if action < PUT:
        card = card_of(hand, action)
        hand[HELD + RANKS * mover + card] -= 1
        hand[SHOWN + RANKS * mover + card] += 1
        hand[TABLE + mover] = card
        hand[SPOKEN] = 0
    elif action == PUT:
        hand[PUTTER] = mover
        hand[PHASE] = ANSWER
        for seat in range(count):
            hand[SEES + seat] = 0
            hand[YET + seat] = 1 if seat != mover and hand[IN + seat] else 0
    elif action == SEE:
        hand[SEES + mover] = 1
        hand[YET + mover] = 0
    elif action == THROW:
        hand[IN + mover] = 0
        hand[YET + mover] = 0
        for strength in range(RANKS):
            hand[HELD + RANKS * mover + strength] = 0
    else:
        hand[ASKED] += 1
    _go_on(hand)


def _go_on(hand: MutableSequence[int]) -> None:
    """Settle what is decided, or find the next mover."""
    count = hand[COUNT]
    while True:
        still_in, last = 0, -1
        for seat in range(count):
            if hand[IN + seat]:
                still_in += 1
                last = seat
        phase = hand[PHASE]
        if phase == ANSWER:
            if still_in == 1:
                is_conceded = last == hand[PUTTER]
                for seat in range(count):
                    if hand[SEES + seat]:
                        is_conceded = False
                _end(hand, last, 0 if is_conceded else 1)
                return
            for place in range(1, count):
                seat = (hand[PUTTER] + place) % count
                if hand[YET + seat]:
                    hand[MOVER] = seat
                    return
            hand[PHASE] = PLAY
            hand[SPOKEN] = 1
            if hand[KIND] == DOUBLING:
                hand[VALUE] *= 2
            continue
        if still_in == 1:
            _end(hand, last, 0)
            return
        if phase == OPENING:
            while hand[ASKED] < count and not hand[IN + hand[ASKED]]:
                hand[ASKED] += 1
            if hand[ASKED] < count:
                hand[MOVER] = hand[ASKED]
                return
            hand[PHASE] = PLAY
            continue
        if phase == LAST_SAY:
            hand[MOVER] = 0
            return
        ahead, most, second = -1, -1, -1
        for seat in range(count):
            if hand[IN + seat]:
                taken = hand[TRICKS + seat]
                if taken > most:
                    second, most, ahead = most, taken, seat
                elif taken > second:
                    second = taken
        if most > second + hand[LEFT]:
            is_game = hand[KIND] == CONCESSIONS or (hand[KIND] != DOUBLING and hand[PUTTER] >= 0)
            _end(hand, ahead, 1 if is_game else 0)
            return
        if hand[LEFT] == 0:
            _end(hand, -1, 0)
            return
        for place in range(count):
            seat = (hand[LEADER] + place) % count
            if hand[IN + seat] and hand[TABLE + seat] < 0:
                if not is_led(hand):
                    hand[LEADER] = seat
                hand[MOVER] = seat
                return
        _end_trick(hand)


def _end_trick(hand: MutableSequence[int]) -> None:
    count = hand[COUNT]
    best, winner = -1, -1
    for seat in range(count):
        card = hand[TABLE + seat]
        if hand[IN + seat] and card >= 0:
            if card > best:
                best, winner = card, seat
            elif card == best:
                winner = -1
        hand[TABLE + seat] = -1
    hand[LEFT] -= 1
    if winner >= 0:
        hand[LEADER] = winner
        hand[TRICKS + winner] += 1
        if hand[FIRST] < 0:
            hand[FIRST] = winner
            if hand[TIES_GO]:
                hand[TRICKS + winner] += hand[TIED]
    else:
        hand[TIED] += 1
        if hand[FIRST] >= 0 and hand[TIES_GO]:
            hand[TRICKS + hand[FIRST]] += 1
        for place in range(count):
            seat = (hand[LEADER] + place) % count
            if hand[IN + seat]:
                hand[LEADER] = seat
                break
    if hand[KIND] == STAGES and hand[PUTTER] < 0:
        hand[PHASE] = LAST_SAY


def _end(hand: MutableSequence[int], winner: int, is_game: int) -> None:
    hand[PHASE] = OVER
    hand[WINNER] = winner
    hand[IS_GAME] = is_game


def score_value(hand: Sequence[int], win_probabilities: Sequence[float], seat: int, winner: int, points: int) -> float:
    """Value of the game for a seat after the winner gets these points; winner -1: at the current score."""
    count, total, own = hand[COUNT], 0.0, 0.0
    for other in range(count):
        needs = hand[NEEDS + other] - (points if other == winner else 0)
        if needs <= 0:
            return count - 1.0 if other == seat else -1.0
        if count > 2:
            chance = _A_POINT ** (-needs)
            total += chance
            if other == seat:
                own = chance
    if count > 2:
        return count * own / total - 1.0
    mine = hand[NEEDS + seat] - (points if seat == winner else 0)
    theirs = hand[NEEDS + 1 - seat] - (points if seat != winner and winner >= 0 else 0)
    return 2.0 * win_probabilities[CHANCES * mine + theirs] - 1.0


def drawn_value(hand: Sequence[int], win_probabilities: Sequence[float], seat: int, is_put: bool) -> float:
    return 0.0 if is_put and hand[ANEW] else score_value(hand, win_probabilities, seat, -1, 0)


FEATURES = 156


def fill_features(hand: Sequence[int], win_probabilities: Sequence[float], features: MutableSequence[float]) -> None:
    """Fill `features` with the mover's knowledge; of other players' cards only shown ones are read."""
    me, count, kind, phase = hand[MOVER], hand[COUNT], hand[KIND], hand[PHASE]
    for at in range(FEATURES):
        features[at] = 0.0
    # What is at stake.
    features[0] = score_value(hand, win_probabilities, me, -1, 0)
    features[1] = score_value(hand, win_probabilities, me, me, hand[VALUE])
    for place in range(1, count):
        features[1 + place] = score_value(hand, win_probabilities, me, (me + place) % count, hand[VALUE])
    if kind == DOUBLING:
        features[5] = score_value(hand, win_probabilities, me, me, 2 * hand[VALUE])
        features[6] = score_value(hand, win_probabilities, me, 1 - me, 2 * hand[VALUE])
    features[7] = drawn_value(hand, win_probabilities, me, True)
    features[8] = hand[STAKE] - 1.0
    features[9] = float(hand[RECEIVED])
    features[8 + count] = 1.0
    features[13 if hand[PACK] == 13 else 14 if hand[PACK] == 8 else 15] = 1.0
    for at in range(3):
        if hand[VALUE] >= 2 << at:
            features[16 + at] = 1.0
    features[19 + hand[LEFT]] = 1.0
    # What each player has done.
    best, holder, waiting = -1, -1, 0
    leader = hand[LEADER]
    while not hand[IN + leader] and not is_led(hand):
        leader = (leader + 1) % count
    features[48 + (leader - me) % count] = 1.0
    for place in range(count):
        seat = (me + place) % count
        features[25 + place] = float(hand[TRICKS + seat])
        if place and hand[IN + seat]:
            features[28 + place] = 1.0
        if hand[PUTTER] == seat:
            features[32 + place] = 1.0
        features[36 + place] = float(hand[SEES + seat])
        if place:
            features[39 + place] = float(hand[YET + seat])
        if hand[IN + seat]:
            card = hand[TABLE + seat]
            if card > best:
                best, holder = card, place
            elif card == best and card >= 0:
                holder = -1
            if place and card < 0:
                waiting += 1
        for strength in range(RANKS):
            features[101 + RANKS * place + strength] = float(hand[SHOWN + RANKS * seat + strength])
    if phase == PLAY:
        features[45 if is_led(hand) else 44] = 1.0
        features[57] = waiting / 3.0
    else:
        features[43 if phase == OPENING else 46 if phase == ANSWER else 47] = 1.0
    if best >= 0:
        features[62 + best] = 1.0
        if holder >= 0:
            features[52 + holder] = 1.0
        else:
            features[56] = 1.0
    features[58] = 1.0 if me == 0 else 0.0
    features[59] = 1.0 if may_put(hand) else 0.0
    features[60] = 1.0 if may_throw(hand) else 0.0
    # The cards.
    for strength in range(RANKS):
        held = hand[HELD + RANKS * me + strength]
        gone = hand[THROWN + RANKS * me + strength]
        for seat in range(count):
            gone += hand[SHOWN + RANKS * seat + strength]
        features[75 + strength] = float(held)
        if strength >= RANKS - hand[PACK]:
            features[88 + strength] = (4 - held - gone) / 4.0
    if hand[TIES_GO]:
        features[153] = 1.0
        if hand[FIRST] >= 0:
            features[154 if hand[FIRST] == me else 155] = 1.0
