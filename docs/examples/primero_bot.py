"""Plays Primero by what it holds: keeps cards that go together, bets on a made hand, and never bluffs."""

import random
from collections import Counter

from put_client import Bot
from put_protocol.cards import Card, rank_of, suit_of
from put_protocol.games.primero import Announce, Bet, GoOn, Pass, PrimeroView, Raise, Refuse, See, Stand, Trade, Vada
from put_protocol.games.unions import Action, Choice, GameView

POINTS = {"7": 21, "6": 18, "A": 16, "5": 15, "4": 14, "3": 13, "2": 12}
"""Points of a card; court cards are 10."""


class Honest(Bot):
    def choose(self, view: GameView, legal: tuple[Choice, ...]) -> Action:
        if not isinstance(view, PrimeroView):
            return random.choice(legal).action  # of other games it knows nothing
        cards = view.cards
        good = goodness(cards)
        kept = kept_of(cards)

        def liking(action: Action) -> float:
            """The worth of an action; the bot does what has the most."""
            match action:
                case Trade(cards=traded):  # what does not go with the rest
                    return 2 if not set(traded) & set(kept) and good < 1 else -2 - len(traded)
                case Bet(amount=amount) | Raise(amount=amount):
                    return 3 - abs(amount - good) if good >= 1 else -1 - amount
                case See():
                    return 1 if good >= 0.5 else -1
                case Vada():
                    return 1 if good >= 2 else -1
                case Announce():
                    return 0  # the first that is offered: its own
                case Refuse() | Pass() | Stand() | GoOn():
                    return 0
                case _:
                    return -9

        return max([choice.action for choice in legal], key=liking)


def kept_of(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """The cards of the suit that is worth the most."""
    worth: Counter[str] = Counter()
    for card in cards:
        worth[suit_of(card)] += POINTS.get(rank_of(card), 10)
    suit = max(worth, key=lambda each: worth[each]) if worth else ""
    return tuple(card for card in cards if suit_of(card) == suit)


def goodness(cards: tuple[Card, ...]) -> float:
    """0 for nothing, 1 for two cards of one suit or a Primero, 2 for a Fluxus and 3 for a Chorus."""
    suits, ranks = Counter(map(suit_of, cards)), Counter(map(rank_of, cards))
    most = max(suits.values(), default=0)
    if len(cards) == 4:
        return 3 if len(ranks) == 1 else 2 if most == 4 else 1 if most == 1 else 0.5 if most == 3 else 0
    return 1 if most == 2 else sum(POINTS.get(rank_of(card), 10) for card in cards) / 50
