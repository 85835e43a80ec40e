"""Opponents to measure `house:student` by: three fixed policies for two-handed Put, and one that feigns weakness.

    put-arena house:student tests/house/opponents.py:Timid --games 600 --in-process --jobs 1 --seed 1

With one job one house meets the bot in all games, and knows it from one to the next.
"""

import random
from typing import ClassVar

from put_client import Bot
from put_client.bots.bot import Record
from put_protocol.cards import Card, rank_of
from put_protocol.games.put import Play, Put, PutView, See, ThrowIn
from put_protocol.games.unions import Action, Choice, GameView
from put_server.house import registry
from put_server.house.player import Player, Terms


class Fixed(Bot):
    """A policy that is the same at every score: it puts and sees from so good a hand, as it counts its cards, and
    bluffs now and then."""

    puts: float = 0.75
    sees: float = 0.65
    bluffs: float = 0.1
    unsure: float = 0.1
    """The most by which it misjudges a hand."""
    counted: ClassVar[int] = 3
    """Cards that it counts, the best first."""
    leads: ClassVar[str] = "best"

    def __init__(self, dice: random.Random | None = None) -> None:
        self.dice = dice or random.Random()

    def choose(self, view: GameView, legal: tuple[Choice, ...]) -> Action:
        assert isinstance(view, PutView)
        actions = [choice.action for choice in legal]
        held = sorted([value(view, card) for card in view.cards], reverse=True)[: self.counted] or [0.5]
        hand = sum(held) / len(held) + self.unsure * (2 * self.dice.random() - 1)
        is_bold = self.dice.random() < self.bluffs
        if See() in actions:
            return See() if hand >= self.sees or is_bold else ThrowIn()
        led = max([value(view, card) for card in view.trick.cards], default=-1.0)
        has_won = len(view.cards) == 1 and 0 <= led < held[0] and view.tricks[self.seat] >= max(view.tricks)
        if Put() in actions and (hand >= self.puts or is_bold or has_won):
            return Put()
        plays = sorted([a for a in actions if isinstance(a, Play)], key=lambda play: value(view, play.card))
        if not plays:
            return actions[0]
        if led < 0:
            return {"best": plays[-1], "middle": plays[len(plays) // 2], "any": self.dice.choice(plays)}[self.leads]
        return next((play for play in plays if value(view, play.card) > led), plays[0])


class Timid(Fixed):
    """Gives up all but good hands."""


class Caller(Fixed):
    """Sees too much, and leads its middle card."""

    puts, sees, bluffs, counted, leads = 0.8, 0.5, 0.05, 2, "middle"


class Loose(Fixed):
    """Puts, sees and leads with much, and not always with the same."""

    puts, sees, bluffs, unsure, counted, leads = 0.65, 0.6, 0.08, 0.15, 2, "any"


class Turncoat(Bot):
    """Plays the solution, but gives up every hand that is put to it until it is three stakes behind; by then one has
    learned to put with everything. Then it plays the solution in full until it has won that back; and again. All copies
    in a process count together."""

    purse, has_turned = 0, False
    before = 0
    """Its own at this table, when it last looked."""

    def __init__(self, dice: random.Random | None = None) -> None:
        self.player: Player = registry.player("perfect", dice or random.Random(), Terms(game="put-1674"))

    def game_over(self, record: Record) -> None:
        Turncoat.purse += record.purse - self.before
        self.before = record.purse
        Turncoat.has_turned = Turncoat.purse < 0 if Turncoat.has_turned else Turncoat.purse <= -3

    def choose(self, view: GameView, legal: tuple[Choice, ...]) -> Action:
        is_asked = any(choice.action == See() for choice in legal)
        action: Action = self.player.choose(view, legal, self.seat)
        return ThrowIn() if is_asked and not Turncoat.has_turned else action


def value(view: PutView, card: Card) -> float:
    """1 for the best rank, 0 for the worst."""
    return 1 - view.ranking.index(rank_of(card)) / (len(view.ranking) - 1)
