"""First paint: from the start of `put-client HOST:PORT` to its first whole screen, on a terminal of its own.

The time is processor time of the process, until it is killed there. Beside it stands what Python takes to load asyncio
and prompt_toolkit alone, measured in turns with it, so that their ratio says the same on every machine.
"""

import os
import select
import signal
import sys
import tempfile
import termios
import time
from collections.abc import Mapping, Sequence

from put_runtime.child_process import PUT_SERVER, listening
from scripts.benches.harness import Report

BASE = (sys.executable, "-c", "import asyncio, prompt_toolkit")

CLIENT = (sys.executable, "-c", "from put_client.start import main; main()", "--name", "Will")

DRAWN = b"No table is open"
"""Stands on the first screen of a server without tables."""

PATIENCE_S = 30.0

AIM_MS = 300


def measure(report: Report, *, is_quick: bool) -> None:
    """The client in turns with what it stands on."""
    report.section("First paint: from the start of put-client to its first screen, one core")
    bases, clients, walls = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "TERM": "xterm-256color", "XDG_STATE_HOME": folder, "XDG_CONFIG_HOME": folder}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        command = [*PUT_SERVER, "--host", "127.0.0.1", "--port", "0", "--data", ":memory:", "--log-level", "error"]
        with listening(command) as (_, port):
            client = (*CLIENT, f"127.0.0.1:{port}")
            _run(client, environment, DRAWN)  # bytecode is written, and files are in memory
            for _ in range(7 if is_quick else 21):
                bases.append(_run(BASE, environment, b"")[0])
                took, wall = _run(client, environment, DRAWN)
                clients.append(took)
                walls.append(wall)
    report.figure("asyncio and prompt_toolkit, loaded", bases, "ms", decimals=0)
    report.figure("first screen, processor time", clients, "ms", at_most=AIM_MS, decimals=0)
    report.figure("first screen, by the clock", walls, "ms", decimals=0)
    report.ratio("first screen to what was loaded alone", clients, bases, "times")


def _run(words: Sequence[str], environment: Mapping[str, str], drawn: bytes) -> tuple[float, float]:
    """Milliseconds of processor time, and by the clock, until this is drawn, or until the end if nothing is."""
    terminal, inside = os.openpty()
    termios.tcsetwinsize(terminal, (24, 80))
    began = time.perf_counter()
    actions = [(os.POSIX_SPAWN_DUP2, inside, number) for number in range(3)]
    process = os.posix_spawn(words[0], list(words), environment, file_actions=actions, setsid=True)
    os.close(inside)
    said = b""
    try:
        while not drawn or drawn not in said:
            if not select.select([terminal], [], [], PATIENCE_S)[0]:
                raise TimeoutError(said[-500:])
            said += os.read(terminal, 65_536)
    except OSError:
        if drawn:  # it ended before
            raise
    finally:
        os.kill(process, signal.SIGKILL)
        usage = os.wait4(process, 0)[2]
        wall = time.perf_counter() - began
        os.close(terminal)
    return (usage.ru_utime + usage.ru_stime) * 1_000, wall * 1_000
