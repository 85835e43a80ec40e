"""Processes of a match: its server, and one bot for each player. They are started, ordered to tables, watched and
ended.

`BotProcess.run` lasts from the start of the process to its end, and may be called again. It returns the reason of the
end, and records earlier errors as faults.
"""

import asyncio
import signal
import socket
import sys
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from put_arena.competitors import Fault, Kind, command_words
from put_arena.contest import Contest, NoBot
from put_arena.orders import Alive, BotTerms, Failed, Fell, Go, GoAway, PlayerOrder, PlayerReport, read_report
from put_arena.proxy import Proxy
from put_arena.sandbox import MEMORY_MB, end_inside, used_mb
from put_protocol.text import printable
from put_runtime.child_process import PUT_SERVER, CannotStart, ChildProcess, port_in, running
from put_runtime.system_errors import failure_of

START_SECONDS = 20.0
"""Limit for a server to listen; it takes a fraction of a second."""


@asynccontextmanager
async def serving(host: str, seed: int, port: int = 0) -> AsyncIterator[tuple[str, int]]:
    """Run a put-server that repeats its packs. Yields its host and port as reachable from here. The given port is used
    if it is free, so that spectators can reconnect.

    :raises CannotStart: the server did not begin to listen.
    """
    words = [*PUT_SERVER, "--host", host, "--port", str(_free(host, port)), "--data", ":memory:"]
    words += ["--seed", "-", "--drain-seconds", "0", "--log-level", "error", "--name", "The arena"]
    words += ["--at-eof", "stop"]  # so that it goes too when we are killed
    words += ["--exempt", "127.0.0.1 ::1"]  # all players come from this machine
    words += ["--name-days", "0"]  # a bot that starts again has lost its token
    words += ["--news-ms", "0"]  # results are read from the purses in the news
    async with running(words) as process:
        process.stdin.write(f"{seed}\n".encode())
        said = b""
        with suppress(TimeoutError):
            async with asyncio.timeout(START_SECONDS):
                said = await process.stdout.readline()
        found = port_in(said.decode(errors="replace"))
        if found is None:
            await process.read_rest()
            raise CannotStart("put-server", last_line(process) or "it says nothing")
        process.discard_output()
        yield ("127.0.0.1" if host in ("*", "0.0.0.0", "localhost") else host), found


def _free(host: str, port: int) -> int:
    """This port, or 0 if it is taken."""
    try:
        socket.create_server(("" if host == "*" else host, port)).close()
    except OSError:
        return 0
    return port


def last_line(process: ChildProcess) -> str:
    """The last line of its standard error that is not empty, safe to show."""
    lines = [printable(line).strip() for line in process.stderr.lines]
    return next((line for line in reversed(lines) if line), "")


LISTENER = Path(__file__).with_name("dial_listener.py").resolve()

LISTEN_SECONDS = 10.0
"""Limit from the start of a program that connects by itself until its port is open."""

GONE_SECONDS = 0.5
"""Limit from the last output of a process to its end."""

BLOCKED_SECONDS = 3.0
"""A bot is regarded as blocked for good after this silence, in addition to the turns that it may be late in."""

_DECODER: msgspec.json.Decoder[PlayerReport] = msgspec.json.Decoder(PlayerReport)


def _ending(process: ChildProcess) -> str:
    """Description of how a process ended, as the end of a sentence."""
    code = process.returncode
    killed_by = {128 + one: one for one in signal.Signals} | {-one: one for one in signal.Signals}
    if code is None:
        how = "it closed its output"
    elif code in killed_by:  # a shell and the sandbox add 128
        how = f"it was ended by {killed_by[code].name}"
    else:
        how = f"it ended with status {code}"
    last = last_line(process)
    return f"{how}, saying: {last}" if last else how


