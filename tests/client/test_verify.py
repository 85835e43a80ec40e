"""`put-verify`: honest games are found fair, tampered ones are not, and what cannot be checked is said to be so."""

import os
import random
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import msgspec
import pytest

from put_client.verify import UNFAIR, Verdict, main, verify
from put_protocol.notation import Sheet, read, write
from put_protocol.seal.findings import Fault
from put_protocol.seats import GALLERY, Seat, Viewer
from put_server.games.registry import GAMES
from put_server.games.sheet import sheet_of
from put_server.table.sealing import CUT_MS
from tests.client import sheets
from tests.seal.test_verifiers import needs_node, verified
from tests.table.felt import ANN, BEN, CAT, DAN
from tests.table.test_sealing import SealedFelt

PEOPLE = (ANN, BEN, CAT, DAN)


MOLL = Seat(0)


@cache
def game(
    rules: str = "put-1674", seats: int = 2, viewer: Viewer = MOLL, *, takes_part: bool = True, **options: int | str
) -> str:
    """A whole game as `put-server show` writes it, its first deal voided where anybody cuts."""
    felt = SealedFelt(rules, seats, **options)  # type: ignore[arg-type]  # no option is called bank
    felt.idle.add(PEOPLE[1])
    for seat, person in enumerate(PEOPLE[:seats]):
        felt.join(person, Seat(seat), takes_part=takes_part)
    felt.tick(felt.now + CUT_MS)
    felt.idle.clear()
    felt.listen()
    dice = random.Random(8)
    while not felt.games:
        felt.act(dice.choice(felt.decision.legal).action)
        felt.listen()
    sheet = sheet_of(felt.games[0].record, GAMES[rules], viewer, date="", server="The Mermaid")
    return write(sheet)


def run(path: Path, *flags: str) -> int:
    with pytest.raises(SystemExit) as end:
        main([str(path), *flags])
    assert isinstance(end.value.code, int)
    return end.value.code


def found(text: str) -> Verdict:
    return verify(read(text))


@pytest.mark.parametrize("viewer", [Seat(0), Seat(1), GALLERY])
@pytest.mark.parametrize(("rules", "seats"), [(name, rules.offer.seats[-1]) for name, rules in GAMES.items()], ids=str)
def test_honest_game_is_fair(rules: str, seats: int, viewer: Viewer) -> None:
    """Of every rule set, for a seat and for the gallery; the chain of whoever sat there is not needed."""
    verdict = found(game(rules, seats, viewer))
    assert verdict.failures == ()
    assert verdict.says[0] == "Deal 1: void; nothing of it counts."
    assert verdict.says[-1] == "Every deal is fair, as far as its viewer saw it."
    assert not any("NOT" in says for says in verdict.says)


