"""The file of a solved game: it reads as it was written, and other files are refused with a reason."""

import errno
import json
import lzma
import re
import tracemalloc
from pathlib import Path
from random import Random

import numpy as np
import pytest

from put_runtime import exit_codes
from put_server.house.put.solved.payoffs import Variant
from put_server.house.put.solved.rank_sets import COPIES, hands_of
from put_server.house.put.solved.solution_table import _FILTERS, BLOCK, MAGIC, WHOLE, BadTable, Part, Table, written
from put_server.house.put.solved.tree import FIRST, TRICKS, PublicState
from put_solver import cli
from put_solver.game_solver import GameSolver
from put_solver.hand_solver import HandTree

pytestmark = [pytest.mark.timeout(240), pytest.mark.usefixtures("kernels")]

VARIANT = Variant(game="put-1674", pack=12, target=2)
HAND = Variant(game="put-1674", pack=12, target=1)
"""The same for one score alone."""


@pytest.fixture(scope="module")
def solved(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of a small game."""
    return GameSolver(VARIANT, tmp_path_factory.mktemp("solved"), 2e-3).solve()


def test_table_reads_as_it_was_written() -> None:
    """Entries of several blocks, some of them nothing but zeros, come back one by one and all together."""
    variant = Variant(game="put-1674", pack=28, target=1)
    size = variant.tree.size(FIRST)
    dice = Random(3)
    entries = bytes(BLOCK) + bytes(dice.randrange(256) for _ in range(2 * size - BLOCK))
    table = Table(written(variant, [(Part(score=(0, 0), worth=0.1, lower=0.0, upper=0.2), entries)]))
    assert table.variant == variant
    assert table.entries((0, 0)) == entries
    assert len(table.parts[0, 0].blocks) > 4
    assert table.parts[0, 0].blocks[0] == 0
    assert (table.parts[0, 0].worth, table.parts[0, 0].lower, table.parts[0, 0].upper) == (0.1, 0.0, 0.2)


def test_chances_are_those_the_kernels_have() -> None:
    """Rounded, written and read again, every chance of a strategy is near what it was, very near where all hands come
    to; those of a hand are one in all; and a table gives to each move the chance that the kernels give it."""
    hand_tree, dice = HandTree(HAND.tree), np.random.default_rng(5)
    averages = (0.1 + dice.random(hand_tree.sizes.entries)).astype(np.float32)  # nothing so seldom that it is left out
    strategy = hand_tree.decisions.normalized(averages)
    entries = hand_tree.entries(averages)
    again = hand_tree.probabilities(entries)
    table = Table(written(HAND, [(Part(score=(0, 0), worth=0.0, lower=0.0, upper=0.0), entries)]))
    tree, met, hands = HAND.tree, 0, hands_of(HAND.ranks, TRICKS).hands
    waiting: list[tuple[PublicState, int]] = [(FIRST, 0)]
    while waiting:
        public, at = waiting.pop()
        for hand in hands if public.trick == 0 and tree.cards(public, tree.actor(public)) == TRICKS else ():
            if public.led >= 0 and (public.led,) * COPIES == (*hand, public.led):
                continue  # nobody holds a fourth of three
            row, places = table.chances((0, 0), public, at, hand), tree.places(public, hand)
            assert sum(row) == pytest.approx(1)
            assert row == pytest.approx([float(again[at + place]) for place in places])
            assert row == pytest.approx([float(strategy[at + place]) for place in places], abs=0.02)
            if public == FIRST and len(set(hand)) == TRICKS:
                assert row == pytest.approx([float(strategy[at + place]) for place in places], abs=64 / WHOLE)
            met += 1
        for after, further in tree.following(public).values():
            if isinstance(after, PublicState):
                waiting.append((after, at + further))
    assert met > 50


def test_block_that_unpacks_to_too_much_is_not_unpacked(solved: bytes) -> None:
    """A few bytes may stand for as many as memory holds: no more are unpacked than a block has."""
    begins = len(MAGIC) + 4
    length = int.from_bytes(solved[len(MAGIC) : begins], "big")
    head = json.loads(solved[begins : begins + length])
    first = head["scores"][0]["blocks"]
    bomb = lzma.compress(bytes(1 << 26), lzma.FORMAT_RAW, filters=_FILTERS)
    blocks = bomb + solved[begins + length + first[0] :]
    first[0] = len(bomb)
    text = json.dumps(head).encode()
    table = Table(MAGIC + len(text).to_bytes(4, "big") + text + blocks)
    tracemalloc.start()
    with pytest.raises(BadTable, match="should have"):
        table.entries(next(iter(table.parts)))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 1 << 22


def test_chances_of_more_than_one_are_no_proof() -> None:
    """A table in which a player does two things at once, each for certain, is refused: the rest would have a negative
    chance, and the bounds would be worth nothing."""
    hand_tree = HandTree(HAND.tree)
    size = hand_tree.sizes.entries
    with pytest.raises(BadTable, match="more than 1"):
        hand_tree.probabilities(b"\xff" * size + bytes(size))


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda data: data[:0], "does not begin"),
        (lambda data: b"\x7fELF" + data, "does not begin"),
        (lambda data: data[: len(MAGIC) + 2], "cut off"),
        (lambda data: data[:-1], "bytes"),
        (lambda data: data + b"\0", "bytes"),
        (lambda data: data.replace(b'"put-1674"', b'"put-1675"'), "head is broken"),
        (lambda data: data.replace(b'"target":2', b'"target":3'), "scores"),
        (lambda data: data.replace(b'"pack":12', b'"pack":13'), "head is broken"),
        (lambda data: data.replace(b'"worth":', b'"wroth":'), "head is broken"),
        (lambda data: data.replace(b'{"game"', b'["game"'), "head is broken"),
        (
            lambda data: re.sub(
                rb'"lower":[-.e0-9]+', lambda found: b'"lower":' + b"NaN".rjust(len(found[0]) - 8), data
            ),
            "broken",
        ),
        (
            lambda data: re.sub(rb'"scores":.*?"upper"', lambda found: b'"scores":' + b"[" * (len(found[0]) - 9), data),
            "broken",
        ),
    ],
)
def test_what_is_no_table_is_refused(solved: bytes, spoil: object, says: str) -> None:
    """Cut, lengthened, or with a head that does not hold: a sentence says what is wrong."""
    assert callable(spoil)
    with pytest.raises(BadTable, match=says):
        Table(spoil(solved))


def test_garbage_is_never_a_table_and_never_a_crash(solved: bytes) -> None:
    """Whatever byte is changed, the file is refused when it is opened or read, or says something else."""
    dice, table = Random(11), Table(solved)
    for _ in range(300):
        spoilt = bytearray(solved)
        at = dice.randrange(len(spoilt))
        spoilt[at] ^= 1 << dice.randrange(8)
        try:
            found = Table(bytes(spoilt))
            is_same = found.entries((0, 0)) == table.entries((0, 0)) and found.parts == table.parts
        except (BadTable, KeyError):
            continue
        assert not is_same or found.variant == table.variant


def test_verify_passes_a_table_and_finds_one_that_was_tampered_with(
    solved: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The exit status is 0 for the table as it was solved; and 1 with a limit that it does not keep, with a decision
    changed, and with another worth claimed."""
    path = tmp_path / "table.put"
    path.write_bytes(solved)
    assert cli.main(["verify", str(path), "--limit", "0.02"]) == 0
    assert cli.main(["verify", str(path), "--limit", "1e-9"]) == 1
    table = Table(solved)

    def tampered(part: Part, entries: bytes) -> bytes:
        others = [(each, table.entries(score)) for score, each in table.parts.items() if score != part.score]
        return written(VARIANT, [(part, entries), *others])

    # Eldest makes the same of their worst hand and of every other.
    part, entries = table.parts[0, 0], bytearray(table.entries((0, 0)))
    size = VARIANT.tree.entries(FIRST)
    for plane in (0, len(entries) // 2):
        entries[plane : plane + size] = bytes(size)
    path.write_bytes(tampered(part, bytes(entries)))
    capsys.readouterr()
    assert cli.main(["verify", str(path), "--limit", "1"]) == 1
    assert "At 0-0 the file does not say what is found here" in capsys.readouterr().out
    claimed = Part(score=part.score, worth=part.worth + 0.1, lower=part.lower, upper=part.upper)
    path.write_bytes(tampered(claimed, table.entries((0, 0))))
    assert cli.main(["verify", str(path), "--limit", "1"]) == 1
    path.write_bytes(tampered(part, table.entries((0, 0))))
    assert cli.main(["verify", str(path), "--limit", "0.02"]) == 0


def test_command_solves_goes_on_and_tells_the_values(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Solved from the command line, and again from what is on disk; the values as a table and as a list of rows."""
    asked = ["put-1800", "--options", "pack=12", "target=2", "--gap", "2e-3", "--out", str(tmp_path)]
    assert cli.main(asked) == 0
    first = (tmp_path / "put-1800-target-2-pack-12.put").read_bytes()
    said = capsys.readouterr().out
    assert cli.main(asked) == 0
    assert "50 turns" in said
    assert "50 turns" not in capsys.readouterr().out
    path = tmp_path / "put-1800-target-2-pack-12.put"
    assert path.read_bytes() == first
    assert cli.main(["values", str(path), "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [len(row) for row in rows] == [2, 2]
    assert all(0 < value < 1 for row in rows for value in row)
    assert rows[1][0] > rows[0][0] > rows[0][1]


@pytest.mark.parametrize(
    ("argv", "status", "says"),
    [
        (["put-1674", "--options", "target=x"], 64, "target is 'x'"),
        (["put-1674", "--options", "target=22"], 64, "target is 22"),
        (["put-1674", "--options", "colour=red"], 64, "'colour=red' is no option"),
        (["put-1674", "--options", "outright=double"], 64, "must be single in put-1674"),
        (["put-parlett", "--options", "drawn_put=anew"], 64, "must be keep in put-parlett"),
        (["put-1674", "--options", "pack=31"], 64, "pack is 31"),
        (["put-1674", "--gap", "0"], 64, "the gap is 0"),
        (["values", "nothing.put"], 74, "nothing.put"),
        (["verify", "put-1674", "--limit", "nan"], 64, "the limit is nan"),
    ],
)
def test_command_says_what_is_wrong(
    argv: list[str], status: int, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A sentence that names it, and the exit status of its kind."""
    assert cli.main(argv) == status
    assert says in capsys.readouterr().err


def test_command_says_that_the_disk_is_full(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An error of writing names no file."""

    def full(*_: object, **__: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(cli, "_values", full)
    assert cli.main(["values", "put-1674"]) == exit_codes.IOERR
    assert capsys.readouterr().err == "put-solve: No space left on device\n"


def test_command_names_a_package_that_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without numba a sentence says what to install."""

    def missing(*_: object) -> int:
        raise ModuleNotFoundError("No module named 'numba'", name="numba")

    monkeypatch.setattr(cli, "_solve", missing)
    assert cli.main(["put-1674"]) == 69
    assert "pip install 'put-cards[solve]'" in capsys.readouterr().err


def test_command_ends_quietly_if_its_reader_does(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As in a pipe to `head`: no error is said."""

    def broken(*_: object, **__: object) -> int:
        raise BrokenPipeError

    monkeypatch.setattr(cli, "_values", broken)
    monkeypatch.setattr(cli, "discard_stdout", lambda: None)
    assert cli.main(["values", "put-1674"]) == exit_codes.PIPE_BROKEN
    assert not capsys.readouterr().err
