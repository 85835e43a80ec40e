"""Check the code: format, lint, types, imports, tests. Every step runs; failed ones are listed at the end.

Types and imports are checked in parallel with the tests, at low priority, and reported at the end if they failed.
"""

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

if __name__ == "__main__":  # started by any Python
    from scripts.environment import enter

    enter("dev")

from scripts import sizes  # noqa: E402  # what it needs is there by now

PLATFORMS = ("linux", "darwin", "win32")
"""Systems for which types are checked, on every system."""


PORTABLE = ("protocol", "server", "client/put_client", "scripts/check.py", "scripts/environment.py", "scripts/play.py")
"""Programs that run on all of them. The arena, the benches and some tests need POSIX."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Returns the exit code: 0 if all steps passed."""
    flags = argparse.ArgumentParser(
        prog="scripts/check",
        description=__doc__,
        epilog="Other arguments go to pytest, which keeps every core busy: scripts/check tests/protocol -k framing",
    )
    flags.add_argument("--fix", action="store_true", help="format, and fix what ruff can fix, first")
    flags.add_argument(
        "--everywhere", action="store_true", help="check types for other systems, too, as scripts/test does"
    )
    flags.add_argument("--sizes", action="store_true", help="print how large the project is, and check nothing")
    asked, others = flags.parse_known_args(arguments)
    if asked.sizes:
        print(sizes.table())
        return 0
    workers = (os.cpu_count() or 1) + 2  # two more, because tests wait for processes and clocks more than they compute
    steps: list[tuple[str, ...]] = []
    if asked.fix:
        # The last: what a fix left unformatted.
        steps += [("ruff", "format"), ("ruff", "check", "--fix"), ("ruff", "format", "--quiet")]
    else:
        steps += [("ruff", "format", "--check"), ("ruff", "check")]
    quiet: list[tuple[str, ...]] = [("lint-imports", "--no-logo"), ("mypy", "--strict")]
    if asked.everywhere:
        quiet += [
            ("mypy", "--strict", "--platform", name, "--cache-dir", f".mypy_cache/{name}", *PORTABLE)
            for name in PLATFORMS
            if name != sys.platform
        ]
    print(f"== {sizes.budget()}", flush=True)
    failed = [step for step in steps if not _passes(step)]
    with ThreadPoolExecutor(1) as beside:
        reports = beside.map(_report, quiet)
        tests = ("pytest", "-n", str(workers), "--dist", "worksteal", *others)
        if not _passes(tests):
            failed.append(tests)
        for step, report in zip(quiet, reports, strict=True):
            if report:
                print(f"\n== {_title(step)}\n{report}", flush=True)
                failed.append(step)
    if failed:
        print(f"\nFailed: {', '.join(map(_title, failed))}", file=sys.stderr)
    return bool(failed)


def _title(step: Sequence[str]) -> str:
    return "pytest" if step[0] == "pytest" else " ".join(step[:4])


def _command(step: Sequence[str]) -> list[str] | None:
    script = shutil.which(step[0], path=Path(sys.executable).parent)  # not all of them are modules that can be run
    return None if script is None else [script, *step[1:]]


def _passes(step: Sequence[str]) -> bool:
    print(f"\n== {_title(step)}", flush=True)
    command = _command(step)
    return command is not None and subprocess.call(command, cwd=ROOT) == 0


def _report(step: Sequence[str]) -> str:
    """Output of a failed step; empty: passed. The step has lower priority than the tests."""
    command = _command(step)
    if command is None:
        return f"{step[0]} is not installed"
    nice = shutil.which("nice")
    done = subprocess.run([*([nice] if nice else []), *command], capture_output=True, text=True, cwd=ROOT, check=False)
    return "" if done.returncode == 0 else done.stdout + done.stderr or f"status {done.returncode}"


if __name__ == "__main__":
    sys.exit(main())
