"""Vectors of blind deals, by this library and by a program in another language that knows docs/blind-deal.md alone."""

import shutil
import subprocess
from pathlib import Path

import pytest

from put_protocol.blind.transcript import Terms
from put_protocol.cards import Card
from tests.protocol.blind.blind_table import judged
from tests.protocol.blind.vectors import GAMES, path_of, written

NODE = shutil.which("node")
PROGRAM = Path(__file__).parents[3] / "scripts" / "verify" / "verify.mjs"


def values(text: str, word: str) -> list[bytes]:
    return [bytes.fromhex(line.split()[1]) for line in text.splitlines() if line.startswith(word + " ")]


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


def verdicts(files: list[Path]) -> list[str]:
    assert NODE is not None
    done = subprocess.run([NODE, PROGRAM, *files], capture_output=True, text=True, timeout=60, check=True)
    return done.stdout.splitlines()


@pytest.mark.skipif(NODE is None, reason="needs Node")
def test_another_language_comes_to_the_same(tmp_path: Path) -> None:
    """A program written from the page alone accepts the vectors with their cards, and refuses any that is altered."""
    text = path_of("two-seats").read_text("utf-8")
    lines = text.splitlines()
    files = [path_of(name) for name in GAMES]
    for number, line in enumerate(lines):
        word, _, value = line.partition(" ")
        if word == "entry" or (word == "receipt" and number > len(lines) - 15):
            at = -1 if word == "receipt" else len(value) // 2 + number
            digit = "0" if value[at] != "0" else "1"
            altered = list(value)
            altered[at] = digit
            files.append(tmp_path / f"{number}.txt")
            files[-1].write_text(
                "\n".join([*lines[:number], f"{word} {''.join(altered)}", *lines[number + 1 :]]), "utf-8"
            )
    found = verdicts(files)
    for name, verdict in zip(GAMES, found, strict=False):
        known = [line for line in path_of(name).read_text("utf-8").splitlines() if line.startswith(("card ", "blame "))]
        assert verdict.split(", ")[0] == "holds"
        assert set(known) <= set(verdict.split(", ")[1:])
        assert [one for one in verdict.split(", ") if one.startswith("blame")] == [
            one for one in known if one[0] == "b"
        ]
    bad = found[len(GAMES) :]
    assert len(bad) == len(files) - len(GAMES) >= 10
    assert not [verdict for verdict in bad if verdict.startswith("holds")]
