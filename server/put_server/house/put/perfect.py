"""The perfect player: plays a solved game by its table, so no opponent can gain in the long run.

A table (`solved`) has the frequency of each move for every decision of a hand, at every score. The player finds the
entry for its seat's view, and draws a move.
"""

from collections.abc import Mapping, Sequence
from random import Random

from put_protocol.cards import rank_of
from put_protocol.games.put import Play, Put, PutAction, PutView, Redeal, See, ThrowIn
from put_protocol.games.unions import Choice
from put_protocol.seats import Seat
from put_server.house.player import Player, Terms, actions_of
from put_server.house.put import before_play
from put_server.house.put.before_play import Mixture
from put_server.house.put.sharp import Sharp
from put_server.house.put.solved.move_values import chances
from put_server.house.put.solved.payoffs import Variant
from put_server.house.put.solved.position import positions
from put_server.house.put.solved.solution_table import Table, is_shipped, shipped
from put_server.house.put.solved.tree import Move, Say

_SAYS: dict[Say, PutAction] = {Say.PUT: Put(), Say.SEE: See(), Say.THROW: ThrowIn()}
_CHANGING = {"arranged": "", "misdeals": 0}
"""Options that change how hands are dealt, with the values that the solution assumes."""


def table_of(terms: Terms) -> Table | None:
    """Solution of a game for two; None: there is none."""
    return shipped(terms.game) if _has_table(terms) else None


def is_solved(terms: Terms, seats: int) -> bool:
    """True if the house plays this game perfectly. Reads no table. Accidents in the dealing make it another game."""
    usual = all(terms.options.get(name, value) == value for name, value in _CHANGING.items())
    return seats == 2 and usual and _has_table(terms)


def _has_table(terms: Terms) -> bool:
    """True if a table is shipped for this game. Tables are for a rule set with its usual options."""
    try:
        return is_shipped(terms.game) and Variant.of(terms.game, terms.options) == Variant(game=terms.game)
    except ValueError:
        return False


class Perfect(Player):
    """A player for two-handed Put; unsolved games it plays as `Sharp` does. It remembers when in the current hand a put
    was accepted, because a view does not show that."""

    def __init__(self, dice: Random, terms: Terms) -> None:
        super().__init__(dice)
        self._table = table_of(terms)
        self._other = Sharp(dice, terms)
        self._hand: object = None
        self._puts: frozenset[int] = frozenset()
        """Numbers of cards played when this player put or saw."""

    def choose(self, view: PutView, legal: tuple[Choice, ...], seat: Seat) -> PutAction:
        if self._hand != (hand := _hand_id(view, seat)):
            self._hand, self._puts = hand, frozenset()
        action: PutAction = super().choose(view, legal, seat)
        if isinstance(action, Put | See):
            self._puts |= {sum(len(trick.cards) for trick in (*view.past, view.trick))}
        return action

    def mixture(self, view: PutView, legal: tuple[Choice, ...], seat: Seat) -> Mixture:
        actions: list[PutAction] = actions_of(legal)
        if len(actions) == 1:
            return {actions[0]: 1.0}
        if Redeal() in actions:
            verdict = before_play.redeal_or_abide(view)
            return {verdict if verdict in actions else Redeal(): 1.0}
        # A card seen in the dealing makes some of the other's hands likelier than the table assumes. The table is
        # followed nevertheless, because nothing better is known.
        table = self._table
        found = [] if table is None else positions(view, actions, seat, table.tree)
        if table is None or not found:
            return self._other.mixture(view, legal, seat)
        if self._hand == _hand_id(view, seat):
            known = [each for each in found if set(each.puts) == self._puts]
            found = known or found
        mixture = as_actions(chances(table, found), actions, view)
        return mixture or self._other.mixture(view, legal, seat)


def as_actions(mixed: Mapping[Move, float], actions: Sequence[PutAction], view: PutView) -> Mixture:
    """Convert a mixture of moves to one of actions; empty if no action matches a move."""
    ranking = tuple(reversed(view.ranking))
    mixture: Mixture = {}
    for move, chance in mixed.items():
        if isinstance(move, Say):
            action: PutAction | None = _SAYS[move]
        else:
            action = next((a for a in actions if isinstance(a, Play) and rank_of(a.card) == ranking[move]), None)
        if chance > 0 and action is not None and action in actions:
            mixture[action] = chance
    whole = sum(mixture.values())
    return {action: chance / whole for action, chance in mixture.items()}


def _hand_id(view: PutView, seat: Seat) -> object:
    """The hand in play. Games of the same players may begin alike, but not with the same cards."""
    played = [zip(trick.seats, trick.cards, strict=True) for trick in (*view.past, view.trick)]
    dealt = {*view.cards, *(card for cards in played for player, card in cards if player == seat)}
    return view.hand, view.dealer, view.scores, dealt
