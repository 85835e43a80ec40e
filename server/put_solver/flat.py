"""The tree of a hand as arrays, one item for each node, for the kernels.

Below the first trick, nodes are distinguished by the ranks played. The nodes after each first trick, and after each put
before it, are a chunk: chunks are independent, so they can be processed in parallel. When both players have one card
left, all cards that may be led are one node.
"""

from array import array
from enum import IntEnum
from math import factorial, prod
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from put_protocol.games.put import Moment
from put_server.house.put.solved.rank_sets import COPIES, hands_of, without
from put_server.house.put.solved.tree import DEALER, ELDEST, FIRST, TRICKS, End, PublicState, Say, Tree

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Doubles = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]
"""Seven digits are enough for regrets and averages."""
Entries = Singles | Doubles
"""An item for each entry of the table."""


class NodeKind(IntEnum):
    DECISION = 0
    END = 1
    """the same result for all hands"""
    SHOWDOWN = 2
    """each plays their last card"""
    LAST = 3
    """the last card is led, and a decision follows"""


class Flat(NamedTuple):
    """The nodes, each after its parent. In `sides`, eldest is first."""

    kind: Ints
    actor: Ints
    """The side that decides; at a showdown or a last lead, the side that leads."""
    size: Ints
    """Cards in the hand of each side (nodes by sides)."""
    at: Longs
    """The first entry of the node."""
    slots: Ints
    """Most different cards that may be played."""
    plays: Ints
    """Next node for each rank (nodes by ranks); -1: none."""
    says: Ints
    """Next node for each word, or after a last lead (nodes by 3); -1: none."""
    ends: Ints
    """Ends for a led card that is higher, equal, lower; the same after an accepted put; and if that put is not accepted
    (nodes by 7)."""
    left: Doubles
    """Cards of each rank that are not on the table (nodes by ranks)."""
    reach: Longs
    """The first weight of each side's hands (nodes by sides)."""
    worth: Longs
    """The first value of the hands."""
    chunks: Longs
    """First node of each chunk, and the node after its last."""
    tops: Longs
    """The same for each run of nodes outside chunks."""
    first: Longs
    """The first hand of each size in the next arrays (by sizes)."""
    counts: Longs
    """The number of hands of each size."""
    cards: Ints
    """Ranks of each hand, ascending (hands by 3); -1: no more."""
    before: Ints
    """Number of equal cards before each in the hand."""
    rank: Ints
    """Different ranks of each hand, ascending (hands by 3); -1: no more."""
    rest: Ints
    """The hand left after playing that rank."""
    begin: Doubles
    """The first weight of each hand of three: the share of its orders in which equal cards are in a given order."""


class Sizes(NamedTuple):
    entries: int
    reaches: int
    worths: int


_COLUMNS = ("kind", "actor", "size", "at", "slots", "plays", "says", "ends", "left", "reach", "worth")
"""Fields of `Flat` with a row for each node."""


