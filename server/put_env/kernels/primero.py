"""Primero, compiled. A card is its place in the canonical order; a set of seats is a number with a bit for each seat.

A round of bets is a stack of levels, as in `put_rules.betting`.
"""

from collections import namedtuple
from typing import Any, NamedTuple

import numpy as np

from put_env.env_table import Rewards, Unit
from put_env.families.primero import TRADES, PrimeroCodec
from put_env.kernels import rows
from put_env.kernels.rows import NONE, Numbers, RowTables
from put_protocol.games.primero import Category, Moment
from put_rules.betting import MOST_RAISES
from put_rules.primero.play import MAY_CALL, REPEATED
from put_rules.primero.rules import CARDS_FIRST, MOST_THROWN_IN, ORDER
from put_rules.primero.state import PACK

_CARDS = len(PACK)
_HELD = 2 * CARDS_FIRST
_OPEN, _ANSWER, _VADA, _ANNOUNCE, _BET, _TRADE = range(len(Moment))
_CHORUS = ORDER[Category.CHORUS]
_CATEGORIES = len(ORDER)
_LEVELS = 32
"""Upper bound of the levels in a round: a bet and three raises of six players, and the level below all bets."""

_FIELDS = rows.fields(
    (rows.NUMBER, 1, "number pot level stock running over next second depth"),
    (rows.NUMBER, _CARDS, "pack renewed away"),
    (rows.NUMBER, _LEVELS, "amounts makers took refusers"),
    (rows.CHOICE, 1, "moment"),
    (rows.SEATS, 1, "to_move dealer eldest bettor"),
    (rows.BITS, 1, "playing refused barred"),
    (rows.BY_SEAT, 1, "gain count put_in raises traded taken"),
    (rows.CHOICES, 1, "announced"),
    (rows.OWN, _HELD, "thrown"),
    (rows.PLACES, _HELD, "place"),
)
"""`renewed`: a new stock; `next`: the place of the next card, in this stock or in the pack; `away`: the cards for a new
stock; `second`: it is the second round of bets. Each of the `depth` levels has an amount, a maker, and the seats that
took or refused it. The top level is also in `level`, `bettor` and `refused`."""

# What is compiled must find what it uses under plain names.
_four = rows.compiled_module("put_server.house.primero.four_cards")
_strength, _HUNDRED = _four.strength, _four.PRIMERO

At = namedtuple("At", _FIELDS)  # type: ignore[misc]  # the names are those above


class _Rules(NamedTuple):
    seats: int
    is_hand: int
    hands: int
    limit: int
    numbers: Numbers
    """The house's number of each card."""
    may_call: int
    """Categories with which a player may call vada, one bit each."""
    repeated: int
    """Categories that a Chorus may repeat."""
    trades: Numbers
    """The first and the last place of the cards of each trade."""
    parts: int = 1
    """Parts of a stake in which rewards are counted."""


@rows.compiled_in
def _deal(row: Any, chance: Any, rules: Any, at: Any) -> None:
    """Deal two cards to each. Every player pays 1, unless the same hand is dealt again."""
    seats = rules.seats
    row[at.place : at.place + _HELD * seats] = row[at.thrown : at.thrown + _HELD * seats] = NONE
    row[at.announced : at.announced + seats] = NONE
    row[at.count : at.count + seats] = row[at.traded : at.traded + seats] = 0
    row[at.away : at.away + _CARDS] = 0
    row[at.second] = 0
    row[at.playing] = (1 << seats) - 1
    if row[at.running] == 0:
        row[at.number] += 1
        row[at.pot] = seats
        for seat in range(seats):
            row[at.gain + seat] -= 1
    row[at.eldest] = row[at.to_move] = (row[at.dealer] + 1) % seats
    row[at.moment] = _OPEN
    rows.shuffle(row[at.pack : at.pack + _CARDS], _CARDS, chance)
    row[at.next], row[at.stock] = at.pack, _CARDS
    _clear_bets(row, rules, at)
    for place in range(CARDS_FIRST * seats):
        _draw_card(row, at, (row[at.eldest] + place) % seats)


