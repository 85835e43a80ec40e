"""Duplicate matches: how strong the house players are, one of a kind against others, seeded, on every core.

    python -m tests.house.duplicate_matches truc sharp steady --deals 500

Duplicate: the same packs are played again with the players moved on a seat, as often as there are seats (or sides), so
luck in the dealing weighs alike on all. The packs of a game are drawn from its number alone: the third hand's is the
same however the first two went. The first kind sits alone against the others (in partnerships, against the other side).
Printed are the games it won and the stakes (in Primero and Triomphe: of its purse) it gained, with standard errors over
the numbers of games (the games of one number, one from each seat, count as one), and what a choice of it costs.
`random` is a kind, too. With `--instead` counted is what it wins and gains more than one of the other kind would in its
place, with the same packs and dice. The mean gain is the same, because a player gains nothing among its like; but luck
weighs less.
"""

import argparse
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import count
from math import sqrt
from multiprocessing import Pool
from random import Random
from statistics import mean, stdev
from time import process_time
from typing import Any, NamedTuple

from put_protocol.seats import Seat
from put_rules.driver import Driver, Pack, shuffled_by
from put_rules.game import Game, OptionValue, Shuffle
from put_rules.registry import GAMES
from put_server.house import registry
from put_server.house.player import Player, Terms
from put_server.house_runner import terms_at


class Match(NamedTuple):
    """Game, players and options of a match."""

    game: str
    seats: int
    options: Mapping[str, OptionValue]
    kind: str
    """Sits alone, or with a partner."""
    others: str
    instead: bool = False
    """Count from what another of the others would win in its place."""

    @property
    def sides(self) -> int:
        """Number of those who win or lose for themselves."""
        return 2 if self.game == "put-partners" else self.seats

    def made(self) -> tuple[Game[Any, Any], Terms]:
        rule_set = GAMES[self.game]
        options = rule_set.offer.defaults | dict(self.options)
        return rule_set.make(self.seats, options), terms_at(self.game, self.options)


class Result(NamedTuple):
    """Means over deals, each of them played from every seat."""

    deals: int
    share: float
    """Share of the games that the first kind won."""
    share_error: float
    stakes: float
    """Gained by it a game."""
    stakes_error: float

    def __str__(self) -> str:
        return (
            f"{self.share:.1%} ± {self.share_error:.1%} of the games won, {self.stakes:+.3f} ± {self.stakes_error:.3f} "
            f"stakes a game, {self.deals} deals"
        )


def play_deal(match: Match, number: int) -> tuple[float, float]:
    """The share of the games won and the stakes gained by the first kind, over one game from every seat."""
    game, terms = match.made()
    won, gained = 0, 0.0
    for turn in range(match.sides):
        for one, sign in ((match.kind, 1), (match.others, -1))[: 1 + match.instead]:
            kinds = [one if seat % match.sides == turn else match.others for seat in range(match.seats)]
            players = [
                registry.player(kind, Random(f"{number} {turn} {seat}"), terms) for seat, kind in enumerate(kinds)
            ]
            paid = play_game(game, players, number)
            won += sign * (paid[turn] > 0)
            gained += sign * paid[turn]
    return won / match.sides, gained / match.sides


def play_game(game: Game[Any, Any], players: Sequence[Player], number: int) -> tuple[int, ...]:
    """A game with the packs of this number; what it paid."""
    driver, packs = Driver(game, Seat(number % len(players))), count(1)

    def shuffled(wanted: Shuffle) -> Pack:
        return shuffled_by(Random(f"{number} {next(packs)}"))(wanted)

    for seat in driver.turns(shuffled):
        driver.act(players[seat].choose(driver.view(seat), driver.choices(), seat))
    return game.paid(driver.state)


def milliseconds(match: Match, deals: Iterable[int]) -> float:
    """Processor time of a choice of the first kind, where it has one, over these games among its own."""
    game, terms = match.made()
    spent, choices = 0.0, 0
    for number in deals:
        driver = Driver(game, Seat(0))
        players = [registry.player(match.kind, Random(f"{number} {seat}"), terms) for seat in range(match.seats)]
        for seat in driver.turns(shuffled_by(Random(number))):
            view, legal = driver.view(seat), driver.choices()
            begun = process_time()
            action = players[seat].choose(view, legal, seat)
            if len(legal) > 1:
                spent, choices = spent + process_time() - begun, choices + 1
            driver.act(action)
    return 1000 * spent / choices


def play(match: Match, deals: Iterable[int], cores: int = 1) -> Result:
    """The match over these numbers of games."""
    numbers = list(deals)
    if cores > 1:
        with Pool(cores) as pool:
            results = pool.map(partial(play_deal, match), numbers, chunksize=4)
    else:
        results = [play_deal(match, number) for number in numbers]
    shares, stakes = ([each[column] for each in results] for column in (0, 1))
    root = sqrt(len(numbers))
    return Result(len(numbers), mean(shares), stdev(shares) / root, mean(stakes), stdev(stakes) / root)


def main() -> None:
    kinds = [*sorted(registry.HOUSES), registry.RANDOM]
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("game", choices=sorted(GAMES))
    parser.add_argument("kind", choices=kinds)
    parser.add_argument("others", choices=kinds)
    parser.add_argument("--seats", type=int, help="the least there may be, if not given")
    parser.add_argument("--options", nargs="*", default=[], metavar="NAME=VALUE")
    parser.add_argument("--instead", action="store_true", help="count from what one of the others would win there")
    parser.add_argument("--deals", type=int, default=200, help="deals, each played from every seat")
    parser.add_argument("--first", type=int, default=0, help="the number of the first")
    parser.add_argument("--cores", type=int, default=1)
    asked = parser.parse_args()
    options: dict[str, OptionValue] = {}
    for option in asked.options:
        name, value = option.split("=")
        options[name] = int(value) if value.isdigit() else value
    seats = asked.seats or min(GAMES[asked.game].offer.seats)
    match = Match(asked.game, seats, options, asked.kind, asked.others, asked.instead)
    print(play(match, range(asked.first, asked.first + asked.deals), asked.cores))
    print(f"{milliseconds(match, range(asked.first, asked.first + 10)):.2f} ms of a core for a choice of {match.kind}")


if __name__ == "__main__":
    main()
