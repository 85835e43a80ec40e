"""The course of a two-handed hand, as both players see it, and the place of each decision in a table.

A public state is the part of a hand's public history that determines the legal moves. The ranks played in earlier
tricks are left out, because they affect only the probability of hands. Every action of a hand is public and only the
deal is hidden, so a player knows exactly the public history and their own cards. A strategy is a mixture of moves for
each hand at each public history.

This module intentionally repeats the rules of play for two from `put_rules`. There a hand has cards with suits and
owners; here a public state has only ranks, belongs to no deal, and is a key of tables and caches. A test,
tests/solver/test_machine.py, keeps both equal: it plays every variant with the rules engine and with this tree.

Sides are 0, eldest, and 1, the dealer.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, IntEnum
from functools import lru_cache
from typing import NamedTuple

from put_protocol.games.put import Moment
from put_server.house.put.solved.rank_sets import Ranks, hands_of

TRICKS = 3
ELDEST, DEALER = 0, 1


class End(IntEnum):
    ELDEST_POINT = 0
    DEALER_POINT = 1
    ELDEST_GAME = 2
    DEALER_GAME = 3
    DRAWN = 4
    DRAWN_PUT = 5
    """drawn after an accepted put"""


class Say(Enum):
    """Moves without a card."""

    PUT = "put"
    SEE = "see"
    THROW = "throw"


Move = Say | int
"""A word, or the rank of a played card."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BettingRules:
    """The course of hands under one rule set."""

    name: str
    lead: tuple[Say, ...]
    """Words that may be said instead of leading."""
    reply: tuple[Say, ...]
    last_say: tuple[Say, ...] = ()
    """Words of eldest after a first trick without a put; empty: eldest is not asked."""
    is_outright: bool = False
    """A hand won by tricks wins the game, put or not."""
    is_final: bool = True
    """True: no word follows an accepted put. False: it only binds the putter to lead."""


SOLVABLE: Mapping[str, BettingRules] = {
    rules.name: rules
    for rules in (
        BettingRules(name="put-1674", lead=(Say.PUT,), reply=(Say.PUT,)),
        BettingRules(
            name="put-1800",
            lead=(Say.PUT, Say.THROW),
            reply=(Say.PUT, Say.THROW),
            last_say=(Say.PUT, Say.THROW),
        ),
        BettingRules(name="put-parlett", lead=(Say.PUT, Say.THROW), reply=(), is_outright=True, is_final=False),
    )
}


class PublicState(NamedTuple):
    """A decision, as both players see it."""

    moment: Moment
    """LEAD, REPLY, ANSWER or LAST_SAY: the decision of the side to move."""
    trick: int
    """Tricks complete."""
    leader: int
    """Leader of the current or next trick."""
    ahead: int
    """Eldest's tricks less the dealer's."""
    led: int = -1
    """Rank of the card led; -1: none."""
    putter: int = -1
    """Side whose put waits for an answer."""
    is_bound: bool = False
    """A put was accepted, and no word may be said until the putter has led."""


FIRST = PublicState(Moment.LEAD, 0, ELDEST, 0)
_ANSWERS = (Say.SEE, Say.THROW)
_MEMORY = 1 << 14
"""Public states to cache: more than any rule set has, with 13 ranks."""


