"""Decisions of a tree as rows, and their chances: made to sum to 1, and rounded to the entries of a table.

A row is one decision of one hand; after the last lead, of all hands with one result. It has the entries of its actions,
so whatever concerns each decision alone is an expression over arrays.

The precision of a chance depends on how often its hand reaches the decision: rounding seldom costs anything at a
decision that the table's own play seldom reaches. A decision that it never reaches has entries of 0.
"""

from collections.abc import Iterator
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from put_server.house.put.solved.solution_table import WHOLE, BadTable
from put_solver.flat import Doubles, Entries, Flat, Ints, Longs, NodeKind

Parts = npt.NDArray[np.uint16]

T = TypeVar("T", bound=np.generic)

# Finest where there are few decisions for much: eleven bits while both have two cards and more, nine where the last
# card is answered, eight everywhere else.
_FIRST_STEP, _LAST_STEP, _STEP = 32, 128, 256
_MOST_ACTIONS = 5
"""Three cards, and two words."""


class Decisions:
    def __init__(self, flat: Flat) -> None:
        self._flat = flat
        self._answered = np.flatnonzero(flat.kind == NodeKind.LAST)
        rows = [*self._of_hands(), *self._after_last_lead()]
        self._places: Longs = np.concatenate([places for places, _, _ in rows], axis=1)
        """The entry of each action (actions by rows); -1: there is no such action."""
        self._reach: Longs = np.concatenate([reach for _, reach, _ in rows])
        """Place of the weight of the row's hand; -1: the hand is impossible, or the row has several."""
        self._finest: Ints = np.repeat([finest for _, _, finest in rows], [len(reach) for _, reach, _ in rows])
        """Parts in which chances are stored, if the hand always comes to the decision."""
        self._rows = np.arange(len(self._reach))
        self._last: Longs = len(self._places) - 1 - (self._places[::-1] >= 0).argmax(axis=0)

    def _of_hands(self) -> Iterator[tuple[Longs, Longs, int]]:
        """Rows of decisions of every hand."""
        flat = self._flat
        nodes = np.flatnonzero(flat.kind == NodeKind.DECISION)
        sizes, words = flat.size[nodes], (flat.says[nodes] >= 0).sum(axis=1)
        own = flat.size[nodes, flat.actor[nodes]]
        shapes = np.stack([own, flat.slots[nodes], words, sizes.min(axis=1) >= 2], axis=1)
        for shape in np.unique(shapes, axis=0):
            group, (size, slots, says, is_fine) = nodes[(shapes == shape).all(axis=1)], shape.tolist()
            first, hands = flat.first[size], np.arange(flat.counts[size])
            held = flat.rank[first + hands]
            actions = np.full((_MOST_ACTIONS, len(hands)), -1)
            for action in range(slots + says):
                actions[action] = action * len(hands) + hands
            actions[:slots][held.T[:slots] < 0] = -1
            places = np.where(actions[:, None] < 0, -1, flat.at[group, None] + actions[:, None])
            is_possible = (flat.left[group][:, flat.cards[first + hands]] > flat.before[first + hands])[
                :, :, :size
            ].all(axis=2)
            reach = np.where(is_possible, flat.reach[group, flat.actor[group]][:, None] + hands, -1)
            yield places.reshape(len(actions), -1), reach.ravel(), _FIRST_STEP if is_fine else _STEP

    def _after_last_lead(self) -> Iterator[tuple[Longs, Longs, int]]:
        """Rows of the leader's answers by rank led, and then of the follower's decisions by rank led and result."""
        flat, nodes, ranks = self._flat, self._answered, np.arange(self._flat.left.shape[1])
        led = np.where(flat.left[nodes] > 0, flat.reach[nodes, flat.actor[nodes]][:, None] + ranks, -1).ravel()
        at = (flat.at[nodes, None] + 8 * ranks).ravel()
        held = (at[:, None] + np.arange(3)).ravel()
        for places, reach in (((at + 6, at + 7), led), ((held, held + 3), np.full(len(held), -1))):
            none = [np.full(len(reach), -1)] * (_MOST_ACTIONS - len(places))
            yield np.array([*places, *none]), reach, _LAST_STEP

    def normalized(self, entries: Entries) -> Doubles:
        """Probabilities in proportion to averages, or any non-negative numbers; if all of a row are 0, its actions get
        an equal share."""
        chances = self._taken(entries)
        total = chances.sum(axis=0)
        shares = np.where(total > 0, chances / np.where(total > 0, total, 1), 1 / (self._places >= 0).sum(axis=0))
        return self._placed(shares, np.zeros(len(entries)))

    def rounded(self, strategy: Doubles, reach: Doubles) -> Parts:
        """The entries for these probabilities, of which the largest takes the remainder. `reach`: as after a pass."""
        weights = np.where(self._reach < 0, 0, reach[self._reach])
        answers = self._answered_weights(reach)
        weights[len(weights) - len(answers) :] = answers
        parts = np.select([weights > 0.5, weights > 0.1, weights > 0.01], [self._finest, 512, 2048], 8192)
        chances = self._taken(strategy)
        given = parts * (chances * WHOLE / parts + 0.5).astype(np.int32)
        greatest = chances.argmax(axis=0)
        given[greatest, self._rows] = 0
        given = np.diff(np.minimum(given.cumsum(axis=0), WHOLE), axis=0, prepend=0)
        given[greatest, self._rows] = WHOLE - given.sum(axis=0)
        given[self._last, self._rows] = 0
        return self._placed(np.where(weights > 0, given, 0), np.zeros(len(strategy), dtype=np.uint16))

    def _answered_weights(self, reach: Doubles) -> Doubles:
        """Weights of the rows of several hands: half of the hands' sum, so that they are coarser."""
        flat, nodes = self._flat, self._answered
        left, ranks = flat.left[nodes], np.arange(flat.left.shape[1])
        held = reach[flat.reach[nodes, 1 - flat.actor[nodes]][:, None] + ranks]
        own = np.where(left > 0, held, 0)
        lower = own.cumsum(axis=1)
        cases = [lower - own, np.where(left > 1, held, 0), lower[:, -1:] - lower]
        return np.where(left > 0, cases, 0).transpose(1, 2, 0).ravel() / 2

    def unrounded(self, entries: Parts) -> Doubles:
        """The probabilities of these entries: the last action of a row gets the remainder.

        :raises BadTable: there is no remainder.
        """
        given = self._taken(entries).astype(np.int32)
        given[self._last, self._rows] = 0
        if (given.sum(axis=0) > WHOLE).any():
            raise BadTable("at a decision its chances are more than 1")
        given[self._last, self._rows] = WHOLE - given.sum(axis=0)
        return self._placed(given / WHOLE, np.zeros(len(entries)))

    def _taken(self, entries: npt.NDArray[T]) -> npt.NDArray[T]:
        return np.where(self._places < 0, 0, entries[self._places])

    def _placed(self, rows: npt.NDArray[Any], entries: npt.NDArray[T]) -> npt.NDArray[T]:
        is_there = self._places >= 0
        entries[self._places[is_there]] = rows[is_there]
        return entries
