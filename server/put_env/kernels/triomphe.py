"""Triomphe, compiled. A card is its place in the canonical order."""

from collections import namedtuple
from typing import Any, NamedTuple

import numpy as np

from put_env.env_table import Rewards, Unit
from put_env.families.triomphe import TriompheCodec
from put_env.kernels import rows
from put_env.kernels.rows import BY_SEAT, CHOICE, NONE, NUMBER, OWN, PLAYED, SEATS, Numbers, RowTables
from put_protocol.cards import LA_MORT, TAROT_PACK
from put_rules.triomphe.rules import CARDS_EACH

_CARDS = len(TAROT_PACK)
# The house's pack has the same numbers. What is compiled must find what it uses under plain names.
_tarot = rows.compiled_module("put_server.house.triomphe.tarot")
_beats, _SUIT, _TRUMPS, _FOOL = _tarot.beats, _tarot.SUIT, _tarot.TRUMPS, _tarot.FOOL
_SHOWN = 4
"""Cards that may be declared: La Mort, and the cards with a payment."""

_FIELDS = rows.fields(
    (NUMBER, 1, "number pool over led best ahead"),
    (NUMBER, _CARDS, "pack"),
    (CHOICE, 1, "moment"),
    (SEATS, 1, "to_move dealer eldest leader"),
    (SEATS, CARDS_EACH, "taker"),
    (BY_SEAT, 1, "gain count tricks taken"),
    (BY_SEAT, _SHOWN, "declared"),
    (OWN, CARDS_EACH, "hand"),
    (PLAYED, CARDS_EACH, "played"),
)
"""`led`: the suit of the trick, or none yet; `best`: its best card; `ahead`: its player."""

At = namedtuple("At", _FIELDS)  # type: ignore[misc]  # the names are those above


class _Rules(NamedTuple):
    seats: int
    is_hand: int
    hands: int
    stake: int
    shown: Numbers
    """The cards that may be declared."""
    dues: Numbers
    """Payment for each of these cards."""
    parts: int = 1
    """Parts of a stake in which rewards are counted."""