@rows.compiled_in
def _draw_card(row: Any, at: Any, seat: int) -> None:
    card = row[row[at.next]]
    row[at.next] += 1
    row[at.stock] -= 1
    row[at.place + _HELD * seat + row[at.count + seat]] = card
    row[at.count + seat] += 1


@rows.compiled_in
def _after(row: Any, rules: Any, at: Any, seat: int) -> int:
    """The next seat in this turn around the table that is still in; none: the turn has ended with the dealer."""
    while seat != row[at.dealer]:
        seat = (seat + 1) % rules.seats
        if row[at.playing] >> seat & 1:
            return int(seat)
    return NONE


@rows.compiled_in
def _clear_bets(row: Any, rules: Any, at: Any) -> None:
    row[at.put_in : at.put_in + rules.seats] = row[at.raises : at.raises + rules.seats] = 0
    row[at.barred] = row[at.depth] = 0
    _show_top(row, at)


@rows.compiled_in
def _show_top(row: Any, at: Any) -> None:
    top = row[at.depth] - 1
    row[at.level], row[at.bettor], row[at.refused] = 0, NONE, 0
    if top >= 0:
        row[at.level], row[at.bettor], row[at.refused] = (
            row[at.amounts + top],
            row[at.makers + top],
            row[at.refusers + top],
        )


@rows.compiled_in
def _lay(row: Any, at: Any, amount: int, maker: int) -> None:
    top = row[at.depth]
    row[at.amounts + top], row[at.makers + top], row[at.took + top], row[at.refusers + top] = amount, maker, 0, 0
    row[at.depth] = top + 1


@rows.compiled_in
def _pay(row: Any, at: Any, seat: int, put_in: int) -> None:
    """Pay until the seat has put in this amount in this round."""
    amount = put_in - row[at.put_in + seat]
    row[at.put_in + seat] = put_in
    row[at.gain + seat] -= amount
    row[at.pot] += amount


@rows.compiled_in
def _see(row: Any, rules: Any, at: Any, seat: int) -> int:
    """See the top level: those who refused it are out. Returns its amount."""
    top = row[at.depth] - 1
    row[at.took + top] |= 1 << seat
    for other in range(rules.seats):
        if row[at.refusers + top] >> other & 1:
            _go_out(row, at, other)
    row[at.refusers + top] = 0
    return int(row[at.amounts + top])


@rows.compiled_in
def _go_out(row: Any, at: Any, seat: int) -> None:
    row[at.playing] &= ~(1 << seat)
    for place in range(row[at.count + seat]):
        row[at.away + row[at.place + _HELD * seat + place]] = 1
    row[at.count + seat] = 0


@rows.compiled_in
def _ask_next(row: Any, rules: Any, at: Any, after: int) -> None:
    """The next seat has to answer the bet. A bet refused by all is withdrawn, and the bet below it is answered."""
    seats = rules.seats
    while True:
        top = row[at.depth] - 1
        maker = row[at.makers + top]
        open_to = row[at.playing] & ~(row[at.took + top] | row[at.refusers + top])
        if maker >= 0:
            open_to &= ~(1 << maker)
        if open_to:
            seat = (after + 1) % seats
            while not open_to >> seat & 1:
                seat = (seat + 1) % seats
            _ask(row, at, seat)
            return
        if maker < 0 or row[at.took + top]:
            _end_betting(row, rules, at)
            return
        row[at.depth] = top
        _pay(row, at, maker, row[at.amounts + top - 1])
        row[at.barred] |= 1 << maker
        after = maker


@rows.compiled_in
def _ask(row: Any, at: Any, seat: int) -> None:
    """A player's turn in a round of bets. On their first turn in the second round they announce first."""
    row[at.to_move] = seat
    _show_top(row, at)
    if row[at.second] and row[at.announced + seat] < 0:
        row[at.moment] = _ANNOUNCE
    else:
        row[at.moment] = _BET if row[at.bettor] < 0 else _ANSWER


