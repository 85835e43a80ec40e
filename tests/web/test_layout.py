"""The law of a table's layout, in a real browser: in every family, with few and with many players, on every size of
screen, all that a decision needs is on the screen at once, and nothing lies over anything else."""

import base64
import json
import zlib
from typing import Any

import pytest
from playwright.async_api import Browser, FloatRect, Page, ViewportSize

from tests.repetitions import TURN
from tests.text.english_words import english_in
from tests.web.browser import MAY_PRESS, go_on, needs_chromium, visitors
from tests.web.test_browser import open_table

pytestmark = [needs_chromium, pytest.mark.timeout(150), pytest.mark.asyncio(loop_scope="session")]

SIZES = ((360, 640), (390, 664), (844, 390), (768, 1024), (1440, 900))

LOOKED_AT = SIZES if TURN else SIZES[::2]
"""In the suite a phone's, upright and on its side, and a desk's."""

TABLES = (
    ("put-1674", 2),
    ("put-1674", 3),
    ("put-1674", 4),
    ("put-partners", 4),
    ("truc", 2),
    ("triomphe-forcee", 4),
    ("triomphe-forcee", 7),
    ("triomphe-forcee", 10),
    ("primero", 3),
    ("primero", 6),
)

FRENCH = "fr-FR"

IN_FRENCH = (
    ("truc", 2, FRENCH),
    ("triomphe-forcee", 4, FRENCH),
    ("triomphe-forcee", 10, FRENCH),
    ("primero", 6, FRENCH),
)

ALL = (*((*table, "en-GB") for table in TABLES), *IN_FRENCH)

FULLEST = (("put-1674", 4, "en-GB"), ("primero", 3, FRENCH), ("triomphe-forcee", 10, FRENCH))
"""Tables of the suite: many players, long words of French, and the marks of a blind deal. Where there is room for
these, there is for fewer; a campaign looks at all."""

DECISIONS = 7 if TURN else 2
"""Looked at, of each table; the last one with letters of twice the size, too. A campaign looks at more."""

BLIND = (("put-1674", 2), ("primero", 3)) if TURN else (("put-1674", 4),)
"""Tables with the marks of a blind deal. The others are dealt plain, which takes the page a fifth of the time."""

LARGE_PX = 32
"""Twice the size that browsers begin with."""

FAULTS = """async () => {
    scrollTo(0, 0);
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
    const parts = {
        strip: ".strip", seat: ".seat", trick: ".middle .trick li", pot: ".middle .pot", call: ".middle .call",
        asks: ".asks", why: ".why", hand: ".own > *", action: ".actions button",
    };
    const boxes = Object.entries(parts).flatMap(([part, what]) =>
        [...document.querySelectorAll(what)].map((one) =>
            ({ part, text: one.innerText, box: one.getBoundingClientRect() })));
    const round = ({ x, y, right, bottom }) => [x, y, right, bottom].map(Math.round);
    const say = ({ part, text, box }) => `${part} (${text}) at ${round(box)}`;
    const faults = [];
    for (const one of boxes) {
        const { x, y, right, bottom } = one.box;
        if (x < -1 || y < -1 || right > innerWidth + 1 || bottom > innerHeight + 1) faults.push(`outside: ${say(one)}`);
    }
    boxes.forEach((one, at) => boxes.slice(at + 1).forEach((other) => {
        if (one.part === "hand" && other.part === "hand") return; // a hand of five is a fan
        const wide = Math.min(one.box.right, other.box.right) - Math.max(one.box.x, other.box.x);
        const high = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.y, other.box.y);
        if (wide > 1 && high > 1) faults.push(`${say(one)} over ${say(other)}`);
    }));
    const found = new Set(boxes.map(({ part }) => part));
    for (const part of ["seat", "asks", "strip"]) if (!found.has(part)) faults.push(`no ${part}`);
    if (!found.has("hand") && !found.has("action")) faults.push("nothing to press");
    if (document.documentElement.scrollWidth > innerWidth) faults.push("too wide");
    return faults;
}"""


@pytest.mark.parametrize(("game", "seats", "locale"), ALL if TURN else FULLEST)
async def test_all_that_a_decision_needs_is_on_the_screen_and_nothing_overlaps(
    browser: Browser, game: str, seats: int, locale: str
) -> None:
    """The ranks, all players, the trick or the pot, the question, the hand and every choice. In French nothing of it is
    English."""
    async with visitors(browser, seed="1") as people:
        page = await people.person("Bartholomea Featherstone", context=await people.context(locale=locale))
        await page.locator(".of-lobby button").nth(1).click()
        await page.select_option("select[name=game]", game)
        await page.select_option("select[name=seats]", str(seats))
        await page.select_option("select[name=others]", index=1)
        await page.locator("form.form details summary").click()
        if (game, seats) not in BLIND:
            await page.select_option("[name='option dealing']", "plain")
        elif game == "put-1674":
            await page.select_option("[name='option pack']", "28")
        await page.locator("form.form button.first").click()
        browser_settings = await page.context.new_cdp_session(page)
        for number in range(DECISIONS):
            await go_on(page, MAY_PRESS)
            if await page.locator(".ending h2").count():
                break
            await _check(page)
            if locale == FRENCH:
                assert not english_in(await page.inner_text("body"))
            if number == DECISIONS - 1:
                await browser_settings.send("Page.setFontSizes", {"fontSizes": {"standard": LARGE_PX}})
                await _check(page)
            await page.locator(MAY_PRESS).last.click()


