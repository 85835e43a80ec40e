"""Captures of the page for docs/web.md, by a real browser at a server of this process.

python -m tests.web.captures     writes docs/web/*.png; it needs what scripts/browser installs
"""

import asyncio
from pathlib import Path

from playwright.async_api import Browser, Page, ViewportSize, async_playwright

from put_server.app import serving
from put_server.settings import Settings
from tests.web.browser import CHROMIUM, MAY_PRESS, play_on

FOLDER = Path(__file__).parents[2] / "docs" / "web"
WEB = Path(__file__).parents[2] / "server" / "put_server" / "web"
PATIENCE_MS = 60_000

UPRIGHT = ViewportSize(width=360, height=640)
LYING = ViewportSize(width=844, height=390)

NEXT = """([what, wanted]) => {
    const { scene } = document.querySelector(".board").dataset;
    if (wanted.includes(scene) && (scene !== "hand" || document.querySelector(".showdown"))) return true;
    const all = [...document.querySelectorAll(what)];
    const says = wanted.includes("call") ? "say" : "throw";
    (all.find((one) => one.innerText.startsWith(says)) ?? all[0])?.click();
    const again = document.querySelector(".between .first:not(:disabled)");
    again?.click();
    return false;
}"""
"""Plays until one of these scenes is shown."""


async def _person(browser: Browser, address: str, name: str, *, dark: bool = False) -> Page:
    page = await browser.new_page(
        viewport={"width": 360, "height": 640}, device_scale_factor=1.5, color_scheme="dark" if dark else "light"
    )
    page.set_default_timeout(PATIENCE_MS)
    await page.goto(address)
    await page.locator("input[name=name]").wait_for()
    if name == "Moll":
        await page.screenshot(path=FOLDER / "door.png")
    await page.fill("input[name=name]", name)
    await page.keyboard.press("Enter")
    await page.locator(".lobby, .door button.first:not(:disabled)").first.wait_for()
    return page


async def _house_game(page: Page, title: str) -> None:
    await page.get_by_role("button", name=title).last.click()
    primer = page.locator(".brief + .row .first")
    await primer.or_(page.locator(".board")).first.wait_for()
    if await primer.count():
        await primer.click()
    await page.locator(MAY_PRESS).first.wait_for()


async def _press(page: Page, times: int) -> None:
    for _ in range(times):
        await page.locator(MAY_PRESS).first.click()
        await page.locator(f"{MAY_PRESS}, .between .first").first.wait_for()


async def _scenes(page: Page) -> None:
    """A put, the end of a hand and the end of a game, once each; the hand lies on its side for the second."""
    await page.emulate_media(reduced_motion="reduce")
    wanted = {"call": UPRIGHT, "hand": LYING, "game": UPRIGHT}
    while wanted:
        await page.wait_for_function(NEXT, arg=[MAY_PRESS, list(wanted)])
        kind = await page.evaluate("document.querySelector('.board').dataset.scene")
        await page.set_viewport_size(wanted.pop(kind))
        await page.screenshot(path=FOLDER / f"{kind}.png")
        await page.set_viewport_size(UPRIGHT)


async def main() -> None:
    """Every capture."""
    FOLDER.mkdir(exist_ok=True)
    settings = Settings(host="127.0.0.1", port=0, data=":memory:", name="The Bell")
    async with serving(settings, thinks=False) as server, async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        address = f"http://127.0.0.1:{server.port}/"
        moll = await _person(browser, address, "Moll")
        await moll.screenshot(path=FOLDER / "lobby.png")
        await _house_game(moll, "Put in the seventeenth century")
        await _press(moll, 2)
        await moll.screenshot(path=FOLDER / "put.png")
        await play_on(moll)
        await moll.get_by_role("button", name="Another game").wait_for()
        await moll.get_by_role("button", name="Analysis").click()
        await moll.locator(".review li").first.wait_for()
        await moll.locator(".tabs").evaluate("one => one.scrollIntoView()")
        await moll.screenshot(path=FOLDER / "analysis.png")
        meg = await _person(browser, address, "Meg")
        await _house_game(meg, "Put in the seventeenth century")
        await _scenes(meg)
        kit = await _person(browser, address, "Kit", dark=True)
        await _house_game(kit, "Triomphe Forcée")
        await _press(kit, 1)
        await kit.screenshot(path=FOLDER / "triomphe.png")
        nan = await _person(browser, address, "Nan")
        await _house_game(nan, "Primero")
        await _press(nan, 1)
        await nan.screenshot(path=FOLDER / "primero.png")
        phone = await _person(browser, address, "Fay", dark=True)
        await phone.get_by_role("button", name="New table").click()
        await phone.get_by_role("button", name="Open the table").click()
        await phone.locator(".share svg").wait_for()
        await phone.screenshot(path=FOLDER / "share.png")
        await phone.get_by_label("Or the house").wait_for()
        await phone.get_by_role("button", name="Invite the house").click()
        await phone.locator(".own .card").first.wait_for()
        await phone.get_by_role("button", name="Proofs").click()
        await phone.locator(".proofs").screenshot(path=FOLDER / "proofs.png")
        wall = await browser.new_page(viewport={"width": 1920, "height": 1080})
        await wall.goto(f"{address}watch/4")
        await wall.locator(".wall .board").wait_for()
        await _press(nan, 1)
        await wall.locator(".told p").first.wait_for()
        await wall.screenshot(path=FOLDER / "wall.png")
        await _icon(await browser.new_page(viewport={"width": 192, "height": 192}))
        await browser.close()


async def _icon(page: Page) -> None:
    """The icon for systems that take no drawing: to its edges, for they cut it to a shape of their own."""
    await page.set_content(f"<style>body {{ margin: 0; background: #12352a }}</style>{(WEB / 'icon.svg').read_text()}")
    await page.screenshot(path=WEB / "icon.png")


if __name__ == "__main__":
    asyncio.run(main())
