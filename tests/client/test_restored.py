"""The terminal as it was before, after every kind of end: the real program on a terminal of its own."""

import asyncio
import os
import signal
import sys
import termios
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest

from put_protocol.messages import Goodbye
from put_runtime import exit_codes
from tests.client.scripted_server import PATIENCE_S, Peer, Server

SWITCHES = {
    b"\x1b[?1049": (b"h", b"l"),  # the other screen
    b"\x1b[?25": (b"l", b"h"),  # the cursor hidden
    b"\x1b[?2004": (b"h", b"l"),  # pastes in brackets
    b"\x1b[?1000": (b"h", b"l"),  # the mouse
}
"""What a full screen switches on, and off again when it ends."""

CRASH = """
from put_client.tui import app
from put_runtime import exit_codes
drawn = app.draw
def draw(*given):
    app.draw = broken
    return drawn(*given)
def broken(*_):
    raise RuntimeError("a bug")
app.draw = draw
"""
"""The second frame is never drawn."""


@dataclass
class Screen:
    """A `put-client` on a terminal."""

    process: Process
    peer: Peer
    keyboard: int
    before: list[object]
    shown: bytes = b""

    def types(self, text: str) -> None:
        os.write(self.keyboard, text.encode())

    async def shows(self, text: bytes) -> None:
        """This comes to the screen."""
        async with asyncio.timeout(PATIENCE_S):
            while text not in self.shown:
                await self._more()

    async def ends(self) -> int:
        """Its exit status, when all it wrote was read."""
        async with asyncio.timeout(PATIENCE_S):
            ending = asyncio.ensure_future(self.process.wait())
            while not ending.done():
                reading = asyncio.ensure_future(self._more())
                await asyncio.wait((ending, reading), return_when=asyncio.FIRST_COMPLETED)
                reading.cancel()
            os.set_blocking(self.keyboard, False)
            while self._is_more():
                pass
            return ending.result()

    async def _more(self) -> None:
        readable = asyncio.Event()
        loop = asyncio.get_running_loop()
        loop.add_reader(self.keyboard, readable.set)
        try:
            await readable.wait()
        finally:
            loop.remove_reader(self.keyboard)
        self._is_more()

    def _is_more(self) -> bool:
        try:
            some = os.read(self.keyboard, 65536)
        except OSError:
            return False
        self.shown += some
        return bool(some)

    @property
    def left_on(self) -> list[bytes]:
        """Switches that were thrown and not thrown back."""
        return [s for s, (on, off) in SWITCHES.items() if self.shown.rfind(s + on) > self.shown.rfind(s + off)]


@asynccontextmanager
async def screen(server: Server, *flags: str, prelude: str = "") -> AsyncIterator[Screen]:
    """A program that has a terminal for itself, and has been let in."""
    keyboard, terminal = os.openpty()
    termios.tcsetwinsize(terminal, (24, 80))
    before = termios.tcgetattr(terminal)
    heed = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-c", f"{heed}\n{prelude}\nfrom put_client.cli import main\nmain()"),
        *(f"127.0.0.1:{server.port}", "--name", "Moll", *flags),
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "TERM": "xterm-256color"},
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
    )
    peer = await server.arrival()
    await peer.welcome()
    running = Screen(process, peer, keyboard, before)
    yield running
    assert termios.tcgetattr(terminal) == before
    os.close(keyboard)
    os.close(terminal)


async def quits(it: Screen) -> int:
    it.types("q")
    return os.EX_OK


async def is_sent_away(it: Screen) -> int:
    it.peer.say(Goodbye(code="taken_over", says="you came back elsewhere"))
    return os.EX_UNAVAILABLE


async def crashes(it: Screen) -> int:
    it.types("?")
    return 1


def signalled(number: signal.Signals, status: int) -> Callable[[Screen], Awaitable[int]]:
    async def is_signalled(it: Screen) -> int:
        it.process.send_signal(number)
        return status

    return is_signalled


TERMINATED = signalled(signal.SIGTERM, 128 + signal.SIGTERM)
HUNG_UP = signalled(signal.SIGHUP, 128 + signal.SIGHUP)


@pytest.mark.parametrize(
    ("end", "prelude"),
    [(quits, ""), (is_sent_away, ""), (TERMINATED, ""), (HUNG_UP, ""), (crashes, CRASH)],
    ids=["quits", "is sent away", "SIGTERM", "SIGHUP", "crashes"],
)
async def test_full_screen_gives_the_terminal_back(
    server: Server, end: Callable[[Screen], Awaitable[int]], prelude: str
) -> None:
    """Its modes are what they were, and every switch thrown is thrown back."""
    async with screen(server, prelude=prelude) as it:
        await it.shows(b"\x1b[?1049h")
        await it.shows(b"Put")
        status = await end(it)
        assert await it.ends() == status
        assert it.left_on == []
        assert (b"a bug" in it.shown) == bool(prelude)


async def test_line_mode_gives_the_terminal_back(server: Server) -> None:
    """It never takes more than lines of it, and every switch that its prompt throws is thrown back; without editing it
    throws none."""
    ends = {signal.SIGINT: exit_codes.OK, signal.SIGTERM: -signal.SIGTERM, signal.SIGHUP: -signal.SIGHUP}
    for number, status in ends.items():
        async with screen(server, "--line") as it:
            await it.shows(b'Say "help" for help.')
            await it.shows(b"\x1b[?2004h")  # there is a prompt, and the signal is as Ctrl-C typed at it
            it.process.send_signal(number)
            assert await it.ends() == status
            assert it.left_on == []
            assert b"\x1b[?1049h" not in it.shown
