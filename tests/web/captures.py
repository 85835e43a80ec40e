"""Captures of the page for docs/web.md, by a real browser at a server of this process.

python -m tests.web.captures     writes docs/web/*.webp; it needs what scripts/browser installs

A sheet has one scene on every size of screen.
"""

import asyncio
from base64 import b64decode, b64encode
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, BrowserContext, Page, ViewportSize

from put_server.settings import Settings
from tests.serving import serving
from tests.web.browser import MAY_PRESS, WALL, chromium, play_on
from tests.web.scenes import begin, come_in, until

FOLDER = Path(__file__).parents[2] / "docs" / "web"
WEB = Path(__file__).parents[2] / "server" / "put_server" / "web"
PATIENCE_MS = 60_000
QUALITY = 70

SIZES = ((360, 640), (390, 844), (844, 390), (768, 1024), (1440, 900))
SCALE = 0.42

SHEET = """<style>body {{ margin: 0; padding: 8px; background: #ddd; display: flex; gap: 8px; align-items: flex-start }}
img {{ display: block }}</style>{}"""


async def _sheet(page: Page, name: str) -> None:
    """What the page shows now, on each size, in one picture."""
    shots = []
    for width, height in SIZES:
        await page.set_viewport_size(ViewportSize(width=width, height=height))
        await page.evaluate("scrollTo(0, 0)")
        shot = b64encode(await page.screenshot()).decode()
        shots.append(f'<img width={int(width * SCALE)} src="data:image/png;base64,{shot}">')
    await page.set_viewport_size(ViewportSize(width=SIZES[0][0], height=SIZES[0][1]))
    assert page.context.browser is not None
    paper = await page.context.browser.new_page(device_scale_factor=1.5)
    total = int(sum(width for width, _ in SIZES) * SCALE) + 8 * (len(SIZES) + 1)
    await paper.set_viewport_size(ViewportSize(width=total, height=int(1024 * SCALE) + 16))
    await paper.set_content(SHEET.format("".join(shots)))
    await _shoot(paper, name)
    await paper.close()


async def _shoot(page: Page, name: str, part: str = "") -> None:
    """What is on the screen, or a part of it, as WebP, which Playwright does not write by itself."""
    debugger = await page.context.new_cdp_session(page)
    wanted: dict[str, Any] = {"format": "webp", "quality": QUALITY}
    if part:
        box = await page.locator(part).evaluate("one => one.getBoundingClientRect().toJSON()")
        top = await page.evaluate("scrollY")
        wanted["clip"] = {
            "x": box["x"],
            "y": box["y"] + top,
            "width": box["width"],
            "height": box["height"],
            "scale": 1,
        }
    shot = await debugger.send("Page.captureScreenshot", wanted)
    (FOLDER / f"{name}.webp").write_bytes(b64decode(shot["data"]))


async def _context(browser: Browser, *, dark: bool = False) -> BrowserContext:
    made = await browser.new_context(
        viewport={"width": 360, "height": 640},
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce",
        service_workers="block",
    )
    made.set_default_timeout(PATIENCE_MS)
    return made


async def _games(browser: Browser, address: str) -> None:
    """The scenes of each family."""
    door = await (await _context(browser)).new_page()
    await door.goto(address)
    await door.locator("input[name=name]").wait_for()
    await _sheet(door, "door")
    moll = await come_in(await _context(browser), address)
    await _sheet(moll, "lobby")
    await begin(moll, "put-1674")
    await _sheet(moll, "put")
    await until(moll, "call", first='say "i put"')
    await _sheet(moll, "call")
    await until(moll, "trick", first="see")
    await _sheet(moll, "trick")
    await until(moll, "game")
    await moll.clock.run_for(2_000)
    await _sheet(moll, "game")
    kit = await come_in(await _context(browser, dark=True), address, "Kit")
    await begin(kit, "triomphe-forcee", seats=4)
    await until(kit, "trick")
    await _sheet(kit, "triomphe")
    nan = await come_in(await _context(browser), address, "Nan")
    await begin(nan, "primero", seats=4)
    await _sheet(nan, "primero")
    await until(nan, "hand")
    await _sheet(nan, "showdown")


async def _panels(browser: Browser, address: str) -> None:
    """What stands beside a table, and the wall."""
    meg = await (await _context(browser)).new_page()
    await meg.goto(address)
    await meg.fill("input[name=name]", "Meg")
    await meg.keyboard.press("Enter")
    await meg.locator(".play-now").click()
    await meg.locator(MAY_PRESS).first.wait_for()
    await play_on(meg)
    await meg.get_by_role("button", name="Another game").wait_for()
    await meg.get_by_role("button", name="Analysis").click()
    await meg.locator(".review li").first.wait_for()
    await meg.locator(".tabs").evaluate("one => one.scrollIntoView()")
    await _shoot(meg, "analysis")
    fay = await (await _context(browser, dark=True)).new_page()
    await fay.goto(address)
    await fay.fill("input[name=name]", "Fay")
    await fay.keyboard.press("Enter")
    await fay.get_by_role("button", name="New table").click()
    await fay.get_by_role("button", name="Open the table").click()
    await fay.locator(".share svg").wait_for()
    await _shoot(fay, "share")
    wall = await browser.new_page(viewport=ViewportSize(width=WALL["width"], height=WALL["height"]))
    await wall.goto(f"{fay.url.replace('/table/', '/watch/')}")
    await fay.get_by_role("button", name="Invite the house").click()
    await fay.locator(".own .card").first.wait_for()
    await fay.get_by_role("button", name="Proofs").click()
    await fay.locator(".proofs").scroll_into_view_if_needed()
    await _shoot(fay, "proofs", part=".proofs")
    await wall.locator(".wall .told p").first.wait_for()
    await wall.locator(".wall .board").wait_for()
    await _shoot(wall, "wall")


async def _icon(page: Page) -> None:
    """The icon for systems that take no drawing: to its edges, for they cut it to a shape of their own."""
    await page.set_content(f"<style>body {{ margin: 0; background: #12352a }}</style>{(WEB / 'icon.svg').read_text()}")
    await page.screenshot(path=WEB / "icon.png")


async def main() -> None:
    """Every capture."""
    FOLDER.mkdir(exist_ok=True)
    settings = Settings(host="127.0.0.1", port=0, data=":memory:", name="The Bell", seed=1)
    async with serving(settings, thinks=False) as server, chromium() as browser:
        address = f"http://127.0.0.1:{server.port}/"
        await _games(browser, address)
        await _panels(browser, address)
        await _icon(await browser.new_page(viewport={"width": 192, "height": 192}))


if __name__ == "__main__":
    asyncio.run(main())
