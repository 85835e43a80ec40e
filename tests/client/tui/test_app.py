"""The shell: the real application, keys through a pipe, its output read by a terminal in memory."""

import asyncio
import io
import os
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NoReturn

import pyte
import pytest
from msgspec.structs import replace
from prompt_toolkit.application import create_app_session
from prompt_toolkit.data_structures import Size as TerminalSize
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from put_client.line.line_state import LineState
from put_client.sdk.errors import ClientError, Disconnected, Refusal
from put_client.sdk.lasting_wire import ConnectionBack, ConnectionLost
from put_client.sdk.traffic import Message
from put_client.settings import DEFAULTS, Settings
from put_client.tui import app
from put_client.tui.app import Shell, run
from put_client.tui.effects import NO_ID
from put_client.tui.moments import until_next
from put_client.tui.update.update_message import retold
from put_protocol.games.put import Play, Put
from put_protocol.messages import (
    Act,
    Again,
    Decision,
    GoOn,
    Invite,
    LobbyState,
    Look,
    Ok,
    OpenTable,
    Pause,
    Request,
    Say,
    Sit,
    Stand,
    TableSnapshot,
    Turn,
)
from put_protocol.refusals import RefusalCode
from put_protocol.seats import Seat
from put_protocol.table_info import TableState
from put_runtime import exit_codes
from tests.client.hearing import heard, listened
from tests.client.tui.sample_models import HAND, TABLE, WELCOME, choices, info_of, table_of, view_of
from tests.client.tui.test_deal_view import caught

SNAPSHOT = TableSnapshot(
    table=TABLE, viewer=Seat(0), number=0, info=info_of("Will", "Moll"), view=view_of(2, Seat(0)), turn=Turn(Seat(0))
)
DECISION = Decision(table=TABLE, decision=9, asks="Lead to trick 1.", legal=choices(HAND[:3]))
LOBBY = LobbyState(tables=(info_of("Ann", None, state=TableState.FILLING),), begins=True)


class FakeClient:
    """A client whose server is the test: it says what it is given, notes what it is asked, and answers at once."""

    def __init__(self) -> None:
        self.welcome = WELCOME
        self.requests: list[Request] = []
        self.was_asked_to_confirm = asyncio.Event()
        self.refusals: dict[type[Request], ClientError] = {}
        """Requests that are refused, by their type."""
        self.oks: dict[type[Request], Ok] = {}
        """Answers that are not the usual one."""
        self.answers = asyncio.Event()
        """Set while the server answers at all."""
        self.answers.set()
        self.closed: bool | None = None
        """Whether the seat was kept when it was closed; None: that is left to whoever opened it."""
        self._inbox: asyncio.Queue[Message | ClientError] = asyncio.Queue()

    def deliver(self, *messages: Message | ClientError) -> None:
        """Have the server send this; an error ends the connection."""
        for message in messages:
            self._inbox.put_nowait(message)

    async def __aiter__(self) -> AsyncIterator[Message]:
        while True:
            message = await self._inbox.get()
            if isinstance(message, ClientError):
                raise message
            yield message

    async def ask(self, make: Callable[[int], Request]) -> Ok:
        request = make(NO_ID)
        self.requests.append(request)
        self.was_asked_to_confirm.set()
        await self.answers.wait()
        if type(request) in self.refusals:
            raise self.refusals[type(request)]
        return self.oks.get(type(request), Ok(NO_ID, table=8, seat=Seat(0)))

    async def close(self, *, keep: bool = False) -> None:
        self.closed = keep


