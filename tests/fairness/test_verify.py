"""`put-verify`, as who runs it: what it prints of a file, and its exit status."""

import json
import subprocess
from collections.abc import Mapping
from contextvars import copy_context
from pathlib import Path

import pytest
from msgspec.structs import replace

from put_client.fairness.verify import main
from put_protocol.seats import Seat
from put_rules.registry import GAMES
from put_runtime import exit_codes
from put_server.game_sheet import sheet_of
from put_text.notation import write
from tests.client.sample_sheet import sheet
from tests.conformance.random_games import record_of
from tests.conformance.tables import Table, games_at
from tests.lobby.blind_evidence import NODE, VERIFIER, played, renumbered
from tests.text.english_words import english_in

Lines = list[bytes]


@pytest.fixture(scope="module")
def honest() -> Lines:
    return played("put-1674", "kh", 4, target=1, pack=28).lines


def verified(tmp_path: Path, capsys: pytest.CaptureFixture[str], lines: Lines) -> tuple[int, str]:
    """The exit status, and all that was printed."""
    file = tmp_path / "evidence.jsonl"
    file.write_bytes(b"".join(line + b"\n" for line in lines))
    with pytest.raises(SystemExit) as ended:
        main([str(file)])
    printed = capsys.readouterr()
    return int(ended.value.code or 0), printed.out + printed.err


