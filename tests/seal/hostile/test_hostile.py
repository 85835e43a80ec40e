"""Every attack on sealed deals that is known, played against the real clients: what each is told, by whom, and when.

The server is the real one with one part replaced (`servers`). Against it sit `put-client --line`, in a process of its
own, and a bot of the SDK; the saved game goes through `put-verify`, the evidence through the verifier in JavaScript.
"""

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import pytest

from put_client.fairness import verify
from put_client.sdk.deal_checks import ProofStanding
from put_protocol.seal.findings import Fault, Objection, Unproved
from tests.seal.hostile import hostile_servers
from tests.seal.hostile.hostile_table import Evening, evening, save
from tests.seal.test_verifiers import NODE, verified

CAUGHT = "The dealer was caught: nothing more is played here."
HEARD = r'says: "I stop: '
EVERY = 1_000
"""Hand."""

EITHER = f"{CAUGHT}|{HEARD}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """An attack, and what becomes of it."""

    attack: Callable[[pytest.MonkeyPatch], None]
    faults: frozenset[Fault]
    """Of which one is the first that the SDK finds."""
    deal: int | None = 3
    """Which deal it is found in; None: that depends on the cards."""
    until: str = CAUGHT
    """What line mode says: that it has caught the dealer itself or, where it was told the truth, that Nan has."""
    setting: Mapping[str, Any] = field(default_factory=dict)
    is_nan_sure: bool = True
    """Whether the SDK finds it in any case; else line mode may have found it alone, and plays no more."""
    is_seen_by_rules: bool = False
    """Whether the table is shown against its rules before it is dealt at."""
    is_found_in_file: bool = True
    """Whether the saved game alone shows it, to somebody who knows nothing of the chains."""


def case(attack: Callable[[pytest.MonkeyPatch], None], *faults: Fault, **other: Any) -> Any:
    return pytest.param(Case(attack=attack, faults=frozenset(faults), **other), id=attack.__name__)


DOUBLED = (Fault.TURNED, Fault.REPEATED, Fault.HOLDER, Fault.UNOPENED, Fault.STRANGE)
"""It is found when the pack is turned up, or when both cards that are alike are seen."""

CASES = [
    case(hostile_servers.stacks_the_pack, Fault.LEAF, until=EITHER),
    case(hostile_servers.swaps_a_card, Fault.HOLDER, until=EITHER),
    case(hostile_servers.opens_with_other_salts, Fault.LEAF),
    case(hostile_servers.turns_up_another_pack, Fault.TURNED),
    case(hostile_servers.turns_up_nothing, Fault.NOT_TURNED),
    case(hostile_servers.withholds_openings, Fault.UNOPENED),
    case(hostile_servers.discloses_cards, Fault.UNSHOWN, deal=1, until=EITHER),
    case(hostile_servers.doubles_a_three, *DOUBLED, deal=None, is_nan_sure=False, until=EITHER),
    case(hostile_servers.plays_with_fewer_cards, Fault.CARDS, deal=1, is_seen_by_rules=True),
    case(hostile_servers.proves_late_where_nobody_gives, Fault.TERMS, deal=1),
    case(hostile_servers.leaves_a_cut_out, Fault.LINK),
    case(hostile_servers.tells_two_stories, Fault.PACK, Fault.TURNED, deal=1, until=HEARD),
    case(hostile_servers.shows_cuts_twice, Fault.CHANGED),
    case(hostile_servers.voids_for_nobody, Fault.BLAME, deal=None),
    case(
        hostile_servers.voids_for_who_has_cut,
        Fault.BLAME,
        Fault.LET_OFF,
        deal=None,
        until=EITHER,
        is_nan_sure=False,
        is_found_in_file=False,
    ),
    case(hostile_servers.voids_what_was_dealt, Fault.VOIDED),
    case(
        hostile_servers.hides_doubles_behind_a_shill,
        *DOUBLED,
        deal=None,
        is_nan_sure=False,
        until=EITHER,
        setting={"with_shill": True, "games": 9},
    ),
    case(hostile_servers.grinds_through_a_shill, Fault.LET_OFF, deal=None, setting={"with_shill": True, "games": 9}),
    case(hostile_servers.has_accidents_nobody_agreed_to, Fault.ACCIDENT),
    case(hostile_servers.chooses_its_accidents, Fault.TO, Fault.ACCIDENT, deal=2, setting={"misdeals": 20}),
    case(hostile_servers.shows_the_table_anew_in_mid_deal, Fault.SNAPSHOT, is_found_in_file=False),
    case(
        hostile_servers.never_ends_catching_up,
        Fault.NOT_TURNED,
        Fault.UNOPENED,
        deal=None,
        until=EITHER,
        is_nan_sure=False,
        setting={"drops": 1},
    ),
    case(hostile_servers.says_a_game_is_in_play, Fault.NOT_SEALED, deal=0, is_found_in_file=False),
    case(hostile_servers.seals_nothing, Fault.NOT_SEALED, deal=0, is_found_in_file=False),
]


@pytest.fixture(autouse=True)
def state_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where clients keep evidence."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path / "state"


def put_verify(file: Path, *flags: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """Its exit code, and what it says."""
    with pytest.raises(SystemExit) as ended:
        verify.main([*flags, str(file)])
    assert isinstance(ended.value.code, int)
    return ended.value.code, capsys.readouterr().out


@pytest.mark.parametrize("case", CASES)
async def test_attack_is_caught(
    case: Case,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    state_home: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """By the SDK with the message that gives it away, and said so in line mode; play ends there. The saved game shows
    the same to others. The other verifier finds the same, and nothing else, in the file that the SDK left; or, where
    line mode alone caught the table, in the file that line mode left."""
    case.attack(monkeypatch)
    told = await evening(until=case.until, waits_for_nan=case.is_nan_sure, **case.setting)
    assert any(re.search(case.until, sentence) for sentence in told.line)
    if case.until == CAUGHT:
        assert any("fairly" in sentence for sentence in told.line)
    error = told.nan.error
    if error is None and not case.is_nan_sure:
        assert CAUGHT in told.line, "then line mode has found it, and plays no more"
        files = list((state_home / "put-client" / "evidence").iterdir())
        assert files
        for file in files if NODE else ():  # the SDK may have found it too, and have been stopped before it could say
            (viewer,) = verified(file)["viewers"]
            assert viewer["findings"][0]["fault"] in case.faults
        return
    assert error is not None
    first = error.failures[0]
    assert told.nan.faults_heard == [error]
    assert error.evidence is not None
    if isinstance(first, Objection):
        assert case.is_seen_by_rules
        return
    assert first.fault in case.faults
    assert case.deal in (None, first.deal)
    assert told.nan.checked[-1].standing is ProofStanding.BROKEN
    if NODE:
        (viewer,) = verified(error.evidence)["viewers"]
        assert viewer["findings"] == msgspec.to_builtins(list(error.failures))
    if case.is_found_in_file:
        code, says = put_verify(save(told.nan, tmp_path / "told.put"), capsys=capsys)
        assert code == verify.UNFAIR, says
        assert "NOT FAIR: " in says


async def played(until: str, **setting: Any) -> Evening:
    """An evening at which nobody is caught."""
    told = await evening(until=until, **setting)
    assert told.nan.error is None
    assert CAUGHT not in told.line
    return told


async def test_honest_server_is_believed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every deal is proved to both, and the file says so."""
    told = await played(r"^All \d+ deals .* proved", games=2)
    record = told.nan.record
    assert record is not None
    assert record.deals == record.proved > 4
    file = save(told.nan, tmp_path / "told.put")
    assert put_verify(file, capsys=capsys)[0] == os.EX_OK


