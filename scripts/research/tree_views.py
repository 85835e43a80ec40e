"""Views of a seat at a place in a solved game, as the server would send them: `solved.position` the other way round."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from msgspec.structs import replace as changed

from put_protocol.cards import SUITS, Card
from put_protocol.games.put import Moment, Play, Put, PutView, See, ThrowIn
from put_protocol.games.tricks import TrickView
from put_protocol.games.unions import Action, Choice
from put_protocol.seats import Seat
from put_rules.put.rule_sets import RULE_SETS
from put_rules.put.rules import RANKINGS
from put_server.house.put.solved.hands import Ranks
from put_server.house.put.solved.payoffs import Score, Variant
from put_server.house.put.solved.tree import DEALER, ELDEST, FIRST, TRICKS, Move, PublicState, Say

_RULES = {rules.name: rules for rules in RULE_SETS}
_SAID: Mapping[Say, Action] = {Say.PUT: Put(), Say.SEE: See(), Say.THROW: ThrowIn()}
_SEATS = {ELDEST: Seat(0), DEALER: Seat(1)}


# No slots, for what follows from the rest is kept once it is asked for.
@dataclass(frozen=True, kw_only=True)
class PublicView:
    """A decision as both players see it. Eldest has the first seat."""

    variant: Variant
    score: Score
    public: PublicState = FIRST
    played: tuple[tuple[int, int], ...] = ()
    """The side and the rank of each card, in the order they were played."""
    putter: int = -1
    """Who put last; -1: nobody."""

    def after(self, public: PublicState, move: Move) -> "PublicView":
        """What is seen once the side to move has made this move, which led to `public`."""
        actor = self.variant.tree.actor(self.public)
        if isinstance(move, Say):
            return replace(self, public=public, putter=actor if move is Say.PUT else self.putter)
        return replace(self, public=public, played=(*self.played, (actor, move)))

    @cached_property
    def table(self) -> tuple[int, ...]:
        """How many cards of each rank were played."""
        ranks = [rank for _, rank in self.played]
        return tuple([ranks.count(rank) for rank in range(self.variant.ranks)])

    @cached_property
    def key(self) -> object:
        """Equal for all places that look alike, at any score: when a put was accepted is not seen."""
        return self.played, self.putter, self.public.moment, self.variant.tree.says(self.public)

    @cached_property
    def _ranking(self) -> tuple[str, ...]:
        """The worst rank first."""
        return RANKINGS[_RULES[self.variant.game].ranking][: self.variant.ranks][::-1]

    @cached_property
    def _common(self) -> PutView:
        """All but the seat's own cards. The suits of played cards do not matter."""
        variant, public = self.variant, self.public
        seen: dict[int, int] = {}
        tricks: list[TrickView] = []
        taken = [0, 0]
        for at in range(0, len(self.played), 2):
            cards = []
            for _, rank in self.played[at : at + 2]:
                cards.append(Card(self._ranking[rank] + SUITS[seen.get(rank, 0)]))
                seen[rank] = seen.get(rank, 0) + 1
            sides, ranks = zip(*self.played[at : at + 2], strict=True)
            winner = None
            if len(ranks) > 1 and ranks[0] != ranks[1]:
                winner = sides[0] if ranks[0] > ranks[1] else sides[1]
                taken[winner] += 1
            tricks.append(
                TrickView(
                    tuple([_SEATS[side] for side in sides]), tuple(cards), None if winner is None else _SEATS[winner]
                )
            )
        is_led = len(self.played) % 2 == 1
        is_asked = public.moment is Moment.ANSWER
        rules = _RULES[variant.game]
        return PutView(
            target=variant.target,
            scores=self.score,
            hand=1,
            dealer=_SEATS[DEALER],
            eldest=_SEATS[ELDEST],
            counts=tuple([TRICKS - sum(side == who for who, _ in self.played) for side in (ELDEST, DEALER)]),
            playing=(True, True),
            tricks=tuple(taken),
            trick=tricks[-1] if is_led else TrickView(),
            past=tuple(tricks[:-1] if is_led else tricks),
            to_move=_SEATS[variant.tree.actor(public)],
            moment=public.moment,
            putter=None if self.putter < 0 else _SEATS[self.putter],
            seen_by=() if self.putter < 0 or is_asked else (_SEATS[1 - self.putter],),
            plain=rules.play.plain,
            accepted=rules.play.accepted,
            ranking=self._ranking[::-1],
        )

    def view(self, hand: Ranks) -> PutView:
        """The view of the side to move when it holds these."""
        cards = []
        for at, rank in enumerate(hand):
            cards.append(Card(self._ranking[rank] + SUITS[self.table[rank] + hand[:at].count(rank)]))
        return changed(self._common, cards=tuple(cards))

    def legal(self, view: PutView) -> tuple[Choice, ...]:
        """The legal choices."""
        tree = self.variant.tree
        plays = [Choice(Play(card), card) for card in view.cards] if tree.plays(self.public) else []
        return (*plays, *(Choice(_SAID[say], say.value) for say in tree.says(self.public)))

    def moves(self, actions: Mapping[Action, float], view: PutView, hand: Ranks) -> tuple[float, ...]:
        """How often each of the tree's moves is made, from how often each action is."""
        tree = self.variant.tree
        found: dict[Move, float] = {}
        for action, often in actions.items():
            move = self.move(action, view, hand)
            found[move] = found.get(move, 0.0) + often
        return tuple([found.get(move, 0.0) for move in tree.moves_of(self.public, hand)])

    @staticmethod
    def move(action: Action, view: PutView, hand: Ranks) -> Move:
        """An action as the tree has it; `hand` are the ranks of the view's cards, in their order."""
        match action:
            case Play(card=card):
                return hand[view.cards.index(card)]
            case Put():
                return Say.PUT
            case See():
                return Say.SEE
            case _:
                return Say.THROW


def seat_of(side: int) -> Seat:
    """The seat of a side."""
    return _SEATS[side]


def fitting(table: Sequence[int], hand: Ranks) -> bool:
    """Whether there are cards enough for a hand beside those played."""
    return all(table[rank] + hand.count(rank) <= len(SUITS) for rank in set(hand))
