"""Scenes at a table, in a real browser whose clock the test moves: how long each stands, and what may be done in it."""

import re

import pytest
from playwright.async_api import Browser, Page, expect

from tests.web.browser import MAY_PRESS, Visitors, needs_chromium, play_on, visitors
from tests.web.scenes import begin, come_in, until
from tests.web.test_browser import open_table

pytestmark = [needs_chromium, pytest.mark.timeout(150), pytest.mark.asyncio(loop_scope="session")]

LAST_SCENES = {"put-1674": "trick", "triomphe-forcee": "trick", "primero": "hand"}
"""A game of each family, and the scene with the last cards of a trick, or of a hand without tricks."""

LOOKS_MS = 1_000
"""For which they stand at least."""

SEEDS = {"put-1674": "2", "triomphe-forcee": "1", "primero": "1"}
"""With these the house plays in the first hand of Put, and does not put at once, and hands are shown in Primero."""


async def _table(people: Visitors, game: str, *, turn: int = 0, **options: int) -> Page:
    page = await come_in(await people.context(), people.address)
    await begin(page, game, turn=turn, dealing="plain", **options)
    return page


@pytest.mark.parametrize("game", LAST_SCENES)
async def test_last_cards_of_a_trick_stand_for_a_second(browser: Browser, game: str) -> None:
    """In every family; then the game goes on by itself. The question, its reason and the choices are gone, and the
    player's cards are where they were, to a pixel of rounding."""
    async with visitors(browser, seed=SEEDS[game]) as people:
        page = await _table(people, game)
        kind, top = LAST_SCENES[game], "one => one.getBoundingClientRect().y"
        before = await page.locator(".own .card").first.evaluate(top)
        await until(page, kind)
        cards = page.locator(".middle [data-card]")
        await cards.nth(1).wait_for()
        shown = await cards.evaluate_all("all => all.map((one) => one.dataset.card)")
        await expect(page.locator(".why")).to_have_count(0)
        if game == "put-1674":
            assert abs(await page.locator(".own .card").first.evaluate(top) - before) < 2
        await page.clock.run_for(LOOKS_MS)
        assert await cards.evaluate_all("all => all.map((one) => one.dataset.card)") == shown
        await page.clock.run_for(5_000)
        await expect(page.locator(f".board:not([data-scene={kind}])")).to_be_visible()


async def test_hand_and_a_game_end_on_the_table(browser: Browser) -> None:
    """From a hand a tap goes on before its time. A game is won or lost at first sight: in large letters, with what
    decided it; it stays."""
    async with visitors(browser, seed="1") as people:
        page = await _table(people, "put-1674", target=2)
        await until(page, "hand", first="throw")
        ending = page.locator(".ending")
        await expect(ending.locator("p").first).to_be_visible()
        await page.locator(".go-on").click()
        await expect(page.locator(".board[data-scene=hand]")).to_have_count(0)
        await until(page, "game")
        await page.clock.run_for(10_000)
        assert (await ending.locator("h2").inner_text()) in {"You won!", "You lost."}
        await expect(ending).to_contain_text("win")
        await expect(page.get_by_role("button", name="Another game")).to_be_visible()


@pytest.mark.parametrize(
    ("seed", "game", "first", "call", "risk", "answers"),
    [
        ("1", "put-1674", 'say "i put"', "I put!", "must see it or throw in", "I see it!|I throw in."),
        ("6", "truc", "offer to double", "I double!", "must take it or throw in", "I take it!"),
    ],
)
async def test_put_fills_the_table_and_is_answered(
    browser: Browser, seed: str, game: str, first: str, call: str, risk: str, answers: str
) -> None:
    """With the name of the player who put, and what it risks; so is the answer to it."""
    async with visitors(browser, seed=seed) as people:
        page = await _table(people, game)
        await until(page, "call", first=first)
        said = page.locator(".call q")
        await expect(said).to_have_text(call)
        caller = "Doll" if "Doll" in await page.locator(".call").inner_text() else "Moll"
        await expect(page.locator(".call")).to_contain_text(caller)
        await expect(page.locator(".latest")).to_contain_text(risk)
        await page.clock.run_for(LOOKS_MS)
        await expect(said).to_have_text(call)
        await page.clock.run_for(LOOKS_MS)
        if caller == "Doll":  # the house put before Moll could
            await page.locator(MAY_PRESS).first.click()
            await page.clock.run_for(LOOKS_MS)
        await expect(said).to_have_text(re.compile(answers))
        await expect(page.locator(".call")).to_contain_text("Doll" if caller == "Moll" else "Moll")


async def test_scene_costs_nobody_their_clock(browser: Browser) -> None:
    """Where a clock runs, the next hand may be played at once, while the end of the last is still shown."""
    async with visitors(browser, seed="1") as people:
        page = await _table(people, "put-1674", turn=60)
        await until(page, "hand", first="throw")
        await expect(page.locator(f".board[data-scene=hand] {MAY_PRESS}").first).to_be_visible()
        await page.locator(MAY_PRESS).first.click()
        await expect(page.locator(".board[data-scene=hand]")).to_have_count(0)


async def test_cards_drawn_for_the_deal_are_shown(browser: Browser) -> None:
    """Each with its player, while the sentence says so."""
    async with visitors(browser, seed="1") as people:
        page = await come_in(await people.context(), people.address)
        await page.clock.pause_at(await page.evaluate("Date.now() / 1000 + 1"))
        await page.locator(".play-now").dispatch_event("click")
        await expect(page.locator(".middle li [data-card]")).to_have_count(2)
        await expect(page.locator(".latest")).to_contain_text("you draw")


async def test_keyboard_is_led_to_what_goes_on(browser: Browser) -> None:
    """At the end of a hand to the way on, and into a replay."""
    async with visitors(browser, seed="1") as people:
        page = await come_in(await people.context(), people.address)
        await begin(page, "put-1674")
        await until(page, "hand", first="throw")
        await page.clock.run_for(100)
        await expect(page.locator(".go-on")).to_be_focused()
        await page.get_by_role("button", name="Look at this game again").click()
        await page.clock.run_for(100)
        await expect(page.locator(".replay")).to_be_focused()


async def test_replay_ends_where_the_next_game_begins(browser: Browser) -> None:
    """For a player who agreed to it, and looks at the last one until the other agrees."""
    async with visitors(browser, seed="1") as people:
        pages = [await people.person("Moll")]
        await open_table(pages[0], "put-1674")
        pages.append(await people.person("Nan", "/table/1"))
        await pages[1].get_by_role("button", name="Sit down").click()
        again = [page.get_by_role("button", name="Another game") for page in pages]
        for page in pages:
            await play_on(page)
        for page in pages:
            await again[pages.index(page)].wait_for()
            await page.evaluate("clearInterval(window.playing)")
        await again[0].click()
        await pages[0].get_by_role("button", name="Look at this game again").click()
        await pages[0].locator(".replay").wait_for()
        await again[1].click()
        await pages[0].locator(".own .card").first.wait_for()
        await expect(pages[0].locator(".replay")).to_have_count(0)