@rows.compiled_in
def _end_betting(row: Any, rules: Any, at: Any) -> None:
    _clear_bets(row, rules, at)
    first = row[at.eldest]
    if not row[at.playing] >> first & 1:
        first = _after(row, rules, at, first)
    row[at.to_move] = first
    if row[at.second]:
        row[at.moment] = _TRADE
        return
    row[at.moment] = _VADA
    for _ in range(CARDS_FIRST):
        seat = first
        while seat >= 0:
            _draw_card(row, at, seat)
            seat = _after(row, rules, at, seat)


@rows.compiled_in
def _worth(row: Any, rules: Any, at: Any, seat: int) -> int:
    """Strength of a hand of four, in hundreds of its category, as the house counts it."""
    held, of = at.place + _HELD * seat, rules.numbers
    return int(_strength(of[row[held]], of[row[held + 1]], of[row[held + 2]], of[row[held + 3]]))


@rows.compiled_in
def _show(row: Any, rules: Any, at: Any) -> None:
    """Everyone still in shows. Of equal hands, the nearest to the dealer's right takes the pot."""
    best = winner = NONE
    for turn in range(rules.seats):
        seat = (row[at.eldest] + turn) % rules.seats
        if row[at.playing] >> seat & 1:
            strength = _worth(row, rules, at, seat)
            if strength > best:
                best, winner = strength, seat
    row[at.gain + winner] += row[at.pot]
    row[at.pot] = row[at.running] = 0
    row[at.to_move] = NONE
    row[at.dealer] = row[at.eldest]
    row[at.over] = row[at.number] == rules.hands


@rows.compiled_in
def _trade(row: Any, chance: Any, at: Any, seat: int, first: int, second: int) -> None:
    """Lay down the cards in one or two places, and draw as many. No player draws the cards they laid down."""
    held = at.place + _HELD * seat
    count, kept = row[at.count + seat], 0
    laid = row[held + first], row[held + second]
    for place in range(count):
        card = row[held + place]
        if place in (first, second):
            row[at.thrown + _HELD * seat + row[at.traded + seat]] = card
            row[at.traded + seat] += 1
        else:
            row[held + kept] = card
            kept += 1
    row[at.count + seat] = kept
    while row[at.count + seat] < count:
        if row[at.stock] == 0:
            _renew(row, chance, at)
        _draw_card(row, at, seat)
    for card in laid:
        row[at.away + card] = 1


@rows.compiled_in
def _renew(row: Any, chance: Any, at: Any) -> None:
    """A new stock from the cards laid down."""
    stock = 0
    for card in range(_CARDS):
        if row[at.away + card]:
            row[at.away + card] = 0
            row[at.renewed + stock] = card
            stock += 1
    rows.shuffle(row[at.renewed : at.renewed + stock], stock, chance)
    row[at.next], row[at.stock] = at.renewed, stock


@rows.compiled_in
def _take(row: Any, chance: Any, rules: Any, at: Any, code: int) -> None:
    """Play this action for the seat to move."""
    seat, limit, moment = row[at.to_move], rules.limit, row[at.moment]
    said = code - 2 * limit
    if said < 0:  # bet or raise
        below = 0
        if row[at.depth]:
            below = _see(row, rules, at, seat)
            row[at.raises + seat] += below > 0
        level = below + code % limit + 1
        _lay(row, at, level, seat)
        _pay(row, at, seat, level)
        _ask_next(row, rules, at, seat)
    elif said in (0, 2):  # see or pass
        _pay(row, at, seat, _see(row, rules, at, seat))
        _ask_next(row, rules, at, seat)
    elif said == 1:  # refuse
        top = row[at.depth] - 1
        if row[at.took + top]:
            _go_out(row, at, seat)
        else:
            row[at.refusers + top] |= 1 << seat
        _ask_next(row, rules, at, seat)
    elif said == 4:  # vada
        _show(row, rules, at)
    elif 6 <= said < 6 + _CATEGORIES:  # announce
        row[at.announced + seat] = said - 6
        _ask(row, at, seat)
    else:  # stand, go on or trade
        trade = said - 6 - _CATEGORIES
        if trade >= 0:
            _trade(row, chance, at, seat, rules.trades[trade, 0], rules.trades[trade, 1])
        row[at.to_move] = _after(row, rules, at, seat)
        if row[at.to_move] < 0:
            _all_were_asked(row, chance, rules, at, moment)


