"""The student: plays as `perfect` does, learns its opponent, and risks only what it has won on what it learned.

Theory. The solution gains only what an opponent's mistakes lose by themselves. The best response to the mistakes gains
most, but may lose as much to an opponent who makes them as a trap. Ganzfried and Sandholm ("Safe Opponent
Exploitation", 2015) show what is safe: risking the gain above the worth of the game, because after losing it the total
is still that worth. Here the gain is counted in stakes, over games: the payments, less the worth of the first scores by
the table. A game can lose at most one stake. So the student uses its model in a game if its gain, with this game lost,
would still exceed what luck alone may bring; otherwise it plays by the table. If luck was greater than assumed, only
that excess may be lost again.

Against a perfect opponent there is nothing to gain, despite any luck. So the student also requires evidence that the
opponent is not perfect: the likelihood ratio, hand by hand, of their moves by the model (before that hand) and by the
table.

The best response must also value later hands. Against an opponent who makes mistakes, a score is worth more than by the
table, and a gamble for the game less. One number, the `edge`, expresses this: it shifts the log odds of every score,
and less the nearer the other is to the target. Each hand corrects the edge by the value of the best response, less the
expected value of the score.
"""

from collections.abc import Sequence
from math import atanh, sqrt, tanh
from random import Random

from msgspec import Struct

from put_protocol.cards import Card, rank_of
from put_protocol.games.put import Cause, Dealt, DidPut, GameEnded, HandEnded, Played, PutAction, PutView, Saw, ThrewIn
from put_protocol.games.unions import Choice, Event
from put_protocol.seats import Seat
from put_protocol.table_events import GameStarted, Said, Sat, Stood
from put_server.house.player import Terms, actions_of
from put_server.house.put.before_play import Mixture
from put_server.house.put.learned_opponent import Learned, LearnedOpponent
from put_server.house.put.perfect import Perfect, as_actions, is_solved
from put_server.house.put.solved.move_values import best_response, log_likelihood
from put_server.house.put.solved.payoffs import Score
from put_server.house.put.solved.position import Position, Step
from put_server.house.put.solved.rank_sets import Ranks
from put_server.house.put.solved.solution_table import Table, shipped
from put_server.house.put.solved.tree import DEALER, ELDEST, FIRST, End, Move, Say

FORGET = "forget me"
"""The word that makes the house forget a player."""

_EVIDENCE, _OF_A_HAND = 3.0, 2.0
"""Log likelihood ratio of the model to the table above which the model is used; and the most that one hand can add or
subtract."""
_LUCK = 0.5
"""Luck to allow for, in standard deviations of that many games of one stake."""
_SLOWEST, _EARLY = 0.02, 20
"""Lowest rate at which the edge is corrected; and the weight of the first edge, in hands."""
_MOST_EDGE = 2.0
_USUAL_EDGE = 0.7
"""First edge over opponents from whom something was won."""


class Problem(Struct, frozen=True, tag="respond"):
    """A decision, and the model of the opponent: all that another process needs to find a best response."""

    game: str
    position: Position
    learned: Learned
    edge: float

    def solved(self) -> dict[Move, float]:
        """Worth of each move."""
        table, position = shipped(self.game), self.position
        assert table is not None
        opponent = LearnedOpponent(table, self.learned)
        sign = -1 if position.side == ELDEST else 1  # the deal passes: who is eldest now deals next
        worths = {score: sign * shifted(table, 1 - position.side, score, self.edge) for score in table.parts}
        return best_response(opponent, position, worths, opponent.answers(position.score))


def shifted(table: Table, side: int, score: Score, edge: float) -> float:
    """Worth of a score to this side, with this edge over the other."""
    worth = table.parts[score].worth
    return tanh(atanh(worth if side == ELDEST else -worth) + edge * _lasting(table, score[1 - side]))


def _lasting(table: Table, points: int) -> float:
    """Share of the edge that is left when the other has these points, because the edge comes from later hands."""
    target = table.variant.target
    return (2 + target - points) / (2 + target)


class Acquaintance:
    """Knowledge of the student about an opponent."""

    def __init__(self, table: Table) -> None:
        self.model = LearnedOpponent(table)
        self.edge = _USUAL_EDGE
        self.hands = 0
        """Hands that corrected the edge."""
        self.evidence = 0.0
        """Log likelihood ratio of their moves by the model and by the table."""
        self.games = 0
        self.won = 0.0
        """Stakes won, less the worth of the games' first scores; games in play count as lost."""

    def learn(self, table: Table, position: Position) -> None:
        """Learn from a hand, and compare it with the prediction."""
        ratio = log_likelihood(self.model, position) - log_likelihood(table, position)
        self.evidence += min(max(ratio, -_OF_A_HAND), _OF_A_HAND)
        self.model.learn(position)

    def correct(self, table: Table, side: int, score: Score, value: float) -> None:
        """Correct the edge by the value of a hand at this score."""
        self.hands += 1
        worth = shifted(table, side, score, self.edge)
        rate = max(1 / (_EARLY + self.hands), _SLOWEST)
        self.edge = min(
            max(self.edge + rate * (value - worth) / (1 - worth * worth) / _lasting(table, score[1 - side]), 0.0),
            _MOST_EDGE,
        )


