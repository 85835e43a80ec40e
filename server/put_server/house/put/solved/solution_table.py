"""Tables of solved games: a file that says, for every score and every decision, how often to do what.

A file is `MAGIC`, four bytes with the length of what follows (the high byte first), a map in JSON (the game, its
options, and of each score a `Part`), and blocks of entries. An entry is two bytes, the chance of an action in parts of
`WHOLE`; `tree` says where each stands. The last action of a hand has no entry of its own, for it has what the others
leave; and for decisions that play by the table never comes to, all are 0. Of each score there come the high bytes of
all entries and then the low ones, which are mostly 0. Both are cut into blocks of `BLOCK`, compressed one by one, so
that a decision reads one or two of each; a block of zeros is left out.
"""

import json
import lzma
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Any

import msgspec

from put_server.house.put.solved.payoffs import Score, Variant
from put_server.house.put.solved.rank_sets import Ranks
from put_server.house.put.solved.tree import FIRST, SOLVABLE, PublicState, Tree

MAGIC = b"put solved 1\n"
WHOLE = 255 << 8
"""A chance of one, as an entry: so that a chance of eight bits has a low byte of 0."""
BLOCK = 1 << 16
_KEPT = 64
"""Blocks of a table kept unpacked: 4 megabytes. Four times as many make positions to practise on no faster."""
_FILTERS = ({"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "dict_size": BLOCK, "pb": 0},)
"""The way blocks are compressed, which their bytes do not say: LZMA2, looking back over the whole block."""
_LENGTH = 4
_MOST_HEAD = 1 << 20
"""No head is longer; a larger number is no length."""


class BadTable(ValueError):
    """These bytes are not the table of a solved game; the message says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One score of a table, in stakes won by eldest (`payoffs`)."""

    score: Score
    worth: float
    """Its worth, as well as the solver knows."""
    lower: float
    """Least worth of the whole game to an eldest who plays this table, against any dealer."""
    upper: float
    """Greatest worth of the whole game to any eldest, against a dealer who plays this table."""
    blocks: tuple[int, ...] = ()
    """Bytes in each block; 0 for one of zeros."""


class Table:
    """A solved game, read from its file's bytes or from a map of them, and unpacked block by block as needed.

    :raises BadTable: these bytes are no such file.
    """

    def __init__(self, data: bytes | mmap) -> None:
        self._data = memoryview(data)
        head, at = _head(self._data)
        try:
            self.variant = Variant.of(head["game"], head["options"])
            self.parts = {part.score: part for part in msgspec.convert(head["scores"], list[Part])}
        except (KeyError, TypeError, ValueError, msgspec.ValidationError) as error:
            raise BadTable(f"its head is broken: {error}") from None
        self.tree: Tree = self.variant.tree
        self._begins: dict[Score, list[int]] = {}
        self._size = self.tree.size(FIRST)
        self._blocks = -(-self._size // BLOCK)
        for part in self.parts.values():
            if len(part.blocks) != 2 * self._blocks:
                raise BadTable(f"at {part.score} it has {len(part.blocks)} blocks, and should have {2 * self._blocks}")
            begins = []
            for length in part.blocks:
                begins.append(at)
                at += length
            self._begins[part.score] = begins
        if set(self.parts) != set(self.variant.scores()):
            raise BadTable("it has not the scores of its game")
        if at != len(data):
            raise BadTable(f"it has {len(data)} bytes, and should have {at}")
        self._unpacked = lru_cache(maxsize=_KEPT)(self._unpack)

    def __reduce__(self) -> tuple[Any, ...]:
        game = self.variant.game
        return (shipped, (game,)) if self is shipped(game) else (Table, (bytes(self._data),))

    def _unpack(self, score: Score, number: int) -> bytes:
        length, begins = self.parts[score].blocks[number], self._begins[score][number]
        expected = min(BLOCK, self._size - number % self._blocks * BLOCK)
        if not length:
            return bytes(expected)
        try:
            block = lzma.decompress(self._data[begins : begins + length], lzma.FORMAT_RAW, filters=_FILTERS)
        except lzma.LZMAError as error:
            raise BadTable(f"block {number} of score {score} is broken: {error}") from None
        if len(block) != expected:
            raise BadTable(f"block {number} of score {score} has {len(block)} entries, and should have {expected}")
        return block

    def entries(self, score: Score) -> bytes:
        """The high bytes of all entries of a score, and then the low ones."""
        return b"".join(self._unpack(score, number) for number in range(len(self.parts[score].blocks)))

    def chances(self, score: Score, public: PublicState, at: int, hand: Ranks) -> tuple[float, ...]:
        """Frequency of each of `Tree.moves_of`; `at`: the place where the entries of the public state begin."""
        places = self.tree.places(public, hand)
        if len(places) < 2:
            return (1.0,)
        left, found = WHOLE, []
        for place in places[:-1]:
            number, entry = divmod(at + place, BLOCK)
            parts = self._unpacked(score, number)[entry] << 8 | self._unpacked(score, number + self._blocks)[entry]
            left -= parts
            found.append(parts / WHOLE)
        return (*found, left / WHOLE)


def load(path: Path) -> Table:
    """:raises BadTable: the file is none. :raises OSError: it cannot be read."""
    return Table(path.read_bytes())


def written(variant: Variant, parts: Iterable[tuple[Part, bytes]]) -> bytes:
    """The file of a table, from each score's entries: the high bytes, and then the low ones."""
    heads, blocks = [], []
    for part, entries in parts:
        packed_blocks = _packed(entries)
        heads.append(asdict(part) | {"blocks": [len(block) for block in packed_blocks]})
        blocks.extend(packed_blocks)
    head = {"game": variant.game, "options": variant.options, "scores": heads}
    text = json.dumps(head, separators=(",", ":")).encode()
    return b"".join([MAGIC, len(text).to_bytes(_LENGTH, "big"), text, *blocks])


def _packed(entries: bytes) -> list[bytes]:
    size = len(entries) // 2
    blocks = [half[at : at + BLOCK] for half in (entries[:size], entries[size:]) for at in range(0, size, BLOCK)]
    return [lzma.compress(block, lzma.FORMAT_RAW, filters=_FILTERS) if any(block) else b"" for block in blocks]


def _head(data: memoryview) -> tuple[Mapping[str, Any], int]:
    if data[: len(MAGIC)] != MAGIC:
        raise BadTable("it does not begin as one")
    at = len(MAGIC) + _LENGTH
    length = int.from_bytes(data[len(MAGIC) : at], "big")
    if length > _MOST_HEAD or at + length > len(data):
        raise BadTable("it is cut off in its head")
    try:
        head = json.loads(bytes(data[at : at + length]))
    except ValueError as error:
        raise BadTable(f"its head is broken: {error}") from None
    if not isinstance(head, dict):
        raise BadTable("its head is not a map")
    return head, at + length


def is_shipped(game: str) -> bool:
    """True if the house has a table of a rule set with its usual options. No table is read for that."""
    return game in SOLVABLE and _file(game).is_file()


def shipped(game: str) -> Table | None:
    """The table of a rule set with its usual options, read once in a process; None: there is none."""
    return _read(game) if is_shipped(game) else None


def _file(game: str) -> Traversable:
    return files("put_server.house.put") / "tables" / f"{game}.put"


@lru_cache(maxsize=len(SOLVABLE))  # asked for those alone, so that none is ever read again
def _read(game: str) -> Table:
    """The table in its file, of which processes share what they read; it is not read whole."""
    found = _file(game)
    if not isinstance(found, Path):  # as in an archive
        return Table(found.read_bytes())
    with found.open("rb") as file:
        return Table(mmap(file.fileno(), 0, access=ACCESS_READ))
