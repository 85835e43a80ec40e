"""Reports of the conformance suite, and the exit codes of its command."""

import asyncio
import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from put_conformance import cli as own_command
from put_conformance.case_report import SuiteReport, format_case, make_report, to_json
from put_conformance.cases import all_cases
from put_conformance.cases.decisions import moments_of
from put_conformance.checks import ALWAYS, Check, CheckResults, CheckStatus, Section
from put_conformance.scenes import scenes_of
from put_conformance.suite import run_suite
from put_protocol.games.put import Moment
from put_rules.registry import GAMES
from put_runtime import exit_codes
from put_server.cli import main
from tests.client_conformance.in_process import CASES, ROOT, TIMEOUT_S, format_failures, run_cases, stdlib

EX_USAGE, EX_UNAVAILABLE, EX_CANTCREAT, EX_PROTOCOL = 64, 69, 73, 76

DOCS = ROOT / "docs"


async def test_text_and_json_say_the_same(tmp_path: Path) -> None:
    """Every check of the JSON that is not passed is in the text, with what was done instead and where to read."""
    report = await run_cases(stdlib("forgets_seen"), "drop-in-message")
    assert msgspec.json.decode(to_json(report), type=SuiteReport) == report
    text = " ".join(" ".join(format_case(report.cases[0])).split())
    wrong = [check for check in report.cases[0].checks if check.status is CheckStatus.FAIL]
    assert wrong
    for check in report.cases[0].checks:
        assert check.name in text or not check.needed
    for check in wrong:
        assert check.should in text
        assert check.detail in text
        assert f'docs/reference.md, "{check.section}"' in text


async def test_bot_that_hangs_is_named_once() -> None:
    """The first case says so in full; the others name that case, and list what could not be done."""
    report = await run_cases(stdlib("hangs"), "drop-before-ok", "unknown-fields", "batched", timeout_s=1.0)
    named: dict[str, str] = {}
    texts = ["\n".join(format_case(case, named)) for case in report.cases]
    assert [case.status for case in report.cases] == [CheckStatus.FAIL] * 3
    assert ["Answers within the time there is." in text for text in texts] == [True, False, False]
    for case, text in zip(report.cases[1:], texts[1:], strict=True):
        assert "FAIL: in_time, as in drop-before-ok" in text
        for check in case.checks:
            assert check.status is not CheckStatus.FAIL or check.name in text
            assert check.status is not CheckStatus.FAIL or check.should not in text


def test_first_fault_stands() -> None:
    """Whatever is done right later; and what was begun and came to nothing is a fault."""
    one, two, lasting, untouched = (
        Check(name=name, should="Does.", section=Section.GAME, is_lasting=name == "lasting")
        for name in ("one", "two", "lasting", "untouched")
    )
    results = CheckResults((one, two, lasting, untouched))
    results.failed(one, "It did not.")
    results.passed(one)
    results.begin(two)
    results.begin(lasting)
    results.close("it was late")
    assert [results.status(check) for check in results.checks] == [
        CheckStatus.FAIL,
        CheckStatus.FAIL,
        CheckStatus.PASS,
        CheckStatus.NOT_REACHED,
    ]
    assert results.detail(two) == "It did not: it was late."
    assert results.overall() is CheckStatus.FAIL


def test_run_of_no_cases_does_not_pass() -> None:
    """A run of no cases does not pass."""
    assert not make_report((), seed=1).is_passed


def test_every_rule_set_has_cases() -> None:
    """By being registered: its cases ask at every moment that its machine can come to, no moment is left out, and the
    scenes of its family follow."""
    asked = {check.name for case in CASES.values() for check in case.checks} & {moment.value for moment in Moment}
    assert asked == {moment.value for moment in Moment}
    for name, rule_set in GAMES.items():
        own = all_cases({name: rule_set})
        for seats in (min(rule_set.offer.seats), max(rule_set.offer.seats)):
            (case,) = [one for one in own.values() if one.seats == seats and one.name.startswith(name)]
            assert case.game == name
            scenes = (*moments_of(rule_set, seats), *scenes_of(rule_set.offer.family))
            assert tuple(check.name for check in case.checks) == scenes


def test_names_are_fit_to_be_stable() -> None:
    """Cases and checks are named once, in words that shells and JSON like."""
    for case in CASES.values():
        names = [check.name for check in (*ALWAYS, *case.checks)]
        assert len(names) == len(set(names))
        assert re.fullmatch(r"[a-z0-9-]+", case.name)
        assert all(re.fullmatch(r"[a-z_]+", name) for name in names)


@pytest.mark.parametrize("section", Section)
def test_sections_are_headings_of_the_reference(section: Section) -> None:
    """Where a report sends its reader, there is something to read."""
    headings = re.findall(r"^#+ (.*)$", (DOCS / "reference.md").read_text("utf-8"), re.MULTILINE)
    assert section.value in headings


# --- the command -----------------------------------------------------------------------------------------------------


def _ended(*arguments: str) -> int | str | None:
    with pytest.raises(SystemExit) as end:
        main(["rehearse", *arguments])
    return end.value.code


