"""Line mode: a line in, sentences out; for pipes, dumb terminals and screen readers.

Laws: the screen is never redrawn; each event is one sentence, written at once. This module has only input and output:
`put_text.plain`, as on a server's text connection, and `line_state` interpret lines and make sentences. If the input is
no terminal, an early move waits for its decision, so that whole games can be piped in, and there are no confirmations,
because no person would answer.

The player keeps the seat when the program ends: only `leave` and `resign` give a game up. At the end of a file or pipe
the seat is given up if no game is in play.
"""

import asyncio
import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import Protocol

from put_client.line import line_state
from put_client.line.line_state import LineState
from put_client.places import write_new
from put_client.sdk.client import Client
from put_client.sdk.errors import Cheated, NoServer, Refusal, Unanswered
from put_client.sdk.traffic import Message
from put_client.settings import DEFAULTS, Settings
from put_client.teaching import Teacher
from put_protocol.limits import PLAIN_BYTES
from put_protocol.messages import Analyse, Analysis, Decision, Sit, Watch
from put_protocol.seats import GALLERY
from put_protocol.text import printable
from put_runtime import exit_codes
from put_runtime.system_errors import failure_of, unwrapped
from put_text.catalogue import LANGUAGE, say
from put_text.parse_action import command_in_english
from put_text.plain.answers import kept, table
from put_text.plain.interpreter import completions, interpret, is_command
from put_text.plain.telling import greeting, refusal, warn, warning_due
from put_text.plain.text_state import Asks, EndSession, Heard, SendRequest, TextState, arrived, only_choice

LINE_BYTES = PLAIN_BYTES
"""The longest line; the rest of a longer one is dropped."""


class Lines:
    """Lines of any file descriptor, read by a thread, because not every kind works with an event loop.

    The thread reads a line only after the previous one was taken, and does not delay the end of the program.
    """

    is_hung_up = False
    """The lines ended because the terminal is gone, which was not the person's request."""

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
        # Not through sys.stdin: a daemon thread that holds its lock when the interpreter ends aborts it. A file that is
        # not buffered has none; and a console of Windows gives its characters to such a file, not to os.read.
        rest, is_wanted = b"", True
        try:
            with open(self._descriptor, "rb", buffering=0, closefd=False) as file:
                while is_wanted and (data := file.read(LINE_BYTES)):
                    *lines, rest = (rest + data).split(b"\n")
                    rest = rest[:LINE_BYTES]
                    is_wanted = all(self._put(line) for line in lines)
        except OSError:
            pass  # a terminal that hung up: the end of its lines
        self.is_hung_up = self._is_terminal and not os.isatty(self._descriptor)
        if is_wanted and (not rest or self._put(rest)):
            self._put(None)

    def _put(self, line: bytes | None) -> bool:
        """Deliver a line and wait until it is taken. False: the event loop is closed."""
        text = None if line is None else line[:LINE_BYTES].decode(errors="replace")
        try:
            self._loop.call_soon_threadsafe(self._lines.put_nowait, text)
        except RuntimeError:
            return False
        self._taken.acquire()
        return True


def speak(sentence: str) -> None:
    """Print one line at once. It contains a server's text, so it must not move the cursor."""
    print(printable(sentence), flush=True)


class Input(Protocol):
    is_hung_up: bool
    """They ended because the terminal has gone."""

    async def next(self) -> str | None:
        """The next line without its end; None at the end."""


