"""Measure what a house player's purse gains: one of a kind among others of another, duplicate, seeded, on every core.

    python -m scripts.research.purses primero sharp steady --seats 4 --options hands=1 --deals 1000

Every deal is played from every seat: the same packs, with the player of the first kind moved on by a seat each time, so
luck in the dealing weighs alike on all. The packs of a sitting are drawn from its number alone: the third is the same
however the first two were played. Printed is the mean gain of that player's purse a hand, with an interval of 95%; the
sittings of one number, one from each seat, count as one. With `hands=1` a sitting is a single hand. `random` is a kind,
too. With `--instead` the gain is what it gains more than one of the other kind would in its place, with the same packs
and dice. On average that is the same, because among its like a player gains nothing; but luck weighs less.
"""

import argparse
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from math import sqrt
from multiprocessing import Pool
from random import Random
from statistics import mean, stdev
from typing import NamedTuple

from put_protocol.seats import Seat
from put_server.games.game import OptionValue
from put_server.games.registry import GAMES
from put_server.house import registry
from put_server.house_runner import terms_at
from scripts.research.matches import arguments, asked_table, play_game


class Company(NamedTuple):
    """What is played, and who plays."""

    game: str
    seats: int
    options: Mapping[str, OptionValue]
    kind: str
    """Sits alone."""
    others: str
    instead: bool = False
    """Whether to count from what another of the others would gain in its place."""


class Gain(NamedTuple):
    """The mean over deals, each of them played from every seat."""

    deals: int
    mean: float
    """A hand."""
    margin: float
    """Half of the interval of 95%."""

    @property
    def is_shown(self) -> bool:
        """Whether the interval excludes that nothing is gained or lost."""
        return abs(self.mean) > self.margin

    def __str__(self) -> str:
        return f"{self.mean:+.3f} ± {self.margin:.3f} a hand (95%), {self.deals} deals from every seat"


def play_deal(company: Company, number: int) -> float:
    """What the purse of the one gains a hand: the mean over one sitting from every seat."""
    rule_set = GAMES[company.game]
    options = {offer.name: offer.default for offer in rule_set.offer.options} | dict(company.options)
    game = rule_set.make(company.seats, options)
    terms = terms_at(company.game, options)
    gained = 0.0
    for place in range(company.seats):
        for kind, sign in ((company.kind, 1), (company.others, -1))[: 1 + company.instead]:
            kinds = [kind if seat == place else company.others for seat in range(company.seats)]
            players = [
                registry.player(each, Random(f"{number} {place} {seat}"), terms) for seat, each in enumerate(kinds)
            ]
            gained += sign * play_game(game, players, number)[Seat(place)]
    return gained / company.seats / int(options.get("hands", 1))


def gain(company: Company, numbers: Iterable[int], cores: int = 1) -> Gain:
    """The gain over the deals of these numbers."""
    deals: Sequence[int] = list(numbers)
    if cores > 1:
        with Pool(cores) as pool:
            gains = pool.map(partial(play_deal, company), deals, chunksize=8)
    else:
        gains = [play_deal(company, number) for number in deals]
    return Gain(len(deals), mean(gains), 1.96 * stdev(gains) / sqrt(len(deals)))


def main() -> None:
    """The command line."""
    kinds = [*sorted(registry.HOUSES), registry.RANDOM]
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    arguments(parser, kinds, kinds)
    parser.add_argument("--instead", action="store_true", help="count from what one of the others would gain there")
    asked = parser.parse_args()
    seats, options = asked_table(asked)
    company = Company(asked.game, seats, options, asked.kind, asked.others, asked.instead)
    print(gain(company, range(asked.first, asked.first + asked.deals), asked.cores))


if __name__ == "__main__":
    main()
