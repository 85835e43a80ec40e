"""Push messages in a real browser. In Firefox one goes its whole road: the page by TLS, the server, a push service, the
service worker, the notification. In Chromium, which speaks to no service but its maker's, the page is given a
subscription."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect

from tests.repetitions import TURN
from tests.transport.sockets import ServerHarness, running_server
from tests.web.browser import MAY_PRESS, Visitors, needs_chromium, visitors
from tests.web.firefox import LIMIT_S, PROGRAM, firefox
from tests.web.push_service import DELIVERED, HOST, PushService, Receiver, push_service
from tests.web.test_browser import open_table

SUBSCRIBE = """async (pressed) => {
    const until = async (find) => {
        for (;;) {
            const found = find();
            if (found) return found;
            await new Promise((done) => setTimeout(done, 20));
        }
    };
    const name = document.querySelector("input[name=name]");
    name.value = "Moll";
    name.form.requestSubmit();
    (await until(() => document.querySelector(".play-now"))).click();
    await until(() => document.querySelector(pressed));
    document.querySelector("button[aria-label=Settings]").click();
    const wish = await until(() => document.querySelector("option[value=push]"));
    wish.parentElement.value = "push";
    wish.parentElement.dispatchEvent(new Event("change", { bubbles: true }));
    return [];
}"""

NOTES = """async () => {
    const keeper = await navigator.serviceWorker.getRegistration();
    const shown = await keeper.getNotifications();
    return shown.map(({ title, body, tag, data }) => [title, body.split(",")[0], tag, data]);
}"""

NO_NOTES = """async () => {
    const keeper = await navigator.serviceWorker.getRegistration();
    while ((await keeper.getNotifications()).length) await new Promise((done) => setTimeout(done, 20));
    return [];
}"""


async def until(is_so: Callable[[], object]) -> None:
    """What another process brings about. The test's own limit ends it."""
    while not is_so():  # noqa: ASYNC110  # it has no event
        await asyncio.sleep(0.02)


def preferences(service: PushService) -> dict[str, bool | int | str]:
    return {
        "dom.push.serverURL": f"ws://127.0.0.1:{service.socket_port}/",
        "dom.push.testing.allowInsecureServerURL": True,
        "dom.push.connection.enabled": True,
        "permissions.default.desktop-notification": 1,
    }


