"""A table with the house, in a browser whose clock the caller moves: any scene stands as long as it is looked at."""

from playwright.async_api import BrowserContext, Page

from tests.web.browser import MAY_PRESS

STEP_MS = 50

PRESS = """([what, kind, first]) => {
    const { scene, waits } = document.querySelector(".board").dataset;
    if (scene === kind) return "there";
    if (scene === "game") return "over";
    if (waits === "true") {
        document.querySelector(".middle").click();
        return "gone on";
    }
    const all = [...document.querySelectorAll(what)];
    (all.find((one) => first && one.innerText.toLowerCase().startsWith(first)) ?? all[0])?.click();
    return "pressed";
}"""


async def come_in(context: BrowserContext, address: str, name: str = "Moll") -> Page:
    """The lobby of a person in a browser whose clock is the caller's."""
    await context.clock.install()
    page = await context.new_page()
    await page.goto(address)
    await page.fill("input[name=name]", name)
    await page.keyboard.press("Enter")
    await page.locator(".play-now").wait_for()
    return page


async def begin(page: Page, game: str, *, seats: int = 0, turn: int = 0, **options: int | str) -> None:
    """Open a table with the house; its clock stands when the first choice is there."""
    await page.get_by_role("button", name="New table").click()
    await page.select_option("select[name=game]", game)
    if seats:
        await page.select_option("select[name=seats]", str(seats))
    await page.select_option("select[name=others]", index=1)
    await page.get_by_text("Options", exact=True).click()
    await page.fill("input[name=turn]", str(turn))
    for name, value in options.items():
        field = page.locator(f"[name='option {name}']")
        await (field.select_option(value) if isinstance(value, str) else field.fill(str(value)))
    await page.get_by_role("button", name="Open the table").click()
    await page.locator(MAY_PRESS).first.wait_for()
    await page.clock.pause_at(await page.evaluate("Date.now() / 1000 + 1"))


async def until(page: Page, kind: str, *, first: str = "", step_ms: int = STEP_MS) -> None:
    """Play until this kind of scene begins, pressing what begins with `first` where it is offered. Other scenes are
    gone on from at once."""
    for _ in range(2_000):
        did = await page.evaluate(PRESS, [MAY_PRESS, kind, first])
        if did == "there":
            return
        if did == "pressed":
            await page.clock.run_for(step_ms)
        if did == "over":
            break
    raise AssertionError(f"no {kind} was shown")
