"""A pass over the tree: weights of hands go down, values come up, and regrets are updated or a best response is found.

Theory. Every action is public and only the deal is hidden, so a player knows the public history and their own hand. A
strategy is therefore, at each public history, a row of probabilities for each possible hand: 455 at most. The
probability that a deal reaches a history is a product of three factors: the probability of one player's moves with
their hand (its weight, or reach), that of the other's moves, and that of the deal. The first two depend on one hand
each. So a pass carries two vectors of weights down, one for each side, and a vector of values up, and never looks at
single deals: 455 + 455 numbers, not 455 * 455.

Only the deal connects the two hands. With `left` cards of a rank not on the table, two hands of `a` and `b` cards of
that rank are dealt in `left * (left - 1) * ...` ways, `a + b` factors, rank for rank. For one hand this is a polynomial
in the numbers of the other's cards of each rank. Its sum over all hands of the other therefore needs only how many
cards of each rank, and of each two, are in them, each weighed (`_end_values`), and costs no more than the number of
hands.

The invariant: at each node, `values` of a hand are the sum, over all that the other may hold, of the other's weight
times the ways of the deal times what follows is worth. These are the counterfactual values: the own weight is not in
them. Worths are eldest's; the dealer's are their negative.

Regrets are discounted (Brown and Sandholm 2019): positive ones by t^1.5 / (t^1.5 + 1), negative ones by a half; and
iteration t counts t^2 times in the averages.

A pass is a single module, because compiled code is cached until its own file changes: a function compiled into another
file's functions would stay outdated there.
"""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple, TypeVar, cast

import numba
import numpy as np
from numba.extending import register_jitable

from put_solver.flat import Doubles, Flat, Longs, Singles

F = TypeVar("F", bound=Callable[..., object])


def _compiled(function: F) -> F:
    """Compile the function to machine code at its first call, and cache it beside the module for the next run."""
    return cast(F, numba.njit(cache=True, nogil=True, error_model="numpy", no_cfunc_wrapper=True)(function))


def _inlined(function: F) -> F:
    """Compile the function into its callers: a call with this many arrays would take longer than most nodes.

    The machine-code compiler inlines it. numba's own `inline="always"` would make one large function of its callers,
    and the time numba takes grows faster than the size of a function. Reference counting is off (`_nrt`), because it
    neither creates nor returns arrays."""
    return cast(F, register_jitable(forceinline=True, nogil=True, error_model="numpy", _nrt=False)(function))


LEARN, BEST, EVALUATE = 0, 1, 2
"""Modes of a pass at the decisions of its side: update regrets; take the best action; follow the strategy."""

_DECISION, _END, _SHOWDOWN, _LAST = 0, 1, 2, 3  # `flat.Kind`, as the compiler wants it


class Pass(NamedTuple):
    """A pass for one side, with the arrays that it reads and writes.

    In `regret`, `current` and `average` only the side's entries change, and only when it learns.
    """

    side: int
    mode: int
    iteration: int
    """The number of the iteration, from 1."""
    worths: Doubles
    """Worth of each end to eldest."""
    reach: Doubles
    """Buffer: the weights of hands."""
    reach_sum: Doubles
    """Buffer: their sums (nodes by sides)."""
    values: Doubles
    """Buffer: the values of hands."""
    regret: Singles
    current: Doubles
    average: Singles


