"""A short slice of `scripts/soak abuse`: what does not depend on how fast the machine is."""

from pathlib import Path

import pytest

from tests.abuse.campaign import measure


@pytest.mark.parametrize(
    "name",
    ["silent sockets", "hello and close, twenty", "telnet IAC, twenty", "tokens", "passcode", "WebSocket, fragments"],
)
async def test_attack_keeps_nobody_out_and_floods_no_log(name: str, tmp_path: Path) -> None:
    """A player comes back to their seat and a newcomer comes in while it goes on; honest connections stand, and the
    memory and the log are bounded."""
    result = await measure(name, 1674, tmp_path, before=0.1, during=1.0, calm=0.0, tables=3)
    assert [fault for fault in result.faults if fault != "slow"] == []
