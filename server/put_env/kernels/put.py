"""Put and related games, compiled: the deal, the steps of a hand, its result, and the observations.

The play of a hand is `put_server.house.put.rank_hand`, with each function compiled: suits do not matter, a card is its
strength, and seats are counted from eldest. This module adds the rest (deals, scores, stakes, rubbers), and the cards
of past tricks, which `rank_hand` does not store.
"""

import importlib.util
from collections import namedtuple
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from put_env.env_table import Rewards, Unit
from put_env.families.put import PutCodec
from put_env.kernels.rows import Results, compiled, compiled_in, draw, shuffle, source_of
from put_protocol.games.put import Moment, Worth
from put_rules.put.rules import Offer, PutRules

Bytes = npt.NDArray[np.int8]

NONE = -1
NOT_YET = -2


def _compiled() -> ModuleType:
    spec = importlib.util.find_spec("put_server.house.put.rank_hand")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name, function in list(vars(module).items()):
        if isinstance(function, FunctionType):
            setattr(module, name, compiled_in(function))
    return module


rank_hand: Any = _compiled()
"""The module of hands by ranks, with each function compiled."""

# What is compiled must find what it uses under plain names.
_h = rank_hand
_step, _may_put, _may_throw, _is_led = _h.step, _h.may_put, _h.may_throw, _h.is_led
RANKS, SIZE = _h.RANKS, _h.SIZE
HELD, IN, TRICKS, TABLE, SEES, NEEDS = _h.HELD, _h.IN, _h.TRICKS, _h.TABLE, _h.SEES, _h.NEEDS
KIND, COUNT, LEFT, LEADER, MOVER, PHASE = _h.KIND, _h.COUNT, _h.LEFT, _h.LEADER, _h.MOVER, _h.PHASE
PUTTER, VALUE, TIES_GO, FIRST, PACK = _h.PUTTER, _h.VALUE, _h.TIES_GO, _h.FIRST, _h.PACK
WINNER, IS_GAME = _h.WINNER, _h.IS_GAME
OPENING, PLAY, ANSWER, LAST_SAY, OVER = _h.OPENING, _h.PLAY, _h.ANSWER, _h.LAST_SAY, _h.OVER
PUT, SEE, THROW, PASS = _h.PUT, _h.SEE, _h.THROW, _h.PASS
OPENING_ONLY, CONCESSIONS = _h.OPENING_ONLY, _h.CONCESSIONS
BEST = RANKS - 1


class TableRules(NamedTuple):
    """A table's rules as numbers, the same for all hands."""

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
    put: int
    """Codes of the words that may be said; -1: never legal."""
    see: int
    throw: int
    say_nothing: int


Places = namedtuple(
    "Places",
    "hand moment to_move score dealer eldest playing held tricks leader table taker past putter saw value rubber "
    "lead reply answer opening last_say",
)
"""Places where the blocks of an observation begin; the second line has the places of the moments in their block; -1:
none. `held` is the block `count`: tuples have a method of that name."""


class TableStates(NamedTuple):
    """The state of all tables, a row each."""

    hands: Bytes
    past: Bytes
    """Strength of the card, by trick and seat from eldest; -1: none."""
    takers: Bytes
    """Seat from eldest that took the trick; -1: tied; -2: not played yet."""
    scores: Bytes
    games: Bytes
    """Games won in the rubber."""
    dealers: Bytes
    pack: Bytes
    """A pack that every deal shuffles again."""
    chance: npt.NDArray[np.uint64]


@compiled_in
def deal(tables: Any, rules: Any, at: int) -> None:
    hand, seats = tables.hands[at], rules.seats
    hand[:] = 0
    tricks = seats + 1
    hand[KIND], hand[COUNT], hand[PACK] = rules.kind, seats, rules.ranks
    hand[LEFT], hand[TIES_GO], hand[VALUE] = tricks, rules.ties_go, 1
    hand[PUTTER], hand[FIRST], hand[WINNER] = NONE, NONE, NONE
    hand[PHASE] = OPENING if rules.kind == OPENING_ONLY else PLAY
    eldest = (tables.dealers[at] + 1) % seats
    for seat in range(seats):
        hand[IN + seat] = 1
        hand[TABLE + seat] = NONE
        hand[NEEDS + seat] = rules.target - tables.scores[at, (eldest + seat) % seats]
    pack = tables.pack
    shuffle(pack, seats * tricks, tables.chance)
    for place in range(seats * tricks):
        hand[HELD + RANKS * (place % seats) + pack[place]] += 1
    tables.past[at] = NONE
    tables.takers[at] = NOT_YET


@compiled_in
def begin(tables: Any, rules: Any, at: int) -> None:
    tables.scores[at] = 0
    tables.games[at] = 0
    tables.dealers[at] = draw(tables.chance, rules.seats)
    deal(tables, rules, at)


