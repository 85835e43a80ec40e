"""Two verifiers that share no line, one in Python and one in JavaScript, find the same."""

import json
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from put_protocol.seal.checker import Checker
from put_protocol.seal.findings import DealSummary, Failure, Fault, Stage, Unproved
from put_protocol.seal_events import CutMade, CutsShown, DealVoided, Openings, Sealed
from put_protocol.seats import GALLERY, Seat
from tests.repetitions import TIMES, TURN
from tests.seal import cheats
from tests.seal.campaign import DEALS_A_TABLE, random_deal, random_table
from tests.seal.miniature_table import ENDED, Dealer
from tests.seal.tampering import tampered
from tests.seal.vectors import FILE, main, text
from tests.seal.verifier_input import game_of, replay
from tests.seal.viewings import Setting, Snapshot, Step

VERIFIER = Path(__file__).parents[2] / "scripts" / "verify" / "verify.mjs"
NODE = shutil.which("node")

TABLES = range(4, 4 + 2 * TIMES)
"""Two of them have all that makes a deal unproved, with the cheats."""

TAMPERINGS = 2
"""Of each viewer's record of each table."""

STATUSES = {"proved", "unproved", "void", "false", "open"}

needs_node = pytest.mark.skipif(NODE is None, reason="node is not installed")


def verified(*arguments: str | Path) -> dict[str, Any]:
    """What the second verifier says."""
    assert NODE is not None
    run = subprocess.run([NODE, VERIFIER, *arguments], capture_output=True, text=True, timeout=300, check=False)
    assert run.returncode in (0, 1, 2), run.stderr
    said: dict[str, Any] = json.loads(run.stdout)
    return {**said, "status": run.returncode}


def verdict_on(file: Path, lines: Iterable[object], *options: str) -> dict[str, Any]:
    """What the second verifier says of these lines."""
    file.write_bytes(b"".join([msgspec.json.encode(line) + b"\n" for line in lines]))
    return verified(*options, file)


def standing(checker: Checker) -> dict[str, Any]:
    """What the first verifier says of every deal, as the second one does.

    Of sealed deals without a fault it tells which are void or unproved; how many are proved is in the tally.
    """
    deals = [{"deal": deal.deal, **_status(deal)} for deal in checker.deals]
    reasons = Counter(dict(checker.tally.unproved))
    reasons.subtract([deal.unproved for deal in checker.deals if deal.unproved is not None])
    return {
        "deals": deals,
        "unsealed": {why.value: count for why, count in reasons.items() if count},
        "called_off": checker.tally.deals_called_off,
    }


def _status(deal: DealSummary) -> dict[str, Any]:
    words = {} if deal.words is None else {"words": deal.words}
    if deal.failures:
        return {"status": "false", **words}
    if deal.stage is Stage.VOID:
        return {"status": "void", **words}
    if deal.unproved is not None:
        return {"status": "unproved", "why": deal.unproved.value, **words}
    return {"status": "proved or open", **words}


def standing_said(viewer: dict[str, Any]) -> dict[str, Any]:
    """The same from what the second verifier says."""
    sound = ("proved", "open")
    deals = [
        {**deal, "status": "proved or open"} if deal["status"] in sound else deal
        for deal in viewer["deals"]
        if deal["deal"] is not None
    ]
    unsealed = Counter([deal["why"] for deal in viewer["deals"] if deal["deal"] is None])
    return {
        "deals": deals,
        "unsealed": dict(unsealed),
        "called_off": viewer["called_off"],
    }