@_inlined
def _end_values(flat: Flat, node: int, run: Pass, worth: float, room: Doubles) -> None:
    """Values of every hand of a side at an end: the weight of all possible hands of the other, times the worth."""
    side, other, reach, values = run.side, 1 - run.side, run.reach, run.values
    size, theirs = flat.size[node, side], flat.size[node, other]
    ranks = flat.left.shape[1]
    at, begin = flat.first[theirs], flat.reach[node, other]
    # Moments of the number of cards of a rank, of two ranks, and of two and one, in the other's hand. They are rows of
    # one buffer: slicing it into arrays would cost too much.
    one, two, twice = 0, 1, 1 + ranks
    for row in range(1 + ranks * (size - 1)):
        for rank in range(ranks):
            room[row, rank] = 0.0
    total = 0.0
    for hand in range(flat.counts[theirs]):
        weight = reach[begin + hand]
        if weight == 0.0:
            continue
        row = at + hand
        for place in range(theirs):
            weight *= flat.left[node, flat.cards[row, place]] - flat.before[row, place]
        total += weight
        for place in range(theirs):
            x = flat.cards[row, place]
            room[one, x] += weight
            for other_place in range(theirs if size > 1 else 0):
                y = flat.cards[row, other_place]
                room[two + x, y] += weight
                for third in range(theirs if size > 2 and x == y else 0):
                    room[twice + x, flat.cards[row, third]] += weight
    at, begin = flat.first[size], flat.worth[node]
    for hand in range(flat.counts[size]):
        row = at + hand
        x, y, z = flat.cards[row, 0], flat.cards[row, 1], flat.cards[row, 2]
        a = flat.left[node, x]
        found = a * total - room[one, x]
        if size > 1:
            b = flat.left[node, y] - flat.before[row, 1]
            found = b * found - a * room[one, y] + room[two + x, y]
            if size > 2:
                c = flat.left[node, z] - flat.before[row, 2]
                found = c * found - a * b * room[one, z] + b * room[two + x, z] + a * room[two + y, z]
                if x == y:
                    found -= room[twice + x, z]
                elif y == z:
                    found -= room[twice + y, x]
                elif theirs == 3:  # the one hand that has all three of them
                    found -= reach[flat.reach[node, other] + hand] * a * b * c
        values[begin + hand] = worth * found


@_inlined
def _showdown_values(flat: Flat, node: int, run: Pass) -> None:
    """Values when each plays their last card."""
    ranks, side, worths, reach, values = flat.left.shape[1], run.side, run.worths, run.reach, run.values
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
        values[begin + rank] = left * (above * lower + below * higher) + equal * same * (left - 1)
        lower += same


@_inlined
def _match_regrets(regret: Singles, current: Doubles, at: int, step: int, actions: int) -> None:
    """Regret matching: play each action in proportion to its positive regret. The share is rounded to single precision,
    but stored as a double, so that the kernels are compiled for one type, in half the time."""
    total = 0.0
    for action in range(actions):
        total += max(regret[at + action * step], 0.0)
    for action in range(actions):
        if total > 0:
            current[at + action * step] = np.float32(max(regret[at + action * step], 0.0) / total)
        else:
            current[at + action * step] = np.float32(1.0 / actions)


