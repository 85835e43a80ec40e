"""The steady player: legal, never foolish, honest with its dice, and not above a bluff."""

from random import Random

import pytest
from msgspec.structs import replace

from put_protocol.cards import Card
from put_protocol.games.put import Moment, Play, Put, PutView, ThrowIn
from put_protocol.games.tricks import TrickView
from put_protocol.games.unions import Choice
from put_protocol.seats import Seat
from put_server.house.put.steady import Steady
from tests.house.sample_hands import ANSWERS, asked, cards, leading, plays, turns

DICE = range(40)
"""Seeds for a claim that must hold however the dice fall."""


def answers(view: PutView) -> set[str]:
    """What the player in seat 0 answers, over many dice."""
    return {type(Steady(Random(seed)).choose(view, ANSWERS, Seat(0))).__name__ for seed in DICE}


def puts(view: PutView, held: str) -> int:
    """How often of 40 the player in seat 0 puts."""
    return sum(Steady(Random(seed)).choose(view, turns(held), Seat(0)) == Put() for seed in DICE)


# --- legality ---------------------------------------------------------------------------------------------------------


def test_steady_answers_without_a_hand_in_play() -> None:
    """A view that shows no hand, as another rule set's might, still gets a legal answer, and not giving up."""
    bare = PutView(target=5, scores=(0, 0))
    held = plays("4s 5h")
    for seed in DICE:
        action = Steady(Random(seed)).choose(bare, (*held, Choice(ThrowIn(), "throw in")), Seat(0))
        assert action in [choice.action for choice in held]


# --- dominated moves --------------------------------------------------------------------------------------------------


def test_steady_sees_with_the_best_hand_there_is() -> None:
    """Three threes cannot lose, so they are never thrown in."""
    assert answers(asked("3s 3h 3d")) == {"See"}


@pytest.mark.parametrize("scores", [(0, 4), (2, 4), (4, 4)])
def test_steady_sees_when_throwing_in_loses_the_game(scores: tuple[int, int]) -> None:
    """Where the putter's next point wins, the worst hand there is sees."""
    assert answers(asked("4s 4h 5d", scores=scores)) == {"See"}


def test_steady_of_several_sees_when_nobody_else_can() -> None:
    """With three seats the last to be asked sees if all others threw in and the point would lose the game."""
    view = replace(asked("4s 4h 5d 6c", scores=(0, 0, 4)), playing=(True, False, True), counts=(4, 0, 4))
    assert answers(view) == {"See"}


def test_steady_throws_in_the_worst_hand() -> None:
    """Fours are not worth the game when a point is all they need cost."""
    assert answers(asked("4s 4h 4d")) == {"ThrowIn"}


def test_steady_puts_when_it_cannot_lose() -> None:
    """Three threes put, and so does a hand whose last trick can at worst be drawn."""
    assert puts(leading("3s 3h 3d"), "3s 3h 3d") == len(DICE)
    past = (
        TrickView((Seat(0), Seat(1)), cards("3h 4h"), Seat(0)),
        TrickView((Seat(0), Seat(1)), cards("5s 6d"), Seat(1)),
    )
    last = replace(leading("3s", tricks=(1, 1), past=past))
    assert puts(last, "3s") == len(DICE)


def test_steady_puts_when_the_hand_lost_is_the_game_lost() -> None:
    """At the other's last point a put can cost nothing: it is said with any hand."""
    assert puts(leading("4s 5h 6d", scores=(1, 4)), "4s 5h 6d") == len(DICE)


@pytest.mark.parametrize("held", ["4s 5h 6d", "2s Ah Kd", "9s Jh Qd"])
def test_steady_does_not_put_when_a_point_wins(held: str) -> None:
    """At its own last point the hand wins as much as the put, which could lose the game."""
    assert puts(leading(held, scores=(4, 1)), held) == 0


def test_steady_does_not_waste_a_card() -> None:
    """The last to play takes the trick as cheaply as it can, when it must have this trick."""
    past = (TrickView((Seat(1), Seat(0)), cards("Ks 4h"), Seat(1)),)
    view = replace(
        leading("3s 2s", tricks=(0, 1), past=past, putter=Seat(0)),
        trick=TrickView((Seat(1),), cards("Qh")),
        counts=(2, 1),
        moment=Moment.REPLY,
    )
    chosen = {Steady(Random(seed)).choose(view, plays("3s 2s"), Seat(0)) for seed in DICE}
    assert chosen == {Play(Card("2s"))}


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize(("led", "does"), [("4s", "ThrowIn"), ("3s", "See")])
def test_steady_without_a_card_left_answers_by_the_card_it_led(led: str, does: str, seats: int) -> None:
    """Who puts with the last card of all knows how the hand ends: the worst card is given up, and what cannot lose is
    kept."""
    order = tuple(Seat(seat) for seat in range(seats))
    past = tuple(
        TrickView(order, cards(played), Seat(winner))
        for played, winner in ((("3h 4h 4c", 0), ("5s 6d 5c", 1)) if seats == 3 else (("3h 4h", 0), ("5s 6d", 1)))
    )
    view = replace(
        leading("", scores=(0,) * seats, tricks=(1, 1, 0)[:seats], past=past, putter=Seat(1)),
        counts=(0, *(1,) * (seats - 1)),
        trick=TrickView((Seat(0),), cards(led)),
        moment=Moment.ANSWER,
        seen_by=(),
    )
    assert answers(view) == {does}


# --- bluffs -----------------------------------------------------------------------------------------------------------


def test_steady_sees_a_middling_hand_sometimes() -> None:
    """There are hands that it sees or throws in as the dice fall, so that nobody can count on either."""
    middling = ("3s 9h 5d", "2s Qh 9d", "Ks Kh 8d", "As Jh 10d", "3s Jh 7d", "2s Kh Qd")
    assert any(len(answers(asked(held))) == 2 for held in middling)
