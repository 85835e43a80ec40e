"""A server and a player on two networks with a wire between them that is listened to: found, trusted, not read."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

UNSHARE = ("unshare", "--map-root-user", "--net", "--mount")


def _why_not() -> str:
    """Why no networks can be made here; empty: they can."""
    if not all(map(shutil.which, ("unshare", "ip", "mount"))):
        return "there is no unshare, ip or mount here"
    tried = "mount -t tmpfs none /run && ip netns add x && ip link add left0 type veth peer name right0 netns x"
    done = subprocess.run([*UNSHARE, "sh", "-c", tried], check=False, capture_output=True, text=True)
    return "" if done.returncode == 0 else f"this machine does not let us make networks: {done.stderr.strip()}"


WHY_NOT = _why_not()


@pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)
@pytest.mark.timeout(120)
def test_server_is_found_and_trusted_over_a_wire_that_shows_no_card(tmp_path: Path) -> None:
    """Between two network namespaces: the server's announcement is heard, its key is the one it printed, whole games
    are played, and every packet of them is recorded. With encryption none shows a card, a name or a token; without it
    all of them are there. A person who names no server is offered this one, with the word that its key is known."""
    done = subprocess.run(
        [*UNSHARE, sys.executable, "-m", "tests.client.two_networks", str(tmp_path)],
        check=False,
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    name, host, port, key = told["found"]
    assert (name, host, port) == ("The Swan", "10.77.0.1", 1674)
    assert any(key in line for line in told["server"])
    assert f"A friend on this network types: put-client '10.77.0.1#{key}'" in told["server"]
    encrypted, plain = told["encrypted"], told["plain"]
    assert (encrypted["is_encrypted"], encrypted["key"]) == (True, key)
    assert "New server" in encrypted["notice"]
    assert min(encrypted["games"], plain["games"]) == 2
    assert min(encrypted["bytes"], plain["bytes"]) > 20_000
    assert encrypted["seen"] == []
    assert encrypted["cards_seen"] == 0 < len(encrypted["cards"])
    assert plain["seen"] == ["game", "legal", "name", "token"]
    assert plain["cards_seen"] == len(plain["cards"]) > 5
    assert "The Swan" in told["screen"]
    assert f"you know its key, {host}:{port}" in told["screen"]
    assert "You are Ann, at The Swan" in told["screen"]
