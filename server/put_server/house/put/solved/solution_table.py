"""Tables of solved games: a file with the frequency of each move, for every score and decision.

A file is `MAGIC`, the length of the head in four bytes (high byte first), the head (a JSON map with the game, its
options, and a `Part` for each score), and blocks of entries. An entry is two bytes, the chance of an action in parts of
`WHOLE`; `tree` gives its place. The last action of a hand has no entry, because its chance is the remainder. Decisions
that play by the table never reaches have entries of 0. For each score the high bytes of all entries come first, then
the low bytes, which are mostly 0. Both are cut into blocks of `BLOCK`, compressed separately, so that a decision reads
one or two of each. A block of zeros is left out.
"""

import lzma
from collections.abc import Iterable
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from put_server.house.put.solved.payoffs import Score, Variant
from put_server.house.put.solved.rank_sets import Ranks
from put_server.house.put.solved.tree import FIRST, SOLVABLE, PublicState, Tree

MAGIC = b"put solved 1\n"
WHOLE = 255 << 8
"""The chance 1 as an entry, chosen so that a chance of eight bits has a low byte of 0."""
BLOCK = 1 << 16
_KEPT = 64
"""Unpacked blocks of a table to cache: 4 megabytes. Four times as many do not make practice positions faster."""
_FILTERS = ({"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "dict_size": BLOCK, "pb": 0},)
"""Compression of blocks, which their bytes do not state: LZMA2, with the whole block as dictionary."""
_LENGTH = 4
_MOST_HEAD = 1 << 20
"""Longest possible head; a larger number is no length."""


class BadTable(ValueError):
    """The bytes are no table of a solved game; the message says why."""


class Part(Struct, frozen=True, kw_only=True):
    """One score of a table, in stakes won by eldest (`payoffs`)."""

    score: Score
    worth: float
    """Worth, as exactly as the solver knows it."""
    lower: float
    """Least worth of the whole game to an eldest who plays by this table, against any dealer."""
    upper: float
    """Greatest worth of the whole game to any eldest, against a dealer who plays by this table."""
    blocks: tuple[int, ...] = ()
    """Bytes in each block; 0: a block of zeros, not stored."""


class _Head(Struct, frozen=True):
    game: str
    options: dict[str, str | int]
    scores: tuple[Part, ...]


class Table:
    """A solved game, read from its file's bytes or a memory map, and unpacked block by block as needed.

    :raises BadTable: the bytes are no such file.
    """

    def __init__(self, data: bytes | mmap) -> None:
        self._data = memoryview(data)
        head, at = _head(self._data)
        try:
            self.variant = Variant.of(head.game, head.options)
        except ValueError as error:
            raise BadTable(f"its head is broken: {error}") from None
        self.parts = {part.score: part for part in head.scores}
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
            unpacking = lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=_FILTERS)
            block = unpacking.decompress(self._data[begins : begins + length], expected + 1)
        except lzma.LZMAError as error:
            raise BadTable(f"block {number} of score {score} is broken: {error}") from None
        if len(block) != expected:
            raise BadTable(f"block {number} of score {score} has {len(block)} entries, and should have {expected}")
        return block

    def entries(self, score: Score) -> bytes:
        """High bytes of all entries of a score, followed by their low bytes."""
        return b"".join(self._unpack(score, number) for number in range(len(self.parts[score].blocks)))

    def chances(self, score: Score, public: PublicState, at: int, hand: Ranks) -> tuple[float, ...]:
        """Frequency of each of `Tree.moves_of`; `at`: the place of the public state's entries."""
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


def written(variant: Variant, parts: Iterable[tuple[Part, bytes]]) -> bytes:
    """The file of a table, from each score's entries: high bytes, followed by low bytes."""
    heads, blocks = [], []
    for part, entries in parts:
        packed_blocks = _packed(entries)
        heads.append(replace(part, blocks=tuple([len(block) for block in packed_blocks])))
        blocks.extend(packed_blocks)
    text = msgspec.json.encode(_Head(variant.game, variant.options, tuple(heads)))
    return b"".join([MAGIC, len(text).to_bytes(_LENGTH, "big"), text, *blocks])


def _packed(entries: bytes) -> list[bytes]:
    size = len(entries) // 2
    blocks = [half[at : at + BLOCK] for half in (entries[:size], entries[size:]) for at in range(0, size, BLOCK)]
    return [lzma.compress(block, lzma.FORMAT_RAW, filters=_FILTERS) if any(block) else b"" for block in blocks]


def _head(data: memoryview) -> tuple[_Head, int]:
    if data[: len(MAGIC)] != MAGIC:
        raise BadTable("it does not begin as one")
    at = len(MAGIC) + _LENGTH
    length = int.from_bytes(data[len(MAGIC) : at], "big")
    if length > _MOST_HEAD or at + length > len(data):
        raise BadTable("it is cut off in its head")
    try:
        return msgspec.json.decode(data[at : at + length], type=_Head), at + length
    except (ValueError, RecursionError) as error:
        raise BadTable(f"its head is broken: {error}") from None


def is_shipped(game: str) -> bool:
    """True if a table is shipped for a rule set with its usual options. Reads no table."""
    return game in SOLVABLE and _file(game).is_file()


def shipped(game: str) -> Table | None:
    """The table of a rule set with its usual options, read once in each process; None: there is none."""
    return _read(game) if is_shipped(game) else None


def _file(game: str) -> Traversable:
    return files("put_server.house.put") / "tables" / f"{game}.put"


@lru_cache(maxsize=len(SOLVABLE))  # only called for these, so no table is read twice
def _read(game: str) -> Table:
    """The memory-mapped table: processes share its pages, and it is not read whole."""
    found = _file(game)
    if not isinstance(found, Path):  # as in an archive
        return Table(found.read_bytes())
    with found.open("rb") as file:
        return Table(mmap(file.fileno(), 0, access=ACCESS_READ))
