"""The sandbox: bots that spy find nothing, and programs in it behave as outside."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from put_arena import sandbox
from put_arena.contest import Contest
from put_arena.match_server import serving
from put_arena.sandbox import LAUNCHER, Sandbox, environment, why_impossible
from put_arena.schedule import rounds
from tests.arena.matches import CLOSED, DICEY, FIRST, contest, serve_here
from tests.arena.spies import FOLDERS, NOTE, SEED
from tests.fork_server import new_interpreters

SPIES = f"{Path(__file__).parent / 'spies.py'}"


@pytest.fixture(autouse=True)
def programs_are_started_anew() -> Iterator[None]:
    """So that spies see them as they are where there is no fork server."""
    with new_interpreters():
        yield


@pytest.fixture(autouse=True)
def notes_are_removed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What spies leave behind outside the sandbox. The server of their matches is this process, and has the seed."""
    serve_here(monkeypatch)
    yield
    for folder in FOLDERS:
        (folder / NOTE).unlink(missing_ok=True)


def test_launcher_needs_no_package() -> None:
    """It runs with the standard library alone; else it would be taken for a system without a sandbox."""
    words = [sys.executable, "-I", "-S", "-c", "import runpy, sys; runpy.run_path(sys.argv[1])", str(LAUNCHER)]
    assert subprocess.run(words, check=False, capture_output=True, timeout=20).returncode == 0


needs_sandbox = pytest.mark.skipif(bool(why_impossible()), reason="this system has no sandbox")


async def found(match: Contest, spies: int = 1) -> list[str]:
    """What the first competitors of a match have found, in their words."""
    await match.run()
    assert match.results is not None
    assert match.results.games
    return [says for conduct in match.conduct[:spies] for says in conduct.says]


HELD = f"{SEED}".encode()
"""In the memory of this process, where spies may find it."""


def spying(sandbox: Sandbox | None) -> Contest:
    """A match of one who looks for something and one who tells it."""
    return contest(f"{SPIES}:Spy", f"{SPIES}:Talker", games=20, seed=SEED, sandbox=sandbox)


@needs_sandbox
async def test_spies_find_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No seed in any argument, environment or memory, no other program, nobody to talk to, and no second seating of a
    deal: there is nothing to rebuild a pack from."""
    monkeypatch.setenv("A_SECRET_OF_THE_USER", "x")
    monkeypatch.chdir(tmp_path)
    assert await found(spying(CLOSED), 2) == []


CHEATS = f"{Path(__file__).parent / 'cheats.py'}"
OTHER = SEED + 1
"""A seed that is not even in the memory of the cheat, as `SEED` is, for it imports what spies do."""


@needs_sandbox
async def test_a_bot_that_rebuilds_packs_from_what_it_sees_gains_nothing() -> None:
    """It does what it would do without looking, card by card: no set differs."""
    match = contest(f"{CHEATS}:Cheat", f"{CHEATS}:Honest", games=16, seed=OTHER, sandbox=CLOSED)
    await match.run()
    assert match.results is not None
    assert match.results.differences(0, 1) == [0.0] * 8
    assert not match.conduct[0].faults


@needs_sandbox
async def test_it_wins_when_it_is_told_the_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    """So it does know what to do with one, and looks where one might be."""
    monkeypatch.setenv("PYTHON_SEED", str(OTHER))
    match = contest(f"{CHEATS}:Cheat", f"{CHEATS}:Honest", games=24, seed=OTHER, sandbox=CLOSED)
    await match.run()
    assert match.results is not None
    share = match.results.share_against(0, 1)
    assert share is not None
    assert share.mean > 0.7
    assert share.low > 0.5


async def test_without_the_sandbox_there_is_something_to_find(monkeypatch: pytest.MonkeyPatch) -> None:
    """So the spies do look; but also then no argument and no environment has the seed, the server's neither."""
    monkeypatch.setattr("put_arena.director.serving", serving)
    monkeypatch.setenv("A_SECRET_OF_THE_USER", "x")
    match = spying(None)
    says = await found(match, 2)
    for conduct in match.conduct:
        assert conduct.says
    for what in (
        "a secret of the user",
        "another program",
        "in the memory of another program",
        "a folder to write to",
        "a network",
    ):
        assert any(what in one for one in says), what
    assert any("another seating of the same packs" in one for one in says)
    assert not any("arguments or environment" in one for one in says)


