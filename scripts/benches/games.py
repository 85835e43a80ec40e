"""Games without a server: random games of the bare rules, environments, and bots in the arena, each compared with the
bare rules.

Times are processor times, so that other programs on the same core have little effect.

A step in an environment is one of an agent, with observation and mask. What PettingZoo's Leduc does is measured beside
them where it can be imported: it needs rlcard and pygame, which are no dependencies of this project.
"""

import asyncio
import importlib
import os
import random
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from put_arena.competitors import parse
from put_arena.contest import Contest, Rules
from put_arena.match_play import play as play_match
from put_client import Bot
from put_client.bots.loading import load, maker
from put_protocol.cards import Card
from put_protocol.seats import Seat
from put_rules.driver import Driver, shuffled_by
from put_rules.game import Game, Over, Purpose, Shuffle
from put_rules.registry import GAMES
from scripts.benches.harness import Report, in_turns, on_cores

PACKS = 4_096
"""Packs shuffled in advance, because chance is an input of the rules, and used repeatedly."""


LEAST = {"put-1674": 250_000}
"""Least actions a second of a rule set; of all others:"""
LEAST_OF_OTHERS = 200_000


def measure(report: Report, *, is_quick: bool) -> None:
    """Every rule set with every number of seats, with default options."""
    report.section("Rules alone: random games, legal() at every turn, packs shuffled beforehand, one core")
    for name, rule_set in GAMES.items():
        options = rule_set.offer.defaults
        for seats in rule_set.offer.seats:
            game = rule_set.make(seats, options)
            chance = random.Random(1674)
            packs = shuffled_packs(game, chance)
            play(game, packs, chance, 0.2)
            rounds = [play(game, packs, chance, 0.3 if is_quick else 0.7) for _ in range(3 if is_quick else 5)]
            report.figure(f"{name}, {seats} seats", rounds, "actions/s", at_least=LEAST.get(name, LEAST_OF_OTHERS))


def shuffled_packs(game: Game[Any, Any], chance: random.Random) -> list[tuple[Card, ...]]:
    wanted = game.awaits(game.begin(None))
    assert isinstance(wanted, Shuffle)
    return [tuple(chance.sample(wanted.cards, len(wanted.cards))) for _ in range(PACKS)]


def play(game: Game[Any, Any], packs: list[tuple[Card, ...]], chance: random.Random, seconds: float) -> float:
    """Whole games for this time; returns actions a second."""
    actions = used = 0
    draw = chance.random
    begun = time.process_time()
    while time.process_time() - begun < seconds:
        state = game.begin(None)
        while True:
            legal = game.legal(state)
            if legal:
                state, _ = game.act(state, legal[int(draw() * len(legal))])
                actions += 1
                continue
            awaits = game.awaits(state)
            if isinstance(awaits, Over):
                break
            if isinstance(awaits, Shuffle) and awaits.purpose is Purpose.STOCK:  # of cards that came back
                state, _ = game.deal(state, tuple(chance.sample(awaits.cards, len(awaits.cards))))
                continue
            state, _ = game.deal(state, packs[used % PACKS])
            used += 1
    return actions / (time.process_time() - begun)


AEC_OF_RULES = 0.35
"""Share of the actions of the bare rules: 87,000 of 250,000."""
AEC_OF_LEDUC = 3.15
"""Multiple of the steps of PettingZoo's Leduc: 60,000 to 19,000."""
VECTOR_OF_AEC = 23
"""2,000,000 to 87,000."""

Run = Callable[[float], float]
"""Runs for this processor time; returns steps a second."""


def _rate(once: Callable[[], int], seconds: float) -> float:
    """Rate of what `once` counts, a second of processor time; it is repeated for this time."""
    count, begun = 0, time.process_time()
    while time.process_time() - begun < seconds:
        count += once()
    return count / (time.process_time() - begun)


def measure_environments(report: Report, *, is_quick: bool) -> None:
    """Two-handed put-1674 in every form, with PettingZoo's games; then every rule set in PettingZoo's form."""
    report.section("Environments: agent steps at random, observation and mask at every step, processor time, one core")
    try:
        runs = dict(_forms())
    except ImportError as error:
        report.note(f"left out, because the extra put-cards[env] is not installed: {error}")
        return
    seconds, rounds = (0.5, 3) if is_quick else (1.5, 7)
    found = in_turns(runs, seconds, rounds)
    for name, rates in found.items():
        report.figure(name, rates, "steps/s")
    for name, ours, theirs, aim in RATIOS:
        if theirs in found:
            report.ratio(name, found[ours], found[theirs], "times", at_least=aim)
    if LEDUC not in found:
        report.note("PettingZoo's Leduc is left out: it needs rlcard and pygame")
    for name, rule_set in GAMES.items():
        for seats in (min(rule_set.offer.seats), max(rule_set.offer.seats)):
            run = _aec(name, seats)
            run(0.2)
            report.figure(f"{name}, {seats} seats", [run(seconds / 2) for _ in range(3)], "steps/s")


AEC, RULES, LEDUC, VECTOR = (
    "put-1674 in PettingZoo's form",
    "put-1674, the bare rules",
    "PettingZoo's leduc_holdem_v4",
    "put-1674 in vectors of 1,024 tables",
)

