"""Put and related games, compiled: the deal, the steps of a hand, and its result.

The play of a hand is `put_server.house.put.rank_hand`, with each function compiled: suits do not matter, a card is its
strength, and seats are counted from eldest. A row begins with that hand. This module adds the rest: deals, scores,
stakes, rubbers, and what an observation shows of the tricks.
"""

from collections import namedtuple
from typing import Any, NamedTuple

import numpy as np

from put_env.env_table import Rewards, Unit
from put_env.families.put import PutCodec
from put_env.kernels import rows
from put_env.kernels.rows import BY_SEAT, CHOICE, CHOICES, NONE, NUMBER, OWN_NUMBERS, SEATS, Numbers, RowTables
from put_protocol.games.put import Moment
from put_server.house.put.score_values import stake_rule_of
from put_server.house.put.view_reading import KINDS

# The module of hands by ranks, with each function compiled. What is compiled must find what it uses under plain names.
_h = rows.compiled_module("put_server.house.put.rank_hand")
_go_on, _may_put, _may_throw, _is_led = _h.step, _h.may_put, _h.may_throw, _h.is_led
RANKS, SIZE = _h.RANKS, _h.SIZE
HELD, IN, TABLE, SEES, NEEDS = _h.HELD, _h.IN, _h.TABLE, _h.SEES, _h.NEEDS
KIND, COUNT, LEFT, MOVER, PHASE = _h.KIND, _h.COUNT, _h.LEFT, _h.MOVER, _h.PHASE
PUTTER, VALUE, TIES_GO, FIRST, PACK = _h.PUTTER, _h.VALUE, _h.TIES_GO, _h.FIRST, _h.PACK
WINNER, IS_GAME = _h.WINNER, _h.IS_GAME
OPENING, PLAY, ANSWER, OVER = _h.OPENING, _h.PLAY, _h.ANSWER, _h.OVER
PUT, SEE, THROW = _h.PUT, _h.SEE, _h.THROW
_SAID = {"put": PUT, "double": PUT, "see": SEE, "throw": THROW, "pass": _h.PASS}
OPENING_ONLY, CONCESSIONS = _h.OPENING_ONLY, _h.CONCESSIONS
BEST = RANKS - 1


def _fields(seats: int) -> dict[str, rows.Field]:
    """The fields of a hand have the places of `rank_hand`. `dealt`: a dealer, from eldest; `points`, `games`: of each
    seat, where `score` and `rubber` have them from eldest."""
    tricks = seats + 1
    return rows.fields(
        (NUMBER, IN, "cards"),
        (NUMBER, _h.SEATS, "playing tricks on_table saw yet needs"),
        (NUMBER, PUTTER - KIND, "turn"),
        (SEATS, 1, "putter"),
        (NUMBER, 1, "value"),
        (NUMBER, SIZE - VALUE - 1, "rest"),
        (NUMBER, 4 * RANKS, "pack"),
        (NUMBER, 1, "dealer number over"),
        (CHOICE, 1, "moment"),
        (SEATS, 1, "to_move dealt eldest leader"),
        (SEATS, tricks, "taker"),
        (BY_SEAT, 1, "gain taken points games score rubber count"),
        (CHOICES, 1, "table"),
        (CHOICES, tricks, "past"),
        (OWN_NUMBERS, RANKS, "hand"),
    )


_ALSO = {name: (BY_SEAT, name) for name in ("playing", "tricks", "saw")} | {"dealer": (SEATS, "dealt")}

At = namedtuple("At", _fields(2))  # type: ignore[misc]  # the names are those above


class _Rules(NamedTuple):
    kind: int
    seats: int
    ranks: int
    target: int
    ties_go: int
    rubber: int
    """Games that win the rubber; 0: there is none."""
    outright: int
    """Stakes for a game won outright."""
    is_anew: int
    """A drawn hand after an accepted put sets the scores back."""
    is_hand: int
    is_points: int
    parts: int
    """Parts of a point in which rewards are counted."""
    said: Numbers
    """Actions of a hand for the words, in the order of the codec."""
    moments: Numbers
    """Place of the moment in its block, by phase; last, if a card is led."""


