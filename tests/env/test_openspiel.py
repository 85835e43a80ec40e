"""OpenSpiel's algorithms on the registered game, against the numbers of the project's own solver."""

import copy
import pickle
from collections import Counter
from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest

from put_env.env_table import Rewards, Unit
from put_server.house.put.solved.payoffs import Variant
from put_server.house.put.solved.tree import DEALER, ELDEST
from tests.conformance.tables import TABLES
from tests.repetitions import TURN

pyspiel: Any = pytest.importorskip("pyspiel")
spiel: Any = pytest.importorskip("put_env.spiel")
ismcts: Any = pytest.importorskip("open_spiel.python.algorithms.ismcts")
mcts: Any = pytest.importorskip("open_spiel.python.algorithms.mcts")


@pytest.fixture(autouse=True)
def _registered() -> None:
    spiel.register()


def _game(**parameters: Any) -> Any:
    return pyspiel.load_game("python_put", parameters)


def _played(game: Any, dice: Random) -> Any:
    """A state at the end of a game at random."""
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, odds = zip(*state.chance_outcomes(), strict=True)
            assert sum(odds) == pytest.approx(1)
            state.apply_action(dice.choices(outcomes, odds)[0])
        else:
            state.apply_action(dice.choice(state.legal_actions()))
    return state


def _gambit(game: Any) -> str:
    """The tree of a game of two as Gambit writes it. OpenSpiel's `export_gambit` copies all it has for each line."""
    lines = [f'EFG 2 R "{game}" {{ "eldest" "dealer" }}']
    sets: tuple[dict[str, int], dict[str, int]] = ({}, {})
    waiting = [game.new_initial_state()]
    while waiting:
        state = waiting.pop()
        number = len(lines)
        if state.is_terminal():
            lines.append(f't "" {number} "" {{ {" ".join(map(str, state.returns()))} }}')
            continue
        player, actions = state.current_player(), state.legal_actions()
        names = [f'"{state.action_to_string(player, action)}"' for action in actions]
        if state.is_chance_node():
            odds = dict(state.chance_outcomes())
            lots = " ".join([f"{name} {odds[action]:.16f}" for name, action in zip(names, actions, strict=True)])
            lines.append(f'c "" {number} "" {{ {lots} }} 0')
        else:
            own = sets[player]
            at = own.setdefault(state.information_state_string(), len(own) + 1)
            lines.append(f'p "" {player + 1} {at} "" {{ {" ".join(names)} }} 0')
        waiting += [state.child(action) for action in reversed(actions)]
    return "\n".join(lines) + "\n"


@pytest.mark.timeout(240)
@pytest.mark.usefixtures("kernels")
def test_exploitability_and_cfr_agree_with_the_solver() -> None:
    """In a small pack: what the best opponent wins from a player at random is the same by OpenSpiel in the registered
    game as by the solver in its own tree; and what OpenSpiel's CFR finds loses next to nothing in either, and makes
    the hand worth as much as the solver says."""
    from put_solver.hand_solver import HandSolver, HandTree  # noqa: PLC0415 - needs numba

    hand_tree = HandTree(Variant(game="put-1800", pack=12).tree)
    ends = (1.0, -1.0, 4.0, -2.0, 0.0, 0.0)  # in points, at one to three of five
    even = hand_tree.decisions.normalized(np.zeros(hand_tree.sizes.entries))
    ours = hand_tree.best_response(ELDEST, ends, even) + hand_tree.best_response(DEALER, ends, even)
    game = _game(rule_set="put-1800", pack=12, scores="1 3", dealer=1)
    tree = pyspiel.load_efg_game(_gambit(game))  # walked once: in memory the rest takes a moment
    assert pyspiel.nash_conv(tree, pyspiel.UniformRandomPolicy(tree)) == pytest.approx(ours, abs=1e-6)

    theirs = pyspiel.CFRPlusSolver(tree)
    for _ in range(60):
        theirs.evaluate_and_update_policy()
    lost = pyspiel.nash_conv(tree, theirs.average_policy())
    assert lost < 0.01
    solver = HandSolver(hand_tree)
    solver.iterate(ends, 300)
    lower, upper = hand_tree.bounds(ends, solver.averages)
    worth, _ = pyspiel.expected_returns(tree.new_initial_state(), theirs.average_policy(), -1, True)
    assert lower - lost <= worth <= upper + lost
    assert upper - lower < 0.01


