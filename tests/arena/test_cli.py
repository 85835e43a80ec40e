"""`put-arena`: what it prints, how it ends, and that it leaves nobody behind. Where a signal ends it, it is a process;
else it runs here, and so does the server of its match."""

import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Protocol
from xml.etree import ElementTree

import pytest

from put_arena import cli
from put_client.sheet_replay import load
from tests.arena.matches import DICEY, FIRST, PLAYERS, descendants, is_alive, needs_sandbox, program, serve_here

IMPATIENT = f"{Path(__file__).with_name('impatient.py')}"

COMMAND = [sys.executable, "-c", "from put_arena.cli import main; main()"]

LATE_SECONDS = 3_600
LIMITS = (
    "put_arena.processes.LISTEN_SECONDS",
    "put_arena.processes.BLOCKED_SECONDS",
    "put_arena.cli.BANK_SECONDS",
    "put_arena.director.SIT_SECONDS",
    "put_arena.proxy.READ_MESSAGES_SECONDS",
    "put_arena.roster.HELLO_SECONDS",
)
"""Time limits of a competitor that no test here is about: a machine that does much else reaches them."""

EX_USAGE, EX_DATAERR, EX_NOINPUT, EX_CANTCREAT, OUT = 64, 65, 66, 73, 1


class Run(Protocol):
    """The program, which must end by itself."""

    def __call__(self, *flags: str) -> subprocess.CompletedProcess[str]: ...


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """The program in this process."""
    serve_here(monkeypatch)
    monkeypatch.setattr(cli, "hide_memory", lambda: None)  # it would be that of all tests after this one
    monkeypatch.setenv("COLUMNS", "200")
    for limit in LIMITS:
        monkeypatch.setattr(limit, LATE_SECONDS)

    def run(*flags: str) -> subprocess.CompletedProcess[str]:
        with pytest.raises(SystemExit) as ended:
            cli.main(flags)
        said = capsys.readouterr()
        code = ended.value.code
        assert isinstance(code, int)
        return subprocess.CompletedProcess(flags, code, said.out, said.err)

    return run


