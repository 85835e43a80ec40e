"""Faults around a page, in a real browser: a connection that hangs, no storage, hasty presses, the way back."""

import re

import pytest
from playwright.async_api import Browser, Page, WebSocketRoute, expect

from tests.web.browser import MAY_PRESS, needs_chromium, visitors

pytestmark = [needs_chromium, pytest.mark.timeout(150), pytest.mark.asyncio(loop_scope="module")]

HANGS_MS = 3_000
"""Within which a player is told."""

GIVEN_UP_MS = 6_000
"""Within which it has then tried another connection."""


class Network:
    """What stands between a page and the server. While it hangs, nothing passes on the connections that there are."""

    def __init__(self) -> None:
        self.connections = 0
        self.hangs_until = 0
        """Connections up to this one carry nothing any more."""

    def between(self, route: WebSocketRoute) -> None:
        server = route.connect_to_server()
        self.connections += 1
        number = self.connections
        server.on_message(lambda text: route.send(text) if number > self.hangs_until else None)
        route.on_message(lambda text: server.send(text) if number > self.hangs_until else None)


async def _playing(page: Page) -> None:
    await page.locator(".play-now").click()
    await page.locator(MAY_PRESS).first.wait_for()


async def test_connection_that_hangs_is_said_and_the_press_is_sent_again(browser: Browser) -> None:
    """Within 3 s, on the table, which stays; a new connection is made, and the move is made on it."""
    async with visitors(browser, seed="1") as people:
        context = await people.context()
        await context.clock.install()
        network = Network()
        await context.route_web_socket("**/ws", network.between)
        page = await people.person("Moll", context=context)
        await _playing(page)
        await page.clock.pause_at(await page.evaluate("Date.now() + 1"))
        moves = sum(people.server.dispatcher.meters.moves.counts)
        network.hangs_until = network.connections
        await page.locator(MAY_PRESS).first.click()
        await page.clock.run_for(HANGS_MS)
        await expect(page.locator(".asks")).to_contain_text("does not answer")
        await expect(page.locator(".own .card").first).to_be_visible()
        await page.clock.run_for(GIVEN_UP_MS)
        await page.locator(".status", has_text="Moll").wait_for()
        assert network.connections == 2
        await page.clock.resume()
        await expect(page.locator(".asks")).not_to_contain_text("does not answer")
        await page.locator(f"{MAY_PRESS}, .go-on").first.wait_for()
        assert sum(people.server.dispatcher.meters.moves.counts) > moves


async def test_others_see_why_they_wait(browser: Browser) -> None:
    """For a player whose connection hangs, and how long: 5 s after their last sign of life."""
    async with visitors(browser, seed="1") as people:
        networks, pages = list[Network](), list[Page]()
        for name, path in (("Moll", "/"), ("Nan", "/table/1")):
            context, network = await people.context(), Network()
            await context.route_web_socket("**/ws", network.between)
            page = await people.person(name, path, context=context)
            if not pages:
                await page.get_by_role("button", name="New table").click()
            await page.get_by_role("button", name="Sit down" if pages else "Open the table").click()
            networks.append(network)
            pages.append(page)
        await pages[0].locator(".seat.to-move").wait_for()
        mover = 1 - await pages[0].locator(".own-seat .to-move").count()
        networks[mover].hangs_until = networks[mover].connections
        for _ in range(5):
            people.harness.advance(1_000)
        words = pages[1 - mover].locator(".asks")
        await expect(words).to_have_text(
            re.compile(r"(Moll|Nan) has lost the connection\. The table waits for \d:\d\d\.")
        )


async def test_browser_without_storage_plays(browser: Browser) -> None:
    """Until it is closed; also after the connection dropped."""
    async with visitors(browser, seed="1") as people:
        context = await people.context()
        await context.add_init_script(
            "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no'); } })"
        )
        page = await people.person("Moll", context=context)
        await _playing(page)
        people.server.dispatcher.cut_all()
        await page.locator(MAY_PRESS).first.click()
        await page.locator(f"{MAY_PRESS}, .go-on").first.wait_for()
        assert [person.name for person in people.server.dispatcher.lobby.people.values()].count("Moll") == 1


async def test_back_goes_to_the_lobby(browser: Browser) -> None:
    """From a table that was opened here, and from one that was come to by its address; the seat is kept."""
    async with visitors(browser, seed="1") as people:
        page = await people.person("Moll")
        await _playing(page)
        await page.go_back()
        await page.get_by_role("button", name="Go there").wait_for()
        await page.go_forward()
        await page.locator(".own .card").first.wait_for()
        guest = await people.person("Nan", "/table/1")
        await guest.get_by_role("button", name="Watch").click()
        await guest.locator(".board").wait_for()
        await guest.go_back()
        await guest.locator(".lobby").wait_for()


async def test_second_press_does_nothing(browser: Browser) -> None:
    """Four presses open one table."""
    async with visitors(browser, seed="1") as people:
        page = await people.person("Moll")
        await page.evaluate(
            "() => { for (let press = 0; press < 4; press++) document.querySelector('.play-now').click(); }"
        )
        await page.locator(MAY_PRESS).first.wait_for()
        assert len(people.server.dispatcher.lobby.tables) == 1


async def test_focus_stays_on_the_page(browser: Browser) -> None:
    """What was pressed goes away, and the keyboard goes on at what is asked."""
    async with visitors(browser, seed="1") as people:
        page = await people.person("Moll")
        await _playing(page)
        for _ in range(4):
            await page.locator(f"{MAY_PRESS}, .go-on, .between .first").first.wait_for()
            await page.locator(f"{MAY_PRESS}, .go-on, .between .first").first.click()
            await page.wait_for_function("() => document.activeElement !== document.body")
