"""Sandbox of a bot's process: what it can see of this machine, made of Linux namespaces.

In the sandbox the program sees no other process, no shared memory and, unless it needs one, no network. All files are
read-only. `/tmp`, `/var/tmp` and `/dev/shm` are empty and its own, but for the folders to show; and what is to be
hidden is not there. So it cannot look into the arena, the server or another bot, nor tell anything to its own copy
at another table.

`put_arena.sandbox_launcher` makes it, and starts the program in it.
"""

import os
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from put_runtime.system_errors import failure_of

LAUNCHER = Path(__file__).with_name("sandbox_launcher.py")

PROBE_SECONDS = 10.0

KEPT = frozenset(
    [
        *("PATH", "HOME", "USER", "LOGNAME", "SHELL", "TZ", "LANG", "LANGUAGE", "TERM", "TMPDIR"),
        *("LD_LIBRARY_PATH", "VIRTUAL_ENV", "CONDA_PREFIX"),
    ]
)
KEPT_BEGINNINGS = ("LC_", "PYTHON", "CUDA_", "OMP_", "OPENBLAS_", "MKL_", "NODE_", "JAVA_", "COVERAGE_")
"""Variables that programs need to run at all. Others may be secrets of the user's, as keys to services are."""


def environment(given: Mapping[str, str], also: Iterable[str] = ()) -> dict[str, str]:
    """The variables that a bot gets, of these; `also` names more of them."""
    names = KEPT | {*also}
    return {name: value for name, value in given.items() if name in names or name.startswith(KEPT_BEGINNINGS)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sandbox:
    """How bots are started. One that is not `closed` starts programs as they are, with all that you may see."""

    closed: bool = False
    hide: tuple[str, ...] = ()
    """Files and folders that no bot may read: what the arena writes."""
    bots: tuple[str, ...] = ()
    """The files of all bots; each bot may read its own."""
    variables: tuple[str, ...] = ()
    """Of the environment, that bots get beside the usual ones."""

    def words(
        self, program: Sequence[str], *, network: bool = False, show: Iterable[str] = (), hide: Iterable[str] = ()
    ) -> list[str]:
        """The command that starts a program; `show` and `hide` are paths for this one alone."""
        if not self.closed:
            return [*program]
        python = [sys.prefix, sys.base_prefix, *filter(None, sys.path)]
        kind, hidden, shown = "network" if network else "apart", [*self.hide, *hide], [*show, *python]
        terms = [kind, str(len(hidden)), *hidden, str(len(shown)), *shown]
        return [sys.executable, "-I", "-S", str(LAUNCHER.resolve()), *terms, *program]

    def environment(self) -> dict[str, str] | None:
        """Of a bot; None: the same as ours."""
        return environment(os.environ, self.variables) if self.closed else None


def why_impossible() -> str:
    """Why this machine gives no sandbox, as a clause; empty: it does."""
    if sys.platform != "linux":
        return "only Linux has namespaces"
    try:
        tried = subprocess.run(
            Sandbox(closed=True).words([sys.executable, "-I", "-S", "-c", ""]),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=PROBE_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return failure_of(error)
    return "" if tried.returncode == 0 else tried.stderr.strip() or f"the launcher ended with {tried.returncode}"