VECTORS = (("truc", 2), ("triomphe-forcee", 4), ("triomphe-forcee", 10), ("primero", 3), ("primero", 6))

RATIOS = (
    ("PettingZoo's form to the bare rules", AEC, RULES, AEC_OF_RULES),
    ("PettingZoo's form to PettingZoo's Leduc", AEC, LEDUC, AEC_OF_LEDUC),
    ("PettingZoo's form to PettingZoo's Leduc without its wrappers", AEC, f"{LEDUC}, raw", None),
    ("vectors to PettingZoo's form", VECTOR, AEC, VECTOR_OF_AEC),
    ("vectors to the bare rules", VECTOR, RULES, None),
)
"""Comparisons: name, measured program, reference, and least ratio."""


def _forms() -> Iterator[tuple[str, Run]]:
    yield RULES, _bare_rules()
    yield AEC, _aec("put-1674", 2)
    yield VECTOR, _vector("put-1674", 2)
    yield from ((f"{name} in vectors, {seats} seats", _vector(name, seats)) for name, seats in VECTORS)
    with suppress(ImportError):
        module = importlib.import_module("pettingzoo.classic.leduc_holdem_v4")
        yield LEDUC, _random(module.env())
        yield f"{LEDUC}, raw", _random(module.raw_env())


def _bare_rules() -> Run:
    options = GAMES["put-1674"].offer.defaults
    game, chance = GAMES["put-1674"].make(2, options), random.Random(1674)
    return partial(play, game, shuffled_packs(game, chance), chance)


def _aec(name: str, seats: int) -> Run:
    from put_env import aec  # noqa: PLC0415 - an extra

    return _random(aec.env(name, seats))


def _random(env: Any) -> Run:
    """Any environment in PettingZoo's form whose observations have a mask."""
    env.reset(seed=1)
    draw = random.Random(1).random

    def play_on() -> int:
        env.reset()
        steps = 0
        while not any((last := env.last())[2:4]):
            legal = last[0]["action_mask"].nonzero()[0]
            env.step(int(legal[int(draw() * len(legal))]))
            steps += 1
        return steps

    return partial(_rate, play_on)


def _vector(name: str, seats: int) -> Run:
    from put_env.vector import VectorEnv  # noqa: PLC0415 - an extra

    env = VectorEnv(name, seats, tables=1024, seed=1)

    def step() -> int:
        for _ in range(20):
            env.step(env.sample())
        return 20 * len(env.movers)

    return partial(_rate, step)


EXAMPLES = Path(__file__).parents[2] / "docs/examples"
BOT = "random_bot.py"
"""A bot that chooses at once, so that the remaining time is the arena's."""

GAME = "put-1674"


def measure_arena(report: Report, *, is_quick: bool) -> None:
    """Two equal bots at one server; and with `--in-process`, as a share of the processor time of bare games, which have
    only the rules, the views and the bots' choices, in turns with it. The arena may use every core."""
    files = [str(EXAMPLES / BOT)] * 2
    report.section(f"Games of {GAME}: {BOT} against itself")
    ratios = []
    with on_cores(*range(os.cpu_count() or 1)):
        runs = [_in_arena(files, 500 if is_quick else 2_000) for _ in range(1 if is_quick else 2)]
        for _ in range(3 if is_quick else 5):
            alone = _in_process(files, seconds=1)
            # The number of games played alone in this time: starting takes half a second and is part of the cost.
            _, cost = _in_arena(files, round(alone * (3 if is_quick else 10)), is_in_process=True)
            ratios.append(1_000 / alone / cost)
    rates, costs = zip(*runs, strict=True)
    report.figure("in the arena, 1 server", rates, "games/s")
    report.figure("    processor time of each, of all processes", costs, "ms", decimals=2)
    report.figure("in the arena, --in-process, 1 job: processor time of a bare game", ratios, "of it", decimals=2)


def _in_process(files: list[str], seconds: float) -> float:
    """Games a second of processor time."""
    game = GAMES[GAME].make(2, GAMES[GAME].offer.defaults)
    bots: list[Bot] = [maker(load(file), seed)() for seed, file in enumerate(files)]
    for seat, bot in enumerate(bots):
        bot.table, bot.seat = 1, Seat(seat)
    rng = random.Random(1674)

    def play_on() -> int:
        driver = Driver(game)
        for seat in driver.turns(shuffled_by(rng)):
            driver.act(bots[seat].choose(driver.view(seat), driver.choices()))
        return 1

    return _rate(play_on, seconds)


def _in_arena(files: list[str], games: int, *, is_in_process: bool = False) -> tuple[float, float]:
    """Games a second, from the first to the last; and milliseconds of processor time for each game, including the
    start."""
    rules = Rules(
        game=GAME, seats=2, options={}, turn=20, bank=3, late=3, slow=0.0, seed=1674, host="127.0.0.1", tables=16
    )
    contest = Contest(parse(files), rules, games=games, jobs=1, is_in_process=is_in_process)
    before = os.times()
    asyncio.run(play_match(contest))
    after = os.times()
    assert contest.results is not None
    assert not any(conduct.faults for conduct in contest.conduct)
    used = sum(after[:4]) - sum(before[:4])  # ours, and that of all processes, which are gone
    return contest.rate, 1_000 * used / len(contest.results.games)
