"""The lines below the field: what is expected of whom, the clock, what may be done, and the keys."""

from put_client.tui import panes
from put_client.tui.canvas import Canvas, Fragment, width_of
from put_client.tui.cards import sign_of, style_of
from put_client.tui.keys import action_keys, shown_below
from put_client.tui.model import AtTable, Confirm, Model
from put_client.tui.theme import ALARM, CHOSEN, KEY, NOTICE, PLAIN, STRONG, TURN
from put_protocol.actions import Choice, Play
from put_protocol.views import Moment, TableState

BELOW = 4
"""Lines under the field: rule, question, choices, keys."""

LABELS_FROM = 80
"""Columns from which the clock says whose it is; below, the question needs the room."""

LATE_MS = 10_000
"""From here the clock calls."""


def question_of(model: Model) -> tuple[bool, str]:
    """Whether something is expected of us, and what is expected of whom."""
    table = model.table
    assert table is not None
    if model.lost is not None:
        return False, "The connection is lost; coming back as soon as it can be ..."
    if table.decision is not None:
        if table.is_answered:
            return False, "Sent; the table has it in a moment ..."
        return True, f"Your move. {table.decision.asks}"
    match table.info.state:
        case TableState.FILLING:
            return table.seat is not None, _filling(table, can_invite=bool(model.welcome.houses))
        case TableState.BETWEEN:
            return _between(table)
        case _:
            return False, _waiting(table)


def _filling(table: AtTable, *, can_invite: bool) -> str:
    if table.seat is None:
        return "A seat is empty; s sits down there." if not table.info.is_locked else "A seat is empty."
    empty = "A seat is" if sum(seat.name is None for seat in table.info.seats) == 1 else "Seats are"
    house = ", or press h to invite the house" if can_invite else " for somebody to sit down"
    return f"{empty} empty: wait{house}."


def _between(table: AtTable) -> tuple[bool, str]:
    waited = [seat.name or "" for seat in table.info.seats if not seat.agrees]
    if table.seat is None:
        return False, f"The game is over. Another when {_and(waited)} will." if waited else "The game is over."
    if not table.info.seats[table.seat].agrees:
        return True, "The game is over: a for another, b for the lobby."
    return False, f"Waiting for {_and(waited)} to want another game ..."


def _waiting(table: AtTable) -> str:
    view = table.view
    if view is None or view.to_move is None:
        return "The cards are being dealt ..."
    info = table.info.seats[view.to_move]
    name = table.name(view.to_move)
    if info.is_away:
        return f"{name} is away; the table waits."
    match view.moment:
        case Moment.LEAD:
            return f"{name} is thinking: to lead trick {len(view.past) + 1} ..."
        case Moment.REPLY:
            return f"{name} is thinking: to play to the trick ..."
        case Moment.ANSWER:
            return f"{name} is thinking: to see the put, or throw in ..."
        case _:
            return f"{name} is thinking ..."


def _and(names: list[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def draw_question(canvas: Canvas, model: Model, table: AtTable, now: int) -> None:
    """The line that is always there."""
    y = canvas.height - BELOW + 1
    if isinstance(model.overlay, Confirm):
        is_ours, says, style = True, f"{model.overlay.question} ", ALARM
    else:
        is_ours, says = question_of(model)
        style = TURN if is_ours else PLAIN
    clock = _clock(canvas, model, table, now)
    end = canvas.put_right(canvas.width - 1, y, clock) if clock else canvas.width
    pointer = canvas.theme.pointer if is_ours else " "
    canvas.put(1, y, f"{pointer} {says}", style, width=max(end - 3, 0))


def _clock(canvas: Canvas, model: Model, table: AtTable, now: int) -> list[Fragment]:
    clock = table.clock
    left = clock.left(now) if clock is not None and model.lost is None else None
    if clock is None or left is None or table.info.state is not TableState.PLAYING:
        return []
    seconds = -(-left // 1000)
    time = f"{seconds // 60}:{seconds % 60:02d}"
    whose = "your time " if clock.seat == table.seat else "away, back within " if clock.is_away else "time "
    if canvas.width < LABELS_FROM:
        whose = ""
    if left <= LATE_MS:
        return [(PLAIN, whose), (ALARM, f"!{time}!")]
    return [(PLAIN, whose), (STRONG, f" {time} ")]


def draw_choices(canvas: Canvas, model: Model, table: AtTable) -> None:
    """What may be done, each behind its key; what the arrows stand on is in brackets. Or a question's two answers."""
    if isinstance(model.overlay, Confirm):
        _draw_answers(canvas, model.overlay)
        return
    if model.lost is not None:
        return
    y = canvas.height - 2
    keyed = action_keys(table)
    if not keyed:
        return
    x = 3
    for place, (key, choice) in enumerate(keyed):
        is_chosen = place == table.chosen
        label, style = _choice(canvas, choice)
        left, right = ("[", "]") if is_chosen else (" ", " ")
        shown = CHOSEN if is_chosen else ""
        parts: list[Fragment] = [(shown, left)]
        if key:
            parts.append((f"{shown} {KEY}".strip(), f"{key} "))
        parts += [(f"{shown} {style}".strip(), label), (shown, right)]
        x = canvas.put_all(x, y, parts) + 1
    if table.chosen is not None:
        says = f"Enter: {keyed[table.chosen][1].says}"
        if x + 3 + width_of(says) < canvas.width:
            canvas.put_right(canvas.width - 1, y, [(PLAIN, says)])


def _draw_answers(canvas: Canvas, confirm: Confirm) -> None:
    keys: list[Fragment] = [
        (PLAIN, f"{confirm.says}   "),
        (KEY, "Enter"),
        (PLAIN, " or "),
        (KEY, "y"),
        (PLAIN, " yes   "),
    ]
    keys += [(KEY, "Esc"), (PLAIN, " or "), (KEY, "n"), (PLAIN, " no")]
    canvas.put_all(3, canvas.height - 2, keys, width=canvas.width - 4)


def _choice(canvas: Canvas, choice: Choice) -> tuple[str, str]:
    action = choice.action
    if isinstance(action, Play):
        return sign_of(canvas, action.card), style_of(action.card)
    return {"put": "put", "see": "see the put", "throw": "throw in"}.get(
        str(action.__struct_config__.tag), choice.says
    ), PLAIN


def draw_keys_line(canvas: Canvas, model: Model, table: AtTable, *, has_log: bool) -> None:
    """The line at the bottom: a notice, or where there is no log its last entry, or the keys."""
    y = canvas.height - 1
    if model.notice:
        canvas.put(1, y, f"! {model.notice}", NOTICE, width=canvas.width - 2)
        return
    if not has_log and panes.last_words(table):
        end = canvas.put_right(canvas.width - 1, y, [(KEY, "?"), (PLAIN, " help")])
        canvas.put(1, y, panes.last_words(table), width=end - 3)
        return
    draw_keys(canvas, model)


def draw_keys(canvas: Canvas, model: Model) -> None:
    """The keys that mean something now, as many as there is room for; help and quit always."""
    y = canvas.height - 1
    shown = list(shown_below(model))
    first, last = shown[:-2], shown[-2:]
    room = canvas.width - 2 - sum(len(key) + len(word) + 4 for key, word in last)
    x = 1
    for key, word in first:
        if x + len(key) + len(word) + 1 > room:
            break
        x = canvas.put_all(x, y, [(KEY, key), (PLAIN, f" {word}")]) + 3
    for key, word in last:
        x = canvas.put_all(x, y, [(KEY, key), (PLAIN, f" {word}")]) + 3
