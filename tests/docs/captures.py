"""The captures in docs/terminal.md and the README: the real client on a terminal in memory, from a fixed seed.

Each has a server of its own.

    <!-- capture: lobby -->
    ... what the screen showed, as text ...
    <!-- end of capture -->

Everything between such lines is replaced. Packs and house players repeat exactly, so what is taken twice is the same
until the client, or the rules, change.
"""

import argparse
import asyncio
import os
import re
import sys
import tempfile
import termios
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import pyte

from put_client.sdk.client import Client
from put_protocol.messages import Decision
from put_runtime.child_process import PUT_SERVER, port_in, running

ROOT = Path(__file__).parents[2]
PAGES = (ROOT / "README.md", ROOT / "docs" / "terminal.md")
SEED = 1674
NOW_NS = 1_795_000_000 * 10**9
"""In November 2026: when the games in the record are played."""
PROGRAM = (
    "import secrets, time; secrets.token_bytes = bytes; time.time_ns = lambda: "
    f"{NOW_NS}; from put_client.cli import main; main()"
)
"""The client, but that everybody could foresee how it cuts, or else no seed would repeat a pack; and of one day."""
TERM, LOCALE = "xterm-256color", "C.UTF-8"
PATIENCE_S = 20
"""For anything to appear on the screen."""

_OPENED = re.compile(r"^<!-- capture: (?P<name>[\w-]+) -->$")
_CLOSED = "<!-- end of capture -->"


class CaptureError(Exception):
    """A screen did not come to show what was waited for; the message is the screen."""


class Screen:
    """A `put-client` and the terminal it draws on."""

    def __init__(self, columns: int, lines: int, process: Process, keyboard: int) -> None:
        self._screen = pyte.Screen(columns, lines)
        self._stream = pyte.ByteStream(self._screen)
        self._process = process
        self._keyboard = keyboard

    @classmethod
    async def open(
        cls, columns: int, lines: int, port: int, name: str, *flags: str, term: str, locale: str, home: str
    ) -> "Screen":
        keyboard, terminal = os.openpty()
        termios.tcsetwinsize(terminal, (lines, columns))
        os.set_blocking(keyboard, False)
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", PROGRAM),
            *(f"127.0.0.1:{port}", "--name", name, "--no-teach", *flags),
            env={**os.environ, "TERM": term, "LC_ALL": locale, "TZ": "UTC", "XDG_STATE_HOME": home},
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
        )
        os.close(terminal)
        return cls(columns, lines, process, keyboard)

    @property
    def text(self) -> str:
        """What is on it, without the blanks at the end of lines."""
        return "\n".join(line.rstrip() for line in self._screen.display).rstrip()

    def press(self, keys: str) -> None:
        os.write(self._keyboard, keys.encode())

    async def drawn(self) -> None:
        """Something is drawn, and then nothing for a while.

        :raises CaptureError: nothing was.
        """
        try:
            async with asyncio.timeout(PATIENCE_S):
                await self._draws()
                while await self._draws_on():
                    pass
        except TimeoutError:
            raise CaptureError(f"nothing changed on the screen:\n{self.text}") from None

    async def shows(self, *words: str) -> str:
        """The first of these words that is on the screen, sooner or later.

        :raises CaptureError: none came.
        """
        try:
            async with asyncio.timeout(PATIENCE_S):
                while True:
                    found = next((word for word in words if word in self.text), None)
                    if found is None:
                        await self._draws()
                    elif not await self._draws_on():
                        return found
        except TimeoutError:
            raise CaptureError(f"none of {words} came on the screen:\n{self.text}") from None

    async def close(self) -> None:
        self._process.terminate()
        await self._process.wait()
        os.close(self._keyboard)

    async def _draws_on(self) -> bool:
        """Whether more comes right after: a frame is not cut in two."""
        try:
            async with asyncio.timeout(0.2):
                await self._draws()
        except TimeoutError:
            return False
        return True

    async def _draws(self) -> None:
        ready = asyncio.Event()
        loop = asyncio.get_running_loop()
        loop.add_reader(self._keyboard, ready.set)
        try:
            await ready.wait()
        finally:
            loop.remove_reader(self._keyboard)
        try:
            self._stream.feed(os.read(self._keyboard, 65536))
        except OSError:
            raise CaptureError(f"the client ended:\n{self.text}") from None


Size = tuple[int, int]
SMALL = (80, 24)


@asynccontextmanager
async def server() -> AsyncIterator[int]:
    """A server of its own; its port."""
    with tempfile.TemporaryDirectory(prefix="put-captures-") as data:
        words = [
            *PUT_SERVER,
            "--host",
            "127.0.0.1",
            "--port",
            "0",
            "--data",
            data,
            "--seed",
            str(SEED),
            "--exempt",
            "127.0.0.1",
        ]
        words += ["--drain-seconds", "0", "--log-level", "error", "--name", "The Sign of the Three"]
        async with running(words) as process:
            port = port_in((await process.stdout.readline()).decode())
            if port is None:
                await process.read_rest()
                raise CaptureError(f"the server did not start: {' '.join(process.stderr.lines)}")
            yield port


