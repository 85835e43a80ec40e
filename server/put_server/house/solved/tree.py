"""The course of a two-handed hand, as both players see it, and where in a table each decision stands.

A spot is all of a hand's public state that bears on what may follow, but for the ranks played before this trick: those
only tell how likely hands are. This restates the rules of play for two; that it agrees with the machine which deals at
the tables is tested.

Sides are 0, eldest, and 1, the dealer.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, IntEnum
from functools import lru_cache
from typing import NamedTuple

from put_protocol.games.put import Moment
from put_server.house.solved.hands import Ranks, sets_of

TRICKS = 3
ELDEST, DEALER = 0, 1


class End(IntEnum):
    """What a hand brought."""

    ELDEST_POINT = 0
    DEALER_POINT = 1
    ELDEST_GAME = 2
    DEALER_GAME = 3
    DRAWN = 4
    DRAWN_PUT = 5
    """drawn after an accepted put"""


class Say(Enum):
    """What may be done without a card."""

    PUT = "put"
    SEE = "see"
    THROW = "throw"


Move = Say | int
"""Something said, or the rank of a card played."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """How hands go in one rule set."""

    name: str
    lead: tuple[Say, ...]
    """What may be said instead of leading."""
    reply: tuple[Say, ...]
    last_say: tuple[Say, ...] = ()
    """What eldest must say when the first trick is over and nobody has put; empty: nobody is asked."""
    is_outright: bool = False
    """A hand won by tricks wins the game, put or not."""
    is_final: bool = True
    """Nothing more is said after an accepted put; else it binds the putter to lead, and no further."""


COURSES: Mapping[str, Course] = {
    course.name: course
    for course in (
        Course(name="put-1674", lead=(Say.PUT,), reply=(Say.PUT,)),
        Course(
            name="put-1800",
            lead=(Say.PUT, Say.THROW),
            reply=(Say.PUT, Say.THROW),
            last_say=(Say.PUT, Say.THROW),
        ),
        Course(name="put-parlett", lead=(Say.PUT, Say.THROW), reply=(), is_outright=True, is_final=False),
    )
}


class Spot(NamedTuple):
    """A decision, as both see it."""

    moment: Moment
    """LEAD, REPLY, ANSWER or LAST_SAY: what the side to move is asked for."""
    trick: int
    """Tricks complete."""
    leader: int
    """Of the trick on the table, or who will lead it."""
    ahead: int
    """Eldest's tricks less the dealer's."""
    led: int = -1
    """The rank on the table; -1: none."""
    putter: int = -1
    """The player who waits for an answer to their put."""
    is_bound: bool = False
    """A put was accepted, and nothing may be said until it is spent."""


FIRST = Spot(Moment.LEAD, 0, ELDEST, 0)
_ANSWERS = (Say.SEE, Say.THROW)
_MEMORY = 1 << 14
"""Spots remembered: more than any rule set has, with 13 ranks."""


class Tree:
    """The hand of one rule set with a pack of so many ranks."""

    def __init__(self, course: Course, ranks: int) -> None:
        self.course = course
        self.ranks = ranks
        self.size = lru_cache(maxsize=_MEMORY)(self._size)
        """Entries of a spot and of all that may follow it."""
        self.following = lru_cache(maxsize=_MEMORY)(self._following)
        """What follows each move, and how far behind a spot's entries the entries of that begin."""
        self._asked = lru_cache(maxsize=_MEMORY)(self._asked_at)

    # --- the rules ---

    def actor(self, spot: Spot) -> int:
        """Who is to move."""
        match spot.moment:
            case Moment.REPLY:
                return 1 - spot.leader
            case Moment.ANSWER:
                return 1 - spot.putter
            case Moment.LAST_SAY:
                return ELDEST
            case _:
                return spot.leader

    def says(self, spot: Spot) -> tuple[Say, ...]:
        """What the actor may say."""
        match spot.moment:
            case Moment.ANSWER:
                return _ANSWERS
            case Moment.LAST_SAY:
                return self.course.last_say
            case Moment.REPLY:
                return () if spot.is_bound else self.course.reply
            case _:
                return () if spot.is_bound else self.course.lead

    def plays(self, spot: Spot) -> bool:
        """Whether the actor may play a card."""
        return spot.moment in (Moment.LEAD, Moment.REPLY)

    def cards(self, spot: Spot, side: int) -> int:
        """Cards in a side's hand."""
        return TRICKS - spot.trick - (side == spot.leader and spot.led >= 0)

    def after(self, spot: Spot, move: Move) -> Spot | End:
        """What follows a legal move."""
        if isinstance(move, Say):
            return self._said(spot, move)
        return self._played(spot, move)

    def _said(self, spot: Spot, say: Say) -> Spot | End:
        match say:
            case Say.PUT:
                return spot._replace(moment=Moment.ANSWER, putter=self.actor(spot))
            case Say.THROW:
                return End.DEALER_POINT if self.actor(spot) == ELDEST else End.ELDEST_POINT
            case Say.SEE:
                moment = Moment.REPLY if spot.led >= 0 else Moment.LEAD
                return spot._replace(moment=moment, putter=-1, is_bound=True)

    def _played(self, spot: Spot, rank: int) -> Spot | End:
        if spot.moment is Moment.LEAD:
            is_bound = spot.is_bound and self.course.is_final
            return spot._replace(moment=Moment.REPLY, led=rank, is_bound=is_bound)
        leader, ahead = spot.leader, spot.ahead
        if rank != spot.led:
            leader = spot.leader if spot.led > rank else 1 - spot.leader
            ahead += 1 if leader == ELDEST else -1
        trick = spot.trick + 1
        if abs(ahead) > TRICKS - trick:
            return self._won(spot, ELDEST if ahead > 0 else DEALER)
        if trick == TRICKS:
            return End.DRAWN_PUT if spot.is_bound else End.DRAWN
        moment = Moment.LAST_SAY if self.course.last_say and not spot.is_bound else Moment.LEAD
        return Spot(moment, trick, leader, ahead, is_bound=spot.is_bound)

    def _won(self, spot: Spot, side: int) -> End:
        if spot.is_bound or self.course.is_outright:
            return End.ELDEST_GAME if side == ELDEST else End.DEALER_GAME
        return End.ELDEST_POINT if side == ELDEST else End.DEALER_POINT

    # --- where decisions stand in a table ---
    #
    # A spot's entries come first, action after action, and for each action one for every case its actor tells apart;
    # then what follows each play, from the lowest rank up, then what follows each say. The actions are the ranks of the
    # hand as far as they differ, from the lowest up, and then the says.

    def is_asked(self, spot: Spot) -> bool:
        """Whether there is anything to decide: the last card of a hand, nothing being said, plays itself."""
        return self.actions(spot) > 1

    def is_last(self, spot: Spot) -> bool:
        """Whether the last card led lies on the table: only its follower knows how the hand ends."""
        return spot.trick == TRICKS - 1 and spot.led >= 0

    def actions(self, spot: Spot) -> int:
        """Actions that have entries, in a hand without equal cards."""
        return self.cards(spot, self.actor(spot)) * self.plays(spot) + len(self.says(spot))

    def cases(self, spot: Spot) -> int:
        """What the actor tells apart: their hands; at the very last, whether their card is lower, equal or higher than
        the one led, or nothing, when that one was theirs."""
        actor = self.actor(spot)
        if self.is_last(spot):
            return 1 if actor == spot.leader else 3
        return len(sets_of(self.ranks, self.cards(spot, actor)).hands)

    def case(self, spot: Spot, hand: Ranks) -> int:
        """Which of them this hand is."""
        if self.is_last(spot):
            return 0 if self.actor(spot) == spot.leader else 1 + (hand[0] > spot.led) - (hand[0] < spot.led)
        return sets_of(self.ranks, len(hand)).place[hand]

    def entries(self, spot: Spot) -> int:
        """Entries of the spot itself."""
        return self.actions(spot) * self.cases(spot) if self.is_asked(spot) else 0

    def moves(self, spot: Spot) -> Iterator[Move]:
        """Everything that somebody might do here, in the order in which tables have what follows."""
        if self.plays(spot):
            yield from range(self.ranks)
        yield from self.says(spot)

    def moves_of(self, spot: Spot, hand: Ranks) -> tuple[Move, ...]:
        """What the actor may do with this hand, in the order of the actions."""
        if not self.plays(spot):
            return self.says(spot)
        return sets_of(self.ranks, len(hand)).different[hand] + self.says(spot)

    def _asked_at(self, spot: Spot) -> tuple[bool, int, int]:
        return self.is_asked(spot), self.cases(spot), self.cards(spot, self.actor(spot)) * self.plays(spot)

    def places(self, spot: Spot, hand: Ranks) -> tuple[int, ...]:
        """How far behind the spot's first entry stand those of `moves_of`; none, where nothing is asked."""
        is_asked, cases, slots = self._asked(spot)
        if not is_asked:
            return ()
        case = self.case(spot, hand)
        plays = len(sets_of(self.ranks, len(hand)).different[hand]) if slots else 0
        return tuple([case + cases * n for n in (*range(plays), *range(slots, slots + len(self.says(spot))))])

    def _size(self, spot: Spot | End) -> int:
        if isinstance(spot, End):
            return 0
        return self.entries(spot) + sum(self.size(self.after(spot, move)) for move in self.moves(spot))

    def _following(self, spot: Spot) -> Mapping[Move, tuple[Spot | End, int]]:
        found: dict[Move, tuple[Spot | End, int]] = {}
        at = self.entries(spot)
        for move in self.moves(spot):
            after = self.after(spot, move)
            found[move] = after, at
            at += self.size(after)
        return found

    def step(self, spot: Spot, at: int, move: Move) -> tuple[Spot | End, int]:
        """What follows a move at a spot whose entries begin at `at`, and where the entries of that begin."""
        after, further = self.following(spot)[move]
        return after, at + further


@lru_cache(maxsize=16)
def tree_of(game: str, ranks: int) -> Tree:
    """The tree of a rule set, made once."""
    return Tree(COURSES[game], ranks)
