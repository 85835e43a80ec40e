"""The boards: parts of the screen that depend on the family of games.

The rest of the screen calls `board_of(table)`, and uses no type of a family. What a board remembers between two views
is `AtTable.told`. A family without an entry in `BOARDS` has the plain `Board`. The actions are at their usual place, in
the server's words, so that any game can be played.

A family's board is a subclass, in a separate module or package. It is loaded with the first game of its family, because
loading three boards would take longer than drawing the first screen.
"""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from put_client.tui.model import AtTable, Banner, options_in_words
from put_client.tui.widgets.canvas import Canvas, Fragment, Line, columns_of, cut, width_of, wrapped
from put_client.tui.widgets.theme import ALARM, FAINT, PLAIN, STRONG, TURN, Theme
from put_protocol.games.unknown import UnknownAction
from put_protocol.offers import GameOffer
from put_protocol.seats import Direction, Seat
from put_protocol.table_info import TableState
from put_protocol.text import capitalized
from put_text.catalogue import say

if TYPE_CHECKING:
    from put_client.tui.boards.board import Board

LEAST_NAME = 12
"""Shortest width for a longer name, before other details are left out."""


def outcome_banner(*, is_good: bool | None) -> Banner:
    """Large word for the end of a game. `is_good`: we won or lost; None: we do not play."""
    word = "game-over" if is_good is None else "you-win" if is_good else "you-lose"
    return Banner(word=say(f"screen-large-{word}"), is_good=is_good)


def tag_of(action: Struct) -> str:
    return action.tag if isinstance(action, UnknownAction) else str(action.__struct_config__.tag)


def rules_in_short(table: AtTable, width: int) -> list[Line]:
    offer = table.offer
    lines: list[Line] = [((STRONG, table.info.game if offer is None else offer.title),), ()]
    if offer is not None:
        lines += [*wrapped(offer.summary, width), ()]
        if offer.direction is Direction.COUNTER_CLOCKWISE:
            lines += [*wrapped(say("screen-counter-clockwise"), width), ()]
    options = ", ".join(options_in_words(table.info.options, offer))
    return lines + wrapped(options, width, FAINT)


def rules_in_lines(offer: GameOffer, width: int, theme: Theme) -> list[Line]:
    lines: list[Line] = []
    for rule in offer.rules or (offer.summary,):
        lines += wrapped(rule, width, head=(FAINT, f"{theme.separator} "))
    return lines


def waiting_for_deal(table: AtTable) -> str:
    """Reason why no cards are dealt yet. A deal waits for absent players who would cut."""
    away = [info.name or "" for info in table.info.seats if info.is_away and not info.is_gone]
    if not away:
        return say("screen-dealing")
    return say("screen-away-deal", names=away, count=len(away))


def common_marks(table: AtTable, seat: Seat) -> list[Fragment]:
    """Marks of a seat in any game: it asks for a pause, or is ready."""
    info, pause = table.info.seats[seat], table.info.pause
    if pause is not None and seat in pause.seats:
        return [(STRONG, say("screen-mark-ready" if table.is_paused else "screen-mark-pause"))]
    is_ready = info.agrees and info.name is not None and not table.info.is_in_play and table.info.games
    return [(STRONG, say("screen-mark-ready"))] if is_ready else []


def name_in(table: AtTable, seat: Seat, room: int, canvas: Canvas, *, relation: str = "") -> list[Fragment]:
    """The player of a seat, within this width. `relation`: to the viewer, if any."""
    info = table.info.seats[seat]
    is_to_move = table.info.state is TableState.PLAYING and getattr(table.view, "to_move", None) == seat
    pointer = canvas.theme.pointer if is_to_move else " "
    if info.name is None:
        return [(PLAIN, "  "), (FAINT, say("screen-seat-empty")[: max(room - 2, 0)])]
    kinds = _kinds(table, seat, relation)
    tail: list[Fragment] = [(ALARM, f" {say('screen-mark-away')} ")] if info.is_away else []
    if info.is_gone:
        tail.append((FAINT, f" {say('screen-mark-gone')}"))
    taken = 2 + columns_of(tail)
    if kinds and taken + width_of(_in_brackets(kinds)) + min(width_of(info.name), LEAST_NAME) > room:
        kinds = [relation] if relation else []  # a partner is called so in any case
    if kinds:
        style = STRONG if relation else FAINT
        tail.insert(0, (style, _in_brackets(kinds)))
        taken += width_of(tail[0][1])
    name = cut(info.name, max(room - taken, 1), canvas.theme.ellipsis)
    return [(TURN, f"{pointer} "), (STRONG, name), *tail]


def _in_brackets(kinds: list[str]) -> str:
    return f" ({', '.join(kinds)})"


def own_name() -> str:
    """The player's name in practice positions."""
    return capitalized(say("words-you"))


def _kinds(table: AtTable, seat: Seat, relation: str) -> list[str]:
    """Kinds of a player, the most important first."""
    info = table.info.seats[seat]
    kinds = (
        (seat == table.seat and info.name != own_name(), say("screen-kind-you")),
        (bool(relation), relation),
        (info.is_house, say("screen-kind-house")),
        (info.is_house and bool(info.house), info.house),
        (info.is_bot, say("screen-kind-bot")),
    )
    return [word for holds, word in kinds if holds]


BOARDS: Mapping[str, str] = {"put": "PutBoard", "triomphe": "TriompheBoard", "primero": "PrimeroBoard"}
"""The class in the family's module, or package, here."""


@cache
def _board(module: str, name: str) -> "Board[Any]":
    board: Board[Any] = getattr(import_module(f"put_client.tui.boards.{module}"), name)()
    return board


def board_of(table: AtTable) -> "Board[Any]":
    return _board(table.family, BOARDS[table.family]) if table.family in BOARDS else _board("board", "Board")