@compiled_in
def _end(tables: Any, rules: Any, at: int, reward: Any) -> bool:
    """The hand is over: score it, pay, and deal the next. Returns whether the episode is over.

    Everyone pays except the winner; after an accepted put only those who played on.
    """
    hand, seats, scores = tables.hands[at], rules.seats, tables.scores[at]
    eldest = (tables.dealers[at] + 1) % seats
    winner, is_game = hand[WINNER], hand[IS_GAME] != 0
    is_over = False
    if rules.is_points:
        for seat in range(seats):
            reward[seat] = -scores[seat]
    won = -1
    if winner == NONE:
        if rules.is_anew and hand[PUTTER] >= 0:
            scores[:] = 0
    else:
        won = (eldest + winner) % seats
        missing = rules.target - scores[won]
        scores[won] += missing if is_game else min(hand[VALUE], missing)
        is_over = scores[won] >= rules.target
    if rules.is_points:
        every = 0.0
        for seat in range(seats):
            reward[seat] += scores[seat]
            every += reward[seat]
        for seat in range(seats):
            reward[seat] -= (every - reward[seat]) / (seats - 1)
    elif is_over:
        stake = rules.outright if is_game and rules.kind == CONCESSIONS else 1
        for seat in range(seats):
            place = (seat - eldest) % seats
            is_liable = not is_game or hand[PUTTER] < 0 or place == hand[PUTTER] or hand[SEES + place] != 0
            if seat != won and is_liable:
                reward[seat] -= stake
                reward[won] += stake
    tables.dealers[at] = eldest
    if is_over and rules.rubber > 0:
        scores[:] = 0
        tables.games[at, won] += 1
        is_over = tables.games[at, won] >= rules.rubber
    if is_over:
        begin(tables, rules, at)
    else:
        deal(tables, rules, at)
    return is_over or rules.is_hand != 0


@compiled_in
def _take(tables: Any, rules: Any, at: int, code: int) -> bool:
    """Play a legal action of the mover. Returns whether it ends the hand."""
    hand, seats = tables.hands[at], rules.seats
    number = seats + 1 - hand[LEFT]
    if code < rules.ranks:
        mover, strength = hand[MOVER], BEST - code
        action = 0
        for above in range(BEST, strength, -1):
            action += hand[HELD + RANKS * mover + above] > 0
        tables.past[at, number, mover] = strength
    elif code == rules.put:
        action = PUT
    elif code == rules.see:
        action = SEE
    elif code == rules.throw:
        action = THROW
    else:
        action = PASS
    left = hand[LEFT]
    _step(hand, action)
    if hand[LEFT] < left:
        best, taker = -1, NONE
        for seat in range(seats):
            strength = tables.past[at, number, seat]
            if hand[IN + seat] and strength >= 0:
                if strength > best:
                    best, taker = strength, seat
                elif strength == best:
                    taker = NONE
        tables.takers[at, number] = taker
    return bool(hand[PHASE] == OVER)


@compiled_in
def observe(tables: Any, rules: Any, places: Any, at: int, numbers: Any, mask: Any) -> None:
    """Write the mover's observation of a table, and its mask."""
    hand, seats, ranks = tables.hands[at], rules.seats, rules.ranks
    mover, phase = hand[MOVER], hand[PHASE]
    numbers[:] = 0
    mask[:] = 0
    for rank in range(ranks):
        held = hand[HELD + RANKS * mover + BEST - rank]
        if held > 0:
            numbers[places.hand + rank] = held
            if phase == PLAY:
                mask[rank] = 1
    if _may_put(hand):
        mask[rules.put] = 1
    if _may_throw(hand):
        mask[rules.throw] = 1
    if phase == ANSWER:
        mask[rules.see] = 1
        moment = places.answer
    elif phase == OPENING:
        mask[rules.say_nothing] = 1
        moment = places.opening
    elif phase == LAST_SAY:
        moment = places.last_say
    else:
        moment = places.reply if _is_led(hand) else places.lead
    numbers[places.moment + moment] = 1
    numbers[places.to_move] = 1
    numbers[places.eldest + (0 - mover) % seats] = 1
    numbers[places.dealer + (seats - 1 - mover) % seats] = 1
    leads = False
    for place in range(seats):
        seat = (mover + place) % seats
        numbers[places.score + place] = rules.target - hand[NEEDS + seat]
        numbers[places.playing + place] = hand[IN + seat]
        numbers[places.tricks + place] = hand[TRICKS + seat]
        count = 0
        for strength in range(RANKS - ranks, RANKS):
            count += hand[HELD + RANKS * seat + strength]
        numbers[places.held + place] = count
        card = hand[TABLE + seat]
        if card >= 0:
            leads = True
            numbers[places.table + ranks * place + BEST - card] = 1
        if hand[PUTTER] >= 0 and hand[SEES + seat]:
            numbers[places.saw + place] = 1
        if places.rubber >= 0:
            eldest = (tables.dealers[at] + 1) % seats
            numbers[places.rubber + place] = tables.games[at, (eldest + seat) % seats]
    if leads:
        numbers[places.leader + (hand[LEADER] - mover) % seats] = 1
    if hand[PUTTER] >= 0:
        numbers[places.putter + (hand[PUTTER] - mover) % seats] = 1
    if places.value >= 0:
        numbers[places.value] = hand[VALUE]
    for number in range(seats + 1 - hand[LEFT]):
        taker = tables.takers[at, number]
        if taker >= 0:
            numbers[places.taker + seats * number + (taker - mover) % seats] = 1
        for place in range(seats):
            card = tables.past[at, number, (mover + place) % seats]
            if card >= 0:
                numbers[places.past + ranks * (seats * number + place) + BEST - card] = 1