@rows.compiled_in
def _deal(row: Any, chance: Any, rules: Any, at: Any) -> None:
    seats, tricks = rules.seats, rules.seats + 1
    if row[at.number] == 0:
        row[at.points : at.points + seats] = row[at.games : at.games + seats] = 0
    row[at.number] += 1
    row[:SIZE] = 0
    row[KIND], row[COUNT], row[PACK] = rules.kind, seats, rules.ranks
    row[LEFT], row[TIES_GO], row[VALUE] = tricks, rules.ties_go, 1
    row[PUTTER] = row[FIRST] = row[WINNER] = NONE
    row[PHASE] = OPENING if rules.kind == OPENING_ONLY else PLAY
    row[at.eldest], row[at.dealt], row[at.leader] = 0, seats - 1, NONE
    row[at.taker : at.taker + tricks] = NONE
    row[at.past : at.past + tricks * seats] = NONE
    row[at.hand : at.hand + RANKS * seats] = 0
    eldest = row[at.origin] = (row[at.dealer] + 1) % seats
    for seat in range(seats):
        score = row[at.points + (eldest + seat) % seats]
        row[IN + seat] = 1
        row[TABLE + seat] = row[at.table + seat] = NONE
        row[at.score + seat], row[NEEDS + seat] = score, rules.target - score
        row[at.rubber + seat] = row[at.games + (eldest + seat) % seats]
        row[at.count + seat] = tricks
    pack = row[at.pack : at.pack + 4 * rules.ranks]
    rows.shuffle(pack, seats * tricks, chance)
    for place in range(seats * tricks):
        seat, rank = place % seats, pack[place] // 4
        row[HELD + RANKS * seat + BEST - rank] += 1
        row[at.hand + RANKS * seat + rank] += 1
    _ask(row, rules, at)


@rows.compiled_in
def _ask(row: Any, rules: Any, at: Any) -> None:
    row[at.to_move] = row[MOVER]
    row[at.moment] = rules.moments[OVER if row[PHASE] == PLAY and _is_led(row) else row[PHASE]]


@rows.compiled_in
def _end(row: Any, rules: Any, at: Any) -> None:
    """The hand is over: score it, and pay.

    Everyone pays except the winner; after an accepted put only those who played on. Points are counted in parts, as
    many as there are other seats to pay them.
    """
    seats, eldest = rules.seats, row[at.origin]
    winner, is_game = row[WINNER], row[IS_GAME] != 0
    won = (eldest + winner) % seats
    if winner >= 0:
        missing = rules.target - row[at.points + won]
        gained = missing if is_game else min(row[VALUE], missing)
        _score(row, rules, at, won, gained)
        is_over = gained == missing
        if is_over and not rules.is_points:
            stake = rules.outright if is_game and rules.kind == CONCESSIONS else 1
            for seat in range(seats):
                place = (seat - eldest) % seats
                is_liable = not is_game or row[PUTTER] < 0 or place == row[PUTTER] or row[SEES + place] != 0
                if seat != won and is_liable:
                    row[at.gain + seat] -= stake
                    row[at.gain + won] += stake
        if is_over and rules.rubber > 0:
            row[at.points : at.points + seats] = 0
            row[at.games + won] += 1
            is_over = row[at.games + won] >= rules.rubber
        row[at.over] = is_over
    elif rules.is_anew and row[PUTTER] >= 0:
        for seat in range(seats):
            _score(row, rules, at, seat, -row[at.points + seat])
    row[at.dealer] = eldest
    row[at.to_move] = NONE


@rows.compiled_in
def _score(row: Any, rules: Any, at: Any, seat: int, points: int) -> None:
    """Points of a seat, which the others pay in equal parts."""
    row[at.points + seat] += points
    if rules.is_points:
        for other in range(rules.seats):
            row[at.gain + other] += points * ((rules.seats if other == seat else 0) - 1)


