"""Correct clients pass every case; those with one mistake fail, each in the case that is about it."""

import sys

import pytest

from put_conformance.case_report import format_case
from put_conformance.cases import reconnects
from put_conformance.cases.interruptions import PauseInPlay
from put_conformance.checks import CheckStatus
from tests.client_conformance.campaign import (
    AT_ONCE,
    CAUGHT,
    CLIENTS,
    FORGETS_PARTS,
    RESUMING,
    SMALL,
    SMALL_PASSES,
    WAYS_IN,
    WAYS_IN_CASES,
    can_run,
    caught_all,
    watched_for_long,
)
from tests.client_conformance.faulty_client import FAULTS
from tests.client_conformance.in_process import (
    CASES,
    TIMEOUT_S,
    TOGETHER,
    find_check,
    format_failures,
    run_cases,
    stdlib,
)

NAMES = list(CASES)
FIRST = NAMES.index("unknown-fields")
"""Cases before this one are games of every rule set, with nothing gone wrong."""

FAMILIES = ["put-1674-2", "put-partners", "triomphe-forcee-4", "primero-3"]
"""Of those, enough for the SDK, which has no rules; the campaign has it play all."""


def _groups(names: list[str]) -> list[list[str]]:
    """A test for each: they wait at the same time, and below the time a test may take on a busy machine."""
    return [names[at : at + TOGETHER] for at in range(0, len(names), TOGETHER)]


def _named(group: list[str]) -> str:
    return f"{group[0]}..{group[-1]}"


GROUPS = _groups(NAMES)
LOST_PART = "drop-before-part", "deals_again"
FAULTY = [list(CAUGHT)[at : at + AT_ONCE] for at in range(0, len(CAUGHT), AT_ONCE)]


@pytest.mark.parametrize("group", _groups([*FAMILIES, *NAMES[FIRST:]]), ids=_named)
async def test_sdk_passes_every_case(group: list[str]) -> None:
    """It speaks in frames."""
    report = await run_cases(CLIENTS["sdk"], *group)
    assert report.is_passed, format_failures(report)


@pytest.mark.parametrize("place", range(len(GROUPS)), ids=map(_named, GROUPS))
async def test_clients_in_lines_pass_every_case(place: int) -> None:
    """The examples of the docs are correct, the bot of the protocol's page, and the client that the faults are made
    of. They take turns here; the campaign runs each of them through all."""
    client = ("stdlib", "node", "page", "right")[place % 4]
    if not can_run(client):
        pytest.skip(f"{CLIENTS[client][0]} is not installed")
    report = await run_cases(CLIENTS[client], *GROUPS[place])
    assert report.is_passed, format_failures(report)


async def test_bot_of_the_page_that_plays_one_game_fails_nothing() -> None:
    """It says bye when the game is over, whatever was being tried, and is started again; what is about another game is
    skipped."""
    command = [*RESUMING, "1"]
    report = await run_cases(command, "unknown-messages", "batched", "longest", "drop-before-ok", "drop-before-again")
    assert report.is_passed, format_failures(report)
    assert [case.name for case in report.cases if case.status is CheckStatus.SKIPPED] == ["drop-before-again"]


async def test_small_bot_of_the_page_passes_what_needs_no_care() -> None:
    """A drop is what it fails first."""
    report = await run_cases(SMALL, *SMALL_PASSES)
    assert report.is_passed, format_failures(report)
    assert (await run_cases(SMALL, "drop-in-message")).status is CheckStatus.FAIL


@pytest.mark.parametrize("manner", WAYS_IN)
async def test_client_may_come_to_a_table_in_any_way(manner: str) -> None:
    """At a table it opens, with the house or with others, or at one it finds, the cases are the same. Here are those
    in which the manner matters; the campaign has others, too."""
    report = await run_cases(stdlib(manner=manner), *WAYS_IN_CASES)
    assert report.is_passed, format_failures(report)


async def test_part_of_a_deal_that_was_lost_is_asked_for_again() -> None:
    """Of a client that keeps its key; a table without keys is dealt plain, and the case says nothing of it."""
    lost = find_check(await run_cases(FORGETS_PARTS, "drop-before-part"), *LOST_PART)
    assert lost.status is CheckStatus.FAIL
    (keyless,) = (await run_cases(stdlib(), "drop-before-part")).cases
    assert keyless.status is CheckStatus.SKIPPED
    assert keyless.skipped.startswith("Its table is not dealt blind: ")


async def test_rule_set_that_the_client_does_not_play_is_skipped() -> None:
    """A client that opens tables of one rule set, whatever is tried, passes: cases about others say nothing of it, and
    each report is headed by what was played."""
    command = [*stdlib(manner="opens")[:-1], "put-1674"]
    report = await run_cases(command, "put-1800", "put-1674-4", "ping")
    other, own, _ = report.cases
    assert report.is_passed, format_failures(report)
    assert (other.status, other.game) == (CheckStatus.SKIPPED, "put-1674")
    assert "It opened a table of put-1674, so nothing of put-1800 could be asked." in "".join(format_case(other))
    assert (own.status, own.seats) == (CheckStatus.PASS, 2)
    assert (await run_cases(command, "put-1800")).status is CheckStatus.NOT_REACHED, "nothing was judged"


