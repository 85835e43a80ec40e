"""The screen of the record: statistics and small plots, a list of games, and each game as a replay with costs."""

from datetime import tzinfo

from put_client.keymap import BINDINGS, Intent, Mode, stepped
from put_client.record.store import Answer, LocalRecord, PlayedGame, RecordError
from put_client.record.summary import Month, Summary, WinTally, moment_of, percent, streak_in_words, summarize
from put_client.record.trainer import decisions_at
from put_client.sheet_replay import Replay
from put_client.tui.replay_screen import ReplayScreen, Showing
from put_client.tui.screens import CLOSING, Screen, ScreenHost
from put_client.tui.views.prompt_view import draw_footer, keys_called
from put_client.tui.views.screen import fits
from put_client.tui.widgets.blocks import bar, columns
from put_client.tui.widgets.canvas import Canvas, Frame, LineTarget, Size, Target, cut, scrolled
from put_client.tui.widgets.theme import FAINT, STRONG
from put_text.analysis_text import figure
from put_text.catalogue import say

MONTH_COLUMNS = 4
PLOT_COLUMNS = 12 * MONTH_COLUMNS + 2

WITH_TIME = 70
"""Width of the list from which it shows the time of a game, not only the day."""

TALLIES_FROM_WIDTH = 84

_LEAST_SHARE = 0.5
"""Lowest share of fine decisions in the plot: no player stays below it for a month."""


class RecordScreen(Screen):
    """One view of the record. It is read once; later games appear the next time."""

    def __init__(self, host: ScreenHost, record: LocalRecord, *, now: int, zone: tzinfo) -> None:
        super().__init__(host)
        self._record = record
        self._zone = zone
        self.games: tuple[PlayedGame, ...] = ()
        """The latest first."""
        self.at = 0
        """The selected game."""
        self._page = 10
        """Games on a screen, for turning pages."""
        self._notice = ""
        answers: tuple[Answer, ...] = ()
        try:
            self.games, answers = record.games(), record.answers()
        except RecordError as error:
            self._notice = str(error)
        self._summary = summarize(self.games, answers, now, zone)

    def draw(self, size: Size, notice: str) -> Frame:
        canvas = Canvas(size, self._theme)
        if not fits(canvas, say("record-the-record"), say("record-escape-goes-back")):
            return canvas.frame()
        _draw_header(canvas, self._summary)
        height = _plot_height(size)
        _draw_months(canvas, self._summary.months, height)
        if size.width >= TALLIES_FROM_WIDTH:
            _draw_tallies(canvas, self._summary, PLOT_COLUMNS + 3, size.width - PLOT_COLUMNS - 4, height + 4)
        self._page = max(size.height - height - 8, 1)
        self._draw_games(canvas, height + 5)
        canvas.fill(0, size.height - 2, size.width, 1, self._theme.horizontal)
        choose = (say("keys-up-down"), say("keys-chooses"), "down")
        draw_footer(canvas, [choose, *keys_called(enter="shows-again", escape="returns")], self._notice or notice)
        return canvas.frame()

    def _draw_games(self, canvas: Canvas, y: int) -> None:
        width = canvas.width
        canvas.heading(0, y, width, say("record-list"))
        if not self.games:
            canvas.put(2, y + 1, say("record-nothing"), width=width - 3)
        first = scrolled(self.at, len(self.games), self._page)
        for place, game in enumerate(self.games[first : first + self._page], start=first):
            says = _row(game, width - 4, self._zone)
            canvas.choice(1, y + 1 + place - first, width - 2, says, LineTarget(place), is_chosen=place == self.at)

    def on_key(self, key: str) -> None:
        if key in CLOSING:
            self._host.close()
        elif key == "enter":
            self._open()
        else:
            intent = next((b.intent for b in BINDINGS if key in b.keys and Mode.HELP in b.modes), Intent.HELP)
            self._show(stepped(intent, self.at, max(len(self.games) - 1, 0), self._page))

    def on_click(self, what: Target) -> None:
        super().on_click(what)
        if isinstance(what, LineTarget):
            is_chosen = what.at == self.at
            self._show(what.at)
            if is_chosen:
                self._open()

    def _open(self) -> None:
        if not self.games:
            return
        try:
            kept = self._record.sheet(self.games[self.at].id)
        except RecordError as error:
            self._show(self.at, str(error))
            return
        if kept is None:
            self._show(self.at, say("record-no-moves-kept"))
            return
        sheet, review = kept
        replay = Replay.of(sheet)
        self._notice = ""
        showing = Showing(replay=replay, costs=decisions_at(replay, review))
        self._host.open(ReplayScreen(self._host, showing))

    def _show(self, at: int, notice: str = "") -> None:
        self.at, self._notice = at, notice
        self._host.refresh()


