"""Watch a house player of Primero among others of its kind, and note what it does at each spot of the betting.

    python -m scripts.research.imitate_primero steady --hands 2000 --out rival.npy

`scripts/research/learn_primero.py` practises against what was noted. A spot that was never met has only zeros there.
"""

import argparse
from collections.abc import Sequence
from functools import partial
from multiprocessing import Pool
from pathlib import Path
from random import Random

import numpy as np
import numpy.typing as npt

from put_protocol.games.primero import Bet, GoOn, Pass, PrimeroAction, PrimeroView, Raise, Refuse
from put_protocol.games.unions import Choice
from put_protocol.seats import Seat
from put_server.games.registry import GAMES
from put_server.house import registry
from put_server.house.player import Player
from put_server.house.primero import spots
from put_server.house.primero.moves import Mixture
from put_server.house.primero.observation import Observation
from put_server.house_runner import terms_at
from scripts.research.learned_primero import Learned
from scripts.research.matches import play_game


class _Spotter(Learned):
    """Says at which spot a learned player would be."""

    spot = -1

    def _learned(
        self,
        spot: int,
        observation: Observation,
        actions: Sequence[PrimeroAction],
        refuse: PrimeroAction | None,
        see: PrimeroAction | None,
    ) -> Mixture:
        self.spot = spot
        return {}


class _Watched:
    """A player, and the count of what it does."""

    def __init__(self, player: Player[PrimeroView], counts: npt.NDArray[np.float64]) -> None:
        self._player, self._counts = player, counts
        self._spotter = _Spotter(Random(0))

    def mixture(self, view: PrimeroView, legal: tuple[Choice, ...], seat: Seat) -> Mixture:
        return dict(self._player.mixture(view, legal, seat))

    def choose(self, view: PrimeroView, legal: tuple[Choice, ...], seat: Seat) -> object:
        action = self._player.choose(view, legal, seat)
        self._spotter.spot = -1
        self._spotter.mixture(view, legal, seat)
        if self._spotter.spot >= 0:
            self._counts[self._spotter.spot, _deed(action, view.limit)] += 1
        return action


def _deed(action: object, limit: int) -> int:
    match action:
        case Bet(amount=amount) | Raise(amount=amount):
            sizes = {spots.MOST: limit, spots.HALF: (limit + 1) // 2, spots.LITTLE: 1}
            return min(sizes, key=lambda deed: abs(sizes[deed] - amount))
        case Refuse() | Pass() | GoOn():
            return spots.REFUSE
        case _:
            return spots.SEE


def watch(kind: str, seed: int, hands: int) -> npt.NDArray[np.float64]:
    """What players of this kind did, in so many hands of three to six."""
    counts = np.zeros((spots.SPOTS, spots.DEEDS))
    for number in range(hands):
        seats = 3 + number % 4
        game = GAMES["primero"].make(seats, {"hands": 1, "limit": 6})
        terms = terms_at("primero", {})
        players = [
            _Watched(registry.player(kind, Random(f"{seed} {number} {seat}"), terms), counts) for seat in range(seats)
        ]
        play_game(game, players, 1_000_000 * (seed + 1) + number)  # type: ignore[arg-type] # they choose like players
    return counts


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("kind", choices=sorted(registry.HOUSES))
    parser.add_argument("--hands", type=int, default=2000)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--out", type=Path, required=True)
    asked = parser.parse_args()
    with Pool(asked.cores) as pool:
        found = pool.map(partial(_part, asked.kind, asked.hands // asked.cores), range(asked.cores))
    counts = sum(found, np.zeros((spots.SPOTS, spots.DEEDS)))
    np.save(asked.out, counts)
    print(f"{counts.sum():.0f} decisions at {np.count_nonzero(counts.sum(axis=1))} spots")


def _part(kind: str, hands: int, seed: int) -> npt.NDArray[np.float64]:
    return watch(kind, seed, hands)


if __name__ == "__main__":
    main()