@pytest.mark.skipif(PROGRAM is None, reason="Firefox is not installed")
@pytest.mark.skipif(not TURN, reason="Firefox takes long to start; scripts/soak laws does it")
@pytest.mark.timeout(3 * LIMIT_S)
async def test_player_is_told_of_their_move_when_their_page_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Firefox says that its service worker has the message in plain text; the notification goes when they are back."""
    async with (
        push_service(tmp_path, monkeypatch) as service,
        running_server(backstop=2 * LIMIT_S, push_hosts=HOST, seed="1") as server,
        firefox(preferences(service)) as browser,
    ):
        address, notices = f"https://127.0.0.1:{server.server.port}", server.server.notices
        await browser.goto(f"{address}/")
        await browser.call(SUBSCRIBE, MAY_PRESS)
        await until(lambda: notices.kept)
        assert [one.is_seen for one in notices.kept.values()] == [True]
        await browser.goto("about:blank")
        await until(lambda: not server.server.dispatcher.connections)
        await until(lambda: _waits(server))
        server.advance(10_000)
        assert (await service.pushed.get()).path in service.channels
        assert await service.acks.get() == DELIVERED
        await browser.goto(f"{address}/push-key")
        assert await browser.call(NOTES) == [["Table 1", "It is your move", "put", 1]]
        await browser.goto(f"{address}/table/1")
        assert await browser.call(NO_NOTES) == []
        await until(lambda: not any(one.is_told for one in notices.kept.values()))


def _waits(server: ServerHarness) -> bool:
    """True if the notices have seen that a player is waited for."""
    return any(one.since is not None for one in server.server.notices.kept.values())


STUBS = """(([endpoint, p256dh, auth]) => {
    const made = {
        endpoint,
        unsubscribe: async () => { window.made = null; return true; },
        toJSON: () => ({ endpoint, keys: { p256dh, auth } }),
    };
    PushManager.prototype.getSubscription = async () => window.made ?? null;
    PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
        window.key = applicationServerKey;
        return (window.made = made);
    };
    Object.defineProperty(document, "visibilityState", { get: () => window.looks ?? "visible" });
    window.look = (looks) => { window.looks = looks; document.dispatchEvent(new Event("visibilitychange")); };
})"""
"""A browser that subscribes. `looks` is whether the page is seen."""

NOTIFICATIONS = """(() => {
    const notes = [];
    Notification.requestPermission = async () => "granted";
    Object.assign(ServiceWorkerRegistration.prototype, {
        getNotifications: async () => notes,
        showNotification: async (title, about) => {
            notes.push({ title, ...about, close() { notes.splice(notes.indexOf(this), 1); } });
        },
    });
})()"""
"""Notifications, which a browser without windows does not show."""


async def _person(people: Visitors, given: list[str] | None) -> Page:
    """A page with a subscription to give; None: its browser gives none."""
    context = await people.context(service_workers="allow")
    await context.add_init_script(NOTIFICATIONS)
    if given is not None:
        await context.add_init_script(f"{STUBS}({given!r})")
    page = await people.person("Moll", context=context)
    await page.get_by_role("button", name="Settings").click()
    return page


async def _choose(page: Page, value: str) -> None:
    await page.get_by_label("A notification when").select_option(value)


@needs_chromium
@pytest.mark.timeout(150)
@pytest.mark.asyncio(loop_scope="session")
async def test_page_gives_a_subscription_where_it_is_wanted_and_says_whether_it_is_seen(browser: Browser) -> None:
    """Unasked it gives none. With each connection it gives it again; it takes it back when it is wanted no more."""
    asked = Receiver().push("https://updates.push.services.mozilla.com/wpush/v2/x")
    async with visitors(browser, seed="1") as people:
        notices = people.server.notices

        def kept() -> list[tuple[str, bool]]:
            return [(one.browser.path, one.is_seen) for one in notices.kept.values()]

        page = await _person(people, [asked.endpoint, asked.p256dh, asked.auth])
        assert await page.evaluate("window.key ?? null") is None
        await _choose(page, "push")
        await until(lambda: kept() == [("/wpush/v2/x", True)])
        assert await page.evaluate("window.key") == notices.key_page().body.decode()
        await page.evaluate("look('hidden')")
        await until(lambda: kept() == [("/wpush/v2/x", False)])
        await page.evaluate(
            "navigator.serviceWorker.ready.then((one) => one.showNotification('Table 7', { body: '' }))"
        )
        notices.kept.clear()
        people.server.dispatcher.cut_all()
        await until(lambda: kept() == [("/wpush/v2/x", False)])
        assert len(await page.evaluate(NOTES)) == 1
        await page.evaluate("look('visible')")
        await until(lambda: kept() == [("/wpush/v2/x", True)])
        assert await page.evaluate(NO_NOTES) == []
        await _choose(page, "off")
        await until(lambda: not kept())
        assert await page.evaluate("window.made") is None


@needs_chromium
@pytest.mark.timeout(150)
@pytest.mark.asyncio(loop_scope="session")
async def test_press_on_a_notification_opens_the_table(browser: Browser) -> None:
    """In the page that is open. While a page is seen, no message is shown."""
    asked = Receiver().push("https://updates.push.services.mozilla.com/wpush/v2/x")
    async with visitors(browser, seed="1") as people:
        page = await _person(people, [asked.endpoint, asked.p256dh, asked.auth])
        await _choose(page, "push")
        await until(lambda: people.server.notices.kept)
        await open_table(page, "put-1674", house=True)
        await page.locator(MAY_PRESS).first.wait_for()
        await page.go_back()
        await page.get_by_role("button", name="Go there").wait_for()
        (keeper,) = page.context.service_workers
        await keeper.evaluate(NOTIFICATIONS.replace("Notification.requestPermission", "self.asked"))
        push = "(told) => self.dispatchEvent(new PushEvent('push', { data: JSON.stringify(told) }))"
        await keeper.evaluate(push, {"table": 1, "until": 0})
        assert await keeper.evaluate("self.registration.getNotifications()") == []
        await keeper.evaluate(
            """() => self.dispatchEvent(Object.assign(new ExtendableEvent("notificationclick"), {
                notification: { data: 1, close() { self.isClosed = true; } },
            }))"""
        )
        await page.locator(MAY_PRESS).first.wait_for()
        assert await page.evaluate("location.pathname") == "/table/1"
        assert await keeper.evaluate("self.isClosed")


@needs_chromium
@pytest.mark.timeout(150)
@pytest.mark.asyncio(loop_scope="session")
async def test_page_says_so_where_it_cannot_be_pushed_to(browser: Browser) -> None:
    """The browser has no push service, or the server asks none: the setting is then that of an open page."""
    for settings in ({}, {"push_hosts": ""}):
        async with visitors(browser, seed="1", **settings) as people:
            page = await _person(people, None)
            await _choose(page, "push")
            await page.get_by_text("You cannot be told by push here now").first.wait_for()
            await expect(page.get_by_label("A notification when")).to_have_value("on")
            assert people.server.notices.kept == {}
            people.complaints.clear()  # of the browser, which takes no push messages
