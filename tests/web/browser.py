"""A real browser at a server of this process: Chromium of the system's packages, driven by Playwright. Its headless
shell, which has no windows and tabs of its own, takes half of the processor time that the whole browser takes.

One browser serves all tests of a process; each person in it has a context of their own, which shares nothing.
"""

import json
import shutil
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, BrowserContext, Page, async_playwright, expect

from tests.transport.sockets import ServerHarness, running_server

PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, PROGRAMS)), None)
TOOLS = Path(sys.prefix) / "web" / "node_modules"
"""Where `scripts/browser` puts what checks the page."""

AXE = TOOLS / "axe-core" / "axe.min.js"

needs_axe = pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed (scripts/browser installs it)")
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed (scripts/browser installs it)")

PHONE = {"width": 360, "height": 640}
WALL = {"width": 1920, "height": 1080}

PATIENCE_MS = 60_000
"""After which a test fails that waits for what does not come: a browser is slow where others keep the machine busy."""

POLL_MS = 50
"""After which a page is looked at again that is waited for; by itself Playwright has it draw every frame."""

BACKSTOP = 100
"""Seconds after which a test is ended that is not over yet."""


class Visitors:
    """People who look at one server, each with a browser of their own."""

    def __init__(self, browser: Browser, server: ServerHarness) -> None:
        self._browser = browser
        self.harness = server
        self.server = server.server
        self.address = f"http://127.0.0.1:{server.server.port}"
        self.addresses = {self.address}
        """From which pages may load."""
        self.contexts: list[BrowserContext] = []
        self.complaints: list[str] = []
        """Errors in the console, broken rules of the policy, and requests to elsewhere."""

    async def context(self, size: dict[str, int] = PHONE, **settings: Any) -> BrowserContext:
        # A service worker would load the whole page for each person. Motion takes time, and is not what most look at.
        settings = {"service_workers": "block", "reduced_motion": "reduce"} | settings
        context = await self._browser.new_context(viewport=size, **settings)  # type: ignore[arg-type]  # it is one
        context.set_default_timeout(PATIENCE_MS)
        self.contexts.append(context)
        return context

    async def page(
        self, path: str = "/", *, context: BrowserContext | None = None, size: dict[str, int] = PHONE, at: str = ""
    ) -> Page:
        """A page of somebody, listened to for complaints. `at`: what serves it, if that is not the server."""
        page = await (context or await self.context(size)).new_page()
        page.on("console", lambda said: self.complaints.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda sent: None if self._is_here(sent.url) else self.complaints.append(sent.url))
        self.addresses.add(at or self.address)
        await page.goto((at or self.address) + path)
        return page

    def _is_here(self, url: str) -> bool:
        return url.startswith((*self.addresses, "blob:"))

    async def person(self, name: str, path: str = "/", *, context: BrowserContext | None = None, at: str = "") -> Page:
        """Somebody who came in."""
        page = await self.page(path, context=context, at=at)
        await page.fill("input[name=name]", name)
        await page.keyboard.press("Enter")
        await page.get_by_text(name, exact=True).first.wait_for()
        return page


@asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    """A browser of its own."""
    expect.set_options(timeout=PATIENCE_MS)
    async with async_playwright() as playwright:
        flags = ["--no-sandbox", "--disable-gpu", "--in-process-gpu", "--js-flags=--single-threaded"]
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=flags)
        try:
            yield browser
        finally:
            await browser.close()


@asynccontextmanager
async def visitors(browser: Browser, **settings: Any) -> AsyncIterator[Visitors]:
    """A server and who looks at it. Nobody has complained when it is over."""
    async with running_server(backstop=BACKSTOP, **settings) as server:
        found = Visitors(browser, server)
        try:
            yield found
        finally:
            for context in found.contexts:
                await context.close()
        assert found.complaints == []


MAY_PRESS = ".hand button:not(:disabled, .pick, .step)"
"""Cards that may be played, and all else that may be said at once: not what only picks a card, or an amount."""


async def go_on(page: Page, what: str) -> None:
    """Go on from scene to scene until one of these is there, or the end of the game: no scene stands for its time."""
    await page.wait_for_function(
        """what => {
            if (document.querySelector(`${what}, .ending h2`)) return true;
            document.querySelector(".middle")?.click();
            return false;
        }""",
        arg=what,
        polling=POLL_MS,
    )


async def play_on(page: Page) -> None:
    """From now on press the first thing that may be played, whenever there is one, and go on from each scene;
    `window.pressed` counts, and `window.playing` is the interval."""
    await page.evaluate(
        """what => {
            window.pressed = 0;
            window.playing = setInterval(() => {
                const playable = document.querySelector(what);
                if (playable) { playable.click(); window.pressed++; }
                else document.querySelector(".board[data-waits=true] .middle")?.click();
            }, 25);
        }""",
        MAY_PRESS,
    )


async def pressed(page: Page, times: int) -> None:
    """Wait until so much was pressed, or the game is over: whoever is out early is asked no more."""
    await page.wait_for_function(
        """times => window.pressed >= times
            || [...document.querySelectorAll("button")].some(one => one.textContent.includes("Another game"))""",
        arg=times,
        polling=POLL_MS,
    )


async def flaws(page: Page, *only: str) -> list[str]:
    """What axe-core finds wrong with what is shown: by these rules, or by all."""
    # Through the debugger, which the page's policy does not bind.
    session = await page.context.new_cdp_session(page)
    known = await session.send("Runtime.evaluate", {"expression": "typeof axe"})
    if known["result"]["value"] == "undefined":
        await session.send("Runtime.evaluate", {"expression": AXE.read_text()})
    rules = {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
    run = {"type": "rule", "values": only} if only else rules
    options = json.dumps({"runOnly": run, "resultTypes": ["violations"]})  # what passes is listed for nobody
    asked = f"axe.run(document, {options}).then((found) => JSON.stringify(found.violations))"
    answer = await session.send("Runtime.evaluate", {"expression": asked, "awaitPromise": True})
    await session.detach()
    found = json.loads(answer["result"]["value"])
    return [f"{one['id']}: {one['help']}: {node['html'][:200]}" for one in found for node in one["nodes"]]