def _entry(source: int) -> Any:
    @compiled
    def step_all(tables: Any, rules: Any, places: Any, actions: Any, results: Any) -> int:
        results.rewards[:] = 0
        for at in range(len(results.movers)):
            results.ends[at] = False
            if len(actions) == 0:
                begin(tables, rules, at)
            elif _take(tables, rules, at, actions[at]):
                results.ends[at] = _end(tables, rules, at, results.rewards[at])
            results.movers[at] = (tables.dealers[at] + 1 + tables.hands[at, MOVER]) % rules.seats
            observe(tables, rules, places, at, results.observations[at], results.masks[at])
        return source

    return step_all


_step_all = _entry(source_of(_h.__file__))


class PutTables:
    """:raises ValueError: this kind of table has no compiled form."""

    def __init__(self, codec: PutCodec, tables: int, unit: Unit, rewards: Rewards) -> None:
        terms = codec.terms
        if terms.rules.is_partnership:
            raise ValueError("games in partnerships have no vectorised form")
        if terms.rules.misdeals:
            raise ValueError("misdeals have no vectorised form")
        count = terms.seats
        self._rules = _rules(codec, unit, rewards)
        self._places = _places(codec)
        self._tables = TableStates(
            hands=np.zeros((tables, SIZE), np.int8),
            past=np.zeros((tables, count + 1, count), np.int8),
            takers=np.zeros((tables, count + 1), np.int8),
            scores=np.zeros((tables, count), np.int8),
            games=np.zeros((tables, count), np.int8),
            dealers=np.zeros(tables, np.int8),
            pack=np.zeros(4 * self._rules.ranks, np.int8),
            chance=np.zeros(1, np.uint64),
        )

    def seed(self, number: np.uint64) -> None:
        self._tables.chance[0] = number
        self._tables.pack[:] = BEST - np.arange(self._rules.ranks).repeat(4)

    def play(self, actions: npt.NDArray[Any], results: Results) -> None:
        _step_all(self._tables, self._rules, self._places, actions, results)

    def arrays(self) -> tuple[npt.NDArray[Any], ...]:
        return self._tables


tables_of = PutTables


def _kind(rules: PutRules) -> int:
    """The name in `rank_hand` for the actions that these rules allow."""
    may = rules.play.may
    if rules.is_doubling:
        return int(_h.DOUBLING)
    if Moment.OPENING in may:
        return int(OPENING_ONLY)
    if Moment.LAST_SAY in may:
        return int(_h.STAGES)
    if rules.play.plain is Worth.GAME:
        return int(CONCESSIONS)
    assert may[Moment.REPLY] == (Offer.PLAY, Offer.PUT)
    return int(_h.ANY_TURN)


def _rules(codec: PutCodec, unit: Unit, rewards: Rewards) -> TableRules:
    rules = codec.terms.rules
    codes = {name: code for code, name in enumerate(codec.actions)}
    return TableRules(
        kind=_kind(rules),
        seats=codec.terms.seats,
        ranks=len(codec.terms.ranks),
        target=rules.target,
        ties_go=int(rules.tied_trick == "first_winner"),
        rubber=rules.rubber if rules.is_rubber else 0,
        outright=2 if rules.outright == "double" else 1,
        is_anew=int(rules.drawn_put == "anew"),
        is_hand=int(unit is Unit.HAND),
        is_points=int(rewards is Rewards.POINTS),
        put=codes.get("put", codes.get("double", -1)),
        see=codes["see"],
        throw=codes["throw"],
        say_nothing=codes.get("pass", -1),
    )


def _places(codec: PutCodec) -> Places:
    at = {block.name: block.at for block in codec.layout.blocks}
    at["held"] = at["count"]
    moments = next(block.labels for block in codec.layout.blocks if block.name == "moment")
    at |= {name: place for place, name in enumerate(moments)}
    return Places(*[at.get(name, -1) for name in Places._fields])