def test_command_of_a_correct_client_ends_with_0(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And writes the report where it is told to."""
    file = tmp_path / "report.json"
    assert _ended("--scene", "ping", "--scene", "lef*", "--json", str(file), "--", *stdlib()) == os.EX_OK
    report = msgspec.json.decode(file.read_bytes(), type=SuiteReport)
    assert [case.name for case in report.cases] == ["ping", "left"]
    said = capsys.readouterr()
    assert "All cases passed: 2 cases, 2 passed" in said.out
    assert said.err == ""


def test_command_of_a_faulty_client_ends_with_ex_protocol(capsys: pytest.CaptureFixture[str]) -> None:
    """With - the report alone is on standard output, and the text on standard error."""
    assert _ended("--scene", "ping", "--timeout", "2", "--json", "-", "--", *stdlib("same_ids")) == EX_PROTOCOL
    said = capsys.readouterr()
    assert msgspec.json.decode(said.out, type=SuiteReport).status is CheckStatus.FAIL
    assert "FAIL: ids" in said.err


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("--scene", "pong"), EX_USAGE, "'pong'"),
        (("--game", "whist"), EX_USAGE, "whist"),
        (("--timeout", "0"), EX_USAGE, "1 to 3600"),
        (("--port", "65536"), EX_USAGE, "65535"),
        (
            ("--scene", "ping", "--", "true", "{host}"),
            EX_USAGE,
            "not told where to connect: put {host} and {port} in it",
        ),
        (("--scene", "ping", "--", "/no/bot", "{port}"), EX_UNAVAILABLE, "/no/bot cannot be run: No such file"),
        (("--scene", "ping", "--host", "no.host.invalid", "--", "true", "{port}"), EX_UNAVAILABLE, "cannot listen on"),
        (("--scene", "ping", "--json", "/no/such/file", "--", *stdlib()), EX_CANTCREAT, "/no/such/file"),
    ],
)
def test_command_says_what_it_cannot_do(
    arguments: tuple[str, ...], code: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a sentence, and by its code."""
    assert _ended(*arguments) == code
    assert words in capsys.readouterr().err


def test_port_that_is_taken_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    """Before anything is started."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert _ended("--scene", "ping", "--port", str(port)) == EX_UNAVAILABLE
    assert f"cannot listen on 127.0.0.1:{port}" in capsys.readouterr().err


def test_reader_who_goes_away_ends_it_quietly() -> None:
    """As a pipe into `head` does, also while several cases run at once."""
    command = [
        sys.executable,
        "-m",
        "put_server",
        "rehearse",
        "--scene",
        "p*",
        "--at-once",
        "2",
        "--",
        "false",
        "{port}",
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        said = running.stderr.read()
    assert (running.returncode, said) == (exit_codes.PIPE_BROKEN, b"")


def test_suite_has_a_command_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    """It takes the same arguments, names the same cases, and ends by the same codes."""
    for arguments, code in (
        (["--list"], os.EX_OK),
        (["--scene", "pong"], EX_USAGE),
        (["--timeout", "0"], EX_USAGE),
        (["--scene", "ping", "--", "false", "{port}"], EX_PROTOCOL),
    ):
        with pytest.raises(SystemExit) as ended:
            own_command.main(arguments)
        own = capsys.readouterr()
        assert (ended.value.code, _ended(*arguments)) == (code, code)
        other = capsys.readouterr()
        assert re.sub(r"[0-9.]+ s", "", own.out) == re.sub(r"[0-9.]+ s", "", other.out)
        assert own.err.partition("\n")[0] == other.err.partition("\n")[0].replace("put-server", "put-conformance")


def test_list_names_every_case(capsys: pytest.CaptureFixture[str]) -> None:
    """And with a game only those that can be played with it."""
    assert _ended("--list") == os.EX_OK
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(CASES)
    assert _ended("--list", "--game", "put-partners") == os.EX_OK
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == ["put-partners"]


# --- a client that comes by itself -----------------------------------------------------------------------------------


async def test_client_comes_by_itself_and_again() -> None:
    """Without a command one run of the client goes through case after case, coming back to each with its token."""
    names = ("put-1674-2", "drop-in-message", "unknown-events", "ping")
    said: list[str] = []
    running: list[subprocess.Popen[bytes]] = []

    def announce(line: str) -> None:
        said.append(line)
        if found := re.search(r"client to (\S+):(\d+),", line):
            script = stdlib()[:2]
            running.append(subprocess.Popen([*script, found[1], found[2], "Wanderer"], stderr=subprocess.DEVNULL))

    cases = [CASES[name] for name in names]
    try:
        report = await run_suite(cases, GAMES, timeout_s=TIMEOUT_S, announce=announce, finished=lambda _: None)
    finally:
        for process in running:
            process.terminate()
            await asyncio.to_thread(process.wait)
    assert report.is_passed, format_failures(report)
    assert len(running) == 1
    assert [line for line in said if line.startswith("Case ")] == [
        f"Case {number} of 4, {name}: {CASES[name].summary}" for number, name in enumerate(names, 1)
    ]


async def test_nobody_coming_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cases that no client will come to are not waited for."""
    monkeypatch.setattr("put_conformance.suite.ARRIVAL_S", 0.2)
    said: list[str] = []
    cases = list(CASES.values())
    report = await run_suite(cases, GAMES, timeout_s=0.1, announce=said.append, finished=lambda _: None)
    assert len(report.cases) == 1
    assert not report.is_passed
    assert said[-1].startswith("No client connected")