class Course:
    """A hand in play, followed from its deal."""

    def __init__(self, table: Table, score: Score, side: int, dealt: Ranks) -> None:
        self._tree = table.tree
        self.position = Position(score, side, dealt, (), FIRST, 0)
        """The current decision, seen from the followed side; after the hand, the last one."""
        self.is_over = False
        self.has_corrected_edge = False

    def follow(self, side: int, move: Move) -> bool:
        """Follow a move. False: the solved game has no such move."""
        at, tree = self.position, self._tree
        if self.is_over or side != tree.actor(at.public) or move not in tree.following(at.public):
            return False
        after, begins = tree.step(at.public, at.at, move)
        at = at._replace(path=(*at.path, Step(at.public, at.at, side, move)))
        self.is_over = isinstance(after, End)
        self.position = at if isinstance(after, End) else at._replace(public=after, at=begins)
        return True


class Student(Perfect):
    """The player. Unsolved games it plays as `Sharp` does, and learns nothing."""

    def __init__(self, dice: Random, terms: Terms) -> None:
        super().__init__(dice, terms)
        self._game = terms.game
        self._learns = is_solved(terms, 2)
        self._notebook = terms.notebook
        self._known: Acquaintance | None = None
        """The opponent; None: not met yet, or must not be learned."""
        self._course: Course | None = None
        """The hand in play; None: not seen from its deal."""
        self._begun: float | None = None
        """Worth of the first score of the game in play; None: the game was not seen from its first hand."""
        self._uses_model = False
        self._values: dict[Move, float] | None = None
        """Worths of the moves of the current decision, once found; empty: not found."""

    def problem(self) -> Problem | None:
        """Work that the next choice needs, which another process may do; then call `take`."""
        course, known = self._course, self._known
        if not self._uses_model or course is None or course.is_over or known is None or self._values is not None:
            return None
        return Problem(self._game, course.position, known.model.learned, known.edge)

    def take(self, values: dict[Move, float] | None) -> None:
        """Choose by these values; None: by the table."""
        self._values = values or {}
        course, known, table = self._course, self._known, self._table
        if values and course is not None and known is not None and table is not None and not course.has_corrected_edge:
            course.has_corrected_edge = True
            known.correct(table, course.position.side, course.position.score, max(values.values()))

    def mixture(self, view: PutView, legal: tuple[Choice, ...], seat: Seat) -> Mixture:
        actions: list[PutAction] = actions_of(legal)
        if len(actions) > 1 and self._values:
            best = max(self._values, key=self._values.__getitem__)
            if mixture := as_actions({best: 1.0}, actions, view):
                return mixture
        return super().mixture(view, legal, seat)

    def choose(self, view: PutView, legal: tuple[Choice, ...], seat: Seat) -> PutAction:
        if len(legal) > 1 and (problem := self.problem()) is not None:
            self.take(problem.solved())
        return super().choose(view, legal, seat)

    def saw(self, view: PutView, events: Sequence[Event], seat: Seat) -> None:
        for event in events:
            match event:
                case GameStarted(names=names):
                    self._meet(names[1 - seat] if len(names) == 2 else "")
                case Sat(seat=who, name=name) if who != seat:
                    self._meet(name)
                case Stood(seat=who) if who != seat:
                    self._meet("")
                case Said(seat=who, name=name, text=text) if who not in (seat, None):
                    if text.strip(" .!").casefold() == FORGET:
                        self._notebook.forget(name)
                        self._meet(name)
                case Dealt(hand=number, eldest=eldest, cards=cards):
                    self._begin(view, number, eldest, seat, tuple(sorted([_rank(view, card) for card in cards])))
                case Played(seat=who, card=card):
                    self._follow(who, seat, _rank(view, card))
                case DidPut(seat=who):
                    self._follow(who, seat, Say.PUT)
                case Saw(seat=who):
                    self._follow(who, seat, Say.SEE)
                case ThrewIn(seat=who, cause=cause):
                    self._follow(who, seat, Say.THROW if cause is Cause.CHOICE else None)
                case HandEnded():
                    self._learn()
                case GameEnded(paid=paid):
                    self._end(paid[seat])
                case _:
                    pass

    def _meet(self, name: str) -> None:
        self._known = self._course = self._begun = self._values = None
        self._uses_model = False
        if (table := self._table) is not None and self._learns and name:
            self._known = self._notebook.of(name, self._game, lambda: Acquaintance(table))

    def _begin(self, view: PutView, number: int, eldest: Seat, seat: Seat, dealt: Ranks) -> None:
        table, known, self._course, self._values = self._table, self._known, None, None
        if table is None or known is None or len(view.scores) != 2:
            return
        score = view.scores[eldest], view.scores[1 - eldest]
        side = ELDEST if eldest == seat else DEALER
        self._course = Course(table, score, side, dealt)
        if number == 1:
            self._begun = shifted(table, side, score, 0.0)
            known.won -= 1 + self._begun  # counted as lost for now: the person may also play at other tables
            self._uses_model = known.evidence >= _EVIDENCE and known.won >= _LUCK * sqrt(known.games)

    def _end(self, paid: int) -> None:
        if self._known is not None and self._begun is not None:
            self._known.games += 1
            self._known.won += 1 + paid
        self._begun, self._uses_model = None, False

    def _follow(self, who: Seat, seat: Seat, move: Move | None) -> None:
        course, self._values = self._course, None
        if course is not None:
            side = course.position.side if who == seat else 1 - course.position.side
            if move is None or not course.follow(side, move):
                self._course = None

    def _learn(self) -> None:
        course, known, self._course = self._course, self._known, None
        if course is not None and known is not None and self._table is not None:
            known.learn(self._table, course.position)


def _rank(view: PutView, card: Card) -> int:
    return len(view.ranking) - 1 - view.ranking.index(rank_of(card))