@cache
def cheating_tables() -> list[Dealer]:
    """Three hands of each cheat, for two without accidents and for three with them; a campaign has the others, too."""
    seeds = range(4) if TURN else (0, 3)
    kinds = [kind for kind in vars(cheats).values() if isinstance(kind, type) and issubclass(kind, Dealer)]
    tables = [kind(Random(seed), seats=2 + seed % 2, misdeals=seed // 2 * 50) for kind in kinds for seed in seeds]
    for table in tables:
        for _ in range(3):
            table.plain_hand()
    return tables


def records() -> list[tuple[Setting, list[Step]]]:
    """Hundreds of deals as their viewers were told them: honest ones, tampered ones, and those of every cheat."""
    rng = Random(1674)
    told: list[tuple[Setting, list[Step]]] = []
    for number in TABLES:
        table = random_table(Random(f"verifiers {number}{TURN}"))
        for _ in range(DEALS_A_TABLE):
            random_deal(table)
        for viewing in table.viewings.values():
            told.append((viewing.setting, viewing.steps))
            told += [(viewing.setting, tampered(rng, viewing.steps)) for _ in range(TAMPERINGS)]
        gallery = table.viewings[GALLERY]
        told.append((replace(gallery.setting, joins=True), gallery.steps[rng.randrange(len(gallery.steps)) :]))
        told.append((replace(table.viewings[Seat(0)].setting, is_witness=True), table.viewings[Seat(0)].steps))
        told.append((replace(gallery.setting, is_exhibition=True), unsealed(gallery.steps)))
        own = table.viewings[Seat(0)]
        told.append((replace(own.setting, is_exhibition=True), unsealed(own.steps)))
    told += [(viewing.setting, viewing.steps) for table in cheating_tables() for viewing in table.viewings.values()]
    return told


def unsealed(steps: Iterable[Step]) -> list[Step]:
    """Without anything that proves a deal."""
    return [
        step for step in steps if not isinstance(step, Sealed | CutMade | CutsShown | DealVoided | Openings | Snapshot)
    ]


@needs_node
@pytest.mark.timeout(300)
def test_verifiers_find_the_same(tmp_path: Path) -> None:
    """Nothing on hundreds of honest deals; and of every tampering and cheat the same faults, in the same order. They
    agree which deals are proved, and why others are not."""
    found: list[list[Failure]] = []
    checkers: list[Checker] = []
    told: list[object] = []
    for setting, steps in records():
        checker, failures, lines = replay(setting, steps)
        found.append(list(failures))
        checkers.append(checker)
        told += lines
    said = verdict_on(tmp_path / "told.jsonl", told)["viewers"]
    for one, faults in zip(said, found, strict=True):
        assert one["findings"] == msgspec.to_builtins(faults)
    about_views = {Fault.VIEW}  # which a record of events does not have
    assert {failure.fault for faults in found for failure in faults} == set(Fault) - about_views
    for viewer, checker, faults in zip(said, checkers, found, strict=True):
        assert standing_said(viewer) == standing(checker)
        if not faults:
            assert viewer["proved"] == checker.tally.proved
    assert {deal["status"] for viewer in said for deal in viewer["deals"]} == STATUSES
    not_sealed_at_all = {Unproved.BLIND}
    reasons = {deal["why"] for viewer in said for deal in viewer["deals"] if "why" in deal}
    assert reasons == set(Unproved) - not_sealed_at_all


def joined(lines: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Messages of version 2 as version 3 tells them: an answer and the proofs are in the message that follows them."""
    told: list[dict[str, Any]] = []
    before: list[dict[str, Any]] = []
    for line in lines:
        if line["type"] in ("ok", "openings"):
            before.append(line)
            continue
        if line["type"] == "table" or (line["type"] == "events" and before):
            oks = [one["id"] for one in before if one["type"] == "ok"]
            openings = [one for one in before if one["type"] == "openings"]
            if len(oks) <= 1 and (line["type"] == "events" or not openings):
                line = {**line, **({"id": oks[0]} if oks else {}), **({"openings": openings} if openings else {})}
                before.clear()
        told += [*before, line]
        before.clear()
    return told + before


@needs_node
@pytest.mark.parametrize("version", [2, 3])
def test_verifier_reads_traffic_as_it_is(tmp_path: Path, version: int) -> None:
    """Whole messages of both sides say what bare events with lines of the viewer's own do."""
    bare: list[object] = []
    whole: list[list[dict[str, Any]]] = []
    for number in range(2):
        table = random_table(Random(f"whole {number}"))
        for _ in range(DEALS_A_TABLE):
            random_deal(table)
        for viewing in table.viewings.values():
            bare += replay(viewing.setting, viewing.steps)[2]
            lines = replay(viewing.setting, viewing.steps, is_whole=True)[2]
            whole.append(lines if version == 2 else joined(lines))
    others: list[object] = [{"type": "lobby", "tables": []}, {"type": "ping"}, {"type": "act", "id": 9, "table": 1}]
    files = [tmp_path / f"{number}.jsonl" for number in range(len(whole))]
    for file, lines in zip(files, whole, strict=True):
        file.write_bytes(b"".join([msgspec.json.encode(line) + b"\n" for line in [*lines, *others]]))
    said = verified(*files)["viewers"]
    assert said == verdict_on(tmp_path / "bare.jsonl", bare)["viewers"]
    assert not any(one["findings"] for one in said)
    assert any(deal.get("why") == "missed" for one in said for deal in one["deals"])


@needs_node
def test_status_tells_false_from_unproved(tmp_path: Path) -> None:
    """0 where every deal is proved, 2 where one is not, 1 where anything is false."""
    table = Dealer(Random(3))
    table.plain_hand()
    viewing = table.viewings[GALLERY]
    _, _, lines = replay(viewing.setting, viewing.steps)
    assert verdict_on(tmp_path / "a", lines)["status"] == 0
    lines[0] = {**lines[0], "game": "unheard-of"}
    said = verdict_on(tmp_path / "b", lines)
    assert (said["status"], said["viewers"][0]["deals"][0]["why"]) == (2, "pack")
    lines[0] = {**lines[0], "game": "truc"}
    assert verdict_on(tmp_path / "c", lines)["status"] == 1


@needs_node
def test_opening_of_a_card_that_was_never_shown_is_false(tmp_path: Path) -> None:
    """A hand that was thrown in is nobody's to see; it is found when the hand is over."""
    table = Dealer(Random(4))
    assert table.hand()
    table.open(GALLERY, [5])
    table.end(ENDED)
    viewing = table.viewings[GALLERY]
    _, failures, lines = replay(viewing.setting, viewing.steps)
    assert failures == (Failure(1, Fault.UNSHOWN, table.card(5)),)
    said = verdict_on(tmp_path / "told", lines)
    assert (said["status"], said["viewers"][0]["findings"]) == (1, msgspec.to_builtins(list(failures)))


@needs_node
def test_record_that_cannot_be_read_is_neither_false_nor_true(tmp_path: Path) -> None:
    """It says which line, and has a status of its own."""
    assert NODE is not None
    file = tmp_path / "told"
    for told in ("no json", '{"event":"played","seat":0,"card":"3s"}', '{"type":"viewer","table":1,"viewer":0}\n[1'):
        file.write_text(told, "utf-8")
        run = subprocess.run([NODE, VERIFIER, file], capture_output=True, text=True, timeout=300, check=False)
        assert (run.returncode, run.stdout) == (3, "")
        assert f"line {1 + told.count(chr(10))}" in run.stderr


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
    """What tests/seal/vectors.py would write is there already."""
    assert FILE.read_text("utf-8") == text(), "stale: run python -m tests.seal.vectors"
    assert main(["--check"]) == 0


def test_record_replayed_finds_what_was_found() -> None:
    """A record tells all that the checker was told."""
    for table in cheating_tables():
        viewing = table.viewings[Seat(0)]
        terms = table.terms if game_of(table.terms) else None
        if terms == viewing.setting.terms:
            assert replay(viewing.setting, viewing.steps)[1] == tuple(viewing.failures)
