"""The start of `put-client`: ended by Ctrl-C before there is anything to end."""

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from put_runtime import exit_codes

INTERRUPTING = """
import signal, sys

class Interrupter:
    def find_spec(self, name, *_):
        if name == {module!r}:
            signal.raise_signal(signal.SIGINT)

sys.meta_path.insert(0, Interrupter())
from put_client.start import main
main()
"""


@pytest.mark.parametrize(
    "module", ["put_client.cli", "put_client.settings", "put_client.sdk.client", "put_client.record.store"]
)
def test_interrupt_at_any_moment_of_the_start_is_silent(module: str) -> None:
    """Whatever is being loaded, with the exit code that says why."""
    program = INTERRUPTING.format(module=module)
    done = subprocess.run(
        [sys.executable, "-c", program, "--record"], capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, done.stdout, done.stderr) == (exit_codes.INTERRUPTED, "", "")


@pytest.mark.parametrize("program", ["put_client.start", "put_server.cli"])
def test_program_without_standard_streams_runs(program: str, tmp_path: Path) -> None:
    """As a service may start it. None of its files or connections gets the number of a stream."""
    script = f"""
import os, sys
from {program} import main
try:
    main(sys.argv[1:]) if {program!r} == "put_server.cli" else main()
finally:
    devices = {{os.fstat(number).st_rdev for number in range(3)}}
    with open({str(tmp_path / "streams")!r}, "w") as file:
        file.write(str(devices == {{os.stat(os.devnull).st_rdev}}))
"""
    arguments = (
        ["127.0.0.1:1"]
        if program == "put_client.start"
        else ["--data", str(tmp_path / "data"), "--host", "203.0.113.1"]
    )
    command = shlex.join([sys.executable, "-c", script, *arguments])
    done = subprocess.run(["sh", "-c", f"{command} <&- >&- 2>&-"], check=False, timeout=60)
    assert done.returncode == exit_codes.UNAVAILABLE
    assert (tmp_path / "streams").read_text() == "True"
