"""The shell around model and views: the only one who knows the terminal, the clock, and the connection.

Laws: whatever ends it - a key, the server, a signal, a bug - the terminal is as it was before; every task is owned by
one group and is gone when `run` returns; nothing is drawn but after a change, and once a second while a clock runs.
"""

import asyncio
import signal
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Protocol, assert_never

from prompt_toolkit.application import Application
from prompt_toolkit.data_structures import Point
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import Layout, UIContent, UIControl, Window
from prompt_toolkit.styles import Attrs, Style

from put_client.client import Message
from put_client.errors import ClientError, Refusal
from put_client.tui import effects as asked
from put_client.tui.canvas import Size
from put_client.tui.effects import Done, Effect, Failed, Quit, Request
from put_client.tui.keys import bound_keys
from put_client.tui.model import Model
from put_client.tui.screen import draw
from put_client.tui.theme import ASCII, STYLES, UNICODE, Theme
from put_client.tui.update import Happening, Key, Paste, begin, update
from put_protocol.actions import Action
from put_protocol.messages import Welcome

WAITING = 32
"""Requests that may wait for the one in flight: more than a person can type while it is."""

ESCAPE_S = 0.1
"""Until an escape is taken for the key and not for the beginning of another key's sequence: a slow line's jitter."""

HUNG_UP = 128 + signal.SIGHUP
TERMINATED = 128 + signal.SIGTERM


class Connection(Protocol):
    """What of a `Client` is needed here."""

    welcome: Welcome

    def __aiter__(self) -> AsyncIterator[Message]: ...
    async def look(self) -> None: ...
    async def look_away(self) -> None: ...
    async def open_table(
        self,
        game: str,
        *,
        seats: int = 2,
        options: Mapping[str, int | str] | None = None,
        turn: int = 0,
        bank: int = 300,
        passcode: str = "",
        gallery: bool = True,
    ) -> int: ...
    async def sit(self, table: int, seat: int | None = None, passcode: str = "") -> int: ...
    async def stand(self, table: int) -> None: ...
    async def watch(self, table: int, passcode: str = "") -> None: ...
    async def leave(self, table: int) -> None: ...
    async def resign(self, table: int) -> None: ...
    async def invite(self, table: int, seat: int | None = None, house: str = "steady") -> None: ...
    async def dismiss(self, table: int, seat: int) -> None: ...
    async def again(self, table: int) -> None: ...
    async def act(self, table: int, decision: int, action: Action) -> None: ...
    async def say(self, table: int, text: str) -> None: ...


async def run(client: Connection, *, table: int | None, watch: int | None, passcode: str, ascii_only: bool) -> int:
    """Show the lobby, or a table to sit at or watch, until the person quits. Returns the exit status.

    To close the client is left to whoever opened it.

    :raises Disconnected: the connection is over.
    :raises BadServer: the server broke the protocol.
    """
    return await Shell(client, ASCII if ascii_only else UNICODE).run(table=table, watch=watch, passcode=passcode)


def _now() -> int:
    return time.monotonic_ns() // 1_000_000


class Shell:
    """One run of the screen."""

    def __init__(self, client: Connection, theme: Theme, clock: Callable[[], int] = _now) -> None:
        self.model = Model(welcome=client.welcome)
        self._error: ClientError | None = None
        """What ended the connection."""
        self._client = client
        self._clock = clock
        self._requests: asyncio.Queue[Request] = asyncio.Queue(WAITING)
        self._changed = asyncio.Event()
        self._app: Application[int] = Application(
            layout=Layout(Window(_Screen(self, theme))),
            key_bindings=_bindings(self.happen),
            style=_style(),
            include_default_pygments_style=False,
            full_screen=True,
            enable_page_navigation_bindings=False,
            terminal_size_polling_interval=None,
        )
        self._app.ttimeoutlen = self._app.timeoutlen = ESCAPE_S

    async def run(self, *, table: int | None, watch: int | None, passcode: str) -> int:
        """The screen from its first frame to its last. Returns the exit status, or raises what ended the connection."""
        self.model, effects = begin(self._client.welcome, table=table, watch=watch, passcode=passcode)
        for effect in effects:
            self._perform(effect)
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(work()) for work in (self._listen, self._ask, self._tick)]
            try:
                with _signals(self.end), _bugs_end(self._app):
                    status = await self._app.run_async(set_exception_handler=False)
            except (EOFError, OSError):
                status = HUNG_UP  # nobody is at the terminal any more
            finally:
                for task in tasks:
                    task.cancel()
        if self._error is not None:
            raise self._error
        return status

    def end(self, status: int) -> None:
        """Give the terminal back. May be called again."""
        if self._app.is_running and not self._app.is_done:
            self._app.exit(result=status)

    def happen(self, happening: Happening) -> None:
        """Take something in, and do what it asks for."""
        model, effects = update(self.model, happening, self._clock())
        if model != self.model:
            self.model = model
            self._changed.set()
            self._app.invalidate()
        for effect in effects:
            self._perform(effect)

    def now(self) -> int:
        return self._clock()

    def _perform(self, effect: Effect) -> None:
        if isinstance(effect, Quit):
            self.end(0)
            return
        try:
            self._requests.put_nowait(effect)
        except asyncio.QueueFull:
            self.happen(Failed(effect, "The server has not answered what you asked before."))

    # --- the tasks ---

    async def _listen(self) -> None:
        """Take in what the server says, until the connection is over."""
        try:
            async for message in self._client:
                self.happen(message)
        except ClientError as error:
            self._error = error
        self.end(0)

    async def _ask(self) -> None:
        """Carry out requests, one after another, in the order they were made."""
        while True:
            request = await self._requests.get()
            try:
                table = await _carry_out(self._client, request)
            except Refusal as refusal:
                self.happen(Failed(request, str(refusal), refusal.code))
            except ClientError as error:
                self.happen(Failed(request, str(error)))
            else:
                self.happen(Done(request, table))

    async def _tick(self) -> None:
        """While a clock runs, draw it each time its second changes."""
        while True:
            self._changed.clear()
            try:
                async with asyncio.timeout(self.until_second()):
                    await self._changed.wait()
            except TimeoutError:
                self._app.invalidate()

    def until_second(self) -> float | None:
        """Seconds until the clock shows another number; None while none runs."""
        table = self.model.table
        if table is None or table.clock is None or not table.clock.is_running:
            return None
        left = table.clock.left(self._clock())
        return ((left - 1) % 1000 + 1) / 1000 if left else None