async def test_honest_server_is_believed_whose_connections_drop() -> None:
    """In every hand both lose their connection; every deal is proved all the same, and none is called off."""
    told = await played(r"^All \d+ deals .* proved", games=2, drops=EVERY)
    tally = told.nan.checked[-1].tally
    assert tally.proved == tally.dealt > 4
    assert tally.deals_called_off == 0
    assert any("The connection is back" in sentence for sentence in told.line)


async def test_server_that_forgets_what_was_missed_proves_nothing_unsaid(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who drops in every hand, and is shown the table anew, is told of each that it is not proved, and their number."""
    hostile_servers.tells_nothing_after_a_drop(monkeypatch)
    told = await played(r"^\d+ of \d+ deals .* proved|^None of the \d+ deals", games=1, drops=EVERY)
    tally = told.nan.checked[-1].tally
    assert dict(tally.unproved)[Unproved.MISSED] >= 3
    said = [sentence for sentence in told.line if sentence.startswith("This deal is not proved: a part of it was lost")]
    assert len(said) >= 3


async def test_deals_called_off_for_a_shill_are_counted_and_warned_of(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that chooses among deals through a player of its own cannot hide that, nor how often; both are told."""
    hostile_servers.tries_each_deal_twice(monkeypatch)
    told = await played("^Beware: ", games=2, with_shill=True)
    tally = told.nan.checked[-1].tally
    assert tally.proved == tally.dealt
    (shill,) = tally.suspects
    assert (shill.seat, shill.drops) == (2, 0)
    assert shill.deals == tally.deals_called_off >= 2
    assert any(sentence.startswith("Beware: ") and hostile_servers.SHILL in sentence for sentence in told.line)
