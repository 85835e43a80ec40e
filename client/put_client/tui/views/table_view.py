"""The table: the players, the trick, the viewer's hand, and the current decision.

From top to bottom: a header; the playing field, with panes beside or below it if there is room; a rule with the
ranking; the question with the clock; the choices; the keys. A small window loses the talk first, then the log, never
the table.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from put_client.tui import moments
from put_client.tui.boards import board_of, rules_in_lines
from put_client.tui.model import AtTable, Banner, EntryKind, LogEntry, Model
from put_client.tui.moments import shown_table
from put_client.tui.views.deal_view import mark_of
from put_client.tui.views.overlays import draw_notes, log_tail, proved
from put_client.tui.views.prompt_view import draw_choices, draw_keys_line, draw_question, lines_below
from put_client.tui.widgets.blocks import word_rows
from put_client.tui.widgets.canvas import Canvas, Fragment
from put_client.tui.widgets.theme import ALARM, FAINT, LOST, PLAIN, STRONG, WON
from put_client.tui.widgets.theme import TURN as ALARM_WORD
from put_protocol.seats import GALLERY
from put_protocol.table_info import Admits
from put_text.catalogue import say

SIDE_PANES_FROM_WIDTH = 80

MIDDLE_FROM = 170
"""Width from which there is a pane between the field and the side panes, with the rules and the game hand by hand."""

MIDDLE_WIDTH = 50
TALK_FROM_HEIGHT = 18
LEAST_LOG = 4
LARGE_LETTERS_FROM_WIDTH = 100


def draw_table(canvas: Canvas, model: Model, now: int) -> None:
    table = shown_table(model, now)
    assert table is not None
    is_held = moments.is_held(model, now)
    model = replace(model, table=table)
    canvas.theme = proved(canvas.theme, table)
    _draw_header(canvas, model, table)
    has_log = draw_body(canvas, table, below=lines_below(canvas.height))
    banner = moments.shown_banner(model, now)
    if banner is not None:
        _draw_banner(canvas, banner, is_low=is_held)
    elif model.overlay is None and not is_held:
        draw_notes(canvas, table, canvas.width - side_width(canvas.width))
    draw_question(canvas, model, table, now, is_held=is_held)
    draw_choices(canvas, model, table)
    draw_keys_line(canvas, model, table, has_log=has_log)


def _draw_banner(canvas: Canvas, banner: Banner, *, is_low: bool) -> None:
    """A word in large letters over the field: at the place of a finished hand, or over the top player."""
    height = canvas.height - 1 - lines_below(canvas.height)
    width = canvas.width - side_width(canvas.width)
    scale = 2 if width >= LARGE_LETTERS_FROM_WIDTH and height >= LARGE_LETTERS_FROM_WIDTH // 3 else 1
    rows = word_rows(banner.word, has_blocks=canvas.theme.has_blocks, scale=scale)
    if not rows or len(rows[0]) + 4 > width or len(rows) + 4 > height:
        return
    x = (width - len(rows[0])) // 2
    y = height - 2 - len(rows) if is_low else 2
    style = ALARM_WORD if banner.is_good is None else WON if banner.is_good else LOST
    canvas.fill(x - 2, y - 1, len(rows[0]) + 4, len(rows) + 2)
    canvas.put_rows(x, y, rows, style)


def draw_body(canvas: Canvas, table: AtTable, *, below: int, has_talk: bool = True) -> bool:
    """Draw the field with its panes, and the rule: everything except the header and the last `below` lines, of which
    the rule is the first. Returns true if there is a log."""
    height = canvas.height - 1 - below
    side = side_width(canvas.width)
    width = canvas.width - side
    log = 0 if side else _log_below(table, width, height)
    board_of(table).draw(canvas, table, width, height - log)
    if log:
        _draw_entries(canvas, 0, 1 + height - log, width, log, say("screen-log"), table.log.entries)
    edges = []
    if side:
        edges.append(canvas.width - _outer_pane_width(canvas.width) - 1)
        _draw_side(canvas, table, edges[0], height, has_talk=has_talk)
    if canvas.width >= MIDDLE_FROM:
        edges.append(width - 1)
        _draw_middle(canvas, table, width - 1, height)
    _draw_rule(canvas, table, canvas.height - below, edges)
    return bool(side or log)


def side_width(width: int) -> int:
    return _outer_pane_width(width) + (MIDDLE_WIDTH if width >= MIDDLE_FROM else 0)


def _outer_pane_width(width: int) -> int:
    return 0 if width < SIDE_PANES_FROM_WIDTH else min(max(28, width * 3 // 10), 52)


def _log_below(table: AtTable, width: int, height: int) -> int:
    """Height of the log under the field: lines that a field with drawn cards does not need."""
    spare = height - board_of(table).least_height(table, width)
    return min(spare, max(LEAST_LOG, height // 3)) if spare >= LEAST_LOG else 0


def _draw_header(canvas: Canvas, model: Model, table: AtTable) -> None:
    dot = f" {canvas.theme.separator} "
    info = table.info
    title = info.game if table.offer is None or canvas.width < 100 else table.offer.title
    said = [say("screen-table", number=info.id), title]
    if table.is_paused:
        said.append(say("screen-state-paused"))
    if info.games:
        said.append(say("screen-game", number=info.games))
    if place := board_of(table).place(table):
        said.append(place)
    right = []
    has_talk_pane = (
        canvas.width >= SIDE_PANES_FROM_WIDTH and canvas.height - 1 - lines_below(canvas.height) >= TALK_FROM_HEIGHT
    )
    if table.log.unread and not has_talk_pane:
        right.append(say("screen-unread", count=table.log.unread))
    if info.is_exhibition:
        right.append(say("screen-exhibition-nothing-counts" if canvas.width >= 100 else "screen-exhibition"))
    if info.is_locked:
        right.append(say("screen-locked"))
    if info.admits is not Admits.ALL:
        right.append(say("screen-admits", admits=info.admits.value))
    if info.clock.turn:
        right.append(say("screen-turn", seconds=info.clock.turn))
    watching = say("screen-watching", count=info.watchers, you=table.viewer == GALLERY)
    right.append(watching if info.is_gallery_open else say("screen-gallery-shut"))
    mark = mark_of(table, canvas.theme) if model.lost is None else (ALARM, say("screen-no-connection"))
    if mark is not None:
        right.append(mark[1])
    left = len(dot.join(["", *said]))
    keeps = 1 + (bool(table.log.unread) and len(right) > 1)
    while len(right) > keeps and left + len(dot.join(right)) + 8 > canvas.width:
        del right[keeps - 1]
    shown: list[Fragment] = [(PLAIN, dot.join(right))]
    if mark is not None:
        shown = [(PLAIN, "".join(f"{one}{dot}" for one in right[:-1])), mark]
    canvas.title("Put", said, shown)


def _draw_rule(canvas: Canvas, table: AtTable, y: int, edges: list[int]) -> None:
    """The rule under the field, with the ranking. `edges`: of the panes above."""
    theme = canvas.theme
    canvas.fill(0, y, canvas.width, 1, theme.horizontal)
    for x in edges:
        canvas.put(x, y, theme.meets_below)
    if ranking := board_of(table).ranking(table):
        canvas.put_all(
            1, y, [(FAINT, f" {say('screen-best')} "), (STRONG, " ".join(ranking)), (FAINT, f" {say('screen-last')} ")]
        )


def _draw_side(canvas: Canvas, table: AtTable, x: int, height: int, *, has_talk: bool) -> None:
    theme = canvas.theme
    canvas.fill(x, 1, 1, height, theme.vertical)
    left, width = x + 1, canvas.width - x - 1
    board = board_of(table)
    tricks = min(board.tricks_height(table), max(height // 2, LEAST_LOG))
    if tricks:
        board.draw_tricks(canvas, left, 1, width, tricks, table)
    rest = height - tricks
    talk = max(5, rest // 3) if has_talk and height >= TALK_FROM_HEIGHT and rest >= 5 + LEAST_LOG else 0
    entries = [entry for entry in table.log.entries if not talk or entry.kind is not EntryKind.TALK]
    _draw_entries(canvas, left, 1 + tricks, width, rest - talk, say("screen-log"), entries)
    canvas.put(x, 1 + tricks, theme.meets_right)
    if talk:
        y = 1 + height - talk
        _draw_entries(canvas, left, y, width, talk, say("screen-talk"), table.log.talk)
        if not table.log.talk:
            canvas.put(left + 1, y + 1, say("screen-talk-how"), FAINT, width=width - 1)
        canvas.put(x, y, theme.meets_right)


def _draw_middle(canvas: Canvas, table: AtTable, x: int, height: int) -> None:
    """Draw the rules, and below them the game hand by hand (its end if it is long), as far as there is room."""
    canvas.fill(x, 1, 1, height, canvas.theme.vertical)
    left, width = x + 2, MIDDLE_WIDTH - 3
    board = board_of(table)
    story = board.story_page(table, width, canvas.theme) if board.has_story(table) else []
    hands = min(len(story), height // 2)
    rules = [] if table.offer is None else rules_in_lines(table.offer, width, canvas.theme)
    room = height - 1 - (hands + 1 if hands else 0)
    shown = rules if len(rules) <= room else [*rules[: room - 1], ((FAINT, say("screen-rules-more")),)]
    canvas.put(left, 1, say("screen-rules"), STRONG)
    canvas.put_lines(left, 2, shown, width=width)
    if hands:
        y = 1 + height - hands
        canvas.put(x, y - 1, canvas.theme.meets_right)
        canvas.heading(x + 1, y - 1, MIDDLE_WIDTH - 1, say("screen-story"))
        canvas.put_lines(left, y, story[len(story) - hands :], width=width)


def _draw_entries(
    canvas: Canvas, x: int, y: int, width: int, height: int, title: str, entries: Sequence[LogEntry]
) -> None:
    canvas.heading(x, y, width, title)
    canvas.put_lines(x + 1, y + 1, log_tail(reversed(entries), width - 1, height - 1), width=width - 1)
