"""Plays Triomphe Forcée: takes a trick where it can, as cheaply as is safe, and else throws the least card."""

import random

from put_client import Bot
from put_protocol.cards import CARD_ORDER, FOOL, TRUMPS, Card, suit_of
from put_protocol.games.tricks import TrickView
from put_protocol.games.triomphe import Play, TriompheView
from put_protocol.games.unions import Action, Choice, GameView


class Taker(Bot):
    def choose(self, view: GameView, legal: tuple[Choice, ...]) -> Action:
        if not isinstance(view, TriompheView):
            return random.choice(legal).action  # of other games it knows nothing
        plays = [choice.action for choice in legal if isinstance(choice.action, Play)]
        best = best_of(view.trick)
        if best is None:  # it leads
            return max(plays, key=strength)
        taking = [play for play in plays if beats(play.card, best)]
        if not taking:
            return min(plays, key=strength)  # the Fool is the least card of all
        others = [seat for seat, count in enumerate(view.counts) if count and seat != self.seat]
        is_last = set(others) <= set(view.trick.seats)
        return min(taking, key=strength) if is_last else max(taking, key=strength)


def strength(play: Play) -> int:
    """Cards of one suit lie in the order of their strength, and trumps above all suits."""
    return CARD_ORDER[play.card]


def beats(card: Card, other: Card) -> bool:
    """A card takes the trick from the best card before it."""
    if card == FOOL or suit_of(card) not in (suit_of(other), TRUMPS):
        return False
    return CARD_ORDER[card] > CARD_ORDER[other]


def best_of(trick: TrickView) -> Card | None:
    """The card that takes the trick so far; the Fool never does."""
    best: Card | None = None
    for card in trick.cards:
        if card != FOOL and (best is None or beats(card, best)):
            best = card
    return best