@_inlined
def _last_card_values(flat: Flat, node: int, run: Pass, room: Doubles) -> None:
    """Values with one card each, of which one is led. The follower, who knows how the hand ends, puts or plays; the
    leader, who has shown all cards, sees or throws in.

    For the follower all cards with the same result (lower, equal or higher) are one case, whose regrets are those of
    one such hand, not of their sum. If putting cannot be worse than playing, the follower puts.
    """
    side, mode, iteration, worths, reach, values = run.side, run.mode, run.iteration, run.worths, run.reach, run.values
    regret, current, average = run.regret, run.current, run.average
    ranks = flat.left.shape[1]
    leader = flat.actor[node]
    leads = leader == side
    led, held = flat.reach[node, leader], flat.reach[node, 1 - leader]
    begin = flat.worth[node]
    sign = 1.0 if side == 0 else -1.0
    keep, grow = iteration**1.5 / (iteration**1.5 + 1), float(iteration) * iteration
    thrown = worths[flat.ends[node, 6]]
    swing = -1.0 if leader == 0 else 1.0  # the follower's sign
    for case in range(3):  # the card held is lower, equal, higher: the one led is higher, equal, lower
        played, seen = worths[flat.ends[node, case]], worths[flat.ends[node, 3 + case]]
        room[1, case] = mode == LEARN and swing * thrown >= swing * played and swing * seen >= swing * played
    higher = 0.0
    for rank in range(ranks):
        higher += reach[held + rank] * flat.left[node, rank]
        if not leads:
            values[begin + rank] = 0.0
    lower = 0.0
    for rank in range(ranks):
        at = flat.at[node] + 8 * rank
        came = reach[led + rank]
        own = reach[held + rank]
        cards = flat.left[node, rank]
        higher -= own * cards
        weights = (lower, own * (cards - 1), higher)
        see, throw = 0.0, 0.0
        see_share = current[at + 6]
        worth = 0.0
        for case in range(3):
            played = sign * worths[flat.ends[node, case]]
            seen = sign * worths[flat.ends[node, 3 + case]]
            refused = sign * thrown
            puts = 1.0 if room[1, case] else current[at + 3 + case]
            if leads:
                see += weights[case] * puts * seen
                throw += weights[case] * puts * refused
                worth += weights[case] * (1 - puts) * played
                continue
            putting = see_share * seen + (1 - see_share) * refused
            found = max(played, putting) if mode == BEST else puts * putting + (1 - puts) * played
            if mode == LEARN:
                average[at + case] += grow * weights[case] * (1 - puts)
                average[at + 3 + case] += grow * weights[case] * puts
                if came > 0 and not room[1, case]:
                    for action in range(2):
                        place = at + 3 * action + case
                        gain = came * cards * ((putting if action else played) - found)
                        regret[place] = regret[place] * (keep if regret[place] > 0 else 0.5) + gain
                    _match_regrets(regret, current, at + case, 3, 2)
            if case == 1:
                values[begin + rank] += came * cards * (cards - 1) * found
            else:
                room[case, rank] = came * cards * found
        if leads:
            see *= cards
            throw *= cards
            answer = max(see, throw) if mode == BEST else see_share * see + (1 - see_share) * throw
            values[begin + rank] = cards * worth + answer
            if mode == LEARN:
                average[at + 6] += grow * came * see_share
                average[at + 7] += grow * came * (1 - see_share)
                regret[at + 6] = regret[at + 6] * (keep if regret[at + 6] > 0 else 0.5) + see - answer
                regret[at + 7] = regret[at + 7] * (keep if regret[at + 7] > 0 else 0.5) + throw - answer
                _match_regrets(regret, current, at + 6, 1, 2)
        lower += own * cards
    if not leads:
        below, above = 0.0, 0.0  # what the cards led below, and above, are worth together
        for rank in range(ranks):
            values[begin + rank] += flat.left[node, rank] * below
            below += room[2, rank]
        for back in range(ranks):
            rank = ranks - 1 - back
            values[begin + rank] += flat.left[node, rank] * above
            above += room[0, rank]


@_inlined
def _reach_after(flat: Flat, node: int, reach: Doubles, reach_sum: Doubles, current: Doubles) -> None:
    """Weights of hands after each action: of the actor's, and the sum of the other's, which stay as they are. Zeros are
    written too, over what an earlier pass left."""
    actor = flat.actor[node]
    unchanged = reach_sum[node, 1 - actor]
    size = flat.size[node, actor]
    hands, first = flat.counts[size], flat.first[size]
    begin, at, slots = flat.reach[node, actor], flat.at[node], flat.slots[node]
    for rank in range(flat.left.shape[1] if slots > 0 else 0):
        child = flat.plays[node, rank]
        if child >= 0:
            reach_sum[child, actor], reach_sum[child, 1 - actor] = 0.0, unchanged
    for slot in range(slots):
        for hand in range(hands):
            rank = flat.rank[first + hand, slot]
            child = flat.plays[node, rank] if rank >= 0 else -1
            if child >= 0:
                held = reach[begin + hand] * current[at + slot * hands + hand]
                reach[flat.reach[child, actor] + flat.rest[first + hand, slot]] = held
                reach_sum[child, actor] += held
    for say in range(3):
        child = flat.says[node, say]
        if child < 0:
            break
        to, place = flat.reach[child, actor], at + (slots + say) * hands
        total = 0.0
        for hand in range(hands):
            held = reach[begin + hand] * current[place + hand]
            reach[to + hand] = held
            total += held
        reach_sum[child, actor] = total
        reach_sum[child, 1 - actor] = unchanged


