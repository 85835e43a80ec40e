"""Parts that every compiled family needs: chance, legal actions drawn from masks, and what `vector` asks for."""

import zlib
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numba
import numpy as np
import numpy.typing as npt


class Results(NamedTuple):
    """Results of a step, a row each table."""

    observations: npt.NDArray[np.float32]
    masks: npt.NDArray[np.int8]
    movers: npt.NDArray[np.int8]
    rewards: npt.NDArray[np.float32]
    ends: npt.NDArray[np.bool_]


class Tables(Protocol):
    """All tables of a vector, of one family."""

    def seed(self, number: np.uint64) -> None:
        """Deal from here on by this seed."""

    def play(self, actions: npt.NDArray[Any], results: Results) -> None:
        """One legal action at every table; with no actions at all a new game at every table. Where an action ends an
        episode, the next has begun."""

    def arrays(self) -> tuple[npt.NDArray[Any], ...]:
        """All that a step changes."""


def source_of(*files: str) -> int:
    """A number of the code that a compiled function calls. Numba keeps what it compiled on disk, and looks at what the
    function closes over to know whether it is still right, but not at what it calls. A compiled function that it closes
    over has another name at each start, and would be compiled again. So each family has an entry of its own."""
    return zlib.crc32(b"".join([Path(file).read_bytes() for file in (__file__, *files)]))


@numba.njit(error_model="numpy")
def draw(chance: Any, below: int) -> int:
    """A number from 0 to below `below`, by splitmix64; the bias is below one in ten million."""
    chance[0] += np.uint64(0x9E3779B97F4A7C15)
    mixed = chance[0]
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    return int((mixed >> np.uint64(32)) * np.uint64(below) >> np.uint64(32))


@numba.njit(error_model="numpy")
def shuffle(cards: Any, first: int, chance: Any) -> None:
    """Shuffle cards, as far as the first so many: each is any of those that are left."""
    for place in range(first):
        other = place + draw(chance, len(cards) - place)
        cards[place], cards[other] = cards[other], cards[place]


@numba.njit(cache=True, nogil=True, error_model="numpy")
def first_illegal(masks: Any, actions: Any) -> int:
    """The first table whose mask rules its action out; -1: there is none."""
    for at in range(len(actions)):
        if actions[at] < 0 or actions[at] >= masks.shape[1] or masks[at, actions[at]] == 0:
            return at
    return -1


@numba.njit(cache=True, nogil=True, error_model="numpy")
def sample_all(masks: Any, chance: Any, actions: Any) -> None:
    """A legal action of each, all equally likely."""
    for at in range(len(masks)):
        legal = 0
        for code in range(masks.shape[1]):
            legal += masks[at, code]
        wanted = draw(chance, legal)
        for code in range(masks.shape[1]):
            if masks[at, code]:
                if wanted == 0:
                    actions[at] = code
                    break
                wanted -= 1
