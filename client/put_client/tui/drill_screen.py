"""Practice at the drawn table: a position, an answer by the keys of play, and the worth of every choice."""

import asyncio

from msgspec import Struct
from msgspec.structs import replace

from put_client.keymap import action_letters
from put_client.record.store import Exercise, RecordError
from put_client.record.trainer import NothingToPractise, Trainer
from put_client.tui.boards import board_of, own_name
from put_client.tui.model import AtTable, EntryKind, LogEntry
from put_client.tui.screens import CLOSING, Screen, ScreenHost
from put_client.tui.views.overlays import draw_notes, window
from put_client.tui.views.prompt_view import BELOW, draw_footer, keys_called
from put_client.tui.views.screen import fits
from put_client.tui.views.table_view import draw_body, side_width
from put_client.tui.widgets.canvas import Canvas, Frame, KeyTarget, Size, cut, wrap, wrapped
from put_client.tui.widgets.theme import FAINT, KEY, PLAIN, STRONG, TURN
from put_protocol.analysis import Judged
from put_protocol.games.unions import Choice
from put_protocol.messages import Advice, Decision
from put_protocol.table_info import ClockInfo, SeatInfo, TableInfo, TableState
from put_text.analysis_text import format_verdict
from put_text.catalogue import say


class Drilling(Struct, frozen=True):
    exercise: Exercise
    table: AtTable
    judged: Judged | None = None
    """Judgement of the answer; None: it is awaited."""


def table_of(exercise: Exercise) -> AtTable:
    position = exercise.position
    short = {say("review-opponent"): say("record-opponent")}  # the usual text is too long for the table
    others = [short.get(name, name) for name in position.names]
    names = tuple([own_name() if seat == position.seat else name for seat, name in enumerate(others)])
    info = TableInfo(
        id=1,
        game=exercise.rule_set,
        options={},
        seats=tuple([SeatInfo(name=name) for name in names]),
        clock=ClockInfo(),
        state=TableState.PLAYING,
        games=1,
    )
    says = LogEntry(position.why, EntryKind.NOTE)
    table = AtTable(info=info, viewer=position.seat, names=names, view=position.view).note(says)
    table = board_of(table).arrived(table, None)
    legal = board_of(table).in_order(table, position.legal)
    decision = Decision(table=1, decision=1, asks=position.asks, legal=legal, why=position.why)
    return replace(table, decision=decision)


class DrillScreen(Screen):
    def __init__(self, host: ScreenHost, trainer: Trainer) -> None:
        super().__init__(host)
        self._trainer = trainer
        self._chosen: asyncio.Queue[Choice | None] = asyncio.Queue(1)
        """An answer; None: on to the next position."""
        self._drilling: Drilling | None = None
        self._notice = say("record-looking")
        """Drawn where there is no position."""
        self._is_helping = False

    async def run(self) -> None:
        try:
            await self._trainer.weigh()
            self._trainer.gather()
            while True:
                await self._practise(await self._trainer.next())
        except (NothingToPractise, RecordError) as error:
            self._notice = say("record-back-because", error=str(error))
            self._show(None)
        finally:
            await self._trainer.end()

    async def _practise(self, exercise: Exercise) -> None:
        drilling = Drilling(exercise, table_of(exercise))
        self._show(drilling)
        choice = await self._chosen.get()
        if choice is None:
            return
        judged = await self._trainer.answer(exercise, choice.action)
        shown = replace(drilling.table, advice=Advice(1, 1, 1, judged.choices, reason=judged.reason))
        self._show(Drilling(exercise, shown, judged))
        while await self._chosen.get() is not None:
            pass

    def on_key(self, key: str) -> None:
        drilling = self._drilling
        if drilling is not None and (self._is_helping or key == "?"):
            self._is_helping = not self._is_helping
            self._host.refresh()
        elif key in CLOSING:
            self._host.close()
        elif drilling is None or self._chosen.full():
            pass
        elif drilling.judged is not None:
            if key in ("enter", " "):
                self._chosen.put_nowait(None)
        else:
            for name, choice in self._keyed(drilling.table):
                if name == key:
                    self._chosen.put_nowait(choice)
                    return

    def _keyed(self, table: AtTable) -> tuple[tuple[str, Choice], ...]:
        return board_of(table).action_keys(table, action_letters(), frozenset("q"))

    def _show(self, drilling: Drilling | None) -> None:
        self._drilling = drilling
        self._host.refresh()

    def draw(self, size: Size, notice: str) -> Frame:
        canvas = Canvas(size, self._theme)
        drilling = self._drilling
        if not fits(canvas, say("record-practice"), say("record-escape-goes-back")):
            return canvas.frame()
        if drilling is None:
            canvas.put_lines(1, 1, wrapped(self._notice, size.width - 2))
            return canvas.frame()
        self._draw_header(canvas, drilling.exercise)
        draw_body(canvas, drilling.table, below=BELOW, has_talk=False)
        y = size.height - BELOW + 1
        if drilling.judged is None:
            self._draw_question(canvas, drilling.table, y)
        else:
            field = size.width - side_width(size.width)
            draw_notes(canvas, drilling.table, field, title=say("record-every-choice"), is_marked=False)
            first, *rest = wrap(format_verdict(drilling.judged), size.width - 4)
            canvas.put(3, y, first, STRONG)
            canvas.put(3, y + 1, cut(" ".join(rest), size.width - 4, self._theme.ellipsis))
        labels = keys_called(enter="next") if drilling.judged is not None else []
        labels += [("?", say("record-key-help", is_brief=True), "?")]
        draw_footer(canvas, [*labels, *keys_called(escape="ends")], notice)
        if self._is_helping:
            lines = wrapped(say("record-practice-help"), 48)
            x, y = window(canvas, say("screen-help"), 52, len(lines) + 2)
            canvas.put_lines(x, y, lines, width=48)
        return canvas.frame()

    def _draw_header(self, canvas: Canvas, exercise: Exercise) -> None:
        kind = "mistake" if exercise.source.startswith("game") else "again" if exercise.id else "position"
        score = self._trainer.score
        counted = say("record-right", right=score.right, answered=score.answered)
        canvas.title(say("record-practice"), [exercise.rule_set, say(f"record-{kind}")], [(PLAIN, counted)])

    def _draw_question(self, canvas: Canvas, table: AtTable, y: int) -> None:
        assert table.decision is not None
        says = cut(table.decision.asks, canvas.width - 5, canvas.theme.ellipsis)
        canvas.put_all(1, y, [(TURN, f"{canvas.theme.pointer} "), (TURN, says)])
        x = 4
        for key, choice in self._keyed(table):
            label = board_of(table).label(table, choice, canvas.theme)
            end = canvas.put_all(x, y + 1, [(KEY, key), (FAINT, " "), label], width=max(canvas.width - x - 1, 0))
            canvas.spot(x, y + 1, end - x, 1, KeyTarget(key))
            x = end + 3
