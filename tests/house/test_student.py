"""The student: it learns a fixed opponent, exploits them, and risks what it has won and no more."""

from collections.abc import Sequence
from itertools import count
from math import atanh
from random import Random

import pytest

from put_protocol.games.put import Moment, PutView, ThrowIn
from put_protocol.games.unions import Choice, Event
from put_protocol.seats import Seat
from put_protocol.table_events import GameStarted, Said
from put_rules.driver import Driver, shuffled_by
from put_rules.game import Over, Turn
from put_rules.registry import GAMES
from put_server.house import registry
from put_server.house.player import Notebook, Player, Terms
from put_server.house.put.before_play import Mixture
from put_server.house.put.beginner import Beginner
from put_server.house.put.learned_opponent import LearnedOpponent
from put_server.house.put.solved.rank_sets import hands_of
from put_server.house.put.solved.solution_table import Table, shipped
from put_server.house.put.solved.tree import DEALER, ELDEST, FIRST, PublicState, Say
from put_server.house.put.student import Acquaintance, Course, Problem, Student, shifted

pytestmark = pytest.mark.timeout(120)  # best responses, and hundreds of hands learned

GAME = "put-1674"

SHORT = 5
"""Number of a game in which the student is asked little; each answer takes it most of a second."""


def table_of_put() -> Table:
    table = shipped(GAME)
    assert table is not None
    return table


def tell(student: Student, driver: Driver, *events: Event) -> None:
    """Tell a student in seat 0 this, and what happened last, as its seat saw it."""
    seen = [*events, *(event for fact in driver.facts if (event := fact.seen_by(Seat(0))) is not None)]
    view = driver.view(Seat(0))
    assert isinstance(view, PutView)
    student.saw(view, seen, Seat(0))


def play_game(student: Student, other: Player, number: int, name: str = "Moll") -> bool:
    """A game of the student in seat 0; returns whether it won."""
    driver, packs = Driver(GAMES[GAME].make(2, {}), Seat(number % 2)), count(1)
    tell(student, driver, GameStarted(number, ("Doll", name)))
    while not isinstance(awaits := driver.awaits, Over):
        if isinstance(awaits, Turn):
            mover: Player = (student, other)[awaits.seat]
            driver.act(mover.choose(driver.view(awaits.seat), driver.choices(), awaits.seat))
        else:
            driver.deal(shuffled_by(Random(f"{number} {next(packs)}"))(awaits))
        tell(student, driver)
    return driver.game.paid(driver.state)[0] > 0


def hand_over(course: Course, moves: Sequence[tuple[int, Say | int]]) -> None:
    assert all(course.follow(side, move) for side, move in moves)


def seeing(model: LearnedOpponent, hand: tuple[int, ...], public: PublicState | None = None) -> float:
    """The chance that a dealer with this hand sees a put there; before the first card, if it is not said."""
    public = public or FIRST._replace(moment=Moment.ANSWER, putter=ELDEST)
    return dict(zip(model.tree.says(public), model.chances((0, 0), public, 0, hand), strict=True))[Say.SEE]


def watch_threes(model: LearnedOpponent, hands_seen: int) -> None:
    """So many hands of a dealer who sees a put before the first card with a three alone. They are shown when they see,
    and never else."""
    dice, hands = Random(5), hands_of(13, 3).hands
    for _ in range(hands_seen):
        mine, theirs = dice.sample([rank for rank in range(13) for _ in range(4)], 6)[:3], dice.choice(hands)
        course = Course(table_of_put(), (0, 0), ELDEST, tuple(sorted(mine)))
        hand_over(course, [(ELDEST, Say.PUT)])
        if theirs[-1] == 12:
            hand_over(course, [(DEALER, Say.SEE), (ELDEST, min(mine)), (DEALER, theirs[-1])])
        else:
            hand_over(course, [(DEALER, Say.THROW)])
        model.learn(course.position)


