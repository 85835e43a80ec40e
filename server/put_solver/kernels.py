"""A pass over the tree: weights of hands go down, worths come up, and on the way either regrets change, or the best
answer is found, or nothing.

Worths are counterfactual: of a hand, summed over all that the other may hold there, each as heavy as its weight and the
deal make it. With so many cards of each rank left, two hands of `a` and `b` cards of a rank weigh
`left * (left - 1) * ...`, `a + b` factors, rank for rank (`sets.ways`). A sum over all hands of the other needs
therefore only how many cards of each rank, and of each two, are in them, and costs no more than the number of hands.

Worths are eldest's; the dealer's are their negative. The regrets are discounted (Brown and Sandholm 2019): those
above nothing by t^1.5 / (t^1.5 + 1), those below by a half, and averages grow with t^2.

All of a pass is one module, because what is compiled is kept until its own file changes: a function that is compiled
into those of another file would go on there as it was.
"""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar, cast

import numba
import numpy as np

from put_solver.flat import Doubles, Entries, Flat, Longs

F = TypeVar("F", bound=Callable[..., object])


def compiled(function: F) -> F:
    """To machine code."""
    return cast(F, numba.njit(cache=True, nogil=True, error_model="numpy")(function))


def inlined(function: F) -> F:
    """Into whatever calls it: a call with a score of arrays would take longer than most nodes do."""
    return cast(F, numba.njit(cache=True, nogil=True, error_model="numpy", inline="always")(function))


LEARN, BEST, EVALUATE = 0, 1, 2
"""What a pass does at the decisions of its side: change regrets; take what is best; follow the strategy."""

_DECISION, _END, _SHOWDOWN, _LAST = 0, 1, 2, 3  # `flat.Kind`, as the compiler wants it


@inlined
def _falling(left: float, times: int) -> float:
    product = 1.0
    for taken in range(times):
        product *= left - taken
    return product


@inlined
def _weigh(flat: Flat, node: int, side: int, worth: float, reach: Doubles, out: Doubles, room: Doubles) -> None:
    """For every hand of a side, the weight of all that the other may hold, times the worth."""
    other = 1 - side
    size, theirs = flat.size[node, side], flat.size[node, other]
    ranks = flat.left.shape[1]
    at, begin = flat.first[theirs], flat.reach[node, other]
    # Moments of the number of cards of a rank, or of two ranks, in the other's hand: rows of the room, which is spared
    # the cost of being cut into arrays.
    one, cube, two, twice = 0, 1, 2, 2 + ranks
    for row in range(2 + (ranks if size > 1 else 0) + (ranks if size > 2 else 0)):
        for rank in range(ranks):
            room[row, rank] = 0.0
    total = 0.0
    for hand in range(flat.counts[theirs]):
        heavy = reach[begin + hand]
        if heavy == 0.0:
            continue
        row = at + hand
        for slot in range(3):
            rank = flat.rank[row, slot]
            if rank < 0:
                break
            heavy *= _falling(flat.left[node, rank], flat.times[row, slot])
        total += heavy
        for slot in range(3):
            rank = flat.rank[row, slot]
            if rank < 0:
                break
            times = flat.times[row, slot]
            room[one, rank] += heavy * times
            if size == 1:
                continue
            room[two + rank, rank] += heavy * times * times
            room[cube, rank] += heavy * times * times * times
            for next_slot in range(slot + 1, 3):
                next_rank = flat.rank[row, next_slot]
                if next_rank < 0:
                    break
                next_times = flat.times[row, next_slot]
                room[two + rank, next_rank] += heavy * times * next_times
                if size > 2:
                    room[twice + rank, next_rank] += heavy * times * times * next_times
                    room[twice + next_rank, rank] += heavy * next_times * next_times * times
    at, begin = flat.first[size], flat.worth[node]
    for hand in range(flat.counts[size]):
        row = at + hand
        x, y, z = flat.rank[row, 0], flat.rank[row, 1], flat.rank[row, 2]
        a = flat.left[node, x]
        if size == 1:
            found = a * total - room[one, x]
        elif z >= 0:
            b, c = flat.left[node, y], flat.left[node, z]
            found = a * b * c * total - b * c * room[one, x] - a * c * room[one, y] - a * b * room[one, z]
            found += c * room[two + x, y] + b * room[two + x, z] + a * room[two + y, z]
            if theirs == 3:  # the one hand that has all three of them
                found -= reach[flat.reach[node, other] + hand] * a * b * c
        elif size == 2 and y >= 0:
            b = flat.left[node, y]
            found = a * b * total - b * room[one, x] - a * room[one, y] + room[two + x, y]
        elif size == 2:
            found = a * (a - 1) * total - (2 * a - 1) * room[one, x] + room[two + x, x]
        elif y < 0:
            found = a * (a - 1) * (a - 2) * total - (3 * a * a - 6 * a + 2) * room[one, x]
            found += (3 * a - 3) * room[two + x, x] - room[cube, x]
        else:
            # Two of one rank, which `x` is to be, and one of another.
            both = room[two + x, y]
            if flat.times[row, 0] == 1:
                x, y = y, x
            a, b = flat.left[node, x], flat.left[node, y]
            found = b * (a * (a - 1) * total - (2 * a - 1) * room[one, x] + room[two + x, x])
            found -= a * (a - 1) * room[one, y] - (2 * a - 1) * both + room[twice + x, y]
        out[begin + hand] = worth * found


