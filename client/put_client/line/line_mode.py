"""Line mode: a line in, sentences out; for pipes, dumb terminals and screen readers.

Laws: nothing is ever drawn over; an event is one line, written at once. Here is the input and output only: what a line
means and what is to be said comes from `put_text.plain`, as on a server's text connection, and from `line_state`.
Where input is no terminal, a move that comes early waits until it is asked for, so that whole games can be piped in.
"""

import asyncio
import os
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

from put_client.line import line_state
from put_client.line.line_state import LineState
from put_client.sdk.client import Client
from put_client.sdk.errors import Cheated, NoServer, Refusal, Unanswered
from put_client.sdk.session_store import seat_is_kept
from put_protocol.limits import PLAIN_BYTES
from put_protocol.messages import Analyse, Analysis
from put_protocol.seats import GALLERY
from put_text.plain.commands import Ask, Noted, Quit, interpret, is_command
from put_text.plain.text_state import TextState, arrived, greeting, is_paused, refusal, table

LINE_BYTES = PLAIN_BYTES
"""The longest line; the rest of a longer one is dropped."""


class Lines:
    """Lines of a file descriptor of any kind, read by a thread: not every kind works with an event loop.

    The thread reads no further line until the last was taken, and is no hindrance to the end of the program.
    """

    is_hung_up = False
    """They ended because the terminal has gone, which the person did not ask for."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._is_terminal = os.isatty(descriptor)
        self._loop = asyncio.get_running_loop()
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()  # the thread puts one at a time
        self._taken = threading.Semaphore(0)
        threading.Thread(target=self._read, name="lines", daemon=True).start()

    async def next(self) -> str | None:
        """The next line without its end; None at the end of the file. Do not call it again after that."""
        line = await self._lines.get()
        self._taken.release()
        return line

    def _read(self) -> None:
        # Not through sys.stdin: a daemon thread that holds its lock when the interpreter ends aborts it.
        rest, is_wanted = b"", True
        try:
            while is_wanted and (data := os.read(self._descriptor, LINE_BYTES)):
                *lines, rest = (rest + data).split(b"\n")
                rest = rest[:LINE_BYTES]
                is_wanted = all(self._put(line) for line in lines)
        except OSError:
            pass  # a terminal that hung up: the end of its lines
        self.is_hung_up = self._is_terminal and not os.isatty(self._descriptor)
        if is_wanted and (not rest or self._put(rest)):
            self._put(None)

    def _put(self, line: bytes | None) -> bool:
        """Deliver a line and wait until it is taken. False: the loop is closed."""
        text = None if line is None else line[:LINE_BYTES].decode(errors="replace")
        try:
            self._loop.call_soon_threadsafe(self._lines.put_nowait, text)
        except RuntimeError:
            return False
        self._taken.acquire()
        return True


def speak(sentence: str) -> None:
    """One line on standard output, at once."""
    print(sentence, flush=True)


class Session:
    """A person in line mode: their input, the messages, and the sentences said."""

    def __init__(
        self, client: Client, lines: Lines, say: Callable[[str], None], *, is_patient: bool, keeps: bool = False
    ) -> None:
        self._client = client
        self._lines = lines
        self._say = say
        self._is_patient = is_patient  # whether a move waits until it is asked for
        self._keeps = keeps  # whether somebody can come back to the seat
        self._state = LineState()
        self._changed = asyncio.Event()
        self._awaits_analysis = False
        """The person has asked what a game cost, and not all of it has come."""
        self._is_at_end = False
        """No more lines will come."""

    @property
    def _text(self) -> TextState:
        return self._state.text

    async def start(self, at: int | None, watch: int | None, passcode: str) -> None:
        """Greet, and go to the table asked for; after a reconnect we are at a table, and its snapshot follows."""
        self._say(greeting(self._client.welcome))
        if self._client.welcome.tables:
            return
        if at is not None:
            seat = await self._client.sit(at, passcode=passcode)
            self._state = self._state.at(arrived(self._text, at, seat))
        elif watch is not None:
            await self._client.watch(watch, passcode=passcode)
            self._state = self._state.at(arrived(self._text, watch, GALLERY))
        else:
            self._tell(table(self._text))

    async def read_messages(self) -> None:
        """Say what messages tell, to the end of the connection."""
        async for message in self._client:
            if isinstance(message, Analysis) and not self._is_analysis_wanted(message):
                continue  # the record asked, not the person
            self._state, said = line_state.apply_message(self._state, message, _now())
            self._tell(said)
            self._changed.set()
            if self._is_at_end and self._text.table is None:
                await self._client.close()

    def _is_analysis_wanted(self, part: Analysis) -> bool:
        """Whether the person asked for it, which they did once for all its parts."""
        was_wanted = self._awaits_analysis
        is_last = not part.reviewed or part.reviewed[-1].number == part.decisions
        self._awaits_analysis = was_wanted and not is_last
        return was_wanted

    async def read_lines(self) -> None:
        """Carry out the lines. At their end a spectator stays until the table ends; anyone else quits."""
        while (line := await self._lines.next()) is not None:
            if not await self._run_line(line):
                break
        else:
            self._is_at_end = True
            if self._lines.is_hung_up:
                await self._client.close(keep=True)
                return
            if self._text.table is not None and self._text.viewer == GALLERY:
                return
        await self._drain()
        await self.end()

    async def end(self) -> None:
        """Close the connection; during a pause without `bye`, so that the seat is kept, as when the connection is
        lost."""
        keeps = self._keeps and (is_paused(self._text) or not self._client.is_up)
        if keeps and self._text.table is not None:
            self._say(seat_is_kept(self._text.table))
        await self._client.close(keep=keeps)

    async def _drain(self) -> None:
        """Wait until the results of our last commands were said: answers come in order, so any request will do."""
        if self._text.table is not None and self._client.is_up:
            with suppress(Refusal, Unanswered, NoServer):
                await self._client.look_away()
        while self._client.waiting:
            await self._next_change()

    async def _next_change(self) -> None:
        self._changed.clear()
        await self._changed.wait()

    async def _run_line(self, line: str) -> bool:
        if self._is_patient:
            await self._wait_to_be_asked(line)
        outcome = interpret(line, self._text, _now(), self._client.welcome, partial(line_state.seal, self._state))
        match outcome:
            case Quit():
                return False
            case Ask():
                await self._ask(outcome)
            case Noted(state=text, says=says):
                self._state = self._state.at(text)
                self._tell(says)
            case _:
                self._tell(outcome)
        return True

    async def _wait_to_be_asked(self, line: str) -> None:
        if not line.strip() or is_command(line):
            return
        while self._text.decision is None and self._text.awaits_move and not self._state.is_caught:
            await self._next_change()

    async def _ask(self, outcome: Ask) -> None:
        """Make a request, and those that follow from it."""
        next_step: Ask | Sequence[str] = outcome
        while isinstance(next_step, Ask):
            self._awaits_analysis |= isinstance(next_step.make(0), Analyse)
            try:
                answer = await self._client.ask(next_step.make)
            except Refusal as error:
                self._say(refusal(error.says, error.retry_after_ms))
                return
            except (Unanswered, NoServer, Cheated) as error:
                self._say(str(error))
                return
            if next_step.then is None:
                return
            text, next_step = next_step.then(self._text, answer)
            self._state = self._state.at(text)
        self._tell(next_step)

    def _tell(self, sentences: Sequence[str]) -> None:
        for sentence in sentences:
            self._say(sentence)


def _now() -> int:
    return int(asyncio.get_running_loop().time() * 1000)


async def run(
    client: Client,
    *,
    table: int | None,
    watch: int | None,
    passcode: str,
    keeps: bool = False,
    descriptor: int = 0,
    say: Callable[[str], None] = speak,
) -> int:
    """Play until either side ends it. Returns the exit code. Lines come from the file descriptor.

    With `keeps` the token outlives the program, and who quits during a pause keeps their seat.

    :raises ClientError: the connection ended otherwise than by us, or the first table would not have us.
    """
    session = Session(client, Lines(descriptor), say, is_patient=not os.isatty(descriptor), keeps=keeps)
    await session.start(table, watch, passcode)
    try:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(session.read_messages())
            tasks.create_task(session.read_lines())
    except ExceptionGroup as group:
        raise group.exceptions[0] from None
    except asyncio.CancelledError:  # ^C
        await session.end()
        raise
    return os.EX_OK


async def go_on(client: Client, *, keeps: bool) -> int:
    """Play on in line mode after full screen, with the same token and so in the same seats. Returns the exit code.

    :raises ClientError: as `run`, or the server would not have us back.
    """
    async with await client.reopened() as again:
        status = await run(again, table=None, watch=None, passcode="", keeps=keeps)
    client.token = again.token  # ended, if we said goodbye
    return status
