"""The benches: the toy plays the server's game, and only the server's packages are needed."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

from put_protocol.cards import FULL_PACK
from put_protocol.games.put import Put, See
from put_protocol.games.unions import Choice
from put_protocol.seats import Seat
from put_rules.game import Over, Shuffle
from put_rules.registry import GAMES
from put_text.catalogue import in_english
from scripts.benches import harness
from scripts.benches.load import Echoes, LoadedTables
from scripts.benches.toy import Illegal, ToyGame

ROOT = Path(__file__).resolve().parents[2]
BOTH = Seat(0), Seat(1)


@pytest.mark.parametrize("seed", range(20))
def test_toy_plays_as_the_server_does(seed: int) -> None:
    """Dealt the same packs and given the same actions, both tell the same events, views, choices and questions."""
    chance = random.Random(seed)
    rules = GAMES["put-1674"].make(2, {option.name: option.default for option in GAMES["put-1674"].offer.options})
    toy, state = ToyGame(None), rules.begin(None)
    while not isinstance(awaits := rules.awaits(state), Over):
        if isinstance(awaits, Shuffle):
            pack = tuple(chance.sample(FULL_PACK, 52))
            state, facts = rules.deal(state, pack)
            told = toy.deal(pack)
        else:
            choices = rules.choices(state)
            assert toy.choices == tuple([Choice(choice.action, choice.says) for choice in choices])
            assert toy.question() == (in_english(rules.asks(state)), in_english(rules.why(state)))
            action = chance.choice(choices).action
            state, facts = rules.act(state, action)
            told = (toy.act(action),) * 2
        assert told == tuple([tuple([fact.seen_by(seat) for fact in facts]) for seat in BOTH])
        assert [toy.view(seat) for seat in BOTH] == [rules.view(state, seat) for seat in BOTH]
    assert toy.is_over
    assert toy.dealer == awaits.dealer


def test_toy_refuses_what_is_not_legal() -> None:
    """An action that is not among the choices changes nothing."""
    game = ToyGame(Seat(0))
    game.deal(FULL_PACK)
    game.act(Put())
    before = game.view(Seat(0))
    with pytest.raises(Illegal):
        game.act(Put())
    assert game.view(Seat(0)) == before
    game.act(See())
    with pytest.raises(Illegal):
        game.act(See())


def test_load_plays_at_the_toy_and_the_echo() -> None:
    """Games follow one another at the toy, and the echo answers."""
    with harness.baseline("toy") as process:
        tables = LoadedTables(process.port, 2)
        tables.run_moves(200)
        tables.close()
    with harness.baseline("echo") as process:
        echoes = Echoes(process.port, 2)
        count, _ = echoes.run(0.05)
        echoes.close()
    assert count > 0


def test_bench_needs_no_package_of_the_tests() -> None:
    """Whoever has the server can measure it."""
    program = "import sys; sys.modules.update(pytest=None, hypothesis=None, tests=None); import scripts.bench"
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True)