@needs_sandbox
async def test_a_bot_reads_neither_what_the_arena_writes_nor_another_bot(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Saved games have the packs that a second seating still plays."""
    mine, theirs = tmp_path / "mine", tmp_path / "theirs"
    for folder in (mine, theirs):
        folder.mkdir()
        shutil.copy(SPIES, folder / f"{folder.name}.py")
    saved, report = tmp_path / "saved", tmp_path / "report.json"
    saved.mkdir()
    (saved / "a-game.put").write_text("x")
    report.write_text("{}")
    secrets = [saved, report, theirs / "theirs.py"]
    (mine / "to-read.txt").write_text("\n".join(map(str, secrets)))
    (theirs / "to-read.txt").touch()  # it looks at nothing: to search all processes may take longer than a turn
    monkeypatch.chdir(mine)
    spies = (f"{mine / 'mine.py'}:Reader", f"{theirs / 'theirs.py'}:Reader")
    closed = Sandbox(closed=True, hide=(str(saved), str(report)))
    assert await found(contest(*spies, games=2, seed=1, sandbox=closed)) == []
    assert await found(contest(*spies, games=2, seed=1, sandbox=None)) != []


def test_nothing_that_a_bot_gets_tells_the_seed_or_the_packs() -> None:
    """The name of the packs and the dice are of one round, one seat and one use; the round's own name is in none."""
    (first, *_) = rounds(0, (0, 1), (0, 1), 100)
    told = {first.deals(SEED), *(first.dice(SEED, seat) for seat in (0, 1))}
    assert len(told) == 3
    assert not any(first.name in one or str(SEED) in one for one in told)
    assert first.deals(SEED) != first.deals(SEED + 1)


def test_a_bot_gets_the_variables_that_programs_need() -> None:
    """And those that it was given by name."""
    given = {"PATH": "/bin", "LC_ALL": "C", "TOKEN": "secret", "OTHER": "x"}
    assert environment(given, ["OTHER"]) == {"PATH": "/bin", "LC_ALL": "C", "OTHER": "x"}


def ran(script: str, closed: Sandbox | None = None) -> subprocess.CompletedProcess[str]:
    """A shell in the sandbox."""
    words = (closed or Sandbox(closed=True)).words(["sh", "-c", script])
    return subprocess.run(words, check=False, capture_output=True, text=True, timeout=20)


@needs_sandbox
def test_exit_statuses_and_signals_are_the_programs_own() -> None:
    """The launcher ends as the program did."""
    assert ran("exit 7").returncode == 7
    assert ran("kill -TERM $$").returncode == -signal.SIGTERM
    assert ran("kill -KILL $$").returncode == -signal.SIGKILL
    missing = subprocess.run(
        Sandbox(closed=True).words(["./no-such-program"]), check=False, capture_output=True, text=True, timeout=20
    )
    assert (missing.returncode, missing.stderr) == (
        127,
        "./no-such-program cannot be started: No such file or directory\n",
    )


@needs_sandbox
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_signal_to_the_group_ends_everything_inside(number: signal.Signals) -> None:
    """Also a process that has left the group."""
    words = Sandbox(closed=True).words(["sh", "-c", "setsid sleep 98765 & echo begun; wait"])
    process = subprocess.Popen(words, stdout=subprocess.PIPE, start_new_session=True)
    assert process.stdout is not None
    assert process.stdout.readline() == b"begun\n"
    os.killpg(process.pid, number)
    assert process.wait(20) == -number
    assert process.stdout.read() == b""  # whoever held it is gone
    process.stdout.close()


@needs_sandbox
def test_nothing_is_left_to_break_out_with() -> None:
    """No capability, no way to get one, and no mount that can be undone."""
    assert "CapBnd:\t0000000000000000" in ran("grep CapBnd /proc/self/status").stdout
    assert ran("umount /tmp").returncode != 0
    assert ran("unshare --user --map-root-user true").returncode != 0
    # Where Python and this checkout are is shown, even if that is in /tmp.
    shown = {Path(path).parts[2] for path in (sys.prefix, sys.base_prefix, *sys.path) if path.startswith("/tmp/")}
    assert set(ran("ls /tmp /var/tmp /dev/shm | grep -v :").stdout.split()) <= shown


@needs_sandbox
def test_folders_to_show_are_there_although_they_are_temporary(tmp_path: Path) -> None:
    """A bot may lie in /tmp."""
    (tmp_path / "bot.txt").write_text("here")
    words = Sandbox(closed=True).words(["cat", str(tmp_path / "bot.txt")], show=[str(tmp_path)])
    assert subprocess.run(words, check=True, capture_output=True, timeout=20, cwd="/").stdout == b"here"


async def test_a_system_without_a_sandbox_plays_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is told that bots are apart when they are not."""
    monkeypatch.setattr("put_arena.contest.why_impossible", lambda: "unshare: Operation not permitted")
    match = contest(FIRST, DICEY, games=2, sandbox=CLOSED)
    await match.run()
    assert match.done == 2
    assert not match.sandbox.closed
    assert "unshare: Operation not permitted" in match.notice


def test_a_launcher_that_fails_says_why(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As the arena then says."""
    broken = tmp_path / "sandbox_launcher.py"
    broken.write_text("import sys; sys.exit('unshare: no')")
    monkeypatch.setattr(sandbox, "LAUNCHER", broken)
    assert why_impossible() == ("unshare: no" if sys.platform == "linux" else "only Linux has namespaces")
