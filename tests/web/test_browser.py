"""The page in a real browser: phones and a wall play whole games, and nobody is fooled."""

import asyncio
import json
import re
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, Page, WebSocketRoute, expect

from put_client.fairness.verify import UNFAIR_STATUS, main
from put_client.own_page import OwnPage
from put_client.sdk.dialler import Dialler
from put_rules.registry import GAMES
from put_text.notation import read
from tests.repetitions import TURN, some
from tests.text.english_words import english_in
from tests.transport.sockets import running_server
from tests.web.browser import (
    BACKSTOP,
    MAY_PRESS,
    POLL_MS,
    WALL,
    Visitors,
    flaws,
    go_on,
    needs_axe,
    needs_chromium,
    play_on,
    pressed,
    visitors,
)
from tests.web.codes import is_code_of
from tests.web.newcomer import CHOICE, LESSONS, NEXT_LESSON
from tests.web.test_language import FRENCH

pytestmark = [needs_chromium, pytest.mark.timeout(150), pytest.mark.asyncio(loop_scope="session")]

LONGEST_REPLAY_MS = 120_000
"""Of a game of one point."""

FAMILIES: dict[str, tuple[int, dict[str, int | str]]] = {
    "put-1674": (2, {"target": 1, "dealing": "plain"}),
    "triomphe-forcee": (4, {"hands": 1, "dealing": "plain"}),
    "primero": (3, {"hands": 1, "dealing": "blind" if TURN else "plain"}),
}
"""Players, and options that make a game short. In campaigns one is dealt blind, where the server reads hands; other
tests play such a game in a browser without a network that drops, and by the page's modules with one."""


async def open_table(page: Page, game: str, *, house: bool = False, **more: str | int) -> None:
    """Open a table by the form, for whoever comes, or with the house. `more`: options."""
    short: dict[str, int | str] = {"rubber" if game == "truc" else "target": 1, "dealing": "plain"}
    seats, options = FAMILIES.get(game, (min(GAMES[game].offer.seats), short))
    await page.get_by_role("button", name="New table").click()
    await page.select_option("select[name=game]", game)
    await page.select_option("select[name=seats]", str(seats))
    if house:
        await page.select_option("select[name=others]", index=1)
    await page.get_by_text("Options", exact=True).click()
    for name, value in (options | more).items():
        field = page.locator(f"[name='option {name}']")
        is_list = await field.evaluate("field => field.tagName === 'SELECT'")
        await (field.select_option(str(value)) if is_list else field.fill(str(value)))
    await page.get_by_role("button", name="Open the table").click()
    await page.locator(".board").wait_for()


@pytest.mark.parametrize("game", some(list(FAMILIES), 3))
async def test_two_phones_and_a_wall_play_a_whole_game(browser: Browser, game: str) -> None:
    """One by the lobby, one by the address of the table; the network drops in the middle. The wall shows the game, and
    nobody's hidden cards."""
    async with visitors(browser) as people:
        moving = await people.context(reduced_motion="no-preference")
        moll = await people.person("Moll", context=moving)
        await open_table(moll, game)
        nan = await people.person("Nan", "/table/1")
        await nan.get_by_role("button", name="Sit down").click()
        wall = await people.page("/watch/1", size=WALL)
        await wall.locator(".wall .board").wait_for()
        await nan.locator(".board").wait_for()
        for _ in range(FAMILIES[game][0] - 2):
            await moll.get_by_role("button", name="Invite the house").click()
        await play_on(moll)
        await play_on(nan)
        await pressed(moll, 2)
        people.server.dispatcher.cut_all()
        for page in (moll, nan):
            await page.get_by_role("button", name="Another game").wait_for()
        assert await wall.locator(".own, button").count() == 0
        await expect(wall.locator(".told")).to_contain_text("Moll")
        names = {person.name for person in people.server.dispatcher.lobby.people.values()}
        assert {"Moll", "Nan"} < names


