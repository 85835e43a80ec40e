"""The units for systemd keep a server from everything that it does not need."""

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from put_server.cli import parser
from scripts.docs import FOLDER

UNITS = [FOLDER / "put-server.service", *sorted((FOLDER / "cluster").glob("*.service"))]
MOST = 3.0
"""Exposure from 0 to 10, as systemd counts it."""

KEPT = {
    "CapabilityBoundingSet=",
    "LockPersonality=yes",
    "MemoryDenyWriteExecute=yes",
    "NoNewPrivileges=yes",
    "PrivateDevices=yes",
    "PrivateTmp=yes",
    "ProtectHome=yes",
    "ProtectKernelTunables=yes",
    "ProtectProc=invisible",
    "ProtectSystem=strict",
    "RestrictNamespaces=yes",
    "RestrictSUIDSGID=yes",
    "SystemCallFilter=@system-service",
    "SystemCallFilter=~@privileged",
    "UMask=0077",
    "User=put",
}

needs_systemd = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not here")


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_unit_keeps_what_holds_the_server(unit: Path) -> None:
    """Its user, files, system calls and address families; and no root, not even for a moment."""
    lines = unit.read_text("utf-8").splitlines()
    assert set(lines) >= KEPT
    assert [line for line in lines if line.startswith(("AmbientCapabilities", "ExecStartPre", "ReadWritePaths"))] == []
    # Without netlink the machine's own addresses are unknown, and nothing is announced.
    assert "RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK" in lines


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
@needs_systemd
def test_systemd_finds_unit_hardened(unit: Path) -> None:
    """3.0 or better, by systemd's own count."""
    command = ["systemd-analyze", "security", "--offline=true", "--no-pager", str(unit)]
    said = subprocess.run(command, capture_output=True, text=True, timeout=20, check=True).stdout
    (exposure,) = re.findall(r"Overall exposure level for \S+: ([0-9.]+)", said)
    assert float(exposure) <= MOST


def test_unit_of_a_server_starts_what_there_is() -> None:
    """The command lines of a start and of an upgrade."""
    text = UNITS[0].read_text("utf-8")
    for command in re.findall(r"^Exec(?:Start|Reload)=\S+/put-server (.*)$", text, re.MULTILINE):
        parser().parse_args(shlex.split(command))
    assert "NotifyAccess=all" in text, "an upgrade ends with another process"
