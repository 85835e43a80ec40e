"""Terms, cards and state of a game of this family."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from msgspec import Struct

from put_protocol.cards import Card, pack_of, place_card
from put_protocol.games.put import Discard, Moment, Play, Worth
from put_protocol.games.tricks import TrickView
from put_protocol.seats import Seat
from put_rules.facts import NO_HANDS, Hands, Hidden
from put_rules.game import Purpose
from put_rules.put.rules import PutRules

Gifts = Hidden[tuple[Card | None, ...]]
NO_GIFTS: Gifts = Hidden(())


@dataclass(frozen=True, slots=True, kw_only=True)
class Deck:
    """The cards of a game. Cached, because one for each table would cost more memory than the rest of the table."""

    cards: tuple[Card, ...]
    """Unshuffled."""
    strength: Mapping[Card, int]
    plays: Mapping[Card, Play]
    choices: Mapping[Card, Play]
    """The play of each card, and of each card known only by its place."""
    discards: Mapping[Card, Discard]


def strengths(ranking: Sequence[str], cards: Sequence[Card]) -> dict[Card, int]:
    """Strength of each card: higher is better, equal ranks are equal."""
    order = {rank: len(ranking) - place for place, rank in enumerate(ranking)}
    return {card: order[card[:-1]] for card in cards}


@cache
def deck_of(ranking: tuple[str, ...]) -> Deck:
    """The deck with these ranks, best first, in four suits."""
    cards = pack_of(ranking)
    plays = {card: Play(card) for card in cards}
    return Deck(
        cards=cards,
        strength=strengths(ranking, cards),
        plays=plays,
        choices=plays | {card: Play(card) for card in map(place_card, range(len(cards)))},
        discards={card: Discard(card) for card in cards},
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealing:
    """The deal of a hand to the members of the game. Lists have one item for each seat, even those that left."""

    players: tuple[Seat, ...]
    """Players who get cards, one at a time from the dealer's left."""
    cards_each: int
    adversaries: tuple[Seat, ...]
    """The dealer's adversaries, in the order of the deal, without a partner."""
    playing: tuple[bool, ...]


class Terms:
    """Constants for all transitions, and cached answers."""

    def __init__(self, rules: PutRules, seats: int) -> None:
        self.rules = rules
        self.seats = seats
        self.everyone = tuple(Seat(seat) for seat in range(seats))
        self.sides = tuple(seat % 2 for seat in self.everyone) if rules.is_partnership else ()
        side_of = self.sides or self.everyone
        self.allies = tuple(
            tuple(ally for ally in self.everyone if side_of[ally] == side_of[seat]) for seat in self.everyone
        )
        """Listed by seat: the seats that win and lose with it, including itself."""
        self.round_from = tuple(self.everyone[seat:] + self.everyone[:seat] for seat in self.everyone)
        """Listed by seat: all seats clockwise, starting with this one."""
        self.left_of = tuple((*others, seat) for seat, *others in self.round_from)
        """Listed by seat: all seats clockwise, from the left neighbour to itself."""
        self.no_tricks = (0,) * seats
        self.none_thrown: Hands = Hidden(((),) * seats)
        self.none_given: Gifts = Hidden((None,) * seats)
        self.dealing = cache(self._dealing)
        """The deal of a hand, by dealer and members."""
        self.is_one_side = cache(self._is_one_side)
        """True if none of these seats are adversaries."""
        self.ranks = rules.ranks
        self.deck = deck_of(self.ranks)
        self.lead = rules.play.may[Moment.LEAD]
        self.reply = rules.play.may[Moment.REPLY]
        self.has_opening = Moment.OPENING in rules.play.may
        self.has_last_say = Moment.LAST_SAY in rules.play.may
        self.is_final = rules.play.is_final
        self.is_doubling = rules.is_doubling
        self.is_inviting = rules.play.plain is Worth.GAME
        """True if a put only invites the other to concede: every hand decides the game."""

    def _dealing(self, dealer: Seat, members: tuple[Seat, ...]) -> Dealing:
        players = tuple(seat for seat in self.left_of[dealer] if seat in members)
        return Dealing(
            players=players,
            cards_each=self.cards_each(len(players)),
            adversaries=tuple(seat for seat in players if seat not in self.allies[dealer]),
            playing=tuple(seat in members for seat in self.everyone),
        )

    def cards_each(self, players: int) -> int:
        """Cards dealt to each player: one more than the number of players (Willughby c. 1665); in partnerships, of
        sides."""
        return 3 if self.rules.is_partnership else players + 1

    def partner_of(self, seat: Seat) -> Seat:
        one, other = self.allies[seat]
        return other if seat == one else one

    def _is_one_side(self, seats: tuple[Seat, ...]) -> bool:
        return len(seats) == 1 or (bool(self.sides) and len({self.sides[seat] for seat in seats}) == 1)


# Asked at every turn, and until Python 3.12 a member asked of its class costs six times what a name does.
ACCIDENT, DISCARD, ANSWER, PLAY = Moment.ACCIDENT, Moment.DISCARD, Moment.ANSWER, Moment.LEAD
DRAW, DEAL = Purpose.DRAW, Purpose.HAND


class Mishap(Struct, frozen=True, gc=False):
    law: int
    """1 to 5, of the Laws of Put (Enquire Within 1856)."""
    seat: Seat
    """The player whose card was seen, or who has a card too many; under law 3 the dealer."""
    card: Hidden[Card]
    """The card seen, or to be drawn if the deal stands."""


class PutState(Struct, frozen=True, gc=False):
    """Lists have one item for each seat. Seats that left the game stay in them, out of every hand."""

    phase: Purpose | Moment | None
    """The pack to be shuffled, or the decision of the first of `asked`; `PLAY`: the seat to move leads or plays a card.
    None: the game is over."""
    members: tuple[Seat, ...]
    """Players who are in the game."""

    dealer: Seat
    scores: tuple[int, ...]
    paid: tuple[int, ...]
    """Gain of each purse so far."""

    drawing: tuple[Seat, ...] = ()
    """Players who draw, or draw again, for the deal."""
    is_fresh: bool = False
    """The next deal is a redeal, without an accident."""
    hand: int = 0
    hands: Hands = NO_HANDS
    thrown: Hands = NO_HANDS
    """Cards each threw away, giving or discarding."""
    gifts: Gifts = NO_GIFTS
    """The card each gave their partner."""
    mishap: Mishap | None = None
    asked: tuple[Seat, ...] = ()
    """Players to ask in turn: to give, to discard, to put, to answer a put."""
    givers: tuple[Seat, ...] = ()
    playing: tuple[bool, ...] = ()
    """True for each player who is in the hand."""
    tricks: tuple[int, ...] = ()
    length: int = 0
    """Tricks in a hand: the number of cards of each player."""
    eldest: Seat = Seat(0)
    """First to speak and to play."""
    leader: Seat = Seat(0)
    """Leader of the trick on the table."""
    trick_seats: tuple[Seat, ...] = ()
    trick_cards: tuple[Card, ...] = ()
    to_move: Seat | None = None
    past: tuple[TrickView, ...] = ()
    value: int = 1
    """Points the hand is worth."""
    putter: Seat | None = None
    """Player who put in this hand, or doubled last."""
    is_bound: bool = False
    """The seat to move may only play: they raised in this turn and were seen, or an accepted put is final."""
    seers: tuple[Seat, ...] = ()
    """Players who accepted the put."""
    rubber: tuple[int, ...] = ()
    """Games each has won in the rubber."""