async def _carry_out(client: Connection, request: Request) -> int | None:
    """Ask the server. Returns the number of a table opened."""
    match request:
        case asked.Look():
            await client.look()
        case asked.LookAway():
            await client.look_away()
        case asked.OpenTable():
            return await client.open_table(
                request.game,
                seats=request.seats,
                options=request.options,
                turn=request.turn,
                bank=request.bank,
                passcode=request.passcode,
                gallery=request.gallery,
            )
        case asked.Sit(table=table, seat=seat, passcode=passcode):
            await client.sit(table, seat, passcode)
        case asked.Watch(table=table, passcode=passcode):
            await client.watch(table, passcode)
        case asked.Stand(table=table):
            await client.stand(table)
        case asked.Leave(table=table):
            await client.leave(table)
        case asked.Resign(table=table):
            await client.resign(table)
        case asked.Invite(table=table, house=house):
            await client.invite(table, house=house)
        case asked.Dismiss(table=table, seat=seat):
            await client.dismiss(table, seat)
        case asked.Again(table=table):
            await client.again(table)
        case asked.Act(table=table, decision=decision, action=action):
            await client.act(table, decision, action)
        case asked.Say(table=table, text=text):
            await client.say(table, text)
        case _:
            assert_never(request)
    return None


# --- the terminal ----------------------------------------------------------------------------------------------------


class _Screen(UIControl):
    """Hands prompt_toolkit the frame for the size it has."""

    def __init__(self, shell: Shell, theme: Theme) -> None:
        self._shell = shell
        self._theme = theme

    def create_content(self, width: int, height: int) -> UIContent:
        frame = draw(self._shell.model, Size(width, height), self._theme, self._shell.now())

        def line(number: int) -> StyleAndTextTuples:
            return list(frame.lines[number])

        return UIContent(
            get_line=line,
            line_count=len(frame.lines),
            cursor_position=Point(*frame.cursor) if frame.cursor is not None else None,
            show_cursor=frame.cursor is not None,
        )

    def is_focusable(self) -> bool:
        return True


def _bindings(happen: Callable[[Happening], None]) -> KeyBindings:
    bindings = KeyBindings()
    for name in sorted(bound_keys()):

        def pressed(_: KeyPressEvent, name: str = name) -> None:
            happen(Key(name))

        bindings.add(name)(pressed)

    @bindings.add(Keys.Any)
    def typed(event: KeyPressEvent) -> None:
        happen(Key(event.data))

    @bindings.add(Keys.BracketedPaste)
    def pasted(event: KeyPressEvent) -> None:
        happen(Paste(event.data))

    @bindings.add(Keys.SIGINT)
    def interrupted(_: KeyPressEvent) -> None:
        happen(Key("c-c"))

    return bindings


def _style() -> Style:
    # Versions before `dim` refuse it.
    has_dim = "dim" in Attrs._fields
    return Style.from_dict({role: look if has_dim or look != "dim" else "" for role, look in STYLES.items()})


@contextmanager
def _signals(end: Callable[[int], None]) -> Iterator[None]:
    """While inside, a signal to end ends it in good order."""
    loop = asyncio.get_running_loop()
    statuses = {signal.SIGTERM: TERMINATED, signal.SIGHUP: HUNG_UP}
    for number, status in statuses.items():
        loop.add_signal_handler(number, end, status)
    try:
        yield
    finally:
        for number in statuses:
            loop.remove_signal_handler(number)


@contextmanager
def _bugs_end(app: Application[int]) -> Iterator[None]:
    """While inside, an exception in a callback, which the loop would only log on the screen, is raised by the app."""
    loop = asyncio.get_running_loop()
    before = loop.get_exception_handler()

    def ended(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if error is not None and app.is_running and not app.is_done:
            app.exit(exception=error)

    loop.set_exception_handler(ended)
    try:
        yield
    finally:
        loop.set_exception_handler(before)