@rows.compiled_in
def _all_were_asked(row: Any, chance: Any, rules: Any, at: Any, moment: int) -> None:
    if moment == _OPEN:  # everyone traded
        row[at.running] += 1
        _deal(row, chance, rules, at)
    elif moment == _VADA:
        row[at.second] = 1
        _lay(row, at, 0, NONE)
        _ask_next(row, rules, at, row[at.dealer])
    else:
        _show(row, rules, at)


@rows.compiled_in
def _legal(row: Any, rules: Any, at: Any, mask: Any) -> None:
    mask[:] = 0
    seat, limit, moment = row[at.to_move], rules.limit, row[at.moment]
    said, trades = 2 * limit, 2 * limit + 6 + _CATEGORIES
    may_raise = not row[at.barred] >> seat & 1 and row[at.raises + seat] < MOST_RAISES
    if moment == _OPEN:
        mask[:limit] = 1
        if row[at.running] < MOST_THROWN_IN:
            mask[trades : trades + CARDS_FIRST] = 1
            mask[trades + _HELD] = 1
    elif moment == _ANSWER:
        mask[said] = 1
        if may_raise:
            mask[limit : 2 * limit] = 1
        others = 0
        for other in range(rules.seats):
            others += (row[at.playing] & ~row[at.refused]) >> other & 1
        # The first bet of a hand must be taken by the last whom it may be.
        must_take = row[at.depth] == 1 and row[at.bettor] >= 0 and others == 2
        mask[said + 1] = not must_take
    elif moment == _VADA:
        category = _worth(row, rules, at, seat) // _HUNDRED
        mask[said + 5] = 1
        mask[said + 4] = rules.may_call >> category & 1
    elif moment == _ANNOUNCE:
        own = _worth(row, rules, at, seat) // _HUNDRED
        for category in range(own, _CATEGORIES):
            mask[said + 6 + category] = 1
        if own == _CHORUS:
            for other in range(rules.seats):
                category = row[at.announced + other]
                if category >= 0 and rules.repeated >> category & 1:
                    mask[said + 6 + category] = 1
    elif moment == _BET:
        mask[said + 2] = 1
        if may_raise:
            mask[:limit] = 1
    else:
        mask[said + 3] = 1
        mask[trades:] = 1


_advance = rows.stepper(_deal, _take, _legal)


def _entry(source: int) -> Any:
    @rows.compiled
    def step_all(tables: Any, chance: Any, rules: Any, at: Any, lines: Any, actions: Any, results: Any) -> int:
        for table in range(len(tables)):
            _advance(tables[table], table, chance, rules, at, lines, actions, results)
        return source

    return step_all


_step_all = _entry(rows.source_of(_four.__file__))


def tables_of(codec: PrimeroCodec, tables: int, unit: Unit, _rewards: Rewards) -> RowTables:
    terms = codec.terms
    rules = _Rules(
        seats=terms.seats,
        is_hand=int(unit is Unit.HAND),
        hands=terms.hands,
        limit=terms.limit,
        numbers=np.array([_four.NUMBERS[card] for card in PACK], np.int32),
        may_call=sum([1 << ORDER[category] for category in MAY_CALL]),
        repeated=sum([1 << ORDER[category] for category in REPEATED]),
        trades=np.array([(places[0], places[-1]) for places in TRADES], np.int32),
    )
    also = {"hand": (rows.OWN, "place")}
    return RowTables(_step_all, rules, At, _FIELDS, layout=codec.layout, tables=tables, also=also)
