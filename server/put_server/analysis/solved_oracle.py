"""Perfect play, if known: the shipped solutions, queried with a seat's view."""

from collections.abc import Iterable, Mapping

from put_protocol.analysis import CERTAIN, Situation
from put_protocol.games.put import Played, PutAction, Saw, ThrowIn
from put_protocol.games.unions import Event
from put_rules.game import OptionValue
from put_server.analysis.evaluation import COSTLY, Evaluation
from put_server.house.player import Terms, actions_of
from put_server.house.put import perfect
from put_server.house.put.solved.move_values import chances, move_values
from put_server.house.put.solved.position import Position, positions
from put_server.house.put.solved.solution_table import Table


def is_solved(game: str, options: Mapping[str, OptionValue], seats: int) -> bool:
    return perfect.is_solved(Terms(game=game, options=options), seats)


def oracle_of(game: str, options: Mapping[str, OptionValue]) -> "SolvedOracle":
    table = perfect.table_of(Terms(game=game, options=options))
    assert table is not None, f"{game} is not solved with these options"
    return SolvedOracle(table)


class SolvedOracle:
    def __init__(self, table: Table) -> None:
        self._table = table

    def policy(self, situation: Situation) -> Mapping[PutAction, float]:
        actions: list[PutAction] = actions_of(situation.legal)
        place = self._place(situation)
        if place is None:
            return dict.fromkeys([action for action in actions if not isinstance(action, ThrowIn)] or actions, 1.0)
        return perfect.as_actions(chances(self._table, [place]), actions, situation.put)

    def evaluation(self, situation: Situation) -> Evaluation | None:
        """None if it is no decision of the play. Moves of the table that cost as much as a costly decision by these
        values are left out; if all do, the best is perfect play."""
        place = self._place(situation)
        if place is None:
            return None
        actions: list[PutAction] = actions_of(situation.legal)
        seen = move_values(self._table, place)
        policy = perfect.as_actions(seen.chances, actions, situation.put)
        values: dict[PutAction, float] = {}
        for move, worth in seen.moves.items():
            (action,) = perfect.as_actions({move: 1.0}, actions, situation.put)
            values[action] = (1 + worth) / 2
        # A solution says little of decisions that the other's perfect play never comes to, or almost never: a move of
        # the table may be bad there.
        least = max(values.values()) - COSTLY / CERTAIN
        kept = {action: share for action, share in policy.items() if values[action] > least}
        if not kept:
            return Evaluation(values, {max(values, key=values.__getitem__): 1.0})
        whole = sum(kept.values())
        return Evaluation(values, {action: share / whole for action, share in kept.items()})

    def _place(self, situation: Situation) -> Position | None:
        """The position in the solved game. The events show when a put was accepted; a view does not."""
        actions: list[PutAction] = actions_of(situation.legal)
        puts = tuple(_puts(situation.seen))
        found = [
            each for each in positions(situation.put, actions, situation.seat, self._table.tree) if each.puts == puts
        ]
        return found[0] if found else None


def _puts(seen: Iterable[Event]) -> Iterable[int]:
    """Number of cards played before each accepted put of the hand."""
    cards = 0
    for event in seen:
        if isinstance(event, Played):
            cards += 1
        elif isinstance(event, Saw):
            yield cards
