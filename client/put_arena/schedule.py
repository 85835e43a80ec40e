"""Schedule of a match: who meets whom, in which seats, with which packs. Pure.

A *match* is so many competitors as a table has sides. It is played in *rounds*: the same packs at one table for each
seating, which are all rotations of the sides, so that everyone plays every hand of cards. Game by game the tables of a
round make a *set*, in which luck cancels.
"""

import hmac
import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

GAMES_A_TABLE = 50
"""Most games at a table. To open a table costs as much as a game; more games would leave cores idle at the end."""

ROUNDS_OF_A_SIZE = 8
"""The first rounds have one game, then as many have two, and so on: a set is complete when its last seating is over,
and the first result of a bot that thinks for minutes is not to take hours."""

Match = tuple[int, ...]
"""A competitor, by number, for each side; where there are more sides than competitors some are named twice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """The same packs, once for each seating."""

    match: int
    name: str
    """Name of the packs: other rounds have others."""
    seatings: tuple[tuple[int, ...], ...]
    """The competitor in each seat, a table each."""
    games: int
    """Games at each table."""
    retry: int = 0
    """Times it was begun before and broken off."""

    def deals(self, seed: int) -> str:
        """Name of its packs at a server. A bot that knew it could have them dealt at a table of its own."""
        return derived(seed, "deals", self.name)

    def dice(self, seed: int, seat: int) -> str:
        """Seed of the dice of a bot in this seat, whichever bot it is: the same cards come with the same dice."""
        return derived(seed, "dice", self.name, seat)

    def rest(self, games: int) -> "Round":
        """The rest of it, if so many games of it were not played, with packs of its own."""
        return replace(self, name=f"{base_of(self.name)}{_AGAIN}{self.retry + 1}", games=games, retry=self.retry + 1)


_AGAIN = ", again "


def base_of(name: str) -> str:
    """Name of the planned round, from that of a round that was begun again."""
    return name.partition(_AGAIN)[0]


def derived(seed: int, *what: str | int) -> str:
    """A secret for one use, from which neither the seed nor any other such secret can be told."""
    return hmac.new(str(seed).encode(), repr(what).encode(), "sha256").hexdigest()[:32]


def sides_of(seats: int, sides: Sequence[int]) -> tuple[int, ...]:
    """The side of each seat; `sides` as a view has it, empty where each plays alone."""
    return tuple(sides) or tuple(range(seats))


def matches(competitors: int, sides: int) -> tuple[Match, ...]:
    """Every group of competitors that can meet: all different, or all of them and some twice if they are too few."""
    if competitors >= sides:
        return tuple(itertools.combinations(range(competitors), sides))
    every = itertools.combinations_with_replacement(range(competitors), sides)
    return tuple([match for match in every if len({*match}) == competitors])


def rounds(number: int, match: Match, sides: Sequence[int], games: int) -> Iterator[Round]:
    """Rounds of at least so many games of a match, in whole sets.

    With three sides or more every order round the table comes in its turn, for it matters who sits next to whom.
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
    """Every order of these; for more than five, some orders at random: all would be too many to play."""
    if len(others) <= EVERY_ORDER:
        return list(itertools.permutations(others))
    dice = random.Random(str(others))
    return [tuple(dice.sample(others, len(others))) for _ in range(ORDERS)]


EVERY_ORDER = 5
ORDERS = 100


def all_rounds(competitors: int, sides: Sequence[int], games: int) -> Iterator[Round]:
    """All rounds, those of different matches in turn, so that the games played at any time are a fair sample."""
    played = matches(competitors, max(sides) + 1)
    by_match = [rounds(number, match, sides, games) for number, match in enumerate(played)]
    for together in itertools.zip_longest(*by_match):
        yield from (one for one in together if one is not None)


def copies(competitors: int, sides: Sequence[int]) -> tuple[int, ...]:
    """Most players of each competitor at one table."""
    found = matches(competitors, max(sides) + 1)
    seated = [[match[side] for side in sides] for match in found]
    return tuple([max(seating.count(one) for seating in seated) for one in range(competitors)])
