"""Notes for beginners: each at its moment, once, in words that the rules bear out."""

import pytest
from msgspec.structs import replace

from put_protocol.cards import Card
from put_protocol.games.put import (
    DidPut,
    Double,
    GameEnded,
    GameWon,
    Play,
    Put,
    PutView,
    Saw,
    See,
    ThrowIn,
    TrickEnded,
    Worth,
)
from put_protocol.games.unions import Choice, Event
from put_protocol.messages import Decision, Events, TableSnapshot
from put_protocol.seats import GALLERY, Seat, Viewer
from put_protocol.table_info import ClockInfo, SeatInfo, TableInfo
from put_rules.game import Turn
from put_text.lessons import LESSONS, NAMES, Lessons
from tests.conformance.random_games import Act
from tests.conformance.tables import Table, at_every_table, games_at

YOU, MOLL = Seat(0), Seat(1)
INFO = TableInfo(7, "put-1674", {}, (SeatInfo("Will"), SeatInfo("Moll")), ClockInfo())
VIEW = PutView(target=5, scores=(0, 0), hand=1, eldest=YOU, cards=(Card("3s"),), ranking=("3", "2", "A", "K", "Q"))
LEAD = (Choice(Play(Card("3s")), "lead the 3 of spades"),)
PUT = Choice(Put(), 'say "I put": they throw in for a point, or this hand decides the game')
ANSWER = (
    Choice(See(), "see the put: this hand decides the game"),
    Choice(ThrowIn(), "throw in your cards and give up a point"),
)


def at_table(viewer: Viewer = YOU, view: PutView = VIEW, known: tuple[str, ...] = ()) -> Lessons:
    lessons = Lessons(known)
    assert lessons.take(TableSnapshot(7, viewer, 1, INFO, view=view)) == ()
    return lessons


def asked(lessons: Lessons, *legal: Choice) -> list[str]:
    return [lesson.name for lesson in lessons.take(Decision(7, 1, "Lead.", legal))]


def told(lessons: Lessons, *events: Event, view: PutView | None = None) -> list[str]:
    return [lesson.name for lesson in lessons.take(Events(7, 1, events, view=view))]


def test_first_lead_says_that_you_are_eldest_and_which_cards_are_best() -> None:
    """Once, and the put at the next chance."""
    lessons = at_table()
    (lesson,) = lessons.take(Decision(7, 1, "Lead.", (*LEAD, PUT)))
    assert lesson.name == "put.lead"
    assert lesson.says.startswith(
        "You are eldest: you play first. The most tricks win the hand and a point, and 5 points the game. Play any card"
    )
    assert lesson.says.endswith("3, 2, ace, king are the best, in that order.")
    assert asked(lessons, *LEAD, PUT) == ["put.put"]
    assert asked(lessons, *LEAD, PUT) == []


def test_put_that_risks_nothing_is_pointed_out() -> None:
    """Where the other needs one point, and the hand may end the game anyway; not before, nor among three."""
    known = ("put.lead", "put.put")
    close = replace(VIEW, scores=(1, 4))
    (lesson,) = at_table(view=close, known=known).take(Decision(7, 1, "Lead.", (*LEAD, PUT)))
    assert lesson.name == "put.last"
    assert lesson.says.startswith("Moll needs one more point")
    for view in (
        VIEW,
        replace(close, scores=(4, 1)),
        replace(close, scores=(1, 4, 0)),
        replace(close, plain=Worth.GAME),
    ):
        assert asked(at_table(view=view, known=known), *LEAD, PUT) == []
    assert asked(at_table(view=close, known=known), *LEAD) == []


