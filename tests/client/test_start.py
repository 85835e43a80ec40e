"""The start of `put-client`: ended by Ctrl-C before there is anything to end."""

import subprocess
import sys

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