@pytest.fixture(scope="module")
def taught() -> LearnedOpponent:
    """A model that has watched thirty hands."""
    model = LearnedOpponent(table_of_put())
    watch_threes(model, 30)
    return model


def test_model_learns_from_hands_that_it_never_sees_which_are_thrown_in(taught: LearnedOpponent) -> None:
    """An opponent who sees a put with a three alone."""
    assert seeing(taught, (7, 8, 9)) < seeing(LearnedOpponent(table_of_put()), (7, 8, 9)) / 3
    assert seeing(taught, (10, 12, 12)) > 3 * seeing(taught, (7, 8, 9))


def test_model_foresees_answers_at_a_moment_that_it_has_not_seen(taught: LearnedOpponent) -> None:
    """An opponent who judges a hand by its best card before the first trick does so after it, too."""
    asked = PublicState(Moment.ANSWER, 1, ELDEST, 1, putter=ELDEST)

    def prefers_threes(model: LearnedOpponent) -> float:
        with_three, without = (seeing(model, hand, asked) for hand in ((0, 12), (8, 9)))
        return with_three - without

    assert prefers_threes(taught) > prefers_threes(LearnedOpponent(table_of_put())) + 0.2


def test_model_finds_the_rule_by_which_a_word_is_said() -> None:
    """An opponent who puts from a sum of 21 on, whatever their best card is."""
    model, dice = LearnedOpponent(table_of_put()), Random(6)
    for _ in range(70):
        cards = dice.sample([rank for rank in range(13) for _ in range(4)], 6)
        theirs = tuple(sorted(cards[3:]))
        course = Course(table_of_put(), (0, 0), DEALER, tuple(sorted(cards[:3])))
        if sum(theirs) >= 21:
            hand_over(course, [(ELDEST, Say.PUT), (DEALER, Say.SEE), (ELDEST, max(theirs)), (DEALER, cards[0])])
        else:
            hand_over(course, [(ELDEST, max(theirs)), (DEALER, Say.PUT), (ELDEST, Say.THROW)])
        model.learn(course.position)

    def putting(hand: tuple[int, ...]) -> float:
        return dict(zip(model.tree.moves_of(FIRST, hand), model.chances((0, 0), FIRST, 0, hand), strict=True))[Say.PUT]

    assert putting((6, 8, 9)) > 0.7
    assert putting((0, 6, 12)) < 0.5


def test_model_notes_a_change_of_mind() -> None:
    """An opponent who throws in to puts though that loses the game, and then sees every one."""
    model = LearnedOpponent(table_of_put())
    asked = FIRST._replace(moment=Moment.ANSWER, putter=ELDEST)
    after = []
    for answer, hands in ((Say.THROW, 20), (Say.SEE, 4)):
        for _ in range(hands):
            course = Course(table_of_put(), (4, 0), ELDEST, (3, 6, 9))
            hand_over(course, [(ELDEST, Say.PUT), (DEALER, answer)])
            model.learn(course.position)
        after.append(dict(zip(model.tree.says(asked), model.chances((4, 0), asked, 0, (2, 4, 6)), strict=True)))
    assert after[0][Say.SEE] < 0.1
    assert after[1][Say.SEE] > 0.8


def test_best_response_puts_with_nothing_to_one_who_always_throws_in() -> None:
    """And to one who always sees it leads instead."""
    table = table_of_put()
    for answer, puts in ((Say.THROW, True), (Say.SEE, False)):
        model = LearnedOpponent(table)
        for hand in hands_of(13, 3).hands[::100]:
            course = Course(table, (0, 0), ELDEST, (0, 1, 2))
            hand_over(course, [(ELDEST, Say.PUT), (DEALER, answer)])
            model.learn(course.position._replace(dealt=hand))
        values = Problem(GAME, Course(table, (0, 0), ELDEST, (0, 1, 2)).position, model.learned, 0.0).solved()
        assert (max(values, key=values.__getitem__) is Say.PUT) == puts


