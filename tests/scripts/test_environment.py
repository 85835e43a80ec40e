"""The Python that the scripts ask for, and the packages that they install."""

import ast
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import tomllib
import venv
import zipfile
from pathlib import Path

import pip
import pytest

from put_runtime import exit_codes
from scripts import environment

ROOT = Path(__file__).parents[2]
SCRIPTS = ROOT / "scripts"

OLD = f"""#!/bin/sh
while [ "$1" != -c ]; do shift; done
exec '{sys.executable}' -c "import sys; sys.version, sys.version_info = '3.11.1 (main)', (3, 11, 1, 'final', 0)
$2"
"""
"""A Python one patch too old."""

NEEDING = [
    path for path in sorted(SCRIPTS.iterdir()) if not path.suffix and path.is_file() and "\nneed " in path.read_text()
]


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A folder in which the only Python is too old."""
    for name in ("bash", "dirname", "sh"):
        (tmp_path / name).symlink_to(str(shutil.which(name)))
    python = tmp_path / "python3"
    python.write_text(OLD)
    python.chmod(0o755)
    return tmp_path


def said(words: list[str], **environment: str) -> str:
    """A command's last words, when it fails."""
    done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=20, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    return done.stderr


@pytest.mark.parametrize("script", NEEDING, ids=lambda path: path.name)
def test_script_says_which_python_it_needs(script: Path, old: Path) -> None:
    """Every script of the shell, where the only Python is too old."""
    assert said([str(script)], PATH=str(old)).startswith("No Python 3.11.2 or newer with the venv module was found")


def test_chosen_python_that_is_too_old_is_named(old: Path) -> None:
    """By the scripts of the shell, and by the program that makes the environment."""
    named = f"PYTHON={old}/python3 is not a Python 3.11.2 or newer with the venv module.\n"
    environment = {"PATH": os.environ["PATH"], "PYTHON": str(old / "python3")}
    assert said([str(SCRIPTS / "play")], **environment) == named
    assert said([sys.executable, str(SCRIPTS / "environment.py"), "dev"], **environment).endswith(named)


@pytest.mark.skipif(os.name == "nt", reason="a script of the shell")
def test_interrupt_ends_a_script_whatever_a_python_makes_of_it(tmp_path: Path) -> None:
    """A Python that is looked at may end as if it had heard nothing; the script ends all the same, in silence."""
    asked = tmp_path / "asked"
    os.mkfifo(asked)
    python = tmp_path / "python"
    python.write_text(f"#!/bin/sh\ntrap 'exit 0' INT\necho > '{asked}'\nwhile :; do sleep 0.1; done\n")
    python.chmod(0o755)
    environment = {"PATH": os.environ["PATH"], "PYTHON": str(python)}
    words = [str(SCRIPTS / "play"), "--line"]
    as_before = signal.signal(
        signal.SIGINT, signal.default_int_handler
    )  # a suite behind `&` ignores it, and so would they
    try:
        with subprocess.Popen(
            words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True
        ) as script:
            asked.read_text()
            os.killpg(script.pid, signal.SIGINT)
            output, _ = script.communicate(timeout=20)
    finally:
        signal.signal(signal.SIGINT, as_before)
    assert (script.returncode, output) == (exit_codes.INTERRUPTED, b"")


@pytest.mark.parametrize("name", ["environment", "check", "play"])
def test_older_python_can_read(name: str) -> None:
    """What any Python may start has the syntax of 3.7, or it could not say what is needed."""
    ast.parse((SCRIPTS / f"{name}.py").read_text("utf-8"), feature_version=(3, 7))


def test_package_asks_for_the_same_python() -> None:
    """The distribution, README and CONTRIBUTING name the version that the scripts ask for."""
    assert 'requires-python = ">=3.11.2"' in (ROOT / "pyproject.toml").read_text("utf-8")
    for name in ("README.md", "CONTRIBUTING.md"):
        assert "Python 3.11.2 or newer" in (ROOT / name).read_text("utf-8")