async def test_names_are_whole_and_settings_in_reach_on_a_phone(browser: Browser) -> None:
    """Of a player who deals and is out; and with many tables, which scroll beside the settings."""
    cut = "all => all.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.innerText)"
    async with visitors(browser, seed="1") as people:
        page = await people.person("Moll")
        await open_table(page, "put-partners", house=True)
        await go_on(page, MAY_PRESS)
        await page.locator(MAY_PRESS).last.click()
        await page.locator(".felt .seat.out .dealer").wait_for()
        assert await page.locator(".felt .who").evaluate_all(cut) == []
        for _ in range(2):
            await page.get_by_role("button", name="Lobby").click()
            await open_table(page, "put-1674", house=True)
        right = "one => one.getBoundingClientRect().right - innerWidth"
        assert await page.get_by_role("button", name="Settings").evaluate(right) <= 0


async def test_rules_that_scroll_have_a_mark_until_their_end(browser: Browser) -> None:
    """In the corner, where no text comes: bars that a phone hides are none. A board that is drawn again, as with each
    second of a clock, leaves them where they are."""
    async with visitors(browser, seed="1") as people:
        page = await people.person("Moll")
        await page.set_viewport_size(ViewportSize(width=360, height=640))
        await page.locator(".of-lobby button").nth(1).click()
        await page.select_option("select[name=game]", "primero")
        await page.select_option("select[name=others]", index=1)
        await page.locator("form.form button.first").click()
        await page.locator(MAY_PRESS).first.wait_for()
        corners, moved = [], 0
        for place in (0, 10_000):
            moved = await page.locator(".strip").evaluate(
                "(one, y) => { one.scrollTop = y; dispatchEvent(new Event('resize')); return one.scrollTop; }", place
            )
            box = await page.locator(".strip").evaluate("one => one.getBoundingClientRect().toJSON()")
            clip = FloatRect(x=box["right"] - 10, y=box["bottom"] - 6, width=8, height=5)
            corners.append(await page.screenshot(clip=clip))
        assert moved > 0, "not all is seen"
        assert corners[0] != corners[1]


async def _check(page: Page) -> None:
    await page.mouse.move(0, 0)  # a card under the pointer is lifted
    faults: list[str] = []
    for width, height in LOOKED_AT:
        await page.set_viewport_size(ViewportSize(width=width, height=height))
        faults += [f"{width}x{height} {fault}" for fault in await page.evaluate(FAULTS)]
    assert not faults, "\n".join(faults)


def _link(view: dict[str, Any]) -> str:
    """The path of a game in a link, of one scene: the end of a hand between three."""
    seats = [{"name": name} for name in ("Moll", "Ned", "Doll")]
    scene = {"kind": "hand", "event": {"event": "hand"}, "view": view, "says": ["Doll wins."], "board": []}
    info = {"game": "put-1674", "seats": seats}
    game = {"title": "Put", "direction": "clockwise", "viewer": 0, "info": info, "steps": [scene]}
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    packed = packer.compress(json.dumps(game).encode()) + packer.flush()
    return f"/#game={base64.urlsafe_b64encode(packed).decode().rstrip('=')}"


async def test_cards_of_a_trick_are_under_each_other_at_the_end_of_a_hand(browser: Browser) -> None:
    """Also where a player threw in before it."""
    tricks: list[dict[str, Any]] = [
        {"seats": [1, 2, 0], "cards": ["3h", "5h", "6c"], "winner": 1},
        {"seats": [1, 2, 0], "cards": ["10c", "Qh", "8d"], "winner": 2},
        {"seats": [2, 0], "cards": ["2h", "4d"], "winner": 2},
    ]
    view = {"view": "put", "target": 5, "scores": [0, 0, 1], "cards": [], "counts": [], "trick": {}, "past": tricks}
    async with visitors(browser) as people:
        page = await people.page(_link(view))
        card = page.locator(".showdown [data-card]")
        await card.nth(7).wait_for()
        at = {str(await one.get_attribute("data-card")): await one.bounding_box() for one in await card.all()}
        columns = [{round(box["x"]) for one in trick["cards"] if (box := at[one])} for trick in tricks]
        assert [len(column) for column in columns] == [1, 1, 1]
        assert len(set.union(*columns)) == 3


async def test_hand_of_a_position_is_as_large_as_on_a_table(browser: Browser) -> None:
    """Each card beside the others, on the felt, and all of it on a screen that is scrolled to it."""
    async with visitors(browser) as people:
        page = await people.person("Moll")
        await page.get_by_role("button", name="Practise").click()
        await page.get_by_role("button", name="A position").click()
        cards = page.locator(".drill .board .own > *")
        await cards.first.wait_for()
        for width, height in SIZES:
            await page.set_viewport_size(ViewportSize(width=width, height=height))
            assert min(await cards.evaluate_all("all => all.map((one) => one.getBoundingClientRect().width)")) >= 44
            board = await page.locator(".drill .board").bounding_box()
            assert board is not None
            assert board["height"] <= height
