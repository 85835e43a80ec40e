"""The players of a match, a process each: how they are started, told where to sit, watched, and ended.

A booth runs once, from its process's start to its end; whoever keeps it may run it again. It never fails: an end has a
reason, and what went wrong before it is noted as faults.
"""

import asyncio
import signal
import sys
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, assert_never

import msgspec

from put_arena.competitors import Competitor, Kind, command_words
from put_arena.proxy import Proxy
from put_arena.results import Conduct, Fault
from put_arena.runner import Beat, Broken, Go, GoAway, Illegal, Late, Order, Raised, Report, Terms, TooFast
from put_protocol.text import printable
from put_runtime.child_process import CannotStart, ChildProcess, running

GONE_SECONDS = 0.5
"""From the last word of a process to its end, by which it is known that it will not come back."""

BLOCKED_SECONDS = 3.0
"""Beyond the time of the turns a bot may be late in: then it is blocked for good."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchServer:
    """The server, and its rules for players."""

    host: str
    port: int
    turn: int
    """Seconds for a decision."""
    late: int
    """Turns running that may not all be too late."""
    slow: float
    """Seconds to wait before each move."""


def _ending(process: ChildProcess) -> str:
    """How a process that is over has ended, as the end of a sentence."""
    code = process.returncode
    if code is None:
        how = "it closed its output"
    elif code < 0:
        how = f"it was ended by {signal.Signals(-code).name}"
    else:
        how = f"it ended with status {code}"
    last = last_line(process)
    return f"{how}, saying: {last}" if last else how


def last_line(process: ChildProcess) -> str:
    """The last line of its standard error that is not empty, fit to be shown."""
    lines = [printable(line).strip() for line in process.stderr.lines]
    return next((line for line in reversed(lines) if line), "")


class BotProcess(ABC):
    """One player."""

    def __init__(self, name: str, competitor: Competitor, house: MatchServer, conduct: Conduct) -> None:
        self.name = name
        """At the tables."""
        self.began = 0.0
        """When its process was started, by the loop's clock; 0: none runs."""
        self.verdict = ""
        """Why it may not go on, whoever decided so; empty: it may."""
        self.is_no_bot = False
        """There never was anything to play; the end says what was looked for."""
        self._competitor = competitor
        self._house = house
        self._conduct = conduct
        self._ended: asyncio.Future[None] | None = None

    async def run(self) -> str:
        """Start the process and play until it ends; then why, as the end of a sentence."""
        loop = asyncio.get_running_loop()
        self.began, self._ended = loop.time(), loop.create_future()
        playing = asyncio.ensure_future(self._play())
        either: set[asyncio.Future[Any]] = {playing, self._ended}
        try:
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            if playing.done() and not self.verdict:
                return playing.result()
            return self.verdict
        finally:
            self.began = 0.0
            playing.cancel()
            await asyncio.wait({playing})

    def expel(self, says: str) -> None:
        """End it for good."""
        self.verdict = self.verdict or says
        if self._ended is not None and not self._ended.done():
            self._ended.set_result(None)

    def was_late(self, running: int) -> None:
        """A turn's time ran out, as so many before it."""
        self._conduct.note(Fault.LATE, f"was not done in the {self._house.turn} seconds of a turn")
        if running >= self._house.late:
            self.expel(f"it was too late {running} times running")

    @abstractmethod
    async def _play(self) -> str: ...

    @abstractmethod
    def go(self, table: int, games: int, dice: str) -> None:
        """It will be invited to this table, for so many games."""

    @abstractmethod
    def go_away(self, table: int) -> None:
        """It is to leave the table, if it is there."""


def bot_process(name: str, competitor: Competitor, house: MatchServer, conduct: Conduct) -> BotProcess:
    """A player of this competitor, who is not of the house."""
    match competitor.kind:
        case Kind.SDK:
            return SdkBot(name, competitor, house, conduct)
        case Kind.STDIO:
            return StdioBot(name, competitor, house, conduct)
        case Kind.DIAL:
            return TcpBot(name, competitor, house, conduct)
        case Kind.HOUSE:
            raise ValueError(f"{name} lives in the server")
        case _:
            assert_never(competitor.kind)