PIN = re.compile(r"([a-z0-9-]+)==[0-9.]+( ; [^;]+?)?( --hash=sha256:[0-9a-f]{64})+")


def test_every_dependency_is_pinned_by_hash() -> None:
    """Every line is a pin with its hashes and no address; none of the project's dependencies is without one."""
    lines = [
        line for name in ("", "-dev", "-mcp") for line in (ROOT / f"requirements{name}.txt").read_text().splitlines()
    ]
    lines = [line for line in lines if line != "-r requirements.txt" and not line.startswith("#")]
    pins = [PIN.fullmatch(line) for line in lines]
    assert all(pins)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    asked = project["build-system"]["requires"] + project["project"]["dependencies"]
    asked += [each for extra in project["project"]["optional-dependencies"].values() for each in extra]
    names = {re.sub("[_.]", "-", re.split(r"[\[<>=]", each)[0]) for each in asked} - {"put-cards"}
    assert names <= {pin[1] for pin in pins if pin}


def test_every_npm_package_is_pinned_by_hash() -> None:
    """Of those that check the page; and none by an address."""
    lock = json.loads((ROOT / "tests/web/npm/package-lock.json").read_text("utf-8"))
    packages = [package for name, package in lock["packages"].items() if name]
    assert len(packages) > 2
    assert all(package["integrity"].startswith("sha512-") and "resolved" not in package for package in packages)


def test_package_of_another_hash_is_not_installed(tmp_path: Path) -> None:
    """The environment is not made, and the last line says why."""
    (tmp_path / "scripts").mkdir()
    shutil.copy(SCRIPTS / "environment.py", tmp_path / "scripts/environment.py")
    wheel = tmp_path / "pinned-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as made:
        made.writestr("pinned.py", "")
        made.writestr("pinned-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        made.writestr("pinned-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: pinned\nVersion: 1.0\n")
        made.writestr("pinned-1.0.dist-info/RECORD", "")
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    pin = f"pinned==1.0 --hash=sha256:{digest[::-1]}\n"
    files = {"pyproject.toml": "", "requirements.txt": pin, "requirements-dev.txt": ""}
    # An environment that is out of date, with the pip of this one: making one with its own takes long.
    venv.create(tmp_path / ".venv")
    (packages,) = tmp_path.glob(".venv/lib/*/site-packages")
    files |= {".venv/put-cards-stamp": "play -", ".venv/put-root": str(tmp_path)}
    files |= {f"{packages.relative_to(tmp_path)}/pip.pth": str(Path(pip.__file__).parents[1])}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    command = [sys.executable, str(tmp_path / "scripts/environment.py"), "play"]
    environment = {"PATH": os.environ["PATH"], "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(tmp_path)}
    said = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=25, check=False).stderr
    assert said.endswith("Setting up .venv failed: a package has not the hash of its pin. It was not installed.\n")
    assert not (packages / "pinned.py").exists()


def test_what_builds_a_package_is_installed_before_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """In a command of its own: pip makes the metadata of all that one command names before it installs any of it."""
    installed: list[set[str]] = []

    def call(words: tuple[str, ...], **_: object) -> int:
        if "-r" in words:
            pins = Path(words[words.index("-r") + 1]).read_text("utf-8").splitlines()
            installed.append({pin.partition("==")[0] for pin in pins})
        return 0

    monkeypatch.setattr(subprocess, "call", call)
    for name, path in (("VENV", tmp_path), ("STAMP", tmp_path / "stamp"), ("PLACE", tmp_path / "place")):
        monkeypatch.setattr(environment, name, path)
    with tempfile.TemporaryFile() as log:
        assert environment._set_up("dev", log)
    (first,) = [at for at, names in enumerate(installed) if {"setuptools", "wheel", "hatchling"} <= names]
    (built,) = [at for at, names in enumerate(installed) if "nkeys" in names]
    assert first < built
