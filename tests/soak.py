"""Long campaigns: what the tests check on a short sample, for as long as there is time.

Everything follows from the seed. A campaign that fails prints the arguments with which it fails again.
"""

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from put_rules.registry import GAMES
from put_server.house.put.solved.solution_table import shipped
from put_server.house.put.solved.tree import SOLVABLE
from tests.abuse.campaign import campaign as abuse_campaign
from tests.abuse.fuzz import FRONT_ENDS
from tests.abuse.fuzz import campaign as fuzz_campaign
from tests.arena import colluders as colluding
from tests.arena.matches import CLOSED, played
from tests.client_conformance import campaign as conformance_campaign
from tests.cluster import campaign as cluster_campaign
from tests.cluster import rehearsal, rolling
from tests.cluster.at_gateway import MODULES
from tests.cluster.rig import LARGE, running_rig
from tests.cluster.simulation.campaign import CAMPAIGN as CLUSTER
from tests.cluster.simulation.mutations import MUTATIONS as CLUSTER_MUTATIONS
from tests.cluster.simulation.seeds import Campaign
from tests.conformance.one_game import check
from tests.conformance.random_games import SHORT, random_setup
from tests.crashes import campaigns as crash_campaigns
from tests.crashes import power as power_failures
from tests.crashes.scripted_bots import Programme
from tests.crashes.simulation.campaign import CAMPAIGN as SERVER
from tests.crashes.simulation.mutations import MUTATIONS as SERVER_MUTATIONS
from tests.examples.example_bots import evening, play
from tests.fairness.campaign import evening as fair_evening
from tests.house import opponents
from tests.journal import truncation
from tests.lobby.test_random import test_lobby_folded_again_is_the_same_lobby as fold_lobby
from tests.lobby.test_random import test_lobby_keeps_its_laws_whatever_happens as run_lobby
from tests.protocol import fuzz
from tests.solver.shipped_tables import verified

FUZZ_ROUNDS = 500

LIMIT = 5.0
"""Standard deviations."""

GUESSED_DEALS = 1_000

DISTURBED_GAMES = 15
"""Games at each table while the server is disturbed: some twenty kills per turn."""

UPGRADED_GAMES = 20
"""The same while it is upgraded."""

SIMULATED = 100
"""Evenings of a simulated cluster per turn."""

MUTANT_SEEDS = 2_000
"""Seeds in which the simulation finds any mutation."""

CLUSTER_GAMES = 15
"""The same on a cluster."""

ROLLED_GAMES = 24
"""The same on a cluster that is upgraded."""

NODE_GAMES = 24
"""More of them, where its NATS servers are restarted, too."""

LEARNED_GAMES = 600
"""Games in which the student learns one opponent."""

LEARNED = {"Timid": 0.74, "Caller": 0.85, "Loose": 0.66, "steady": 0.63, "perfect": 0.49, "Turncoat": 0.49}
"""The least share of games that it wins from each; from `Timid` and `Loose`, what `perfect` wins."""

STRANGERS_GAMES = 20
"""Games of every rule set per turn, by bots that share no code with the project."""

COLLUDERS, COLLUDED_GAMES = ("ByLocks", "BySockets", "ByFiles", "ByAll"), 400
"""Games of each channel per turn."""

SECRECY = ("tests/cluster/test_link_secrecy.py",)
"""It makes gateways itself."""