class Tree:
    def __init__(self, rules: BettingRules, ranks: int) -> None:
        self.rules = rules
        self.ranks = ranks
        self.size = lru_cache(maxsize=_MEMORY)(self._size)
        """Number of entries of a public state and of all its successors."""
        self.following = lru_cache(maxsize=_MEMORY)(self._following)
        """State after each move, and the offset of its entries from those of the public state."""
        self._asked = lru_cache(maxsize=_MEMORY)(self._asked_at)

    def actor(self, public: PublicState) -> int:
        match public.moment:
            case Moment.REPLY:
                return 1 - public.leader
            case Moment.ANSWER:
                return 1 - public.putter
            case Moment.LAST_SAY:
                return ELDEST
            case _:
                return public.leader

    def says(self, public: PublicState) -> tuple[Say, ...]:
        match public.moment:
            case Moment.ANSWER:
                return _ANSWERS
            case Moment.LAST_SAY:
                return self.rules.last_say
            case Moment.REPLY:
                return () if public.is_bound else self.rules.reply
            case _:
                return () if public.is_bound else self.rules.lead

    def plays(self, public: PublicState) -> bool:
        return public.moment in (Moment.LEAD, Moment.REPLY)

    def cards(self, public: PublicState, side: int) -> int:
        """Cards in a side's hand."""
        return TRICKS - public.trick - (side == public.leader and public.led >= 0)

    def after(self, public: PublicState, move: Move) -> PublicState | End:
        """The public state, or the end, after a legal move."""
        if move is Say.PUT:
            return public._replace(moment=Moment.ANSWER, putter=self.actor(public))
        if move is Say.THROW:
            return End.DEALER_POINT if self.actor(public) == ELDEST else End.ELDEST_POINT
        if move is Say.SEE:
            moment = Moment.REPLY if public.led >= 0 else Moment.LEAD
            return public._replace(moment=moment, putter=-1, is_bound=True)
        if public.moment is Moment.LEAD:
            is_bound = public.is_bound and self.rules.is_final
            return public._replace(moment=Moment.REPLY, led=move, is_bound=is_bound)
        leader, ahead = public.leader, public.ahead
        if move != public.led:
            leader = public.leader if public.led > move else 1 - public.leader
            ahead += 1 if leader == ELDEST else -1
        trick = public.trick + 1
        if abs(ahead) > TRICKS - trick:
            if public.is_bound or self.rules.is_outright:
                return End.ELDEST_GAME if ahead > 0 else End.DEALER_GAME
            return End.ELDEST_POINT if ahead > 0 else End.DEALER_POINT
        if trick == TRICKS:
            return End.DRAWN_PUT if public.is_bound else End.DRAWN
        moment = Moment.LAST_SAY if self.rules.last_say and not public.is_bound else Moment.LEAD
        return PublicState(moment, trick, leader, ahead, is_bound=public.is_bound)

    # The entries of a public state come first, action after action, and for each action one for every case that its
    # actor distinguishes; then what follows each play, from the lowest rank up, then what follows each say. The
    # actions are the distinct ranks of the hand, from the lowest up, and then the says.

    def is_asked(self, public: PublicState) -> bool:
        """True if there is a decision: the last card of a hand plays itself if no word may be said."""
        return self.actions(public) > 1

    def is_last(self, public: PublicState) -> bool:
        """True if the last card has been led: only its follower knows the end of the hand."""
        return public.trick == TRICKS - 1 and public.led >= 0

    def actions(self, public: PublicState) -> int:
        """Actions with entries, in a hand without equal cards."""
        return self.cards(public, self.actor(public)) * self.plays(public) + len(self.says(public))

    def cases(self, public: PublicState) -> int:
        """Number of cases that the actor distinguishes: their hands. At the last card: whether theirs is lower, equal
        or higher than the one led; or a single case if they led it."""
        actor = self.actor(public)
        if self.is_last(public):
            return 1 if actor == public.leader else 3
        return len(hands_of(self.ranks, self.cards(public, actor)).hands)

    def case(self, public: PublicState, hand: Ranks) -> int:
        if self.is_last(public):
            return 0 if self.actor(public) == public.leader else 1 + (hand[0] > public.led) - (hand[0] < public.led)
        return hands_of(self.ranks, len(hand)).place[hand]

    def entries(self, public: PublicState) -> int:
        """Number of entries of the public state itself."""
        return self.actions(public) * self.cases(public) if self.is_asked(public) else 0

    def moves(self, public: PublicState) -> Iterator[Move]:
        """All moves possible here with some hand, in the order of tables."""
        if self.plays(public):
            yield from range(self.ranks)
        yield from self.says(public)

    def moves_of(self, public: PublicState, hand: Ranks) -> tuple[Move, ...]:
        """Moves of the actor with this hand, in the order of the actions."""
        if not self.plays(public):
            return self.says(public)
        return hands_of(self.ranks, len(hand)).distinct[hand] + self.says(public)

    def _asked_at(self, public: PublicState) -> tuple[bool, int, int]:
        return self.is_asked(public), self.cases(public), self.cards(public, self.actor(public)) * self.plays(public)

    def places(self, public: PublicState, hand: Ranks) -> tuple[int, ...]:
        """Offset of each of `moves_of` from the state's first entry; empty: there is no decision."""
        is_asked, cases, slots = self._asked(public)
        if not is_asked:
            return ()
        case = self.case(public, hand)
        plays = len(hands_of(self.ranks, len(hand)).distinct[hand]) if slots else 0
        return tuple([case + cases * n for n in (*range(plays), *range(slots, slots + len(self.says(public))))])

    def _size(self, public: PublicState | End) -> int:
        if isinstance(public, End):
            return 0
        return self.entries(public) + sum(self.size(self.after(public, move)) for move in self.moves(public))

    def _following(self, public: PublicState) -> Mapping[Move, tuple[PublicState | End, int]]:
        found: dict[Move, tuple[PublicState | End, int]] = {}
        at = self.entries(public)
        for move in self.moves(public):
            after = self.after(public, move)
            found[move] = after, at
            at += self.size(after)
        return found

    def step(self, public: PublicState, at: int, move: Move) -> tuple[PublicState | End, int]:
        """The state after a move, and the place of its entries; `at`: the place of the entries of `public`."""
        after, further = self.following(public)[move]
        return after, at + further


@lru_cache(maxsize=16)
def tree_of(game: str, ranks: int) -> Tree:
    """The tree of a rule set, made once."""
    return Tree(SOLVABLE[game], ranks)
