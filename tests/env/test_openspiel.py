"""OpenSpiel's algorithms on the registered game, against the numbers of the project's own solver."""

from random import Random
from typing import Any

import numpy as np
import pytest

from put_server.house.put.solved.payoffs import Variant
from put_server.house.put.solved.tree import DEALER, ELDEST

pyspiel: Any = pytest.importorskip("pyspiel")
spiel: Any = pytest.importorskip("put_env.spiel")


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
    from put_solver.kernels import normalize  # noqa: PLC0415

    hand_tree = HandTree(Variant(game="put-1800", pack=12).tree)
    ends = (1.0, -1.0, 4.0, -2.0, 0.0, 0.0)  # in points, at one to three of five
    even = np.zeros(hand_tree.sizes.entries)
    normalize(hand_tree.flat, even, even)
    ours = hand_tree.best_response(ELDEST, ends, even) + hand_tree.best_response(DEALER, ends, even)
    game = _game(rule_set="put-1800", pack=12, scores="1 3", dealer=1)
    tree = pyspiel.load_efg_game(_gambit(game))  # walked once: in memory the rest takes a moment
    assert pyspiel.nash_conv(tree, pyspiel.UniformRandomPolicy(tree)) == pytest.approx(ours, abs=1e-6)

    theirs = pyspiel.CFRPlusSolver(tree)
    for _ in range(100):
        theirs.evaluate_and_update_policy()
    lost = pyspiel.nash_conv(tree, theirs.average_policy())
    assert lost < 0.01
    solver = HandSolver(hand_tree)
    solver.iterate(ends, 300)
    lower, upper = hand_tree.bounds(ends, solver.averages)
    worth, _ = pyspiel.expected_returns(tree.new_initial_state(), theirs.average_policy(), -1, True)
    assert lower - lost <= worth <= upper + lost
    assert upper - lower < 0.01


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"rule_set": "put-1674", "seats": 3},
        {"rule_set": "put-partners", "seats": 4},
        {"rule_set": "put-parlett", "rewards": "purse", "unit": "game"},
        {"rule_set": "put-tavern", "seats": 3, "options": "target=3 drawn_put=anew"},
        {"rule_set": "truc", "options": "ranking=printed"},
    ],
    ids=str,
)
def test_openspiel_checks_of_random_games_pass(parameters: dict[str, Any]) -> None:
    """OpenSpiel's own simulation test: legal actions, histories, observations, serialization, returns that sum to 0."""
    pyspiel.random_sim_test(_game(**parameters), num_sims=2, serialize=False, verbose=False)


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
    ],
)
def test_bad_parameters_are_named(parameters: dict[str, Any], says: str) -> None:
    """The error says what was wrong with what."""
    with pytest.raises(ValueError, match=says):
        spiel.PutSpiel(parameters)