LAWS = (
    "tests/analysis",
    "tests/arena/test_in_process.py",
    "tests/client/record/test_game_recorder.py",
    "tests/client/test_blind.py",
    "tests/client/test_blind_tables.py",
    "tests/client/test_blind_takeover.py",
    "tests/client/tui/test_boards.py",
    "tests/client/tui/test_laws.py",
    "tests/client/tui/test_recording.py",
    "tests/client/tui/test_tmux.py",
    "tests/crashes/test_read_deals.py",
    "tests/conformance",
    "tests/docs/test_reference.py",
    "tests/env/test_openspiel.py",
    "tests/env/test_pettingzoo.py",
    "tests/env/test_vector.py",
    "tests/fairness/test_broken_messages.py",
    "tests/fairness/test_lies.py",
    "tests/fairness/test_replay.py",
    "tests/docs/test_schema.py",
    "tests/games",
    "tests/house/test_everywhere.py",
    "tests/house/test_perfect.py",
    "tests/journal/test_erasing.py",
    "tests/journal/test_files.py",
    "tests/lobby/test_blind_adjourned.py",
    "tests/lobby/test_blind_conspiracies.py",
    "tests/lobby/test_blind_evidence.py",
    "tests/lobby/test_blind_strays.py",
    "tests/lobby/test_blind_tables.py",
    "tests/lobby/test_blind_turns.py",
    "tests/lobby/test_evidence_evenings.py",
    "tests/lobby/test_random.py",
    "tests/protocol",
    "tests/table/test_machines.py",
    "tests/table/test_waits.py",
    "tests/text/test_notation.py",
    "tests/text/test_struct_text.py",
    "tests/transport/test_fuzz.py",
    "tests/transport/test_secrecy.py",
    "tests/web/test_browser.py",
    "tests/web/test_layout.py",
    "tests/web/test_page_blind.py",
    "tests/web/test_push.py",
    "tests/web/test_showdowns.py",
)
"""Tests that take the number of their tries from `tests.repetitions`."""

TRIES = 60
"""Times the number of tries in the tests."""


def run_tests(turn: int, *words: str, times: int = 1) -> int:
    """Tests with the chances of a turn, each so many times as often as the suite tries it, and each named once it is
    done. Returns that number.

    :raises CalledProcessError: one failed.
    """
    environment = {**os.environ, "PUT_TIMES": str(times), "PUT_TURN": str(turn)}
    command = (sys.executable, "-m", "pytest", "-v", "-n", "auto", "--timeout", "3600", *words)
    subprocess.run(command, env=environment, check=True)
    return times


def protocol(seed: int, turn: int) -> int:
    """Broken streams against both ends of a connection."""
    fuzz.campaign(seed, FUZZ_ROUNDS, start=turn * FUZZ_ROUNDS)
    return FUZZ_ROUNDS


def games(seed: int, turn: int, names: Iterable[str] = tuple(GAMES)) -> int:
    """Random games of every rule set with every number of seats, under random options, with time-outs and departures:
    all laws of tests/conformance at once."""
    rng, done = Random(f"{seed} {turn}"), 0
    for name in names:
        for seats in GAMES[name].offer.seats:
            check(rng, random_setup(rng, name, seats, short=SHORT))
            done += 1
    return done


def lobby(seed: int, turn: int) -> int:
    """Random people doing random things to a lobby; and its inputs folded again."""
    run_lobby(seed + 2 * turn)
    fold_lobby(seed + 2 * turn + 1)
    return 2


def _everywhere(seed: int, games: int, *, holds_keys: bool) -> Programme:
    return Programme(seed=seed, tables=crash_campaigns.TABLES, games=games, holds_keys=holds_keys)


def crashes(seed: int, turn: int) -> int:
    """A server in play, killed again and again; every game ends as if it had not been. In every other turn deals are
    sealed, and nobody may find anything wrong with them."""
    with tempfile.TemporaryDirectory(prefix="put-soak-") as data:
        return asyncio.run(
            crash_campaigns.killed(
                _everywhere(seed + turn, DISTURBED_GAMES, holds_keys=turn % 2 == 1), Path(data), moves=150
            )
        )


