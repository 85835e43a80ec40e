"""Rules alone: whole games at random, with no table, lobby, codec or socket around them; and environments over them.

Times are processor times, so that another program on the same core changes little.

A step in an environment is one of an agent, with observation and mask. What PettingZoo's own games do is measured
beside them where they can be imported: Leduc needs rlcard and pygame, which are no dependencies of this project.
"""

import importlib
import random
import time
from collections.abc import Callable, Iterator
from typing import Any

from put_protocol.cards import Card
from put_rules.game import Game, Over, Purpose, Shuffle
from put_rules.registry import GAMES
from scripts.benches.harness import Report, in_turns

PACKS = 4_096
"""Packs shuffled beforehand, because chance is an input of the rules; used again and again."""


LEAST = {"put-1674": 250_000}
"""The fewest actions a second that a rule set should make, and of all others:"""
LEAST_OF_OTHERS = 200_000


def measure(report: Report, *, is_quick: bool) -> None:
    """Every rule set with every number of seats, under its default options."""
    report.section("Rules alone: random games, legal() at every turn, packs shuffled beforehand, one core")
    for name, rule_set in GAMES.items():
        options = {option.name: option.default for option in rule_set.offer.options}
        for seats in rule_set.offer.seats:
            game = rule_set.make(seats, options)
            chance = random.Random(1674)
            packs = shuffled_packs(game, chance)
            play(game, packs, chance, 0.2)
            rounds = [play(game, packs, chance, 0.3 if is_quick else 0.7) for _ in range(3 if is_quick else 5)]
            report.figure(f"{name}, {seats} seats: games", [games / span for games, _, span in rounds], "games/s")
            actions = [count / span for _, count, span in rounds]
            report.figure(
                f"{name}, {seats} seats: actions", actions, "actions/s", at_least=LEAST.get(name, LEAST_OF_OTHERS)
            )


def shuffled_packs(game: Game[Any, Any], chance: random.Random) -> list[tuple[Card, ...]]:
    wanted = game.awaits(game.begin(None))
    assert isinstance(wanted, Shuffle)
    return [tuple(chance.sample(wanted.cards, len(wanted.cards))) for _ in range(PACKS)]


def play(
    game: Game[Any, Any], packs: list[tuple[Card, ...]], chance: random.Random, seconds: float
) -> tuple[int, int, float]:
    """Whole games for so long; returns the games, the actions in them, and the seconds."""
    games = actions = used = 0
    draw = chance.random
    begun = time.process_time()
    while time.process_time() - begun < seconds:
        games += 1
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
    return games, actions, time.process_time() - begun


AEC_OF_RULES = 0.35
"""Share of the actions that the bare rules make: 87,000 of 250,000."""
AEC_OF_LEDUC = 3.15
"""Times the steps of PettingZoo's Leduc: 60,000 to 19,000."""
VECTOR_OF_AEC = 23
"""2,000,000 to 87,000."""

Run = Callable[[float], float]
"""Plays for so many seconds of processor time; gives steps a second."""


def measure_environments(report: Report, *, is_quick: bool) -> None:
    """Two-handed put-1674 in every form, beside PettingZoo's games; then every rule set as PettingZoo's form."""
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
    ("PettingZoo's form to PettingZoo's tic-tac-toe", AEC, "PettingZoo's tictactoe_v3", None),
    ("vectors to PettingZoo's form", VECTOR, AEC, VECTOR_OF_AEC),
    ("vectors to the bare rules", VECTOR, RULES, None),
)
"""Comparisons: a name, the one, the other, and the least share it should be."""


def _forms() -> Iterator[tuple[str, Run]]:
    yield RULES, _bare_rules()
    yield AEC, _aec("put-1674", 2)
    yield VECTOR, _vector("put-1674", 2)
    yield from ((f"{name} in vectors, {seats} seats", _vector(name, seats)) for name, seats in VECTORS)
    for name in ("leduc_holdem_v4", "tictactoe_v3"):
        try:
            module = importlib.import_module(f"pettingzoo.classic.{name}")
        except ImportError:
            continue
        yield f"PettingZoo's {name}", _random(module.env())
        yield f"PettingZoo's {name}, raw", _random(module.raw_env())


def _bare_rules() -> Run:
    options = {option.name: option.default for option in GAMES["put-1674"].offer.options}
    game, chance = GAMES["put-1674"].make(2, options), random.Random(1674)
    packs = shuffled_packs(game, chance)

    def run(seconds: float) -> float:
        _, actions, span = play(game, packs, chance, seconds)
        return actions / span

    return run


def _aec(name: str, seats: int) -> Run:
    from put_env import aec  # noqa: PLC0415 - an extra

    return _random(aec.env(name, seats))


def _random(env: Any) -> Run:
    """Any environment of PettingZoo's form whose observations have a mask."""
    env.reset(seed=1)
    draw = random.Random(1).random

    def run(seconds: float) -> float:
        steps = 0
        begun = time.process_time()
        while time.process_time() - begun < seconds:
            env.reset()
            while True:
                observation, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    break
                legal = observation["action_mask"].nonzero()[0]
                env.step(int(legal[int(draw() * len(legal))]))
                steps += 1
        return steps / (time.process_time() - begun)

    return run


def _vector(name: str, seats: int) -> Run:
    from put_env.vector import VectorEnv  # noqa: PLC0415 - an extra

    env = VectorEnv(name, seats, tables=1024, seed=1)

    def run(seconds: float) -> float:
        steps = 0
        begun = time.process_time()
        while time.process_time() - begun < seconds:
            for _ in range(20):
                env.step(env.sample())
            steps += 20 * len(env.movers)
        return steps / (time.process_time() - begun)

    return run
