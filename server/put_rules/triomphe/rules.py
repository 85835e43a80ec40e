"""The rule set of Triomphe Forcée, its options, the terms of a table, and the rules of cards.

The source is Dummett 1980, after the *Maison académique* of 1659.
"""

from collections.abc import Mapping, Sequence

from put_protocol.cards import FOOL, LE_BASTELEUR, TAROT_PACK, TAROT_SUITS, TRUMPS, Card, suit_of
from put_protocol.games.triomphe import Play
from put_protocol.offers import GameOffer, OptionOffer
from put_protocol.seats import Direction, Seat
from put_rules import sitting
from put_rules.game import OptionValue
from put_rules.prose import Gist, Line, Prose, with_prose

CARDS_EACH = 5
"""Cards dealt to each player, and number of tricks in a hand."""

_PROSE: Prose = (
    Line("stake", "rules-triomphe-players", is_gist=True),
    *map(Gist, ("rules-triomphe-trumps", "rules-triomphe-long", "rules-triomphe-round", "rules-triomphe-la-mort")),
    "rules-triomphe-paid",
    Line("force", "rules-triomphe-force"),
    "rules-triomphe-emptied",
    "rules-triomphe-tricks",
    *map(Gist, ("rules-triomphe-follow", "rules-triomphe-trump", "rules-triomphe-takes")),
    "rules-triomphe-leads",
    "rules-triomphe-fool",
    "rules-triomphe-fool-led",
    Gist("rules-triomphe-pool"),
    "rules-triomphe-two-each",
    "rules-triomphe-one-each",
    "rules-triomphe-deal",
    Line("hands", "rules-triomphe-sitting"),
)

_OFFER = GameOffer(
    name="triomphe-forcee",
    title="Triomphe Forcée",
    source="offer-triomphe-forcee-source",
    summary="offer-triomphe-forcee-summary",
    seats=tuple(range(4, 11)),
    options=(
        OptionOffer(name="force", meaning="offer-force", default=11, values=(11, 9)),
        OptionOffer(name="hands", meaning="offer-hands", default=12, least=1, most=99),
        OptionOffer(name="stake", meaning="offer-stake", default=2, values=(2, 3)),
    ),
    family="triomphe",
    direction=Direction.COUNTER_CLOCKWISE,
)

OFFER = with_prose(_OFFER, _PROSE)
"""The only rule set of this family."""

PLAYS: Mapping[Card, Play] = {card: Play(card) for card in TAROT_PACK}

_TRUMP_STRENGTH = 100


def _by_suit() -> dict[Card, int]:
    found = {FOOL: 0}
    for suit in (*TAROT_SUITS, TRUMPS):
        cards = [card for card in TAROT_PACK if suit_of(card) == suit and card != FOOL]
        lowest_is = _TRUMP_STRENGTH + 1 if suit == TRUMPS else 1
        found |= {card: place for place, card in enumerate(cards, lowest_is)}
    return found


STRENGTH: Mapping[Card, int] = _by_suit()
"""Strength of each card in its suit, from 1 for the lowest; trumps are above all suits, and the Fool has 0."""

_PLACE = {card: place for place, card in enumerate(sorted(TAROT_PACK, key=STRENGTH.__getitem__))}
"""Sort key from the lowest card to the highest; equally low cards are sorted by suit."""

_SUIT: Mapping[Card, str] = {card: "" if card == FOOL else suit_of(card) for card in TAROT_PACK}
"""Suit of each card; empty for the Fool."""

_OF_SUIT = {suit: frozenset(card for card in TAROT_PACK if _SUIT[card] == suit) for suit in (*TAROT_SUITS, TRUMPS)}


def suit_led(cards: Sequence[Card]) -> str:
    """Suit of a trick; empty: the next card sets it, because there is no card yet, or only the Fool."""
    if not cards:
        return ""
    led = _SUIT[cards[0]]
    if led or len(cards) == 1:
        return led
    return _SUIT[cards[1]]


def playable(hand: Sequence[Card], trick: Sequence[Card]) -> Sequence[Card]:
    """Cards of a hand that may be played to a trick: of the suit led, otherwise trumps, otherwise any; the Fool
    always."""
    led = suit_led(trick)
    if not led:
        return hand
    for suit in (led, TRUMPS):
        if not _OF_SUIT[suit].isdisjoint(hand):
            return [card for card in hand if card in _OF_SUIT[suit] or card == FOOL]
    return hand


def lowest(cards: Sequence[Card]) -> Card:
    """Card to play for an absent player: the Fool, then the lowest card of any suit, then trumps."""
    return min(cards, key=_PLACE.__getitem__)


def taker(seats: Sequence[Seat], cards: Sequence[Card]) -> Seat:
    """The player who takes a complete trick: with the highest trump, otherwise the highest card led. The Fool never
    takes."""
    led = suit_led(cards)
    best, winner = -1, seats[0]
    for seat, card in zip(seats, cards, strict=True):
        strength = STRENGTH[card]
        if strength > best and (strength > _TRUMP_STRENGTH or _SUIT[card] == led):
            best, winner = strength, seat
    return winner


class Terms(sitting.Terms):
    def __init__(self, seats: int, options: Mapping[str, OptionValue]) -> None:
        super().__init__(seats, options)
        self.stake = int(options["stake"])
        self.force = Card(f"{options['force']}{TRUMPS}")
        self.dues: Mapping[Card, int] = {FOOL: self.stake, LE_BASTELEUR: self.stake, self.force: 2 * self.stake}
        """Payment for each declared card, in the order of declarations."""