class LineSession:
    def __init__(
        self,
        client: Client,
        lines: Input,
        say: Callable[[str], None],
        *,
        is_patient: bool,
        asks: Asks,
        back: str | None = None,
        settings: Settings = DEFAULTS,
        teacher: Teacher | None = None,
    ) -> None:
        # The bell, when time grows short.
        self._rings = (settings.bell or settings.sounds) and not is_patient and sys.stdout.isatty()
        self._rings_at_turns = settings.sounds
        self._teacher = teacher
        self._client = client
        self._lines = lines
        self._say = say
        self._is_patient = is_patient  # whether a move waits until it is asked for
        self._back = back  # what brings the person back to the seat; None: nothing will
        text = TextState(
            asks=asks,
            is_brief=settings.brief and not settings.full,
            has_chosen_words=settings.full,
            is_kept=back is not None,
            language=LANGUAGE.get(),
        )
        self._state = LineState(text=text)
        self._changed = asyncio.Event()
        self._is_taught = False
        self._awaits_analysis = False
        """The person asked for the analysis of a game, and a part is missing."""
        self._is_at_end = False

    @property
    def text(self) -> TextState:
        return self._state.text

    async def start(self, first: Sit | Watch | None = None, retold: Sequence[Message] | None = None) -> None:
        """Greet, and go to the table asked for; after a reconnect we are at a table, and its snapshot follows.

        `retold`: messages of the table to which the full screen has gone; empty: it was in the lobby.
        """
        self._tell((greeting(self._client.welcome),))
        for message in retold or ():
            self._hear(message)
        if retold is not None and not retold:
            with suppress(Refusal, Unanswered, NoServer):
                await self._client.look_away()
        if retold or (retold is None and self._client.welcome.tables):
            return
        match first:
            case Sit(table=at):
                seat = await self._client.sit(at, passcode=first.passcode)
                self._state = self._state.at(arrived(self.text, at, seat))
            case Watch(table=at):
                await self._client.watch(at, passcode=first.passcode)
                self._state = self._state.at(arrived(self.text, at, GALLERY))
            case None:
                self._tell(table(self.text))

    async def read_messages(self) -> None:
        async for message in self._client:
            if isinstance(message, Analysis) and not self._is_analysis_wanted(message):
                continue  # the record asked, not the person
            self._hear(message)
            if self._is_at_end and self.text.table is None:
                await self._client.close()

    def _hear(self, message: Message) -> None:
        self._state, said = line_state.apply_message(self._state, message, _now())
        notes = self._notes_after(message)
        self._tell([*notes, *said] if isinstance(message, Decision) else [*said, *notes])
        self._changed.set()
        if self._rings_at_turns and isinstance(message, Decision):
            self._ring()

    async def mind_decisions(self) -> None:
        """Warn when our time grows short, and make forced moves if wanted; until cancelled."""
        while True:
            due = warning_due(self.text, _now())
            with suppress(TimeoutError):
                async with asyncio.timeout(None if due is None else due / 1000):
                    await self._next_change()
            text, said = warn(self.text, _now())
            self._state = self._state.at(text)
            if said:
                self._ring()
            self._tell(said)
            tried = None
            while (move := only_choice(self.text)) is not None and self.text.decision is not tried:
                tried = self.text.decision
                await self._ask(move)

    def _notes_after(self, message: Message) -> list[str]:
        """Notes for beginners; the first one says how to turn them off."""
        lessons = () if self._teacher is None else self._teacher.take(message)
        is_first = not self._is_taught
        self._is_taught |= bool(lessons)
        return [
            say("client-note", note=lesson.says, first=is_first and not place) for place, lesson in enumerate(lessons)
        ]

    def _is_analysis_wanted(self, part: Analysis) -> bool:
        """True if the player asked for the analysis; one request covers all parts."""
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
            if self.text.table is not None and self.text.viewer == GALLERY:
                return
        await self.drain()
        await self.end()

    async def end(self) -> None:
        """Close the connection, without `bye` if a seat must be kept; then print how to come back."""
        info = self.text.info
        is_wanted = info is not None and (info.is_in_play or not self._is_patient)
        keeps = self._back is not None and self.text.is_seated and is_wanted
        if keeps:
            self._say(kept(self.text))
            self._say(say("screen-come-back", command=self._back or ""))
        await self._client.close(keep=keeps)

    async def drain(self) -> None:
        """Wait for the results of our last commands: answers come in order, so any request will do."""
        if self.text.table is not None and self._client.is_up:
            with suppress(Refusal, Unanswered, NoServer):
                await self._client.look_away()
        while self._client.waiting:
            await self._next_change()

    async def _next_change(self) -> None:
        self._changed.clear()
        await self._changed.wait()

    async def _run_line(self, line: str) -> bool:
        word, _, rest = command_in_english(line.strip()).partition(" ")
        if word.casefold() == "teach":
            self._say(say("client-no-notes") if self._teacher is None else self._teacher.obey(rest))
            return True
        if word.casefold() == "save":
            self._say(save_log(self.text.log, rest.strip()))
            return True
        if self._is_patient and line.strip() and not is_command(command_in_english(line), self.text):
            await self.asked()
        about_deals = partial(line_state.proof, self._state)
        text, outcome = interpret(line, self.text, _now(), self._client.welcome, about_deals)
        if text.language != self.text.language:
            self._say(say("client-no-language"))
            return True
        self._state = self._state.at(text)
        match outcome:
            case EndSession():
                return False
            case SendRequest():
                await self._ask(outcome)
            case _:
                self._tell(outcome)
        return True

    async def asked(self) -> None:
        """Wait until there is a decision, or none can be expected."""
        while (
            (self.text.decision is None or only_choice(self.text) is not None)
            and self.text.awaits_move
            and not self._state.is_caught
        ):
            await self._next_change()

    async def _ask(self, outcome: SendRequest) -> None:
        next_step: SendRequest | Sequence[str] = outcome
        while isinstance(next_step, SendRequest):
            self._awaits_analysis |= isinstance(next_step.make(0), Analyse)
            try:
                answer = await self._client.ask(next_step.make)
            except Refusal as error:
                self._tell((refusal(error.says, error.retry_after_ms),))
                return
            except (Unanswered, NoServer, Cheated) as error:
                self._tell((str(error),))
                return
            if next_step.then is None:
                return
            text, next_step = next_step.then(self.text, answer)
            self._state = self._state.at(text)
        self._tell(next_step)

    def _ring(self) -> None:
        if self._rings:
            sys.stdout.write("\a")
            sys.stdout.flush()

    def _tell(self, sentences: Sequence[str]) -> None:
        for sentence in sentences:
            self._say(sentence)


