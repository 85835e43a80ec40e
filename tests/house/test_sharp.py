"""The sharp player: what it never does, and that it reads every view."""

from collections import Counter
from random import Random

import pytest
from msgspec.structs import replace

from put_protocol.cards import Card, pack_of
from put_protocol.games.put import Double, Moment, Play, Put, PutAction, PutView, See, ThrowIn
from put_protocol.games.tricks import TrickView
from put_protocol.games.unions import Choice
from put_protocol.seats import Seat
from put_rules.put.rule_sets import PUT_1800, PUT_PARLETT, PUT_TAVERN, TRUC
from put_rules.put.rules import PutRules
from put_rules.put.state import PutState
from put_server.house.put.observation import observe
from put_server.house.put.sharp import Sharp
from put_server.house_runner import terms_at
from tests.house.sample_hands import ANSWERS, TABLES, asked, cards, leading, play_game, plays, turns, under

ME, OTHER = Seat(0), Seat(1)


def mixture(
    view: PutView, choices: tuple[Choice, ...], game: str = "put-1674", **options: str | int
) -> dict[PutAction, float]:
    """How often the sharp player in seat 0 does what."""
    return Sharp(Random(1), terms_at(game, options)).mixture(view, choices, ME)


def test_sharp_sees_with_the_best_hand_there_is() -> None:
    """Three threes cannot lose, so they are never thrown in."""
    assert mixture(asked("3s 3h 3d"), ANSWERS) == {See(): 1.0}


@pytest.mark.parametrize("rules", [PUT_1800, PUT_TAVERN, PUT_PARLETT, TRUC], ids=lambda rules: rules.name)
def test_sharp_sees_where_throwing_in_loses_the_game(rules: PutRules) -> None:
    """At the other's last point the worst hand there is sees."""
    worst = " ".join(f"{rules.ranks[-1]}{suit}" for suit in "shd")
    view = under(rules, asked(worst, scores=(0, rules.target - 1)))
    assert mixture(view, ANSWERS, rules.name) == {See(): 1.0}


@pytest.mark.parametrize("held", ["4s 5h 6d", "2s Ah Kd", "9s Jh Qd", "3s 3h 2d"])
def test_sharp_does_not_put_where_a_point_wins(held: str) -> None:
    """At its own last point the hand wins as much as the put, which could lose the game."""
    assert Put() not in mixture(leading(held, scores=(4, 1)), turns(held))


def test_sharp_does_not_double_what_wins_already() -> None:
    """Points beyond the target count for nothing, and more could be lost."""
    for held in ("9s 9h 10d", "As 8h Kd", "7s 7h 8d"):
        view = replace(under(TRUC, leading(held, scores=(10, 0))), value=2)
        assert Double() not in mixture(view, (*plays(held), Choice(Double(), "")), "truc")


def test_sharp_waits_for_the_last_say() -> None:
    """Before it a card can be played for nothing, and the hand thrown in later."""
    dice = Random(1800)
    for _ in range(20):
        held = " ".join(dice.sample(pack_of(PUT_1800.ranks), 3))
        choices = (*turns(held), Choice(ThrowIn(), ""))
        assert ThrowIn() not in mixture(under(PUT_1800, leading(held)), choices, "put-1800")


def test_sharp_takes_the_trick_that_wins_for_certain() -> None:
    """A trick ahead, the put seen, and a two against the queen led: no other card is ever played."""
    past = (TrickView((ME, OTHER), cards("3h 4h"), ME),)
    view = replace(
        leading("2s 4s", tricks=(1, 0), past=past, putter=ME),
        trick=TrickView((OTHER,), cards("Qh")),
        counts=(2, 1),
        moment=Moment.REPLY,
    )
    assert mixture(view, plays("2s 4s")) == {Play(Card("2s")): 1.0}


def test_sharp_does_not_lose_the_hand_while_it_can_go_on() -> None:
    """A trick behind, a six is beaten by the two, however little is left to hope for."""
    past = (TrickView((ME, OTHER), cards("10c Qs"), OTHER),)
    view = replace(
        leading("4s 2h", tricks=(0, 1), past=past),
        trick=TrickView((OTHER,), cards("6d")),
        counts=(2, 1),
        moment=Moment.REPLY,
    )
    assert Play(Card("4s")) not in mixture(view, turns("4s 2h"))


@pytest.mark.parametrize(("name", "games"), [("put-1674", 4), ("put-tavern", 3), ("truc", 1)])
def test_sharp_bluffs(name: str, games: int) -> None:
    """Of what it puts or doubles with some is weak, and most is not."""
    table = next(table for table in TABLES if table.name == name and table.seats == 2)
    dice, did = Random(name), Counter[bool]()

    def watch(state: PutState, legal: tuple[PutAction, ...], action: PutAction) -> None:
        assert state.to_move is not None
        seen = observe(table.game.view(state, state.to_move), state.to_move)
        if isinstance(action, Put | Double) and seen is not None:
            did[seen.strengths(seen.seat, [seen.held])[0] < 0.25] += 1

    for _ in range(games):
        play_game(table.game, [Sharp(dice, terms_at(name, table.options)) for _ in range(2)], dice, watch)
    assert 0 < did[True] < did[False]


def test_sharp_does_not_know_what_it_cannot_see() -> None:
    """A view that shows no hand still gets a legal answer, and not giving up."""
    chosen = Sharp(Random(1), terms_at("put-1674", {})).choose(
        PutView(target=5, scores=(0, 0)), (*plays("4s 5h"), Choice(ThrowIn(), "throw in")), ME
    )
    assert isinstance(chosen, Play)