def test_edge_counts_for_less_the_nearer_the_other_is_to_the_target() -> None:
    """Fewer hands are then to come in which they make mistakes."""
    table = table_of_put()

    def moved_at(points: int) -> float:
        return atanh(shifted(table, ELDEST, (0, points), 0.7)) - atanh(shifted(table, ELDEST, (0, points), 0.0))

    assert moved_at(0) == pytest.approx(0.7)
    assert moved_at(0) > moved_at(2) > moved_at(4) > 0


class NeverSees(Beginner):
    """A beginner who throws in to every put."""

    def mixture(self, view: PutView, legal: tuple[Choice, ...], seat: Seat) -> Mixture:
        return {ThrowIn(): 1.0} if view.moment is Moment.ANSWER else super().mixture(view, legal, seat)


def test_student_takes_more_from_a_fixed_policy_than_perfect_does() -> None:
    """While it is learned. The same seeds give the same games."""
    won = []
    for gained in (9.0, -99.0):
        notebook = Notebook()
        student = Student(Random(1), Terms(game=GAME, notebook=notebook))
        known = notebook.of("Moll", GAME, lambda: Acquaintance(table_of_put()))
        known.won, known.evidence = gained, 9.0
        won.append(play_game(student, NeverSees(Random(2)), SHORT))
    assert won == [True, False]


def test_student_plays_from_the_table_until_it_has_won_and_when_that_is_lost() -> None:
    """Nothing is worked out in its first game, nor after it lost what it had won, nor where the other seems to make no
    mistakes."""
    notebook, terms = Notebook(), Terms(game=GAME)
    student = Student(Random(1), Terms(game=GAME, notebook=notebook))
    known = notebook.of("Moll", GAME, lambda: Acquaintance(table_of_put()))
    beginner = registry.player("beginner", Random(2), terms)
    for won, evidence, risks in ((0.0, 9.0, False), (10.0, 9.0, True), (0.5, 9.0, False), (10.0, -9.0, False)):
        known.won, known.evidence = won, evidence
        play_game(student, beginner, SHORT)
        assert (known.hands > 0) == risks
        known.hands = 0


def test_student_tells_mistakes_from_the_solution() -> None:
    """What a fixed policy does is soon likelier by the model than by the table; what `perfect` does is not."""
    found = []
    for other in (NeverSees(Random(2)), registry.player("perfect", Random(2), Terms(game=GAME))):
        notebook = Notebook()
        student = Student(Random(1), Terms(game=GAME, notebook=notebook))
        known = notebook.of("Moll", GAME, lambda: Acquaintance(table_of_put()))
        known.won = -99.0
        for number in range(2):
            play_game(student, other, number)
        found.append(known.evidence)
    mistakes, solution = found
    assert mistakes > 3.0 > solution


def test_student_forgets_who_asks_for_it() -> None:
    """Who says so at the table, and who is forgotten by the house; others are remembered."""
    notebook = Notebook()
    student = Student(Random(1), Terms(game=GAME, notebook=notebook))
    for name in ("Moll", "Ned"):
        play_game(student, registry.player("beginner", Random(2), Terms(game=GAME)), 1, name)
    met = {name: notebook.of(name, GAME, lambda: Acquaintance(table_of_put())) for name in ("Moll", "Ned")}
    assert all(each.model.learned.counts for each in met.values())
    driver = Driver(GAMES[GAME].make(2, {}), Seat(0))
    tell(student, driver, Said("Moll", "Forget me!", Seat(1)))
    notebook.forget("nobody")
    assert not notebook.of("Moll", GAME, lambda: Acquaintance(table_of_put())).model.learned.counts
    assert notebook.of("Ned", GAME, lambda: Acquaintance(table_of_put())) is met["Ned"]
    notebook.forget("Ned")
    assert not notebook.of("Ned", GAME, lambda: Acquaintance(table_of_put())).model.learned.counts
