"""Between probabilities and the entries of a table: rounded, and nothing kept that no play of the table's leads to.

How finely a chance must be known depends on how often its hand comes to where it is asked: what is rounded away where
the table's own play leads seldom can cost no more than seldom.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from put_server.house.solver.compiling import compiled, inlined
from put_server.house.solver.flat import Doubles, Flat
from put_server.house.solver.kernels import weigh_after, weigh_past
from put_server.house.solver.table import WHOLE

Parts = npt.NDArray[np.uint16]

# Numbers of this file: what is compiled is kept until the file changes, whatever becomes of others.
_WHOLE: Final = 255 << 8
assert _WHOLE == WHOLE
_DECISION, _LAST = 0, 3  # `flat.Kind`, as the compiler wants it
_MOST_ACTIONS = 6


@inlined
def _step(heavy: float) -> int:
    """The parts in which a chance is told, by what its hand weighs where it is asked: twelve bits for hands that come
    there as they are dealt, down to four for those that come once in a hundred times."""
    return 16 if heavy > 0.5 else 256 if heavy > 0.1 else 1024 if heavy > 0.01 else 4096


@inlined
def _place(action: int, at: int, step: int, slots: int, plays: int) -> int:
    """Where an action of a hand stands: hands with equal cards have fewer plays than there are slots."""
    return at + (action if action < plays else action - plays + slots) * step


@compiled
def _round(
    strategy: Doubles, entries: Parts, at: int, step: int, slots: int, plays: int, says: int, heavy: float
) -> None:
    """One hand's chances: the nearest in so many parts, the greatest taking what is left over."""
    actions = plays + says
    parts = _step(heavy)
    greatest, left = 0, _WHOLE
    for action in range(actions):
        place = _place(action, at, step, slots, plays)
        if strategy[place] > strategy[_place(greatest, at, step, slots, plays)]:
            greatest = action
    for action in range(actions):
        if action != greatest:
            place = _place(action, at, step, slots, plays)
            given = min(parts * int(strategy[place] * _WHOLE / parts + 0.5), left)
            left -= given
            entries[place] = given
            strategy[place] = given / _WHOLE
    place = _place(greatest, at, step, slots, plays)
    entries[place] = left
    strategy[place] = left / _WHOLE
    entries[_place(actions - 1, at, step, slots, plays)] = 0


@compiled
def rounded(flat: Flat, strategy: Doubles, entries: Parts, reach: Doubles, mass: Doubles) -> None:
    """Entries, which are all 0, from probabilities; these become what the entries say, where there are any. `reach` and
    `mass` are as a pass leaves them, and follow what is rounded."""
    for node in range(flat.kind.shape[0]):
        if flat.kind[node] == _LAST:
            _round_last(flat, node, strategy, entries, reach, mass)
        if flat.kind[node] != _DECISION:
            continue
        actor, at = flat.actor[node], flat.at[node]
        size = flat.size[node, actor]
        hands, first, slots = flat.counts[size], flat.first[size], flat.slots[node]
        says = 0
        while says < 3 and flat.says[node, says] >= 0:
            says += 1
        for hand in range(hands):
            heavy = reach[flat.reach[node, actor] + hand] if mass[node, actor] > 0 else 0.0
            plays = 0
            for slot in range(3):
                rank = flat.rank[first + hand, slot]
                plays += slot < slots and rank >= 0
                if rank >= 0 and flat.times[first + hand, slot] > flat.left[node, rank]:
                    heavy = 0.0  # it cannot be
            if heavy > 0:
                _round(strategy, entries, at + hand, hands, slots, plays, says, heavy)
        weigh_after(flat, node, reach, mass, strategy)
        weigh_past(flat, node, mass)


@compiled
def _round_last(flat: Flat, node: int, strategy: Doubles, entries: Parts, reach: Doubles, mass: Doubles) -> None:
    """Each card led is a decision of its own."""
    leader, ranks = flat.actor[node], flat.left.shape[1]
    led, held = flat.reach[node, leader], flat.reach[node, 1 - leader]
    for rank in range(ranks):
        place = flat.at[node] + 8 * rank
        if flat.left[node, rank] == 0:
            continue
        if mass[node, leader] > 0 and reach[led + rank] > 0:
            _round(strategy, entries, place + 6, 1, 0, 0, 2, reach[led + rank])
        if mass[node, 1 - leader] == 0:
            continue
        for case in range(3):
            heavy = 0.0
            for card in range(ranks):
                if 1 + (card > rank) - (card < rank) == case and flat.left[node, card] > (1 if card == rank else 0):
                    heavy += reach[held + card]
            if heavy > 0:
                # Twice as coarse: it is some hands together.
                _round(strategy, entries, place + case, 3, 0, 0, 2, heavy / 2)


@inlined
def _unround(strategy: Doubles, entries: Parts, at: int, step: int, slots: int, plays: int, says: int) -> None:
    final = plays + says - 1
    left = _WHOLE
    for action in range(final):
        place = _place(action, at, step, slots, plays)
        left -= entries[place]
        strategy[place] = entries[place] / _WHOLE
    strategy[_place(final, at, step, slots, plays)] = left / _WHOLE


@compiled
def unrounded(flat: Flat, entries: Parts, strategy: Doubles) -> None:
    """Probabilities from entries."""
    for node in range(flat.kind.shape[0]):
        at = flat.at[node]
        if flat.kind[node] == _LAST:
            for rank in range(flat.left.shape[1]):
                for case in range(3):
                    _unround(strategy, entries, at + 8 * rank + case, 3, 0, 0, 2)
                _unround(strategy, entries, at + 8 * rank + 6, 1, 0, 0, 2)
        if flat.kind[node] != _DECISION:
            continue
        size = flat.size[node, flat.actor[node]]
        hands, first, slots = flat.counts[size], flat.first[size], flat.slots[node]
        says = 0
        while says < 3 and flat.says[node, says] >= 0:
            says += 1
        for hand in range(hands):
            plays = 0
            for slot in range(slots):
                plays += flat.rank[first + hand, slot] >= 0
            _unround(strategy, entries, at + hand, hands, slots, plays, says)
