"""Put and related games, compiled. Suits do not matter here: a card is its rank, and the best is 0."""

from collections import namedtuple
from typing import Any, NamedTuple

import numpy as np

from put_env.env_table import Rewards, Unit
from put_env.families.put import PutCodec
from put_env.kernels import rows
from put_env.kernels.rows import BY_SEAT, CHOICE, CHOICES, NONE, NUMBER, OWN_NUMBERS, SEATS, Numbers, RowTables
from put_protocol.games.put import Moment
from put_server.house.put.score_values import StakeRule, stake_rule_of

_RANKS = 13

_OPENING, _PLAY, _ANSWER, _LAST_SAY = range(4)
_PUT, _SEE, _THROW, _PASS = range(4)
_SAID = {"put": _PUT, "double": _PUT, "see": _SEE, "throw": _THROW, "pass": _PASS}


def _fields(tricks: int) -> dict[str, rows.Field]:
    """`leads`: the seat that leads this trick, or the next; `bound`: the mover has put in this turn and was seen;
    `first`: the winner of the first trick that was not tied; `tied`: tied tricks before it; `asked`: seats that were
    asked in the opening; `yet`: the seat must still answer the put."""
    return rows.fields(
        (NUMBER, 1, "number over left phase bound leads first tied asked value"),
        (NUMBER, 4 * _RANKS, "pack"),
        (CHOICE, 1, "moment"),
        (SEATS, 1, "to_move dealer eldest leader putter"),
        (SEATS, tricks, "taker"),
        (BY_SEAT, 1, "gain taken score rubber playing count tricks saw yet"),
        (CHOICES, 1, "table"),
        (CHOICES, tricks, "past"),
        (OWN_NUMBERS, _RANKS, "hand"),
    )


At = namedtuple("At", _fields(3))  # type: ignore[misc]  # the names are those above


class _Rules(NamedTuple):
    seats: int
    ranks: int
    target: int
    opens: int
    """Puts are made only before the first trick."""
    gives_up: int
    """A player has the last say after the first trick, and throws in unless they put."""
    is_outright: int
    """A hand won by tricks wins the game, put or not."""
    doubles: int
    """An accepted put doubles the hand's points, and another may follow."""
    ties_go: int
    """Tied tricks go to the winner of the first untied one."""
    rubber: int
    """Games that win the rubber; 0: there is none."""
    stake: int
    """Stakes for a game won outright."""
    is_anew: int
    """A drawn hand after an accepted put sets the scores back."""
    is_hand: int
    is_points: int
    parts: int
    """Parts of a point in which rewards are counted."""
    said: Numbers
    """Kind of each word of the codec."""
    moments: Numbers
    """Place of the moment in its block, by phase; last, if a card is led."""