def test_proved_game_is_told_deal_by_deal(honest: Lines, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Who shuffled each, whose cards the server could see, which cards were seen of whom, and the whole."""
    status, said = verified(tmp_path, capsys, honest)
    first, *deals, last = said.splitlines()
    assert status == exit_codes.OK
    assert first == "Table 1, as seat 1 (you) saw it."
    shuffled = [one for one in deals if "was shuffled by" in one]
    assert shuffled[0] == "Deal 1 was shuffled by you and Doll; every shuffle is proved."
    assert len(shuffled) > 1
    assert deals.count("The server can see the cards of Doll in it.") == len(shuffled)
    assert last == "Every deal is proved, as far as its viewer saw it."


def test_file_that_begins_in_mid_game_says_so(
    honest: Lines, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A page that was loaded again, or a client that was killed, goes on from a state."""
    late = played("put-1674", "kk*", 5, drops=True, target=1, pack=28).lines
    at = next(number for number, line in enumerate(late) if line.startswith(b'{"type":"span"'))
    head = json.loads(late[0]) | {"info": json.loads(late[at + 1])["info"]}
    status, said = verified(tmp_path, capsys, renumbered([json.dumps(head).encode(), late[at], *late[at + 2 :]]))
    assert "It begins in the middle of a game: what was told before is not in this file." in said
    assert "NOT FAIR" not in said
    assert status == exit_codes.OK


def test_game_that_was_dealt_plain_proves_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, said = verified(tmp_path, capsys, played("put-1674", "nn", 4, target=1).lines)
    assert status == 2
    assert "Game 1 was dealt by the server alone: nobody here keeps the key of their cards." in said
    assert "Nothing is wrong with what is here; 0 of " in said


@pytest.mark.parametrize(
    ("dealing", "says"),
    [
        ("plain", "The server dealt it alone (dealing=plain), so nothing proves its deals."),
        ("blind", "The steps that prove its deals are not in this file."),
    ],
)
def test_sheet_is_checked_by_the_rules_alone(
    dealing: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It has no steps of deals; where there were none, it does not speak of them."""
    game = next(games_at(Table("put-1674", 2)))
    kept = record_of(game.setup, [step.given for step in game.steps if step.given is not None])
    seen = sheet_of(kept, GAMES["put-1674"], Seat(0), date="", server="")
    text = write(replace(seen, options={**seen.options, "dealing": dealing}))
    _, said = verified(tmp_path, capsys, text.encode().splitlines())
    assert f"It follows the rules. {says}" in said


@pytest.mark.parametrize("option", [{"pack": "many"}, {"target": "3s"}, {"cut": 5}])
def test_option_of_another_kind_is_none_that_is_known(
    option: Mapping[str, str | int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The rules cannot be told from it, and so no game is called unfair."""
    text = write(replace(sheet(), options={**sheet().options, **option}))
    status, said = verified(tmp_path, capsys, text.encode().splitlines())
    assert status == 2
    assert "NOT FAIR" not in said


def test_what_does_not_hold_is_told_in_a_sentence(
    honest: Lines, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    at = next(number for number, line in enumerate(honest) if b'"blind_entry"' in line)
    status, said = verified(tmp_path, capsys, renumbered([*honest[:at], *honest[at + 1 :]]))
    assert status == 1
    assert "NOT FAIR: The server did not sign what it told of the deal: a proof does not hold." in said
    assert said.splitlines()[-1] == "This was not dealt or played fairly, or this is not what was told of it."


def test_file_of_which_lines_are_missing_is_not_called_a_lie(
    honest: Lines, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever comes after the gap. What came before it is judged."""
    at = next(number for number, line in enumerate(honest) if b'"event":"hand"' in line)
    plain = json.dumps({"event": "started", "game": 2, "names": ["Ann", "Doll"], "plain": "it is so", "line": at + 2})
    for gap in ([plain.encode()], honest[at + 1 :], honest[at - 1 :]):
        status, said = verified(tmp_path, capsys, [*honest[:at], *gap])
        assert status == 2
        assert f"This file is not whole: what should follow its line {at} is missing" in said
        assert "NOT FAIR" not in said
        assert "Deal 1 was shuffled by you and Doll; every shuffle is proved." in said


def test_file_of_which_all_but_its_end_is_missing_says_so(
    honest: Lines, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where a table as the viewer came back to it comes next, too."""
    head = json.loads(honest[0])
    table = {"type": "table", "table": 1, "viewer": 0, "number": 90, "info": head["info"], "line": 70}
    status, said = verified(tmp_path, capsys, [honest[0], json.dumps(table).encode()])
    assert status == 2
    assert "This file is not whole: what should follow its line 1 is missing" in said


def test_verdict_is_in_the_language_of_the_environment(
    honest: Lines, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every sentence of it, of a file that is sound and of one that is not; but which step of the mathematics fails."""
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    at = next(number for number, line in enumerate(honest) if b'"blind_entry"' in line)
    said = ""
    for lines in (honest, renumbered([*honest[:at], *honest[at + 1 :]])):
        _, said = copy_context().run(verified, tmp_path, capsys, lines)
        assert said.startswith("Table 1, vue de la place 1 (la tienne).")
        own = said.replace("a proof does not hold", "")
        assert {line: found for line in own.splitlines() if (found := english_in(line))} == {}
    assert "DÉLOYAL" in said


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b'{"event":"put","seat":0}', "line 1: nothing before it says who the viewer is"),
        (b'{"type":"viewer"}', "line 1: 'table'"),
        (b'{"type":"viewer",', "line 1: "),
        (b'{"type":' + b"[" * 100_000, "line 1: "),
        (b"no game at all", "put-verify: "),
    ],
)
def test_file_that_cannot_be_read_says_where(
    text: bytes, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, said = verified(tmp_path, capsys, [text])
    assert status == exit_codes.DATAERR
    assert says in said
    assert said.count("\n") == 1


@pytest.mark.parametrize("viewer", [2, 9, -1])
def test_seat_that_does_not_exist_is_refused_by_both_verifiers(
    viewer: int, honest: Lines, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the same sentence, and no verdict."""
    head = {**json.loads(honest[0]), "viewer": viewer}
    status, said = verified(tmp_path, capsys, [json.dumps(head).encode(), *honest[1:]])
    says = f"its viewer is seat {viewer}, which the table does not have"
    assert (status, said.count("\n")) == (exit_codes.DATAERR, 1)
    assert f"line 1: {says}" in said
    if NODE is not None:
        other = subprocess.run(
            [NODE, VERIFIER, tmp_path / "evidence.jsonl"], capture_output=True, text=True, timeout=60, check=False
        )
        assert (other.returncode, other.stdout) == (3, "")
        assert says in other.stderr


def test_file_that_is_not_there_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([str(tmp_path / "nothing")])
    assert ended.value.code == exit_codes.NOINPUT
    assert "No such file or directory" in capsys.readouterr().err
