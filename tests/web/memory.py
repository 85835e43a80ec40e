"""Memory of the page over fifty games at one table, in a real browser.

python -m tests.web.memory     prints the kilobytes of its heap, and the nodes of its document, after each ten games
"""

import asyncio

from put_server.app import serving
from put_server.settings import Settings
from tests.web.browser import MAY_PRESS, chromium

GAMES = 50
EACH = 10

PLAYS = """what => {
    window.games = 0;
    setInterval(() => {
        const again = document.querySelector(".between .first:not(:disabled)");
        if (again?.textContent.includes("Another game")) { window.games++; again.click(); return; }
        (document.querySelector(what) ?? document.querySelector(".middle"))?.click();
    }, 5);
}"""


async def main() -> None:
    """A person plays the house, faster than any person."""
    settings = Settings(host="127.0.0.1", port=0, data=":memory:")
    async with serving(settings, thinks=False) as server, chromium() as browser:
        page = await browser.new_page()
        await page.goto(f"http://127.0.0.1:{server.port}/")
        await page.fill("input[name=name]", "Moll")
        await page.keyboard.press("Enter")
        await page.locator(".quick button").first.click()
        session = await page.context.new_cdp_session(page)
        await session.send("Performance.enable")
        await page.evaluate(PLAYS, MAY_PRESS)
        for games in range(EACH, GAMES + 1, EACH):
            await page.wait_for_function("games => window.games >= games", arg=games, timeout=600_000)
            await session.send("HeapProfiler.collectGarbage")
            told = await session.send("Performance.getMetrics")
            metrics = {one["name"]: one["value"] for one in told["metrics"]}
            print(games, int(metrics["JSHeapUsedSize"] / 1000), int(metrics["Nodes"]), flush=True)


if __name__ == "__main__":
    asyncio.run(main())
