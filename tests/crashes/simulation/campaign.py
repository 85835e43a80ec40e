"""Campaign of simulated evenings of one server: each is made of a seed, replays exactly, and is cut down where it
breaks a law."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

from put_rules.registry import GAMES
from put_server.app import new_lobby
from put_server.journal.archive import Archive
from put_server.journal.journal_check import check
from put_server.journal.lobby_replay import fold
from put_server.journal.records import decode_chance, decode_input, encode, with_chance
from put_server.lobby.inputs import Input, Secret, Shuffled
from tests.cluster.simulation.campaign import BLIND, cut_down
from tests.cluster.simulation.evening import EveningPlan, Violation, run
from tests.cluster.simulation.laws import History, must_be_told
from tests.cluster.simulation.virtual_time import virtual_time
from tests.crashes.campaigns import secrets_left
from tests.crashes.scripted_bots import Programme
from tests.crashes.simulation.world import FAULTS, ServerWorld

MOST_FAULTS = 24


def plan_of(seed: int) -> EveningPlan:
    """The evening of a seed."""
    rng = Random(f"{seed} plan")
    tables = [("put-1674", 2), *[_table(rng) for _ in range(rng.randrange(3))]]
    programme = Programme(
        seed=seed, tables=tables, games=rng.choice((1, 2, 3)), holds_keys=rng.random() < BLIND, options={"target": 2}
    )
    kinds = rng.sample(list(FAULTS), rng.choice((1, 2, 4, len(FAULTS))))
    often = rng.choice((2, 6, 15))
    faults = [(rng.randrange(1, 2 * often), rng.choice(kinds)) for _ in range(rng.randrange(1, MOST_FAULTS))]
    return EveningPlan(seed=seed, programme=programme, watches=rng.random() < 0.5, faults=tuple(faults))


def _table(rng: Random) -> tuple[str, int]:
    game = rng.choice(["put-1674", *[name for name in GAMES if name.startswith("put")]])
    return game, rng.choice(GAMES[game].offer.seats)


def evening(plan: EveningPlan) -> str:
    """Play it. Returns what is wrong, and nothing if nothing is."""
    with tempfile.TemporaryDirectory(prefix="put-evening-") as root, virtual_time(plan.seed) as loop:
        world = ServerWorld(loop, plan, Path(root))
        try:
            run(world)
            must_hold(world)
        except Violation as error:
            return str(error)
        except Exception as error:  # noqa: BLE001  # whatever ends an evening is to be reported
            return f"{type(error).__name__}: {error}"
    return ""


def must_hold(world: ServerWorld) -> None:
    """
    :raises Violation: a law was broken.
    """
    folder = world.disk.folder
    with Archive(folder / "put.sqlite3") as archive:
        findings = check(archive, new_lobby(world.settings(), world.passcode_key), GAMES).findings
        if findings:
            raise Violation(f"the journal is not sound: {findings[0]}")
        games = [found.record for number in archive.ids() if (found := archive.game(number)) is not None]
    must_be_told(world, games, [History(new_lobby(world.settings(), world.passcode_key), _records(world))])
    _brought_back(world)
    if left := world.traces or secrets_left(world.plan.programme.seed, folder):
        raise Violation(f"blind game {left[0][1]} of table {left[0][0]} can still be read")


def _records(world: ServerWorld) -> Iterator[tuple[int, Input]]:
    """Every input that counts, from the first."""
    if list(world.records) != list(range(1, len(world.records) + 1)):
        raise Violation("records are not numbered in order")
    for number, at, blob, _ in world.records.values():
        event = decode_input(blob)
        if isinstance(event, Secret | Shuffled):
            event = with_chance(event, decode_chance(world.chances[number, event.table][2]))
        yield at, event


def _brought_back(world: ServerWorld) -> None:
    """Each life began with the lobby that the records make."""
    lobby = new_lobby(world.settings(), world.passcode_key)
    made = {0: encode(lobby.checkpoint())}
    wanted = dict(world.brought_back)
    for number, (at, event) in enumerate(_records(world), 1):
        fold(lobby, event, at)
        if number in wanted:
            made[number] = encode(lobby.checkpoint())
    for number, lobby_then in world.brought_back:
        if made[number] != lobby_then:
            raise Violation(f"after record {number} a server began with another lobby than there was")


def campaign(first: int, count: int) -> None:
    """
    :raises AssertionError: an evening broke a law.
    """
    for seed in range(first, first + count):
        if why := evening(plan_of(seed)):
            shortest = cut_down(plan_of(seed), evening)
            raise AssertionError(f"seed {seed}: {why}; of its faults these are enough: {shortest.faults}")
