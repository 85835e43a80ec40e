"""The sandbox: bots that spy find nothing, and programs in it behave as outside."""

import ctypes
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from put_arena import director, processes, schedule
from put_arena.contest import ArenaFailed, Contest
from put_arena.match_play import play
from put_arena.processes import serving
from put_arena.sandbox import (
    MEMORY_MB,
    PROCESSES,
    TEMPORARY_MB,
    Sandbox,
    end_inside,
    environment,
    used_mb,
    why_impossible,
)
from put_arena.schedule import rounds
from tests.arena.colluders import FOLDERS as COLLUDERS_FOLDERS
from tests.arena.colluders import NOTE as COLLUDERS_NOTE
from tests.arena.matches import CLOSED, DICEY, FIRST, contest, descendants, is_alive, needs_sandbox, serve_here
from tests.arena.spies import FOLDERS, NOTE, SEED
from tests.fork_server import new_interpreters

SPIES = f"{Path(__file__).parent / 'spies.py'}"


@pytest.fixture
def programs_are_started_anew() -> Iterator[None]:
    """So that spies outside the sandbox see them as they are where there is no fork server."""
    with new_interpreters():
        yield


@pytest.fixture
def few_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """A round has games of its own and processes of its own."""
    monkeypatch.setattr(schedule, "ROUNDS_OF_A_SIZE", 1)


@pytest.fixture(autouse=True)
def notes_are_removed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What spies leave behind outside the sandbox. The server of their matches is this process, and has the seed."""
    serve_here(monkeypatch)
    yield
    for folder in FOLDERS:
        (folder / NOTE).unlink(missing_ok=True)


async def found(match: Contest, spies: int = 1) -> list[str]:
    """What the first competitors of a match have found, in their words."""
    await play(match)
    assert match.results is not None
    assert match.results.games
    return [says for conduct in match.conduct[:spies] for says in conduct.says]


HELD = f"{SEED}".encode()
"""In the memory of this process, where spies may find it."""


def spying(sandbox: Sandbox | None, folder: Path) -> Contest:
    """A set of one who looks for something and one who tells it, where no other test leaves notes."""
    (folder / "spies").mkdir()  # unlike the folder of a test it can be read by all, as other users' bots need
    spies = shutil.copy(SPIES, folder / "spies")
    return contest(f"{spies}:Spy", f"{spies}:Talker", games=2, seed=SEED, sandbox=sandbox)


@needs_sandbox
async def test_spies_find_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No seed in any argument, environment or memory, no other program, nobody to talk to, and no second seating of a
    deal: there is nothing to rebuild a pack from."""
    monkeypatch.setenv("A_SECRET_OF_THE_USER", "x")
    monkeypatch.chdir(tmp_path)
    assert await found(spying(CLOSED, tmp_path), 2) == []


HERE = Path(__file__).parent
ATTACKS = HERE / "attacks.py"
CHEATS, COLLUDERS = f"{HERE / 'cheats.py'}", f"{HERE / 'colluders.py'}"
OTHER = SEED + 1
"""A seed that is not even in the memory of the cheat, as `SEED` is, for it imports what spies do."""


@needs_sandbox
async def test_a_bot_that_rebuilds_packs_from_what_it_sees_gains_nothing() -> None:
    """It does what it would do without looking, card by card: no set differs."""
    match = contest(f"{CHEATS}:Cheat", f"{CHEATS}:Honest", games=6, seed=OTHER, sandbox=CLOSED)
    await play(match)
    assert match.results is not None
    assert match.results.differences(0, 1) == [0.0] * 3
    assert not match.conduct[0].faults


@needs_sandbox
async def test_a_bot_that_tells_its_copies_what_it_was_dealt_gains_nothing() -> None:
    """By no lock, socket or file: card by card it plays as if it had told nothing."""
    match = contest(f"{COLLUDERS}:ByAll", f"{COLLUDERS}:Honest", games=6, seed=OTHER, sandbox=CLOSED)
    await play(match)
    assert match.results is not None
    assert match.results.differences(0, 1) == [0.0] * 3


@pytest.mark.usefixtures("few_rounds")
async def test_no_copy_is_there_to_be_told_even_without_the_sandbox() -> None:
    """The seatings of a deal are played one after another, each by processes of its own: a lock has gone by then. What
    stays, as a file does, tells the next copy everything."""
    differences = []
    try:
        for colluder, games in (("ByLocks", 6), ("ByFiles", 14)):
            match = contest(f"{COLLUDERS}:{colluder}", f"{COLLUDERS}:Honest", games=games, seed=OTHER, sandbox=None)
            await play(match)
            assert match.results is not None
            differences.append(match.results.differences(0, 1))
    finally:
        for folder in COLLUDERS_FOLDERS:
            for left in folder.glob(f"{COLLUDERS_NOTE}-*"):
                left.unlink()
    by_locks, by_files = differences
    assert by_locks == [0.0] * 3
    assert sum(by_files) >= 2


