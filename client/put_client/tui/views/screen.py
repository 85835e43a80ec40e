"""The screen as a function of the model, the size of the terminal, the signs, and the time."""

from typing import Any

from put_client.keymap import Intent, keymap
from put_client.tui.model import LEAST, Confirm, Help, HouseMenu, Model, OpenForm, Typing, is_too_small
from put_client.tui.views import overlays
from put_client.tui.views.lobby_view import draw_lobby
from put_client.tui.views.prompt_view import draw_notice, question_of
from put_client.tui.views.table_view import draw_table
from put_client.tui.widgets.canvas import Canvas, Frame, Size, wrapped
from put_client.tui.widgets.theme import Theme
from put_text.catalogue import say


def draw(model: Model, size: Size, theme: Theme, now: int) -> Frame:
    canvas = Canvas(size, theme)
    if is_too_small(size):
        _draw_too_small(canvas, model)
        return canvas.frame()
    if model.table is None:
        draw_lobby(canvas, model)
    else:
        draw_table(canvas, model, now)
    overlay = model.overlay
    match overlay:
        case None | Confirm():
            pass  # a question stands where the table asks, so that it hides no card
        case Typing():
            overlays.draw_typing(canvas, model, overlay, size.height - 2)
        case Help():
            overlays.draw_page(canvas, model, overlay)
        case HouseMenu():
            overlays.draw_menu(canvas, model, overlay)
        case OpenForm():
            overlays.draw_form(canvas, model, overlay)
    draw_notice(canvas, model)
    return canvas.frame()


def _draw_too_small(canvas: Canvas, model: Model) -> None:
    lines = next(binding.label for binding in keymap(model.keys) if binding.intent is Intent.LINES)
    says = say("screen-too-small", key=lines, **_sizes(canvas))
    if isinstance(model.overlay, Confirm):
        asks = say("screen-yes-or-no", question=model.overlay.question, says=model.overlay.says)
    else:
        asks = question_of(model)[1] if model.table is not None else ""
    width = max(canvas.width, 1)
    canvas.put_lines(0, 0, [*(wrapped(asks, width) if asks else ()), *wrapped(says, width)])


def _sizes(canvas: Canvas) -> dict[str, Any]:
    least = {"least-width": LEAST.width, "least-height": LEAST.height}
    return {"width": canvas.width, "height": canvas.height, **least}


def fits(canvas: Canvas, subject: str, leaves: str) -> bool:
    """True if a screen is large enough for a table; otherwise say so on it. `leaves`: how to leave."""
    if not is_too_small(Size(canvas.width, canvas.height)):
        return True
    says = say("screen-needs-more", subject=subject, leaves=leaves, **_sizes(canvas))
    canvas.put_lines(0, 0, wrapped(says, max(canvas.width, 1)))
    return False