class SdkBot(BotProcess):
    """A Python class, in `runner`."""

    def __init__(self, name: str, competitor: Competitor, house: MatchServer, conduct: Conduct) -> None:
        super().__init__(name, competitor, house, conduct)
        self._orders: asyncio.StreamWriter | None = None
        self._early: list[bytes] = []
        """Orders given before `_orders` is there: the process may say hello to the server, and so be invited, before
        we hear that it was started."""
        self._heard = 0.0
        """When it last reported, by the loop's clock; 0: not yet."""

    async def _play(self) -> str:
        house = self._house
        self._early.clear()
        self._heard = 0.0
        terms = Terms(
            host=house.host,
            port=house.port,
            name=self.name,
            what=self._competitor.what,
            turn=house.turn,
            slow=house.slow,
        )
        words = [sys.executable, "-m", "put_arena.runner", msgspec.json.encode(terms).decode()]
        try:
            async with running(words) as process:
                self._orders = process.stdin
                self._orders.writelines(self._early)
                reports = asyncio.create_task(self._follow(process.stdout))
                tasks = (reports, asyncio.create_task(self._watch()))
                try:
                    says = await reports
                    await _gone(process.wait)
                    return says or _ending(process)
                finally:
                    self._orders = None
                    await _cancelled(*tasks)
        except CannotStart as error:
            return printable(str(error))

    async def _follow(self, reports: asyncio.StreamReader) -> str:
        """The process's reports, until there are no more; its own reason to end, if it gave one."""
        decoder: msgspec.json.Decoder[Report] = msgspec.json.Decoder(Report)
        while True:
            try:
                line = await reports.readline()
                if not line:
                    return ""
                report = decoder.decode(line)
            except (ValueError, msgspec.DecodeError):
                return "it wrote where only the arena may"
            self._heard = asyncio.get_running_loop().time()
            match report:
                case Illegal(says=says):
                    self._conduct.note(Fault.ILLEGAL, says)
                case Raised(says=says):
                    self._conduct.note(Fault.CRASHED, says)
                case Late(running=count):
                    self.was_late(count)
                case TooFast():
                    self._conduct.note(Fault.TOO_FAST, "asked too often")
                case Broken(says=says, is_no_bot=is_no_bot):
                    self.is_no_bot = is_no_bot
                    return says
                case Beat():
                    pass
                case _:
                    assert_never(report)

    async def _watch(self) -> None:
        """A bot that blocks its process hears of no turn that ran out; its silence tells."""
        patience = self._house.late * self._house.turn + BLOCKED_SECONDS
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(1)
            if self._heard and loop.time() - self._heard > patience:
                says = f"it gave no sign of life for {patience:.0f} seconds: it does not come back from choosing"
                self._conduct.note(Fault.LATE, says)
                self.expel(says)

    def go(self, table: int, games: int, dice: str) -> None:
        self._order(Go(table=table, games=games, dice=dice))

    def go_away(self, table: int) -> None:
        self._order(GoAway(table=table))

    def _order(self, order: Order) -> None:
        line = msgspec.json.encode(order) + b"\n"
        if self._orders is None:
            self._early.append(line)
        elif not self._orders.is_closing():
            self._orders.write(line)


class _Program(BotProcess):
    """Somebody's command, heard by a tap."""

    def __init__(self, name: str, competitor: Competitor, house: MatchServer, conduct: Conduct) -> None:
        super().__init__(name, competitor, house, conduct)
        self._proxy = Proxy(name, conduct.note, self.was_late, house.slow)

    def go(self, table: int, games: int, dice: str) -> None:
        """Nobody but the arena counts its games."""

    def go_away(self, table: int) -> None:
        self._proxy.leave(table)


class StdioBot(_Program):
    """A command that speaks on its standard input and output."""

    async def _play(self) -> str:
        try:
            async with running(command_words(self._competitor.what)) as process:
                says = await self._proxy.carry(
                    process.stdout, process.stdin, self._house.host, self._house.port, is_over=lambda: True
                )
                await _gone(process.wait)
                return says if process.returncode is None or self._proxy.ended_by else _ending(process)
        except (CannotStart, OSError) as error:
            return printable(str(error))


class TcpBot(_Program):
    """A command that connects by itself: to a door of its own, behind which is the server."""

    async def _play(self) -> str:
        lines: set[asyncio.Task[None]] = set()
        has_ended = asyncio.Event()

        async def enter(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await _cancelled(*lines)  # it came back: its former connection is no more
            lines.clear()
            lines.add(asyncio.ensure_future(self._serve(reader, writer, has_ended)))

        door = await asyncio.start_server(enter, "127.0.0.1", 0)
        try:
            port = str(door.sockets[0].getsockname()[1])
            words = command_words(self._competitor.what, host="127.0.0.1", port=port, name=self.name)
            async with running(words) as process:
                process.discard_output()
                await process.wait()
                has_ended.set()
                await process.read_rest(GONE_SECONDS)
                if lines:
                    await asyncio.wait(lines, timeout=GONE_SECONDS)
                return self._proxy.ended_by or _ending(process)
        except (CannotStart, OSError) as error:
            return printable(str(error))
        finally:
            door.close()
            await _cancelled(*lines)

    async def _serve(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, has_ended: asyncio.Event
    ) -> None:
        try:
            await self._proxy.carry(reader, writer, self._house.host, self._house.port, is_over=has_ended.is_set)
            with suppress(TimeoutError):
                async with asyncio.timeout(GONE_SECONDS):
                    await has_ended.wait()
        except OSError:
            pass  # it has gone before it said anything
        finally:
            writer.close()


async def _gone(wait: Callable[[], Awaitable[int]]) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(GONE_SECONDS):
            await wait()


async def _cancelled(*tasks: asyncio.Task[None] | asyncio.Task[str]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