@needs_sandbox
@pytest.mark.usefixtures("few_rounds")
async def test_it_wins_when_it_is_told_the_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    """So it does know what to do with one, and looks where one might be."""
    monkeypatch.setenv("PYTHON_SEED", str(OTHER))
    match = contest(f"{CHEATS}:Cheat", f"{CHEATS}:Honest", games=24, seed=OTHER, sandbox=CLOSED)
    await play(match)
    assert match.results is not None
    share = match.results.share_against(0, 1)
    assert share is not None
    assert share.mean > 0.7
    assert share.low > 0.5


@pytest.mark.usefixtures("programs_are_started_anew")
async def test_without_the_sandbox_there_is_something_to_find(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """So the spies do look; but also then no argument and no environment has the seed, the server's neither."""
    monkeypatch.setattr("put_arena.director.serving", serving)
    monkeypatch.setenv("A_SECRET_OF_THE_USER", "x")
    match = spying(None, tmp_path)
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
    assert not any("another seating of the same packs" in one for one in says)  # its process is of one seating
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
    """And those that it was given by name; a key to a service of packages is none of them."""
    given = {"PATH": "/bin", "LC_ALL": "C", "NODE_PATH": "/lib", "OTHER": "x"}
    secrets = {"TOKEN": "secret", "NODE_AUTH_TOKEN": "secret"}
    assert environment(given | secrets, ["OTHER"]) == given


@contextmanager
def begun(*words: str, connects: bool = True, also: Sequence[int] = ()) -> Iterator[subprocess.Popen[str]]:
    """A program in the sandbox."""
    with CLOSED.command(words, connects=connects, show=[str(HERE)]) as (command, needed):
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            pass_fds=(*needed, *also),
        )
        with process:
            yield process
            process.kill()


def ran(*words: str, connects: bool = True, also: Sequence[int] = ()) -> tuple[int, str]:
    """How a program in the sandbox ended, and what it said."""
    with begun(*words, connects=connects, also=also) as process:
        said, _ = process.communicate(timeout=20)
        return process.returncode, said


@pytest.fixture
def outside(tmp_path: Path) -> Iterator[dict[str, Any]]:
    """Things outside of a sandbox that a bot might reach."""
    name, key = f"put-test-{os.getpid()}", os.getpid()
    libc = ctypes.CDLL(None)
    queue, segment = libc.msgget(key, 0o1600), libc.shmget(key, 4096, 0o1600)
    path, note = str(tmp_path / "socket"), Path("/dev/shm") / name
    note.write_text("x")
    terminal, other = os.openpty()
    by_path, by_name = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)
    by_path.bind(path)
    by_name.bind("\0" + name)
    with by_path, by_name, socket.create_server(("127.0.0.1", 0)) as listener:
        by_path.listen()
        by_name.listen()
        yield {
            "pid": os.getpid(),
            "path": path,
            "name": name,
            "port": listener.getsockname()[1],
            "key": key,
            "note": str(note),
            "terminal": os.ttyname(other),
            "home": str(tmp_path),
        }
    libc.msgctl(queue, 0, None)
    libc.shmctl(segment, 0, None)
    note.unlink()
    os.close(terminal)
    os.close(other)


@needs_sandbox
@pytest.mark.usefixtures("programs_are_started_anew")
def test_nothing_outside_of_a_bots_process_can_be_reached(outside: dict[str, Any], tmp_path: Path) -> None:
    """Each attack fails; outside the sandbox most of them succeed, so it is the sandbox that stops them."""
    (tmp_path / ".profile").touch()
    folders = [str(HERE), str(Path.cwd()), "/usr", "/", "/dev"]
    words = [sys.executable, str(ATTACKS), json.dumps(outside | {"folders": folders})]
    found = json.loads(ran(*words)[1])
    assert found == {"done": [], "devices": ["fd", "full", "null", "random", "shm", "urandom", "zero"]}
    words = [sys.executable, str(ATTACKS), json.dumps(outside | {"folders": [str(tmp_path)]})]
    free = subprocess.run(words, capture_output=True, text=True, check=True, timeout=20, start_new_session=True)
    assert {
        *("flock", "lock", "inotify", "page cache: advice", "socket by path", "socket by name", "network"),
        *("message queue", "shared memory", "nameless file", "note", "signal", "process", "terminal by number", "home"),
        f"file in {tmp_path}",
    } <= {*json.loads(free.stdout)["done"]}


@needs_sandbox
def test_an_inherited_connection_cannot_be_connected_to_somewhere_else() -> None:
    """It belongs to the network outside; so a class of Python, which gets one, can connect nothing."""
    script = (
        "import ctypes, socket, sys; held = socket.socket(fileno=int(sys.argv[1]));"
        "ctypes.CDLL(None).connect(held.fileno(), bytes(16), 16);"  # AF_UNSPEC takes a connection apart
        "held.connect(('127.0.0.1', int(sys.argv[2]))); print('connected')"
    )
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        for connects in (False, True):
            with socket.create_connection(("127.0.0.1", port)) as held:
                words = (sys.executable, "-c", script, str(held.fileno()), str(port))
                _, said = ran(*words, connects=connects, also=[held.fileno()])
                assert said == ("connected\n" if connects else "")


