"""Board: the interface between the screen and a family of games, and the board of a family that has none of its own.

A family's board is a `Board` with what it shows otherwise, in a package of its own, with one line in `registry`.
As it stands, `Board` shows who plays and whatever the view holds, as values with their names. What has an item a seat
stands in columns behind the players; the rest stands below, a line each. The actions are where they always are, in the
server's words, so that any game can be played.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from msgspec import Struct, structs

from put_client.tui.model import AtTable, Entry, card_of, order_from
from put_client.tui.widgets.canvas import Canvas, Fragment, Line, cut, width_of, wrap
from put_client.tui.widgets.card_faces import sign_of, style_of
from put_client.tui.widgets.theme import ALARM, FAINT, PLAIN, STRONG, TURN, Theme
from put_protocol.cards import Card
from put_protocol.games.unions import Choice, Event
from put_protocol.offers import GameOffer
from put_protocol.seats import Seat
from put_protocol.table_info import TableInfo, TableState

NAMES = 24
"""Columns for the names of players."""

_CARD = re.compile(r"(?:10|[2-9JQKA])[shdc]")


class Board:
    """What is a family's own on the screen. It has no state: all of it is in the table."""

    grave: tuple[type[Struct], ...] = ()
    """Actions that are asked about once more: they decide a hand or a game."""

    # --- what is drawn ---

    def draw(self, canvas: Canvas, table: AtTable, width: int, height: int, offer: GameOffer | None) -> None:
        """The field: so many columns and lines below the header, with panes to the right of it where it is narrower
        than the canvas. What there is no room for is left out at the end. `offer`: what is known of the rule set."""
        view = table.view
        assert view is not None
        theme = canvas.theme
        values = {name.replace("_", " "): value for name, value in structs.asdict(view).items() if _tells(value)}
        by_seat = {name: value for name, value in values.items() if _is_by_seat(value, len(table.info.seats))}
        lines = _players(canvas, table, by_seat, width - 2)
        lines.append(())
        for name, value in values.items():
            if name not in by_seat:
                label = f"{name}: "
                rows = wrap(_said(value, theme), max(width - 2 - width_of(label), 8))
                lines += [((FAINT, label if row is rows[0] else " " * width_of(label)), (PLAIN, row)) for row in rows]
        if len(lines) > height:
            lines = [*lines[: height - 1], ((FAINT, theme.ellipsis),)]
        for y, line in enumerate(lines, start=1):
            canvas.put_all(1, y, line, width=width - 2)

    def least_height(self, table: AtTable, width: int) -> int:
        """Lines the field needs at least in so many columns; the log takes of the rest."""
        return 12

    def tricks_height(self, table: AtTable) -> int:
        """Lines for the pane of tricks: the same through a whole hand. 0: there is none."""
        return 0

    def draw_tricks(self, canvas: Canvas, x: int, y: int, width: int, height: int, table: AtTable) -> None:
        """The pane of tricks."""

    # --- what is said ---

    def ranking(self, table: AtTable) -> tuple[str, ...]:
        """The cards, best first, where their order is to be told."""
        return ()

    def place(self, table: AtTable) -> str:
        """How far the game is, for the header."""
        return ""

    def waiting(self, table: AtTable) -> str:
        """What is expected of another player."""
        return "The cards are being dealt ..."

    def label(self, table: AtTable, choice: Choice, theme: Theme) -> Fragment:
        """A legal action in a word or two: its card, or the beginning of what the server says it will do."""
        card = card_of(choice.action)
        if card is not None:
            return style_of(card), sign_of(theme, card)
        tag = str(choice.action.__struct_config__.tag)
        return PLAIN, choice.says.partition(":")[0].partition(",")[0] or tag

    def action_keys(
        self, table: AtTable, letters: Mapping[str, str], taken: frozenset[str]
    ) -> tuple[tuple[str, Choice], ...]:
        """A key for each legal action; empty where there is none: such an action can be chosen with the arrows.
        `letters`: of actions, by their tags; `taken`: keys that mean something else."""
        return tuple((str(place) if place <= 9 else "", choice) for place, choice in enumerate(table.legal, 1))

    def keys_explained(self, letters: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
        """For the help: keys of actions, and what they do."""
        return (("1 to 9", "do what is listed behind that number"),)

    def marks(self, common: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
        """For the help: the words and signs on the screen, with those of every game among them."""
        return common

    def story_page(self, table: AtTable, width: int, theme: Theme) -> list[Line]:
        """The game as it was played, in lines no wider than that."""
        return [((PLAIN, "Nothing has been played yet."),)]

    def analysis_page(self, table: AtTable, width: int, theme: Theme) -> list[Line]:
        """What our decisions in the last game cost."""
        return []

    # --- what is remembered ---

    def arrived(self, table: AtTable, before: AtTable | None) -> AtTable:
        """The table we come to, or come back to after we may have missed something since `before`."""
        return table

    def seen(self, table: AtTable) -> AtTable:
        """The table with what its new view shows."""
        return table

    def after(self, table: AtTable, event: Event, says: str) -> AtTable:
        """The table after an event of the game; `says` is its sentence."""
        return replace(table.note(Entry(says)), outcome=says)

    def is_end(self, event: Event) -> bool:
        """Whether an event ends the game."""
        return False

    def info_after(self, info: TableInfo, event: Event) -> TableInfo:
        """What an event of the game changes of the seats and the purses, where no server tells of it."""
        return info


# --- the players, and values with their names ------------------------------------------------------------------------


def is_to_move(table: AtTable, seat: Seat) -> bool:
    return table.info.state is TableState.PLAYING and getattr(table.view, "to_move", None) == seat


def name_in(table: AtTable, seat: Seat, room: int, canvas: Canvas, *, relation: str = "") -> list[Fragment]:
    """The player of a seat, within so many columns. `relation`: what they are to the viewer, if anything."""
    info = table.info.seats[seat]
    pointer = canvas.theme.pointer if is_to_move(table, seat) else " "
    if info.name is None:
        return [(PLAIN, "  "), (FAINT, "(an empty seat)"[: max(room - 2, 0)])]
    kind = _kind(table, seat, relation)
    tail: list[Fragment] = [(FAINT, f" ({kind})")] if kind else []
    if info.is_away:
        tail.append((ALARM, " away "))
    if info.is_gone:
        tail.append((FAINT, " gone"))
    taken = 2 + sum(width_of(text) for _, text in tail)
    if kind and taken + min(width_of(info.name), 12) > room:
        del tail[0]
        taken = 2 + sum(width_of(text) for _, text in tail)
    name = cut(info.name, max(room - taken, 1), canvas.theme.ellipsis)
    return [(TURN, f"{pointer} "), (STRONG, name), *tail]


def _kind(table: AtTable, seat: Seat, relation: str) -> str:
    info = table.info.seats[seat]
    kinds = (
        (seat == table.seat, "you"),
        (bool(relation), relation),
        (info.is_house, f"house, {info.house}" if info.house else "house"),
        (info.is_bot, "bot"),
    )
    return ", ".join(word for holds, word in kinds if holds)


def _players(canvas: Canvas, table: AtTable, columns: dict[str, Sequence[object]], width: int) -> list[Line]:
    """A line of titles and one a player, with as many columns as there is room for."""
    heads: list[Fragment] = [(FAINT, " " * NAMES)]
    seats = order_from(table.viewer, len(table.info.seats))
    rows: list[list[Fragment]] = [list(name_in(table, seat, NAMES - 1, canvas)) for seat in seats]
    for row in rows:
        row.append((PLAIN, " " * (NAMES - sum(width_of(text) for _, text in row))))
    room = width - NAMES
    for name, value in columns.items():
        cells = [_said(value[seat], canvas.theme) for seat in seats]
        column = max(width_of(text) for text in (name, *cells)) + 2
        room -= column
        if room < 0:
            break
        heads.append((FAINT, name + " " * (column - width_of(name))))
        for row, cell in zip(rows, cells, strict=True):
            row.append((PLAIN, cell + " " * (column - width_of(cell))))
    return [tuple(heads), *(tuple(row) for row in rows)]


def _tells(value: object) -> bool:
    """Nothing is said of what is empty."""
    return value is not None and value not in ((), "", {})


def _is_by_seat(value: object, seats: int) -> bool:
    """A list with a number, a word or a yes for each seat. Cards are somebody's, however many they are."""
    if not isinstance(value, tuple) or len(value) != seats or seats < 2:
        return False
    return all(isinstance(item, int) or (isinstance(item, str) and not _CARD.fullmatch(item)) for item in value)


def _said(value: object, theme: Theme) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case str() if _CARD.fullmatch(value):
            return sign_of(theme, Card(value))
        case Struct():
            parts = [f"{k.replace('_', ' ')} {_said(v, theme)}" for k, v in structs.asdict(value).items() if _tells(v)]
            return ", ".join(parts) or "-"
        case dict():
            return ", ".join(f"{k} {_said(v, theme)}" for k, v in value.items())
        case tuple() | list():
            return " ".join(_said(item, theme) for item in value) or "-"
        case None:
            return "-"
        case _:
            return str(value)
