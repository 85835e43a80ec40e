"""The lobby: the tables that are open, more of the one selected, and who is here."""

from collections.abc import Callable, Sequence

from put_client.tui.keys import shown_below
from put_client.tui.model import Model, options_in_words
from put_client.tui.views.prompt_view import draw_footer, invitation_in_words, is_short
from put_client.tui.widgets.canvas import Canvas, KeyTarget, LineTarget, cut, scrolled, whole_clauses, width_of, wrap
from put_client.tui.widgets.theme import CHOSEN, FAINT, KEY, NOTICE, PLAIN, STRONG
from put_protocol.offers import HouseOffer
from put_protocol.table_info import Admits, SeatInfo, TableInfo, TableState
from put_text.catalogue import say

PEOPLE_FROM_WIDTH = 100
PEOPLE_WIDTH = 28
DETAILS = 7
"""Lines about the table selected, heading included."""


def draw_lobby(canvas: Canvas, model: Model) -> None:
    lobby = model.lobby
    size = lobby.size
    tables = say("screen-lobby-tables", count=len(lobby.tables) if size is None else size.tables)
    people = say("screen-lobby-people", count=len(lobby.people) if size is None else size.people)
    if lobby.wanted:
        tables = say("screen-lobby-filtered", count=len(lobby.listed), tables=tables, words=lobby.wanted)
    you = say("screen-lobby-you", name=model.welcome.name)
    canvas.title("Put", [model.welcome.server], [(PLAIN, f" {canvas.theme.separator} ".join([tables, people, you]))])
    beside = PEOPLE_WIDTH if canvas.width >= PEOPLE_FROM_WIDTH else 0
    width = canvas.width - (beside + 1 if beside else 0)
    people_rows = _names(model) if beside else list(wrap(", ".join(_names(model)), canvas.width - 4))
    people_lines = 0 if beside or canvas.height < 20 else 1 + min(len(people_rows), 3)
    list_height = canvas.height - 3 - DETAILS - people_lines
    _draw_details(canvas, model, 1 + list_height, width)
    _draw_tables(canvas, model, width, list_height)  # its last line says how many are below
    if beside:
        canvas.fill(width, 1, 1, canvas.height - 3, canvas.theme.vertical)
        canvas.put(width + 2, 1, say("screen-people"), STRONG)
        shown, left = people_rows[: canvas.height - 5], len(people_rows) - (canvas.height - 5)
        if left > 0:
            shown = [*shown[:-1], say("screen-and-more", count=left + 1)]
        canvas.put_rows(width + 2, 2, shown, width=beside - 2)
    elif people_lines:
        y = 1 + list_height + DETAILS
        canvas.heading(0, y, canvas.width, say("screen-people"))
        *first, last = [*people_rows[: people_lines - 2], " ".join(people_rows[people_lines - 2 :])]
        canvas.put_rows(2, y + 1, [*first, cut(last, canvas.width - 4, canvas.theme.ellipsis)])
    _draw_below(canvas, model)


