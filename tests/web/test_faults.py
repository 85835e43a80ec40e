"""Faults around a page, in a real browser: a connection that hangs or is not there, no storage, hasty presses, the way
back."""

import asyncio
import json
import re
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, Route, WebSocketRoute, expect

from put_runtime.page_files import FIRST, page_files
from put_server.table.table_effects import TableId
from put_server.transport import static_files
from tests.transport.sockets import running_server
from tests.web.browser import BACKSTOP, MAY_PRESS, Visitors, go_on, needs_chromium, visitors
from tests.web.newcomer import CHOICE
from tests.web.test_browser import open_table

pytestmark = [needs_chromium, pytest.mark.timeout(150), pytest.mark.asyncio(loop_scope="session")]

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
    await open_table(page, "put-1674", house=True, target=5)
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
                await page.get_by_text("Options", exact=True).click()
                await page.select_option("[name='option dealing']", "plain")
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


async def test_first_game_goes_on_when_the_connection_is_back(browser: Browser) -> None:
    """Where it was; and a page that is loaded again at its address begins with it."""
    async with visitors(browser) as people:
        page = await people.person("Moll")
        await page.get_by_role("button", name="Show me").click()
        await go_on(page, CHOICE)
        people.server.dispatcher.cut_all()
        await page.locator(".status.lost").wait_for()
        await page.locator(".status", has_text="Moll").wait_for()
        await expect(page.locator(CHOICE).first).to_be_visible()
        await page.reload()
        await page.locator(".status", has_text="Moll").wait_for()
        await page.locator(".lesson").wait_for()


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


async def test_table_beyond_those_that_are_listed_is_reached_and_keeps_keys(browser: Browser) -> None:
    """By who opened it, and by who has its address: the lobby of a large server lists a part. Until the list is there,
    the page does not say that there is no such table."""
    held = asyncio.Event()

    def far_on(route: WebSocketRoute) -> None:
        server, sending = route.connect_to_server(), set[asyncio.Task[None]]()

        async def send_later(text: str) -> None:
            await held.wait()
            route.send(text)

        def pass_on(text: str | bytes) -> None:
            message = json.loads(text)
            if message["type"] == "lobby":
                size = message.get("size") and message["size"] | {"pages": 99}
                sending.add(asyncio.create_task(send_later(json.dumps(message | {"tables": [], "size": size}))))
            else:
                route.send(text)

        server.on_message(pass_on)
        route.on_message(server.send)

    async with visitors(browser, seed="1") as people:
        pages = list[Page]()
        for name, path in (("Moll", "/"), ("Nan", "/table/1")):
            context = await people.context()
            await context.route_web_socket("**/ws", far_on)
            pages.append(await people.person(name, path, context=context))
            if name == "Moll":
                await pages[0].get_by_role("button", name="New table").click()
                await pages[0].get_by_role("button", name="Open the table").click()
                await expect(pages[0].locator(".own-seat")).to_contain_text("sees their cards alone")
        nan = pages[1]
        await expect(nan.locator("main .note")).to_have_text("One moment…")
        held.set()
        await nan.get_by_role("button", name="Watch").click()
        await nan.get_by_role("button", name="Sit down").click()
        chairs = people.server.dispatcher.lobby.tables[TableId(1)].seating.chairs
        await nan.locator(".own .card").first.wait_for()
        assert [chair.holds_key for chair in chairs] == [True, True]


async def test_page_that_cannot_load_what_keeps_keys_says_so(browser: Browser) -> None:
    """And draws no places in place of cards; loaded again, it goes on with the same hand."""
    async with visitors(browser, seed="1") as people:
        page = await people.person("Moll")
        await page.get_by_role("button", name="New table").click()
        await page.select_option("select[name=others]", index=1)
        await page.get_by_role("button", name="Open the table").click()
        cards = page.locator(".own [data-card]")
        await page.locator(MAY_PRESS).first.wait_for()
        hand = await cards.evaluate_all("all => all.map((one) => one.dataset.card)")
        await page.context.route("**/blind/keeper.js", lambda route: route.abort())
        await page.reload()
        await page.get_by_text("Your browser could not do its part of the deal.").first.wait_for()
        assert await cards.count() == 0
        await page.context.unroute("**/blind/keeper.js")
        await page.reload()
        await page.locator(MAY_PRESS).first.wait_for()
        assert await cards.evaluate_all("all => all.map((one) => one.dataset.card)") == hand
        assert all("keeper.js" in one or "ERR_FAILED" in one for one in people.complaints)
        people.complaints.clear()