@dataclass(eq=False)
class BotProcess(ABC):
    name: str
    """The player's name at the tables."""
    number: int
    """Its competitor's."""
    contest: Contest
    address: tuple[str, int]
    """Host and port of the server."""
    began: float = field(default=0.0, init=False)
    """Start of its process, by the loop's clock; 0: it is not running."""
    connected_at: float = field(default=0.0, init=False)
    """Last time that it was connected to the server."""
    _playing: asyncio.Task[str] | None = field(default=None, init=False)
    _pid: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self.competitor = self.contest.competitors[self.number]
        self.conduct = self.contest.conduct[self.number]
        self.rules = self.contest.rules

    async def run(self) -> str:
        """Start the process and play until it ends. Returns the reason of the end, as the end of a sentence.

        :raises NoBot: there is no such bot.
        """
        self.began = asyncio.get_running_loop().time()
        playing = self._playing = asyncio.create_task(self._play())
        try:
            await asyncio.wait({playing})
            return "" if playing.cancelled() else playing.result()
        except (CannotStart, OSError) as error:
            return printable(failure_of(error))
        finally:
            self.began = 0.0
            playing.cancel()
            await asyncio.wait({playing})

    def end(self) -> None:
        """May be called again."""
        if self._playing is not None and not self._playing.cancelling():
            self._playing.cancel()

    @asynccontextmanager
    async def _running(
        self, words: Sequence[str], descriptors: Sequence[int] = (), *, connects: bool = True
    ) -> AsyncIterator[ChildProcess]:
        own, folders, sandbox = self.competitor.files, self.competitor.folders, self.contest.sandbox
        others = [path for path in sandbox.bots if path not in own]
        with sandbox.command(words, show=(*own, *folders), hide=others, connects=connects) as (command, needed):
            given = (*descriptors, *needed)
            async with running(command, environment=sandbox.environment(), descriptors=given) as process:
                self._pid = process.pid
                try:
                    yield process
                finally:
                    self._pid = 0
                    if sandbox.closed:
                        end_inside(process.pid)

    def check_memory(self) -> None:
        if self.contest.sandbox.closed and self._pid and used_mb(self._pid) > MEMORY_MB:
            self.conduct.note(Fault.CRASHED, "took too much memory")
            self.conduct.disqualify(f"it took more than {MEMORY_MB:,} MB of memory")

    @abstractmethod
    async def _play(self) -> str:
        """:raises CannotStart, OSError, NoBot: with the reason of the end."""

    @abstractmethod
    def go(self, table: int, games: int, dice: str) -> None:
        """It will be invited to this table, for this many games."""

    @abstractmethod
    def go_away(self, table: int) -> None:
        """It has to leave the table, if it is there."""

    @property
    def refusal(self) -> str:
        """Reason why its last request was refused; empty: it was not, or that is not known."""
        return ""


@dataclass(eq=False)
class SdkBot(BotProcess):
    """A Python class, played by `put_arena.class_player`."""

    _orders: asyncio.StreamWriter | None = field(default=None, init=False)
    _early: list[bytes] = field(default_factory=list, init=False)
    """Orders given before `_orders` is set: the process may say hello to the server, and be invited, before we know
    that it has started."""

    async def _play(self) -> str:
        self._early.clear()
        with socket.create_connection(self.address) as connection:
            terms = BotTerms(
                descriptor=connection.fileno(),
                name=self.name,
                what=self.competitor.what,
                turn=self.rules.turn,
                slow=self.rules.slow,
            )
            words = [sys.executable, "-m", "put_arena.class_player", msgspec.json.encode(terms).decode()]
            # A connected socket can be connected anew, to anywhere: it belongs to our network.
            async with self._running(words, (connection.fileno(),), connects=False) as process:
                connection.close()  # the process has it now
                return await self._played(process)

    async def _played(self, process: ChildProcess) -> str:
        self._orders = process.stdin
        self._orders.writelines(self._early)
        try:
            says = await self._follow(process.stdout)
            await _gone(process)
            return says or _ending(process)
        finally:
            self._orders = None

    async def _follow(self, output: asyncio.StreamReader) -> str:
        """Handle reports until they end. Returns the process's own reason for its end, if any.

        A bot that blocks its process reports nothing, not even turns that run out.
        """
        patience = self.rules.late * self.rules.turn + BLOCKED_SECONDS
        seconds: float | None = None  # until its first report: imports may take long, and `roster` limits that
        while True:
            try:
                report = await read_report(output, _DECODER, seconds)
            except TimeoutError:
                says = f"it gave no sign of life for {patience:.0f} seconds: it does not come back from a call"
                self.conduct.note(Fault.LATE, says)
                self.conduct.disqualify(says)
                return says
            except ValueError:
                return "it wrote where only the arena may"
            seconds = patience
            match report:
                case Alive():
                    pass
                case Fell(fault=fault, says=says, running=running):
                    self.conduct.note(fault, says, running)
                case Failed(says=says, is_no_bot=is_no_bot):
                    if is_no_bot:
                        raise NoBot(says)
                    return says
                case None:
                    return ""

    def go(self, table: int, games: int, dice: str) -> None:
        self._order(Go(table=table, games=games, dice=dice))

    def go_away(self, table: int) -> None:
        self._order(GoAway(table=table))

    def _order(self, order: PlayerOrder) -> None:
        line = msgspec.json.encode(order) + b"\n"
        if self._orders is None:
            self._early.append(line)
        elif not self._orders.is_closing():
            self._orders.write(line)


