"""Overlays, drawn over a screen: a page to read, a menu, the form, and the line being typed."""

from put_client.tui.model import FieldKind, FormField, Help, HouseMenu, Model, OpenForm, PageKind, PromptKind, Typing
from put_client.tui.update.form import flaw_of
from put_client.tui.views.pages import TITLES, lines_of
from put_client.tui.views.prompt_view import draw_row_of_keys, hearers, is_short
from put_client.tui.widgets.canvas import Canvas, LineTarget, cut, scrolled, width_of, wrap
from put_client.tui.widgets.theme import CHOSEN, FAINT, PLAIN, STRONG, UNICODE

PROMPTS = {PromptKind.COMMAND: "/", PromptKind.TALK: "say: ", PromptKind.PASSCODE: "passcode: "}


def _window(canvas: Canvas, title: str, width: int, height: int) -> tuple[int, int]:
    """A box in the middle, on top of everything. Returns where its inside begins."""
    width, height = min(width, canvas.width), min(height, canvas.height)
    x, y = (canvas.width - width) // 2, max((canvas.height - height) // 2, 0)
    canvas.box(x, y, width, height)
    canvas.spots.clear()
    if title:
        canvas.put(x + 2, y, f" {cut(title, width - 6, canvas.theme.ellipsis)} ", STRONG)
    return x + 2, y + 1


def draw_menu(canvas: Canvas, model: Model, menu: HouseMenu) -> None:
    """The house players that can be invited."""
    houses = model.welcome.houses
    rows = [f"{number} {house.name}: {house.meaning}" for number, house in enumerate(houses, 1)]
    inside = min(max([width_of(row) + 2 for row in rows] + [40]), canvas.width - 8)
    x, y = _window(canvas, "Whom shall the house send?", inside + 4, len(rows) + 3)
    for place, row in enumerate(rows):
        canvas.choice(x, y + place, inside, row, LineTarget(place), is_chosen=place == menu.at)
    draw_row_of_keys(canvas, x, y + len(rows), inside, (("Enter", "invite", "enter"), ("Esc", "nobody", "escape")))


def draw_form(canvas: Canvas, model: Model, form: OpenForm) -> None:
    """The lines of the form, and what the one chosen means."""
    width = min(canvas.width - 2, 76)
    inside = width - 4
    meaning = wrap(form.field.meaning, inside)
    lines = min(4, max(canvas.height - len(form.fields) - 5, 2))
    rows = min(len(form.fields), canvas.height - lines - 5)
    first = scrolled(form.at, len(form.fields), rows)
    height = rows + lines + 5
    x, y = _window(canvas, "Open a table", width, height)
    for line, field in enumerate(form.fields[first : first + rows], start=y):
        is_chosen = field is form.field
        canvas.put(x, line, canvas.theme.pointer if is_chosen else " ")
        canvas.put(x + 2, line, field.label, STRONG if is_chosen else PLAIN, width=13)
        _draw_value(canvas, x + 16, line, inside - 16, field, is_chosen=is_chosen)
        canvas.spot(x, line, inside, 1, LineTarget(first + line - y))
    if rows < len(form.fields):
        up, down = canvas.theme.arrows[2:]
        canvas.put(x, y + rows, f"{up if first else ' '} {first + rows} of {len(form.fields)} {down}", FAINT)
    below = y + rows + 1
    for line, row in enumerate(meaning[:lines], start=below):
        mark = canvas.theme.ellipsis if line == below + lines - 1 and len(meaning) > lines else ""
        canvas.put(x, line, row + mark, FAINT, width=inside)
    flaw = flaw_of(form)
    last = y + height - 3
    if is_short(model.notice, width) or flaw:
        canvas.put(x, last, f"! {model.notice if is_short(model.notice, width) else flaw}", STRONG, width=inside)
        return
    keys = (("Up, Down", "line", "down"), ("Left, Right", "change", "right"), ("Enter", "open the table", "enter"))
    draw_row_of_keys(canvas, x, last, inside, (*keys, ("Esc", "no", "escape")))


def _draw_value(canvas: Canvas, x: int, y: int, width: int, field: FormField, *, is_chosen: bool) -> None:
    left, right = canvas.theme.arrows[:2]
    style = CHOSEN if is_chosen else PLAIN
    value = str(field.value)
    match field.kind:
        case FieldKind.TEXT:
            shown = value if width_of(value) < width else value[-(width - 2) :]
            end = canvas.put(x + 2, y, shown or ("" if is_chosen else "(none)"), PLAIN if shown else FAINT)
            if is_chosen:
                canvas.put(end, y, " ", CHOSEN)
                canvas.cursor = (end, y)
        case FieldKind.NUMBER:
            if is_chosen:
                canvas.put(x, y, left)
            end = canvas.put(x + 2, y, value, style)
            if is_chosen:
                canvas.put(end + 1, y, right)
        case FieldKind.CHOICE if is_chosen and len(field.values) > 1:
            canvas.put(x, y, left)
            end = canvas.put(x + 2, y, value, style, width=width - 4)
            canvas.put(end + 1, y, right)
        case _:
            canvas.put(x + 2, y, value, style, width=width - 4)


def draw_typing(canvas: Canvas, model: Model, typing: Typing, y: int) -> None:
    """The line, scrolled so that the cursor is in sight."""
    canvas.spots.clear()  # who is typing plays no card
    prompt = PROMPTS[typing.prompt]
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
    draw_row_of_keys(canvas, 1, below, canvas.width - 2, (("Enter", "send", "enter"), ("Esc", "never mind", "escape")))
    if typing.prompt is PromptKind.TALK and model.table is not None:
        says = cut(hearers(model.table), canvas.width - 36, canvas.theme.ellipsis)
        canvas.put_right(canvas.width - 1, below, [(FAINT, says)])


def _page_width(width: int) -> int:
    return min(width - 2, 84)


def extent(model: Model, shown: Help) -> tuple[int, int]:
    """Lines of a page on the screen as it is, and how many of them are seen at a time."""
    lines = len(lines_of(model, shown, _page_width(model.size.width) - 4, UNICODE))
    return lines, max(min(lines, model.size.height - 3), 1)


def draw_page(canvas: Canvas, model: Model, shown: Help) -> None:
    """A page in a window, from the line it is scrolled to."""
    width = _page_width(canvas.width)
    lines = lines_of(model, shown, width - 4, canvas.theme)
    height = min(len(lines) + 3, canvas.height)
    room = height - 3
    last = max(len(lines) - room, 0)
    down = last if shown.down is None else min(shown.down, last)
    x, y = _window(canvas, TITLES[shown.page], width, height)
    for line, fragments in enumerate(lines[down : down + room], start=y):
        canvas.put_all(x, line, fragments, width=width - 4)
    keys = [("Esc", "back", "escape")]
    if shown.page is PageKind.LOG:
        keys.append(("Enter", "talk", "enter"))
    if len(lines) > room:
        keys.append(("PgUp, PgDn", f"lines {down + 1} to {down + room} of {len(lines)}", "pagedown"))
    draw_row_of_keys(canvas, x, y + room, width - 4, keys)
