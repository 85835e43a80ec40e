"""The page's files as they are: their types, and their size."""

import gzip
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from put_server.transport.static_files import KINDS
from tests.web.browser import TOOLS

FOLDER = Path(__file__).parents[2] / "server" / "put_server" / "web"
TSC = TOOLS / ".bin" / "tsc"

TRAVELS = 150_000
"""Bytes of the whole page, as they are sent."""


@pytest.mark.skipif(
    not TSC.exists() or shutil.which("node") is None, reason="tsc is not installed (scripts/browser installs it)"
)
@pytest.mark.timeout(120)
def test_types_of_the_page_fit() -> None:
    """As JSDoc says them, checked by TypeScript."""
    run = subprocess.run(
        [TSC, "-p", Path(__file__).parent / "tsconfig.json"], capture_output=True, text=True, timeout=110, check=False
    )
    assert run.stdout == ""
    assert run.returncode == 0


def test_page_is_small() -> None:
    """For a phone on a bad network."""
    files = [path for path in FOLDER.rglob("*") if path.suffix[1:] in KINDS]
    assert sum(len(gzip.compress(path.read_bytes(), 9)) for path in files) < TRAVELS


def test_modules_of_the_first_table_are_asked_for_at_once() -> None:
    """And not one after another, as each names the next; what is loaded later is not among them."""
    needed, waiting = set[str](), ["main.js"]
    while waiting:
        path = (FOLDER / waiting.pop()).resolve()
        found = re.findall(r'^import (?:.* from )?"(.+)";$', path.read_text(), re.MULTILINE)
        new = {(path.parent / name).resolve().relative_to(FOLDER).as_posix() for name in found} - needed
        needed |= new
        waiting += new
    page = (FOLDER / "index.html").read_text()
    assert needed == set(re.findall(r'rel="modulepreload" href="/web/-/(.+)"', page))


def test_libraries_come_with_their_licences() -> None:
    """Each of them."""
    licences = (FOLDER / "vendor" / "LICENSES.txt").read_text()
    for name in ("preact", "htm", "@noble/hashes"):
        assert f"{name}: " in licences
    assert licences.count("Permission is hereby granted") == 2
    assert "Apache License" in licences
