"""A table as a row of whole numbers, for families that have no other compiled form.

A family names its fields, and says for each block of its codec from which field it is filled, and how; so the names,
places and sizes of an observation are the codec's alone. Around a hand all these families are alike: purses, episodes,
and hands that end before anybody has a choice.
"""

from collections.abc import Mapping
from itertools import accumulate
from typing import Any, NamedTuple

import numba
import numpy as np
import numpy.typing as npt

from put_env.families.codec import Layout
from put_env.kernels.loop import Results, draw

Numbers = npt.NDArray[np.int32]

NONE = -1
"""No seat, card or choice."""

NUMBER, CHOICE, SEATS, BITS, BY_SEAT, CHOICES, OWN, PLACES, PLAYED, NOTHING = range(10)
"""Ways in which a block is filled from a field: a number; one of a set; seats, or none, one after another; a bit for
each seat; numbers of each seat; one of a set, or none, for each seat; cards of the seat that observes; the same, by
their places; when each seat played each card; and not at all, because it is empty while a seat is to move.

Cards are a list for each seat, with none behind the last: most blocks of cards are empty but for a few."""


class Fill(NamedTuple):
    """The way a block is filled."""

    kind: int
    length: int = 0
    """Cards that the list of a seat has."""
    field: str = ""
    """Empty: its name is the block's."""


def offsets(sizes: Mapping[str, int]) -> tuple[list[int], int]:
    """Place of each field in a row, and the size of the row."""
    ends = [*accumulate(sizes.values())]
    return [0, *ends[:-1]], ends[-1]


def program(layout: Layout, fields: Mapping[str, int], fills: Mapping[str, Fill]) -> Numbers:
    """A line for each block: its kind, place, field, numbers and length. `fields`: the place of each."""
    lines = []
    for block in layout.blocks:
        fill = fills[block.name]
        if fill.kind != NOTHING:
            lines.append((fill.kind, block.at, fields[fill.field or block.name], len(block.labels), fill.length))
    return np.array(lines, np.int32)


@numba.njit(error_model="numpy")
def observe(row: Any, lines: Any, seats: int, mover: int, numbers: Any) -> None:
    """Write what a seat sees."""
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
                elif kind == CHOICES:
                    if row[field + seat] >= 0:
                        numbers[at + row[field + seat]] = 1
                else:  # PLAYED
                    for number in range(length):
                        card = row[field + length * seat + number]
                        if card >= 0:
                            numbers[at + card] = number + 1
                at += width


def stepper(deal: Any, take: Any) -> tuple[Any, Any]:
    """Compiled functions that begin the next episode of a table, and that take one step of it.

    `deal` deals a hand; where no seat has a choice in it, that is over, and `to_move` is none. `take` does what the
    seat to move chose; behind the last choice of a hand `to_move` is none. `over` says that the game is.
    """

    @numba.njit(error_model="numpy")
    def deal_on(row: Any, chance: Any, rules: Any, at: Any) -> bool:
        """Deal until a seat is to move. False: the episode is over before."""
        while True:
            deal(row, chance, rules, at)
            if row[at.to_move] >= 0:
                return True
            if row[at.over] or rules.is_hand:
                return False

    @numba.njit(error_model="numpy")
    def begin(row: Any, chance: Any, rules: Any, at: Any) -> None:
        """The next episode in which a seat has a choice; those without one bring no rewards."""
        is_begun = False
        while not is_begun:
            if row[at.over]:
                row[at.over] = row[at.number] = 0
                row[at.gain : at.gain + rules.seats] = 0
                row[at.dealer] = draw(chance, rules.seats)
            for seat in range(rules.seats):
                row[at.taken + seat] = row[at.gain + seat]
            is_begun = deal_on(row, chance, rules, at)

    @numba.njit(error_model="numpy")
    def step(row: Any, chance: Any, rules: Any, at: Any, code: int, reward: Any) -> bool:
        """One choice, with what everybody gained by it. Returns whether it ended the episode; the next has begun."""
        take(row, chance, rules, at, code)
        goes_on = row[at.to_move] >= 0
        if not goes_on and not row[at.over] and not rules.is_hand:
            goes_on = deal_on(row, chance, rules, at)
        for seat in range(rules.seats):
            reward[seat] = row[at.gain + seat] - row[at.taken + seat]
            row[at.taken + seat] = row[at.gain + seat]
        if not goes_on:
            begin(row, chance, rules, at)
        return not goes_on

    return begin, step


class RowTables:
    """All tables of a vector, a row each."""

    def __init__(self, step_all: Any, rules: Any, at: Any, *, lines: Numbers, rows: Numbers, cards: int) -> None:
        """`at`: the place of each field; `lines`: what is observed; `cards`: those of the pack."""
        self._step_all, self._rules, self._at, self._lines, self._rows = step_all, rules, at, lines, rows
        self._cards = cards
        self._chance = np.zeros(1, np.uint64)

    def seed(self, number: np.uint64) -> None:
        self._chance[0] = number
        self._rows[:, self._at.pack : self._at.pack + self._cards] = np.arange(self._cards)

    def play(self, actions: npt.NDArray[Any], results: Results) -> None:
        if not len(actions):
            self._rows[:, self._at.over] = 1
        self._step_all(self._rows, self._chance, self._rules, self._at, self._lines, actions, results)

    def arrays(self) -> tuple[npt.NDArray[Any], ...]:
        return self._rows, self._chance