@needs_sandbox
def test_processes_and_memory_are_limited() -> None:
    """A bomb of processes, of memory and of files ends where its limit is."""
    bomb = (
        "import os, signal\n"
        "try:\n"
        "    for count in range(1000):\n"
        "        os.fork() or signal.pause()\n"
        "except BlockingIOError:\n"
        "    print(count, flush=True)\n"
    )
    code, said = ran(sys.executable, "-c", bomb)
    assert (code, int(said) < PROCESSES) == (0, True)
    assert ran(sys.executable, "-c", f"bytearray({MEMORY_MB + 1} << 20)")[0] == 1
    assert ran("sh", "-c", f"head -c {TEMPORARY_MB + 1}M /dev/zero > /tmp/x; stat -c %s /tmp/x")[1] == (
        f"{TEMPORARY_MB << 20}\n"
    )


@needs_sandbox
def test_memory_is_counted_with_that_of_all_children() -> None:
    """So a bot cannot take more by dividing it among processes."""
    script = (
        "import os, sys; held = bytearray(b'x' * (20 << 20)); os.fork(); held[:] = b'y' * len(held);"
        "os.write(1, b'1\\n'); sys.stdin.read()"
    )
    with begun(sys.executable, "-c", script) as process:
        assert process.stdout is not None
        assert process.stdout.readline() + process.stdout.readline() == "1\n1\n"
        assert 40 <= used_mb(process.pid) < 200


@needs_sandbox
async def test_a_bot_that_takes_too_much_memory_is_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The arena ends it before the machine has none left."""
    monkeypatch.setattr(processes, "MEMORY_MB", 1)
    monkeypatch.setattr(director, "CHECK_SECONDS", 0)
    match = contest(FIRST, "house:steady", games=2, sandbox=CLOSED)
    await play(match)
    assert match.conduct[0].out == "it took more than 1 MB of memory"


@needs_sandbox
def test_exit_statuses_are_the_programs_own() -> None:
    """With 128 more for a signal, as in a shell."""
    assert ran("sh", "-c", "exit 7")[0] == 7
    assert ran("sh", "-c", "kill -KILL $$")[0] == 128 + signal.SIGKILL
    assert ran("./no-such-program")[0] == 127


@needs_sandbox
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_signal_to_the_group_ends_everything_inside(number: signal.Signals) -> None:
    """Also a process that has left the group."""
    with begun("sh", "-c", "setsid sleep 98765 & echo begun; wait") as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        os.killpg(process.pid, number)
        assert process.wait(20) == -number
        assert process.stdout.read() == ""  # the sleeper, who held it, is gone


@needs_sandbox
def test_nothing_of_a_sandbox_is_left_once_it_is_ended() -> None:
    """Not for a moment: the next wave begins when this is over."""
    with begun("sh", "-c", "setsid sleep 98765 & echo begun; wait") as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        inside = descendants(process.pid)
        assert len(inside) >= 3
        end_inside(process.pid)
        assert not [pid for pid in inside if is_alive(pid)]
        assert process.wait(20) == 128 + signal.SIGKILL


@needs_sandbox
def test_nothing_is_left_to_break_out_with() -> None:
    """No capability, no way to get one, and not the user's own number where that is root's."""
    _, said = ran("cat", "/proc/self/status")
    held = dict(line.split(":\t", 1) for line in said.splitlines())
    assert {held[f"Cap{kind}"] for kind in ("Inh", "Prm", "Eff", "Bnd", "Amb")} == {"0" * 16}
    assert held["NoNewPrivs"] == "1"
    assert held["Uid"].split()[0] != "0"


@needs_sandbox
def test_a_home_and_what_holds_it_is_never_shown_whole(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Of a bot that lies right in the home its file alone is shown."""
    home = tmp_path / "home"
    home.mkdir()
    (home / "bot.txt").write_text("here")
    (home / "secret.txt").touch()
    monkeypatch.setenv("HOME", str(home))
    with CLOSED.command(["ls", str(home)], show=[str(home), str(tmp_path), str(home / "bot.txt")]) as (words, needed):
        found = subprocess.run(words, check=True, capture_output=True, text=True, timeout=20, pass_fds=needed)
    assert found.stdout == "bot.txt\n"


async def test_without_a_sandbox_strangers_do_not_play(monkeypatch: pytest.MonkeyPatch) -> None:
    """The arena says why, and what to do."""
    monkeypatch.setattr("put_arena.match_play.why_impossible", lambda: "bwrap is not installed")
    match = contest(FIRST, DICEY, games=2, sandbox=CLOSED)
    with pytest.raises(ArenaFailed, match=r"bwrap is not installed\. With --no-sandbox bots may do"):
        await play(match)
    assert match.results is None


def test_a_sandbox_that_fails_says_why(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """In the words of bwrap; and where there is none, which package has it."""
    broken = tmp_path / "bwrap"
    broken.write_text("#!/bin/sh\necho no namespaces >&2; exit 1")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert why_impossible() == ("no namespaces" if sys.platform == "linux" else "only Linux has namespaces")
    broken.unlink()
    assert sys.platform != "linux" or "the package is bubblewrap" in why_impossible()
