"""Rules alone: whole games at random, with no table, lobby, codec or socket around them.

Times are processor times, so that another program on the same core changes little.
"""

import random
import time
from typing import Any

from put_protocol.cards import Card
from put_rules.game import Game, Over, Purpose, Shuffle
from put_rules.registry import GAMES
from scripts.benches.harness import Report

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
