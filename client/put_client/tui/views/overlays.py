"""Overlays over a screen: a page to read (help, rules, the log, the game hand by hand), a menu, the form, the typed
line, and notes for beginners or from the coach. A note covers the far end of the field, so that our own cards and the
question stay visible."""

from collections.abc import Iterable

from msgspec.structs import replace

from put_client.fairness.fairness_text import has_proof
from put_client.keymap import Mode, action_letters, label_of
from put_client.tui.boards import board_of, rules_in_lines
from put_client.tui.keys import explained
from put_client.tui.model import (
    AtTable,
    EntryKind,
    FieldKind,
    FormField,
    Help,
    HouseMenu,
    LogEntry,
    Model,
    OpenForm,
    PageKind,
    PromptKind,
    Typing,
)
from put_client.tui.update.form import flaw_of
from put_client.tui.views.deal_view import deal_lines
from put_client.tui.views.lobby_view import house_rows
from put_client.tui.views.prompt_view import draw_row_of_keys, hearers, is_short, keys_called
from put_client.tui.widgets.blocks import bar
from put_client.tui.widgets.canvas import (
    Canvas,
    Fragment,
    Line,
    LineTarget,
    columns_of,
    cut,
    scrolled,
    width_of,
    wrap,
    wrapped,
)
from put_client.tui.widgets.theme import ALARM, CHOSEN, FAINT, KEY, PLAIN, STRONG, UNICODE, Theme
from put_protocol.analysis import CERTAIN
from put_protocol.games.unions import Choice
from put_protocol.messages import Advice
from put_protocol.offers import GameOffer
from put_text.analysis_text import format_advice, percent
from put_text.catalogue import say


def window(canvas: Canvas, title: str, width: int, height: int) -> tuple[int, int]:
    """Draw a box in the middle, on top of everything. Returns the position of its inside."""
    width, height = min(width, canvas.width), min(height, canvas.height)
    x, y = (canvas.width - width) // 2, max((canvas.height - height) // 2, 0)
    canvas.box(x, y, width, height)
    canvas.spots.clear()
    canvas.put(x + 2, y, f" {cut(title, width - 6, canvas.theme.ellipsis)} ", STRONG)
    return x + 2, y + 1


def draw_menu(canvas: Canvas, model: Model, menu: HouseMenu) -> None:
    houses = model.welcome.houses
    rows = house_rows(houses, canvas.width - 10, canvas.theme.ellipsis)
    inside = min(max([width_of(row) + 2 for row in rows] + [40]), canvas.width - 8)
    x, y = window(canvas, say("screen-invite-whom"), inside + 4, len(rows) + 3)
    for place, row in enumerate(rows):
        canvas.choice(x, y + place, inside, row, LineTarget(place), is_chosen=place == menu.at)
    draw_row_of_keys(canvas, x, y + len(rows), inside, keys_called(enter="invites", escape="nobody"))


def draw_form(canvas: Canvas, model: Model, form: OpenForm) -> None:
    width = min(canvas.width - 2, 76)
    inside = width - 4
    meaning = wrap(form.field.meaning, inside)
    lines = min(6, max(canvas.height - len(form.fields) - 5, 2))
    rows = min(len(form.fields), canvas.height - lines - 5)
    first = scrolled(form.at, len(form.fields), rows)
    height = rows + lines + 5
    x, y = window(canvas, say("screen-open-table"), width, height)
    for line, field in enumerate(form.fields[first : first + rows], start=y):
        is_chosen = field is form.field
        canvas.put(x, line, canvas.theme.pointer if is_chosen else " ")
        canvas.put(x + 2, line, field.label, STRONG if is_chosen else PLAIN, width=13)
        _draw_value(canvas, x + 16, line, inside - 16, field, is_chosen=is_chosen)
        canvas.spot(x, line, inside, 1, LineTarget(first + line - y))
    if rows < len(form.fields):
        up, down = canvas.theme.arrows[2:]
        seen = say("screen-rows", last=first + rows, count=len(form.fields))
        canvas.put(x, y + rows, f"{up if first else ' '} {seen} {down}", FAINT)
    below = y + rows + 1
    for line, row in enumerate(meaning[:lines], start=below):
        mark = canvas.theme.ellipsis if line == below + lines - 1 and len(meaning) > lines else ""
        canvas.put(x, line, row + mark, FAINT, width=inside)
    flaw = flaw_of(form)
    last = y + height - 3
    if is_short(model.notice, width) or flaw:
        canvas.put(x, last, f"! {model.notice if is_short(model.notice, width) else flaw}", STRONG, width=inside)
        return
    arrows = (("up-down", "field", "down"), ("left-right", "change", "right"))
    keys = [(say(f"keys-{label}"), say(f"keys-{does}"), key) for label, does, key in arrows]
    draw_row_of_keys(canvas, x, last, inside, [*keys_called(enter="opens-table", escape="cancel"), *keys])