class Screen(io.StringIO):
    """What the application writes, and what a terminal shows of it."""

    def __init__(self, columns: int, lines: int) -> None:
        super().__init__()
        self.size = TerminalSize(rows=lines, columns=columns)
        self._screen = pyte.Screen(columns, lines)
        self._stream = pyte.Stream(self._screen)
        self._written = asyncio.Event()

    def write(self, text: str) -> int:
        self._stream.feed(text)
        self._written.set()
        return super().write(text)

    @property
    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self._screen.display)

    @property
    def is_given_back(self) -> bool:
        """The alternate screen was left last, and the cursor shows."""
        out = self.getvalue()
        return out.rfind("\x1b[?1049l") > out.rfind("\x1b[?1049h") >= 0 and out.rfind("\x1b[?25h") > out.rfind(
            "\x1b[?25l"
        )

    def resize(self, columns: int, lines: int) -> None:
        """As a window manager would."""
        self.size = TerminalSize(rows=lines, columns=columns)
        self._screen.resize(lines, columns)
        os.kill(os.getpid(), signal.SIGWINCH)

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait for it, looking whenever something was written."""
        while not holds():
            self._written.clear()
            await self._written.wait()

    async def shows(self, text: str) -> None:
        await self.until(lambda: text in self.text)


class Running:
    """An application that runs."""

    def __init__(
        self, client: FakeClient, screen: Screen, keys: PipeInput, task: "asyncio.Task[int | tuple[Message, ...]]"
    ) -> None:
        self.client = client
        self.screen = screen
        self.keys = keys
        self.task = task

    async def requested(self, request: Request) -> None:
        """Wait until this was requested."""
        while request not in self.client.requests:
            self.client.was_asked_to_confirm.clear()
            await self.client.was_asked_to_confirm.wait()


@asynccontextmanager
async def running(
    *messages: Message | ClientError,
    client: FakeClient | None = None,
    size: tuple[int, int] = (80, 24),
    ascii_only: bool = False,
    keys_changed: tuple[tuple[str, str], ...] = (),
    back: str = "",
) -> AsyncIterator[Running]:
    """The application on a screen of this size, the server having said this. The test has 10 seconds."""
    client = client or FakeClient()
    client.deliver(*messages)
    settings = Settings(ascii=ascii_only, keys=keys_changed)
    screen = Screen(*size)
    output = Vt100_Output(screen, lambda: screen.size, term="xterm")
    async with asyncio.timeout(10):
        with create_pipe_input() as keys, create_app_session(input=keys, output=output):
            task = asyncio.create_task(
                run(client, settings=settings, back=back),
                name="the application",
            )
            try:
                yield Running(client, screen, keys, task)
            finally:
                task.cancel()
                await asyncio.wait({task})


async def test_application_shows_the_lobby_and_quits() -> None:
    """It looks around at once; q ends it with 0 and gives the terminal back."""
    async with running(LOBBY) as it:
        await it.screen.shows("Ann, (empty)")
        assert it.client.requests == [Look(NO_ID)]
        it.keys.send_text("q")
        assert await it.task == 0
        assert it.screen.is_given_back


async def test_application_plays_a_card() -> None:
    """The hand is on the screen, a digit plays, and the server is asked once."""
    async with running(SNAPSHOT, DECISION) as it:
        await it.screen.shows("1 3♠   2 10♥   3 K♦   p put")
        it.keys.send_text("2")
        await it.requested(Act(NO_ID, TABLE, 9, Play(HAND[1])))
        assert [type(request) for request in it.client.requests].count(Act) == 1


async def test_application_asks_before_it_puts() -> None:
    """p, then y."""
    async with running(SNAPSHOT, DECISION) as it:
        await it.screen.shows("p put")
        it.keys.send_text("p")
        await it.screen.shows("It cannot be taken back.")
        assert Act(NO_ID, TABLE, 9, Put()) not in it.client.requests
        it.keys.send_text("y")
        await it.requested(Act(NO_ID, TABLE, 9, Put()))


async def test_application_chooses_with_arrows() -> None:
    """Escape sequences of the terminal arrive as keys, a lone escape as itself."""
    async with running(SNAPSHOT, DECISION) as it:
        await it.screen.shows("p put")
        it.keys.send_text("\x1b[C\x1b[C")
        await it.screen.shows("[2 10♥]")
        it.keys.send_text("\x1b")
        await it.screen.until(lambda: "[2 10♥]" not in it.screen.text)
        it.keys.send_text("\x1b[D\x1b[D\r")
        third = Act(NO_ID, TABLE, 9, Play(HAND[2]))
        await it.requested(third)
        assert [request for request in it.client.requests if isinstance(request, Act)] == [third]


async def test_application_hears_a_function_key_given_to_an_action() -> None:
    """Its name arrives, and not the escape sequence of the terminal."""
    async with running(SNAPSHOT, DECISION, keys_changed=(("put", "f2"),)) as it:
        await it.screen.shows("F2 put")
        it.keys.send_text("\x1bOQ")
        await it.screen.shows("It cannot be taken back.")
        it.keys.send_text("y")
        await it.requested(Act(NO_ID, TABLE, 9, Put()))
        assert [type(request) for request in it.client.requests].count(Act) == 1


async def test_application_types_talk() -> None:
    """With the cursor in sight while it is typed, and keys of the game being text; pasted text too."""
    async with running(SNAPSHOT, DECISION) as it:
        await it.screen.shows("p put")
        it.keys.send_text("cp1 é\x1b[200~ pasted\x1b[201~")
        await it.screen.shows("say: p1 é pasted")
        it.keys.send_text("\r")
        await it.requested(Say(NO_ID, TABLE, "p1 é pasted"))
        assert Act not in map(type, it.client.requests)


async def test_application_shows_a_refusal() -> None:
    """As a notice, and goes on."""
    client = FakeClient()
    client.refusals[Sit] = Refusal(RefusalCode.SEAT_TAKEN, "no seat is free")
    async with running(LOBBY, client=client) as it:
        await it.screen.shows("Ann, (empty)")
        it.keys.send_text("\r")
        await it.screen.shows("! No seat is free.")
        it.keys.send_text("q")
        assert await it.task == 0


@pytest.mark.parametrize(
    ("key", "kind", "says"),
    [("o\r", OpenTable, "it opened a table and did not say which"), ("\r", Sit, "it gave a seat and did not say")],
)
async def test_application_shows_an_answer_that_tells_nothing(key: str, kind: type[Request], says: str) -> None:
    """A server that leaves out what its `ok` must tell breaks the protocol; nothing follows from it."""
    client = FakeClient()
    client.oks[kind] = Ok(NO_ID)
    async with running(LOBBY, client=client, size=(120, 40)) as it:
        await it.screen.shows("Ann, (empty)")
        it.keys.send_text(key)
        await it.screen.shows(says)
        assert [type(request) for request in it.client.requests] == [Look, kind]


async def test_application_opens_a_table_and_sits_down() -> None:
    """The form's answer is asked for, and then a seat at the table it made."""
    async with running(LOBBY) as it:
        await it.screen.shows("Ann, (empty)")
        it.keys.send_text("o")
        await it.screen.shows("Open a table")
        it.keys.send_text("\r")
        await it.requested(Sit(NO_ID, 8))
        opened = OpenTable(NO_ID, "put-1674", options={"cut": "high", "target": 5, "arranged": ""})
        assert opened in it.client.requests