async def test_second_press_does_nothing_and_focus_stays_on_the_page(browser: Browser) -> None:
    """Four presses open one table. What was pressed goes away, and the keyboard goes on at what is asked."""
    async with visitors(browser, seed="1") as people:
        page = await people.person("Moll")
        await page.evaluate(
            "() => { for (let press = 0; press < 4; press++) document.querySelector('.play-now').click(); }"
        )
        await page.locator(MAY_PRESS).first.wait_for()
        assert len(people.server.dispatcher.lobby.tables) == 1
        for _ in range(3):
            await page.locator(f"{MAY_PRESS}, .go-on, .between .first").first.wait_for()
            await page.locator(f"{MAY_PRESS}, .go-on, .between .first").first.click()
            await page.wait_for_function("() => document.activeElement !== document.body")


@pytest.mark.parametrize("is_there", [True, False])
async def test_games_that_come_late_are_offered_when_they_come(browser: Browser, is_there: bool) -> None:
    """Also where their file does not come at all: the server tells them then."""
    async with visitors(browser, seed="1") as people:
        context, pressed = await people.context(), asyncio.Event()

        async def hold(route: Route) -> None:
            await pressed.wait()
            await (route.continue_() if is_there else route.abort())

        await context.route("**/offers.json", hold)
        moll = await people.person("Moll", context=context)
        await moll.get_by_role("button", name="New table").click()
        pressed.set()
        await moll.get_by_role("button", name="Open the table").click()
        await moll.locator(".board").wait_for()
        people.complaints.clear()


SETTLED_MS = 20_000
"""Time after which the page has the browser keep it."""

KEPT = """async () => {
    const keeper = await navigator.serviceWorker.ready;
    while (keeper.active.state !== "activated") await new Promise((done) => setTimeout(done, 10));
    return keeper.active.scriptURL;
}"""

RELEASE = "document.querySelector('link[rel=stylesheet]').href.split('/')[4]"


async def test_page_opens_without_a_network_and_never_meets_a_newer_server(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Positions, the first hands and the record are there when the server is gone. When it is back with another
    release, the page is that one's, and nothing of the former release is kept."""
    async with running_server(backstop=BACKSTOP, data=str(tmp_path)) as server:
        port = server.server.port
        people = Visitors(browser, server)
        context = await people.context(service_workers="allow")
        await context.clock.install()
        moll = await people.person("Moll", context=context)
        await moll.get_by_role("button", name="Practise").click()
        await moll.wait_for_function("() => JSON.parse(localStorage['put.positions'] ?? '{}')['put-1674']?.length > 1")
        await moll.clock.run_for(SETTLED_MS)
        assert (await moll.evaluate(KEPT)).endswith("/offline.js")
        former = await moll.evaluate(RELEASE)
    await moll.reload()
    await expect(moll.locator(".invitation")).to_contain_text("The server does not answer")
    await moll.get_by_role("button", name="A position").click()
    await moll.locator(".drill .hand button").first.click()
    await expect(moll.locator(".drill .judged")).to_contain_text("You chose to")
    await expect(moll.get_by_text("No game is recorded yet")).to_be_visible()
    await moll.get_by_role("button", name="The first three hands").click()
    await moll.locator(".lesson .card").first.wait_for()
    page = page_files()
    page[FIRST] = page[FIRST].replace(b"<title>", b"<title>New: ")
    monkeypatch.setattr(static_files, "page_files", page.copy)
    async with running_server(backstop=BACKSTOP, data=str(tmp_path), port=port):
        await moll.wait_for_function(f"() => {RELEASE} !== '{former}'")
        await moll.locator(".status", has_text="Moll").wait_for()
        newer = await moll.evaluate(RELEASE)
        await moll.clock.run_for(SETTLED_MS)
        await moll.wait_for_function(
            "() => navigator.serviceWorker.getRegistration().then((one) => one.waiting !== null)"
        )
        await moll.goto("about:blank")
        await moll.goto(people.address)
        await moll.locator(".status", has_text="Moll").wait_for()
        assert await moll.evaluate(RELEASE) == newer
        await moll.wait_for_function(f"() => caches.keys().then((all) => all.join() === 'put /web/{newer}/')")
    await context.close()