def _draw_value(canvas: Canvas, x: int, y: int, width: int, field: FormField, *, is_chosen: bool) -> None:
    left, right = canvas.theme.arrows[:2]
    style = CHOSEN if is_chosen else PLAIN
    value = str(field.value)
    match field.kind:
        case FieldKind.TEXT:
            shown = value if width_of(value) < width else value[-(width - 2) :]
            end = canvas.put(x + 2, y, shown or ("" if is_chosen else say("screen-none")), PLAIN if shown else FAINT)
            if is_chosen:
                canvas.put(end, y, " ", CHOSEN)
                canvas.cursor = (end, y)
        case _:
            end = canvas.put(x + 2, y, value, style, width=width - 4)
            if is_chosen and (field.kind is FieldKind.NUMBER or len(field.values) > 1):
                canvas.put(x, y, left)
                canvas.put(end + 1, y, right)


def draw_typing(canvas: Canvas, model: Model, typing: Typing, y: int) -> None:
    """The typed line, scrolled so that the cursor is visible."""
    canvas.spots.clear()  # who is typing plays no card
    prompt = "/" if typing.prompt is PromptKind.COMMAND else f"{say(f'screen-prompt-{typing.prompt}')} "
    canvas.fill(0, y, canvas.width, 1)
    x = canvas.put(1, y, prompt, STRONG)
    shown = "*" * len(typing.text) if typing.prompt is PromptKind.PASSCODE else typing.text
    before = shown[: typing.at]
    room = canvas.width - x - 2
    skipped = 0
    while width_of(before[skipped:]) > room:
        skipped += 1
    canvas.put(x, y, shown[skipped:])
    canvas.cursor = (x + width_of(before[skipped:]), y)
    below = y + 1
    if below >= canvas.height:
        return
    canvas.fill(0, below, canvas.width, 1)
    if is_short(model.notice, canvas.width):
        canvas.put(1, below, f"! {model.notice}", STRONG, width=canvas.width - 2)
        return
    draw_row_of_keys(canvas, 1, below, canvas.width - 2, keys_called(enter="send", escape="never-mind"))
    if typing.prompt is PromptKind.TALK and model.table is not None:
        says = cut(hearers(model.table), canvas.width - 36, canvas.theme.ellipsis)
        canvas.put_right(canvas.width - 1, below, [(FAINT, says)])


def _page_width(width: int) -> int:
    return min(width - 2, 84)


def proved(theme: Theme, table: AtTable) -> Theme:
    """The theme for a table's cards: it marks unproved ones."""
    return replace(theme, is_proved=has_proof(table.checked))


def extent(model: Model, shown: Help) -> tuple[int, int]:
    """Number of lines of a page on this screen, and of those visible at once."""
    theme = UNICODE if model.table is None else proved(UNICODE, model.table)
    lines = len(lines_of(model, shown, _page_width(model.size.width) - 4, theme))
    return lines, max(min(lines, model.size.height - 3), 1)


def draw_page(canvas: Canvas, model: Model, shown: Help) -> None:
    width = _page_width(canvas.width)
    lines = lines_of(model, shown, width - 4, canvas.theme)
    height = min(len(lines) + 3, canvas.height)
    room = height - 3
    last = max(len(lines) - room, 0)
    down = last if shown.down is None else min(shown.down, last)
    title = "screen-log-and-talk" if shown.page is PageKind.LOG else f"screen-{shown.page}"
    x, y = window(canvas, say(title), width, height)
    canvas.put_lines(x, y, lines[down : down + room], width=width - 4)
    keys = [*keys_called(escape="returns"), *(keys_called(enter="talks") if shown.page is PageKind.LOG else ())]
    if len(lines) > room:
        seen = say("screen-lines", first=down + 1, last=down + room, count=len(lines))
        keys.append((say("keys-pages"), seen, "pagedown"))
    draw_row_of_keys(canvas, x, y + room, width - 4, keys)


