"""The place of a view in a solved game: the score, the hand by ranks, and the moves made.

A view does not show when in a hand a put was accepted. If several times are possible, several positions match the view,
and only a player who has followed the hand knows the right one.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from put_protocol.cards import rank_of
from put_protocol.games.put import Moment, Play, Put, PutAction, PutView, See, ThrowIn
from put_protocol.seats import Seat
from put_server.house.put.solved.payoffs import Score
from put_server.house.put.solved.rank_sets import Ranks, without
from put_server.house.put.solved.tree import DEALER, ELDEST, FIRST, TRICKS, Move, PublicState, Say, Tree

_ASKED = (Moment.LEAD, Moment.REPLY, Moment.ANSWER, Moment.LAST_SAY)

_SAID: dict[type[PutAction], Say] = {Put: Say.PUT, See: Say.SEE, ThrowIn: Say.THROW}


class Step(NamedTuple):
    """A move, the place of its decision's entries, and the side that made it."""

    public: PublicState
    at: int
    side: int
    move: Move


class Position(NamedTuple):
    """A decision of a side with a hand."""

    score: Score
    side: int
    dealt: Ranks
    path: tuple[Step, ...]
    public: PublicState
    at: int
    """The place of the decision's entries."""

    @property
    def hand(self) -> Ranks:
        """Cards in the side's hand now."""
        hand = self.dealt
        for rank in self.shown(self.side):
            hand = without(hand, rank)
        return hand

    def shown(self, side: int) -> Ranks:
        """Cards that a side has played, in order."""
        return tuple([step.move for step in self.path if step.side == side and not isinstance(step.move, Say)])

    @property
    def puts(self) -> tuple[int, ...]:
        """The number of cards played at each accepted put of the hand."""
        cards, found = 0, []
        for step in self.path:
            if not isinstance(step.move, Say):
                cards += 1
            elif step.move is Say.SEE:
                found.append(cards)
        return tuple(found)


def ranks_of(view: PutView) -> Ranks:
    """The hand in a view, as ranks of a solved game."""
    strengths = {rank: place for place, rank in enumerate(reversed(view.ranking))}
    return tuple(sorted([strengths[rank_of(card)] for card in view.cards]))


def positions(view: PutView, actions: Sequence[PutAction], seat: Seat, tree: Tree) -> list[Position]:
    """Every position that matches a view and its legal actions; empty: no decision of such a game."""
    if len(view.scores) != 2 or len(view.ranking) != tree.ranks or view.eldest is None or view.moment not in _ASKED:
        return []
    strengths = {rank: place for place, rank in enumerate(reversed(view.ranking))}
    tricks = (*view.past, view.trick)
    cards = [card for trick in tricks for card in trick.cards]
    if any(rank_of(card) not in strengths for card in (*cards, *view.cards)):
        return []
    dealer = Seat(1 - view.eldest)
    side = ELDEST if seat == view.eldest else DEALER
    played = [strengths[rank_of(card)] for card in cards]
    by = [ELDEST if s == view.eldest else DEALER for trick in tricks for s in trick.seats]
    shown = [rank for rank, who in zip(played, by, strict=True) if who == side]
    dealt = tuple(sorted((*ranks_of(view), *shown)))
    if len(dealt) != TRICKS or max(view.scores) >= view.target or len(played) != len(by):
        return []
    says = {_SAID[type(action)] for action in actions if type(action) in _SAID}
    plays = any(isinstance(action, Play) for action in actions)
    found = []
    for path, public, at, putter in _walks(tree, FIRST, 0, tuple(played), (), -1):
        last = -1 if view.putter is None else ELDEST if view.putter == view.eldest else DEALER
        if putter != last or public.moment != view.moment or tree.actor(public) != side:
            continue
        if set(tree.says(public)) != says or tree.plays(public) != plays or tree.cards(public, side) != len(view.cards):
            continue
        if [step.side for step in path if not isinstance(step.move, Say)] == by:
            found.append(Position((view.scores[view.eldest], view.scores[dealer]), side, dealt, path, public, at))
    return found


def _walks(
    tree: Tree, public: PublicState, at: int, played: Ranks, path: tuple[Step, ...], putter: int
) -> Iterator[tuple[tuple[Step, ...], PublicState, int, int]]:
    """Every course of a hand in which these cards were played and this side put last, to the decision after them."""
    actor = tree.actor(public)
    if not played:
        yield path, public, at, putter
    if Say.PUT in tree.says(public):
        asked, at_asked = tree.step(public, at, Say.PUT)
        assert isinstance(asked, PublicState)
        put = (*path, Step(public, at, actor, Say.PUT))
        if not played:
            yield put, asked, at_asked, actor
        seen, at_seen = tree.step(asked, at_asked, Say.SEE)
        assert isinstance(seen, PublicState)
        answered = (*put, Step(asked, at_asked, 1 - actor, Say.SEE))
        yield from _walks(tree, seen, at_seen, played, answered, actor)
    if played and tree.plays(public):
        after, at_after = tree.step(public, at, played[0])
        if isinstance(after, PublicState):
            yield from _walks(tree, after, at_after, played[1:], (*path, Step(public, at, actor, played[0])), putter)


def holding(path: Sequence[Step], side: int, dealt: Ranks) -> Iterator[tuple[Step, Ranks]]:
    """A side's moves on the path, each with its hand at that time."""
    for step in path:
        if step.side == side:
            yield step, dealt
            if not isinstance(step.move, Say):
                dealt = without(dealt, step.move)
