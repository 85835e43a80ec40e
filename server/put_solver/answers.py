"""The places the best answer to a strategy leads to."""

import numpy as np
import numpy.typing as npt

from put_solver.compiling import compiled, inlined
from put_solver.flat import Doubles, Flat

Flags = npt.NDArray[np.bool_]

_DECISION = 0  # `flat.Kind`, as the compiler wants it


@compiled
def visited(flat: Flat, side: int, mass: Doubles, out: Doubles, holds: Flags, met: Flags) -> None:
    """Mark in `met` (one a node) where a side comes that plays its best, with any hand, against a strategy that comes
    there too. `mass` and `out` are as a pass for the side's best leaves them; `holds` (nodes by hands) is room."""
    for hand in range(flat.counts[3]):
        holds[0, hand] = True
    for node in range(1, flat.kind.shape[0]):
        for hand in range(flat.counts[3]):
            holds[node, hand] = False
    for node in range(flat.kind.shape[0]):
        hands = flat.counts[flat.size[node, side]]
        is_met = False
        for hand in range(hands):
            is_met |= holds[node, hand]
        if mass[node, 1 - side] == 0 or not is_met:
            continue
        met[node] = True
        if flat.kind[node] != _DECISION:
            continue
        if flat.actor[node] == side:
            for hand in range(hands):
                if holds[node, hand]:
                    _follow(flat, node, side, hand, out, holds)
            continue
        for rank in range(flat.left.shape[1] if flat.slots[node] > 0 else 0):
            child = flat.plays[node, rank]
            for hand in range(hands if child >= 0 else 0):
                holds[child, hand] |= holds[node, hand]
        for say in range(3):
            child = flat.says[node, say]
            if child < 0:
                break
            for hand in range(hands):
                holds[child, hand] |= holds[node, hand]


@inlined
def _follow(flat: Flat, node: int, side: int, hand: int, out: Doubles, holds: Flags) -> None:
    """Go the one way that is worth what the node is worth, as the pass reckoned it."""
    row, best = flat.first[flat.size[node, side]] + hand, out[flat.worth[node] + hand]
    for slot in range(flat.slots[node]):
        rank = flat.rank[row, slot]
        if rank < 0:
            break
        child, rest = flat.plays[node, rank], flat.rest[row, slot]
        if child >= 0 and flat.left[node, rank] * out[flat.worth[child] + rest] >= best:
            holds[child, rest] = True
            return
    for say in range(3):
        child = flat.says[node, say]
        if child < 0:
            break
        if out[flat.worth[child] + hand] >= best:
            holds[child, hand] = True
            return
