"""Bets on what it has: puts and sees with a good hand, and gives up a bad one where that is allowed."""

import random

from put_client import Bot
from put_protocol.cards import Card, rank_of
from put_protocol.games.put import Discard, Double, Give, Let, Moment, Play, Put, PutView, Redeal, See, ThrowIn
from put_protocol.games.unions import Action, Choice, GameView

PUTS, SEES, PLAYS = 0.75, 0.8, 0.35
"""Least value of a hand to put, to see a put, and to play it at all. 1 is nothing but threes."""


class Honest(Bot):
    def choose(self, view: GameView, legal: tuple[Choice, ...]) -> Action:
        if not isinstance(view, PutView):
            return random.choice(legal).action  # of games that are no relatives of Put it knows nothing
        strength = {card: strength_of(view, card) for card in view.cards}
        best_two = sorted(strength.values())[-2:]  # of three tricks two are enough
        hand = sum(best_two) / len(best_two) if best_two else 0.5
        puts, sees = (0.6, 0.5) if view.is_doubling else (PUTS, SEES)  # a double costs points, a put the game
        lead = max((strength_of(view, card) for card in view.trick.cards), default=-1.0)  # what is to be beaten

        def liking(choice: Choice) -> float:
            """The worth of an action; the bot does what has the most."""
            match choice.action:
                case Put() | Double():
                    return 3 if hand >= puts else -1
                case See():
                    return 3 if hand >= sees else 1
                case ThrowIn():
                    if view.moment is Moment.ANSWER:
                        return 2
                    return 2 if hand < PLAYS else -2
                case Play(card=card) if not view.trick.cards:
                    return strength[card]  # the best card first
                case Play(card=card):
                    return (strength[card] > lead) - strength[card] / 2  # as cheaply as it can, or the worst it has
                case Discard(card=card):
                    return -strength[card]
                case Let():
                    return 1 if hand >= 0.5 else -1  # with good cards it plays for both
                case Give() | Redeal():
                    return 0.5
                case _:
                    return 0

        return max(legal, key=liking).action


def strength_of(view: PutView, card: Card) -> float:
    """1 for the best rank there is, 0 for the worst."""
    return 1 - view.ranking.index(rank_of(card)) / (len(view.ranking) - 1)