@inlined
def _weigh_one(flat: Flat, node: int, side: int, worth: float, reach: Doubles, out: Doubles) -> None:
    """The same, when each has one card."""
    ranks = flat.left.shape[1]
    begin, at = flat.reach[node, 1 - side], flat.worth[node]
    total = 0.0
    for rank in range(ranks):
        total += reach[begin + rank] * flat.left[node, rank]
    for rank in range(ranks):
        out[at + rank] = worth * flat.left[node, rank] * (total - reach[begin + rank])


@inlined
def _show(flat: Flat, node: int, side: int, worths: Doubles, reach: Doubles, out: Doubles) -> None:
    """Each plays their last card."""
    ranks = flat.left.shape[1]
    theirs, begin = flat.reach[node, 1 - side], flat.worth[node]
    sign = 1.0 if side == 0 else -1.0
    leads = flat.actor[node] == side
    above = sign * worths[flat.ends[node, 0 if leads else 2]]
    equal = sign * worths[flat.ends[node, 1]]
    below = sign * worths[flat.ends[node, 2 if leads else 0]]
    higher = 0.0
    for rank in range(ranks):
        higher += reach[theirs + rank] * flat.left[node, rank]
    lower = 0.0
    for rank in range(ranks):
        left = flat.left[node, rank]
        same = reach[theirs + rank] * left
        higher -= same
        # `below`: the card is below the other's.
        out[begin + rank] = left * (above * lower + below * higher) + equal * same * (left - 1)
        lower += same


@inlined
def _match(regret: Entries, now: Entries, at: int, step: int, actions: int) -> None:
    """Play in proportion to what one regrets not to have done."""
    total = 0.0
    for action in range(actions):
        total += max(regret[at + action * step], 0.0)
    for action in range(actions):
        if total > 0:
            now[at + action * step] = max(regret[at + action * step], 0.0) / total
        else:
            now[at + action * step] = 1.0 / actions


