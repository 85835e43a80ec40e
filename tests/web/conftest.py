"""The browser of the tests of the page."""

from collections.abc import AsyncIterator

import pytest_asyncio
from playwright.async_api import Browser

from tests.web.browser import chromium


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    """One for all of them: the tests of a worker come from every module in turn."""
    async with chromium() as found:
        yield found
