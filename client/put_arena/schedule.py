"""Schedule of a match: opponents, seats and packs. Pure.

A *match* has one competitor for each side of a table. It is played in *rounds*. A round deals the same packs at one
table for each seating. The seatings are all rotations of the sides, so every competitor plays every hand of cards. The
games with the same number at the tables of a round make a *set*, in which luck cancels.
"""

import hmac
import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

GAMES_A_TABLE = 50
"""Most games at a table. Opening a table costs as much as a game. With more games, cores would be idle at the end."""

ROUNDS_OF_A_SIZE = 8
"""Number of rounds with one game, then of rounds with two games, then with four. A set is complete when its last
seating is over, so small rounds give early results for bots that think for minutes."""

Match = tuple[int, ...]
"""The number of the competitor on each side. If there are more sides than competitors, some appear twice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """The same packs, once for each seating."""

    match: int
    name: str
    """Name of the packs. Each round has its own."""
    seatings: tuple[tuple[int, ...], ...]
    """The competitor in each seat, for each table."""
    games: int
    """Games at each table."""
    retry: int = 0
    """Number of times that the round was broken off and repeated."""

    def deals(self, seed: int) -> str:
        """Name of its packs at a server. It is secret: a bot that knew it could have them dealt at its own table."""
        return derived(seed, "deals", self.name)

    def dice(self, seed: int, seat: int) -> str:
        """Seed of the dice of the bot in this seat. Every bot gets the same dice with the same cards."""
        return derived(seed, "dice", self.name, seat)

    def rest(self, games: int) -> "Round":
        """The rest of the round after this many games were not played. It has its own packs."""
        return replace(
            self, name=f"{planned_name(self.name)}{_AGAIN}{self.retry + 1}", games=games, retry=self.retry + 1
        )


_AGAIN = ", again "


def planned_name(name: str) -> str:
    return name.partition(_AGAIN)[0]


def derived(seed: int, *what: str | int) -> str:
    """A secret for one use. It reveals neither the seed nor other such secrets."""
    return hmac.new(str(seed).encode(), repr(what).encode(), "sha256").hexdigest()[:32]


def matches(competitors: int, sides: int) -> tuple[Match, ...]:
    """Every group of competitors that can meet. All are different, or, if they are too few, some appear twice."""
    if competitors >= sides:
        return tuple(itertools.combinations(range(competitors), sides))
    every = itertools.combinations_with_replacement(range(competitors), sides)
    return tuple([match for match in every if len({*match}) == competitors])


def rounds(number: int, match: Match, sides: Sequence[int], games: int) -> Iterator[Round]:
    """Rounds of a match with at least this many games, in whole sets.

    With three or more sides, every order around the table is played in turn, because neighbours matter.
    """
    count = max(sides) + 1
    sets = -(-games // count)
    orders = [(match[0], *others) for others in _orders(match[1:])]
    of_a_size = -(-ROUNDS_OF_A_SIZE // len(orders)) * len(orders)  # so that every order plays as many games
    for index in itertools.count():
        if sets <= 0:
            return
        a_table = min(GAMES_A_TABLE, 2 ** (index // of_a_size), sets)
        order = orders[index % len(orders)]
        turned = [order[turn:] + order[:turn] for turn in range(count)]
        yield Round(
            match=number,
            name=f"match {number + 1}, round {index + 1}",
            seatings=tuple([tuple([sides_in_turn[side] for side in sides]) for sides_in_turn in turned]),
            games=a_table,
        )
        sets -= a_table


def _orders(others: Match) -> list[Match]:
    """Every order of these. For more than five, some random orders: all would be too many to play."""
    if len(others) <= EVERY_ORDER:
        return list(itertools.permutations(others))
    dice = random.Random(str(others))
    return [tuple(dice.sample(others, len(others))) for _ in range(ORDERS)]


EVERY_ORDER = 5
ORDERS = 100


def all_rounds(competitors: int, sides: Sequence[int], games: int) -> Iterator[Round]:
    """All rounds, alternating between the matches, so that the games played at any time are a fair sample."""
    played = matches(competitors, max(sides) + 1)
    by_match = [rounds(number, match, sides, games) for number, match in enumerate(played)]
    for together in itertools.zip_longest(*by_match):
        yield from (one for one in together if one is not None)


def copies(competitors: int, sides: Sequence[int]) -> tuple[int, ...]:
    """Largest number of players of each competitor at one table."""
    found = matches(competitors, max(sides) + 1)
    seated = [[match[side] for side in sides] for match in found]
    return tuple([max(seating.count(one) for seating in seated) for one in range(competitors)])