async def test_two_phones_keep_their_keys(browser: Browser, tmp_path: Path) -> None:
    """Each sees its own hand, also after it is loaded again; and plays on after the network dropped. What one saves,
    others find good. One has its page from `put-client --page`, and in campaigns a sixth of the speed until its cards
    are there: a slow phone keeps a core busy for as long as it is slow."""
    async with visitors(browser) as people, AsyncExitStack() as stack:
        own = OwnPage(Dialler("127.0.0.1", people.server.port))
        tasks = await stack.enter_async_context(asyncio.TaskGroup())
        await stack.enter_async_context(await own.serve(tasks))
        moll = await people.person("Moll", at=f"http://127.0.0.1:{own.port}")
        session = await moll.context.new_cdp_session(moll)
        await session.send("Emulation.setCPUThrottlingRate", {"rate": 6 if TURN else 1})
        await open_table(moll, "put-1674", dealing="blind", pack=28)
        nan = await people.person("Nan", "/table/1")
        await nan.get_by_role("button", name="Sit down").click()
        names = "cards => cards.map(one => one.ariaLabel).join()"
        hands = []
        for page in (moll, nan):
            await page.locator(".own .card").first.wait_for()
            hands.append(await page.locator(".own .card").evaluate_all(names))
        await session.send("Emulation.setCPUThrottlingRate", {"rate": 1})
        await moll.reload()
        await moll.locator(".own .card").first.wait_for()
        assert await moll.locator(".own .card").evaluate_all(names) == hands[0] != hands[1]
        await play_on(moll)
        await play_on(nan)
        await pressed(nan, 2)
        people.server.dispatcher.cut_all()
        for page in (moll, nan):
            await page.get_by_role("button", name="Another game").wait_for()
            await page.get_by_role("button", name="Proofs").click()
            await expect(page.locator(".proofs")).to_contain_text("Only you can see your cards.")
            assert await page.locator(".proofs .problem").count() == 0
        async with nan.expect_download() as saving:
            await nan.get_by_role("button", name="Save the evidence").click()
        await (await saving.value).save_as(tmp_path / "evidence.jsonl")
        await moll.close()  # what is passed on for it has an end then
    with pytest.raises(SystemExit) as ended:
        main([str(tmp_path / "evidence.jsonl")])
    assert ended.value.code in {0, None}


