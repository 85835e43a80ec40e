"""The law of a table's layout at the end of a hand and of a game: every shown card and name can be read, all of it
is on the screen, and nothing lies over anything else."""

import pytest
from playwright.async_api import Browser, Page, ViewportSize

from tests.repetitions import TURN
from tests.web.browser import needs_chromium, visitors
from tests.web.scenes import begin, come_in, until
from tests.web.test_layout import LARGE_PX, SIZES

pytestmark = [needs_chromium, pytest.mark.timeout(150), pytest.mark.asyncio(loop_scope="session")]

ENDS: tuple[tuple[str, int, str, dict[str, int]], ...] = (
    ("put-1674", 3, "hand", {}),
    ("put-1674", 4, "hand", {}),
    ("put-partners", 4, "game", {}),
    ("truc", 2, "hand", {}),
    ("triomphe-forcee", 4, "hand", {}),
    ("triomphe-forcee", 7, "hand", {}),
    ("triomphe-forcee", 10, "hand", {}),
    ("primero", 4, "game", {"hands": 1}),
    ("put-1674", 4, "game", {"target": 1}),
    ("triomphe-forcee", 10, "game", {"hands": 3}),
    ("primero", 6, "game", {"hands": 1}),
)
"""A rule set, players, and the scene that ends a hand or a game."""

FULLEST = [("put-1674", 4, "hand", {}), ("primero", 6, "game", {"hands": 1})]
"""Those of the suite: the end of a hand and of a game, with many players. What overlaps with few does so
with more; a campaign looks at all."""

TIGHTEST = SIZES if TURN else (SIZES[0], SIZES[2])
"""Screens: in the suite the narrowest and the lowest."""

FIRST = {"primero": "see"}
"""Pressed where it is offered, so that hands are shown."""

NAME = "Bartholomea Featherstone"
USUAL_PX = 16
SMALLEST_PX = 10
"""Height of the letters of a rank."""

STEP_MS = 200
"""A showdown stands for longer."""

FEWEST_CARDS = 6
"""Of a showdown that is looked at."""

FAULTS = """([smallest, fewest, title]) => {
    dispatchEvent(new Event("resize")); // the clock stands, and with it all frames
    const parts = {
        strip: ".strip", seat: ".seat", title: ".ending h2", says: ".ending > p", name: ".showdown li > :first-child",
        card: ".showdown .card", "go on": ".go-on",
    };
    const found = Object.entries(parts).flatMap(([part, what]) => [...document.querySelectorAll(what)]
        .map((one) => ({ part, one, text: one.innerText ?? one.dataset.card, box: one.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 0));
    const round = ({ x, y, right, bottom }) => [x, y, right, bottom].map(Math.round);
    const say = ({ part, text, box }) => `${part} (${text}) at ${round(box)}`;
    const faults = [];
    for (const each of found) {
        const { part, one, box } = each;
        const isOutside = box.x < -1 || box.y < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1;
        if (isOutside) faults.push(`outside: ${say(each)}`);
        const isText = ["title", "says", "name"].includes(part);
        if (isText && one.scrollWidth > one.clientWidth + 1) faults.push(`cut off: ${say(each)}`);
        if (part === "name" && innerWidth > 700) {
            one.style.overflowWrap = "normal";
            if (one.scrollWidth > one.clientWidth + 1) faults.push(`broken within a word: ${say(each)}`);
            one.style.overflowWrap = "";
        }
        if (part !== "card") continue;
        const heights = [...one.querySelectorAll(".rank, .corner")].map((text) => text.getBoundingClientRect().height);
        if (!(Math.max(...heights) >= smallest)) faults.push(`too small: ${say(each)} ${heights}`);
    }
    found.forEach((one, at) => found.slice(at + 1).forEach((other) => {
        const wide = Math.min(one.box.right, other.box.right) - Math.max(one.box.x, other.box.x);
        const high = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.y, other.box.y);
        if (wide > 1 && high > 1) faults.push(`${say(one)} over ${say(other)}`);
    }));
    if (document.documentElement.scrollWidth > innerWidth) faults.push("too wide");
    const count = (part) => found.filter((one) => one.part === part).length;
    if (count("says") < 1 || count("name") < 2 || count("card") < fewest) faults.push("no showdown");
    if (count("title") !== (title ? 1 : 0)) faults.push("no title");
    return faults;
}"""


@pytest.mark.parametrize(("game", "seats", "kind", "options"), ENDS if TURN else FULLEST)
async def test_showdown_is_read_on_every_screen(
    browser: Browser, game: str, seats: int, kind: str, options: dict[str, int]
) -> None:
    """With four hands, and more, and letters of twice the size."""
    async with visitors(browser, seed="1") as people:
        page = await come_in(await people.context(), people.address, NAME)
        await begin(page, game, seats=seats, dealing="plain", **options)
        debugger = await page.context.new_cdp_session(page)
        for letters in (USUAL_PX, LARGE_PX):
            await debugger.send("Page.setFontSizes", {"fontSizes": {"standard": letters}})
            for size in TIGHTEST:
                await page.set_viewport_size(ViewportSize(width=size[0], height=size[1]))
                faults = await _faults(page, kind, FIRST.get(game, ""))
                assert not faults, "\n".join([f"{size}, letters of {letters} pixels", *faults])


async def _faults(page: Page, kind: str, first: str) -> list[str]:
    """What is wrong with a showdown. The house may play on, and the page catch up: then another one is looked at."""
    board = page.locator(".board")
    while True:
        await until(page, kind, first=first, step_ms=STEP_MS)
        if await page.locator(".showdown .card").count() < FEWEST_CARDS:  # it was given up before
            await page.clock.run_for(5_000)
            again = page.get_by_role("button", name="Another game")
            if await again.count():
                await again.click()
            continue
        await page.evaluate("scrollTo(0, 0)")
        told = await page.locator(".ending").inner_text()
        faults: list[str] = await page.evaluate(FAULTS, [SMALLEST_PX, FEWEST_CARDS, kind == "game"])
        if await board.get_attribute("data-scene") == kind and await page.locator(".ending").inner_text() == told:
            return faults
