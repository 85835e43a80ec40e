"""Requests and messages that a first table costs, counted in a real browser: on a slow network each is a round trip."""

import json
from urllib.parse import urlsplit

import pytest
from playwright.async_api import Browser

from tests.web.browser import needs_chromium, visitors

pytestmark = [needs_chromium, pytest.mark.timeout(150), pytest.mark.asyncio(loop_scope="session")]

FILES = {"/", "main.js", "offers.json", "lobby.js", "late.css"}
"""All that is asked for until the table is there."""

LATER = {"icon.svg", "settings.js", "sound.js", "ending.js", "aside.js"}
"""Asked for by the browser itself, later, by a touch, and by the table that is shown: nothing waits for them."""

MESSAGES = ["hello", "look", "open"]
"""Sent until the table is there; `ping` is sent beside a press, and nothing waits for it."""


async def test_first_table_takes_five_requests_and_three_messages(browser: Browser) -> None:
    """No more, and none of them for what another has brought."""
    async with visitors(browser) as people:
        page = await (await people.context()).new_page()
        asked, sent = list[str](), list[str]()
        page.on("request", lambda request: asked.append(urlsplit(request.url).path))
        page.on(
            "websocket",
            lambda socket: socket.on("framesent", lambda frame: sent.append(json.loads(frame)["type"])),
        )
        await page.goto(people.address)
        await page.fill("input[name=name]", "Moll")
        await page.keyboard.press("Enter")
        await page.locator(".play-now").click()
        await page.locator(".board").wait_for()
    assert {path.rpartition("/")[2] or "/" for path in asked} - LATER == FILES
    assert [one for one in sent if one != "ping"] == MESSAGES
