"""The record drawn: a header, plots of the months, tallies where there is room, and the list of games."""

from datetime import tzinfo
from typing import Protocol

from put_client.record.entries import PlayedGame
from put_client.record.summary import Month, Summary, Tally, moment_of
from put_client.record.words import OUTCOMES, percent, streak_in_words
from put_client.tui.views.prompt_view import draw_labels
from put_client.tui.views.screen import LEAST
from put_client.tui.widgets.canvas import Canvas, Frame, LineTarget, Size, cut, wrap
from put_client.tui.widgets.plots import bar, columns
from put_client.tui.widgets.theme import CHOSEN, FAINT, NOTICE, PLAIN, STRONG, Theme
from put_protocol.text import counted

LABELS = (
    ("Up, Down", "choose", "down"),
    ("Enter", "show it again", "enter"),
    ("Esc", "back", "escape"),
)

MONTH = 4
"""Columns of a month in the plot."""

PLOT = 12 * MONTH + 2
"""Columns of the plot with all its months."""

WITH_TIME = 70
"""Columns of the list from which it says when a game was, and not only on which day."""

TALLIES_FROM = 84
"""Columns from which the tallies stand beside the plot."""

_NAMES = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")

_LEAST_SHARE = 0.5
"""Of fine decisions, at the bottom of the plot: nobody plays worse for a month, and differences are to be seen."""


class Browsed(Protocol):
    """What is on the screen."""

    @property
    def summary(self) -> Summary: ...
    @property
    def games(self) -> tuple[PlayedGame, ...]: ...
    @property
    def at(self) -> int: ...
    @property
    def notice(self) -> str: ...


def _plot_height(size: Size) -> int:
    """Lines of the columns themselves."""
    return 2 if size.height < 20 else 3 if size.height < 30 else 6


def rows_of(size: Size) -> int:
    """Games in the list of a screen."""
    return max(size.height - _plot_height(size) - 8, 1)


def draw(browsed: Browsed, size: Size, theme: Theme, zone: tzinfo, *, notice: str = "") -> Frame:
    canvas = Canvas(size, theme)
    if size.width < LEAST.width or size.height < LEAST.height:
        says = f"The record needs {LEAST.width} by {LEAST.height}. Esc goes back."
        for line, row in enumerate(wrap(says, max(size.width, 1))):
            canvas.put(0, line, row)
        return canvas.frame()
    summary = browsed.summary
    _draw_header(canvas, summary)
    height = _plot_height(size)
    _draw_months(canvas, summary.months, 2, height)
    if size.width >= TALLIES_FROM:
        _draw_tallies(canvas, summary, PLOT + 3, 1, size.width - PLOT - 4, height + 4)
    _draw_games(canvas, browsed, height + 5, zone)
    says = browsed.notice or notice
    y = size.height - 2
    canvas.fill(0, y, size.width, 1, theme.horizontal)
    if says:
        canvas.put(1, y + 1, f"! {says}", NOTICE, width=size.width - 2)
    else:
        draw_labels(canvas, list(LABELS))
    return canvas.frame()


def _draw_header(canvas: Canvas, summary: Summary) -> None:
    dot = f" {canvas.theme.dot} "
    total = summary.total
    said = [counted(total.games, "game"), f"{total.won} won", f"{total.lost} lost"]
    if summary.streak:
        said.append(streak_in_words(summary).rstrip("."))
    if total.decisions:
        said.append(f"accuracy {percent(total.accuracy)}")
    if summary.answers:
        said.append(f"practice {percent(summary.right / summary.answers)} of {summary.answers}")
    canvas.put_all(1, 0, [(STRONG, "Your record"), (PLAIN, dot + dot.join(said))], width=canvas.width - 2)


def _draw_months(canvas: Canvas, months: tuple[Month, ...], y: int, height: int) -> None:
    """Accuracy by month as columns, with its figure above the month's name; under it what was played."""
    canvas.put(1, y - 1, "Fine decisions by month, in percent", FAINT)
    shown = columns([month.accuracy for month in months], height, canvas.theme, _LEAST_SHARE)
    for line, row in enumerate(shown, start=y):
        canvas.put(1, line, "".join(f" {sign * 2} " for sign in row))
    below = y + height
    for place, month in enumerate(months):
        x = 1 + place * MONTH
        accuracy = "" if month.accuracy is None else f"{percent(month.accuracy).rstrip('%'):>3}"
        canvas.put(x, below, accuracy, STRONG, width=MONTH)
        canvas.put(x, below + 1, f"{_NAMES[int(month.name[5:]) - 1]:>3}", FAINT, width=MONTH)


def _draw_tallies(canvas: Canvas, summary: Summary, x: int, y: int, width: int, height: int) -> None:
    """By opponent and by rules, as many as there is room for; of each a bar of the games won."""
    half = height // 2
    for title, tallies, top, lines in (
        ("Against", summary.opponents, y, half),
        ("By rules", summary.rule_sets, y + half, height - half),
    ):
        canvas.put(x, top, title, FAINT)
        for line, tally in enumerate(tallies[: lines - 1], start=top + 1):
            _draw_tally(canvas, tally, x, line, width)


def _draw_tally(canvas: Canvas, tally: Tally, x: int, y: int, width: int) -> None:
    label = min(18, width - 12)
    canvas.put(x, y, cut(tally.label, label, canvas.theme.ellipsis))
    won = bar(tally.won / max(tally.games, 1), 8, canvas.theme)
    fine = f"  {percent(tally.accuracy)} fine" if tally.decisions else ""
    canvas.put(x + label + 1, y, f"{won} {tally.won} of {tally.games}{fine}", width=max(width - label - 1, 0))


def _draw_games(canvas: Canvas, browsed: Browsed, y: int, zone: tzinfo) -> None:
    width = canvas.width
    canvas.heading(0, y, width, "Games")
    games = browsed.games
    if not games:
        canvas.put(2, y + 1, "Nothing is recorded yet. A game is recorded when it ends.", width=width - 3)
        return
    rows = rows_of(Size(canvas.width, canvas.height))
    first = min(max(browsed.at - rows // 2, 0), max(len(games) - rows, 0))
    for line, game in enumerate(games[first : first + rows], start=y + 1):
        place = first + line - y - 1
        is_chosen = place == browsed.at
        style = CHOSEN if is_chosen else PLAIN
        pointer = canvas.theme.pointer if is_chosen else " "
        canvas.put(1, line, f"{pointer} {_row(game, width - 4, zone)}", style, width=width - 2)
        canvas.spot(1, line, width - 2, 1, LineTarget(place))


def _row(game: PlayedGame, width: int, zone: tzinfo) -> str:
    against = ", ".join(one.label for one in game.opponents)
    when = f"{moment_of(game.ended, zone):{'%Y-%m-%d %H:%M' if width >= WITH_TIME else '%m-%d'}}"
    cost = "" if game.weighed is None else f"cost {game.weighed.cost / 100:.1f}%"
    marks = [mark for mark, holds in (("coach", game.is_assisted), ("exhibition", game.is_exhibition)) if holds]
    marks += [] if game.has_sheet else ["no moves"]
    rest = width - len(when) - 2
    parts = f"{OUTCOMES[game.outcome]:<5}{game.gain:+3d}  {game.rule_set:<13}{cost:<12}"
    return f"{when}  {parts}{', '.join([against, *marks])}"[: len(when) + 2 + rest]