@rows.compiled_in
def _take(row: Any, _chance: Any, rules: Any, at: Any, code: int) -> None:
    """Play a legal action of the mover."""
    seats, mover, left = rules.seats, row[MOVER], row[LEFT]
    if code < rules.ranks:
        action = 0
        for better in range(code):
            action += row[at.hand + RANKS * mover + better] > 0
        row[at.hand + RANKS * mover + code] -= 1
        row[at.count + mover] -= 1
        row[at.table + mover] = code
        if row[at.leader] < 0:
            row[at.leader] = mover
    else:
        action = rules.said[code - rules.ranks]
        if action == THROW:
            row[at.count + mover] = 0
    _go_on(row, action)
    if row[LEFT] < left:
        _end_trick(row, rules, at, seats + 1 - left)
    if row[PHASE] == OVER:
        _end(row, rules, at)
    else:
        _ask(row, rules, at)


@rows.compiled_in
def _end_trick(row: Any, rules: Any, at: Any, number: int) -> None:
    best, taker = rules.ranks, NONE
    for seat in range(rules.seats):
        rank = row[at.table + seat]
        row[at.past + rules.seats * number + seat], row[at.table + seat] = rank, NONE
        if row[IN + seat] and rank >= 0:
            if rank < best:
                best, taker = rank, seat
            elif rank == best:
                taker = NONE
    row[at.taker + number], row[at.leader] = taker, NONE


@rows.compiled_in
def _legal(row: Any, rules: Any, at: Any, mask: Any) -> None:
    for rank in range(rules.ranks):
        mask[rank] = row[PHASE] == PLAY and row[at.hand + RANKS * row[MOVER] + rank] > 0
    for word in range(len(rules.said)):
        action = rules.said[word]
        if action == PUT:
            may = _may_put(row)
        elif action == THROW:
            may = _may_throw(row)
        else:
            may = row[PHASE] == (ANSWER if action == SEE else OPENING)
        mask[rules.ranks + word] = may


_advance = rows.stepper(_deal, _take, _legal)


def _entry(source: int) -> Any:
    @rows.compiled
    def step_all(tables: Any, chance: Any, rules: Any, at: Any, lines: Any, actions: Any, results: Any) -> int:
        for table in range(len(tables)):
            _advance(tables[table], table, chance, rules, at, lines, actions, results)
        return source

    return step_all


_step_all = _entry(rows.source_of(_h.__file__))


def tables_of(codec: PutCodec, tables: int, unit: Unit, rewards: Rewards) -> RowTables:
    """:raises ValueError: this kind of table has no compiled form."""
    rules, play, seats = codec.terms.rules, codec.terms.rules.play, codec.terms.seats
    if rules.is_partnership:
        raise ValueError("games in partnerships have no vectorised form")
    if rules.misdeals:
        raise ValueError("misdeals have no vectorised form")
    labels = next(block.labels for block in codec.layout.blocks if block.name == "moment")
    asked = (Moment.OPENING, Moment.LEAD, Moment.ANSWER, Moment.LAST_SAY, Moment.REPLY)
    ranks = len(codec.terms.ranks)
    numbers = _Rules(
        kind=OPENING_ONLY if Moment.OPENING in play.may else KINDS[stake_rule_of(play.plain, play.accepted)],
        seats=seats,
        ranks=ranks,
        target=rules.target,
        ties_go=int(rules.tied_trick == "first_winner"),
        rubber=rules.rubber if rules.is_rubber else 0,
        outright=2 if rules.outright == "double" else 1,
        is_anew=int(rules.drawn_put == "anew"),
        is_hand=int(unit is Unit.HAND),
        is_points=int(rewards is Rewards.POINTS),
        parts=seats - 1 if rewards is Rewards.POINTS else 1,
        said=np.array([_SAID[name] for name in codec.actions[ranks:]], np.int32),
        moments=np.array([labels.index(moment) if moment in labels else NONE for moment in asked], np.int32),
    )
    return RowTables(_step_all, numbers, At, _fields(seats), layout=codec.layout, tables=tables, also=_ALSO)