@asynccontextmanager
async def seen(
    size: Size,
    port: int,
    *flags: str,
    name: str = "Will",
    term: str = TERM,
    locale: str = LOCALE,
) -> AsyncIterator[Screen]:
    """The screen of one who has come in."""
    with tempfile.TemporaryDirectory(prefix="put-captures-") as home:
        screen = await Screen.open(*size, port, name, *flags, term=term, locale=locale, home=home)
        try:
            yield screen
        finally:
            await screen.close()


async def lobby() -> str:
    """Two tables, and the people."""
    async with server() as port, company(port), seen(SMALL, port) as screen:
        await screen.shows("Moll")
        return screen.text


async def table() -> str:
    """Your move, on the usual terminal."""
    async with server() as port, seen(SMALL, port) as screen:
        await sit_down(screen)
        return screen.text


async def challenge() -> str:
    """A put to be answered, with a trick played."""
    async with server() as port, seen(SMALL, port) as screen:
        await sit_down(screen)
        await choose_until(screen, "s see the put", "1         ")
        return screen.text


async def triomphe() -> str:
    """The third trick of a hand, with seven at the table."""
    async with server() as port, seated(SMALL, port, "triomphe-forcee", 7) as screen:
        await choose_until(screen, "trick 3 of 5")
        return screen.text


async def primero() -> str:
    """A bet to be answered in the second betting, with six at the table."""
    async with server() as port, seated(SMALL, port, "primero", 6) as screen:
        await choose_until(screen, "says ", "to see it")
        return screen.text


SCENES: Mapping[str, Callable[[], Awaitable[str]]] = {
    scene.__name__: scene for scene in (challenge, lobby, table, triomphe, primero)
}


@asynccontextmanager
async def company(port: int) -> AsyncIterator[None]:
    """Moll waits at a table for somebody to play with; Ann plays against the house, and thinks about her lead."""
    async with (
        await Client.connect("127.0.0.1", port, name="Moll", checked=False) as moll,
        await Client.connect("127.0.0.1", port, name="Ann", checked=False) as ann,
    ):
        await moll.sit(await moll.open_table("put-1800", turn=60))
        other = await ann.open_table("put-tavern", seats=3)
        await ann.sit(other)
        for _ in range(2):
            await ann.invite(other)
        async with asyncio.timeout(PATIENCE_S):
            async for message in ann:
                if isinstance(message, Decision):
                    break
        yield


async def sit_down(screen: Screen) -> None:
    """At a new table, opposite a house player, until it is our move."""
    await screen.shows("o open")
    screen.press("o")
    await screen.shows("turn clock")
    screen.press("\r")
    await screen.shows("invite the house")
    screen.press("h")
    await screen.drawn()
    screen.press("\r")
    await screen.shows("Your move")


@asynccontextmanager
async def seated(size: Size, port: int, game: str, seats: int) -> AsyncIterator[Screen]:
    """The screen of one who plays with house players, at a table that somebody else has opened."""
    async with await Client.connect("127.0.0.1", port, name="Moll", checked=False) as moll:
        number = await moll.open_table(game, seats=seats)
    async with seen(size, port, "--table", str(number)) as screen:
        for _ in range(seats - 1):
            await screen.shows("invite the house")
            screen.press("h")
            await screen.shows("Whom shall the house send?")
            screen.press("\r")
            await screen.drawn()
        yield screen


async def choose_until(screen: Screen, *words: str) -> None:
    """Do what is listed first each time, until it is our move with all of these words on the screen."""
    for _ in range(200):
        await screen.shows("Your move")
        if all(word in screen.text for word in words):
            return
        screen.press("\x1b[C\r")
        await screen.drawn()
    raise CaptureError(f"{words} never came:\n{screen.text}")


def replaced(page: str, captures: Mapping[str, str]) -> str:
    """The page with those of these captures in it that it has a place for.

    :raises CaptureError: a place has no end.
    """
    lines: list[str] = []
    inside = ""
    for line in page.splitlines():
        opened = _OPENED.match(line)
        if opened is not None and inside:
            raise CaptureError(f"the capture {inside} has no end")
        if line == _CLOSED:
            inside = ""
        if not inside:
            lines.append(line)
        if opened is not None and opened["name"] in captures:
            inside = opened["name"]
            lines += ["```text", captures[inside], "```"]
    if inside:
        raise CaptureError(f"the capture {inside} has no end")
    return "".join(f"{line}\n" for line in lines)


async def _main(names: list[str]) -> int:
    try:
        captures = {name: await SCENES[name]() for name in names or SCENES}
        for page in PAGES:
            page.write_text(replaced(page.read_text("utf-8"), captures), "utf-8")
    except CaptureError as error:
        print(f"scripts/captures: {error}", file=sys.stderr)
        return 1
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="scripts/captures", description="Take the captures in docs/terminal.md and the README anew."
    )
    which = f"of {', '.join(SCENES)} (default: all)"
    parser.add_argument("scene", nargs="*", choices=[*SCENES, []], metavar="SCREEN", help=which)
    with tempfile.TemporaryDirectory(prefix="put-captures-") as home:
        os.environ.update(XDG_STATE_HOME=home, XDG_CONFIG_HOME=home)
        return asyncio.run(_main(parser.parse_args().scene))


if __name__ == "__main__":
    sys.exit(main())
