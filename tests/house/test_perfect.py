"""The perfect player: legal wherever it is asked, by the table where there is one, never against its own interest."""

from collections.abc import Mapping
from random import Random

import pytest
from msgspec.structs import replace

from put_protocol.cards import Card, pack_of, rank_of
from put_protocol.games.put import Abide, AccidentView, Moment, Play, Put, PutAction, PutView, Redeal, See, ThrowIn
from put_protocol.games.tricks import TrickView
from put_protocol.games.unions import Choice
from put_protocol.seats import Seat
from put_rules.driver import Driver, shuffled_by
from put_rules.game import OptionValue, Shuffle
from put_rules.put.rule_sets import PUT_1674, PUT_1800, PUT_PARLETT
from put_rules.put.state import PutState
from put_server.house.player import Terms
from put_server.house.put.perfect import Perfect, is_solved
from put_server.house.put.sharp import Sharp
from put_server.house.put.solved.move_values import move_values
from put_server.house.put.solved.position import positions
from put_server.house.put.solved.solution_table import shipped
from put_server.house_runner import terms_at
from tests.house.sample_hands import Table, cards, leading, play_game, put_actions, under
from tests.repetitions import TIMES

SOLVED = ("put-1674", "put-1800", "put-parlett")
RULES = {"put-1674": PUT_1674, "put-1800": PUT_1800, "put-parlett": PUT_PARLETT}

OTHERS = (
    Table("put-1674", 2, {"misdeals": 50}),
    Table("put-1800", 2, {"misdeals": 50}),
    Table("put-parlett", 2, {"misdeals": 50}),
    Table("put-1674", 2, {"pack": 28, "target": 3}),
    Table("put-parlett", 2, {"outright": "double"}),
    Table("put-1674", 3),
    Table("put-tavern", 4),
    Table("put-partners", 4),
    Table("truc", 2, {"rubber": 1}),
)
"""Where there is no table, or something comes before it."""


def perfect(table: Table, dice: Random) -> Perfect:
    """The player for a table."""
    return Perfect(dice, terms_at(table.name, table.options))


def test_perfect_knows_what_is_solved() -> None:
    """The three games for two as they are usually played, all options told or none; and nothing else."""
    for game in SOLVED:
        assert is_solved(Terms(game=game), 2)
        told: Mapping[str, OptionValue] = {
            "target": 5,
            "pack": 52,
            "cut": "low",
            "misdeals": 0,
            "arranged": "",
            "open": "played",
        }
        assert is_solved(Terms(game=game, options=told), 2)
        for options in ({"target": 4}, {"pack": 32}, {"misdeals": 1}, {"arranged": "3s 2s"}):
            assert not is_solved(Terms(game=game, options=options), 2)
    assert not is_solved(Terms(game="put-1674"), 3)
    assert not is_solved(Terms(game="put-1674", options={"drawn_put": "anew"}), 2)
    assert not is_solved(Terms(game="put-parlett", options={"outright": "double"}), 2)
    assert not is_solved(Terms(game="put-tavern"), 2)
    assert not is_solved(Terms(game="whist"), 2)


