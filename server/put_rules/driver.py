"""Driver of a game: its state, and what the state awaits. Pure.

Used by programs that play a game in their own process: the arena, the environments, conformance, benches and tests.
`Driver` takes single inputs; `turns` is the loop around them.

    driver = Driver(game, Seat(0))
    for seat in driver.turns(shuffled_by(dice)):
        driver.act(dice.choice(game.legal(driver.state)))
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

from put_protocol.cards import Card
from put_protocol.games.unions import Choice, GameView
from put_protocol.seats import Seat, Viewer
from put_rules.facts import Fact
from put_rules.game import Awaits, Game, Over, Shuffle, Turn

Pack = tuple[Card, ...]


class Dice(Protocol):
    """Source of chance; `random.Random` is one."""

    def sample(self, population: Sequence[Card], k: int) -> list[Card]: ...


def shuffled_by(dice: Dice) -> Callable[[Shuffle], Pack]:
    return lambda wanted: tuple(dice.sample(wanted.cards, len(wanted.cards)))


class Driver:
    """One game. An invalid input raises the rules' error, and changes nothing."""

    __slots__ = ("awaits", "facts", "game", "state")

    def __init__(self, game: Game[Any, Any], dealer: Seat | None = None) -> None:
        """`dealer` deals the first hand; None: the players draw for the deal."""
        self.game = game
        self.start(game.begin(dealer))

    def start(self, state: Any) -> None:
        """Go on from this state."""
        self.state = state
        self.facts: tuple[Fact, ...] = ()
        """Facts of the last input."""
        self.awaits: Awaits = self.game.awaits(state)

    @property
    def is_game_over(self) -> bool:
        return isinstance(self.awaits, Over)

    def view(self, viewer: Viewer) -> GameView:
        view: GameView = self.game.view(self.state, viewer)
        return view

    def choices(self) -> tuple[Choice, ...]:
        return self.game.choices(self.state)

    def deal(self, pack: Pack, luck: int | None = None) -> tuple[Fact, ...]:
        return self._advance(self.game.deal(self.state, pack, luck))

    def act(self, action: Any) -> tuple[Fact, ...]:
        """Carry out an action of the seat to move."""
        return self._advance(self.game.act(self.state, action))

    def leave(self, seat: Seat) -> tuple[Fact, ...]:
        return self._advance(self.game.leave(self.state, seat))

    def expire(self) -> tuple[Fact, ...]:
        return self._advance(self.game.expire(self.state))

    def _advance(self, result: tuple[Any, tuple[Fact, ...]]) -> tuple[Fact, ...]:
        self.state, self.facts = result
        self.awaits = self.game.awaits(self.state)
        return self.facts

    def turns(self, shuffled: Callable[[Shuffle], Pack]) -> Iterator[Seat]:
        """Deal the packs that the game wants, and yield each seat to move. The caller acts for the seat before the next
        turn."""
        while not isinstance(awaits := self.awaits, Over):
            if isinstance(awaits, Turn):
                yield awaits.seat
            else:
                self.deal(shuffled(awaits))
