"""`put-verify`: honest games are found fair, tampered ones are not, and what cannot be checked is said to be so."""

import os
import random
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import msgspec
import pytest

from put_client.fairness.verdict import Verdict
from put_client.fairness.verify import UNFAIR, UNPROVED, main, verify
from put_protocol.cards import FULL_PACK
from put_protocol.seal.findings import Failure, Fault
from put_protocol.seal.packs import laid
from put_protocol.seats import GALLERY, Seat, Viewer
from put_rules.registry import GAMES
from put_server.game_sheet import sheet_of
from put_text.notation import read, write
from tests.client import sample_sheet
from tests.seal.known_games import KNOWN
from tests.seal.test_verifiers import needs_node, verified
from tests.table.test_sealing import PLAYERS, SealedTableHarness

PEOPLE = PLAYERS


MOLL = Seat(0)


@cache
def game(
    rules: str = "put-1674", seats: int = 2, viewer: Viewer = MOLL, *, takes_part: bool = True, **options: int | str
) -> str:
    """A whole game as `put-server show` writes it, its first deal voided where anybody cuts."""
    harness = SealedTableHarness(rules, seats, **options)  # type: ignore[arg-type]  # no option is called bank
    harness.idle.add(PEOPLE[1])
    for seat, person in enumerate(PEOPLE[:seats]):
        harness.join(person, Seat(seat), takes_part=takes_part)
    if takes_part:
        harness.wait_out(PEOPLE[1])
    harness.idle.clear()
    harness.listen()
    dice = random.Random(8)
    while not harness.games:
        harness.act(dice.choice(harness.decision.legal).action)
        harness.listen()
    sheet = sheet_of(harness.games[0].record, GAMES[rules], viewer, date="", server="The Mermaid")
    return write(sheet)


def run(path: Path, *flags: str) -> int:
    with pytest.raises(SystemExit) as end:
        main([str(path), *flags])
    assert isinstance(end.value.code, int)
    return end.value.code


def found(text: str) -> Verdict:
    return verify(read(text))


def faults_of(verdict: Verdict) -> set[Fault]:
    return {failure.fault for failure in verdict.failures if isinstance(failure, Failure)}


ALL_PROVED = "Every deal is proved, as far as its viewer saw it."


def called_off(blamed: str) -> str:
    """What is said of the first deal."""
    return (
        f"Deal 1 was called off because of {blamed}, and does not count. Both its packs were turned up, and are whole."
    )


VIEWERS = (Seat(0), Seat(1), GALLERY)


@pytest.mark.parametrize(
    ("rules", "seats", "viewer"),
    [
        (name, GAMES[name].offer.seats[-1 if place == number % len(VIEWERS) else 0], viewer)
        for number, name in enumerate(KNOWN)
        for place, viewer in enumerate(VIEWERS)
    ],
    ids=str,
)
def test_honest_game_is_fair(rules: str, seats: int, viewer: Viewer) -> None:
    """Of every rule set, for a seat and for the gallery; the chain of whoever sat there is not needed. One of the three
    has the largest table, the others the smallest."""
    verdict = found(game(rules, seats, viewer))
    assert verdict.failures == ()
    assert verdict.is_proved
    blamed = "you" if viewer == Seat(1) else "Ben"
    assert verdict.says[0] == called_off(blamed)
    assert verdict.says[-1] == ALL_PROVED
    assert not any("NOT" in says for says in verdict.says)


