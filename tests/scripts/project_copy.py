"""Copies of the project, in which the steps of CONTRIBUTING.md are taken."""

import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
PARTS = ("protocol", "server", "client", "scripts", "tests", "docs")
FILES = ("pyproject.toml", "CHANGELOG.md", "README.md", "CONTRIBUTING.md")
UNFINISHED = shutil.ignore_patterns("*.pyc.*")
"""Bytecode that is being written. What is whole is copied, so that nothing is compiled again."""
KEPT = {"HYPOTHESIS_STORAGE_DIRECTORY": str(ROOT / ".hypothesis")}
"""The constants that Hypothesis has found in the modules, which it knows again by their text: to look for them once
more took a third of the time."""

WRITE = """import sys
from scripts.docs import main as docs
from tests.games.vectors import main as vectors
assert not vectors(["--write", *sys.argv[1:]])
docs([])
sys.exit(docs(["--check"]))
"""
"""The programs that write what follows, in one process; their arguments are vector files."""


@contextmanager
def project_copy(root: Path) -> Iterator[Path]:
    """A copy of the project in this folder, which is removed at the end."""
    for part in PARTS:
        shutil.copytree(ROOT / part, root / part, ignore=UNFINISHED)
    bytecode = root  # it is beside the code
    if sys.pycache_prefix is not None:
        kept, bytecode = (Path(sys.pycache_prefix, *folder.parts[1:]) for folder in (ROOT, root))
        for part in PARTS:
            if (kept / part).is_dir():
                shutil.copytree(kept / part, bytecode / part, ignore=UNFINISHED)
    for name in FILES:
        shutil.copy(ROOT / name, root / name)
    yield root
    shutil.rmtree(root)
    shutil.rmtree(bytecode, ignore_errors=True)


def run(copy: Path, *command: str) -> str:
    """The output of a Python command in the copy, which must succeed."""
    path = os.pathsep.join(str(copy / part) for part in ("protocol", "server", "client"))
    ended = subprocess.run(
        [sys.executable, *command],
        cwd=copy,
        env={**KEPT, **os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


def passed_tests(copy: Path, names: Sequence[str], *folders: str) -> Counter[str]:
    """The number of tests of each of these rule sets that pass in the copy; none may fail."""
    said = run(
        copy, "-m", "pytest", "-v", "-p", "no:cacheprovider", "-p", "no:xdist",
        "-k", f"({' or '.join(names)}) and not truc",  # tests of several games at once, from `truc` to one of these
        "--assert=plain",  # most of the modules it collects are for other tests, and need not be rewritten
        "--timeout=150", *(f"tests/{folder}" for folder in folders),
    )  # fmt: skip
    return Counter(name for line in said.splitlines() if " PASSED" in line for name in names if name in line)
