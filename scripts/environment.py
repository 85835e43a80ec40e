"""The Python environment of the scripts: a `.venv` in the checkout, created when missing or out of date.

    python scripts/environment.py play        the programs, and what they import; prints the interpreter
    python scripts/environment.py dev         the same and all that the checks and tests use

It needs only the standard library, and runs on every system. If started by a Python too old for the rest, it looks for
another. Two programs may call it at once, and it may be interrupted. PYTHON=/path/to/python chooses the interpreter. A
.venv that this program did not create, or did not finish, is recreated.
"""

from __future__ import annotations  # for Python 3.7; see `enter`

import os
import signal

if __name__ == "__main__":
    signal.signal(signal.SIGINT, lambda *_: os._exit(130))  # nothing is begun yet

import hashlib
import importlib.util
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NoReturn

ROOT = Path(__file__).resolve().parents[1]
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
OLDEST = (3, 11, 2)

STAMP = VENV / "put-cards-stamp"
"""The level and the fingerprint of a complete environment."""

PLACE = VENV / "put-root"
"""The checkout for which it was created: an environment cannot be moved."""

UNFINISHED = "unfinished -\n"

CANDIDATES = ("python3.14", "python3.13", "python3.12", "python3.11", "python3", "python")

LEVELS = ("play", "dev")
"""The second includes the first."""

NEEDED = {"play": ("msgspec", "prompt_toolkit", "put_client", "put_server"), "dev": ("pytest", "mypy", "ruff")}
"""Modules whose presence shows that another environment is sufficient."""

LOCK = ".venv.lock"
"""A file in the checkout, used if folders cannot be locked."""

LOOK_S = 0.2

COMPILE = r"""import compileall, re, sysconfig
others = re.compile(
    r"site-packages[/\\]((mypyc?|open_spiel|pygments|rich|scipy|setuptools)[/\\]"
    r"|.*[/\\](tests?|cuda|distutils|f2py|atari|butterfly|classic|sisl|sync_api|table_grapheme_overrides)[/\\])"
)
compileall.compile_dir(sysconfig.get_path("purelib"), rx=others, quiet=2, workers=0)
"""
"""Compile bytecode of packages on all cores (pip uses one), except for their tests and for packages of which little is
used."""

PINS = ("requirements.txt", "requirements-dev.txt")
"""Every package by version and hash, written by `scripts/pins.py`. The second file is for developers, in addition."""


def need(level: str) -> Path:
    """The interpreter of a complete environment of this level, created if necessary."""
    if not _is_ready(level):
        with _locked():
            if not _is_ready(level):  # it may have been made while we waited
                names = ", ".join([pin.partition("==")[0] for name in _files(level) for pin in _pins(name)])
                says = f"Setting up .venv, once and for up to a minute. Into it, and nowhere else, come {names} ..."
                print("\n".join(textwrap.wrap(says, 80)), file=sys.stderr, flush=True)
                with tempfile.TemporaryFile() as log:
                    if not _set_up(level, log):
                        log.seek(0)
                        said = log.read().decode(errors="replace")
                        print(said, file=sys.stderr)
                        if "DO NOT MATCH THE HASHES" in said:
                            _fail(
                                "Setting up .venv failed: a package has not the hash of its pin. It was not installed."
                            )
                        _fail("Setting up .venv failed; what was said is above.")
    return PYTHON


def enter(level: str) -> None:
    """Continue in the environment: return if this is it, or a sufficient one; otherwise run this program there, and
    exit with its status. Programs call this before other imports, in the syntax of Python 3.7, so that an old Python
    can print what is needed."""
    is_ours = Path(sys.prefix) == VENV
    if is_ours and _is_ready(level):
        return
    if not is_ours and all(importlib.util.find_spec(name) for name in NEEDED["play"] + NEEDED[level]):
        return
    try:
        sys.exit(subprocess.call([str(need(level)), *sys.argv]))
    except KeyboardInterrupt:  # the program had it, too
        sys.exit(130)


def _fail(*lines: str) -> NoReturn:
    sys.exit("\n".join(lines))