@pytest.mark.parametrize(
    ("line", "request_"),
    [
        ("stand", Stand(NO_ID, TABLE)),
        ("again", Again(NO_ID, TABLE)),
        ("pause 2h", Pause(NO_ID, TABLE, 120)),
        ("go on", GoOn(NO_ID, TABLE)),
        ("invite bold", Invite(NO_ID, TABLE, house="bold")),
        ("invite Ann", Invite(NO_ID, TABLE, person="Ann")),
        ("sit 2", Sit(NO_ID, TABLE, Seat(1))),
    ],
)
async def test_application_carries_out_commands(line: str, request_: Request) -> None:
    """Each is the protocol's request, numbered by the client."""
    async with running(SNAPSHOT) as it:
        await it.screen.shows("Table 3")
        it.keys.send_text(f"/{line}\r")
        await it.requested(request_)
        assert it.client.requests.count(request_) == 1


async def test_application_says_when_the_connection_is_lost() -> None:
    """In the place where it says what is asked."""
    async with running(SNAPSHOT, DECISION) as it:
        await it.screen.shows("p put")
        asked = _line_with(it.screen, "Lead to trick 1.")
        it.client.deliver(ConnectionLost("the connection dropped"))
        await it.screen.shows("The connection is lost")
        assert _line_with(it.screen, "The connection is lost") == asked
        assert "p put" not in it.screen.text