@pytest.mark.parametrize("table", [*(Table(game, 2) for game in SOLVED), *OTHERS], ids=str)
def test_perfect_plays_whole_games_legally(table: Table) -> None:
    """Every choice of every game is a legal one, whoever else is at the table."""
    dice, decisions = Random(str(table)), 0

    def watch(state: PutState, legal: tuple[PutAction, ...], action: PutAction) -> None:
        nonlocal decisions
        decisions += 1
        assert action in legal

    for _ in range(4 // table.seats):
        play_game(table.game, [perfect(table, dice) for _ in range(table.seats)], dice, watch)
    assert decisions > 4


@pytest.mark.parametrize("game", SOLVED)
def test_perfect_takes_any_hand_over_and_never_throws_a_won_one_away(game: str) -> None:
    """In many positions of random games, most of which its own play never leads to, it answers with
    probabilities of legal actions that are one in all. It never throws in a hand that it has won whatever happens, nor
    sees where it has lost whatever happens."""
    table, dice, met, sure = Table(game, 2), Random(game), 0, 0
    machine = table.game
    player = perfect(table, dice)
    while met < 200 * TIMES:
        driver = Driver(machine)
        for seat in driver.turns(shuffled_by(dice)):
            state = driver.state
            view, legal = machine.view(state, seat), machine.choices(state)
            if state.past or state.trick_cards or dice.random() < 0.05:
                mixture = player.mixture(view, legal, seat)
                met += 1
                assert sum(mixture.values()) == pytest.approx(1)
                assert set(mixture) <= {choice.action for choice in legal}
                last = _last_card(view, seat)
                if last is not None:
                    sure += 1
                    wins = last > 0
                    assert (ThrowIn() not in mixture) if wins else (See() not in mixture)
            driver.act(dice.choice(machine.legal(state)))
    # Only where the last card may still be put on does such a decision come to be asked.
    assert (sure > 0) == (game == "put-1674")


def _last_card(view: PutView, seat: Seat) -> int | None:
    """What the last trick can no longer change, for who is asked about a put before it: they hold the best card and are
    ahead, 1, or the worst and is behind, -1."""
    if view.moment is not Moment.ANSWER or len(view.past) < 2 or not view.cards:
        return None
    ahead, mine = view.tricks[seat] - view.tricks[1 - seat], rank_of(view.cards[0])
    if ahead == 1 and mine == view.ranking[0]:
        return 1
    return -1 if ahead == -1 and mine == view.ranking[-1] else None


@pytest.mark.parametrize("game", SOLVED)
def test_perfect_loses_nothing_against_itself(game: str) -> None:
    """Wherever its own play leads, what it does is worth as much as the best it could do, but for the little that the
    table is off."""
    table, solved, dice, looked = Table(game, 2), shipped(game), Random(3), 0
    assert solved is not None
    machine = table.game
    players = [perfect(table, dice), perfect(table, dice)]
    while looked < 10:
        driver = Driver(machine)
        for seat in driver.turns(shuffled_by(dice)):
            state = driver.state
            view, legal = machine.view(state, seat), machine.choices(state)
            action = players[seat].choose(view, legal, seat)
            actions = put_actions(legal)
            found = positions(view, actions, seat, solved.tree)
            assert found
            if len(found) == 1 and len(state.past) == 1 and len(actions) > 1:
                looked += 1
                prospects = move_values(solved, found[0])
                # A position that is seldom reached may be played a little worse than the whole.
                worth = sum(prospects.chances[move] * each for move, each in prospects.moves.items())
                assert worth > max(prospects.moves.values()) - 0.2
            driver.act(action)


def test_perfect_sees_a_put_with_three_threes_and_leads_to_win() -> None:
    """What cannot be lost is seen, and played."""
    view = leading("3s 3h 3d")
    asked = replace(
        view, moment=Moment.ANSWER, putter=Seat(1), eldest=Seat(1), dealer=Seat(0), playing=(True, True), counts=(3, 3)
    )
    for game in SOLVED:
        player = perfect(Table(game, 2), Random(1))
        assert player.mixture(under(RULES[game], asked), _choices(See(), ThrowIn()), Seat(0)) == {See(): 1.0}


def test_perfect_settles_accidents_before_it_looks_at_its_cards() -> None:
    """A fresh deal that brings a point is called; a low card of one's own that all have seen stands."""
    view = replace(leading("3s 3h 3d"), cards=(), moment=Moment.ACCIDENT, accident=AccidentView(5, Seat(1)))
    player = perfect(Table("put-1674", 2), Random(1))
    assert player.choose(view, _choices(Redeal(), Abide()), Seat(0)) == Redeal()
    seen = replace(view, accident=AccidentView(1, Seat(0), Card("3s")))
    assert player.choose(seen, _choices(Redeal(), Abide()), Seat(0)) == Abide()


def test_perfect_remembers_when_a_put_was_accepted() -> None:
    """After an accepted put a view does not tell whether it was made before a card was led; who saw it knows, and plays
    as the table does after that put, not as after the other."""
    solved = shipped("put-1674")
    assert solved is not None
    differ = 0
    dice = Random(2)
    for _ in range(30):
        hand = dice.sample(pack_of(PUT_1674.ranks), 4)
        led, held = hand[0], tuple(hand[1:])
        before_lead = replace(
            leading(" ".join(held)), moment=Moment.ANSWER, putter=Seat(1), eldest=Seat(1), dealer=Seat(0)
        )
        after = replace(
            before_lead,
            moment=Moment.REPLY,
            trick=TrickView((Seat(1),), (led,)),
            seen_by=(Seat(0),),
            counts=(3, 2),
        )
        knows = perfect(Table("put-1674", 2), Random(1))
        assert knows.choose(before_lead, _choices(See()), Seat(0)) == See()
        plays = _choices(*map(Play, held))
        found = positions(after, put_actions(plays), Seat(0), solved.tree)
        assert [each.puts for each in found] == [(0,)]
        differ += len(knows.mixture(after, plays, Seat(0))) > 0
    assert differ == 30


def test_perfect_forgets_the_puts_of_the_game_before() -> None:
    """A game may begin as the last one did, with the same dealer at the same score. A put that was accepted there says
    nothing of when one was accepted here."""
    dice = Random(3)
    for _ in range(100):
        first = dice.sample(pack_of(PUT_1674.ranks), 3)
        won, lost, *held = sorted(
            dice.sample(pack_of(PUT_1674.ranks), 4), key=lambda card: PUT_1674.ranks.index(rank_of(card))
        )
        past = (TrickView((Seat(0), Seat(1)), (won, lost), Seat(0)),)
        view = leading(" ".join(held), tricks=(1, 0), past=past, putter=Seat(0))
        view = replace(view, counts=(2, 2))
        plays = _choices(*map(Play, held))
        player, fresh = (perfect(Table("put-1674", 2), Random(1)) for _ in range(2))
        assert player.choose(leading(" ".join(first)), _choices(Put()), Seat(0)) == Put()
        assert player.mixture(view, plays, Seat(0)) == fresh.mixture(view, plays, Seat(0))


def test_perfect_is_the_same_player_whatever_it_cannot_see() -> None:
    """Of two deals that differ in the other's cards alone, with the same dice, it does the same."""
    table = Table("put-1674", 2)
    machine, dice = table.game, Random(9)
    for _ in range(40):
        pack = dice.sample(pack_of(PUT_1674.ranks), 52)
        other = pack.copy()
        other[1:6:2] = pack[6:9]
        other[6:9] = pack[1:6:2]
        did = []
        for cards_dealt in (pack, other):
            state = machine.begin(Seat(0))
            state, _ = machine.deal(state, tuple(cards_dealt))
            player = perfect(table, Random(4))
            did.append(player.choose(machine.view(state, Seat(1)), machine.choices(state), Seat(1)))
        assert did[0] == did[1]


def test_perfect_bluffs_and_is_not_always_the_same() -> None:
    """Among bad hands there are some with which it puts now and then."""
    player = perfect(Table("put-1674", 2), Random(1))
    dice, mixed = Random(5), 0
    for _ in range(300):
        held = " ".join(dice.sample(pack_of(PUT_1674.ranks), 3))
        view = leading(held)
        mixture = player.mixture(view, (*_choices(*map(Play, cards(held))), Choice(Put(), "")), Seat(0))
        mixed += len(mixture) > 1
    assert mixed > 10


def test_perfect_plays_as_sharp_where_nothing_is_solved() -> None:
    """At a table of three, and under options that no table was made for, it does what the next best player does."""
    for table in (Table("put-1674", 3), Table("put-1674", 2, {"pack": 28})):
        machine, dice = table.game, Random(3)
        state = machine.begin(Seat(0))
        awaits = machine.awaits(state)
        assert isinstance(awaits, Shuffle)
        state, _ = machine.deal(state, tuple(dice.sample(awaits.cards, len(awaits.cards))))
        seat = state.to_move
        assert seat is not None
        sharp = Sharp(Random(1), terms_at(table.name, table.options))
        view, legal = machine.view(state, seat), machine.choices(state)
        assert perfect(table, Random(1)).mixture(view, legal, seat) == sharp.mixture(view, legal, seat)


def _choices(*actions: PutAction) -> tuple[Choice, ...]:
    return tuple(Choice(action, "") for action in actions)