@inlined
def _last(
    flat: Flat,
    node: int,
    side: int,
    mode: int,
    turn: int,
    worths: Doubles,
    reach: Doubles,
    out: Doubles,
    regret: Entries,
    now: Entries,
    mean: Entries,
    room: Doubles,
) -> None:
    """Each has one card, and one of them is led. The follower, who knows how the hand ends, puts or plays; the leader,
    of whose cards none is unseen, sees or throws in.

    For the follower it is the same with any card that ends the hand in the same way: lower, equal or higher. So
    these are one case, in which regrets are those of one such hand and not of their weights. Where putting cannot be
    worse than playing, the follower puts.
    """
    ranks = flat.left.shape[1]
    leader = flat.actor[node]
    leads = leader == side
    led, held = flat.reach[node, leader], flat.reach[node, 1 - leader]
    begin = flat.worth[node]
    sign = 1.0 if side == 0 else -1.0
    keep, grow = turn**1.5 / (turn**1.5 + 1), float(turn) * turn
    thrown = worths[flat.ends[node, 6]]
    swing = -1.0 if leader == 0 else 1.0  # the follower's sign
    must = np.empty(3, dtype=np.bool_)
    for case in range(3):  # the card held is lower, equal, higher: the one led is higher, equal, lower
        played, seen = worths[flat.ends[node, case]], worths[flat.ends[node, 3 + case]]
        must[case] = mode == LEARN and swing * thrown >= swing * played and swing * seen >= swing * played
    higher = 0.0
    for rank in range(ranks):
        higher += reach[held + rank] * flat.left[node, rank]
        if not leads:
            out[begin + rank] = 0.0
    lower = 0.0
    for rank in range(ranks):
        at = flat.at[node] + 8 * rank
        came = reach[led + rank]
        own = reach[held + rank]
        cards = flat.left[node, rank]
        higher -= own * cards
        weights = (lower, own * (cards - 1), higher)
        see, throw = 0.0, 0.0
        told = now[at + 6]
        worth = 0.0
        for case in range(3):
            played = sign * worths[flat.ends[node, case]]
            seen = sign * worths[flat.ends[node, 3 + case]]
            refused = sign * thrown
            puts = 1.0 if must[case] else now[at + 3 + case]
            if leads:
                see += weights[case] * puts * seen
                throw += weights[case] * puts * refused
                worth += weights[case] * (1 - puts) * played
                continue
            putting = told * seen + (1 - told) * refused
            found = max(played, putting) if mode == BEST else puts * putting + (1 - puts) * played
            if mode == LEARN:
                mean[at + case] += grow * weights[case] * (1 - puts)
                mean[at + 3 + case] += grow * weights[case] * puts
                if came > 0 and not must[case]:
                    for action in range(2):
                        place = at + 3 * action + case
                        gain = came * cards * ((putting if action else played) - found)
                        regret[place] = regret[place] * (keep if regret[place] > 0 else 0.5) + gain
                    _match(regret, now, at + case, 3, 2)
            if case == 1:
                out[begin + rank] += came * cards * (cards - 1) * found
            else:
                room[case, rank] = came * cards * found
        if leads:
            see *= cards
            throw *= cards
            answer = max(see, throw) if mode == BEST else told * see + (1 - told) * throw
            out[begin + rank] = cards * worth + answer
            if mode == LEARN:
                mean[at + 6] += grow * came * told
                mean[at + 7] += grow * came * (1 - told)
                regret[at + 6] = regret[at + 6] * (keep if regret[at + 6] > 0 else 0.5) + see - answer
                regret[at + 7] = regret[at + 7] * (keep if regret[at + 7] > 0 else 0.5) + throw - answer
                _match(regret, now, at + 6, 1, 2)
        lower += own * cards
    if not leads:
        below, above = 0.0, 0.0  # what the cards led below, and above, are worth together
        for rank in range(ranks):
            out[begin + rank] += flat.left[node, rank] * below
            below += room[2, rank]
        for back in range(ranks):
            rank = ranks - 1 - back
            out[begin + rank] += flat.left[node, rank] * above
            above += room[0, rank]