@pytest.mark.parametrize("seed", [0, 1])
async def test_client_may_come_again_to_a_table_where_the_house_plays_on(seed: int) -> None:
    """Two who play on without the client end the game between them, and begin no other."""
    with watched_for_long():
        report = await run_cases(stdlib(manner="rehosts"), "goodbye-kicked", "left", seed=seed)
    kicked, left = report.cases
    assert left.status is CheckStatus.PASS, format_failures(report)
    assert [check.name for check in kicked.checks if check.status is CheckStatus.FAIL] == ["stays_away"]
    assert not kicked.broken_off


@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_client_may_leave_when_a_game_is_over(seed: int) -> None:
    """Who plays one game and says bye has not stopped playing because of a pause."""
    report = await run_cases(stdlib(manner="visits"), "pause", seed=seed)
    assert report.is_passed, format_failures(report)


async def test_case_that_breaks_off_by_itself_is_said_and_the_others_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bug of the suite is not held against the client, and does not take the report of the other cases along."""

    def broken(*_: object) -> None:
        raise AssertionError("nobody came to rest")

    monkeypatch.setattr(PauseInPlay, "tick", broken)
    report = await run_cases(stdlib(), "pause", "ping")
    pause, ping = report.cases
    assert (pause.status, ping.status) == (CheckStatus.NOT_REACHED, CheckStatus.PASS)
    assert pause.broken_off == "AssertionError: nobody came to rest"
    assert not report.is_passed
    assert "a fault of this suite, not of the client: AssertionError: nobody came to rest" in format_failures(report)


async def test_other_packs_change_nothing() -> None:
    """A correct client passes whatever it is dealt."""
    report = await run_cases(stdlib(), "put-partners", "put-tavern-4", "pause", "drop-again", seed=0)
    assert report.is_passed, format_failures(report)


def test_every_fault_is_to_be_caught() -> None:
    """None was forgotten."""
    assert CAUGHT.keys() == FAULTS.keys()


@pytest.mark.parametrize("faults", FAULTY, ids=_named)
async def test_fault_is_caught(faults: list[str]) -> None:
    """Each in the case that is about it, by the check that names it."""
    await caught_all(faults)


@pytest.mark.parametrize(
    "command",
    [["true"], ["false"], [sys.executable, "-c", "raise SystemExit('I will not')"]],
    ids=["ends", "ends badly", "complains"],
)
async def test_client_that_never_comes_fails(command: list[str]) -> None:
    """A program that ends at once is no client, and the other cases go on."""
    report = await run_cases(command, "ping", "silence")
    assert [case.status for case in report.cases] == [CheckStatus.FAIL, CheckStatus.FAIL]
    assert "exit code" in find_check(report, "ping", "stays").detail
    if len(command) > 1:
        assert report.cases[0].stderr == ("I will not",)


async def test_case_ends_whatever_the_client_does() -> None:
    """One that ignores every signal it can is gone afterwards."""
    stubborn = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"
    report = await run_cases([sys.executable, "-c", stubborn], "ping", timeout_s=1.0)
    assert find_check(report, "ping", "hello").status is CheckStatus.FAIL
    assert report.cases[0].seconds < TIMEOUT_S


NEVER_SITS_DOWN = """
import socket, sys, time

line = socket.create_connection((sys.argv[1], int(sys.argv[2]))).makefile("rwb", buffering=0)
line.write(b'{"type":"hello","version":3,"name":"Ned","is_bot":true}\\n')
for text in line:
    if text.startswith(b'{"type":"invited"'):
        line.write(b'{"type":"sit","id":1,"table":999}\\n')
time.sleep(600)
"""


async def test_client_that_gets_nowhere_is_told_why_and_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """The refusal of its last request is named. A connection that is lost for good is not waited for."""
    monkeypatch.setattr(reconnects, "BELIEVED_MS", 100)
    monkeypatch.setattr(reconnects, "COMES_IN_MS", 100)
    command = [sys.executable, "-c", NEVER_SITS_DOWN, "{host}", "{port}"]
    report = await run_cases(command, "ping", "drop-before-welcome", timeout_s=1.0)
    assert find_check(report, "ping", "sits").detail.endswith("its last request was refused: there is no table 999.")
    assert find_check(report, "drop-before-welcome", "comes_in").status is CheckStatus.FAIL
    assert report.cases[1].seconds < 6


async def test_client_that_speaks_something_else_is_shown_it() -> None:
    """Its first bytes, such as a debugging line."""
    hello = "import socket, sys; s = socket.create_connection(sys.argv[1:3]); s.sendall(b'name Moll\\n'); s.recv(9)"
    report = await run_cases([sys.executable, "-c", hello, "{host}", "{port}"], "ping")
    assert "it began with b'name Moll\\n'" in find_check(report, "ping", "hello").detail
