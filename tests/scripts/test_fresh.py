"""The script that runs the tests as on another machine."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

FRESH = Path(__file__).parents[2] / "scripts" / "fresh"

STUB = """#!/usr/bin/env python3
import json, os, shutil, sys
del os.environ["PWD"]  # the shell's
hidden = ("python", "python3.11", "node", "npm", "chromium", "nats-server", "bwrap")
print(json.dumps({
    "user": os.getuid(), "python": sys.executable, "arguments": sys.argv[1:], "environment": dict(os.environ),
    "found": list(filter(shutil.which, hidden)), "git": shutil.which("git") is not None,
    "is_ours": os.access(".", os.W_OK), "files": sorted(os.listdir("scripts")),
}))
print("=========== 1 failed in 0.1s ===========")
sys.exit(3)
"""


PYTHON = shutil.which("python3", path="/usr/local/bin:/usr/bin")
"""One that every user may run."""


@pytest.mark.skipif(os.getuid() != 0 or PYTHON is None, reason="only root can become another user")
def test_fresh_run_has_a_clone_a_user_and_one_python(tmp_path: Path) -> None:
    """Committed files alone, three variables, and no program that the tests do without; the exit code is passed on."""
    checkout = tmp_path / "checkout"
    (checkout / "scripts").mkdir(parents=True)
    shutil.copy(FRESH, checkout / "scripts")
    (checkout / "scripts" / "test").write_text(STUB)
    (checkout / "scripts" / "test").chmod(0o755)
    git = ["git", "-C", str(checkout), "-c", "user.name=x", "-c", "user.email=x@example.org"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "x"]):
        subprocess.run([*git, *words], check=True)
    (checkout / "scripts" / "uncommitted").touch()
    log = tmp_path / "log"

    words = [f"{checkout}/scripts/fresh", "--user", "nobody", "--python", str(PYTHON), "--log", str(log), "-x"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=25, check=False)

    assert (done.returncode, done.stderr) == (3, "")
    assert done.stdout.startswith("=========== 1 failed in 0.1s ===========\nscripts/fresh: Python 3.")
    assert done.stdout.endswith(": exit code 3\n")
    said = json.loads(log.read_text().splitlines()[0])
    home = said["environment"]["HOME"]
    assert said == {
        "user": 65534,
        "python": said["python"],
        "arguments": ["-x"],
        "environment": {"PATH": f"{home}/path", "HOME": home, "LANG": "C.UTF-8"},
        "found": [],
        "git": True,
        "is_ours": True,
        "files": ["fresh", "test"],
    }
    assert not Path(home).exists()


def test_fresh_run_without_root_says_so(tmp_path: Path) -> None:
    """And does nothing."""
    (tmp_path / "id").write_text("#!/bin/sh\necho 1000\n")
    (tmp_path / "id").chmod(0o755)
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    done = subprocess.run([FRESH], env=environment, capture_output=True, text=True, timeout=25, check=False)
    assert (done.returncode, done.stderr) == (2, "scripts/fresh: only root can run it, as another user.\n")
