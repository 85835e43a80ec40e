"""Check the code: format, lint, types, imports, tests. Every step runs; those that failed are named at the end."""

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from scripts.environment import enter  # noqa: E402  # its folder is known by now

PLATFORMS = ("linux", "darwin", "win32")
"""Systems for which types are checked, whichever this is."""


PORTABLE = ("protocol", "server", "client/put_client", "scripts/check.py", "scripts/environment.py", "scripts/play.py")
"""What runs there. The arena, the benches and some tests are of POSIX."""


def main(arguments: Sequence[str] | None = None, *, everywhere: bool = False) -> int:
    """Returns the exit code: whether a step failed. `everywhere`: check types for other systems, too."""
    flags = argparse.ArgumentParser(
        prog="scripts/check",
        description=__doc__,
        epilog="Other arguments go to pytest, which keeps every core busy: scripts/check tests/protocol -k framing",
    )
    flags.add_argument("--fix", action="store_true", help="format, and fix what ruff can fix, first")
    flags.add_argument(
        "--everywhere", action="store_true", help="check types for other systems, too, as scripts/test does"
    )
    asked, others = flags.parse_known_args(arguments)
    workers = (os.cpu_count() or 1) + 1  # one more, for some tests wait for a process or a clock
    steps: list[tuple[str, ...]] = []
    if asked.fix:
        # The last: what a fix left unformatted.
        steps += [("ruff", "format"), ("ruff", "check", "--fix"), ("ruff", "format", "--quiet")]
    else:
        steps += [("ruff", "format", "--check"), ("ruff", "check")]
    steps.append(("mypy", "--strict"))
    if asked.everywhere or everywhere:
        steps += [
            ("mypy", "--strict", "--platform", name, "--cache-dir", f".mypy_cache/{name}", *PORTABLE)
            for name in PLATFORMS
            if name != sys.platform
        ]
    steps.append(("lint-imports", "--no-logo"))
    steps.append(("pytest", "-n", str(workers), "--dist", "worksteal", *others))
    failed = [step for step in steps if not _passes(step)]
    if failed:
        print(f"\nFailed: {', '.join(map(_title, failed))}", file=sys.stderr)
    return bool(failed)


def _title(step: Sequence[str]) -> str:
    return "pytest" if step[0] == "pytest" else " ".join(step[:4])


def _passes(step: Sequence[str]) -> bool:
    print(f"\n== {_title(step)}", flush=True)
    script = shutil.which(step[0], path=Path(sys.executable).parent)  # not all of them are modules that can be run
    return script is not None and subprocess.call([script, *step[1:]], cwd=ROOT) == 0


if __name__ == "__main__":
    enter("dev")
    sys.exit(main())
