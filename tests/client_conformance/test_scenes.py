"""Every scene comes to a client, whatever it plays."""

import random
from collections.abc import Callable, Sequence

import pytest

from put_conformance.case_runner import MOST_IDLE_MOVES
from put_conformance.scenes import asked_at, scenes_on
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


def longest_wait(name: str, client: str, seed: int) -> int:
    """The most decisions of the client of this case with no new scene, until it was asked in every one."""
    case = CASES[name]
    rule_set = GAMES[case.game]
    game = rule_set.make(case.seats, {**rule_set.offer.defaults, **case.options})
    rng = random.Random(f"{name} {client} {seed}")
    own = Seat(rng.randrange(case.seats))
    missing = {check.name for check in case.checks}
    waited, longest = 0, 0
    while True:
        driver = Driver(game)
        for seat in driver.turns(shuffled_by(rng)):
            legal = game.legal(driver.state)
            if seat != own:
                driver.act(rng.choice(legal))
                continue
            waited += 1
            longest = max(waited, longest)
            if found := missing & {*scenes_on(driver.view(own))}:
                missing -= found
                waited = 0
            if not missing or waited > MOST_IDLE_MOVES:
                return longest
            driver.act(CLIENTS[client](rng, legal))


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize(
    "name", [name for name, case in CASES.items() if name.removesuffix(f"-{case.seats}") == case.game]
)
def test_every_scene_comes(name: str, client: str) -> None:
    """Long before the suite gives up, to a client that plays at random, or always takes the first legal action."""
    for seed in range(5):
        assert longest_wait(name, client, seed) <= MOST_IDLE_MOVES / 2


def test_scenes_have_words() -> None:
    """Also those of a family without words of its own."""
    assert asked_at("put", put.Moment.LEAD) == "is asked to lead"
    assert asked_at("whist", triomphe.Moment.LEAD) == "is asked at the moment lead"