@dataclass(eq=False)
class _Program(BotProcess):
    """A competitor's command, behind a proxy."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._proxy = Proxy(self.name, self.conduct, self.rules.slow)

    def go(self, table: int, games: int, dice: str) -> None:
        """Do nothing: only the arena counts the program's games."""

    def go_away(self, table: int) -> None:
        self._proxy.leave(table)

    @property
    def refusal(self) -> str:
        return self._proxy.refusal


class StdioBot(_Program):
    """A command that speaks the protocol on its standard input and output."""

    async def _play(self) -> str:
        async with self._running(command_words(self.competitor.what)) as process:
            says = await self._proxy.carry(process.stdout, process.stdin, *self.address, is_over=lambda: True)
            await _gone(process)
            return says if process.returncode is None or self._proxy.why_closed else _ending(process)


class TcpBot(_Program):
    """A command that connects by itself, to a port on which the proxy listens only for this command."""

    async def _play(self) -> str:
        serving: asyncio.Task[None] | None = None
        has_ended = asyncio.Event()

        def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            nonlocal serving
            serving = asyncio.ensure_future(self._serve(reader, writer, has_ended, former=serving))

        words = command_words(self.competitor.what, host="127.0.0.1", name=self.name)
        ours, theirs = socket.socketpair()
        program = [sys.executable, "-I", "-S", str(LISTENER), str(theirs.fileno()), *words]
        listener: asyncio.Server | None = None
        try:
            async with self._running(program, [theirs.fileno()]) as process:
                theirs.close()
                process.discard_output()
                listener = await asyncio.start_server(accept, sock=await _received(ours))
                await process.wait()
                has_ended.set()
                await process.read_rest(GONE_SECONDS)
                if serving is not None:
                    await asyncio.wait({serving}, timeout=GONE_SECONDS)
                return self._proxy.why_closed or _ending(process)
        finally:
            ours.close()
            theirs.close()
            if listener is not None:
                listener.close()
            await _cancelled(serving)

    async def _serve(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        has_ended: asyncio.Event,
        former: asyncio.Task[None] | None,
    ) -> None:
        try:
            await _cancelled(former)  # it came back: its former connection is no more
            await self._proxy.carry(reader, writer, *self.address, is_over=has_ended.is_set)
            with suppress(TimeoutError):
                async with asyncio.timeout(GONE_SECONDS):
                    await has_ended.wait()
        except OSError:
            pass  # it has gone before it said anything
        finally:
            writer.close()


PROCESSES: Mapping[Kind, type[BotProcess]] = {Kind.SDK: SdkBot, Kind.STDIO: StdioBot, Kind.DIAL: TcpBot}
"""House players have no process: they live in the server."""


async def _received(pair: socket.socket) -> socket.socket:
    """:raises OSError: `dial_listener` sends no socket."""
    pair.settimeout(LISTEN_SECONDS)
    _, descriptors, _, _ = await asyncio.to_thread(socket.recv_fds, pair, 1, 1)
    if not descriptors:
        raise OSError("it ended before it was started")
    return socket.socket(fileno=descriptors[0])


async def _gone(process: ChildProcess) -> None:
    """Wait until the process has ended and its last output is read; but not for long: it may just have closed its
    output."""
    with suppress(TimeoutError):
        async with asyncio.timeout(GONE_SECONDS):
            await process.wait()
    await process.read_rest(GONE_SECONDS)


async def _cancelled(task: asyncio.Task[None] | None) -> None:
    if task is not None:
        task.cancel()
        await asyncio.wait({task})
