"""Whole games in Firefox, a game of each family: with the house, pressing the first thing that may be pressed.

It is driven by WebDriver BiDi, which Firefox speaks by itself. `scripts/soak page` plays them.
"""

import asyncio
import json
import re
import shutil
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from tests.transport.sockets import running_server
from tests.web.browser import MAY_PRESS

PROGRAM = next(filter(None, map(shutil.which, ("firefox-esr", "firefox"))), None)

GAMES = {"put-1674": {"target": 1}, "triomphe-forcee": {"hands": 1}, "primero": {"hands": 1}}
"""A game of each family, with what makes it short."""

LIMIT_S = 120.0
"""Seconds for anything that is waited for."""

OPEN = """async (game, options) => {
    const until = async (find) => {
        for (;;) {
            const found = find();
            if (found) return found;
            await new Promise((done) => setTimeout(done, 20));
        }
    };
    const buttons = () => [...document.querySelectorAll("button")];
    const named = (text) => buttons().find((one) => one.textContent.trim().startsWith(text));
    const set = (field, value) => {
        field.value = value;
        field.dispatchEvent(new Event("change", { bubbles: true }));
    };
    const name = document.querySelector("input[name=name]");
    if (name) {
        name.value = "Moll";
        name.form.requestSubmit();
    }
    (await until(() => named("New table"))).click();
    set(await until(() => document.querySelector("select[name=game]")), game);
    for (const [option, value] of Object.entries(options)) {
        (await until(() => document.querySelector(`[name="option ${option}"]`))).value = value;
    }
    document.querySelector("select[name=others]").selectedIndex = 1;
    named("Open the table").click();
    const pressed = new Set();
    const again = await until(() => {
        const playable = document.querySelector(PRESSED);
        pressed.add(playable?.innerText);
        (playable ?? document.querySelector(".middle"))?.click();
        return named("Another game");
    });
    return [document.querySelector(".ending h2")?.innerText ?? "", pressed.size, again.textContent.trim()];
}"""


class Firefox:
    """One page of a Firefox without windows."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection
        self._last = 0
        self._context = ""

    async def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Its answer to a command."""
        self._last += 1
        await self._connection.send(json.dumps({"id": self._last, "method": method, "params": parameters}))
        async with asyncio.timeout(LIMIT_S):
            while True:
                heard: dict[str, Any] = json.loads(await self._connection.recv())
                if heard.get("id") == self._last:
                    assert heard["type"] == "success", heard
                    result: dict[str, Any] = heard["result"]
                    return result

    async def begin(self) -> None:
        """Make a session."""
        await self.ask("session.new", capabilities={"alwaysMatch": {"acceptInsecureCerts": True}})
        self._context = (await self.ask("browsingContext.getTree"))["contexts"][0]["context"]

    async def goto(self, address: str) -> None:
        await self.ask("browsingContext.navigate", context=self._context, url=address, wait="complete")

    async def call(self, function: str, *arguments: object) -> list[Any]:
        """The list of plain values that a function of the page resolves with."""
        written = f"async () => JSON.stringify(await ({function})(...{json.dumps(arguments)}))"
        target = {"context": self._context}
        told = await self.ask("script.callFunction", functionDeclaration=written, target=target, awaitPromise=True)
        assert told["type"] == "success", told
        found: list[Any] = json.loads(told["result"]["value"])
        return found


@asynccontextmanager
async def firefox(preferences: Mapping[str, bool | int | str] = MappingProxyType({})) -> AsyncIterator[Firefox]:
    """A browser of its own, with a profile that is thrown away."""
    assert PROGRAM is not None
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        lines = (f'user_pref("{name}", {json.dumps(value)});' for name, value in preferences.items())
        (Path(profile) / "user.js").write_text("\n".join(lines))
        words = ("--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0", "about:blank")
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(PROGRAM, *words, stderr=pipe, stdout=asyncio.subprocess.DEVNULL)
        try:
            async with asyncio.timeout(LIMIT_S):
                assert process.stderr is not None
                while (found := re.search(rb"ws://\S+", await process.stderr.readline())) is None:
                    pass
            async with connect(f"{found[0].decode()}/session", max_size=None) as connection:
                browser = Firefox(connection)
                await browser.begin()
                yield browser
        finally:
            process.terminate()
            await process.communicate()


async def games() -> int:
    """Play a game of each family; returns how many."""
    async with running_server(backstop=4 * LIMIT_S) as server, firefox() as browser:
        for game, options in GAMES.items():
            await browser.goto(f"http://127.0.0.1:{server.server.port}/")
            ending, pressed, _ = await browser.call(OPEN.replace("PRESSED", json.dumps(MAY_PRESS)), game, options)
            assert re.fullmatch(r"You (won!|lost\.)|Even\.", ending), (game, ending)
            assert pressed > 2, game
    return len(GAMES)
