"""A short slice of `scripts/soak abuse`: what does not depend on how fast the machine is."""

from pathlib import Path

import pytest

from tests.abuse.campaign import BOUNDS, measure
from tests.abuse.honest import PATIENCE

TIMED = {name for name, bound in BOUNDS.items() if bound.is_time or name.endswith("%")}


@pytest.mark.parametrize(
    "name",
    ["hello and close, twenty", "telnet IAC, twenty", "tokens", "passcode", "WebSocket, fragments"],
)
async def test_attack_keeps_nobody_out_and_floods_no_log(name: str, tmp_path: Path) -> None:
    """A player comes back to their seat and a newcomer comes in while it goes on; honest connections stand, and the
    memory and the log are bounded."""
    result = await measure(name, 1674, tmp_path, rounds=1, scale=0.1, tables=2, studies=False)
    assert [fault for fault in result.faults if fault not in TIMED] == []
    assert max(*result.figures["welcome, s"], *result.figures["back, s"]) < PATIENCE