def _version(python: str) -> str:
    """Facts that an interpreter prints about itself; empty: it does not work."""
    if python == sys.executable:
        return sys.version
    try:
        done = subprocess.run(
            [python, "-I", "-c", "import ensurepip, sys, venv; print(sys.version)"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def _is_usable(python: str) -> bool:
    """True if the command is a new enough Python. It is run, because it may be a shim."""
    numbers = re.match(r"(\d+)\.(\d+)\.(\d+)", _version(python))
    return numbers is not None and tuple(map(int, numbers.groups())) >= OLDEST


def _base_interpreter() -> str:
    wanted = os.environ.get("PYTHON", "")
    oldest = ".".join(map(str, OLDEST))
    if wanted:
        if not _is_usable(wanted):
            _fail(f"PYTHON={wanted} is not a Python {oldest} or newer with the venv module.")
        return wanted
    # This one, or what it was made with if it is the environment itself.
    own = sys.executable if sys.prefix == sys.base_prefix else getattr(sys, "_base_executable", sys.executable)
    for candidate in (own, *filter(None, map(shutil.which, CANDIDATES))):
        # An environment that another program is just making anew may look like a Python of its own to this one.
        if VENV not in Path(candidate).parents and _is_usable(candidate):
            return candidate
    _fail(
        f"No Python {oldest} or newer with the venv module was found (on Debian and Ubuntu: apt install python3-venv).",
        "Install one, or name one: PYTHON=/path/to/python",
    )


def _fingerprint(version: str) -> str:
    """Everything the environment depends on, as one hash."""
    parts = [version.encode(), str(ROOT).encode()]
    parts += [(ROOT / name).read_bytes() for name in ("pyproject.toml", *PINS)]
    return hashlib.sha256(b"\0".join([hashlib.sha256(part).digest() for part in parts])).hexdigest()


def _files(level: str) -> tuple[str, ...]:
    return PINS[: 1 + (level == "dev")]


def _pins(name: str) -> list[str]:
    """The pins in a file, a line each."""
    return [line for line in _read(ROOT / name).splitlines() if re.match(r"[a-z0-9-]+==", line)]


def _is_wanted() -> bool:
    """The .venv has a working Python, which is the requested one, if any."""
    have = _version(str(PYTHON))
    wanted = os.environ.get("PYTHON", "")
    return bool(have) and (not wanted or have == _version(wanted))


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except OSError:
        return ""


def _is_ready(level: str) -> bool:
    """The .venv is complete, for a level or more than it."""
    has, _, fingerprint = _read(STAMP).strip().partition(" ")
    return has in LEVELS[LEVELS.index(level) :] and _is_wanted() and fingerprint == _fingerprint(_version(str(PYTHON)))


def _set_up(level: str, log: IO[bytes]) -> bool:
    def run(*words: str, **environment: str) -> bool:
        return not subprocess.call(
            words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=ROOT, env={**os.environ, **environment}
        )

    base = _base_interpreter()
    # A complete environment is brought up to date. One that was interrupted, moved or has another Python starts anew.
    is_sound = _read(STAMP) not in {"", UNFINISHED} and _read(PLACE).strip() == str(ROOT) and _is_wanted()
    if not (is_sound and run(str(PYTHON), "-m", "pip", "--version")):
        if VENV.is_dir():
            STAMP.write_text(UNFINISHED, "utf-8")  # clearing may be interrupted too
        if not run(base, "-m", "venv", "--clear", str(VENV)):
            return False
        PLACE.write_text(f"{ROOT}\n", "utf-8")
    STAMP.write_text(UNFINISHED, "utf-8")
    # Only wheels, because build tools of others are not pinned. Only nkeys, in the second file, has none; its build
    # tools, like ours, are in the first.
    own = ("--no-build-isolation", "--no-compile", "--no-deps")  # see COMPILE
    pip = (str(PYTHON), "-m", "pip", "--disable-pip-version-check", "install", "--no-input", *own)
    hashed = (*pip, "--require-hashes", "--only-binary=:all:", "--no-binary=nkeys")
    installs = [*[(*hashed, "-r", name) for name in _files(level)], (*pip, "-e", ".")]
    if not all(run(*install, PIP_USER="0") for install in installs):
        return False
    run(str(PYTHON), "-c", COMPILE)  # a file that is not of this Python's syntax is passed over
    fresh = STAMP.with_suffix(".new")
    fresh.write_text(f"{level} {_fingerprint(_version(str(PYTHON)))}\n", "utf-8")
    fresh.replace(STAMP)
    return True


@contextmanager
def _locked() -> Iterator[None]:
    """Hold the lock. The system releases it when the process ends in any way."""
    handle = os.open(ROOT, os.O_RDONLY) if os.name == "posix" else os.open(ROOT / LOCK, os.O_RDWR | os.O_CREAT)
    try:
        is_told = False
        while not _lock(handle):
            if not is_told:
                is_told = True
                print("Waiting for another script that is setting up .venv ...", file=sys.stderr, flush=True)
            time.sleep(LOOK_S)
        yield
    finally:
        os.close(handle)


def _lock(handle: int) -> bool:
    take: Callable[[], object]
    if sys.platform == "win32":
        import msvcrt  # noqa: PLC0415

        def take() -> None:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl  # noqa: PLC0415  # POSIX only

        def take() -> None:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)

    try:
        take()
    except OSError:
        return False
    return True


if __name__ == "__main__":
    if sys.argv[1:] not in [[level] for level in LEVELS]:
        _fail("usage: python scripts/environment.py " + "|".join(LEVELS))
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        print(need(sys.argv[1]))
    except KeyboardInterrupt:
        sys.exit(130)