def _line_with(screen: Screen, text: str) -> int:
    (number,) = [number for number, line in enumerate(screen.text.split("\n")) if text in line]
    return number


async def test_application_ends_when_the_connection_is_over() -> None:
    """With the client's own error, after the terminal was given back."""
    async with running(SNAPSHOT, Disconnected("draining", "the server is stopping")) as it:
        with pytest.raises(Disconnected, match="the server is stopping"):
            await it.task
        assert it.screen.is_given_back


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGTERM, exit_codes.TERMINATED), (signal.SIGHUP, exit_codes.HUNG_UP)]
)
async def test_application_gives_the_terminal_back_on_a_signal(number: signal.Signals, status: int) -> None:
    """And ends with the status shells expect."""
    async with running(SNAPSHOT) as it:
        await it.screen.shows("Table 3")
        os.kill(os.getpid(), number)
        assert await it.task == status
        assert it.screen.is_given_back
        assert it.client.closed is True  # the seat is kept


async def test_application_asks_before_an_interrupt_gives_up_the_game() -> None:
    """The first ^C asks, the second ends it."""
    async with running(SNAPSHOT) as it:
        await it.screen.shows("Table 3")
        os.kill(os.getpid(), signal.SIGINT)
        await it.screen.shows("That gives up the game.")
        it.keys.send_text("\x03")
        assert await it.task == 0
        assert it.client.closed is None  # with a goodbye, by whoever opened it


