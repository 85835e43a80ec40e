"""What the client's tests share."""

from collections.abc import AsyncIterator

import pytest

from tests.client.scripted import Server, scripted_server


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    """A put server on loopback whose every word is the test's."""
    async with scripted_server() as started:
        yield started