class _Growing:
    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.columns = {name: array("q") for name in _COLUMNS}
        self.chunks = array("q")
        self.nodes = self.reaches = self.worths = 0

    def weights(self, size: int) -> int:
        """Reserve room for the weights of hands of a size."""
        at = self.reaches
        self.reaches += len(hands_of(self.tree.ranks, size).hands)
        return at

    def node(self, kind: NodeKind, actor: int, sizes: tuple[int, int], left: list[int], reach: tuple[int, int]) -> int:
        number, ranks, none = self.nodes, self.tree.ranks, (-1,)
        self.nodes += 1
        row = (kind,), (actor,), sizes, (0,), (0,), none * ranks, none * 3, none * 7, left, reach, (self.worths,)
        for column, values in zip(self.columns.values(), row, strict=True):
            column.extend(values)
        self.worths += len(hands_of(ranks, max(sizes)).hands)
        return number

    def add(
        self, public: PublicState | End, at: int, left: list[int], sizes: tuple[int, int], reach: tuple[int, int]
    ) -> int:
        """Add a public state and all its successors; `sizes`: of the hands at an end."""
        if isinstance(public, End):
            number = self.node(NodeKind.END, 0, sizes, left, reach)
            self.columns["ends"][7 * number] = public
            return number
        tree, actor = self.tree, self.tree.actor(public)
        sizes = (tree.cards(public, ELDEST), tree.cards(public, DEALER))
        is_last_lead = public.moment is Moment.LEAD and public.trick == TRICKS - 1
        if is_last_lead and not tree.is_asked(public):
            return self.last(public, at, left, reach)
        number = self.node(NodeKind.DECISION, actor, sizes, left, reach)
        columns = self.columns
        columns["at"][number] = at
        after = at + tree.entries(public)
        says = 0
        if is_last_lead:
            child = self.last(public, after, left, self.reached(reach, actor, sizes[actor]))
            columns["says"][3 * number] = child
            says = 1
        elif tree.plays(public):
            columns["slots"][number] = sizes[actor]
        for move in tree.moves(public):
            following = tree.after(public, move)
            if isinstance(move, Say):
                child = self.add(following, after, left, sizes, self.reached(reach, actor, sizes[actor]))
                columns["says"][3 * number + says] = child
                says += 1
            elif not is_last_lead and left[move]:
                fewer = left.copy()
                fewer[move] -= 1
                smaller = sizes[actor] - 1
                held = (smaller, sizes[1]) if actor == ELDEST else (sizes[0], smaller)
                starts_chunk = isinstance(following, PublicState) and following.trick == 1 and public.trick == 0
                begins = self.nodes
                child = self.add(following, after, fewer, held, self.reached(reach, actor, smaller))
                columns["plays"][tree.ranks * number + move] = child
                if starts_chunk:
                    self.chunks.extend((begins, self.nodes))
            after += tree.size(following)
        return number

    def reached(self, reach: tuple[int, int], actor: int, size: int) -> tuple[int, int]:
        """After an action the actor has new weights; the other's are unchanged."""
        return (self.weights(size), reach[1]) if actor == ELDEST else (reach[0], self.weights(size))

    def last(self, public: PublicState, at: int, left: list[int], reach: tuple[int, int]) -> int:
        """Add the node with one card each, of which one is led."""
        tree = self.tree
        replying = tree.after(public, 1)  # any rank with a lower one and a higher one
        assert isinstance(replying, PublicState)
        is_asked = tree.is_asked(replying)
        number = self.node(NodeKind.LAST if is_asked else NodeKind.SHOWDOWN, public.leader, (1, 1), left, reach)
        ends = [tree.after(replying, rank) for rank in (0, 1, 2)]
        if is_asked:
            asked = tree.after(replying, Say.PUT)
            assert isinstance(asked, PublicState)
            seen = tree.after(asked, Say.SEE)
            assert isinstance(seen, PublicState)
            ends += [tree.after(seen, rank) for rank in (0, 1, 2)]
            ends += [tree.after(asked, Say.THROW)]
        for place, end in enumerate(ends):
            assert isinstance(end, End)
            self.columns["ends"][7 * number + place] = end
        self.columns["at"][number] = at
        return number


def flattened(tree: Tree) -> tuple[Flat, Sizes]:
    """The arrays of a tree, and the lengths of the buffers of a pass."""
    growing = _Growing(tree)
    ranks = tree.ranks
    hands = hands_of(ranks, TRICKS).hands
    reach = (growing.weights(TRICKS), growing.weights(TRICKS))
    growing.add(FIRST, 0, [COPIES] * ranks, (TRICKS, TRICKS), reach)
    covered: list[int] = []
    at = 0
    for begins, ends in zip(growing.chunks[::2], growing.chunks[1::2], strict=True):
        covered.extend((at, begins))
        at = ends
    covered.extend((at, growing.nodes))
    first, count, cards, before, ranks_of, rests = [0], [1], [], [], [], []
    for size in range(1, TRICKS + 1):
        first.append(first[-1] + count[-1] if size > 1 else 0)
        sets, smaller = hands_of(ranks, size), hands_of(ranks, size - 1)
        count.append(len(sets.hands))
        for hand, slots in sets.distinct.items():
            none = [-1] * (TRICKS - len(slots))
            cards.append([*hand, *[-1] * (TRICKS - size)])
            before.append([*(hand[:at].count(rank) for at, rank in enumerate(hand)), *[0] * (TRICKS - size)])
            ranks_of.append([*slots, *none])
            rests.append([*(smaller.place[without(hand, rank)] for rank in slots), *none])
    types = {"at": np.int64, "left": np.float64, "reach": np.int64, "worth": np.int64}
    columns: dict[str, Any] = {
        name: np.array(column, types.get(name, np.int32)).reshape(growing.nodes, -1).squeeze()
        for name, column in growing.columns.items()
    }
    flat = Flat(
        **columns,
        chunks=np.array(growing.chunks, dtype=np.int64).reshape(-1, 2),
        tops=np.array(covered, dtype=np.int64).reshape(-1, 2),
        first=np.array(first, dtype=np.int64),
        counts=np.array(count, dtype=np.int64),
        cards=np.array(cards, dtype=np.int32),
        before=np.array(before, dtype=np.int32),
        rank=np.array(ranks_of, dtype=np.int32),
        rest=np.array(rests, dtype=np.int32),
        begin=np.array([1.0 / prod(factorial(hand.count(rank)) for rank in set(hand)) for hand in hands]),
    )
    return flat, Sizes(entries=tree.size(FIRST), reaches=growing.reaches, worths=growing.worths)