@inlined
def weigh_after(flat: Flat, node: int, reach: Doubles, mass: Doubles, now: Entries) -> None:
    """The weights after each thing that may be done. What has none is nevertheless written, for the next pass."""
    actor = flat.actor[node]
    size = flat.size[node, actor]
    hands, first = flat.counts[size], flat.first[size]
    begin, at, slots = flat.reach[node, actor], flat.at[node], flat.slots[node]
    is_alive = mass[node, actor] > 0
    if slots > 0:
        for rank in range(flat.left.shape[1]):
            child = flat.plays[node, rank]
            if child >= 0:
                mass[child, actor] = 0.0
                if not is_alive:
                    to = flat.reach[child, actor]
                    for hand in range(flat.counts[size - 1]):
                        reach[to + hand] = 0.0
    if is_alive:
        for slot in range(slots):
            for hand in range(hands):
                rank = flat.rank[first + hand, slot]
                if rank >= 0:
                    child = flat.plays[node, rank]
                    if child >= 0:
                        held = reach[begin + hand] * now[at + slot * hands + hand]
                        reach[flat.reach[child, actor] + flat.rest[first + hand, slot]] = held
                        mass[child, actor] += held
    for say in range(3):
        child = flat.says[node, say]
        if child < 0:
            break
        to, place = flat.reach[child, actor], at + (slots + say) * hands
        total = 0.0
        for hand in range(hands):
            held = reach[begin + hand] * now[place + hand] if is_alive else 0.0
            reach[to + hand] = held
            total += held
        mass[child, actor] = total


@inlined
def weigh_past(flat: Flat, node: int, mass: Doubles) -> None:
    """What somebody does changes nothing of the other's weights."""
    other = 1 - flat.actor[node]
    held = mass[node, other]
    if flat.slots[node] > 0:
        for rank in range(flat.left.shape[1]):
            child = flat.plays[node, rank]
            if child >= 0:
                mass[child, other] = held
    for say in range(3):
        child = flat.says[node, say]
        if child < 0:
            break
        mass[child, other] = held


@inlined
def _entry(action: int, plays: int, slots: int) -> int:
    """The place of a hand's action among all: it may have fewer different cards than cards."""
    return action if action < plays else action - plays + slots


@inlined
def _hear(flat: Flat, node: int, side: int, mass: Doubles, out: Doubles) -> None:
    """The worth of the other's decision: they have already weighed what they may do."""
    size = flat.size[node, side]
    hands, begin, actor = flat.counts[size], flat.worth[node], 1 - side
    ranks = flat.left.shape[1]
    for hand in range(hands):
        out[begin + hand] = 0.0
    if flat.slots[node] > 0:
        for rank in range(ranks):
            child = flat.plays[node, rank]
            if child >= 0 and mass[child, actor] > 0:
                of = flat.worth[child]
                cards = flat.left[node, rank]
                for hand in range(hands):
                    out[begin + hand] += cards * out[of + hand]
    for say in range(3):
        child = flat.says[node, say]
        if child < 0:
            break
        if mass[child, actor] == 0:
            continue
        of = flat.worth[child]
        for hand in range(hands):
            out[begin + hand] += out[of + hand]


@inlined
def _up(
    flat: Flat,
    node: int,
    side: int,
    mode: int,
    turn: int,
    reach: Doubles,
    out: Doubles,
    regret: Entries,
    now: Entries,
    mean: Entries,
    room: Doubles,
) -> None:
    """The worth of a decision, from what follows it."""
    actor = flat.actor[node]
    size = flat.size[node, side]
    hands, first = flat.counts[size], flat.first[size]
    begin = flat.worth[node]
    at, slots = flat.at[node], flat.slots[node]
    own = flat.reach[node, actor]
    says = 0
    while says < 3 and flat.says[node, says] >= 0:
        says += 1
    keep, grow = turn**1.5 / (turn**1.5 + 1), float(turn) * turn
    for hand in range(hands):
        row = first + hand
        actions = 0
        for slot in range(slots):
            rank = flat.rank[row, slot]
            if rank < 0:
                break
            child = flat.plays[node, rank]
            room[0, actions] = (
                flat.left[node, rank] * out[flat.worth[child] + flat.rest[row, slot]] if child >= 0 else 0.0
            )
            actions += 1
        plays = actions
        for say in range(says):
            room[0, actions] = out[flat.worth[flat.says[node, say]] + hand]
            actions += 1
        if mode == BEST:
            best = room[0, 0]
            for action in range(1, actions):
                best = max(best, room[0, action])
            out[begin + hand] = best
            continue
        value = 0.0
        for action in range(actions):
            value += now[at + _entry(action, plays, slots) * hands + hand] * room[0, action]
        out[begin + hand] = value
        if mode == LEARN:
            heavy = grow * reach[own + hand]
            total = 0.0
            for action in range(actions):
                place = at + _entry(action, plays, slots) * hands + hand
                mean[place] += heavy * now[place]
                old = regret[place]
                new = old * (keep if old > 0 else 0.5) + room[0, action] - value
                regret[place] = new
                if new > 0:
                    total += new
            for action in range(actions):
                place = at + _entry(action, plays, slots) * hands + hand
                if total > 0:
                    now[place] = max(regret[place], 0.0) / total
                else:
                    now[place] = 1.0 / actions


