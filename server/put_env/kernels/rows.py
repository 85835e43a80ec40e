"""Parts of every compiled family: random numbers, legal actions drawn from masks, and a table as a row of integers.

A family names its fields and their kinds. A block of its codec is filled from the field with the same name. So only the
codec determines names, places and sizes of an observation. The families share all that is outside a hand: purses,
episodes, and hands that end without a choice.
"""

import importlib.util
import zlib
from collections.abc import Callable, Mapping
from itertools import accumulate
from pathlib import Path
from types import FunctionType, MappingProxyType
from typing import Any, NamedTuple, TypeVar, cast

import numba
import numpy as np
import numpy.typing as npt

from put_env.families.codec import Layout


class Results(NamedTuple):
    """Results of a step, one row for each table."""

    observations: npt.NDArray[np.float32]
    masks: npt.NDArray[np.int8]
    movers: npt.NDArray[np.int8]
    rewards: npt.NDArray[np.float32]
    ends: npt.NDArray[np.bool_]


def source_of(*files: str) -> int:
    """A hash of the code that a compiled function calls. Numba caches compiled code on disk. To check an entry it
    compares what the function closes over, but not the functions that it calls. A compiled function in the closure has
    another name at each start, so it would be compiled again. So each family has its own cache entry."""
    return zlib.crc32(b"".join([Path(file).read_bytes() for file in (__file__, *files)]))


F = TypeVar("F", bound=Callable[..., object])