BOTH = list(product(Unit, Rewards))

FORMS = [
    {"rule_set": table.name, "seats": table.seats, "unit": unit, "rewards": rewards}
    for at, table in enumerate(table for table in TABLES if table.family == "put")
    for unit, rewards in (BOTH if TURN else BOTH[at % len(BOTH) :][:1])
] + [
    {"rule_set": "put-tavern", "seats": 3, "options": "target=3 drawn_put=anew"},
    {"rule_set": "truc", "options": "ranking:printed rubber:1", "unit": "game"},
]
"""Every table by every unit and with every kind of rewards; the suite takes a pair of these at each table, and each of
them at some, and a campaign all pairs."""

at_every_form = pytest.mark.parametrize("parameters", FORMS, ids=lambda each: " ".join(map(str, each.values())))


@at_every_form
def test_openspiel_checks_of_random_games_pass(parameters: dict[str, Any]) -> None:
    """OpenSpiel's own simulation test: legal actions, histories, observations, serialization, returns that sum to 0."""
    pyspiel.random_sim_test(_game(**parameters), num_sims=1, serialize=True, verbose=False)


@at_every_form
def test_returns_are_the_sum_of_rewards_within_the_bounds(parameters: dict[str, Any]) -> None:
    """What each action brings adds up to the returns, which no bound of the game rules out; they are not always 0."""
    game, dice, most = _game(**parameters), Random(5), 0.0
    for _ in range(3 if parameters.get("unit") == "game" else 6):
        state, total = game.new_initial_state(), np.zeros(game.num_players())
        while not state.is_terminal():
            state.apply_action(dice.choice(state.legal_actions()))
            if not state.is_chance_node():  # OpenSpiel asks for no rewards there
                total += state.rewards()
        assert list(total) == pytest.approx(state.returns())
        assert all(game.min_utility() <= each <= game.max_utility() for each in state.returns())
        most = max(most, *state.returns())
    assert most > 0 or (parameters.get("unit"), parameters.get("rewards")) == ("hand", "purse"), "few hands end a game"


def test_rubber_may_bring_all_the_points_of_its_games() -> None:
    """A side that wins every hand of a rubber stays within the bounds: in three games of twelve it has 24 points."""
    game = _game(rule_set="truc", unit="game")
    state, dice = game.new_initial_state(), Random(2)
    while not state.is_terminal():
        names = {state.action_to_string(each): each for each in state.legal_actions()}
        if state.current_player() == 1 and "throw" in names:
            state.apply_action(names["throw"])
        elif state.current_player() == 0 and "double" in names:
            state.apply_action(names["double"])
        else:
            state.apply_action(dice.choice(state.legal_actions()))
    assert max(map(abs, state.returns())) > 12
    assert all(game.min_utility() <= each <= game.max_utility() for each in state.returns())


@at_every_form
def test_copies_and_pickles_go_on_as_the_original(parameters: dict[str, Any]) -> None:
    """A state that was copied or pickled with its game knows, allows and pays the same, to the end."""
    state, dice = _game(**parameters).new_initial_state(), Random(3)
    for _ in range(9):
        if not state.is_terminal():
            state.apply_action(dice.choice(state.legal_actions()))
    others = [copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state))]
    while not state.is_terminal():
        assert {str(other) for other in others} == {str(state)}
        action = dice.choice(state.legal_actions())
        for each in (state, *others):
            assert action in each.legal_actions()
            each.apply_action(action)
    assert all(other.returns() == state.returns() for other in others)


@at_every_form
def test_resampled_state_is_one_the_player_may_be_in(parameters: dict[str, Any]) -> None:
    """At every state each player knows the same and may do the same; the others often hold other cards."""
    state, dice, others = _game(**parameters).new_initial_state(), Random(4), 0
    asked = 0.1 if parameters.get("unit") == "game" else 1.0
    while not state.is_terminal():
        for player in range(state.num_players()):
            if state.is_chance_node() or dice.random() > asked:
                continue
            other = state.resample_from_infostate(player, dice.random)
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.observation_string(player) == state.observation_string(player)
            assert other.current_player() == state.current_player()
            if state.current_player() == player:
                assert other.legal_actions() == state.legal_actions()
            others += str(other) != str(state)
        state.apply_action(dice.choice(state.legal_actions()))
    assert others or parameters.get("unit") == "game"