def _tampering(change: Callable[[dict[str, Any]], None]) -> Callable[[WebSocketRoute], None]:
    """What stands between the page and the server, and changes messages on their way."""

    def between(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def pass_on(text: str | bytes) -> None:
            message: dict[str, Any] = json.loads(text)
            change(message)
            route.send(json.dumps(message))

        server.on_message(pass_on)
        route.on_message(server.send)

    return between


async def test_cheating_server_is_caught_in_the_page(browser: Browser, tmp_path: Path) -> None:
    """A card that is not the one that was dealt: the page says so at once, and gives evidence, which others find false
    as well. The Worker finds it by the key, and the page by the view beside; either may be first."""

    def cheat(message: dict[str, Any]) -> None:
        for event in message.get("events", ()):
            if event["event"] == "dealt" and event.get("cards"):
                event["cards"][0] = FORGED

    async with visitors(browser) as people:
        context = await people.context()
        await context.route_web_socket("**/ws", _tampering(cheat))
        moll = await people.person("Moll", context=context)
        await open_table(moll, "put-1674", house=True, dealing="blind", pack=28)
        await expect(moll.locator(".notices")).to_contain_text("Table 1 is not fair.")
        assert await moll.locator(".hand button").count() == 0
        await moll.get_by_role("button", name="Proofs").click()
        found = re.compile("was not dealt to you|was shown otherwise than the events tell it")
        await expect(moll.locator(".proofs .problem").first).to_contain_text(found)
        async with moll.expect_download() as saving:
            await moll.get_by_role("button", name="Save the evidence").click()
        evidence = tmp_path / "evidence.jsonl"
        await (await saving.value).save_as(evidence)
        token = json.loads(await moll.evaluate("localStorage['put.session']"))["token"]
    assert token not in evidence.read_text()
    with pytest.raises(SystemExit) as ended:
        main([str(evidence)])
    assert ended.value.code == UNFAIR_STATUS


FORGERIES: dict[tuple[str, str], Callable[[dict[str, Any]], Any]] = {
    ("hand", "plain"): lambda view: view["cards"] and view.update(cards=[*view["cards"][1:], FORGED]),
    ("trick", "blind"): lambda view: (
        view["trick"].get("cards") and view.update(trick={**view["trick"], "cards": [FORGED]})
    ),
    ("past", "plain"): lambda view: (
        view.get("past") and view["past"][0].update(winner=1 - (view["past"][0].get("winner") or 0))
    ),
}
"""Views beside events that are told as they are, with how the cards are dealt. A campaign tells all of them."""

FORGED = "7h"
"""A card that is not in the pack."""


@pytest.mark.parametrize("forgery", list(FORGERIES) if TURN else list(FORGERIES)[:2], ids="-".join)
async def test_forged_view_is_never_drawn(browser: Browser, forgery: tuple[str, str]) -> None:
    """The page says so at once, in a sentence; what was drawn before stays, and nothing more can be played."""
    drawn = """() => {
        window.drawn = new Set();
        const cards = () => [...document.querySelectorAll(".board [role=img]")];
        const look = () => cards().forEach((card) => window.drawn.add(card.ariaLabel));
        new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
    }"""

    def cheat(message: dict[str, Any]) -> None:
        if message["type"] == "events" and message.get("view", {}).get("counts"):
            FORGERIES[forgery](message["view"])

    async with visitors(browser) as people:
        context = await people.context()
        await context.route_web_socket("**/ws", _tampering(cheat))
        moll = await people.person("Moll", context=context)
        await moll.evaluate(drawn)
        await open_table(moll, "put-1674", house=True, dealing=forgery[1], pack=28)
        await play_on(moll)
        await expect(moll.locator(".notices")).to_contain_text("The table was shown otherwise than the events tell it")
        assert await moll.locator(".hand button").count() == 0
        assert "the 7 of hearts" not in await moll.evaluate("[...window.drawn].join()")


async def test_family_that_the_page_does_not_know_is_played_in_the_server_s_words(browser: Browser) -> None:
    """Its table is told in sentences, and what may be done is there to be pressed."""

    def rename(message: dict[str, Any]) -> None:
        if message.get("view"):
            message["view"]["view"] = "whist"

    async with visitors(browser) as people:
        context = await people.context()
        await context.route_web_socket("**/ws", _tampering(rename))
        moll = await people.person("Moll", context=context)
        await open_table(moll, "put-1674", house=True, target=5)
        await expect(moll.locator(".board .words")).to_contain_text("The game is to five points")
        await play_on(moll)
        await pressed(moll, 3)


async def test_page_that_is_loaded_again_and_a_second_tab_go_on(browser: Browser) -> None:
    """The seat is kept; the tab that was opened last plays, and the other one says so and can take it back."""
    async with visitors(browser) as people:
        context = await people.context()
        first = await people.person("Moll", context=context)
        await open_table(first, "put-1674", house=True)
        await first.locator(".own .card").first.wait_for()
        await first.reload()
        await first.locator(".own .card").first.wait_for()
        second = await people.page("/table/1", context=context)
        await second.locator(".own .card").first.wait_for()
        await first.get_by_text("You play on in another tab or window.").wait_for()
        await first.get_by_role("button", name="Play here").click()
        await first.locator(".own .card").first.wait_for()
        await second.get_by_text("You play on in another tab or window.").wait_for()
        lobby = people.server.dispatcher.lobby
        assert [person.name for person in lobby.people.values()].count("Moll") == 1
        await play_on(first)
        await pressed(first, 1)


async def test_tab_that_is_taken_back_has_the_key_that_another_told(browser: Browser) -> None:
    """A game that began in one is played on in the other, with the same hand."""
    async with visitors(browser) as people:
        context = await people.context()
        first = await people.person("Moll", context=context)
        await open_table(first, "put-1674", dealing="blind", pack=28)
        await first.locator(".board").wait_for()
        second = await people.page("/table/1", context=context)
        await first.get_by_text("You play on in another tab or window.").wait_for()
        nan = await people.person("Nan", "/table/1")
        await nan.get_by_role("button", name="Sit down").click()
        hands = []
        for page in (second, first):
            if page is first:
                await first.get_by_role("button", name="Play here").click()
                await first.get_by_role("button", name="Go there").click()
            await page.locator(".own .card").first.wait_for()
            hands.append(await page.locator(".own .card").evaluate_all("cards => cards.map(one => one.ariaLabel)"))
        assert hands[0] == hands[1]
        await play_on(first)
        await play_on(nan)
        await pressed(first, 1)


async def test_page_comes_back_when_the_server_was_restarted(browser: Browser, tmp_path: Path) -> None:
    """To the seat and the game, from the journal, without anybody doing anything; and plays on."""
    async with running_server(backstop=BACKSTOP, data=str(tmp_path)) as server:
        port = server.server.port
        people = Visitors(browser, server)
        moll = await people.person("Moll")
        await open_table(moll, "put-1674", house=True, dealing="blind", pack=28)
        await moll.locator(".own .card").first.wait_for()
    await moll.locator(".status", has_text="coming back").wait_for()
    async with running_server(backstop=BACKSTOP, data=str(tmp_path), port=port):
        await moll.locator(".status", has_text="Moll").wait_for()
        await expect(moll.locator(".own .card").first).to_be_visible()
        await play_on(moll)
        await pressed(moll, 1)
        await moll.context.close()


async def test_guests_come_by_password_passcode_and_invitation_talk_and_pause(browser: Browser) -> None:
    """The server asks for its password, a table for its passcode; who is invited needs none; a pause is agreed to.
    Talk is text, whatever it looks like, and reaches the others."""
    async with visitors(browser, password="sesame") as people:
        pages = []
        for name in ("Moll", "Nan"):
            page = await people.page()
            await page.fill("input[name=name]", name)
            await page.keyboard.press("Enter")
            await page.get_by_label("The server's password").fill("sesame")
            await page.keyboard.press("Enter")
            await page.locator(".lobby").wait_for()
            pages.append(page)
        moll, nan = pages
        await moll.get_by_role("button", name="New table").click()
        await moll.get_by_text("Options", exact=True).click()
        await moll.fill("input[name=passcode]", "plume")
        await moll.select_option("[name='option dealing']", "plain")
        await moll.get_by_role("button", name="Open the table").click()
        address = f"{people.address}/table/1"
        await expect(moll.locator(".share figcaption")).to_contain_text(address)
        box, path = moll.locator(".share svg"), moll.locator(".share path")
        width = int((await box.get_attribute("viewBox") or "").split()[-1])
        assert is_code_of(await path.get_attribute("d") or "", width, address)
        await nan.get_by_role("button", name="Watch table 1").click()
        await nan.fill("input[name=passcode]", "wrong")
        await nan.get_by_role("button", name="Go in").click()
        await nan.locator(".passcode .problem", has_text="This is not the table's passcode.").wait_for()
        await nan.get_by_role("button", name="Not now").click()
        assert "the table's passcode" not in await nan.inner_text("body")
        await moll.get_by_label("Somebody here").select_option("Nan")
        await moll.get_by_role("button", name="Ask them").click()
        await nan.locator(".invitation").get_by_role("button", name="Sit down").click()
        await nan.locator(".own .card").first.wait_for()
        await moll.get_by_role("button", name="Talk").click()
        await moll.get_by_label("What you say").fill("<img src=x onerror=alert(1)> & <b>so</b>")
        await moll.keyboard.press("Enter")
        await nan.get_by_role("button", name="Talk").click()
        await expect(nan.locator(".told")).to_contain_text("<img src=x onerror=alert(1)> & <b>so</b>")
        assert await nan.locator("img").count() == 0
        await moll.get_by_role("button", name="More").click()
        await moll.get_by_role("button", name="Ask for a pause").click()
        await nan.get_by_role("button", name="Agree").click()
        for page in pages:
            await page.get_by_role("button", name="Go on").click()
        await expect(moll.locator(".about-table")).to_contain_text("in play")
        await moll.get_by_role("button", name="Give up the game").click()
        await moll.get_by_role("button", name="Yes, give it up").click()
        await nan.get_by_role("button", name="Another game").wait_for()
        await moll.get_by_role("button", name="Send Nan away").click()
        await moll.get_by_role("button", name="Send them away, and keep them out").click()
        await expect(nan.locator(".notices")).to_contain_text("sent you away")


BACK_TO_A_DECISION = """() => {
    if (document.querySelector(".replay .judged")) return true;
    [...document.querySelectorAll(".replay button")].find((one) => one.textContent.trim() === "Back")?.click();
    return false;
}"""


async def test_position_is_practised_and_a_game_coached_weighed_looked_at_again_and_recorded(browser: Browser) -> None:
    """The answer to a position is judged, and counted. The coach says what choices are worth, and the game is marked.
    When it is over, so are all decisions, beside their steps; the record has it, with a sheet that the notation's
    reader takes."""
    async with visitors(browser, seed="1") as people:
        moll = await people.person("Moll")
        await moll.get_by_role("button", name="Practise").click()
        await moll.get_by_role("button", name="A position").click()
        await moll.locator(".drill .hand button").first.click()
        await expect(moll.locator(".drill .judged")).to_contain_text("You chose to")
        await expect(moll.locator(".drill")).to_contain_text("Right so far: ")
        await moll.get_by_role("button", name="Tables", exact=True).click()
        await open_table(moll, "put-1674", house=True, target=5)
        await moll.get_by_role("button", name="Ask the coach").click()
        await expect(moll.locator(".advice")).to_contain_text("Perfect play")
        await play_on(moll)
        await moll.get_by_role("button", name="Another game").wait_for()
        await moll.get_by_role("button", name="Analysis").click()
        await expect(moll.locator(".review li").first).to_contain_text("You chose to")
        await moll.get_by_role("button", name="Story").click()
        await moll.get_by_role("button", name="Look at this game again").click()
        await moll.wait_for_function(BACK_TO_A_DECISION, polling=POLL_MS)
        await expect(moll.locator(".replay .judged")).to_contain_text("You chose to")
        await moll.get_by_role("button", name="Now", exact=True).click()
        async with moll.expect_download() as saving:
            await moll.get_by_role("button", name="Save the game in Put notation").click()
        sheet = read((await (await saving.value).path()).read_text())
        assert sheet.is_assisted
        assert sheet.players[int(sheet.viewer)].name == "Moll"
        await moll.get_by_role("button", name="Lobby").click()
        await moll.get_by_role("button", name="Practise").click()
        await expect(moll.locator(".record li")).to_contain_text("with the coach")
        await expect(moll.locator(".record li")).to_contain_text("cost")
        await moll.get_by_text("The story").click()
        await expect(moll.locator(".record .told")).to_contain_text("hand 1")


async def test_french_player_learns_practises_and_keeps_a_record_in_french(browser: Browser) -> None:
    """The three first hands, a position and its judgement, the record with its story, and the game of a link."""
    async with visitors(browser, seed="1") as people:
        moll = await people.person("Moll", context=await people.context(locale="fr-FR"))
        await moll.get_by_role("button", name=FRENCH["Practise"]).click()
        await moll.get_by_role("button", name=FRENCH["A position"]).click()
        await moll.locator(".drill .hand button").first.click()
        await moll.locator(".drill .judged").wait_for()
        assert not english_in(await moll.inner_text("body"))
        await moll.get_by_role("button", name=FRENCH["The first three hands of Put"]).click()
        for right in ("as de cœur", "3 de pique", "", "vois le put", "2 de trèfle", "3 de cœur", "", "jette", ""):
            await go_on(moll, CHOICE if right else NEXT_LESSON)
            assert not english_in(await moll.inner_text("body"))
            if right:
                await moll.locator(".lesson .hand").get_by_role("button", name=right).click()
            else:
                await moll.locator(NEXT_LESSON).click()
        await play_on(moll)
        await moll.locator(".ending h2").wait_for()
        await moll.get_by_role("button", name=FRENCH["A link to this game"]).click()
        link = await moll.locator(".link input").input_value()
        assert not english_in(await moll.inner_text("body"))
        friend = await people.page(link.removeprefix(people.address), context=await people.context(locale="fr-FR"))
        await friend.locator(".board").wait_for()
        assert not english_in(await friend.inner_text("body"))
        await moll.get_by_role("button", name=FRENCH["Lobby"], exact=True).click()
        await moll.get_by_role("button", name=FRENCH["Practise"]).click()
        await moll.get_by_text(FRENCH["The story"]).click()
        await moll.locator(".record .told").wait_for()
        assert not english_in(await moll.inner_text("body"))


async def test_primer_comes_before_the_first_game_of_a_family_and_a_link_shows_the_game_to_others(
    browser: Browser,
) -> None:
    """The primer is put away for good by playing. Who opens the link needs no name, and asks the server for no game."""
    async with visitors(browser, seed="1") as people:
        moll = await people.person("Moll")
        triomphe = moll.locator(".quick button", has_text="Triomphe Forcée")
        await triomphe.click()
        await expect(moll.locator(".brief li").first).to_contain_text(" ")
        assert await moll.locator(".board").count() == 0
        await moll.get_by_role("button", name="Play", exact=True).click()
        await moll.locator(".board").wait_for()
        await moll.go_back()
        await triomphe.click()
        await moll.locator(".board").wait_for()
        await moll.go_back()
        await open_table(moll, "put-1674", house=True)
        await play_on(moll)
        await moll.get_by_role("button", name="Another game").wait_for()
        await moll.get_by_role("button", name="A link to this game").click()
        link = await moll.locator(".link input").input_value()
        context = await people.context()
        await context.clock.install()
        friend = await people.page(link.removeprefix(people.address), context=context)
        await expect(friend.get_by_role("group", name="Replay")).to_contain_text("1 of ")
        await friend.get_by_role("button", name="On", exact=True).click()
        await expect(friend.get_by_role("group", name="Replay")).to_contain_text("2 of ")
        await friend.get_by_role("button", name="Play", exact=True).click()
        await friend.clock.run_for(LONGEST_REPLAY_MS)
        await expect(friend.get_by_role("group", name="Replay")).to_contain_text(re.compile(r"(\d+) of \1:"))
        assert await friend.locator(".board").get_by_text("Moll").count() > 0
        assert [person.name for person in people.server.dispatcher.lobby.people.values()].count("Moll") == 1
        broken = await people.page(link.removeprefix(people.address)[:40])
        await broken.get_by_text("a part of it is missing").wait_for()


async def test_newcomer_learns_in_three_hands_and_has_a_hint_at_each_choice(browser: Browser) -> None:
    """It is offered once. A wrong choice is answered with a reason, and the hand waits. The game that follows has hints
    until they are put away."""
    async with visitors(browser, seed="1") as people:
        moll = await people.person("Moll")
        await moll.get_by_role("button", name="Show me").click()
        for lesson in LESSONS:
            for wrong, right in lesson:
                await expect(moll.locator(".reply")).to_have_count(0)
                await go_on(moll, CHOICE)
                await moll.locator(".hand").get_by_role("button", name=wrong).click()
                await moll.locator(".reply").wait_for()
                await moll.locator(".hand").get_by_role("button", name=right).click()
            await go_on(moll, NEXT_LESSON)
            await moll.locator(NEXT_LESSON).click()
        await go_on(moll, MAY_PRESS)
        await expect(moll.locator(".hint")).to_contain_text(" ")
        await moll.locator(MAY_PRESS).first.click()
        await moll.get_by_role("button", name="Put the hints away").click()
        await expect(moll.locator(".hint")).to_have_count(0)
        await moll.get_by_role("button", name="Lobby").click()
        await moll.locator(".lobby").wait_for()
        assert await moll.get_by_role("button", name="Show me").count() == 0


async def test_other_rule_sets_are_played_to_their_end(browser: Browser) -> None:
    """By pressing what the server offers, against the house; and each is in the record. The page knows no rule set: one
    with partners, who give each other cards, and one with other bids have whatever a rule set of Put can have."""
    async with visitors(browser) as people:
        moll = await people.person("Moll")
        games = ("put-partners", "truc") if TURN else ("put-partners",)
        await play_on(moll)
        for game in games:
            await open_table(moll, game, house=True)
            await moll.get_by_role("button", name="Another game").wait_for()
            await moll.get_by_role("button", name="More").click()
            await moll.get_by_role("button", name="Leave the table").click()
            await moll.locator(".lobby").wait_for()
        await moll.get_by_role("button", name="Practise").click()
        await expect(moll.locator(".record > li")).to_have_count(len(games))


async def test_sound_and_notifications_come_only_where_they_are_wanted(browser: Browser) -> None:
    """Sounds come after the first touch, until they are switched off; a notification only where it is set, while the
    page is hidden and the browser allows it."""
    async with visitors(browser, seed="1") as people:
        context = await people.context(permissions=["notifications"])
        await context.add_init_script(
            """window.heard = { contexts: 0, tones: 0, notes: [] };
            window.AudioContext = class extends AudioContext {
                constructor() { super(); heard.contexts++; }
                createOscillator() { heard.tones++; return super.createOscillator(); } };
            window.Notification = class extends Notification {
                static permission = "granted"; // a browser without windows says otherwise
                constructor(title, options) { super(title, options); heard.notes.push(options.body); } };"""
        )
        moll = await people.person("Moll", context=context)
        await moll.evaluate(
            "Object.defineProperty(document, 'visibilityState', { get: () => window.looks ?? 'hidden' })"
        )
        await open_table(moll, "put-1674", house=True, target=5)
        await moll.locator(MAY_PRESS).first.wait_for()
        await moll.wait_for_function("() => heard.tones > 0")
        assert await moll.evaluate("heard.contexts") == 1
        assert await moll.evaluate("heard.notes") == []
        await moll.get_by_role("button", name="Settings").click()
        await moll.get_by_label("Sounds").select_option("off")
        await moll.get_by_label("A notification when").select_option("on")
        await moll.wait_for_function("() => heard.notes.length === 1")  # how it will look
        await moll.evaluate("window.looks = 'visible'")
        tones = await moll.evaluate("heard.tones")
        await moll.locator(MAY_PRESS).first.click()
        await moll.locator(MAY_PRESS).first.wait_for()
        assert await moll.evaluate("[heard.tones, heard.notes.length]") == [tones, 1]
        await moll.evaluate("window.looks = 'hidden'")
        await moll.locator(MAY_PRESS).first.click()
        await moll.wait_for_function("() => heard.notes.length > 1")
        await context.clear_permissions()
        await moll.evaluate("Notification.requestPermission = async () => 'denied'")
        await moll.get_by_label("A notification when").select_option("off")
        await moll.get_by_label("A notification when").select_option("on")
        await moll.get_by_text("does not allow").wait_for()
        assert await moll.get_by_label("A notification when").input_value() == "off"


async def test_keyboard_alone_plays_and_the_sentences_are_read_out(browser: Browser) -> None:
    """Tab and Enter; what happens comes in a live region, as line mode has it."""
    async with visitors(browser, seed="1") as people:
        moll = await people.person("Moll")
        await _press_by_keyboard(moll, ".quick button")
        await moll.locator(MAY_PRESS).first.wait_for()
        asked = await moll.locator(".asks").inner_text()
        await expect(moll.get_by_role("log", name="What happens")).to_contain_text(asked)
        labels = await moll.locator(".own button .sr").all_text_contents()
        said = labels[0].split(" ", 1)[1] if labels else "You"  # no card is to be played: the house has put at once
        await _press_by_keyboard(moll, MAY_PRESS)
        await moll.locator(".hand button:focus, .between").first.wait_for()
        await expect(moll.get_by_role("log", name="What happens")).to_contain_text(said)
        assert sum(people.server.dispatcher.meters.moves.counts) > 0


async def _press_by_keyboard(page: Page, what: str) -> None:
    for _ in range(60):
        if await page.evaluate("what => document.activeElement.matches(what)", what):
            await page.keyboard.press("Enter")
            return
        await page.keyboard.press("Tab")
    raise AssertionError(f"{what} cannot be reached by Tab")


@needs_axe
async def test_axe_finds_nothing_on_any_screen(browser: Browser) -> None:
    """WCAG 2.2 AA, light and dark; and everything that is pressed is large enough for a finger."""
    async with visitors(browser, seed="1") as people:
        moll = await people.page()
        assert await flaws(moll) == []
        await moll.fill("input[name=name]", "Moll")
        await moll.keyboard.press("Enter")
        await moll.locator(".lobby").wait_for()
        await _check(moll)
        await moll.get_by_role("button", name="Show me").click()
        await moll.locator(".lesson .hand button").first.wait_for()
        await _check(moll)
        await moll.go_back()
        await moll.locator(".lobby").wait_for()
        for name in ("New table", "People", "Practise", "Rules"):
            await moll.get_by_role("button", name=name).click()
            await _check(moll)
        await moll.get_by_role("button", name="Tables", exact=True).click()
        await open_table(moll, "put-1674", house=True, target=5)  # which is weighed
        await moll.locator(MAY_PRESS).first.wait_for()
        for name in ("Story", "Talk", "Proofs", "Analysis", "More"):
            await moll.get_by_role("button", name=name).click()
            await _check(moll)
        await moll.get_by_role("button", name="Settings").click()
        await moll.select_option(".settings select >> nth=0", "dark")
        await moll.select_option(".settings select >> nth=1", "four")
        await _check(moll)
        await moll.get_by_role("button", name="Settings").click()
        await play_on(moll)
        await moll.locator(".ending h2").wait_for()
        await _check(moll)
        await moll.emulate_media(forced_colors="active")
        assert [one for one in await flaws(moll) if not one.startswith("color-contrast")] == []  # the system's colours
        wall = await people.page("/watch/1", size=WALL)
        await wall.locator(".wall .board").wait_for()
        assert await flaws(wall) == []


async def _check(page: Page) -> None:
    """In the light, and what is otherwise in the dark."""
    assert await flaws(page) == []
    await page.emulate_media(color_scheme="dark")
    assert await flaws(page, "color-contrast") == []
    await page.emulate_media(color_scheme="light")
    small = await page.evaluate(
        "[...document.querySelectorAll('button, select, summary, a')]"
        ".map((one) => [one.innerText, one.getBoundingClientRect()])"
        ".filter(([, box]) => box.width && (box.width < 44 || box.height < 43.5)).map(([text]) => text)"
    )
    assert small == []
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
