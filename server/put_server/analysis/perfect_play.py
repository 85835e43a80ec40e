"""Perfect play, where it is known: the house's solved games, asked as a seat sees them."""

from collections.abc import Iterable, Mapping

from put_protocol.games.put import (
    Played,
    Saw,
    ThrowIn,
)
from put_protocol.games.unions import (
    Action,
    Event,
)
from put_server.analysis.turns import Faced
from put_server.analysis.verdicts import Opinion
from put_server.games.game import OptionValue
from put_server.house import perfect
from put_server.house.perfect_values import chances, outlook
from put_server.house.player import Terms
from put_server.house.solved.position import Position, positions
from put_server.house.solved.table import Table


def is_solved(game: str, options: Mapping[str, OptionValue], seats: int) -> bool:
    """Whether perfect play is known for a game with these options and so many seats."""
    return perfect.is_solved(Terms(game=game, options=options), seats)


def master_of(game: str, options: Mapping[str, OptionValue]) -> "Solved":
    """The one who plays it perfectly; only where it is solved."""
    table = perfect.table_of(Terms(game=game, options=options))
    assert table is not None, f"nobody has solved {game}"
    return Solved(table)


class Solved:
    """Perfect play of one rule set."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def mixture(self, faced: Faced) -> Mapping[Action, float]:
        """How often it does what, for whoever has always played so."""
        actions = [choice.action for choice in faced.legal]
        place = self._place(faced)
        if place is None:
            return dict.fromkeys([action for action in actions if not isinstance(action, ThrowIn)] or actions, 1.0)
        return perfect.among(chances(self._table, [place]), actions, faced.view)

    def opinion(self, faced: Faced) -> Opinion | None:
        """What it thinks of a decision of the play; of any other, nothing."""
        place = self._place(faced)
        if place is None:
            return None
        actions = [choice.action for choice in faced.legal]
        seen = outlook(self._table, place)
        values: dict[Action, float] = {}
        for move, worth in seen.moves.items():
            (action,) = perfect.among({move: 1.0}, actions, faced.view)
            values[action] = (1 + worth) / 2
        return Opinion(values, perfect.among(seen.chances, actions, faced.view))

    def _place(self, faced: Faced) -> Position | None:
        """Where this is in the solved game. A view does not tell when a put was seen; what was told does."""
        actions = [choice.action for choice in faced.legal]
        puts = tuple(_puts(faced.told))
        found = [each for each in positions(faced.view, actions, faced.seat, self._table.tree) if each.puts == puts]
        return found[0] if found else None


def _puts(told: Iterable[Event]) -> Iterable[int]:
    """At how many cards played each put of the hand was seen."""
    cards = 0
    for event in told:
        match event:
            case Played():
                cards += 1
            case Saw():
                yield cards
            case _:
                pass
