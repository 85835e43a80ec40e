"""The processes under measurement: started, each on a core of its own, and asked how busy and how big they are.

The server and the echo share the first core, for only one of them works at a time; the load, which is this process,
has the last one.
"""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from put_runtime.child_process import listening

ROOT = Path(__file__).resolve().parents[2]

_TICKS = os.sysconf("SC_CLK_TCK")
_CORES = sorted(os.sched_getaffinity(0))
CORE_MEASURED, CORE_LOAD = _CORES[0], _CORES[-1]


class Process:
    """A process that listens on a port of loopback."""

    def __init__(self, popen: subprocess.Popen[str], port: int) -> None:
        self._popen = popen
        self.pid = popen.pid
        self.port = port

    def busy(self) -> float:
        """Seconds of processor time used so far, by all its threads."""
        return _busy(self.pid)

    def resident(self) -> int:
        """Bytes of it in memory that are its own: private pages, the heap among them (USS)."""
        rollup = Path(f"/proc/{self.pid}/smaps_rollup").read_text()
        return sum(1024 * int(size) for size in re.findall(r"^Private_\w+:\s+(\d+) kB", rollup, re.MULTILINE))

    def collect(self) -> None:
        """Have it collect its garbage; only a server started with `collects` can."""
        os.kill(self.pid, signal.SIGUSR1)
        time.sleep(0.5)

    def kill(self) -> None:
        """By SIGKILL, as a crash would."""
        self._popen.kill()
        self._popen.wait()


def busy_here() -> float:
    """Seconds of processor time this process has used: those of the load."""
    return _busy(os.getpid())


def _busy(pid: int) -> float:
    after_name = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(after_name[11]) + int(after_name[12])) / _TICKS


def pin_load() -> None:
    """Keep this process off the measured core."""
    os.sched_setaffinity(0, {CORE_LOAD})


@contextmanager
def server(*, data: str = ":memory:", collects: bool = False) -> Iterator[Process]:
    """The server itself, as an operator starts it."""
    module = "scripts.benches.collecting" if collects else "put_server"
    flags = ["--host", "127.0.0.1", "--port", "0", "--drain-seconds", "0", "--log-level", "warning"]
    with _running([module, *flags, "--data", data]) as process:
        yield process


@contextmanager
def echo(kind: str) -> Iterator[Process]:
    """The baseline: see `scripts.benches.echo`."""
    with _running(["scripts.benches.echo", kind]) as process:
        yield process


@contextmanager
def _running(module: list[str]) -> Iterator[Process]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PUT_SERVER_", "PYTHON"))}
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {CORE_MEASURED})  # the process inherits it, with all its threads
    with listening([sys.executable, "-m", *module], environment=environment, folder=ROOT) as (popen, port):
        os.sched_setaffinity(0, before)
        yield Process(popen, port)
