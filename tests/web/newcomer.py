"""Taps of a newcomer from the address to the end of a first game, in a real browser.

python -m tests.web.newcomer     prints the taps to a table, and in all, straight to a game and by the first hands
"""

import asyncio

from playwright.async_api import Page

from tests.transport.sockets import running_server
from tests.web.browser import BACKSTOP, MAY_PRESS, PATIENCE_MS, PHONE, chromium, go_on

LESSONS = (
    (("4 of diamonds", "ace of hearts"), ("I put", "3 of spades")),
    (("throw in", "see the put"), ("ace of diamonds", "2 of clubs"), ("ace of diamonds", "3 of hearts")),
    (("see the put", "throw in"),),
)
"""At each choice of a lesson: what is answered with a reason, and what the lesson waits for."""

CHOICE, NEXT_LESSON = ".lesson .hand button", ".lesson .near > .first"

ENDING = ".ending h2"
NEXT = f"{MAY_PRESS}, .go-on"
"""What a player taps: a choice, or the end of a hand."""


class Newcomer:
    """A person at a phone, and how often they tapped."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taps = 0

    async def tap(self, what: str, name: str = "") -> None:
        """Tap the first of these, or the one of that name."""
        found = self.page.locator(what)
        await (found.filter(has_text=name) if name else found).first.click()
        self.taps += 1

    async def learn(self) -> None:
        """The first hands, without a mistake."""
        await self.tap(".invitation .first")
        for lesson in LESSONS:
            for _, right in lesson:
                await go_on(self.page, CHOICE)
                await self.tap(CHOICE, right)
            await go_on(self.page, NEXT_LESSON)
            await self.tap(NEXT_LESSON)

    async def play(self) -> None:
        """The first game to its end."""
        while not await self.page.locator(ENDING).count():
            await self.page.locator(f"{NEXT}, {ENDING}").first.wait_for()
            if await self.page.locator(NEXT).count():
                await self.tap(NEXT)


async def main() -> None:
    """Both ways."""
    for by_lessons in (False, True):
        async with running_server(backstop=BACKSTOP, seed="1") as server, chromium() as browser:
            page = await browser.new_page(viewport={"width": PHONE["width"], "height": PHONE["height"]})
            page.set_default_timeout(PATIENCE_MS)
            await page.goto(f"http://127.0.0.1:{server.server.port}/")
            await page.fill("input[name=name]", "Moll")
            one = Newcomer(page)
            await one.tap(".door .first")
            await (one.learn() if by_lessons else one.tap(".play-now"))
            await page.locator(MAY_PRESS).first.wait_for()
            to_table = one.taps
            await one.play()
            how = "by the first hands" if by_lessons else "straight to a game"
            print(f"{how}: {to_table} taps to the table, {one.taps} to the end of the game")


if __name__ == "__main__":
    asyncio.run(main())