def test_resampled_hands_are_as_likely_as_they_should_be() -> None:
    """Before a card is played every hand that the other may hold is dealt as often as chance says."""
    state, dice = _game(pack=12, dealer=1).new_initial_state(), Random(6)
    state.apply_action(state.chance_outcomes()[3][0])
    odds = dict(state.chance_outcomes())
    state.apply_action(next(iter(odds)))
    count = 2_000
    found = Counter(state.resample_from_infostate(0, dice.random).history()[1] for _ in range(count))
    assert set(found) <= set(odds)
    for hand, share in odds.items():
        assert abs(found[hand] - count * share) < 5 * (count * share * (1 - share)) ** 0.5 + 1


@pytest.mark.parametrize("parameters", [{}, {"rule_set": "put-partners", "seats": 4}, {"rule_set": "truc"}], ids=str)
def test_information_set_search_plays_a_game(parameters: dict[str, Any]) -> None:
    """OpenSpiel's information set search (ISMCTS) takes every seat, to the end of a hand."""
    game = _game(**parameters)
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = ismcts.ISMCTSBot(
        game=game, uct_c=1.0, max_simulations=8, evaluator=evaluator, random_state=np.random.RandomState(2)
    )
    state, dice = game.new_initial_state(), Random(7)
    while not state.is_terminal():
        is_chance = state.is_chance_node()
        state.apply_action(dice.choice(state.legal_actions()) if is_chance else bot.step(state))
    assert sum(state.returns()) == 0


def test_information_states_hide_what_others_hold_and_forget_nothing() -> None:
    """Two deals that differ in the other's hand are one information state, until cards are played; what was done is in
    it, and in its tensor, for good."""
    game = _game(pack=12, dealer=1)
    states = []
    for other in (0, 1):
        state = game.new_initial_state()
        first = state.chance_outcomes()[5][0]
        state.apply_action(first)
        state.apply_action(state.chance_outcomes()[other][0])
        states.append(state)
    one, two = states
    assert one.information_state_string(0) == two.information_state_string(0)
    assert one.information_state_tensor(0) == two.information_state_tensor(0)
    assert one.observation_tensor(0) == two.observation_tensor(0)
    assert one.information_state_string(1) != two.information_state_string(1)
    before = one.information_state_tensor(1)
    one.apply_action(one.legal_actions()[0])
    assert "0:play" in one.information_state_string(1)
    assert one.information_state_tensor(1) != before
    state = _played(game, Random(3))
    assert sum(state.returns()) == 0
    assert state.history()


def test_gifts_and_discards_are_secrets_of_their_side() -> None:
    """In partnerships a gift is known to two and a discard to one: the others' information states are the same."""
    state, dice = _game(rule_set="put-partners", seats=4).new_initial_state(), Random(1)
    while state.is_chance_node():
        state.apply_action(dice.choice(state.chance_outcomes())[0])
    for word in ("give", "give"):
        names = [state.action_to_string(action) for action in state.legal_actions()]
        state.apply_action(state.legal_actions()[names.index(word)])
    mover = state.current_player()
    told = [
        [state.child(action).information_state_string(player) for player in range(4)]
        for action in state.legal_actions()
    ]
    assert len(told) > 1
    for player, known in enumerate(zip(*told, strict=True)):
        assert len(set(known)) == (len(told) if player == mover else 1)


@pytest.mark.parametrize(
    ("parameters", "says"),
    [
        ({"rule_set": "primero", "seats": 3}, "only Put and its relatives"),
        ({"pack": 13}, "pack must be a multiple of 4"),
        ({"rule_set": "truc", "pack": 12}, "truc has one pack"),
        ({"options": "misdeals=5"}, "misdeals"),
        ({"dealer": 5}, "no seat 5"),
        ({"scores": "9 9"}, "from 0 to 4"),
        ({"pack": 16, "seats": 4}, "4 players are dealt 20 cards, and the pack has 16"),
    ],
)
def test_bad_parameters_are_named(parameters: dict[str, Any], says: str) -> None:
    """The error says what was wrong with what."""
    with pytest.raises(ValueError, match=says):
        spiel.PutSpiel(parameters)
