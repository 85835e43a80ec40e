"""Terms and state of a game of this family: what a table has agreed on, and how its game stands."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache

from msgspec import Struct

from put_protocol.cards import Card, pack_of
from put_protocol.games.put import Discard, Moment, Play
from put_protocol.games.tricks import TrickView
from put_protocol.seats import Seat
from put_server.games.facts import Hidden
from put_server.games.put.rules import PutRules


@dataclass(frozen=True, slots=True, kw_only=True)
class Deck:
    """The cards of a game. At a table each would cost more memory than the rest of it."""

    cards: tuple[Card, ...]
    """Unshuffled."""
    pack: frozenset[Card]
    strength: Mapping[Card, int]
    plays: Mapping[Card, Play]
    """The action that plays each."""
    discards: Mapping[Card, Discard]
    """The action that throws each away."""


def strengths(ranking: Sequence[str], cards: Sequence[Card]) -> dict[Card, int]:
    """How strong each card is: more is better, equal ranks are equal."""
    order = {rank: len(ranking) - place for place, rank in enumerate(ranking)}
    return {card: order[card[:-1]] for card in cards}


@cache
def deck_of(ranking: tuple[str, ...]) -> Deck:
    """The deck of these ranks, best first, in four suits."""
    cards = pack_of(ranking)
    return Deck(
        cards=cards,
        pack=frozenset(cards),
        strength=strengths(ranking, cards),
        plays={card: Play(card) for card in cards},
        discards={card: Discard(card) for card in cards},
    )


class Terms:
    """What every transition needs to know and none may change."""

    __slots__ = (
        "deck",
        "everyone",
        "has_last_say",
        "has_opening",
        "is_final",
        "lead",
        "reply",
        "rules",
        "seats",
        "sides",
    )

    def __init__(self, rules: PutRules, seats: int) -> None:
        self.rules = rules
        self.seats = seats
        self.everyone = tuple(Seat(seat) for seat in range(seats))
        self.sides = tuple(seat % 2 for seat in self.everyone) if rules.is_partnership else ()
        self.deck = deck_of(rules.ranks)
        # What is asked at every turn is found here once.
        self.lead = rules.play.may[Moment.LEAD]
        self.reply = rules.play.may[Moment.REPLY]
        self.has_opening = Moment.OPENING in rules.play.may
        self.has_last_say = Moment.LAST_SAY in rules.play.may
        self.is_final = rules.play.is_final

    def cards_each(self, players: int) -> int:
        """Cards dealt to each: one more than there are players (Willughby c. 1665); in partnerships two sides play."""
        return 3 if self.rules.is_partnership else players + 1

    def allies(self, seat: Seat) -> tuple[Seat, ...]:
        """The seats that win and lose with this one, itself included."""
        if self.rules.is_partnership:
            return tuple(s for s in self.everyone if s % 2 == seat % 2)
        return (seat,)

    def is_one_side(self, seats: tuple[Seat, ...]) -> bool:
        """Whether nobody of these has an adversary among them."""
        if self.rules.is_partnership:
            return len({seat % 2 for seat in seats}) == 1
        return len(seats) == 1

    def round_from(self, seat: Seat) -> tuple[Seat, ...]:
        """All seats clockwise, this one first."""
        return self.everyone[seat:] + self.everyone[:seat]

    def left_of(self, seat: Seat) -> tuple[Seat, ...]:
        """All seats clockwise from this one's left, itself last."""
        return self.everyone[seat + 1 :] + self.everyone[: seat + 1]


Hands = Hidden[tuple[tuple[Card, ...], ...]]


class Phase(Enum):
    """What comes next."""

    DRAW = "draw"
    """a shuffled pack, to draw for the deal from"""
    DEAL = "deal"
    """a shuffled pack, to deal a hand from"""
    ACCIDENT = "accident"
    """the seat to move says what becomes of the deal"""
    GIVE = "give"
    """the first of `asked` gives their partner their best card, or lets the partner give"""
    DISCARD = "discard"
    """the first of `asked` throws away one of four cards"""
    OPENING = "opening"
    """the first of `asked` puts or says nothing"""
    PLAY = "play"
    """the seat to move leads or plays, or raises"""
    LAST_SAY = "last_say"
    """the first trick is over: eldest throws in or puts"""
    ANSWER = "answer"
    """the first of `answering` throws in or sees"""
    OVER = "over"


class Mishap(Struct, frozen=True, gc=False):
    """An accident in the dealing."""

    law: int
    """1 to 5, of the Laws of Put (Enquire Within 1856)."""
    seat: Seat
    """Whose card was seen, or who has one too many; by law 3 the dealer."""
    card: Hidden[Card]
    """The card seen, or to be drawn if the deal stands."""


class PutState(Struct, frozen=True, gc=False):
    """Lists have an item a seat. Seats that left the game stay in them, out of every hand."""

    phase: Phase
    members: tuple[Seat, ...]
    """Who is still in the game."""
    dealer: Seat
    scores: tuple[int, ...]
    paid: tuple[int, ...]
    """What each purse has gained so far."""
    drawing: tuple[Seat, ...] = ()
    """Who draws, or draws again, for the deal."""
    is_fresh: bool = False
    """The next deal is one called afresh: it has no accident."""
    hand: int = 0
    hands: Hands = Hidden(())
    thrown: Hands = Hidden(())
    """Cards each threw away, giving or discarding."""
    gifts: Hidden[tuple[Card | None, ...]] = Hidden(())
    """What each gave their partner."""
    mishap: Mishap | None = None
    asked: tuple[Seat, ...] = ()
    """Who is asked, in turn, before the play: to give, to discard, to put."""
    givers: tuple[Seat, ...] = ()
    playing: tuple[bool, ...] = ()
    """Who is still in the hand."""
    tricks: tuple[int, ...] = ()
    length: int = 0
    """Tricks in a hand: cards each plays."""
    eldest: Seat = Seat(0)
    """First to speak and to play."""
    leader: Seat = Seat(0)
    """Of the trick on the table."""
    trick_seats: tuple[Seat, ...] = ()
    trick_cards: tuple[Card, ...] = ()
    to_move: Seat | None = None
    past: tuple[TrickView, ...] = ()
    value: int = 1
    """Points the hand is worth."""
    putter: Seat | None = None
    """Who put in this hand, or doubled last."""
    has_spoken: bool = False
    """The seat to move has raised in this turn, and was seen: now they play."""
    seers: tuple[Seat, ...] = ()
    """Who accepted the put."""
    answering: tuple[Seat, ...] = ()
    """Who has yet to answer it, in turn."""
    rubber: tuple[int, ...] = ()
    """Games each has won in the rubber."""
