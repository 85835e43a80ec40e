"""Rounding of probabilities to the entries of a table, to the precision that play needs.

The precision of a chance depends on how often its hand reaches the decision. Rounding seldom costs anything at a
decision that the table's own play seldom reaches. If the other side never reaches a decision when both play by the
table, one action is enough there, as long as it keeps the other away. `mark_best_response` finds the nodes that a best
response does reach; their chances have the usual precision (`fine`).
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from put_server.house.put.solved.solution_table import WHOLE
from put_solver.flat import Doubles, Flat
from put_solver.kernels import compiled, entry, inlined, plays_at, reach_after, reach_unchanged, says_at

Parts = npt.NDArray[np.uint16]
Flags = npt.NDArray[np.bool_]

# Copies of numbers of other files: compiled code is kept until this file changes, though others may.
_WHOLE: Final = 255 << 8
assert _WHOLE == WHOLE
_DECISION, _END, _LAST = 0, 1, 3  # `flat.Kind`, as the compiler wants it
# Finest where there are few decisions for much: eleven bits while both have two cards and more, nine where the last
# card is answered, eight everywhere else.
_FIRST_STEP, _LAST_STEP, _STEP = 32, 128, 256
_LEAST: Final = 0.005
"""Chances below this are dropped: they are remainders of exploration, not part of the solution."""


@inlined
def _step(weight: float, finest: int) -> int:
    """Number of steps for storing a chance, by the weight of its hand at the decision: the finest for hands that always
    get there, down to three bits for those that do once in a hundred times."""
    return finest if weight > 0.5 else 512 if weight > 0.1 else 2048 if weight > 0.01 else 8192


@compiled
def simplified(flat: Flat, strategy: Doubles) -> None:
    """Remove what does not matter: tiny chances, and, of plays with the same end, all except the lowest card. The rest
    does not sum to 1; `kernels.normalize` corrects that."""
    for place in range(strategy.shape[0]):
        if strategy[place] < _LEAST:
            strategy[place] = 0.0
    for node in range(flat.kind.shape[0]):
        if flat.kind[node] != _DECISION or flat.slots[node] == 0:
            continue
        size, at = flat.size[node, flat.actor[node]], flat.at[node]
        hands, first = flat.counts[size], flat.first[size]
        for hand in range(hands):
            for slot in range(1, flat.slots[node]):
                end = _end(flat, node, first + hand, slot)
                for lower in range(slot):
                    if end >= 0 and end == _end(flat, node, first + hand, lower):
                        strategy[at + lower * hands + hand] += strategy[at + slot * hands + hand]
                        strategy[at + slot * hands + hand] = 0.0
                        break


@inlined
def _end(flat: Flat, node: int, row: int, slot: int) -> int:
    """End of the hand after this play; -1 if the hand continues, or the play does not exist."""
    rank = flat.rank[row, slot]
    child = flat.plays[node, rank] if rank >= 0 else -1
    return flat.ends[child, 0] if child >= 0 and flat.kind[child] == _END else -1


@inlined
def _round(
    strategy: Doubles, entries: Parts, at: int, step: int, slots: int, plays: int, says: int, parts: int
) -> None:
    """Round one hand's chances to multiples of `parts`; the largest takes the remainder."""
    actions = plays + says
    greatest, left = 0, _WHOLE
    for action in range(actions):
        place = at + entry(action, plays, slots) * step
        if strategy[place] > strategy[at + entry(greatest, plays, slots) * step]:
            greatest = action
    for action in range(actions):
        if action != greatest:
            place = at + entry(action, plays, slots) * step
            given = min(parts * int(strategy[place] * _WHOLE / parts + 0.5), left)
            left -= given
            entries[place] = given
            strategy[place] = given / _WHOLE
    place = at + entry(greatest, plays, slots) * step
    entries[place] = left
    strategy[place] = left / _WHOLE
    entries[at + entry(actions - 1, plays, slots) * step] = 0


@compiled
def rounded(flat: Flat, strategy: Doubles, fine: Flags, entries: Parts, reach: Doubles, reach_sum: Doubles) -> None:
    """Fill `entries` (all 0) from probabilities, and set the probabilities to the rounded ones. `reach` and `reach_sum`
    are as after a pass, and are updated for the rounding. `fine`: nodes that need more than one action although the
    other never reaches them."""
    for node in range(flat.kind.shape[0]):
        if flat.kind[node] == _LAST:
            _round_last(flat, node, strategy, fine[node], entries, reach, reach_sum)
        if flat.kind[node] != _DECISION:
            continue
        actor, at = flat.actor[node], flat.at[node]
        size = flat.size[node, actor]
        hands, first, slots = flat.counts[size], flat.first[size], flat.slots[node]
        says = says_at(flat, node)
        is_met = fine[node] or reach_sum[node, 1 - actor] > 0
        finest = _FIRST_STEP if min(flat.size[node, 0], flat.size[node, 1]) >= 2 else _STEP
        for hand in range(hands):
            weight = reach[flat.reach[node, actor] + hand] if reach_sum[node, actor] > 0 else 0.0
            plays = plays_at(flat, first + hand, slots)
            for slot in range(3):
                rank = flat.rank[first + hand, slot]
                if rank >= 0 and flat.times[first + hand, slot] > flat.left[node, rank]:
                    weight = 0.0  # it cannot be
            if weight > 0:
                parts = _step(weight, finest) if is_met else _WHOLE
                _round(strategy, entries, at + hand, hands, slots, plays, says, parts)
        reach_after(flat, node, reach, reach_sum, strategy)
        reach_unchanged(flat, node, reach_sum)