@inlined
def _keep(flat: Flat, node: int, side: int, turn: int, reach: Doubles, now: Entries, mean: Entries) -> None:
    """Into the average goes what is done in this turn, and that is all."""
    hands = flat.counts[flat.size[node, side]]
    begin, at = flat.reach[node, side], flat.at[node]
    actions = flat.slots[node]
    for say in range(3):
        actions += flat.says[node, say] >= 0
    for action in range(actions):
        for hand in range(hands):
            place = at + action * hands + hand
            mean[place] += float(turn) * turn * reach[begin + hand] * now[place]


@compiled
def _down_all(flat: Flat, nodes: Longs, moved: int, reach: Doubles, mass: Doubles, now: Entries) -> None:
    for at in range(nodes.shape[0]):
        node = nodes[at]
        if flat.kind[node] == _DECISION:
            if moved != 1 - flat.actor[node]:
                weigh_after(flat, node, reach, mass, now)
            if moved != flat.actor[node]:
                weigh_past(flat, node, mass)


@compiled
def _up_all(
    flat: Flat,
    nodes: Longs,
    side: int,
    mode: int,
    turn: int,
    worths: Doubles,
    reach: Doubles,
    mass: Doubles,
    out: Doubles,
    regret: Entries,
    now: Entries,
    mean: Entries,
    room: Doubles,
) -> None:
    for back in range(nodes.shape[0]):
        node = nodes[nodes.shape[0] - 1 - back]
        kind = flat.kind[node]
        if mass[node, 1 - side] == 0:
            # The other never comes here: nothing that side does matters, but what it did goes into the average.
            if mode == LEARN and mass[node, side] > 0 and kind == _DECISION and flat.actor[node] == side:
                _keep(flat, node, side, turn, reach, now, mean)
                continue
            if mode != LEARN or mass[node, side] == 0 or kind != _LAST:
                continue
        if kind == _DECISION and flat.actor[node] != side:
            _hear(flat, node, side, mass, out)
        elif kind == _DECISION:
            _up(flat, node, side, mode, turn, reach, out, regret, now, mean, room)
        elif kind == _END:
            worth = worths[flat.ends[node, 0]]
            if side == 1:
                worth = -worth
            if flat.size[node, 0] == 1 and flat.size[node, 1] == 1:
                _weigh_one(flat, node, side, worth, reach, out)
            else:
                _weigh(flat, node, side, worth, reach, out, room)
        elif kind == _SHOWDOWN:
            _show(flat, node, side, worths, reach, out)
        else:
            _last(flat, node, side, mode, turn, worths, reach, out, regret, now, mean, room)


@compiled
def _begin(flat: Flat, moved: int, reach: Doubles, mass: Doubles, now: Entries) -> None:
    """From the deal down to where chunks begin."""
    for side in range(2):
        for hand in range(flat.counts[3]):
            reach[flat.reach[0, side] + hand] = flat.begin[hand]
        mass[0, side] = 1.0
    _down_all(flat, flat.tops, moved, reach, mass, now)


