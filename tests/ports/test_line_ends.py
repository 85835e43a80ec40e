"""Line ends: a checkout has the same bytes on every system, and text of Windows is read as any other."""

import shutil
import subprocess
from pathlib import Path

import pytest

from put_client.settings import settle
from put_server.transport.bans import Bans

ROOT = Path(__file__).parents[2]


def test_checkouts_have_the_same_line_ends_everywhere() -> None:
    """Every file is of bytes, or has line feeds alone, whatever Git is told on a system: the shell's scripts and the
    pinned files of the tests survive."""
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        pytest.skip("this is no checkout")
    told = subprocess.run([git, "ls-files", "--eol"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    rows = [line.partition("\t") for line in told.splitlines()]
    assert len(rows) > 500
    wrong = [path for ends, _, path in rows if "eol=lf" not in ends and "attr/-text" not in ends]
    assert (wrong, [path for ends, _, path in rows if "w/crlf" in ends or "w/mixed" in ends]) == ([], [])


def test_text_of_windows_is_read(tmp_path: Path) -> None:
    """Settings and bans that an editor there has saved."""
    (tmp_path / "config.toml").write_bytes(b'name = "Moll"\r\nascii = true\r\n')
    assert settle({}, {}, tmp_path / "config.toml").name == "Moll"
    (tmp_path / "bans").write_bytes(b"203.0.113.9\r\n10.0.0.0/8\r\n")
    assert Bans(tmp_path / "bans").all == ("203.0.113.9", "10.0.0.0/8")
