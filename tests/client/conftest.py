"""What the client's tests share."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from tests.client.scripted import Server, scripted_server


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    """A put server on loopback whose every word is the test's. The test has 10 seconds."""
    async with asyncio.timeout(10), scripted_server() as started:
        yield started
