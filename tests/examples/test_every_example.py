"""Every bot of docs/examples that the SDK can load, in play: an example is tested as soon as its file is there."""

from functools import partial
from pathlib import Path
from random import Random

import pytest

from put_client.bots.loading import LoadError, load, maker
from put_protocol.seats import Seat
from put_rules.driver import Driver, Pack
from put_rules.game import Shuffle
from put_rules.registry import GAMES
from tests.conformance.random_games import Setup, random_setup, shuffled

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


def loadable() -> list[Path]:
    """Files with a bot in them; the others are programs of their own."""
    found = []
    for file in sorted(EXAMPLES.glob("*.py")):
        try:
            load(str(file))
        except LoadError:
            continue
        found.append(file)
    return found


BOTS = loadable()


def test_examples_are_found() -> None:
    """Each file named as a bot has one, but the one that does without the SDK."""
    assert {file.name for file in EXAMPLES.glob("*_bot.py")} == {file.name for file in BOTS}


@pytest.mark.parametrize("file", BOTS, ids=lambda file: file.stem)
@pytest.mark.parametrize("name", GAMES)
def test_example_plays_legally(name: str, file: Path) -> None:
    """It plays games of every rule set against itself to their end, and each choice is one it was offered."""
    rng = Random(f"{name} {file.stem}")
    make = maker(load(str(file)), seed=1)
    for _ in range(3):
        setup = random_setup(rng, name)
        game = setup.game()
        bots = [make() for _ in range(setup.seats)]
        for seat, bot in enumerate(bots):
            bot.seat = Seat(seat)
        driver = Driver(game, setup.dealer)
        for seat in driver.turns(partial(_pack, rng, setup)):
            legal = driver.choices()
            chosen = bots[seat].choose(driver.view(seat), legal)
            assert chosen in [choice.action for choice in legal]
            driver.act(chosen)


def _pack(rng: Random, setup: Setup, wanted: Shuffle) -> Pack:
    return shuffled(rng, wanted.cards, setup.top(wanted))