MARKS = (
    *("keys-mark-away", "keys-mark-pause", "keys-mark-blind", "keys-mark-unproved", "keys-mark-card"),
    *("keys-mark-exhibition", "keys-mark-purse"),
)

_KEY_WIDTH = 16


def lines_of(model: Model, shown: Help, width: int, theme: Theme) -> list[Line]:
    page, table = shown.page, model.table
    match page:
        case PageKind.HELP:
            return _help(model, width)
        case PageKind.RULES:
            return _rules(model, width, theme)
        case PageKind.DEAL:
            return [] if table is None else deal_lines(table, shown.deal, width, theme)
        case PageKind.ANALYSIS:
            return [] if table is None else board_of(table).analysis_page(table, width, theme)
        case PageKind.LOG:
            return [] if table is None else log_lines(table, shown.unread_from, width, theme)
        case PageKind.STORY:
            return [] if table is None else board_of(table).story_page(table, width, theme)


def _help(model: Model, width: int) -> list[Line]:
    lines: list[Line] = []
    table = model.table
    if table is not None:
        for keys, says in board_of(table).keys_explained(table, action_letters(model.keys)):
            lines += _explanation(keys, says, width)
    for key, says in explained(Mode.LOBBY if table is None else Mode.TABLE, model.keys, table):
        lines += _explanation(key, says, width)
    lines += _explanation(say("keys-mouse"), say("keys-mouse-means"), width)
    if table is not None:
        lines.append(())
        for mark in (*board_of(table).own_marks, *MARKS):
            lines += _explanation(say(mark), say(f"{mark}-means"), width)
    offer = _offer(model)
    if offer is not None:
        lines += [(), ((STRONG, offer.title), (PLAIN, f" ({offer.source})")), *wrapped(offer.summary, width)]
        lines += _ranking(table, width)
    return lines


def _offer(model: Model) -> GameOffer | None:
    """The relevant rule set: of our table, of the selected one, or the first."""
    if model.table is not None:
        return model.offer_at(model.table.info)
    if model.lobby.table is not None:
        return model.offer_at(model.lobby.table)
    return next(iter(model.welcome.games), None)


def _ranking(table: AtTable | None, width: int) -> list[Line]:
    ranking = () if table is None else board_of(table).ranking(table)
    return wrapped(say("screen-cards-best-first", cards=" ".join(ranking)), width) if ranking else []


def _explanation(key: str, says: str, width: int) -> list[Line]:
    return wrapped(says, width, head=(KEY, f"{key:<{_KEY_WIDTH - 1}} "))


def _rules(model: Model, width: int, theme: Theme) -> list[Line]:
    offer = _offer(model)
    if offer is None:
        return [((PLAIN, say("screen-no-rules")),)]
    lines: list[Line] = [((STRONG, offer.title), (PLAIN, f" ({offer.source})")), ()]
    lines += rules_in_lines(offer, width, theme)
    info = model.table.info if model.table is not None else model.lobby.table
    options = info.options if info is not None else {}
    lines += [(), ((STRONG, say("screen-at-this-table" if info is not None else "screen-may-choose")),)]
    lines += _ranking(model.table, width)
    for option in offer.options:
        value = options.get(option.name, option.default)
        if value != "":
            lines += wrapped(f"{option.name.replace('_', ' ')} {value}: {option.meaning}", width)
    return lines


WIDEST_NOTE = 64
TITLED = frozenset({"put.put", "put.tie", "put.answer", "put.seen", "put.last", "put.purse"})

_BAR = 10
_LABEL = 12


