"""Counts the cards it has not seen, learns how others answer, weighs what each choice may win and lose, and bluffs."""

import random
from itertools import product
from math import comb, prod

from put_client import Bot
from put_protocol.cards import Card, pack_of, rank_of
from put_protocol.games import put
from put_protocol.games.unions import Action, Choice, Event, GameView


class Bluffer(Bot):
    def __init__(self, dice: random.Random | None = None) -> None:
        self.dice = dice or random.Random()
        self.hands, self.puts = 4, 2  # dealt, and others' puts in them: who seldom puts has it when they do
        self.answers, self.sees = 4, 2  # of others to our puts: who seldom sees is easily frightened

    def saw(self, event: Event, view: GameView | None) -> None:
        self.hands += isinstance(event, put.Dealt)
        self.puts += isinstance(event, put.DidPut | put.Doubled) and event.seat != self.seat
        if not isinstance(event, put.Saw | put.ThrewIn) or event.seat == self.seat:
            return
        if isinstance(view, put.PutView) and view.putter == self.seat:
            self.answers, self.sees = self.answers + 1, self.sees + isinstance(event, put.Saw)

    def choose(self, view: GameView, legal: tuple[Choice, ...]) -> Action:
        actions = [choice.action for choice in legal]
        if not isinstance(view, put.PutView):
            return self.dice.choice(actions)  # of games that are no relatives of Put it knows nothing
        if self.dice.random() < 0.05:  # whatever it holds, so that its puts never tell
            actions = [action for action in actions if isinstance(action, put.Put | put.Double)] or actions
        return max(actions, key=lambda action: self.worth(view, action))

    def worth(self, view: put.PutView, action: Action) -> float:
        """The chance to win the game after this, as far as it can be told from here."""
        rivals = [s for s, _ in enumerate(view.scores) if s != self.seat and (not view.sides or (s - self.seat) % 2)]
        need, theirs = view.target - view.scores[self.seat], view.target - max(view.scores[seat] for seat in rivals)
        share = 2 - 2 * len(rivals) / len(view.scores)  # of two players' chances, where there are more

        def hand(chance: float, worth: put.Worth, points: int) -> float:
            win, lose = race(need - points, theirs), race(need, theirs - points)
            return (chance * win + (1 - chance) * lose) * share if worth is put.Worth.VALUE else chance

        match action:
            case put.Play(card=card):
                decides = view.accepted if view.seen_by and not view.is_doubling else view.plain
                return hand(self.chance(view, card), decides, view.value) - strength(view, card) / 1000
            case put.Put() | put.Double():
                fear = (1 - self.sees / self.answers) ** sum(view.playing[seat] for seat in rivals)
                seen = hand(self.chance(view, None, self.answers / self.sees), view.accepted, 2 * view.value)
                return fear * race(need - view.value, theirs) * share + (1 - fear) * seen
            case put.See():
                return hand(self.chance(view, None, self.hands / self.puts), view.accepted, 2 * view.value)
            case put.ThrowIn():
                return race(need, theirs - view.value) * share
            case put.Discard(card=card):
                return -strength(view, card)
            case put.Let():
                return sum(strength(view, card) for card in view.cards) / len(view.cards)
            case _:
                return hand(self.chance(view, None), view.plain, view.value) if view.tricks else 0.5

    def chance(self, view: put.PutView, card: Card | None, daring: float = 1.0) -> float:
        """Chance of most tricks, playing this card or the best, if each meets the best of so many cards not seen."""
        table = [strength(view, other) for other in view.trick.cards]
        if card is None and table and self.seat not in view.trick.seats:
            return max(self.chance(view, mine, daring) for mine in view.cards)
        known = {*view.cards, *view.thrown, *view.trick.cards, *(other for trick in view.past for other in trick.cards)}
        unseen = [strength(view, other) for other in pack_of(view.ranking) if other not in known]
        rivals = max(1, sum(view.playing) - 1) * max(1.0, daring) * (2 if view.givers else 1)  # given cards are good
        ahead = view.tricks[self.seat] - max(n for seat, n in enumerate(view.tricks) if seat != self.seat)
        tricks = []
        for mine in view.cards:
            at = strength(view, mine)
            wins, holds = ((sum(map(beats, unseen)) / len(unseen)) ** rivals for beats in (at.__gt__, at.__ge__))
            if mine == card and table:
                wins, holds = float(at > max(table)), float(at >= max(table))
            tricks.append(((1, wins), (0, holds - wins), (-1, 1 - holds)))
        ends = ((ahead + sum(by for by, _ in end), prod(odds for _, odds in end)) for end in product(*tricks))
        return sum(odds * (0.5 if by == 0 else by > 0) for by, odds in ends)


def strength(view: put.PutView, card: Card) -> float:
    """1 for the best rank there is, 0 for the worst."""
    return 1 - view.ranking.index(rank_of(card)) / (len(view.ranking) - 1)


def race(need: int, theirs: int) -> float:
    """The chance to be first to so many points where each is as likely to go to either."""
    rounds = max(0, need + theirs - 1)
    wins = sum(comb(rounds, won) for won in range(max(0, need), rounds + 1))
    return wins / 2.0**rounds if min(need, theirs) > 0 else float(need <= 0)
