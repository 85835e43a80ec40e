"""Many hands of the Put family at once, compiled: the deal, a step of each, what comes of it, and what is observed.

The play of a hand is `put_server.house.put.rank_hand`, each of its functions compiled: suits do not matter, a card is
its strength, and seats count from eldest. What is added here is all around a hand (deals, scores, stakes, rubbers), and
the cards of past tricks, which that form does not keep. tests/env/test_vector.py plays the machines beside it: same
cards, same choices, same masks, observations and rewards.
"""

import importlib.util
import zlib
from collections import namedtuple
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

import numba
import numpy as np
import numpy.typing as npt

Bytes = npt.NDArray[np.int8]
Floats = npt.NDArray[np.float32]

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
            setattr(module, name, numba.njit(error_model="numpy")(function))
    return module


rank_hand: Any = _compiled()
"""The module of hands by ranks, each of its functions compiled."""

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
    """Stakes that a game won outright earns."""
    is_anew: int
    """A drawn hand after an accepted put sets the scores back."""
    is_hand: int
    is_points: int
    put: int
    """Codes of what may be said; -1: never."""
    see: int
    throw: int
    say_nothing: int


Places = namedtuple(
    "Places",
    "hand moment to_move score dealer eldest playing held tricks leader table taker past putter saw value rubber "
    "lead reply answer opening last_say",
)
"""Places at which the blocks of an observation begin, and, in the second line, of the moments in their block; -1: there
is none. `held` is the block that is named `count`, which tuples have a method of."""


class TableStates(NamedTuple):
    """The state of all tables, a row each."""

    hands: Bytes
    past: Bytes
    """Strength of the card, by trick and seat from eldest; -1: none."""
    takers: Bytes
    """Seat from eldest that took the trick; -1: tied; -2: not yet."""
    scores: Bytes
    games: Bytes
    """Games won in the rubber."""
    dealers: Bytes
    dealt: Bytes
    """The strengths of the cards of the last deal, by seat from eldest."""
    pack: Bytes
    """A pack that every deal goes on shuffling."""
    chance: npt.NDArray[np.uint64]


class Results(NamedTuple):
    """Results of a step, a row each table."""

    observations: Floats
    masks: Bytes
    movers: Bytes
    rewards: Floats
    ends: npt.NDArray[np.bool_]


@numba.njit(error_model="numpy")
def _draw(chance: Any, below: int) -> int:
    """A number from 0 to below `below`, by splitmix64; the bias is below one in ten million."""
    chance[0] += np.uint64(0x9E3779B97F4A7C15)
    mixed = chance[0]
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    return int((mixed >> np.uint64(32)) * np.uint64(below) >> np.uint64(32))


@numba.njit(error_model="numpy")
def deal(tables: Any, rules: Any, at: int) -> None:
    """The next hand at a table."""
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
    for place in range(seats * tricks):
        other = place + _draw(tables.chance, len(pack) - place)
        pack[place], pack[other] = pack[other], pack[place]
        strength = pack[place]
        hand[HELD + RANKS * (place // tricks) + strength] += 1
        tables.dealt[at, place] = strength
    tables.past[at] = NONE
    tables.takers[at] = NOT_YET


@numba.njit(error_model="numpy")
def begin(tables: Any, rules: Any, at: int) -> None:
    """A new game at a table."""
    tables.scores[at] = 0
    tables.games[at] = 0
    tables.dealers[at] = _draw(tables.chance, rules.seats)
    deal(tables, rules, at)


@numba.njit(error_model="numpy")
def _end(tables: Any, rules: Any, at: int, reward: Any) -> bool:
    """The hand is over: score it, pay, and deal the next. Returns whether the episode is over.

    Who pays: everyone but the winner; after an accepted put only those who played on.
    """
    hand, seats, scores = tables.hands[at], rules.seats, tables.scores[at]
    eldest = (tables.dealers[at] + 1) % seats
    winner, is_game = hand[WINNER], hand[IS_GAME] != 0
    is_over = False
    before = scores.copy()
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
            every += scores[seat] - before[seat]
        for seat in range(seats):
            own = scores[seat] - before[seat]
            reward[seat] = own - (every - own) / (seats - 1)
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


@numba.njit(error_model="numpy")
def _take(tables: Any, rules: Any, at: int, code: int) -> bool:
    """The mover takes a legal action. Returns whether that ends the hand."""
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


@numba.njit(error_model="numpy")
def observe(tables: Any, rules: Any, places: Any, at: int, numbers: Any, mask: Any) -> None:
    """Write what the mover of a table sees, and its mask."""
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


@numba.njit(cache=True, nogil=True, error_model="numpy")
def first_illegal(masks: Any, actions: Any) -> int:
    """The first table whose mask rules its action out; -1: there is none."""
    for at in range(len(actions)):
        if actions[at] < 0 or actions[at] >= masks.shape[1] or masks[at, actions[at]] == 0:
            return at
    return -1


@numba.njit(cache=True, nogil=True, error_model="numpy")
def sample_all(masks: Any, chance: Any, actions: Any) -> None:
    """A legal action of each, all equally likely."""
    for at in range(len(masks)):
        legal = 0
        for code in range(masks.shape[1]):
            legal += masks[at, code]
        wanted = _draw(chance, legal)
        for code in range(masks.shape[1]):
            if masks[at, code]:
                if wanted == 0:
                    actions[at] = code
                    break
                wanted -= 1


def _entry(source: int) -> Any:
    """The one function that the shell calls to play. `source`: what the hand's code is, so that compiled code which is
    kept on disk is not used for another; numba asks for what a function closes over, and not for what it calls."""

    @numba.njit(cache=True, nogil=True, error_model="numpy")
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


step_all = _entry(zlib.crc32(Path(_h.__file__).read_bytes()))
"""One legal action at every table; with no actions at all a new game at every table. Where an action ends an episode,
the next has begun."""