def test_first_put_of_the_other_says_what_either_answer_brings() -> None:
    """In the server's words, which differ from rule set to rule set."""
    lessons = at_table()
    assert told(lessons, DidPut(MOLL)) == []
    (lesson,) = lessons.take(Decision(7, 2, "See?", ANSWER))
    assert lesson.name == "put.answer"
    assert "this hand decides the game" in lesson.says
    assert "give up a point. Thrown in, it is 0 to 1: see if your cards win the hand more often" in lesson.says
    among_many = at_table()
    told(among_many, DidPut(MOLL))
    throw = Choice(ThrowIn(), "throw in your cards: if all do, the putter has a point")
    says = among_many.take(Decision(7, 2, "See?", (ANSWER[0], throw)))[0].says
    assert "See the put: this hand decides the game. Or throw in your cards: if all do, the putter has a point." in says
    lost = at_table(view=replace(VIEW, scores=(3, 4)))
    told(lost, DidPut(MOLL))
    assert lost.take(Decision(7, 2, "See?", ANSWER))[0].says.endswith("so see with any hand.")


def test_double_is_no_put() -> None:
    """In Truc one takes a double, and tied tricks may be somebody's."""
    truc = replace(VIEW, accepted=Worth.VALUE)
    lessons = at_table(view=truc, known=("put.lead",))
    assert asked(lessons, Choice(Double(), "offer to double"), *ANSWER) == []
    assert told(lessons, Saw(MOLL, 2), TrickEnded(1, None, YOU, (0, 0))) == []


def test_tie_and_seen_put_are_told_as_they_happen() -> None:
    """And the purse when the first game is over."""
    lessons = at_table()
    assert told(lessons, TrickEnded(1, YOU, YOU, (1, 0))) == []
    assert told(lessons, TrickEnded(2, None, MOLL, (1, 0))) == ["put.tie"]
    assert told(lessons, DidPut(YOU), Saw(MOLL)) == ["put.seen"]
    assert told(lessons, GameEnded(GameWon.PUT, (YOU,), (0, 0), (1, -1))) == ["put.purse"]
    assert told(lessons, TrickEnded(2, None, MOLL, (1, 0)), Saw(MOLL)) == []


def test_seen_put_is_no_news_where_every_hand_decides_the_game() -> None:
    """As in Parlett's Put."""
    assert told(at_table(view=replace(VIEW, plain=Worth.GAME)), Saw(MOLL)) == []


def test_put_that_waits_for_an_answer_is_explained_to_who_comes_back() -> None:
    """Who comes back has not seen it made."""
    assert asked(at_table(view=replace(VIEW, putter=MOLL)), *ANSWER) == ["put.answer"]


def test_spectators_and_those_who_know_are_told_nothing() -> None:
    """Whatever happens."""
    for lessons in (at_table(GALLERY), at_table(known=tuple(NAMES))):
        assert asked(lessons, *LEAD, PUT) == []
        assert told(lessons, DidPut(MOLL), Saw(YOU), TrickEnded(1, None, YOU, (0, 0))) == []


@at_every_table
def test_every_lesson_is_short_and_said_once(table: Table) -> None:
    """In random games of every rule set, from every seat: a few lines on the smallest screen, and never again."""
    for played in games_at(table, share=0.02):
        seats = tuple([SeatInfo(f"P{seat}") for seat in range(table.seats)])
        info = TableInfo(7, table.name, {}, seats, ClockInfo())
        for seat in range(table.seats):
            lessons, said = Lessons(), list[str]()
            view = played.game.view(played.steps[0].state, Seat(seat))
            lessons.take(TableSnapshot(7, Seat(seat), 1, info, view=view))
            for before, step in zip(played.steps, played.steps[1:], strict=False):
                if isinstance(step.given, Act) and played.game.awaits(before.state) == Turn(Seat(seat)):
                    state = before.state
                    decision = Decision(7, 1, played.game.wording(state).asks, played.game.choices(state))
                    decision = replace(decision, why=played.game.wording(state).why)
                    said += [lesson.name for lesson in lessons.take(decision) if len(lesson.says) <= 330]
                    assert len(said) == len(lessons.known)
                news = Events(7, 1, step.seen_by(Seat(seat)), view=played.game.view(step.state, Seat(seat)))
                said += [lesson.name for lesson in lessons.take(news) if len(lesson.says) <= 330]
                assert len(said) == len(lessons.known)
            assert len(said) == len(set(said))
            assert set(said) <= NAMES


@pytest.mark.parametrize("family", ["put", "triomphe", "primero"])
def test_every_family_has_lessons(family: str) -> None:
    """A later one may have none."""
    assert LESSONS[family]