def test_each_deal_is_told_with_its_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What it was for, who cut, and what is proved; and the status is that of success."""
    path = tmp_path / "game.put"
    path.write_text(game(), "utf-8")
    assert run(path) == os.EX_OK
    heading, void, *deals, last = capsys.readouterr().out.splitlines()
    assert heading.startswith("Game 1 at table 7 of The Mermaid")
    assert void == called_off("Ben")
    told = (
        r"Deal \d+, (the draw for the deal|hand \d+): (\w{5} ){3}\w{5}; cut by .*; \d+ cards? proved; the other pack is"
    )
    assert all(re.match(told, deal) for deal in deals)
    assert len(deals) > 2
    assert last == ALL_PROVED


def test_packs_opened_after_the_game_are_checked() -> None:
    """Each is whole."""
    verdict = found(game(open="after_game"))
    assert verdict.failures == ()
    assert all(says.endswith("so is this one, which was opened after the game.") for says in verdict.says[1:-1])
    turned = re.sub(r"(?m)^(whole .*seed=)..", r"\g<1>00", game(open="after_game"))
    assert faults_of(found(turned)) == {Fault.TURNED}


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
    faults = faults_of(verdict)
    assert faults
    assert faults <= TAMPERINGS[tamper]
    assert all(f"NOT FAIR: {failure.says}\n" in said for failure in verdict.failures)
    assert said.endswith(
        f"This was not dealt or played fairly, or this is not what was told of it: {len(verdict.failures)} found.\n"
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
    """Hand by hand: nothing is passed over in silence, nobody is accused, and the status is neither of the others."""
    path = tmp_path / "game.put"
    path.write_text(game(takes_part=False), "utf-8")
    assert run(path) == UNPROVED
    _, *deals, last = capsys.readouterr().out.splitlines()
    assert deals[0] == "The draw for the deal: not proved, because there is no seal of it here."
    assert deals[1] == "Hand 1: not proved, because there is no seal of it here."
    assert last == "Nothing is wrong with what is here, and nothing is proved."


def test_hand_without_a_seal_among_others_is_counted() -> None:
    """With how many were proved."""
    sealed = read(game())
    last = max(one.deal for step in sealed.steps for one in step.openings)
    steps = [
        step._replace(
            events=tuple([event for event in step.events if getattr(event, "deal", 0) != last]),
            openings=tuple([one for one in step.openings if one.deal != last]),
        )
        for step in sealed.steps
    ]
    verdict = verify(msgspec.structs.replace(sealed, steps=tuple(step for step in steps if step.events)))
    assert verdict.failures == ()
    assert not verdict.is_proved
    said = re.fullmatch(r"Nothing is wrong with what is here; (\d+) of (\d+) deals are proved\.", verdict.says[-1])
    assert said is not None
    assert int(said[1]) == int(said[2]) - 1


def test_sealed_game_whose_pack_is_not_known_is_not_proved() -> None:
    """Nobody can tell whether a game of another server's is played with the right cards."""
    verdict = found(game().replace('"put-1674"', '"put-2099"', 1))
    assert verdict.failures == ()
    assert not verdict.is_proved
    assert verdict.says[-1] == "Nothing is wrong with what is here, and nothing is proved."
    assert "This deal is not proved: the pack of this game is not known here." in verdict.says[1]


def unshown_card(text: str) -> str:
    """With the proof of a card that nobody showed, in the place of the whole pack that has it."""
    sheet = read(game(open="after_game"))
    whole = next(one.played for step in sheet.steps for one in step.openings if one.played is not None)
    deal = next(one.deal for step in sheet.steps for one in step.openings if one.played is whole)
    own = read(text)
    steps = list(own.steps)
    place = next(n for n, step in enumerate(steps) if any(one.deal == deal and one.turned for one in step.openings))
    opened = {o.card for step in steps for one in step.openings if one.deal == deal for o in one.openings}
    pack = laid(whole.seed, own.table, deal, whole.pack, FULL_PACK)
    secret = next(pack.opening(at) for at, card in enumerate(pack.cards) if card not in opened)
    openings = tuple(
        [
            msgspec.structs.replace(one, openings=(*one.openings, secret)) if one.deal == deal else one
            for one in steps[place].openings
        ]
    )
    steps[place] = steps[place]._replace(openings=openings)
    return write(msgspec.structs.replace(own, steps=tuple(steps)))


def test_card_that_was_opened_and_never_shown_is_unfair(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the name of the card; of an honest game there is none."""
    path = tmp_path / "game.put"
    path.write_text(unshown_card(game()), "utf-8")
    assert run(path) == UNFAIR
    (said,) = [line for line in capsys.readouterr().out.splitlines() if "no event showed it" in line]
    assert re.fullmatch(r"NOT FAIR: Deal \d+, the \w+ of \w+: it was opened to you, though no event showed it\.", said)


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
    path.write_text(game(takes_part=False), "utf-8")
    assert run(path) == UNPROVED


def test_game_that_is_none_by_the_rules_is_unfair(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the first event that does not follow."""
    path = tmp_path / "game.put"
    path.write_text(write(sample_sheet.sheet()), "utf-8")
    assert run(path) == UNFAIR
    assert "NOT FAIR: It was told: " in capsys.readouterr().out


def test_lines_are_checked_like_the_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Those that `--lines` writes; and a line that is none is named."""
    path = tmp_path / "game.put"
    path.write_text(game(), "utf-8")
    assert run(path) == os.EX_OK
    said = capsys.readouterr().out.splitlines()
    run(path, "--lines")
    lines = tmp_path / "game.jsonl"
    lines.write_text(capsys.readouterr().out, "utf-8")
    assert run(lines) == os.EX_OK
    _, *deals, last = capsys.readouterr().out.splitlines()
    assert last == said[-1]
    assert len(deals) == len(said) - 2
    lines.write_text(lines.read_text("utf-8") + '{"event": "dealt"}\n', "utf-8")
    assert run(lines) == os.EX_DATAERR
    assert "game.jsonl: line " in capsys.readouterr().err