def upgrades(seed: int, turn: int) -> int:
    """A server in play, handed over to another process again and again; every game ends as if it had not been, and
    nobody is without a server for longer than a moment. Prints how long."""
    with tempfile.TemporaryDirectory(prefix="put-soak-") as data:
        count, pauses = asyncio.run(
            crash_campaigns.upgraded(
                _everywhere(seed + turn, UPGRADED_GAMES, holds_keys=turn % 2 == 1), Path(data), moves=40
            )
        )
    pauses.sort()
    median, worst = pauses[len(pauses) // 2], pauses[-1]
    print(f"{count} upgrades, {len(pauses)} pauses: median {median:.3f} s, worst {worst:.3f} s", flush=True)
    return count


def power(seed: int, turn: int) -> int:
    """Power failures, simulated from what a journal really wrote and synced; nothing acknowledged is lost. Needs
    strace."""
    return power_failures.campaign(seed, turn)


def simulation(seed: int, turn: int, folder: str = "cluster") -> int:
    """A cluster on a simulated broker, in which everything fails; or, by `crashes`, one server on a simulated disk."""
    first = seed + turn * SIMULATED
    work = f"from tests.{folder}.simulation.campaign import CAMPAIGN; CAMPAIGN.run({first}, {SIMULATED})"
    # A seed replays exactly where sets have the same order.
    subprocess.run((sys.executable, "-c", work), env={**os.environ, "PYTHONHASHSEED": "0"}, check=True)
    return SIMULATED


def simulation_mutations(
    _: int,
    turn: int,
    campaign: Campaign[Any] = CLUSTER,
    mutations: Mapping[str, Callable[[], Any]] = CLUSTER_MUTATIONS,
) -> int:
    """Faults put into the cluster, or into one server, each of which the simulation finds; says after how many
    seeds."""
    name = list(mutations)[turn % len(mutations)]
    seeds, why = campaign.seeds_until_found(mutations[name], MUTANT_SEEDS)
    assert seeds, f"{name}: not found in {MUTANT_SEEDS} seeds"
    print(f"{name}: found after {seeds} seeds ({why})", flush=True)
    return seeds


def cluster(seed: int, turn: int) -> int:
    """Workers, gateways and NATS nodes killed, paused and cut off from each other, again and again; every game ends as
    if nothing had been, and what sealed deals were made from is in no file of NATS four minutes later. Prints for how
    long a worker's death stops its tables. Needs nats-server."""
    tables = crash_campaigns.TABLES
    programme = Programme(seed=seed + turn, tables=tables, games=CLUSTER_GAMES, holds_keys=turn % 2 == 1)
    with tempfile.TemporaryDirectory(prefix="put-soak-") as data:
        evening = asyncio.run(cluster_campaign.disturbed(seed + turn, Path(data), programme, moves=150))
    print(", ".join([f"{name} {count}" for name, count in sorted(evening.done.items())]))
    if programme.holds_keys:
        print(f"{evening.forgotten:.0f} s after the last game no file of NATS has what deals were made from")
    measured = {"from a worker's death to the next move": evening.waits}
    measured |= {f"unconnected while {what}": spans for what, spans in sorted(evening.pauses.items())}
    for what, spans in measured.items():
        if spans:
            spans.sort()
            print(
                f"{what}, {len(spans)} times: median {spans[len(spans) // 2]:.2f} s, worst {spans[-1]:.2f} s",
                flush=True,
            )
    return evening.done.total()


def cluster_bots(seed: int, turn: int) -> int:
    """The bots in other languages on a cluster, at every rule set at once, over connections that break."""

    async def evening_there(folder: Path) -> None:
        async with running_rig(folder, seed + turn, LARGE) as rig:
            await play(seed + turn, rig.port, games=STRANGERS_GAMES, pieces=2_000)

    with tempfile.TemporaryDirectory(prefix="put-soak-") as data:
        asyncio.run(evening_there(Path(data)))
    return STRANGERS_GAMES


def cluster_rehearsals(seed: int, turn: int) -> int:
    """Every correct client in every case of the conformance suite, which has a gateway, a worker and a NATS server in
    place of a lobby of its own. Needs nats-server."""
    with tempfile.TemporaryDirectory(prefix="put-soak-") as data, rehearsal.at_cluster(Path(data)):
        return asyncio.run(conformance_campaign.right_clients(seed + turn))


def gateway(seed: int, turn: int) -> int:
    """The tests that drive a server, against a gateway; and the law of secrecy on the bytes between gateways and
    shards, for every rule set, number of seats, viewer and format."""
    return run_tests(seed + turn, "-p", "tests.cluster.at_gateway", *MODULES, *SECRECY)


def cluster_upgrade(seed: int, turn: int, release: str = "", nodes: int = 1, *, is_back: bool = False) -> int:
    """All workers and then all gateways of a cluster in play, restarted one after another, from the code of another
    commit (`--from`) to the present, and to that commit again (`--back`); of several NATS servers (`--nodes`) then each
    of those, too. Every game ends as if they had not been. Prints how long tables paused. Needs nats-server."""
    games = ROLLED_GAMES * (2 if is_back else 1) + (NODE_GAMES if nodes > 1 else 0)
    programme = _everywhere(seed + turn, games, holds_keys=turn % 2 == 1)
    with tempfile.TemporaryDirectory(prefix="put-soak-") as data:
        former = rolling.checked_out(release, Path(data) / "former") if release else None
        to = [None, former] if is_back else [None]
        size = rolling.SIZE._replace(nodes=nodes)
        evening = asyncio.run(
            rolling.rolled(seed + turn, Path(data), programme, moves=20, former=former, to=to, size=size)
        )
    for what, spans in evening.pauses.items():
        spans.sort()
        print(
            f"longest wait for a move at a table, {what}, {len(spans)} times: "
            f"median {spans[len(spans) // 2]:.2f} s, worst {spans[-1]:.2f} s",
            flush=True,
        )
    return evening.upgrades


def cuts(seed: int, turn: int) -> int:
    """Connections in play, cut again and again; every game ends as if they had not been."""
    with tempfile.TemporaryDirectory(prefix="put-soak-") as data:
        return asyncio.run(
            crash_campaigns.cut(
                _everywhere(seed + turn, DISTURBED_GAMES, holds_keys=turn % 2 == 1), Path(data), moves=60
            )
        )


def bots(seed: int, turn: int) -> int:
    """The bots in other languages at every rule set at once, over connections that break; no action is refused."""
    with tempfile.TemporaryDirectory(prefix="put-soak-") as data:
        asyncio.run(evening(seed + turn, Path(data), games=STRANGERS_GAMES, pieces=2_000))
    return STRANGERS_GAMES


def blind(seed: int, turn: int) -> int:
    """Blind deals with cheats, false accusations, silence, and parties that are killed, judged by their records."""
    from tests.protocol.blind.campaign import campaign  # noqa: PLC0415 - needs coincurve

    return campaign(seed, turn)


def blind_tables(seed: int, turn: int) -> int:
    """Blind games of every rule set, number of seats and mix of holders of keys, with drops; two verifiers accept them
    and say the same. Needs Node."""
    from tests.lobby.blind_evidence import campaign  # noqa: PLC0415 - needs coincurve

    return campaign(seed, turn)


def guesses(seed: int, turn: int) -> int:
    """A thousand deals of Put, in each of which a server that uses all it knows guesses the hand that it cannot read:
    as well as chance."""
    from tests.lobby.blind_guesses import guesses  # noqa: PLC0415 - needs coincurve

    for name, count in guesses(seed + turn, GUESSED_DEALS).items():
        print(f"guesses, {name}: {count.right} of {count.made} right, {count.deviation(1 / 49):+.2f} deviations")
        assert abs(count.deviation(1 / 49)) < LIMIT
    return GUESSED_DEALS


def fair(seed: int, turn: int) -> int:
    """Games of every rule set by clients that compare all of it with the rules, with drops and restarts; nobody
    is accused. Counts deals."""
    with tempfile.TemporaryDirectory(prefix="put-soak-") as data:
        return asyncio.run(fair_evening(seed, turn, Path(data)))


def page(_seed: int, turn: int) -> int:
    """Whole games of each family in Firefox, then fifty games in Chromium, whose memory stays flat."""
    from tests.web import firefox, memory  # noqa: PLC0415 - needs browsers

    return asyncio.run(memory.flat() if turn % 2 else firefox.games())


def colluders(seed: int, turn: int) -> int:
    """A bot that tells its copies what they were dealt, by each channel, against itself without the channel: in the
    sandbox every set is divided."""
    for channel in COLLUDERS:
        match = (f"{colluding.__file__}:{channel}", f"{colluding.__file__}:Honest")
        results = asyncio.run(played(*match, games=COLLUDED_GAMES, seed=seed + turn, tables=16, sandbox=CLOSED))
        assert not any(results.differences(0, 1)), f"{channel} gains something"
    return COLLUDED_GAMES * len(COLLUDERS)


def student(seed: int, turn: int) -> int:
    """The house's student against one opponent a turn, whom it gets to know; it wins no less than it should of each,
    as far as the games can tell."""
    name, least = list(LEARNED.items())[turn % len(LEARNED)]
    opponent = f"{opponents.__file__}:{name}" if hasattr(opponents, name) else f"house:{name}"
    results = asyncio.run(played("house:student", opponent, games=LEARNED_GAMES, seed=seed + turn, is_in_process=True))
    share = results.share_against(0, 1)
    assert share is not None
    print(f"student against {name}: {share.mean:.1%} ± {share.half:.1%} of {LEARNED_GAMES}", flush=True)
    assert share.high >= least, name
    return LEARNED_GAMES


def conformance(seed: int, turn: int) -> int:
    """Every correct client in every case, and every fault in the case that is about it, with other packs."""
    return asyncio.run(conformance_campaign.everything(seed + turn))


def laws(seed: int, turn: int) -> int:
    """The random tests with other seeds and many more tries: screens, codecs, tables, rules."""
    return run_tests(seed + turn, f"--hypothesis-seed={seed + turn}", *LAWS, times=TRIES)


def abuse(seed: int, _turn: int) -> int:
    """Every attack on a server of its own, in turns with calm, while honest bots play; prints a table, and no attack
    succeeds."""
    results = abuse_campaign(seed)
    failed = [result.name for result in results if result.faults]
    assert not failed, f"these attacks succeeded: {', '.join(failed)}"
    return len(results)


def solution(_: int, turn: int) -> int:
    """A shipped table against the best opponent, at every score and over the whole game; the next one every turn."""
    table = shipped(list(SOLVABLE)[turn % len(SOLVABLE)])
    assert table is not None
    return verified(table)


CAMPAIGNS: Mapping[str, Callable[[int, int], int]] = {
    "protocol": protocol,
    "games": games,
    **{f"games-{name}": partial(games, names=(name,)) for name in GAMES},
    "lobby": lobby,
    "journal": truncation.campaign,
    "blind": blind,
    "blind-tables": blind_tables,
    "guesses": guesses,
    "fair": fair,
    "abuse": abuse,
    **{f"fuzz-{front}": partial(fuzz_campaign, front) for front in FRONT_ENDS},
    "crashes": crashes,
    "upgrades": upgrades,
    "power": power,
    "simulation": simulation,
    "simulation-mutations": simulation_mutations,
    "simulation-server": partial(simulation, folder="crashes"),
    "simulation-server-mutations": partial(simulation_mutations, campaign=SERVER, mutations=SERVER_MUTATIONS),
    "cluster": cluster,
    "cluster-upgrade": cluster_upgrade,
    "cluster-bots": cluster_bots,
    "cluster-rehearsals": cluster_rehearsals,
    "gateway": gateway,
    "cuts": cuts,
    "bots": bots,
    "page": page,
    "colluders": colluders,
    "student": student,
    "conformance": conformance,
    "laws": laws,
    "solution": solution,
}


def main() -> int:
    """Returns the exit code."""
    parser = argparse.ArgumentParser(prog="scripts/soak", description=__doc__)
    parser.add_argument("campaigns", nargs="*", metavar="CAMPAIGN", help=f"of {', '.join(CAMPAIGNS)} (default: all)")
    parser.add_argument("--seconds", type=float, default=60, help="for each campaign (default: 60)")
    parser.add_argument("--seed", type=int, default=1674)
    parser.add_argument("--start", type=int, default=0, metavar="TURN", help="begin with this turn of the seed")
    parser.add_argument("--from", dest="release", default="", metavar="REV", help="commit that cluster-upgrade is from")
    parser.add_argument("--back", action="store_true", help="cluster-upgrade goes back to that commit, too")
    parser.add_argument(
        "--nodes", type=int, default=1, metavar="N", help="NATS servers of cluster-upgrade (default: 1)"
    )
    parser.add_argument("--turns", type=int, default=0, help="so many of each campaign, however long they take")
    options = parser.parse_args()
    names = options.campaigns or [name for name in CAMPAIGNS if not name.startswith("games-")]
    if unknown := set(names) - set(CAMPAIGNS):
        parser.error(f"no such campaign: {', '.join(sorted(unknown))}")
    campaigns: Mapping[str, Callable[[int, int], int]] = {
        **CAMPAIGNS,
        "cluster-upgrade": partial(cluster_upgrade, release=options.release, nodes=options.nodes, is_back=options.back),
    }
    for name in names:
        done, turn, end = 0, options.start, time.monotonic() + options.seconds
        while turn - options.start < options.turns if options.turns else time.monotonic() < end:
            try:
                done += campaigns[name](options.seed, turn)
            except Exception:
                print(f"{name} failed: scripts/soak {name} --seed {options.seed} --start {turn}", file=sys.stderr)
                raise
            turn += 1
        print(f"{name}: {done:,} rounds in {turn - options.start:,} turns of seed {options.seed}, all checks passed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
