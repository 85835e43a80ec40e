"""What is forked by the fork server is as if it had been started anew."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fork_server import MAIN, SERVER, new_interpreters

pytestmark = pytest.mark.skipif(not SERVER.is_open, reason="nothing is forked here")

SHOWS = """
import atexit, os, sys, threading, warnings
import beside

shown = [
    __name__, __file__, sys.argv, sys.orig_argv, sys.path, os.getcwd(), dict(os.environ), os.getpgid(0) == os.getpid(),
    sys.stdin.read(), sys.stdin.encoding, sys.stdout.encoding, sys.stdout.errors, sys.stderr.line_buffering,
    sys.stdout.write_through, [os.fstat(n).st_ino for n in (0, 1, 2)] != [], sys.warnoptions, warnings.filters,
    os.getppid(), os.listdir("/proc/self/fd"), sys.modules["__main__"].__dict__ is globals(), beside.HERE,
]
for one in shown:
    print(one)
print("complains", file=sys.stderr)
atexit.register(print, "at its end")
threading.Thread(target=lambda: print("in a thread")).start()
"""

ENDS = {
    "returns": "",
    "exits": "import sys; sys.exit(7)",
    "says why": "raise SystemExit('no reason')",
    "fails": "import sys; sys.excepthook = lambda kind, error, _: print(kind, error, file=sys.stderr); 1 / 0",
    "warns": "import warnings; warnings.warn('beware')",
    "is interrupted": "import os, signal, sys; sys.stderr = None; os.kill(os.getpid(), signal.SIGINT); input()",
    "is killed": "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
}


def twice(file: Path, *words: str, **asked: object) -> tuple[subprocess.CompletedProcess[str], ...]:
    """A program that is forked, and the same started anew."""
    command = [sys.executable, str(file), *words]

    def run() -> subprocess.CompletedProcess[str]:
        return subprocess.run(command, capture_output=True, text=True, timeout=20, check=False, **asked)  # type: ignore[call-overload,no-any-return]  # as given

    forked = run()
    with new_interpreters():
        return forked, run()


@pytest.mark.parametrize("session", [False, True])
def test_forked_program_sees_what_a_new_one_sees(tmp_path: Path, session: bool) -> None:
    """Arguments, environment, folders, streams, open files, parent: it can tell no difference but by its modules."""
    file, folder = tmp_path / "shows.py", tmp_path / "elsewhere"
    file.write_text(SHOWS)
    (tmp_path / "beside.py").write_text("HERE = 'it is found'\n")
    folder.mkdir()
    environment = {**os.environ, "ONE_MORE": "é", "PYTHONWARNINGS": "error,ignore::DeprecationWarning"}
    environment.pop("HOME", None)
    forked, new = twice(file, "a", "b c", cwd=folder, env=environment, input="typed\n", start_new_session=session)
    assert forked.stdout.splitlines() == new.stdout.splitlines()
    assert (forked.returncode, forked.stderr) == (new.returncode, new.stderr) == (0, "complains\n")
    assert "in a thread\nat its end\n" in forked.stdout


@pytest.mark.parametrize("how", ENDS)
def test_forked_program_ends_like_a_new_one(tmp_path: Path, how: str) -> None:
    """With the same exit code, or by the same signal, and the same last words."""
    file = tmp_path / "ends.py"
    file.write_text(ENDS[how])
    forked, new = twice(file, input="")
    assert (forked.returncode, forked.stdout, forked.stderr) == (new.returncode, new.stdout, new.stderr)


def test_forked_program_can_be_signalled(tmp_path: Path) -> None:
    """By its id, which is that of the process itself."""
    file = tmp_path / "waits.py"
    file.write_text("import os; print(os.getpid(), flush=True); input()")
    with subprocess.Popen([sys.executable, str(file)], stdin=-1, stdout=-1) as process:
        assert process.stdout is not None
        assert int(process.stdout.readline()) == process.pid
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == -signal.SIGTERM


def test_only_programs_are_forked() -> None:
    """Code that a test wrote asks about a new interpreter, most often about its modules."""
    assert MAIN.fullmatch("from put_client.cli import main; main()")
    assert MAIN.fullmatch("import signal; signal.signal(signal.SIGINT, signal.SIG_DFL); from put_x import main; main()")
    assert not MAIN.fullmatch("import sys, put_client; print(sys.modules)")
    with subprocess.Popen([sys.executable, "-c", "import sys; print(*sys.modules)"], stdout=-1, text=True) as process:
        assert "put_" not in process.communicate(timeout=20)[0]