def save_log(log: Sequence[Heard], path: str) -> str:
    """Write the table's log to a new file. Returns a sentence about the result."""
    if not path:
        return say("client-which-file")
    try:
        write_new(path, "".join(f"{heard.full}\n" for heard in log))
    except OSError as error:
        return say("client-not-written", error=failure_of(error))
    return say("client-written", count=len(log), path=printable(path))


def _now() -> int:
    return int(asyncio.get_running_loop().time() * 1000)


async def run(
    client: Client,
    first: Sit | Watch | None = None,
    *,
    back: str | None = None,
    settings: Settings = DEFAULTS,
    teacher: Teacher | None = None,
    retold: Sequence[Message] | None = None,
    descriptor: int = 0,
    say: Callable[[str], None] = speak,
) -> int:
    """Play until either side ends the connection. Returns the exit code. Lines come from the file descriptor.

    `first`: the table to go to. `retold`: messages of the table at which full screen was left; empty: the lobby; None:
    we come from nowhere. `back`: what to type to come back to a seat; None: no seat can be kept, because the server
    ends with the program.

    :raises ClientError: the connection was not ended by us, or the first table refused us.
    """
    is_patient = not os.isatty(descriptor)
    asks = Asks.NOTHING if is_patient else Asks.ALL if settings.ask_before_deciding else Asks.GIVING_UP
    heard: list[LineSession] = []
    with _terminal(settings, descriptor, say, lambda: completions(heard[0].text)) as (lines, speaking):
        session = LineSession(
            client, lines, speaking, is_patient=is_patient, asks=asks, back=back, settings=settings, teacher=teacher
        )
        heard.append(session)
        await session.start(first, retold)
        await play(session)
        return exit_codes.OK


@contextmanager
def _terminal(
    settings: Settings, descriptor: int, say: Callable[[str], None], completions: Callable[[], Iterable[str]]
) -> Iterator[tuple[Input, Callable[[str], None]]]:
    """Source of lines and output of sentences: at a terminal a prompt, and text wrapped to its width."""
    if say is not speak or not sys.stdout.isatty():
        yield Lines(descriptor), say
        return
    from prompt_toolkit.patch_stdout import patch_stdout  # noqa: PLC0415  # a pipe does not wait for what draws a prompt

    from put_client.line import prompt  # noqa: PLC0415  # as above

    is_dumb = os.environ.get("TERM", "dumb") in ("", "dumb")
    if is_dumb or not (settings.editing and descriptor == 0 and os.isatty(0)):
        yield Lines(descriptor), prompt.speak_wrapped
        return
    with patch_stdout():
        yield prompt.Prompt(completions), prompt.speak_wrapped


async def play(session: LineSession) -> None:
    """:raises ClientError: the connection was not ended by us."""
    try:
        async with unwrapped(), asyncio.TaskGroup() as tasks:
            minding = tasks.create_task(session.mind_decisions())
            playing = [tasks.create_task(session.read_messages()), tasks.create_task(session.read_lines())]
            await asyncio.wait(playing)
            minding.cancel()
    except asyncio.CancelledError:  # ^C
        await session.end()
        raise
