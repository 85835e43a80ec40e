"""Memory of the page over fifty games at one table, in a real browser, from when the log of the table is full.
`scripts/soak page` plays them."""

from tests.transport.sockets import running_server
from tests.web.browser import MAY_PRESS, chromium

GAMES = 50
LOG = 400
"""Sentences that the page keeps of a table."""

MOST_MORE = 1.15
"""Times the memory before them that it may have after them."""

LIMIT_S = 600.0

PLAYS = """what => {
    window.games = 0;
    setInterval(() => {
        const again = document.querySelector(".between .first:not(:disabled)");
        if (again?.textContent.includes("Another game")) { window.games++; again.click(); return; }
        (document.querySelector(what) ?? document.querySelector(".middle"))?.click();
    }, 5);
}"""


async def flat() -> int:
    """Play, and hold the heap and the nodes of the document against those before; returns the games."""
    async with running_server(backstop=LIMIT_S) as server, chromium() as browser:
        page = await browser.new_page(service_workers="block")
        await page.goto(f"http://127.0.0.1:{server.server.port}/")
        await page.fill("input[name=name]", "Moll")
        await page.keyboard.press("Enter")
        await page.locator(".quick button").first.click()
        session = await page.context.new_cdp_session(page)
        await session.send("Performance.enable")
        await page.evaluate(PLAYS, MAY_PRESS)
        full = "log => document.querySelectorAll('.told p').length >= log"
        await page.wait_for_function(full, arg=LOG, timeout=LIMIT_S * 1000)
        begun = await page.evaluate("window.games")
        seen = []
        for games in (begun, begun + GAMES):
            await page.wait_for_function("games => window.games >= games", arg=games, timeout=LIMIT_S * 1000)
            await session.send("HeapProfiler.collectGarbage")
            told = await session.send("Performance.getMetrics")
            metrics = {one["name"]: one["value"] for one in told["metrics"]}
            seen.append((metrics["JSHeapUsedSize"], metrics["Nodes"]))
        (heap, nodes), (heap_later, nodes_later) = seen
        assert heap_later < MOST_MORE * heap, seen
        assert nodes_later < MOST_MORE * nodes, seen
    return GAMES