@inlined
def _round_last(
    flat: Flat, node: int, strategy: Doubles, is_fine: bool, entries: Parts, reach: Doubles, reach_sum: Doubles
) -> None:
    """Each led card is a separate decision."""
    leader, ranks = flat.actor[node], flat.left.shape[1]
    led, held = flat.reach[node, leader], flat.reach[node, 1 - leader]
    for rank in range(ranks):
        place = flat.at[node] + 8 * rank
        if flat.left[node, rank] == 0:
            continue
        is_led = reach_sum[node, leader] > 0 and reach[led + rank] > 0
        if is_led:
            parts = _step(reach[led + rank], _LAST_STEP) if is_fine or reach_sum[node, 1 - leader] > 0 else _WHOLE
            _round(strategy, entries, place + 6, 1, 0, 0, 2, parts)
        if reach_sum[node, 1 - leader] == 0:
            continue
        for case in range(3):
            weight = 0.0
            for card in range(ranks):
                if 1 + (card > rank) - (card < rank) == case and flat.left[node, card] > (1 if card == rank else 0):
                    weight += reach[held + card]
            if weight > 0:
                # Twice as coarse: several hands are one case.
                parts = _step(weight / 2, _LAST_STEP) if is_fine or is_led else _WHOLE
                _round(strategy, entries, place + case, 3, 0, 0, 2, parts)


@inlined
def _unround(strategy: Doubles, entries: Parts, at: int, step: int, slots: int, plays: int, says: int) -> None:
    final = plays + says - 1
    left = _WHOLE
    for action in range(final):
        place = at + entry(action, plays, slots) * step
        left -= entries[place]
        strategy[place] = entries[place] / _WHOLE
    strategy[at + entry(final, plays, slots) * step] = left / _WHOLE


@compiled
def unrounded(flat: Flat, entries: Parts, strategy: Doubles) -> None:
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
        says = says_at(flat, node)
        for hand in range(hands):
            plays = plays_at(flat, first + hand, slots)
            _unround(strategy, entries, at + hand, hands, slots, plays, says)


@compiled
def mark_best_response(
    flat: Flat, side: int, reach_sum: Doubles, values: Doubles, reached_with: Flags, met: Flags
) -> None:
    """Mark in `met` the nodes that a best response of the side reaches with any hand, and that the other's strategy
    reaches too. `reach_sum` and `values` are as after a best-response pass of the side; `reached_with` (nodes by hands)
    is a buffer."""
    for hand in range(flat.counts[3]):
        reached_with[0, hand] = True
    for node in range(1, flat.kind.shape[0]):
        for hand in range(flat.counts[3]):
            reached_with[node, hand] = False
    for node in range(flat.kind.shape[0]):
        hands = flat.counts[flat.size[node, side]]
        is_met = False
        for hand in range(hands):
            is_met |= reached_with[node, hand]
        if reach_sum[node, 1 - side] == 0 or not is_met:
            continue
        met[node] = True
        if flat.kind[node] != _DECISION:
            continue
        if flat.actor[node] == side:
            for hand in range(hands):
                if reached_with[node, hand]:
                    _follow(flat, node, side, hand, values, reached_with)
            continue
        for rank in range(flat.left.shape[1] if flat.slots[node] > 0 else 0):
            child = flat.plays[node, rank]
            for hand in range(hands if child >= 0 else 0):
                reached_with[child, hand] |= reached_with[node, hand]
        for say in range(3):
            child = flat.says[node, say]
            if child < 0:
                break
            for hand in range(hands):
                reached_with[child, hand] |= reached_with[node, hand]


@inlined
def _follow(flat: Flat, node: int, side: int, hand: int, values: Doubles, reached_with: Flags) -> None:
    """Follow the action that has the value of the node."""
    row, best = flat.first[flat.size[node, side]] + hand, values[flat.worth[node] + hand]
    for slot in range(flat.slots[node]):
        rank = flat.rank[row, slot]
        if rank < 0:
            break
        child, rest = flat.plays[node, rank], flat.rest[row, slot]
        if child >= 0 and flat.left[node, rank] * values[flat.worth[child] + rest] >= best:
            reached_with[child, rest] = True
            return
    for say in range(3):
        child = flat.says[node, say]
        if child < 0:
            break
        if values[flat.worth[child] + hand] >= best:
            reached_with[child, hand] = True
            return
