"""Evidence of whole evenings, judged by all: `put-verify`, the second verifier, and the page."""

import json
import random
import subprocess
from pathlib import Path
from typing import Any

import pytest

from put_client.fairness.verify import read_lines
from put_text.catalogue import say
from tests.lobby.blind_evidence import NODE, by_node, by_python, renumbered
from tests.lobby.evidence_evenings import TABLES, evening, spoilt
from tests.repetitions import TURN

PAGE = Path(__file__).parents[1] / "web" / "read_blind_table.mjs"

SEEDS = [int(TURN) * len(TABLES) + at for at in range(len(TABLES))] if TURN else [1]

pytestmark = [pytest.mark.skipif(NODE is None, reason="needs Node"), pytest.mark.timeout(1_200 if TURN else 240)]


def case(lines: list[bytes]) -> dict[str, Any]:
    """What the page was told, by its file."""
    head, *rest = map(json.loads, lines)
    info = {"id": head["table"], "game": head["game"], "options": head["options"], **head["info"]}
    snapshot = {"type": "table", "table": head["table"], "viewer": head["viewer"], "number": 0, "info": info}
    messages = []
    for line in rest:
        if line.get("event") == "sat":  # a table tells of it with its new description
            seats = [line if seat == line["seat"] else other for seat, other in enumerate(info["seats"])]
            info = {**info, "seats": seats}
        if "event" in line:
            messages.append({"type": "events", "table": head["table"], "first": 1, "events": [line], "info": info})
        elif line["type"] in {"span", "table", "gives_up"}:
            messages.append(line)
    return {"secret": None, "snapshot": snapshot, "messages": messages}


def begins_in_a_game(lines: list[bytes]) -> bool:
    """True if `put-verify` says so: then it knows too little to follow that game by its rules."""
    (viewer,) = read_lines(lines)
    return say("verify-partial") in viewer.verdict().says


def by_page(files: list[list[bytes]]) -> list[bool]:
    """True for each in which the page finds something wrong."""
    assert NODE is not None
    cases = "\n".join([json.dumps(case(lines)) for lines in files])
    done = subprocess.run([NODE, PAGE], input=cases, capture_output=True, text=True, timeout=3_600, check=True)
    return [bool(json.loads(line)["says"]) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("seed", SEEDS)
def test_honest_evening_is_called_a_lie_by_none(seed: int) -> None:
    """Also of a file of which lines are missing; and all say of it where. With new numbers on its lines each checker
    has a verdict: what the second verifier finds wrong with it, or the page, `put-verify` does, too. Only the page
    compares acts with who signed them also in a game of which the beginning is not there."""
    files, dice = evening(seed, 120 if TURN else 40), random.Random(seed)
    files = files if TURN else sorted(files, key=len)[-1:]
    cut = [spoilt(dice, lines) for lines in files]
    forged = list(map(renumbered, cut))
    honest, spoiled, altered = [list(map(by_python, some)) for some in (files, cut, forged)]
    assert not any(one.is_false for one in (*honest, *spoiled))
    assert TURN or sum([one.proved for one in honest]) > 1, "another evening may be dealt plain"
    assert any(one.cut for one in spoiled)
    theirs, seen = by_node([*files, *cut, *forged]), by_page([*files, *forged])
    assert theirs[: len(files)] == honest
    assert [one.cut for one in theirs[len(files) : -len(forged)]] == [one.cut for one in spoiled]
    assert not any(seen[: len(files)])
    told = zip(forged, altered, theirs[-len(forged) :], seen[len(files) :], strict=True)
    for lines, one, other, is_false_to_page in told:
        assert one.is_false >= (other.is_false or (is_false_to_page and not begins_in_a_game(lines)))
