"""The benches: the toy plays the server's game, the profile adds up, and only the server's packages are needed."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

import put_server
from put_protocol.cards import FULL_PACK
from put_protocol.games.put import Put, See
from put_protocol.seats import Seat
from put_rules.game import Over, Shuffle
from put_rules.registry import GAMES
from scripts.benches import harness, profiling
from scripts.benches.load import Echoes, Tables
from scripts.benches.profiling import layer_of, table_of
from scripts.benches.toy import Game, Illegal

ROOT = Path(__file__).resolve().parents[2]
BOTH = Seat(0), Seat(1)


@pytest.mark.parametrize("seed", range(20))
def test_toy_plays_as_the_server_does(seed: int) -> None:
    """Dealt the same packs and given the same actions, both tell the same events, views, choices and questions."""
    chance = random.Random(seed)
    rules = GAMES["put-1674"].make(2, {option.name: option.default for option in GAMES["put-1674"].offer.options})
    toy, state = Game(None), rules.begin(None)
    while not isinstance(awaits := rules.awaits(state), Over):
        if isinstance(awaits, Shuffle):
            pack = tuple(chance.sample(FULL_PACK, 52))
            state, facts = rules.deal(state, pack)
            told = toy.deal(pack)
        else:
            choices = rules.choices(state)
            assert toy.choices == choices
            assert toy.question() == (rules.asks(state), rules.why(state))
            action = chance.choice(choices).action
            state, facts = rules.act(state, action)
            told = (toy.act(action),) * 2
        assert told == tuple([tuple([fact.seen_by(seat) for fact in facts]) for seat in BOTH])
        assert [toy.view(seat) for seat in BOTH] == [rules.view(state, seat) for seat in BOTH]
    assert toy.is_over
    assert toy.dealer == awaits.dealer


def test_toy_refuses_what_is_not_legal() -> None:
    """An action that is not among the choices changes nothing."""
    game = Game(Seat(0))
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
        tables = Tables(process.port, 2)
        tables.run_moves(200)
        tables.close()
    with harness.baseline("echo") as process:
        echoes = Echoes(process.port, 2)
        count, _ = echoes.run(0.05)
        echoes.close()
    assert count > 0


def test_profile_knows_the_layer_of_every_module_of_the_server() -> None:
    """No module on a move's way is left to its callers, and libraries are."""
    modules = [path for path in Path(put_server.__file__).parent.rglob("*.py") if path.name != "__init__.py"]
    assert all(layer_of(str(path), "anything") for path in modules)
    assert layer_of("/usr/lib/python3.11/enum.py", "__call__") is None
    assert layer_of(str(ROOT / "server/put_rules/put/visibility.py"), "view") == "views"
    assert layer_of("/usr/lib/python3.11/asyncio/selector_events.py", "write") == "write and send"
    assert layer_of("/usr/lib/python3.11/asyncio/selector_events.py", "_read_ready") == "read and poll"


def test_profile_table_adds_up() -> None:
    """A row a layer that has a sample, the dearest first, and the sum."""
    head, *rows, total = table_of({"one": {"rules": 1.0, "table": 3.0}, "two": {profiling.COLLECTOR: 6.0}})
    assert [row[:20].strip() for row in rows] == ["garbage collector", "table", "rules"]
    assert rows[1].split()[1:3] == ["3.0", "75.0%"]
    assert total.split() == ["all", "4.0", "6.0"]
    assert head.split() == ["one", "two"]


def test_profile_of_a_served_move() -> None:
    """The sampler sees a server at work."""
    found = profiling.sampled(seconds=0.5, tables=4, is_on_disk=False, is_sealed=False)
    assert sum(found.values()) > 0


def test_bench_needs_no_package_of_the_tests() -> None:
    """Whoever has the server can measure it."""
    program = "import sys; sys.modules.update(pytest=None, hypothesis=None, tests=None); import scripts.bench"
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True)