@rows.compiled_in
def _deal(row: Any, chance: Any, rules: Any, at: Any) -> None:
    """Stakes, five cards each, and what is declared."""
    seats = rules.seats
    row[at.played : at.played + CARDS_EACH * seats] = NONE
    row[at.declared : at.declared + _SHOWN * seats] = 0
    row[at.tricks : at.tricks + seats] = 0
    row[at.taker : at.taker + CARDS_EACH] = NONE
    row[at.number] += 1
    eldest = (row[at.dealer] + 1) % seats
    row[at.eldest] = eldest
    _clear_trick(row, at)
    pack = row[at.pack : at.pack + _CARDS]
    rows.shuffle(pack, CARDS_EACH * seats, chance)
    for place in range(CARDS_EACH * seats):
        row[at.hand + CARDS_EACH * ((eldest + place) % seats) + place // seats] = pack[place]
    for seat in range(seats):
        row[at.count + seat] = CARDS_EACH
        row[at.gain + seat] -= rules.stake
    row[at.pool] = rules.stake * seats
    _declare(row, rules, at)


@rows.compiled_in
def _declare(row: Any, rules: Any, at: Any) -> None:
    eldest, seats = row[at.eldest], rules.seats
    for place in range(CARDS_EACH * seats):
        if row[at.hand + place] == rules.shown[0]:
            row[at.declared + _SHOWN * (place // CARDS_EACH)] = 1
            _end(row, rules, at, place // CARDS_EACH)
            return
    for turn in range(seats):
        seat = (eldest + turn) % seats
        paid = 0
        for place in range(CARDS_EACH):
            for number in range(1, _SHOWN):
                if row[at.hand + CARDS_EACH * seat + place] == rules.shown[number]:
                    row[at.declared + _SHOWN * seat + number] = 1
                    paid += rules.dues[number]
        paid = min(paid, row[at.pool])
        row[at.gain + seat] += paid
        row[at.pool] -= paid
        if row[at.pool] == 0:
            _end(row, rules, at, NONE)
            return
    row[at.to_move] = eldest


@rows.compiled_in
def _clear_trick(row: Any, at: Any) -> None:
    row[at.leader] = row[at.led] = row[at.ahead] = NONE
    row[at.best] = _FOOL
    row[at.moment] = 0


@rows.compiled_in
def _end(row: Any, rules: Any, at: Any, winner: int) -> None:
    if winner >= 0:
        row[at.gain + winner] += row[at.pool]
        row[at.pool] = 0
    row[at.to_move] = NONE
    row[at.dealer] = row[at.eldest]
    row[at.over] = row[at.number] == rules.hands


@rows.compiled_in
def _take(row: Any, _chance: Any, rules: Any, at: Any, card: int) -> None:
    seat, seats, suit = row[at.to_move], rules.seats, _SUIT[card]
    number, last = CARDS_EACH + 1 - row[at.count + seat], row[at.count + seat] - 1
    hand = at.hand + CARDS_EACH * seat
    for place in range(last):
        if row[hand + place] == card:
            row[hand + place] = row[hand + last]
    row[hand + last] = NONE
    row[at.played + CARDS_EACH * seat + number - 1] = card
    row[at.count + seat] = last
    if row[at.leader] < 0:
        row[at.leader] = row[at.ahead] = seat
        row[at.moment] = 1
    if row[at.led] < 0:
        row[at.led] = suit
    if _beats(card, row[at.best]):
        row[at.best], row[at.ahead] = card, seat
    follower = (seat + 1) % seats
    if follower != row[at.leader]:
        row[at.to_move] = follower
        return
    winner = row[at.ahead]
    row[at.taker + number - 1] = winner
    row[at.tricks + winner] += 1
    row[at.to_move] = winner
    _clear_trick(row, at)
    if number == CARDS_EACH:
        _end(row, rules, at, _won(row, rules, at))


@rows.compiled_in
def _won(row: Any, rules: Any, at: Any) -> int:
    """The winner of five tricks: of the seats with the most, the first to win a second one, or otherwise a first."""
    most = 0
    for seat in range(rules.seats):
        most = max(most, row[at.tricks + seat])
    for number in range(CARDS_EACH):
        taker = row[at.taker + number]
        if row[at.tricks + taker] == most:
            taken = 0
            for before in range(number + 1):
                taken += row[at.taker + before] == taker
            if taken == min(most, 2):
                return int(taker)
    return NONE


@rows.compiled_in
def _legal(row: Any, _rules: Any, at: Any, mask: Any) -> None:
    """The suit led, or otherwise trumps, or otherwise any card; always the Fool."""
    seat, led = row[at.to_move], row[at.led]
    first = at.hand + CARDS_EACH * seat
    hand = row[first : first + row[at.count + seat]]
    follows = has_trump = False
    for card in hand:
        follows |= _SUIT[card] == led
        has_trump |= _SUIT[card] == _TRUMPS
    is_free = led < 0 or not (follows or has_trump)
    wanted = led if follows else _TRUMPS
    mask[:] = 0
    for card in hand:
        suit = _SUIT[card]
        mask[card] = is_free or suit < 0 or suit == wanted


_advance = rows.stepper(_deal, _take, _legal)


def _entry(source: int) -> Any:
    @rows.compiled
    def step_all(tables: Any, chance: Any, rules: Any, at: Any, lines: Any, actions: Any, results: Any) -> int:
        for table in range(len(tables)):
            _advance(tables[table], table, chance, rules, at, lines, actions, results)
        return source

    return step_all


_step_all = _entry(rows.source_of(_tarot.__file__))


def tables_of(codec: TriompheCodec, tables: int, unit: Unit, _rewards: Rewards) -> RowTables:
    terms = codec.terms
    shown = (LA_MORT, *terms.dues)
    rules = _Rules(
        seats=terms.seats,
        is_hand=int(unit is Unit.HAND),
        hands=terms.hands,
        stake=terms.stake,
        shown=np.array([TAROT_PACK.index(card) for card in shown], np.int32),
        dues=np.array([terms.dues.get(card, 0) for card in shown], np.int32),
    )
    return RowTables(_step_all, rules, At, _FIELDS, layout=codec.layout, tables=tables)