@rows.compiled_in
def _deal(row: Any, chance: Any, rules: Any, at: Any) -> None:
    seats, tricks = rules.seats, rules.seats + 1
    if row[at.number] == 0:
        row[at.score : at.score + seats] = row[at.rubber : at.rubber + seats] = 0
    row[at.number] += 1
    eldest = row[at.eldest] = row[at.leads] = (row[at.dealer] + 1) % seats
    row[at.left], row[at.value] = tricks, 1
    row[at.phase] = _OPENING if rules.opens else _PLAY
    row[at.putter] = row[at.first] = row[at.leader] = NONE
    row[at.bound] = row[at.tied] = row[at.asked] = 0
    row[at.playing : at.playing + seats] = 1
    row[at.count : at.count + seats] = tricks
    row[at.tricks : at.tricks + seats] = row[at.saw : at.saw + seats] = row[at.yet : at.yet + seats] = 0
    row[at.table : at.table + seats] = NONE
    row[at.taker : at.taker + tricks] = NONE
    row[at.past : at.past + tricks * seats] = NONE
    row[at.hand : at.hand + _RANKS * seats] = 0
    pack = row[at.pack : at.pack + 4 * rules.ranks]
    rows.shuffle(pack, seats * tricks, chance)
    for place in range(seats * tricks):
        row[at.hand + _RANKS * ((eldest + place) % seats) + pack[place] // 4] += 1
    _go_on(row, rules, at)


@rows.compiled_in
def _take(row: Any, _chance: Any, rules: Any, at: Any, code: int) -> None:
    """Play a legal action of the mover."""
    seats, mover = rules.seats, row[at.to_move]
    said = NONE if code < rules.ranks else rules.said[code - rules.ranks]
    if said == NONE:
        row[at.hand + _RANKS * mover + code] -= 1
        row[at.count + mover] -= 1
        row[at.table + mover] = code
        row[at.bound] = 0
        if row[at.leader] < 0:
            row[at.leader] = mover
    elif said == _PUT:
        row[at.putter] = mover
        row[at.phase] = _ANSWER
        for seat in range(seats):
            row[at.saw + seat] = 0
            row[at.yet + seat] = seat != mover and row[at.playing + seat]
    elif said == _PASS:
        row[at.asked] += 1
    else:
        row[at.yet + mover] = 0
        if said == _SEE:
            row[at.saw + mover] = 1
        else:
            row[at.playing + mover] = row[at.count + mover] = 0
    _go_on(row, rules, at)


@rows.compiled_in
def _go_on(row: Any, rules: Any, at: Any) -> None:
    """Settle what is decided, or find the next mover."""
    seats = rules.seats
    while True:
        still_in, last = 0, NONE
        for seat in range(seats):
            if row[at.playing + seat]:
                still_in += 1
                last = seat
        if row[at.phase] == _ANSWER:
            if still_in == 1:
                is_conceded = last == row[at.putter]
                for seat in range(seats):
                    if row[at.saw + seat]:
                        is_conceded = False
                _end(row, rules, at, last, not is_conceded)
                return
            for place in range(1, seats):
                seat = (row[at.putter] + place) % seats
                if row[at.yet + seat]:
                    _ask(row, rules, at, seat)
                    return
            row[at.phase] = _PLAY
            row[at.bound] = 1
            if rules.doubles:
                row[at.value] *= 2
        elif still_in == 1:
            _end(row, rules, at, last, False)
            return
        elif row[at.phase] == _OPENING:
            while row[at.asked] < seats and not row[at.playing + (row[at.eldest] + row[at.asked]) % seats]:
                row[at.asked] += 1
            if row[at.asked] < seats:
                _ask(row, rules, at, (row[at.eldest] + row[at.asked]) % seats)
                return
            row[at.phase] = _PLAY
        elif row[at.phase] == _LAST_SAY:
            _ask(row, rules, at, row[at.eldest])
            return
        elif _is_decided(row, rules, at):
            return
        else:
            for place in range(seats):
                seat = (row[at.leads] + place) % seats
                if row[at.playing + seat] and row[at.table + seat] < 0:
                    if row[at.leader] < 0:
                        row[at.leads] = seat
                    _ask(row, rules, at, seat)
                    return
            _end_trick(row, rules, at)


@rows.compiled_in
def _ask(row: Any, rules: Any, at: Any, seat: int) -> None:
    row[at.to_move] = seat
    phase = row[at.phase]
    row[at.moment] = rules.moments[len(rules.moments) - 1 if phase == _PLAY and row[at.leader] >= 0 else phase]


@rows.compiled_in
def _is_decided(row: Any, rules: Any, at: Any) -> bool:
    """End the hand if no other seat can have the most tricks any more, or if none are left."""
    ahead, most, second = NONE, NONE, NONE
    for seat in range(rules.seats):
        if row[at.playing + seat]:
            taken = row[at.tricks + seat]
            if taken > most:
                second, most, ahead = most, taken, seat
            elif taken > second:
                second = taken
    if most > second + row[at.left]:
        _end(row, rules, at, ahead, rules.is_outright or (not rules.doubles and row[at.putter] >= 0))
        return True
    if row[at.left] == 0:
        _end(row, rules, at, NONE, False)
        return True
    return False


@rows.compiled_in
def _end_trick(row: Any, rules: Any, at: Any) -> None:
    seats = rules.seats
    number = seats + 1 - row[at.left]
    best, taker = rules.ranks, NONE
    for seat in range(seats):
        rank = row[at.table + seat]
        row[at.past + seats * number + seat], row[at.table + seat] = rank, NONE
        if row[at.playing + seat] and rank >= 0:
            if rank < best:
                best, taker = rank, seat
            elif rank == best:
                taker = NONE
    row[at.taker + number], row[at.leader] = taker, NONE
    row[at.left] -= 1
    if taker >= 0:
        row[at.leads] = taker
        row[at.tricks + taker] += 1
        if row[at.first] < 0:
            row[at.first] = taker
            if rules.ties_go:
                row[at.tricks + taker] += row[at.tied]
    else:
        row[at.tied] += 1
        if row[at.first] >= 0 and rules.ties_go:
            row[at.tricks + row[at.first]] += 1
        while not row[at.playing + row[at.leads]]:
            row[at.leads] = (row[at.leads] + 1) % seats
    if rules.gives_up and row[at.putter] < 0:
        row[at.phase] = _LAST_SAY


@rows.compiled_in
def _end(row: Any, rules: Any, at: Any, winner: int, is_game: bool) -> None:
    """The hand is over: score it, and pay.

    Everyone pays except the winner; after an accepted put only those who played on. Points are counted in parts, as
    many as there are other seats to pay them.
    """
    seats = rules.seats
    if winner >= 0:
        missing = rules.target - row[at.score + winner]
        gained = missing if is_game else min(row[at.value], missing)
        _score(row, rules, at, winner, gained)
        is_over = gained == missing
        if is_over and not rules.is_points:
            stake = rules.stake if is_game and rules.is_outright else 1
            for seat in range(seats):
                is_liable = not is_game or row[at.putter] < 0 or seat == row[at.putter] or row[at.saw + seat] != 0
                if seat != winner and is_liable:
                    row[at.gain + seat] -= stake
                    row[at.gain + winner] += stake
        if is_over and rules.rubber > 0:
            row[at.score : at.score + seats] = 0
            row[at.rubber + winner] += 1
            is_over = row[at.rubber + winner] >= rules.rubber
        row[at.over] = is_over
    elif rules.is_anew and row[at.putter] >= 0:
        for seat in range(seats):
            _score(row, rules, at, seat, -row[at.score + seat])
    row[at.dealer] = row[at.eldest]
    row[at.to_move] = NONE


@rows.compiled_in
def _score(row: Any, rules: Any, at: Any, seat: int, points: int) -> None:
    """Points of a seat, which the others pay in equal parts."""
    row[at.score + seat] += points
    if rules.is_points:
        for other in range(rules.seats):
            row[at.gain + other] += points * ((rules.seats if other == seat else 0) - 1)


@rows.compiled_in
def _legal(row: Any, rules: Any, at: Any, mask: Any) -> None:
    phase, mover = row[at.phase], row[at.to_move]
    is_first = row[at.leader] < 0 or not rules.is_outright  # otherwise words are said before leading only
    is_bound = row[at.bound] or (row[at.putter] >= 0 and not rules.is_outright and not rules.doubles)
    may_speak = phase == _PLAY and not is_bound and is_first
    for rank in range(rules.ranks):
        mask[rank] = phase == _PLAY and row[at.hand + _RANKS * mover + rank] > 0
    for word in range(len(rules.said)):
        said = rules.said[word]
        if said == _PUT:
            may = phase in (_OPENING, _LAST_SAY) or (may_speak and not rules.opens)
            if rules.doubles:
                may &= row[at.value] + min(row[at.score], row[at.score + 1]) < rules.target
        elif said == _THROW:
            may = phase in (_ANSWER, _LAST_SAY) or (may_speak and (rules.gives_up or rules.is_outright))
        else:
            may = phase == (_ANSWER if said == _SEE else _OPENING)
        mask[rules.ranks + word] = may


_advance = rows.stepper(_deal, _take, _legal)


def _entry(source: int) -> Any:
    @rows.compiled
    def step_all(tables: Any, chance: Any, rules: Any, at: Any, lines: Any, actions: Any, results: Any) -> int:
        for table in range(len(tables)):
            _advance(tables[table], table, chance, rules, at, lines, actions, results)
        return source

    return step_all


_step_all = _entry(rows.source_of())


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
    stake_rule = stake_rule_of(play.plain, play.accepted)
    numbers = _Rules(
        seats=seats,
        ranks=ranks,
        target=rules.target,
        opens=int(Moment.OPENING in play.may),
        gives_up=int(stake_rule is StakeRule.GIVEN_UP),
        is_outright=int(stake_rule is StakeRule.OUTRIGHT),
        doubles=int(stake_rule is StakeRule.DOUBLED),
        ties_go=int(rules.tied_trick == "first_winner"),
        rubber=rules.rubber if rules.is_rubber else 0,
        stake=2 if rules.outright == "double" else 1,
        is_anew=int(rules.drawn_put == "anew"),
        is_hand=int(unit is Unit.HAND),
        is_points=int(rewards is Rewards.POINTS),
        parts=seats - 1 if rewards is Rewards.POINTS else 1,
        said=np.array([_SAID[name] for name in codec.actions[ranks:]], np.int32),
        moments=np.array([labels.index(moment) if moment in labels else NONE for moment in asked], np.int32),
    )
    return RowTables(_step_all, numbers, At, _fields(seats + 1), layout=codec.layout, tables=tables)