def _draw_tables(canvas: Canvas, model: Model, width: int, height: int) -> None:
    tables = model.lobby.listed
    _draw_cells(canvas, 1, width, [say(f"screen-column-{title}") if title else "" for title, _, _ in _COLUMNS], FAINT)
    if model.lobby.tables and not tables:
        canvas.put(1, 1 + height // 2, say("screen-lobby-none-match"), STRONG, width=width - 2)
        return
    if not tables:
        _draw_empty(canvas, model, width, height)
        return
    rows = height - 1
    selected = next((place for place, table in enumerate(tables) if table.id == model.lobby.selected_table), 0)
    first = scrolled(selected, len(tables), rows)
    for line, table in enumerate(tables[first : first + rows], start=2):
        is_selected = table.id == model.lobby.selected_table
        style = CHOSEN if is_selected else PLAIN
        if is_selected:
            canvas.fill(0, line, width, 1, " ", CHOSEN)
            canvas.put(1, line, canvas.theme.pointer, style)
        _draw_cells(canvas, line, width, [text(table) for _, _, text in _COLUMNS], style)
        canvas.spot(0, line, width, 1, LineTarget(table.id))
    if first > 0 or model.lobby.page:
        canvas.put_right(width - 1, 1, [(FAINT, _more(canvas.theme.arrows[2], first))])
    below = max(len(tables) - first - rows, 0)
    if below or model.lobby.has_more:
        canvas.put_right(width - 1, 1 + height, [(PLAIN, f" {_more(canvas.theme.arrows[3], below)} ")])


def _more(arrow: str, count: int) -> str:
    """Number of tables that are not shown; 0: they are on pages that we do not look at."""
    return f"{arrow} {say('screen-more', count=count)}"


def _draw_empty(canvas: Canvas, model: Model, width: int, height: int) -> None:
    """Draw instructions for an empty lobby: a digit begins a game with that house player."""
    houses = model.welcome.houses if model.welcome.games else ()
    if not houses:
        says = say("screen-lobby-empty")
        canvas.put(max((width - len(says)) // 2, 1), 1 + height // 2, says, STRONG)
        return
    rows = house_rows(houses[:9], width - 4, canvas.theme.ellipsis)
    inside = min(max([width_of(row) for row in rows] + [50]), width - 4)
    x = max((width - inside) // 2, 1)
    y = 2 + max((height - 3 - len(rows)) // 2, 0)
    canvas.put(x, y, say("screen-lobby-empty-house"), STRONG, width=inside)
    shown = rows[: max(height - 3, 1)]
    for line, row in enumerate(shown, start=y + 1):
        canvas.put_all(x, line, [(KEY, row[:1]), (PLAIN, row[1:])], width=inside)
        canvas.spot(x, line, inside, 1, KeyTarget(row[:1]))
    canvas.put(x, y + 1 + len(shown), say("screen-lobby-open-too"), width=inside)


def house_rows(houses: Sequence[HouseOffer], width: int, ellipsis: str) -> list[str]:
    told = [
        say("screen-house-row", number=number, name=house.name, meaning=house.meaning)
        for number, house in enumerate(houses, 1)
    ]
    return [whole_clauses(row, width, 1, ellipsis)[0] for row in told]


def _player(seat: SeatInfo) -> str:
    return say("screen-seat-open") if seat.name is None else seat.name


def _state(table: TableInfo) -> str:
    match table.state:
        case TableState.FILLING:
            free = sum(seat.name is None for seat in table.seats)
            return say("screen-state-free", count=free)
        case TableState.PLAYING:
            return say("screen-game", number=table.games)
        case TableState.PAUSED:
            return say("screen-state-paused")
        case _:
            return say("screen-state-between")


_COLUMNS: tuple[tuple[str, int, Callable[[TableInfo], str]], ...] = (
    ("number", 3, lambda table: str(table.id)),
    ("rules", 8, lambda table: table.game),
    ("players", 21, lambda table: ", ".join(map(_player, table.seats))),
    ("state", -29, _state),
    ("turn", -18, lambda table: f"{table.clock.turn} s" if table.clock.turn else "-"),
    ("watch", -10, lambda table: str(table.watchers) if table.is_gallery_open else say("screen-shut")),
    ("", -4, lambda table: say("screen-key") if table.is_locked else ""),
)
"""Columns: title, position (below 0: from the right), and text for a table."""


def _draw_cells(canvas: Canvas, y: int, width: int, texts: list[str], style: str) -> None:
    places = [at if at > 0 else width + at for _, at, _ in _COLUMNS]
    for text, at, stop in zip(texts, places, (*places[1:], width + 1), strict=True):
        canvas.put(at, y, text, style, width=stop - at - 1)


def _draw_details(canvas: Canvas, model: Model, y: int, width: int) -> None:
    table = model.lobby.table
    if table is None:
        canvas.heading(0, y, width, say("screen-welcome"))
        says = " ".join(offer.summary for offer in model.welcome.games[:1])
        canvas.put_rows(2, y + 1, wrap(says, width - 4)[: DETAILS - 1])
        return
    canvas.heading(0, y, width, say("screen-table", number=table.id))
    dot = f" {canvas.theme.separator} "
    offer = model.offer_of(table.game)
    title = table.game if offer is None else f"{offer.title} ({offer.source})"
    options = dot.join(options_in_words(table.options, offer))
    marks = [say("screen-nothing-counts-here")] if table.is_exhibition else []
    marks.append(say("screen-turn", seconds=table.clock.turn) if table.clock.turn else say("screen-no-clock"))
    marks.append(say("screen-bank", seconds=table.clock.bank))
    marks.append(say("screen-gallery-open" if table.is_gallery_open else "screen-gallery-shut"))
    if table.is_locked:
        marks.append(say("screen-asks-passcode"))
    if table.admits is not Admits.ALL:
        marks.append(say("screen-admits", admits=table.admits.value))
    canvas.put(2, y + 1, _seats(table), STRONG, width=width - 3)
    rows = (title, *wrap(options, width - 3)[:2], *wrap(dot.join(marks), width - 3)[:2])
    canvas.put_rows(2, y + 2, rows, width=width - 3)


def _seats(table: TableInfo) -> str:
    said = []
    for seat in table.seats:
        marks = (
            (seat.is_house, seat.house or say("screen-kind-house")),
            (seat.is_bot, say("screen-kind-bot")),
            (seat.is_away, say("screen-mark-away")),
            (seat.is_gone, say("screen-mark-gone")),
        )
        kinds = [word for holds, word in marks if holds]
        kind = f" ({', '.join(kinds)})" if kinds else ""
        purse = f" {seat.purse:+d}" if seat.purse else ""
        said.append(f"{_player(seat)}{kind}{purse}")
    return ", ".join(said)


def _names(model: Model) -> list[str]:
    said = []
    for person in model.lobby.people:
        marks = ((person.is_bot, "screen-kind-bot"), (person.is_away, "screen-mark-away"))
        name = person.name + "".join(f" ({say(mark)})" for holds, mark in marks if holds)
        tables = ", ".join(map(str, person.tables))
        said.append(say("screen-person-at", name=name, tables=tables) if tables else name)
    return said


def _draw_below(canvas: Canvas, model: Model) -> None:
    y = canvas.height - 2
    canvas.fill(0, y, canvas.width, 1, canvas.theme.horizontal)
    if canvas.width >= PEOPLE_FROM_WIDTH:
        canvas.put(canvas.width - PEOPLE_WIDTH - 1, y, canvas.theme.meets_below)
    if model.lost is not None:
        canvas.put(1, y, f" {model.lost} ", NOTICE, width=canvas.width - 2)
    elif model.invitation is not None:
        says = invitation_in_words(model.invitation, "choose")
        canvas.put(1, y, f" {says} ", NOTICE, width=canvas.width - 2)
    notice = model.notice if is_short(model.notice, canvas.width) else ""
    draw_footer(canvas, list(shown_below(model)), notice)