def draw_notes(canvas: Canvas, table: AtTable, width: int, *, title: str = "", is_marked: bool = True) -> None:
    """Draw a note in a box over a field of this width. `title`: instead of the coach's; `is_marked`: advice marks the
    game as assisted."""
    inside = min(width - 4, WIDEST_NOTE)
    if table.advice is not None:
        lines = _advice_lines(canvas, table, table.advice, inside, is_marked=is_marked)
        ends = say("screen-note-closes" if is_marked else "screen-note-goes-on")
        _draw_box(canvas, title or say("screen-coach"), lines, width, inside, ends)
    elif table.lessons:
        lesson = table.lessons[0]
        name = lesson.name.replace(".", "-") if lesson.name in TITLED else "first"
        ends = say("screen-note-goes-on-or-ends")
        _draw_box(canvas, say(f"screen-note-{name}"), wrapped(lesson.says, inside), width, inside, ends)


def _draw_box(canvas: Canvas, title: str, lines: list[Line], width: int, inside: int, ends: str) -> None:
    height = len(lines) + 3
    x = max((width - inside - 4) // 2, 0)
    canvas.box(x, 1, inside + 4, height)
    canvas.put(x + 2, 1, f" {title} ", STRONG)
    canvas.put_lines(x + 2, 2, lines, width=inside)
    canvas.put_all(x + 2, height - 1, [(KEY, label_of("enter")), (FAINT, f" {ends}")], width=inside)


def _advice_lines(canvas: Canvas, table: AtTable, advice: Advice, inside: int, *, is_marked: bool) -> list[Line]:
    """A line for each choice, best first, and the reason."""
    theme = canvas.theme
    lines: list[Line] = []
    for choice in sorted(advice.choices, key=lambda one: (-one.chance, -one.share)):
        label = board_of(table).label(table, Choice(choice.action, choice.says), theme)
        shown: list[Fragment] = [(label[0], cut(label[1], _LABEL - 1, theme.ellipsis))]
        shown.append((PLAIN, " " * (_LABEL - width_of(shown[0][1]))))
        shown += [(PLAIN, bar(choice.chance / CERTAIN, _BAR, theme)), (STRONG, percent(choice.chance).rjust(7))]
        often = say("screen-perfect-play", share=percent(choice.share)) if choice.share else ""
        if often and columns_of(shown) + 2 + len(often) > inside:
            often = say("screen-perfect", share=percent(choice.share))
        lines.append((*shown, (FAINT, f"  {often}")))
    lines += wrapped(format_advice(advice), inside)
    return [*lines, *wrapped(say("screen-assisted"), inside, FAINT)] if is_marked else lines


def log_lines(table: AtTable, unread_from: int | None, width: int, theme: Theme) -> list[Line]:
    """The whole log, including talk, with a rule before the unread part."""
    log = table.log
    if not log.entries:
        return [((PLAIN, say("screen-nothing-happened")),)]
    first = log.noted - len(log.entries)
    lines: list[Line] = [((FAINT, say("screen-forgotten")),)] if first > 0 else []
    for number, entry in enumerate(log.entries, start=first):
        if number == unread_from:
            unread = f" {say('screen-unread-from-here')} "
            lines.append(((ALARM, unread), (FAINT, theme.horizontal * max(width - len(unread), 0))))
        lines += lines_of_entry(entry, width)
    return lines


def lines_of_entry(entry: LogEntry, width: int) -> list[Line]:
    """An entry in lines; lines after the first are indented."""
    rows = wrap(entry.text, width - 1)
    if len(rows) > 1:
        rows = wrap(entry.text, width - 2)
    lines: list[Line] = []
    for number, row in enumerate(rows):
        if number:
            lines.append(((PLAIN, " " + row),))
        elif entry.kind is EntryKind.TALK and ": " in row:
            name, _, said = row.partition(": ")
            lines.append(((STRONG, f"{name}: "), (PLAIN, said)))
        else:
            style = STRONG if entry.begins else PLAIN
            lines.append(((FAINT if entry.kind is EntryKind.NOTE else style, row),))
    return lines


def log_tail(entries: Iterable[LogEntry], width: int, height: int) -> list[Line]:
    """The last entries (passed last first) that fit completely; of the very last as much as fits."""
    lines: list[Line] = []
    for entry in entries:
        told = lines_of_entry(entry, width)
        if lines and len(told) + len(lines) > height:
            break
        lines = told + lines
    return lines[-height:] if height else []