@_inlined
def _says_at(flat: Flat, node: int) -> int:
    """Number of words possible at a node."""
    says = 0
    while says < 3 and flat.says[node, says] >= 0:
        says += 1
    return says


@_inlined
def _other_values(flat: Flat, node: int, run: Pass) -> None:
    """Values at a decision of the other, whose weights already contain the probabilities of the actions."""
    side, reach_sum, values = run.side, run.reach_sum, run.values
    size = flat.size[node, side]
    hands, begin, actor = flat.counts[size], flat.worth[node], 1 - side
    ranks = flat.left.shape[1]
    for hand in range(hands):
        values[begin + hand] = 0.0
    if flat.slots[node] > 0:
        for rank in range(ranks):
            child = flat.plays[node, rank]
            if child >= 0 and reach_sum[child, actor] > 0:
                of = flat.worth[child]
                cards = flat.left[node, rank]
                for hand in range(hands):
                    values[begin + hand] += cards * values[of + hand]
    for say in range(3):
        child = flat.says[node, say]
        if child < 0:
            break
        if reach_sum[child, actor] == 0:
            continue
        of = flat.worth[child]
        for hand in range(hands):
            values[begin + hand] += values[of + hand]


@_inlined
def _own_values(flat: Flat, node: int, run: Pass, room: Doubles) -> None:
    """Values at a decision of the side, from its successors; when learning, update its regrets and averages too."""
    side, mode, iteration, reach, values = run.side, run.mode, run.iteration, run.reach, run.values
    regret, current, average = run.regret, run.current, run.average
    actor = flat.actor[node]
    size = flat.size[node, side]
    hands, first = flat.counts[size], flat.first[size]
    begin = flat.worth[node]
    at, slots = flat.at[node], flat.slots[node]
    own = flat.reach[node, actor]
    says = _says_at(flat, node)
    keep, grow = iteration**1.5 / (iteration**1.5 + 1), float(iteration) * iteration
    for hand in range(hands):
        row = first + hand
        value, best, actions = 0.0, -np.inf, 0
        # An entry of a hand with fewer different cards than cards is empty.
        for slot in range(slots + says):
            worth = 0.0
            if slot >= slots:
                worth = values[flat.worth[flat.says[node, slot - slots]] + hand]
            elif flat.rank[row, slot] < 0:
                continue
            elif flat.plays[node, flat.rank[row, slot]] >= 0:
                rank = flat.rank[row, slot]
                worth = flat.left[node, rank] * values[flat.worth[flat.plays[node, rank]] + flat.rest[row, slot]]
            room[0, slot] = worth
            best = max(best, worth)
            value += current[at + slot * hands + hand] * worth
            actions += 1
        values[begin + hand] = best if mode == BEST else value
        if mode == LEARN:
            weight = grow * reach[own + hand]
            total = 0.0
            for slot in range(slots + says):
                place = at + slot * hands + hand
                if slot >= slots or flat.rank[row, slot] >= 0:
                    average[place] += weight * current[place]
                    regret[place] = regret[place] * (keep if regret[place] > 0 else 0.5) + room[0, slot] - value
                    total += max(regret[place], 0.0)
            for slot in range(slots + says):
                place = at + slot * hands + hand
                current[place] = np.float32(max(regret[place], 0.0) / total if total > 0 else 1.0 / actions)


