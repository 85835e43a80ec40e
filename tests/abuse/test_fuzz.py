"""A short slice of `scripts/soak fuzz-frames`, `fuzz-lines`, `fuzz-typed` and `fuzz-web`."""

import asyncio
import logging

import pytest

from put_protocol.messages import Look, Ok
from tests.abuse.fuzz import FRONT_ENDS, converse
from tests.repetitions import TIMES
from tests.transport.sockets import running_server

CONVERSATIONS = 8


@pytest.mark.parametrize("front", FRONT_ENDS)
async def test_any_conversation_leaves_no_error_in_the_log(front: str, caplog: pytest.LogCaptureFixture) -> None:
    """Whatever peers say over a front end, the log has no error, and an honest guest is answered."""
    async with running_server(exempt="127.5.0.0/16", backstop=60) as server:
        honest = await server.guest("Honest")
        address = ("127.0.0.1", server.server.port)
        await asyncio.gather(*[converse(address, front, 1674, number) for number in range(CONVERSATIONS * TIMES)])
        assert isinstance(await honest.ask(Look), Ok)
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []
