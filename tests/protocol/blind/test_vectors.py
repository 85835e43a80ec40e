"""Vectors of blind deals, by this library and by a program in another language that knows docs/blind-deal.md alone."""

import json
import shutil
import subprocess
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from put_protocol.blind.transcript import Terms
from put_protocol.blind_events import BlindBegun, BlindEntry
from put_protocol.cards import Card
from tests.protocol.blind.blind_table import judged
from tests.protocol.blind.vectors import GAMES, path_of, values, written

NODE = shutil.which("node")
PROGRAM = Path(__file__).parents[3] / "scripts" / "verify" / "verify.mjs"


@pytest.mark.parametrize("name", GAMES)
def test_a_vector_is_what_is_written_today(name: str) -> None:
    """No byte of what travels has changed."""
    assert path_of(name).read_text("utf-8") == written(name, GAMES[name]())


@pytest.mark.parametrize("name", GAMES)
def test_a_vector_holds(name: str) -> None:
    """Every proof of the record holds, and its cards are those that are written there."""
    text = path_of(name).read_text("utf-8")
    (terms,) = values(text, "terms")
    told = list(zip(values(text, "entry"), values(text, "receipt"), strict=True))
    judgement = judged(Terms.parse(terms), told)
    assert judgement.fault is None
    assert judgement.game.playing is not None
    assert judgement.game.playing.wrong is None
    blames = [f"blame {one.deal} {one.seat} {one.kind.value}" for one in judgement.game.blames]
    assert blames == [line for line in text.splitlines() if line.startswith("blame ")]
    cards = [line.split() for line in text.splitlines() if line.startswith("card ")]
    assert judgement.game.playing.shown == {int(place): Card(card) for _, place, card in cards}


def evidence(text: str) -> list[bytes]:
    """The record as the evidence of a spectator, who is told at last of each card that a player showed."""
    (data,) = values(text, "terms")
    told = list(zip(values(text, "entry"), values(text, "receipt"), strict=True))
    terms = Terms.parse(data)
    deal = judged(terms, told).game.playing
    assert deal is not None
    viewer = {"type": "viewer", "table": terms.table, "viewer": "gallery", "info": {"is_read": deal.is_read}}
    played = [
        {"event": "played", "seat": deal.owners[place], "card": card}
        for place, card in deal.shown.items()
        if deal.owners[place] is not None
    ]
    entries = [BlindEntry(*one) for one in told]
    return [msgspec.json.encode(line) for line in (viewer, BlindBegun(data), *entries, *played)]


def altered(data: bytes, at: int) -> bytes:
    return bytes([*data[:at], data[at] ^ 1, *data[at + 1 :]])


@pytest.mark.skipif(NODE is None, reason="needs Node")
def test_another_language_comes_to_the_same(tmp_path: Path) -> None:
    """A program written from the page alone accepts the vectors with their cards, and refuses any that is altered."""
    assert NODE is not None
    texts = [path_of(name).read_text("utf-8") for name in GAMES]
    lines = evidence(path_of("two-seats").read_text("utf-8"))
    cases = [evidence(text) for text in texts]
    for number, line in enumerate(lines):
        if b'"blind_entry"' in line:
            told = msgspec.json.decode(line, type=BlindEntry)
            entry = replace(told, entry=altered(told.entry, number * len(told.entry) // len(lines)))
            bad = [entry, replace(told, receipt=altered(told.receipt, 63))]
            cases += [[*lines[:number], msgspec.json.encode(one), *lines[number + 1 :]] for one in bad]
    cases.append([line.replace(b'"card":"', b'"card":"x') for line in lines])
    files = [tmp_path / f"{number}.jsonl" for number in range(len(cases))]
    for file, case in zip(files, cases, strict=True):
        file.write_bytes(b"\n".join(case))
    done = subprocess.run([NODE, PROGRAM, *files], capture_output=True, text=True, timeout=60, check=False)
    viewers = json.loads(done.stdout)["viewers"]
    for text, viewer in zip(texts, viewers, strict=False):
        assert viewer["findings"] == []
        blames = [line.split()[1:] for line in text.splitlines() if line.startswith("blame ")]
        assert [[str(value) for value in blame] for blame in viewer["blamed"]] == blames
    assert len(viewers) == len(cases) > len(GAMES) + 20
    assert all(viewer["findings"] for viewer in viewers[len(GAMES) :])
