"""Games in the arena, with a process per bot and a server between them, against the same games in one process.

In one process there are the rules, the views and the bots' own choosing, and nothing else: no table, clock, codec or
socket. The arena may use every core.
"""

import asyncio
import os
import random
import time
from pathlib import Path

from put_arena.competitors import parse
from put_arena.contest import Contest, Rules
from put_arena.match_play import play
from put_client import Bot
from put_client.bots.loading import load, maker
from put_protocol.seats import Seat
from put_rules.driver import Driver, shuffled_by
from put_rules.registry import GAMES
from scripts.benches.harness import Report, on_cores

EXAMPLES = Path(__file__).parents[2] / "docs/examples"
BOT = "random_bot.py"
"""A bot that chooses at once, so that what remains is the arena's."""

GAME = "put-1674"


def measure(report: Report, *, is_quick: bool) -> None:
    """Measure two of a kind at one server, and in one process."""
    files = [str(EXAMPLES / BOT)] * 2
    report.section(f"Games of {GAME}: {BOT} against itself")
    bare = [_in_process(files, seconds=1 if is_quick else 3) for _ in range(3)]
    report.figure("in one process", bare, "games/s")
    with on_cores(*range(os.cpu_count() or 1)):
        runs = [_in_arena(files, 500 if is_quick else 2_000) for _ in range(1 if is_quick else 2)]
        rates, costs = zip(*runs, strict=True)
        middle = report.figure("in the arena, 1 server", rates, "games/s")
        report.figure("    of those in one process", [middle / sorted(bare)[1]], "of it", decimals=3)
        report.figure("    processor time of each, of all processes", costs, "ms", decimals=2)
        _measure_in_process(report, files, is_quick=is_quick)
    report.figure("    the same in one process", [1_000 / rate for rate in bare], "ms", decimals=2)


def _measure_in_process(report: Report, files: list[str], *, is_quick: bool) -> None:
    """`--in-process`: of the processor time of a bare game, in turns with it."""
    ratios, costs, rates = [], [], []
    for _ in range(3 if is_quick else 5):
        alone = _in_process(files, seconds=1)
        # As many games as are played alone in so many seconds: starting takes half a second and is part of the cost.
        rate, cost = _in_arena(files, round(alone * (3 if is_quick else 10)), is_in_process=True)
        rates.append(rate)
        costs.append(cost)
        ratios.append(1_000 / alone / cost)
    report.figure("in the arena, --in-process, 1 job", rates, "games/s")
    report.figure("    processor time of each, of all processes", costs, "ms", decimals=2)
    report.figure("    that of a bare game, of it", ratios, "of it", decimals=2)


def _in_process(files: list[str], seconds: float) -> float:
    """Games a second of processor time."""
    game = GAMES[GAME].make(2, {option.name: option.default for option in GAMES[GAME].offer.options})
    bots: list[Bot] = [maker(load(file), seed)() for seed, file in enumerate(files)]
    for seat, bot in enumerate(bots):
        bot.table, bot.seat = 1, Seat(seat)
    rng = random.Random(1674)
    games = 0
    begun = time.process_time()
    while time.process_time() - begun < seconds:
        games += 1
        driver = Driver(game)
        for seat in driver.turns(shuffled_by(rng)):
            driver.act(bots[seat].choose(driver.view(seat), driver.choices()))
    return games / (time.process_time() - begun)


def _in_arena(files: list[str], games: int, *, is_in_process: bool = False) -> tuple[float, float]:
    """Games a second, from the first to the last; and milliseconds of processor time a game, with the starting."""
    rules = Rules(
        game=GAME, seats=2, options={}, turn=20, bank=3, late=3, slow=0.0, seed=1674, host="127.0.0.1", tables=16
    )
    contest = Contest(parse(files), rules, games=games, jobs=1, is_in_process=is_in_process)
    before = os.times()
    asyncio.run(play(contest))
    after = os.times()
    assert contest.results is not None
    assert not any(conduct.faults for conduct in contest.conduct)
    used = sum(after[:4]) - sum(before[:4])  # ours, and that of all processes, which are gone
    return contest.rate, 1_000 * used / len(contest.results.games)
