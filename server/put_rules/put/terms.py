"""Terms of a game of this family: what a table has agreed on, and its cards."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from put_protocol.cards import Card, pack_of
from put_protocol.games.put import Discard, Moment, Play
from put_protocol.seats import Seat
from put_rules.facts import Hands, Hidden
from put_rules.put.rules import PutRules
from put_rules.put.state import Gifts


@dataclass(frozen=True, slots=True, kw_only=True)
class Deck:
    """The cards of a game. At a table each would cost more memory than the rest of it."""

    cards: tuple[Card, ...]
    """Unshuffled."""
    strength: Mapping[Card, int]
    plays: Mapping[Card, Play]
    """The action that plays each."""
    discards: Mapping[Card, Discard]
    """The action that throws each away."""


def strengths(ranking: Sequence[str], cards: Sequence[Card]) -> dict[Card, int]:
    """The strength of each card: more is better, equal ranks are equal."""
    order = {rank: len(ranking) - place for place, rank in enumerate(ranking)}
    return {card: order[card[:-1]] for card in cards}


@cache
def deck_of(ranking: tuple[str, ...]) -> Deck:
    """The deck of these ranks, best first, in four suits."""
    cards = pack_of(ranking)
    return Deck(
        cards=cards,
        strength=strengths(ranking, cards),
        plays={card: Play(card) for card in cards},
        discards={card: Discard(card) for card in cards},
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealing:
    """The way a hand is dealt between those who are in the game. Lists have an item a seat, those out of it
    included."""

    players: tuple[Seat, ...]
    """Each player who is dealt to, one card at a time from the dealer's left."""
    cards_each: int
    adversaries: tuple[Seat, ...]
    """The dealer's, in the order they are dealt to; a partner is none."""
    playing: tuple[bool, ...]
    no_tricks: tuple[int, ...]
    none_thrown: Hands
    none_given: Gifts


class Terms:
    """Facts that every transition needs and none may change. Answers that are needed at every turn are found here
    once."""

    def __init__(self, rules: PutRules, seats: int) -> None:
        self.rules = rules
        self.seats = seats
        self.everyone = tuple(Seat(seat) for seat in range(seats))
        self.sides = tuple(seat % 2 for seat in self.everyone) if rules.is_partnership else ()
        side_of = self.sides or self.everyone
        self.allies = tuple(
            tuple(ally for ally in self.everyone if side_of[ally] == side_of[seat]) for seat in self.everyone
        )
        """Listed by seat: those that win and lose with it, itself included."""
        self.round_from = tuple(self.everyone[seat:] + self.everyone[:seat] for seat in self.everyone)
        """Listed by seat: all seats clockwise, this one first."""
        self.left_of = tuple((*others, seat) for seat, *others in self.round_from)
        """Listed by seat: all seats clockwise from this one's left, itself last."""
        self.dealing = cache(self._dealing)
        """The way a hand is dealt, by dealer and members."""
        self.is_one_side = cache(self._is_one_side)
        """True if none of these seats has an adversary among them."""
        self.ranks = rules.ranks
        self.deck = deck_of(self.ranks)
        self.lead = rules.play.may[Moment.LEAD]
        self.reply = rules.play.may[Moment.REPLY]
        self.has_opening = Moment.OPENING in rules.play.may
        self.has_last_say = Moment.LAST_SAY in rules.play.may
        self.is_final = rules.play.is_final

    def _dealing(self, dealer: Seat, members: tuple[Seat, ...]) -> Dealing:
        players = tuple(seat for seat in self.left_of[dealer] if seat in members)
        return Dealing(
            players=players,
            cards_each=self.cards_each(len(players)),
            adversaries=tuple(seat for seat in players if seat not in self.allies[dealer]),
            playing=tuple(seat in members for seat in self.everyone),
            no_tricks=(0,) * self.seats,
            none_thrown=Hidden(((),) * self.seats),
            none_given=Hidden((None,) * self.seats),
        )

    def cards_each(self, players: int) -> int:
        """Cards dealt to each: one more than there are players (Willughby c. 1665); in partnerships two sides play."""
        return 3 if self.rules.is_partnership else players + 1

    def partner_of(self, seat: Seat) -> Seat:
        """The player who wins and loses with this one, in a partnership."""
        one, other = self.allies[seat]
        return other if seat == one else one

    def _is_one_side(self, seats: tuple[Seat, ...]) -> bool:
        return len(seats) == 1 or (bool(self.sides) and len({self.sides[seat] for seat in seats}) == 1)