@compiled
def _pass_chunks(
    flat: Flat,
    first: int,
    step: int,
    side: int,
    mode: int,
    turn: int,
    moved: int,
    worths: Doubles,
    reach: Doubles,
    mass: Doubles,
    out: Doubles,
    regret: Entries,
    now: Entries,
    mean: Entries,
) -> None:
    """Down and up again in one chunk of so many, which needs nothing of the others."""
    ranks = flat.left.shape[1]
    room = np.empty((2 + 2 * ranks, ranks))
    for chunk in range(first, flat.chunks.shape[0], step):
        nodes = np.arange(flat.chunks[chunk, 0], flat.chunks[chunk, 1])
        _down_all(flat, nodes, moved, reach, mass, now)
        _up_all(flat, nodes, side, mode, turn, worths, reach, mass, out, regret, now, mean, room)


@compiled
def _end(
    flat: Flat,
    side: int,
    mode: int,
    turn: int,
    worths: Doubles,
    reach: Doubles,
    mass: Doubles,
    out: Doubles,
    regret: Entries,
    now: Entries,
    mean: Entries,
) -> float:
    """From the chunks up to the deal."""
    ranks = flat.left.shape[1]
    room = np.empty((2 + 2 * ranks, ranks))
    _up_all(flat, flat.tops, side, mode, turn, worths, reach, mass, out, regret, now, mean, room)
    value = 0.0
    for hand in range(flat.counts[3]):
        value += flat.begin[hand] * out[flat.worth[0] + hand]
    return value


CORES = os.cpu_count() or 1
_BATCHES = 8
"""Of chunks a core: they are not all of a size, and who is done early takes another."""
_threads = ThreadPoolExecutor(max_workers=CORES, thread_name_prefix="sweep")


def sweep(
    flat: Flat,
    side: int,
    mode: int,
    turn: int,
    moved: int,
    worths: Doubles,
    reach: Doubles,
    mass: Doubles,
    out: Doubles,
    regret: Entries,
    now: Entries,
    mean: Entries,
) -> float:
    """One pass for one side; `turn` counts from 1. Gives what the first spot is worth to it, on the scale of `worths`.

    `regret`, `now` and `mean` have an item an entry; only those of the side change, and only when it learns. `reach`,
    `mass` and `out` are room for the pass: what hands weigh, what they weigh together, and what they are worth. `moved`
    is the one side whose strategy is not what it was when `reach` and `mass` were last filled, or -1.

    Chunks are passed at the same time, on threads: compiled code lets go of the interpreter.
    """
    _begin(flat, moved, reach, mass, now)
    step = min(_BATCHES * CORES, len(flat.chunks))
    rest = (side, mode, turn, moved, worths, reach, mass, out, regret, now, mean)
    for done in [_threads.submit(_pass_chunks, flat, first, step, *rest) for first in range(step)]:
        done.result()
    return _end(flat, side, mode, turn, worths, reach, mass, out, regret, now, mean)


@compiled
def settle(flat: Flat, entries: Entries, strategy: Entries) -> None:
    """Make probabilities of averages, or of any numbers that are not negative; where all are nothing, each thing that
    may be done gets an even share."""
    for node in range(flat.kind.shape[0]):
        if flat.kind[node] == _LAST:
            for rank in range(flat.left.shape[1]):
                at = flat.at[node] + 8 * rank
                for case in range(4):
                    one, other = (at + case, at + 3 + case) if case < 3 else (at + 6, at + 7)
                    total = entries[one] + entries[other]
                    share = entries[one] / total if total > 0 else 0.5
                    strategy[one] = share
                    strategy[other] = 1.0 - share
        if flat.kind[node] != _DECISION:
            continue
        size = flat.size[node, flat.actor[node]]
        hands, first, at, slots = flat.counts[size], flat.first[size], flat.at[node], flat.slots[node]
        says = 0
        while says < 3 and flat.says[node, says] >= 0:
            says += 1
        for hand in range(hands):
            plays = 0
            while plays < slots and flat.rank[first + hand, plays] >= 0:
                plays += 1
            total = 0.0
            for action in range(plays + says):
                total += entries[at + _entry(action, plays, slots) * hands + hand]
            for action in range(plays + says):
                place = at + _entry(action, plays, slots) * hands + hand
                strategy[place] = entries[place] / total if total > 0 else 1.0 / (plays + says)
