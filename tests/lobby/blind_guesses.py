"""Experiment: a server that uses all it knows guesses the cards of a hand whose key it does not hold.

The guesser has the state of the table, every secret that the server ever drew, the keys of the seats that it holds, and
all entries. It never has the secret of the client. It rules out the cards that it can name. For each place of the
client's hand it makes three guesses:

- `read`: the card that all shares give which the server has. The client's own share is missing, so it is a card of the
  pack by accident alone; then any card that is left is guessed.
- `followed`: the card that would lie there if the client had not moved a card. The server knows its own shuffle.
- `learned`: the card that lay at this place most often in the deals before.
"""

import math
import random
from collections import Counter
from typing import NamedTuple

from put_protocol import messages
from put_protocol.blind.deal import Deal
from put_protocol.blind.group import digest
from put_protocol.blind.keys import key_for
from put_protocol.blind.same_secret import derived
from put_protocol.blind.shares import shares_of
from put_protocol.blind.shuffle import Order, order_of
from put_protocol.cards import Card, place_of
from put_protocol.seats import Seat
from put_rules.record import Chance
from put_server.table.blind_deals import BlindPlay
from tests.lobby.blind_lobby import BlindLobby, Guest

ANN, HOUSE = Seat(0), Seat(1)
HAND = 3


def unmoved(_: bytes, cards: int) -> Order:
    """An order of a client that moves no card."""
    return Order(places=tuple(range(cards)), factors=tuple(range(1, cards + 1)))


class Count(NamedTuple):
    """The guesses of one kind."""

    right: int
    made: int

    def deviation(self, chance: float) -> float:
        """How far the right ones are from what guessing blindly gives, in standard deviations."""
        return (self.right - self.made * chance) / math.sqrt(self.made * chance * (1 - chance))


class Guesser:
    """A server that plays against Ann, and guesses."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.right = Counter[str]()
        self.made = 0
        self._seen: dict[int, Counter[Card]] = {}

    def guess(self, play: BlindPlay, chance: Chance, hand: dict[int, Card]) -> None:
        """`hand`: the cards of Ann by their places, which the guesser is told after its guess."""
        deal = play.game.playing
        assert deal is not None
        known = {card for card in play.pack() if place_of(card) is None}
        left = [card for card in deal.cards if card not in known]
        keys = {seat: key_for(chance.secret, play.game.terms.hash, seat) for seat in play.held}
        followed = self._followed(deal, keys[HOUSE].seed)
        for place, card in hand.items():
            share = shares_of(keys[HOUSE].secret, deal.bases((place,)))
            opened = deal.card(place, share)
            lain = self._seen.setdefault(place, Counter())
            learned = [one for one, _ in lain.most_common() if one in left]
            guesses = {
                "read": opened if opened in left else self.random.choice(left),
                "followed": followed[place] if followed[place] in left else self.random.choice(left),
                "learned": learned[0] if learned else self.random.choice(left),
            }
            for name, guess in guesses.items():
                self.right[name] += guess == card
            self.made += 1
            lain[card] += 1

    def _followed(self, deal: Deal, seed: bytes) -> list[Card]:
        """The pack as it would lie if the server alone had moved cards."""
        shuffle = deal.shuffles[-1]
        assert shuffle.seat == HOUSE
        own = derived(seed, digest("shuffle seed", shuffle.statement.context, shuffle.statement.before.data))
        order = order_of(derived(own, digest("order")), len(deal.cards))
        return [deal.cards[place] for place in order.places]

    def counts(self) -> dict[str, Count]:
        return {name: Count(self.right[name], self.made) for name in ("read", "followed", "learned")}


def guesses(seed: int, deals: int) -> dict[str, Count]:
    """The guesses of so many deals of Put, one game after another."""
    guesser, turn = Guesser(seed), 0
    while guesser.made < HAND * deals:
        rig = BlindLobby(seed * 1_000_003 + turn)
        ann, turn = rig.arrive("Ann"), turn + 1
        number = rig.open(ann, "put-1674", 2)
        rig.sit(ann, number)
        rig.ask(ann, messages.Invite, number, house="steady")
        _play(rig, ann, number, guesser, HAND * deals)
    return guesser.counts()


def _play(rig: BlindLobby, ann: Guest, number: int, guesser: Guesser, most: int) -> None:
    hands = 0
    while guesser.made < most and rig.step():
        if ann.hands > hands:
            hands = ann.hands
            blind = rig.table(number).model.deals.blind
            assert blind is not None
            assert blind.play is not None
            hand = {place: card for token, card in ann.cards.items() if (place := place_of(token)) is not None}
            guesser.guess(blind.play, Chance(secret=rig.drawn[-1]), hand)
