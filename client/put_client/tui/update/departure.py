"""Leaving: ending the program keeps the seat; giving a game up needs a confirmation. Pure.

The program ends without a goodbye, so the seat is kept as after a lost connection: during a game for the player's bank,
otherwise for as long as the server allows.
"""

from msgspec.structs import replace

from put_client.tui.effects import NO_ID, Effect, Quit
from put_client.tui.model import AtTable, Confirm, Model, Step
from put_protocol.messages import Leave, Resign
from put_text.catalogue import say
from put_text.phrases import format_time_left


def quit_(model: Model, now: int) -> Step:
    """Leave the program. Twice is once more than is needed."""
    overlay, table = model.overlay, model.table
    if isinstance(overlay, Confirm) and any(isinstance(effect, Quit) for effect in overlay.effects):
        return model, overlay.effects
    closed = replace(model, overlay=None)
    if table is None or table.seat is None:
        return closed, (Quit(),)
    if not model.back:
        return _given_up(closed, table, say("screen-quit"), (Quit(),))
    kept = (Quit(keeps=True),)
    if not table.is_playing or table.is_paused or model.lost is not None:
        return closed, kept  # nothing runs against us, or no server would answer
    says = say("screen-b-gives-up", kept=seat_is_kept(table, now))
    confirm = Confirm(question=say("screen-leave-program"), says=says, effects=kept, by_enter=True)
    return replace(model, overlay=confirm), ()


def leave(model: Model, table: AtTable) -> Step:
    return _given_up(model, table, say("screen-leave-table"), (Leave(NO_ID, table.id),))


def resign(model: Model, table: AtTable) -> Step:
    return _given_up(model, table, say("screen-give-up"), (Resign(NO_ID, table.id),))


def seat_is_kept(table: AtTable, now: int) -> str:
    bank = _bank(table, now) if table.is_playing and not table.is_paused else 0
    if not bank:
        return say("screen-seat-kept", table=table.id)
    return say("screen-seat-kept-for", table=table.id, time=format_time_left(bank))


def _bank(table: AtTable, now: int) -> int:
    """Milliseconds that we may be away, as far as known: from the decision, or the table's total."""
    clock = table.clock
    if clock is not None and clock.seat == table.seat and clock.bank_ms is not None:
        return clock.bank_ms if not clock.is_away else clock.left(now) or 0
    return table.info.clock.bank * 1_000


def _given_up(model: Model, table: AtTable, question: str, effects: tuple[Effect, ...]) -> Step:
    """Give up. If that costs a game, ask first; only y confirms."""
    if not table.is_playing:
        return replace(model, overlay=None), effects
    confirm = Confirm(question=question, says=say("screen-gives-up"), effects=effects, game=table.info.games)
    return replace(model, overlay=confirm), ()