@_inlined
def _add_to_average(flat: Flat, node: int, run: Pass) -> None:
    """Only add this iteration's strategy to the averages."""
    hands = flat.counts[flat.size[node, run.side]]
    begin, at = flat.reach[node, run.side], flat.at[node]
    for action in range(flat.slots[node] + _says_at(flat, node)):
        for hand in range(hands):
            place = at + action * hands + hand
            run.average[place] += float(run.iteration) * run.iteration * run.reach[begin + hand] * run.current[place]


@_compiled
def _pass_ranges(
    flat: Flat,
    run: Pass,
    ranges: Longs,
    first: int,
    stop: int,
    step: int,
    goes_down: bool,
    goes_up: bool,
    room: Doubles,
) -> None:
    """A pass over every `step`-th range of nodes: down for weights, then up for values, or only one of these. It is one
    function with one type, because its compilation takes most of the time."""
    side, mode, reach_sum = run.side, run.mode, run.reach_sum
    for at in range(first, stop, step):
        begins, ends = ranges[at, 0], ranges[at, 1]
        if goes_down:
            for node in range(begins, ends):
                if flat.kind[node] == _DECISION:
                    _reach_after(flat, node, run.reach, reach_sum, run.current)
        if not goes_up:
            continue
        for node in range(ends - 1, begins - 1, -1):
            kind = flat.kind[node]
            if reach_sum[node, 1 - side] == 0:
                # The other never comes here: what the side does has no value, but goes into the average.
                if mode == LEARN and reach_sum[node, side] > 0 and kind == _DECISION and flat.actor[node] == side:
                    _add_to_average(flat, node, run)
                    continue
                if mode != LEARN or reach_sum[node, side] == 0 or kind != _LAST:
                    continue
            if kind == _DECISION and flat.actor[node] != side:
                _other_values(flat, node, run)
            elif kind == _DECISION:
                _own_values(flat, node, run, room)
            elif kind == _END:
                worth = run.worths[flat.ends[node, 0]]
                if side == 1:
                    worth = -worth
                _end_values(flat, node, run, worth, room)
            elif kind == _SHOWDOWN:
                _showdown_values(flat, node, run)
            else:
                _last_card_values(flat, node, run, room)


CORES = os.cpu_count() or 1
_BATCHES = 8
"""Batches of chunks for each core: they differ in size, and a thread that is done early takes another."""
LEAST_BATCH = 2000
"""Least average number of nodes in a batch: waiting for a thread takes longer than a few hundred nodes."""
_threads = ThreadPoolExecutor(max_workers=CORES, thread_name_prefix="sweep")


def sweep(flat: Flat, run: Pass) -> float:
    """Make a pass. Returns the worth of the hand to its side, on the scale of `worths`.

    Chunks run in parallel on threads: compiled code releases the interpreter lock.
    """
    hands, ranks = len(flat.begin), flat.left.shape[1]
    for each in range(2):
        begins = flat.reach[0, each]
        run.reach[begins : begins + hands] = flat.begin
        run.reach_sum[0, each] = 1.0

    def go(ranges: Longs, first: int, stop: int, step: int, goes_down: bool, goes_up: bool) -> None:
        room = np.empty((2 + 2 * ranks, max(ranks, 6)))  # six actions: three plays, three says
        _pass_ranges(flat, run, ranges, first, stop, step, goes_down, goes_up, room)

    tops, chunks = len(flat.tops), len(flat.chunks)
    step = min(_BATCHES * CORES, chunks, 1 + len(flat.kind) // LEAST_BATCH)
    go(flat.tops, 0, tops, 1, True, False)
    if step == 1:
        go(flat.chunks, 0, chunks, 1, True, True)
    else:
        for done in [_threads.submit(go, flat.chunks, first, chunks, step, True, True) for first in range(step)]:
            done.result()
    go(flat.tops, tops - 1, -1, -1, False, True)
    begins = flat.worth[0]
    return float(sum((flat.begin * run.values[begins : begins + hands]).tolist()))
