"""The shell around model and views: only it uses the clock and the connection; `terminal` handles the screen.

Laws: after every end (a key, the server, a signal, a bug) the terminal is restored; one group owns every task, and none
is left when `run` returns; the screen is drawn only after a change, including a clock's display.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Protocol

from msgspec import structs

from put_client.places import write_new
from put_client.sdk.errors import BadServer, ClientError, Refusal
from put_client.sdk.traffic import Message
from put_client.settings import DEFAULTS, Settings
from put_client.teaching import Teacher
from put_client.tui.effects import Effect, Quit, Save, Show, Task, TaskDone, TaskFailed, Teach
from put_client.tui.kept_log import KeptLog, path_of
from put_client.tui.model import Model
from put_client.tui.moments import until_next
from put_client.tui.ringing import call_of, hurry_of, title_of
from put_client.tui.screens import Screen, own_screen
from put_client.tui.terminal import Terminal, now_ms
from put_client.tui.update.departure import seat_is_kept
from put_client.tui.update.dispatch import Click, Input, KeyPress, Paste, Quick, TimeTick, begin, update
from put_client.tui.update.update_message import retold
from put_client.tui.views.screen import draw
from put_client.tui.widgets.canvas import Frame, Size, Target
from put_protocol.messages import Ok, OpenTable, Request, Sit, Watch, Welcome
from put_runtime import exit_codes
from put_text.catalogue import say
from put_text.notation import write

if TYPE_CHECKING:
    from put_client.record.store import LocalRecord

STILL = ("NO_MOTION", "ACCESSIBILITY_ENABLED", "SCREEN_READER")
"""Variables that, if not empty, request a screen without animation."""

SEAT_IS_KEPT_AFTER = frozenset({exit_codes.HUNG_UP, exit_codes.TERMINATED})

WAITING = 32
"""Most tasks that may wait for the current one: more than a person can type meanwhile."""


class ScreenClient(Protocol):
    @property
    def welcome(self) -> Welcome: ...
    def __aiter__(self) -> AsyncIterator[Message]: ...
    async def ask(self, make: Callable[[int], Request]) -> Ok: ...
    async def close(self, *, keep: bool = False) -> None: ...


async def run(
    client: ScreenClient,
    first: Sit | Watch | None = None,
    *,
    settings: Settings = DEFAULTS,
    back: str = "",
    notice: str = "",
    teacher: Teacher | None = None,
    record: "LocalRecord | None" = None,
) -> int | tuple[Message, ...]:
    """Show the lobby, or the table of `first`, until the person quits. Returns the exit status or, for a person who
    continues in line mode, messages that tell of their table; none in the lobby.

    `notice`: text to read first. `back`: command to return to the seat, which a player keeps after the program; empty:
    seats are not kept. If a seat is kept, or the terminal is gone, the client is closed without a goodbye; otherwise
    the caller closes it.

    :raises Disconnected: the connection is over.
    :raises BadServer: the server broke the protocol.
    """
    kept_log = KeptLog(path_of(back, client.welcome.name)) if back else None
    shell = Shell(client, settings, teacher=teacher, kept_log=kept_log, record=record)
    keeps = True
    try:
        status = await shell.play(first, back=back, notice=notice)
        if shell.retold is not None:
            return shell.retold
        keeps = shell.kept is not None or status in SEAT_IS_KEPT_AFTER
        if keeps:
            await client.close(keep=True)
    finally:
        if kept_log is not None:
            kept_log.end(keeps=keeps)
    if shell.kept is not None:
        print(
            f"{shell.kept}\n{say('screen-come-back', command=back)}", flush=True
        )  # a command on its own line can be copied
    return status


class Shell(Screen):
    def __init__(
        self,
        client: ScreenClient,
        settings: Settings,
        clock: Callable[[], int] = now_ms,
        teacher: Teacher | None = None,
        kept_log: KeptLog | None = None,
        record: "LocalRecord | None" = None,
    ) -> None:
        moves = may_move(settings, os.environ)
        self._terminal = Terminal(settings, on_quick=(lambda: self.dispatch(Quick())) if moves else None)
        super().__init__(self._terminal)
        self._teacher = teacher
        self._record = record
        self.model = Model(welcome=client.welcome)
        self.kept: str | None = None
        """After quitting: sentence that our seat is kept, and how long."""
        self.retold: tuple[Message, ...] | None = None
        """The table, for line mode; None: the person has not asked for that."""
        self._error: ClientError | None = None
        self._client = client
        self._settings = settings
        self._clock = clock
        self._tasks: asyncio.Queue[Task] = asyncio.Queue(WAITING)
        self._changed = asyncio.Event()
        self._kept_log = kept_log
        self._warned_decision: int | None = None

    @property
    def notice(self) -> str:
        return self.model.lost or self.model.notice

    async def play(self, first: Sit | Watch | None, *, back: str, notice: str = "") -> int:
        """The screen from its first frame to its last. Returns the exit status, or raises what ended the connection."""
        tables = self._client.welcome.tables
        self.model, effects = begin(
            self._client.welcome,
            first,
            back=back,
            kept=self._kept_log.read(tables[0]) if self._kept_log is not None and tables else (),
            settings=self._settings,
        )
        if notice:
            self.model = structs.replace(self.model, notice=notice)
        for effect in effects:
            self._perform(effect)
        status = await self._terminal.run(self)
        if self._error is not None:
            raise self._error
        return status

    async def run(self) -> None:
        async with asyncio.TaskGroup() as group:
            for work in (self._listen, self._work, self._tick):
                group.create_task(work())

    def dispatch(self, input_: Input) -> None:
        model, effects = update(self.model, input_, self._clock())
        if model != self.model:
            before, self.model = self.model, model
            if model.table is not None:
                self._terminal.clear()  # a seat does not wait
            self._changed.set()
            self._terminal.refresh()
            self._notify_of_changes(before)
            if self._kept_log is not None:
                self._kept_log.note(model.table)
        for effect in effects:
            self._perform(effect)

    def on_key(self, key: str) -> None:
        self.dispatch(KeyPress(key))

    def on_click(self, what: Target) -> None:
        self.dispatch(Click(what))

    def on_paste(self, text: str) -> None:
        self.dispatch(Paste(text))

    def _notify_of_changes(self, before: Model) -> None:
        self._terminal.painter.set_title(title_of(self.model, is_ascii=self._theme.is_ascii))
        if (call := call_of(before, self.model)) is not None:
            self._terminal.ring(call)

    def _hurry(self) -> None:
        decision = None if self.model.table is None else self.model.table.decision
        call = hurry_of(self.model, self._clock())
        if call is not None and decision is not None and decision.decision != self._warned_decision:
            self._warned_decision = decision.decision
            self._terminal.ring(call)

    def draw(self, size: Size, notice: str) -> Frame:
        if size != self.model.size:
            self.model = structs.replace(self.model, size=size)
        return draw(self.model, size, self._theme, self._clock())

    def _perform(self, effect: Effect) -> None:
        if isinstance(effect, Show):
            if self._record is not None:
                self._terminal.open(own_screen(self._terminal, effect.name, self._record))
            else:
                self.model = structs.replace(self.model, notice=say("screen-nothing-kept"))
                self._terminal.refresh()
            return
        if isinstance(effect, Quit):
            if effect.keeps and self.model.table is not None:
                self.kept = seat_is_kept(self.model.table, self._clock())
            if effect.to_line_mode:
                self.retold = () if self.model.table is None else retold(self.model.table, self._clock())
            self._terminal.end(exit_codes.OK)
            return
        try:
            self._tasks.put_nowait(effect)
        except asyncio.QueueFull:
            self.dispatch(TaskFailed(effect, say("screen-not-answered")))

    async def _listen(self) -> None:
        try:
            async for message in self._client:
                self.dispatch(message)
                for lesson in () if self._teacher is None else self._teacher.take(message):
                    self.dispatch(lesson)
        except ClientError as error:
            self._error = error
        self._terminal.end(0)

    async def _work(self) -> None:
        while True:
            task = await self._tasks.get()
            if isinstance(task, Teach):
                obeyed = say("client-no-notes") if self._teacher is None else self._teacher.obey(task.word)
                self.dispatch(TaskDone(task, says=obeyed))
                continue
            try:
                table = await self._carry_out(task)
            except Refusal as refusal:
                self.dispatch(TaskFailed(task, str(refusal), refusal.code))
            except ClientError as error:
                self.dispatch(TaskFailed(task, str(error)))
            except OSError as error:  # of a file to be written
                self.dispatch(TaskFailed(task, f"{error.strerror}: {error.filename}."))
            else:
                self.dispatch(TaskDone(task, table))

    async def _carry_out(self, task: Request | Save) -> int | None:
        """The number of a table opened."""
        if isinstance(task, Save):
            date = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
            write_new(task.path, write(structs.replace(task.sheet, date=date)))
            return None
        answer = await self._client.ask(lambda number: structs.replace(task, id=number))
        if isinstance(task, OpenTable) and answer.table is None:
            raise BadServer("it opened a table and did not say which")
        if isinstance(task, Sit) and answer.seat is None:
            raise BadServer("it gave a seat and did not say which")
        return answer.table

    async def _tick(self) -> None:
        """Redraw when the screen changes by itself, and only then."""
        while True:
            self._changed.clear()
            due = until_next(self.model, self._clock())
            try:
                async with asyncio.timeout(None if due is None else due / 1000):
                    await self._changed.wait()
            except TimeoutError:
                self.dispatch(TimeTick())
                self._hurry()
                self._terminal.refresh()


def may_move(settings: Settings, environment: Mapping[str, str]) -> bool:
    return settings.motion and not any(environment.get(name) for name in STILL)
