"""Campaign of simulated evenings of one server."""

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
from tests.cluster.simulation.evening import EveningPlan, Violation, run
from tests.cluster.simulation.laws import History, must_be_told
from tests.cluster.simulation.seeds import Campaign, drawn
from tests.cluster.simulation.virtual_time import virtual_time
from tests.crashes.campaigns import secrets_left
from tests.crashes.simulation.world import FAULTS, ServerWorld

PLAYED = ("put-1674", *[name for name in GAMES if name.startswith("put")])


def plan_of(seed: int) -> EveningPlan:
    """The evening of a seed."""
    rng = Random(f"{seed} plan")
    programme, faults = drawn(rng, seed, PLAYED, list(FAULTS), (1, 2, 4, len(FAULTS)))
    return EveningPlan(seed=seed, programme=programme, watches=rng.random() < 0.5, faults=faults)


def play(plan: EveningPlan) -> ServerWorld:
    """
    :raises Violation: a law was broken.
    """
    with tempfile.TemporaryDirectory(prefix="put-evening-") as root, virtual_time(plan.seed) as loop:
        world = ServerWorld(loop, plan, Path(root))
        run(world)
        must_hold(world)
    return world


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


CAMPAIGN = Campaign(plan_of, play)