def test_a_match_is_told_saved_and_written_down(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table for a person, a file for a program, and a sheet a game."""
    monkeypatch.setattr(cli, "LOOK_SECONDS", 0)  # it may be over at once
    report = tmp_path / "all.json"
    ended = run(
        *(FIRST, "--games", "4", DICEY, "--seed", "7", "--turn", "3600", "--option", "target=3", "--no-sandbox"),
        *("--json", str(report), "--save", str(tmp_path / "games")),
    )
    assert (ended.returncode, "Traceback" in ended.stderr) == (0, False), ended.stderr
    assert "put-1674 with 2 seats target=3, seed 7: 4 games, 2 sets of 2." in ended.stdout
    assert "luck removed" in ended.stdout
    assert "Watch at put-client 127.0.0.1:" in ended.stderr
    read = json.loads(report.read_text())
    assert (read["seed"], read["options"], len(read["games"]), read["is_partial"]) == (7, {"target": 3}, 4, False)
    sheets = [load(file) for file in (tmp_path / "games").iterdir()]
    assert len(sheets) == 4
    assert {sheet.options["target"] for sheet in sheets} == {3}


@pytest.mark.parametrize(
    ("number", "how"),
    [
        (signal.SIGINT, ["--no-sandbox", FIRST]),
        pytest.param(signal.SIGTERM, [f"other={program('good')}"], marks=needs_sandbox),
    ],
)
def test_a_signal_ends_it_with_what_was_played_and_nobody_left(number: signal.Signals, how: list[str]) -> None:
    """A partial table, the shell's exit code, and no process of all that were started."""
    with subprocess.Popen(
        [
            sys.executable,
            IMPATIENT,
            *how,
            program("good"),
            f"{PLAYERS}:Hanging",
            "--games",
            "100000",
            "--late",
            "50",
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as arena:
        assert arena.stderr is not None
        assert arena.stderr.readline().startswith("Watch at")
        while (line := arena.stderr.readline()).startswith("0 of "):
            pass  # until there is something to be told of
        assert " games, " in line
        started = descendants(arena.pid)
        arena.send_signal(number)
        out, errors = arena.communicate(timeout=LATE_SECONDS)
    assert arena.returncode == 128 + number
    assert "Traceback" not in errors
    assert "Games won of those against each other" in out
    assert "It was stopped before its end." in out
    if Path("/proc/self/stat").exists():
        assert len(started) >= 4  # the server, classes and programs
        assert not [pid for pid in started if is_alive(pid)]


def test_a_match_goes_on_when_its_terminal_has_gone() -> None:
    """As `nohup` asks it to; another signal still ends it."""
    with subprocess.Popen(
        [sys.executable, IMPATIENT, FIRST, DICEY, "--games", "100000", "--in-process", "--jobs", "1"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),  # noqa: PLW1509  # it has no threads
    ) as arena:
        assert arena.stderr is not None
        assert " games, " in arena.stderr.readline()
        arena.send_signal(signal.SIGHUP)
        assert " games, " in arena.stderr.readline()
        arena.send_signal(signal.SIGTERM)
        arena.communicate(timeout=LATE_SECONDS)
    assert arena.returncode == 128 + signal.SIGTERM


def test_the_report_comes_though_the_reader_of_the_progress_has_gone() -> None:
    """A match of many hours is not lost for it."""
    reading, writing = os.pipe()
    with subprocess.Popen(
        [sys.executable, IMPATIENT, FIRST, DICEY, "--games", "200", "--in-process", "--jobs", "1"],
        stdout=subprocess.PIPE,
        stderr=writing,
        text=True,
    ) as arena:
        os.close(writing)
        assert b" of 200 games, " in os.read(reading, 100)
        os.close(reading)
        out, _ = arena.communicate(timeout=LATE_SECONDS)
    assert arena.returncode == 0
    assert "200 games, 100 sets of 2." in out


def test_the_json_is_written_though_the_reader_of_the_text_has_gone(tmp_path: Path) -> None:
    """As where the text goes to `head`, or to a terminal that is closed."""
    report = tmp_path / "all.json"
    words = [FIRST, DICEY, "--games", "4", "--in-process", "--jobs", "1", "--json", str(report)]
    with subprocess.Popen([*COMMAND, *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as arena:
        assert arena.stdout is not None
        arena.stdout.close()
    assert arena.returncode == 128 + signal.SIGPIPE
    assert len(json.loads(report.read_text())["games"]) == 4


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
def test_the_text_is_printed_though_the_json_cannot_be_written(run: Run) -> None:
    """In the end a sentence says so."""
    ended = run(FIRST, DICEY, "--games", "4", "--in-process", "--jobs", "1", "--json", "/dev/full")
    assert (ended.returncode, "Traceback" in ended.stderr) == (EX_CANTCREAT, False)
    assert "4 games, 2 sets of 2." in ended.stdout
    assert "the report cannot be written: " in ended.stderr


def test_a_bot_that_goes_away_leaves_the_results_so_far(run: Run, tmp_path: Path) -> None:
    """Each wave starts its bots anew, and may find no file any more."""
    bot, report = tmp_path / "fleeting.py", tmp_path / "all.json"
    text = Path(PLAYERS).read_text()
    bot.write_text(f"{text}\n\nPath(__file__).unlink()\n")
    ended = run(FIRST, f"{bot}:Dicey", "--games", "4", "--no-sandbox", "--json", str(report))
    assert (ended.returncode, "Traceback" in ended.stderr) == (EX_NOINPUT, False)
    assert "2 games" in ended.stdout
    assert "there is no file" in ended.stderr
    assert json.loads(report.read_text())["is_partial"]


def test_at_a_terminal_there_is_a_live_table_and_the_key_that_interrupts() -> None:
    """With every competitor, its share and its interval, drawn anew in its place."""
    pid, ours = pty.fork()
    if pid == 0:
        os.environ["TERM"], os.environ["COLUMNS"] = "xterm", "80"
        words = [FIRST, DICEY, "--games", "100000", "--in-process", "--jobs", "1"]
        os.execv(sys.executable, [sys.executable, IMPATIENT, *words])
    said = b""
    while b"\x1b[4F" not in said or b"o" not in said:
        said += os.read(ours, 1024)
    os.write(ours, b"\x03")
    try:
        while data := os.read(ours, 1024):
            said += data
    except OSError:  # how Linux ends a terminal
        pass
    finally:
        os.close(ours)
    _, status = os.waitpid(pid, 0)
    assert os.waitstatus_to_exitcode(status) == 128 + signal.SIGINT
    assert re.search(rb"[\d,]+ of 100,000 games, [\d,]+ a second, [\d,]+ seconds to go\r\n 1  \w+ +[\d.]+%", said)
    assert b"It was stopped before its end." in said


def test_plots_are_drawn(run: Run, tmp_path: Path) -> None:
    """Well-formed SVG, with every competitor in each."""
    folder = tmp_path / "plots"
    for game in (["--game", "put-1674"], ["--game", "primero", "--option", "hands=2"]):
        ended = run(
            FIRST,
            DICEY,
            f"third={FIRST}",
            "--games",
            "4",
            "--in-process",
            "--jobs",
            "1",
            "--plots",
            str(folder),
            *game,
        )
        assert ended.returncode == 0, ended.stderr
        for name in ("wins.svg", "ratings.svg", "matrix.svg"):
            text = "".join(ElementTree.parse(folder / name).getroot().itertext())
            assert all(label in text for label in ("First", "Dicey", "third"))


@pytest.mark.timeout(180)  # a match is played three times
def test_a_match_that_was_killed_goes_on_to_the_same_result(run: Run, tmp_path: Path) -> None:
    """Everything but the time is as if it had never been interrupted: games, shares, intervals, ratings."""
    match = [FIRST, DICEY, f"{PLAYERS}:Failing", "--games", "80", "--seed", "7", "--in-process", "--jobs", "2"]
    whole, log = tmp_path / "whole.json", tmp_path / "log"
    assert run(*match, "--json", str(whole)).returncode == 0
    with subprocess.Popen(
        [*COMMAND, *match, "--resume", str(log)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as arena:
        while not log.exists() or log.read_bytes().count(b"\n") < 20:
            assert arena.poll() is None, "it ended before it could be killed"
            time.sleep(0.01)  # between two looks
        arena.kill()
    kept = log.read_bytes()
    assert kept.count(b'["game"') < 3 * 80
    goes_on(run, match, log, whole)
    assert log.stat().st_mode & 0o077 == 0  # the seed is in it
    again = run(*match, "--resume", str(log))  # nothing is left to play
    assert again.returncode == 0
    assert "240 games" in again.stdout


def test_a_match_by_sockets_goes_on_to_the_same_result(run: Run, tmp_path: Path) -> None:
    """From what a killed one leaves: the beginning of the log of a whole one."""
    match = [FIRST, DICEY, f"{PLAYERS}:Failing", "--games", "8", "--seed", "7", "--turn", "3600", "--no-sandbox"]
    whole, log = tmp_path / "whole.json", tmp_path / "log"
    assert run(*match, "--json", str(whole), "--resume", str(log)).returncode == 0
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[: len(lines) // 2]))
    goes_on(run, match, log, whole)


def goes_on(run: Run, match: list[str], log: Path, whole: Path) -> None:
    """From this log it comes to what the whole match came to."""
    with log.open("ab") as file:
        file.write(b'["game", 0, "match')  # a line that was not written to its end
    resumed = log.with_name("resumed.json")
    ended = run(*match, "--resume", str(log), "--json", str(resumed))
    assert ended.returncode == 0, ended.stderr
    one, other = (json.loads(file.read_text()) for file in (whole, resumed))
    for report in (one, other):
        del report["seconds"]
        for competitor in report["competitors"]:  # those of rounds that are played again count again
            del competitor["faults"]
    assert one == other


def test_a_log_of_another_match_is_not_gone_on_with(run: Run, tmp_path: Path) -> None:
    """It is said what differs; and what is no log stays as it is."""
    log, text = tmp_path / "log", tmp_path / "text"
    assert run(FIRST, DICEY, "--games", "2", "--in-process", "--seed", "1", "--resume", str(log)).returncode == 0
    ended = run(FIRST, DICEY, "--games", "4", "--in-process", "--resume", str(log))
    assert (ended.returncode, "its games is 2, not 4" in ended.stderr) == (EX_DATAERR, True)
    for words in ("Dear diary,\nit rains.", "Dear diary"):
        text.write_text(words)
        ended = run(FIRST, DICEY, "--resume", str(text))
        assert (ended.returncode, "is no log of a match" in ended.stderr) == (EX_DATAERR, True)
        assert text.read_text() == words


def test_who_was_put_out_shows_in_the_exit_status(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A script need not read the table."""
    monkeypatch.setattr(cli, "BANK_SECONDS", 1)  # it dies, and does not come back to its games
    ended = run(FIRST, f"{PLAYERS}:Dying", "--games", "40", "--no-sandbox")
    assert ended.returncode == OUT
    assert "Dying is out: its process ended again" in ended.stdout


@pytest.mark.parametrize(
    ("flags", "code", "says"),
    [
        ([FIRST], EX_USAGE, "two competitors or more"),
        ([FIRST, DICEY, "--games", "0"], EX_USAGE, "'0' is no whole number from 1"),
        ([FIRST, DICEY, "--option", "target"], EX_USAGE, "'target' is no option: say name=value"),
        ([FIRST, DICEY, "--slow", "nan"], EX_USAGE, "'nan' is no number of seconds"),
        ([FIRST, DICEY, "--json", "/nowhere/at/all.json"], EX_CANTCREAT, "/nowhere/at/all.json: No such file"),
        ([FIRST, DICEY, "--game", "whist", "--no-sandbox"], EX_DATAERR, "whist cannot be played so: no such rule set"),
        ([FIRST, "nobody.py", "--no-sandbox"], EX_NOINPUT, "there is no file nobody.py"),
    ],
)
def test_what_cannot_be_is_one_sentence_and_an_exit_code(run: Run, flags: list[str], code: int, says: str) -> None:
    """By sysexits."""
    ended = run(*flags)
    assert (ended.returncode, "Traceback" in ended.stderr) == (code, False)
    assert says in ended.stderr
    assert ended.stderr.splitlines()[0 if code == EX_USAGE else -1].startswith("put-arena: ")
