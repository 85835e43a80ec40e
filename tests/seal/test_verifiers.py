"""Two verifiers that share no line, one in Python and one in JavaScript, find the same."""

import json
import shutil
import subprocess
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from put_protocol.seal.findings import Failure, Fault
from put_protocol.seats import Seat
from scripts.vectors import FILE, main, text
from tests.often import TIMES, TURN
from tests.seal import cheats
from tests.seal.campaign import DEALS_A_TABLE, random_deal, random_table
from tests.seal.dealer import Dealer, Setting, Step, replay
from tests.seal.tampering import tampered

VERIFIER = Path(__file__).parents[2] / "scripts" / "verify" / "verify.mjs"
NODE = shutil.which("node")

TABLES = 30 * TIMES
TAMPERINGS = 2
"""Of each viewer's record of each table."""

needs_node = pytest.mark.skipif(NODE is None, reason="node is not installed")


def verified(*arguments: str | Path) -> dict[str, Any]:
    """What the second verifier says."""
    assert NODE is not None
    run = subprocess.run([NODE, VERIFIER, *arguments], capture_output=True, text=True, timeout=100, check=False)
    assert run.returncode in (0, 1), run.stderr
    said: dict[str, Any] = json.loads(run.stdout)
    return said


def cheating_tables() -> list[Dealer]:
    """Three hands of each cheat."""
    kinds = [kind for kind in vars(cheats).values() if isinstance(kind, type) and issubclass(kind, Dealer)]
    tables = [kind(Random(seed)) for kind in kinds for seed in range(2)]
    for table in tables:
        for _ in range(3):
            table.plain_hand()
    return tables


def records() -> list[tuple[Setting, list[Step]]]:
    """Thousands of deals as their viewers were told them: honest ones, tampered ones, and those of every cheat."""
    rng = Random(1674)
    told: list[tuple[Setting, list[Step]]] = []
    for number in range(TABLES):
        table = random_table(Random(f"verifiers {number}{TURN}"))
        for _ in range(DEALS_A_TABLE):
            random_deal(table)
        for viewing in table.viewings.values():
            told.append((viewing.setting, viewing.steps))
            told += [(viewing.setting, tampered(rng, viewing.steps)) for _ in range(TAMPERINGS)]
    told += [(viewing.setting, viewing.steps) for table in cheating_tables() for viewing in table.viewings.values()]
    return told


@needs_node
@pytest.mark.timeout(120)
def test_verifiers_find_the_same(tmp_path: Path) -> None:
    """Nothing on thousands of honest deals; and of every tampering and cheat the same faults, in the same order."""
    found: list[list[Failure]] = []
    file = tmp_path / "told.jsonl"
    with file.open("wb") as written:
        for setting, steps in records():
            failures, lines = replay(setting, steps)
            found.append(list(failures))
            written.writelines(msgspec.json.encode(line) + b"\n" for line in lines)
    said = verified(file)["viewers"]
    assert [one["findings"] for one in said] == msgspec.to_builtins(found)
    assert {failure.fault for failures in found for failure in failures} == set(Fault)


@needs_node
def test_vectors_come_out_in_the_other_verifier() -> None:
    """Every hash, order and word in the file follows from what stands before it."""
    assert verified("--vectors", FILE)["vectors"] == []


@needs_node
def test_vectors_that_are_wrong_are_noticed(tmp_path: Path) -> None:
    """The other verifier computes them; it does not take the file's word."""
    wrong = json.loads(FILE.read_text("utf-8"))
    wrong["deals"][0]["openings"][0]["leaf"] = "00" * 32
    wrong["words"]["0000000000000000"] = "babab babab babab babad"
    file = tmp_path / "wrong.json"
    file.write_text(json.dumps(wrong), "utf-8")
    assert verified("--vectors", file)["vectors"] == ["words 0000000000000000", "deal 0 slot 0 leaf"]


def test_vectors_are_what_the_code_says() -> None:
    """What scripts/vectors.py would write is there already."""
    assert FILE.read_text("utf-8") == text(), "stale: run python -m scripts.vectors"
    assert main(["--check"]) == 0


def test_record_replayed_finds_what_was_found() -> None:
    """A record tells all that the checker was told."""
    for table in cheating_tables():
        viewing = table.viewings[Seat(0)]
        assert replay(viewing.setting, viewing.steps)[0] == tuple(viewing.failures)