def test_each_deal_is_told_with_its_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What it was for, who cut, and what is proved; and the status is that of success."""
    path = tmp_path / "game.put"
    path.write_text(game(), "utf-8")
    assert run(path) == os.EX_OK
    heading, void, *deals, last = capsys.readouterr().out.splitlines()
    assert heading.startswith("Game 1 at table 7 of The Mermaid")
    assert void == "Deal 1: void; nothing of it counts."
    told = (
        r"Deal \d+, (the draw for the deal|hand \d+): (\w{5} ){3}\w{5}; cut by .*; \d+ cards? proved; the other pack is"
    )
    assert all(re.match(told, deal) for deal in deals)
    assert len(deals) > 2
    assert last == "Every deal is fair, as far as its viewer saw it."


def test_packs_opened_after_the_game_are_checked() -> None:
    """Each is whole."""
    verdict = found(game(open="after_game"))
    assert verdict.failures == ()
    assert all(says.endswith("so is this one, which was opened after the game.") for says in verdict.says[1:-1])
    turned = re.sub(r"(?m)^(whole .*seed=)..", r"\g<1>00", game(open="after_game"))
    assert {failure.fault for failure in found(turned).failures} == {Fault.TURNED}


# --- tampering -------------------------------------------------------------------------------------------------------


def altered_salt(text: str) -> str:
    """One digit of one salt."""
    return re.sub(r"(?m)^(proof .*salt=)(.)", lambda m: f"{m[1]}{'1' if m[2] == '0' else '0'}", text, count=1)


def swapped_cards(text: str) -> str:
    """Two cards of a hand that was dealt, in the proofs."""
    first, second = re.findall(r"(?m)^proof .*card=(\w+)", text)[2:4]
    names = {first: second, second: first}
    return re.sub(r"(?m)^(proof .*card=)(\w+)", lambda m: f"{m[1]}{names.get(m[2], m[2])}", text)


def dropped_proof(text: str) -> str:
    """One of them."""
    return re.sub(r"(?m)^proof .*\n", "", text, count=1)


def dropped_pack(text: str) -> str:
    """The other pack of one deal."""
    return re.sub(r"(?m)^turned .*\n", "", text, count=1)


def dropped_seal(text: str) -> str:
    """Of a deal that was not voided."""
    return re.sub(r"(?m)^[0-9.]+ +sealed .*\n(?=turned)", "", text, count=1)


def altered_cut(text: str) -> str:
    """The first digit of a link."""
    return re.sub(r"(?m)^(.* cut deal=\d+ links=)..", r"\g<1>00", text, count=1)


TAMPERINGS: dict[Callable[[str], str], set[Fault]] = {
    altered_salt: {Fault.LEAF, Fault.UNOPENED},
    swapped_cards: {Fault.LEAF, Fault.UNOPENED},
    dropped_proof: {Fault.UNOPENED},
    dropped_pack: {Fault.NOT_TURNED},
    dropped_seal: {Fault.NOT_SEALED, Fault.NUMBER},
    altered_cut: {Fault.LINK, Fault.LEAF, Fault.UNOPENED, Fault.PACK, Fault.NOT_TURNED, Fault.HOLDER},
}


@pytest.mark.parametrize("tamper", TAMPERINGS, ids=lambda tamper: tamper.__name__)
def test_tampering_is_found(tamper: Callable[[str], str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is said, card by card, and the status tells it too."""
    path = tmp_path / "game.put"
    path.write_text(tamper(game()), "utf-8")
    assert run(path) == UNFAIR
    said = capsys.readouterr().out
    verdict = found(path.read_text("utf-8"))
    faults = {failure.fault for failure in verdict.failures}
    assert faults
    assert faults <= TAMPERINGS[tamper]
    assert all(f"NOT FAIR: {failure.says}\n" in said for failure in verdict.failures)
    assert said.endswith(
        f"This game was not dealt fairly, or this is not what was told of it: {len(verdict.failures)} found.\n"
    )


@needs_node
@pytest.mark.parametrize("tamper", [str, *TAMPERINGS], ids=lambda tamper: tamper.__name__)
def test_other_verifier_finds_the_same(
    tamper: Callable[[str], str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the lines that are written for it."""
    path, lines = tmp_path / "game.put", tmp_path / "told.jsonl"
    path.write_text(tamper(game()), "utf-8")
    assert run(path, "--lines") == os.EX_OK
    lines.write_text(capsys.readouterr().out, "utf-8")
    (viewer,) = verified(lines)["viewers"]
    assert viewer["findings"] == msgspec.to_builtins(list(found(path.read_text("utf-8")).failures))


# --- what cannot be checked ------------------------------------------------------------------------------------------


def test_game_that_was_not_sealed_is_said_to_be_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Hand by hand: nothing is passed over in silence, and nobody is accused."""
    path = tmp_path / "game.put"
    path.write_text(game(takes_part=False), "utf-8")
    assert run(path) == os.EX_OK
    _, *deals, last = capsys.readouterr().out.splitlines()
    assert deals[0] == "The draw for the deal: there is no seal of it here, so nothing of it can be checked."
    assert deals[1] == "Hand 1: there is no seal of it here, so nothing of it can be checked."
    assert last == "Nothing here was sealed, so nothing can be said of it."


def test_hand_without_a_seal_among_others_is_counted() -> None:
    """With how many were sealed."""
    bare: Sheet = read(game(takes_part=False))
    sealed = read(game())
    both = msgspec.structs.replace(sealed, steps=sealed.steps + bare.steps[1:2])
    verdict = verify(both)
    assert verdict.failures == ()
    assert re.fullmatch(
        r"What was sealed is fair, as far as its viewer saw it; 1 of \d+ deals were not\.", verdict.says[-1]
    )


def test_file_that_is_no_game_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Which line, or why it cannot be read, under statuses of their own."""
    path = tmp_path / "game.put"
    assert run(path) == os.EX_NOINPUT
    path.write_text("3s 3h\n", "utf-8")
    assert run(path) == os.EX_DATAERR
    assert "line 1" in capsys.readouterr().err
    with pytest.raises(SystemExit) as end:
        main([])
    assert end.value.code == os.EX_USAGE
    path.write_text(write(sheets.sheet()), "utf-8")
    assert run(path) == os.EX_OK