def compiled(function: F) -> F:
    """The function, compiled at its first call and cached beside its module for the next run."""
    options = {"cache": True, "nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
    return cast(F, numba.njit(**options)(function))


def compiled_in(function: F) -> F:
    """The function, compiled into compiled functions. Python cannot call it: compiling a form for Python would take as
    long again. It does not count references to arrays, because it creates and stores none. It must not compute with
    slices, because they take numba long to compile."""
    # `_nrt` is numba's own and documented nowhere. Without it steps take a fifth longer.
    options = {"error_model": "numpy", "no_cpython_wrapper": True, "no_cfunc_wrapper": True, "_nrt": False}
    return cast(F, numba.njit(**options)(function))


def compiled_module(path: str) -> Any:
    """Another copy of a module, with each function compiled."""
    spec = importlib.util.find_spec(path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name, function in list(vars(module).items()):
        if isinstance(function, FunctionType):
            setattr(module, name, compiled_in(function))
    return module


@compiled_in
def draw(chance: Any, below: int) -> int:
    """A number from 0 up to, not including, `below`, by splitmix64. The bias is less than one in ten million."""
    chance[0] += np.uint64(0x9E3779B97F4A7C15)
    mixed = chance[0]
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    return int((mixed >> np.uint64(32)) * np.uint64(below) >> np.uint64(32))


@compiled_in
def shuffle(cards: Any, first: int, chance: Any) -> None:
    """Shuffle only the first cards of an array: each is drawn from all the remaining ones."""
    for place in range(first):
        other = place + draw(chance, len(cards) - place)
        cards[place], cards[other] = cards[other], cards[place]


@compiled
def first_illegal(masks: Any, actions: Any) -> int:
    """The first table whose mask forbids its action; -1: none."""
    for at in range(len(actions)):
        if actions[at] < 0 or actions[at] >= masks.shape[1] or masks[at, actions[at]] == 0:
            return at
    return -1


@compiled
def sample_all(masks: Any, chance: Any, actions: Any) -> None:
    """A random legal action of each table, all equally likely."""
    for at in range(len(masks)):
        legal = 0
        for code in range(masks.shape[1]):
            legal += masks[at, code]
        wanted = draw(chance, legal)
        for code in range(masks.shape[1]):
            if masks[at, code]:
                if wanted == 0:
                    actions[at] = code
                    break
                wanted -= 1


Numbers = npt.NDArray[np.int32]

NONE = -1
NUMBER, CHOICE, SEATS, BITS, BY_SEAT, CHOICES, OWN_NUMBERS, OWN, PLACES, PLAYED = range(10)
"""Kinds of fields, as they fill a block of the codec: a number; a value of a set; seats, or none, one after another; a
bit for each seat; numbers of each seat; values of a set, or none, for each seat, all first values first; numbers of the
observing seat; its cards; its cards by their places; and the time at which each seat played each card.

Cards are a list for each seat, which ends with none, because most blocks of cards are nearly empty."""

_OF_EACH_SEAT = (BY_SEAT, CHOICES, OWN_NUMBERS, OWN, PLACES, PLAYED)


class Field(NamedTuple):
    kind: int
    length: int
    """Number of its values, or of its values for each seat."""


def fields(*groups: tuple[int, int, str]) -> dict[str, Field]:
    """Fields by name. A name is that of a block of the codec, or the family's own. A group has a kind, a length, and
    names."""
    return {name: Field(kind, length) for kind, length, names in groups for name in names.split()}


@compiled_in
def observe(row: Any, lines: Any, seats: int, mover: int, numbers: Any) -> None:
    numbers[:] = 0
    for line in range(len(lines)):
        kind, at, field = lines[line, 0], lines[line, 1], lines[line, 2]
        size, length = lines[line, 3], lines[line, 4]
        if kind == NUMBER:
            numbers[at] = row[field]
        elif kind == CHOICE:
            numbers[at + row[field]] = 1
        elif kind == SEATS:
            for place in range(size // seats):
                seat = row[field + place]
                if seat >= 0:
                    numbers[at + seats * place + (seat - mover + seats) % seats] = 1
        elif kind == BITS:
            for place in range(seats):
                numbers[at + place] = row[field] >> ((mover + place) % seats) & 1
        elif kind == CHOICES:
            for place in range(seats * length):
                value = row[field + place // seats * seats + (mover + place) % seats]
                if value >= 0:
                    numbers[at + size // (seats * length) * place + value] = 1
        elif kind == OWN_NUMBERS:
            for place in range(size):
                numbers[at + place] = row[field + length * mover + place]
        elif kind == OWN:
            for place in range(length):
                card = row[field + length * mover + place]
                if card >= 0:
                    numbers[at + card] = 1
        elif kind == PLACES:
            for place in range(length):
                card = row[field + length * mover + place]
                if card >= 0:
                    numbers[at + size // length * place + card] = 1
        else:
            width = size // seats
            for place in range(seats):
                seat = (mover + place) % seats
                if kind == BY_SEAT:
                    for number in range(width):
                        numbers[at + number] = row[field + width * seat + number]
                else:  # PLAYED
                    for number in range(length):
                        card = row[field + length * seat + number]
                        if card >= 0:
                            numbers[at + card] = number + 1
                at += width


def stepper(deal: Any, take: Any, legal: Any) -> Any:
    """A compiled function that plays one step at a table, or without actions begins its next episode, and fills the
    results.

    `deal` deals a hand. If no seat has a choice in it, the hand is over, and `to_move` is none. `take` plays the choice
    of the seat to move. After the last choice of a hand `to_move` is none. `over`: the game is over.
    `legal` fills a mask.
    """

    @compiled_in
    def deal_on(row: Any, chance: Any, rules: Any, at: Any) -> bool:
        """Deal until a seat is to move. False: the episode ends first."""
        while True:
            deal(row, chance, rules, at)
            if row[at.to_move] >= 0:
                return True
            if row[at.over] or rules.is_hand:
                return False

    @compiled_in
    def begin(row: Any, chance: Any, rules: Any, at: Any) -> None:
        """Begin the next episode in which a seat has a choice. Episodes without a choice bring no rewards."""
        is_begun = False
        while not is_begun:
            if row[at.over]:
                row[at.over] = row[at.number] = 0
                row[at.gain : at.gain + rules.seats] = 0
                row[at.dealer] = draw(chance, rules.seats)
            for seat in range(rules.seats):
                row[at.taken + seat] = row[at.gain + seat]
            is_begun = deal_on(row, chance, rules, at)

    @compiled_in
    def step(row: Any, chance: Any, rules: Any, at: Any, code: int, reward: Any) -> bool:
        """Play one choice, with everybody's gains. Returns whether it ended the episode; then the next has begun."""
        take(row, chance, rules, at, code)
        goes_on = row[at.to_move] >= 0
        if not goes_on and not row[at.over] and not rules.is_hand:
            goes_on = deal_on(row, chance, rules, at)
        for seat in range(rules.seats):
            reward[seat] = (row[at.gain + seat] - row[at.taken + seat]) / rules.parts
            row[at.taken + seat] = row[at.gain + seat]
        if not goes_on:
            begin(row, chance, rules, at)
        return not goes_on

    @compiled_in
    def advance(row: Any, table: int, chance: Any, rules: Any, at: Any, lines: Any, actions: Any, results: Any) -> None:
        if len(actions) == 0:
            results.ends[table] = False
            results.rewards[table] = 0
            begin(row, chance, rules, at)
        else:
            results.ends[table] = step(row, chance, rules, at, actions[table], results.rewards[table])
        mover = results.movers[table] = row[at.to_move]
        observe(row, lines, rules.seats, mover, results.observations[table])
        legal(row, rules, at, results.masks[table])

    return advance


class RowTables:
    def __init__(
        self,
        step_all: Any,
        rules: Any,
        at: Any,
        fields: Mapping[str, Field],
        *,
        layout: Layout,
        tables: int,
        also: Mapping[str, tuple[int, str]] = MappingProxyType({}),
    ) -> None:
        """`at`: a tuple with a name for each field; `also`: blocks that are filled from the field of another block,
        with the kind to use. A block without a field is empty while a seat is to move."""
        seats = rules.seats
        sizes = [field.length * (seats if field.kind in _OF_EACH_SEAT else 1) for field in fields.values()]
        *places, size = accumulate(sizes, initial=0)
        self._step_all, self._rules, self._at = step_all, rules, at(*places)
        taken = {name: (field.kind, name) for name, field in fields.items()} | dict(also)
        lines = []
        for block in layout.blocks:
            if block.name in taken:
                kind, name = taken[block.name]
                place, length = getattr(self._at, name), fields[name].length
                lines.append((kind, block.at, place, len(block.labels), length))
        self._lines = np.array(lines, np.int32)
        """Kind, place, field, numbers and length of the field, of each block that is observed."""
        self._cards = fields["pack"].length
        self._rows = np.zeros((tables, size), np.int32)
        self._chance = np.zeros(1, np.uint64)

    def seed(self, number: np.uint64) -> None:
        """Deal with this seed from now on."""
        self._chance[0] = number
        self._rows[:, self._at.pack : self._at.pack + self._cards] = np.arange(self._cards)

    def play(self, actions: npt.NDArray[Any], results: Results) -> None:
        """Play one legal action at every table. With an empty array, begin a new game at every table. If an action ends
        an episode, the next one begins at once."""
        if not len(actions):
            self._rows[:, self._at.over] = 1
        self._step_all(self._rows, self._chance, self._rules, self._at, self._lines, actions, results)

    def arrays(self) -> tuple[npt.NDArray[Any], ...]:
        """All arrays that a step changes."""
        return self._rows, self._chance