def _plot_height(size: Size) -> int:
    return 2 if size.height < 20 else 3 if size.height < 30 else 6


def _draw_header(canvas: Canvas, summary: Summary) -> None:
    total = summary.total
    said = [say("record-games", count=total.games), say("record-won", count=total.won)]
    said.append(say("record-lost", count=total.lost))
    if summary.streak:
        said.append(streak_in_words(summary).rstrip("."))
    if total.decisions:
        said.append(say("record-accuracy", share=percent(total.accuracy)))
    if summary.answers:
        share = percent(summary.right / summary.answers)
        said.append(say("record-practised", share=share, count=summary.answers))
    canvas.title(say("record-yours"), said)


def _draw_months(canvas: Canvas, months: tuple[Month, ...], height: int) -> None:
    """Accuracy by month as columns, with the figure above the month's name and the number of games below."""
    canvas.put(1, 1, say("record-fine-by-month"), FAINT)
    shown = columns([month.accuracy for month in months], height, canvas.theme, _LEAST_SHARE)
    canvas.put_rows(1, 2, ["".join(f" {sign * 2} " for sign in row) for row in shown])
    below = 2 + height
    for place, month in enumerate(months):
        x = 1 + place * MONTH_COLUMNS
        accuracy = "" if month.accuracy is None else f"{percent(month.accuracy).rstrip('%').rstrip():>3}"
        canvas.put(x, below, accuracy, STRONG, width=MONTH_COLUMNS)
        canvas.put(x, below + 1, say("record-month", month=int(month.label[5:])).rjust(3), FAINT, width=MONTH_COLUMNS)


def _draw_tallies(canvas: Canvas, summary: Summary, x: int, width: int, height: int) -> None:
    """Bars of games won, by opponent and by rules, as many as fit."""
    half = height // 2
    for title, tallies, top, lines in (
        (say("record-against"), summary.opponents, 1, half),
        (say("record-by-rules"), summary.rule_sets, 1 + half, height - half),
    ):
        canvas.put(x, top, title, FAINT)
        for line, tally in enumerate(tallies[: lines - 1], start=top + 1):
            _draw_tally(canvas, tally, x, line, width)


def _draw_tally(canvas: Canvas, tally: WinTally, x: int, y: int, width: int) -> None:
    label = min(18, width - 12)
    canvas.put(x, y, cut(tally.label, label, canvas.theme.ellipsis))
    won = bar(tally.won / max(tally.games, 1), 8, canvas.theme)
    fine = f"  {say('record-fine', share=percent(tally.accuracy))}" if tally.decisions else ""
    count = say("record-won-of", won=tally.won, games=tally.games)
    canvas.put(x + label + 1, y, f"{won} {count}{fine}", width=max(width - label - 1, 0))


def _row(game: PlayedGame, width: int, zone: tzinfo) -> str:
    against = ", ".join(one.label for one in game.opponents)
    when = f"{moment_of(game.ended, zone):{'%Y-%m-%d %H:%M' if width >= WITH_TIME else '%m-%d'}}"
    cost = "" if game.weighed is None else say("record-cost", cost=figure(game.weighed.cost / 100))
    kinds = (("coach", game.is_assisted), ("exhibition", game.is_exhibition), ("no-moves", not game.has_sheet))
    marks = [say(f"record-mark-{mark}") for mark, holds in kinds if holds]
    outcome = say("record-outcome", outcome=str(game.outcome))
    parts = f"{outcome:<6}{game.gain:+3d}  {game.rule_set:<13}{cost:<12}"
    return f"{when}  {parts}{', '.join([against, *marks])}"[:width]
