"""All laws at once on one random game: slower than any of them and faster than all. For soaking."""

from random import Random
from typing import Any

from put_protocol.games.unions import Ending, ending_of
from put_protocol.seats import GALLERY, Seat
from put_rules.game import IllegalAction, Over, Shuffle, Turn
from tests.conformance import random_games
from tests.conformance.every_action import of_family
from tests.conformance.random_games import Setup, Step, observe, random_game, random_temper, replayed
from tests.conformance.secrets import SECRETS
from tests.conformance.tables import Played
from tests.games.event_checks import Follower

OFTEN, SELDOM = 0.3, 0.1
"""In what part of the games the laws are tried that play a game, or a part of it, again."""


def check(rng: Random, setup: Setup) -> int:
    """Play a game and check it. Returns its number of steps.

    :raises AssertionError: a law does not hold.
    """
    game = setup.game()
    steps = tuple(random_game(rng, setup, random_temper(rng)))
    played = Played(0, setup, game, steps)
    followers = {viewer: Follower(viewer, game.view(steps[0].state, viewer)) for viewer in setup.viewers}
    gains = [0] * setup.seats
    for step in steps:
        _check_state(rng, game, setup, step)
        for viewer, follower in followers.items():
            events = step.seen_by(viewer)
            follower.apply_event(events)
            follower.check(game.view(step.state, viewer), game.awaits(step.state), game.moment(step.state))
            ends = [event for event in events if ending_of(event) is not None]
            assert len(ends) == isinstance(game.awaits(step.state), Over)
        for event in step.seen_by(GALLERY):
            if isinstance(event, Ending):
                told = event.gains if hasattr(event, "gains") else event.paid
                gains = [sum(both) for both in zip(gains, told, strict=True)]
    assert isinstance(game.awaits(steps[-1].state), Over)
    assert tuple(gains) == game.paid(steps[-1].state)
    assert game.pot(steps[-1].state) == 0
    if rng.random() < OFTEN:
        again = replayed(setup, [step.given for step in steps if step.given is not None])
        assert [step.state for step in again] == [step.state for step in steps]
    if rng.random() < SELDOM:
        _check_sleep(rng, game, setup, rng.choice(steps).state)
    if rng.random() < SELDOM:
        _check_secrecy(rng, played)
    return len(steps)


def _check_state(rng: Random, game: Any, setup: Setup, step: Step) -> None:
    state = step.state
    awaits, legal = game.awaits(state), game.legal(state)
    assert isinstance(awaits, Turn) == bool(legal)
    assert len(set(legal)) == len(legal)
    assert sum(game.paid(state)) + game.pot(state) == 0
    assert game.pot(state) >= 0
    held = [card for seat in range(setup.seats) for card in game.view(state, Seat(seat)).cards]
    assert len(set(held)) == len(held)
    if isinstance(awaits, Turn) and rng.random() < SELDOM:
        assert tuple(choice.action for choice in game.choices(state)) == legal
        game.act(state, rng.choice(legal))
        pack = held or list(game.awaits(game.begin(Seat(0))).cards)
        for action in rng.sample(of_family(setup.family, tuple(dict.fromkeys(pack))), 3):
            if action not in legal:
                _check_refused(game, state, action)


def _check_refused(game: Any, state: Any, action: Any) -> None:
    try:
        game.act(state, action)
    except IllegalAction:
        return
    raise AssertionError(f"{action} is accepted and not listed")


def _check_sleep(rng: Random, game: Any, setup: Setup, state: Any) -> None:
    for _ in range(20_000):
        awaits = game.awaits(state)
        if isinstance(awaits, Over):
            return
        if isinstance(awaits, Shuffle):
            state, _ = game.deal(state, random_games.shuffled(rng, awaits.cards, setup.top(awaits)))
        else:
            state, _ = game.expire(state)
    raise AssertionError("they sleep on")


def _check_secrecy(rng: Random, played: Played) -> None:
    viewer = rng.choice(played.setup.viewers)
    steps = played.steps[: rng.randint(1, len(played.steps))]
    again = SECRETS[played.setup.family.name].redealt(rng, played, steps, viewer)
    for true, other in zip(steps, again, strict=True):
        assert observe(played.game, true, viewer) == observe(played.game, other, viewer)
