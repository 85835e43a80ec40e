"""Opponents of the suite bring every scene about."""

import random
from collections.abc import Callable, Collection, Sequence

import pytest

from put_conformance.scenes import asked_at, choose, scenes_on
from put_protocol.cards import Card
from put_protocol.games import put, triomphe
from put_protocol.games.unions import Action
from put_protocol.seats import Seat
from put_rules.driver import Driver, shuffled_by
from put_rules.registry import GAMES
from tests.client_conformance.in_process import CASES

CLIENTS: dict[str, Callable[[random.Random, Sequence[Action]], Action]] = {
    "random": lambda rng, legal: rng.choice(legal),
    "first": lambda _, legal: legal[0],
}
MOST_DECISIONS = 100
"""Of the client, until it was asked in every scene; the suite gives up after 300 with nothing new."""


def decisions_until_all(name: str, client: str, seed: int, *, is_purposeful: bool = True) -> int:
    """How often the client of this case decides until it was asked in every scene; one more than the most if never."""
    case = CASES[name]
    rule_set = GAMES[case.game]
    options = {**rule_set.offer.defaults, **case.options}
    game = rule_set.make(case.seats, options)
    rng = random.Random(f"{name} {client} {seed}")
    own = Seat(rng.randrange(case.seats))
    missing = {check.name for check in case.checks}
    decisions = 0
    while True:
        driver = Driver(game)
        for seat in driver.turns(shuffled_by(rng)):
            legal = game.legal(driver.state)
            if seat != own:
                wanted: Collection[str] = missing if is_purposeful else ()
                driver.act(choose(rng, legal, wanted))
                continue
            decisions += 1
            missing -= {*scenes_on(driver.view(own))}
            if not missing or decisions > MOST_DECISIONS:
                return decisions
            driver.act(CLIENTS[client](rng, legal))


CHANCELESS = [
    name
    for name, case in CASES.items()
    if name.removesuffix(f"-{case.seats}") == case.game and "misdeals" not in case.options
]
"""Games in which no scene waits for an accident in the dealing."""


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("name", CHANCELESS)
def test_every_scene_comes(name: str, client: str) -> None:
    """A client that plays at random, or always takes the first of the legal actions, misses none."""
    for seed in range(5):
        assert decisions_until_all(name, client, seed) <= MOST_DECISIONS


@pytest.mark.parametrize("name", ["truc", "primero-3"])
def test_opponents_bring_scenes_about(name: str) -> None:
    """On purpose, and so in fewer decisions than opponents who want nothing of the client."""
    with_purpose = sum(decisions_until_all(name, "random", seed) for seed in range(20))
    without = sum(decisions_until_all(name, "random", seed, is_purposeful=False) for seed in range(20))
    assert with_purpose < 0.7 * without


def test_families_without_scenes_are_played_at_random() -> None:
    """Every legal action of theirs is taken at times."""
    legal = [triomphe.Play(Card(card)) for card in ("0t", "7t", "Kw")]
    assert asked_at("put", put.Moment.LEAD) == "is asked to lead"
    assert asked_at("whist", triomphe.Moment.LEAD) == "is asked at the moment lead"
    assert {choose(random.Random(seed), legal, {"lead"}) for seed in range(50)} == {*legal}