async def test_application_keeps_the_seat_of_who_quits_during_a_pause(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a question and without a goodbye; behind the screen it says how to come back."""
    paused = replace(SNAPSHOT, info=info_of("Will", "Moll", state=TableState.PAUSED))
    async with running(paused, back="put-client inn:1674") as it:
        await it.screen.shows("Paused: g when")
        it.keys.send_text("q")
        assert await it.task == 0
        assert it.screen.is_given_back
        assert it.client.closed is True
    told = "Your seat at table 3 is kept.\nTo come back, type: put-client inn:1674\n"
    assert capsys.readouterr().out == told


async def test_application_asks_who_cannot_come_back_also_during_a_pause() -> None:
    """Where no token is kept, quitting gives up the game."""
    paused = replace(SNAPSHOT, info=info_of("Will", "Moll", state=TableState.PAUSED))
    async with running(paused) as it:
        await it.screen.shows("Paused: g when")
        it.keys.send_text("q")
        await it.screen.shows("That gives up the game.")
        it.keys.send_text("y")
        assert await it.task == 0
        assert it.client.closed is None


async def test_application_ends_when_nobody_can_type_any_more() -> None:
    """The terminal was closed."""
    async with running(SNAPSHOT) as it:
        await it.screen.shows("Table 3")
        it.keys.close()
        assert await it.task == exit_codes.HUNG_UP
        assert it.client.closed is True


def _fail(*_: object) -> NoReturn:
    raise ZeroDivisionError("a bug")


@pytest.mark.parametrize("broken", ["draw", "update"])
async def test_application_gives_the_terminal_back_after_a_bug(broken: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In drawing or in taking in a key: it ends, the terminal is whole, and the error is seen."""
    async with running(SNAPSHOT) as it:
        await it.screen.shows("Table 3")
        monkeypatch.setattr(app, broken, _fail)
        it.keys.send_text("?")
        with pytest.raises(BaseException) as caught:  # noqa: PT011  # a group, or the error itself
            await it.task
        assert "ZeroDivisionError" in repr(caught.value)
        assert it.screen.is_given_back


async def test_application_is_drawn_anew_when_the_window_changes() -> None:
    """Larger, smaller, too small, and back."""
    async with running(SNAPSHOT, DECISION) as it:
        await it.screen.shows("p put")
        it.screen.resize(120, 40)
        await it.screen.shows("Put in the seventeenth century")
        it.screen.resize(40, 10)
        await it.screen.shows("60 by 16")
        it.screen.resize(60, 16)
        await it.screen.shows("│ 3♠│10♥│ K♦│")
        assert "60 by 16" not in it.screen.text


async def test_application_in_ascii_writes_ascii() -> None:
    """Every byte of it."""
    async with running(SNAPSHOT, DECISION, ascii_only=True) as it:
        await it.screen.shows("1 3s   2 10h   3 Kd   p put")
        assert it.screen.getvalue().isascii()


async def test_application_refuses_to_pile_up_requests() -> None:
    """A server that does not answer is not asked without end."""
    client = FakeClient()
    client.answers.clear()
    async with running(LOBBY, client=client) as it:
        await it.screen.shows("Ann, (empty)")
        it.keys.send_text("w" * 40)
        await it.screen.shows("! The server has not answered")
        client.answers.set()
        it.keys.send_text("q")
        assert await it.task == 0


async def test_application_draws_the_clock_once_a_second_and_only_while_it_runs() -> None:
    """The wait is to the moment at which another number is shown; without a clock there is none."""
    now = 0
    screen = Screen(80, 24)
    with create_pipe_input() as keys:
        output = Vt100_Output(screen, lambda: screen.size, term="xterm")
        with create_app_session(input=keys, output=output):
            shell = Shell(FakeClient(), DEFAULTS, clock=lambda: now)
    assert until_next(shell.model, now) is None
    shell.dispatch(SNAPSHOT)
    assert until_next(shell.model, now) is None
    shell.dispatch(Decision(table=TABLE, decision=1, asks="?", legal=choices(HAND[:3]), turn_ms=30_000))
    assert until_next(shell.model, now) == 1_000
    now = 250
    assert until_next(shell.model, now) == 750
    shell.dispatch(ConnectionLost("the connection dropped"))
    assert until_next(shell.model, now) is None  # nothing is shown of it
    shell.dispatch(ConnectionBack((TABLE,)))
    now = 30_000
    assert until_next(shell.model, now) is None


async def test_application_leaves_the_screen_for_line_mode() -> None:
    """Without a goodbye and without a question: line mode goes on with the same client, and is told the table."""
    async with running(SNAPSHOT, replace(DECISION, turn_ms=60_000)) as it:
        await it.screen.shows("p put")
        it.keys.send_text("L")
        told = await it.task
        assert isinstance(told, tuple)
        assert it.screen.is_given_back
        assert it.client.closed is None
    after, said = heard(*told)
    assert said[0].startswith("Your move. Lead to trick 1. You can: 1 to 3 lead the 3 of spades, the 10 of hearts")
    assert (after.table, after.info, after.view) == (TABLE, SNAPSHOT.info, SNAPSHOT.view)
    assert after.decision is not None
    assert 50_000 < (after.decision.turn_ms or 0) <= 60_000


async def test_application_leaves_the_lobby_for_line_mode() -> None:
    async with running(LOBBY) as it:
        await it.screen.shows("1 table")
        it.keys.send_text("L")
        assert await it.task == ()


def test_table_that_cheated_is_retold_as_such(tmp_path: Path) -> None:
    """Nothing more is asked there."""
    table = table_of(caught(tmp_path / "told.jsonl"))
    after, _ = listened(*retold(table, 0), heard=LineState())
    assert after.is_caught
    assert after.text.decision is None


async def test_application_draws_the_screen_anew_when_asked() -> None:
    """Ctrl-L: something else has written on it."""
    async with running(SNAPSHOT, DECISION) as it:
        await it.screen.shows("p put")
        it.screen.write("\x1b[2J")
        assert "p put" not in it.screen.text
        it.keys.send_text("\x0c")
        await it.screen.shows("p put")


async def test_application_draws_a_pause_once_a_minute() -> None:
    """What is left of it is told in minutes."""
    screen = Screen(80, 24)
    with create_pipe_input() as keys:
        output = Vt100_Output(screen, lambda: screen.size, term="xterm")
        with create_app_session(input=keys, output=output):
            shell = Shell(FakeClient(), DEFAULTS, clock=lambda: 0)
    paused = replace(SNAPSHOT, info=info_of("Will", "Moll", state=TableState.PAUSED))
    shell.dispatch(replace(paused, turn=Turn(Seat(0), paused_ms=3_630_000)))
    assert until_next(shell.model, 0) == 30_000
