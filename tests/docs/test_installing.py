"""The distribution is installed by the commands that the pages give, under no other name."""

import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts.docs import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
NAME: str = PROJECT["name"]
EXTRAS = frozenset(PROJECT["optional-dependencies"])

PLACES = ("protocol", "server", "client", "scripts", "tests", "docs")
WRITTEN = frozenset(
    {".css", ".html", ".js", ".json", ".md", ".mjs", ".py", ".service", ".toml", ".txt", ".yaml", ".1", ""}
)

INSTALLING = re.compile(r"""\bpip3? install (?:-\S+ )*["']?([A-Za-z][\w-]*)(?:\[(\w+)])?""")
OLD = re.compile(rf"""\bput\[({"|".join(EXTRAS)})\]|\b(version|distribution|metadata|requires)\(["']put["']\)""")


def written() -> Iterator[tuple[Path, str]]:
    """Every text that a reader or a user of the project may see."""
    files = [path for place in PLACES for path in (ROOT / place).rglob("*")]
    for path in (*files, *ROOT.glob("*.md"), ROOT / "pyproject.toml"):
        if path.is_file() and path.suffix in WRITTEN and "__pycache__" not in path.parts and path != Path(__file__):
            yield path, path.read_text("utf-8", errors="replace").replace("\\-", "-")  # roff writes a hyphen so


def test_every_page_and_message_names_our_distribution() -> None:
    """None says to install, or asks for, the package of another project that has the name of the game."""
    wrong = []
    commands = 0
    for path, text in written():
        if not any(word in text for word in ("pip", "put[", '"put"', "'put'")):
            continue
        wrong += [f"{path.relative_to(ROOT)}: {found[0]}" for found in OLD.finditer(text)]
        for found in INSTALLING.finditer(text):
            commands += 1
            if found[1] != NAME or found[2] not in {None, *EXTRAS}:
                wrong.append(f"{path.relative_to(ROOT)}: {found[0]}")
    assert not wrong
    assert commands > 8


def documented() -> str:
    """The command of the page for those who have no checkout."""
    found = re.search(r"`(pip install \S+)`", (ROOT / "docs/bots.md").read_text("utf-8"))
    assert found
    return found[1]


@pytest.mark.timeout(120)
def test_documented_command_installs_every_program(tmp_path: Path) -> None:
    """From a folder of wheels, with what the project builds in it, every program starts."""
    wheels, target = tmp_path / "wheels", tmp_path / "target"
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(wheels)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    pip = [sys.executable, "-m", *shlex.split(documented()), "--no-index", "--find-links", str(wheels), "--no-deps"]
    subprocess.run([*pip, "--quiet", "--no-compile", "--target", str(target)], check=True, capture_output=True)
    environment = os.environ | {"PYTHONPATH": str(target)}
    where = "import put_server; print(put_server.__file__)"
    done = subprocess.run([sys.executable, "-c", where], env=environment, check=True, capture_output=True, text=True)
    assert Path(done.stdout.strip()).is_relative_to(target), "another one was tried"
    for program in PROJECT["scripts"]:
        subprocess.run([str(target / "bin" / program), "--help"], env=environment, check=True, capture_output=True)
    command = [str(target / "bin/put-server"), "--version"]
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    assert done.stdout == f"put-server {PROJECT['version']}\n"
