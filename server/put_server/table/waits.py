"""Waits: all that a table waits for now, each with the time at which it ends.

A game in play waits for a move, for the parts of a blind deal, or for a player to come back; a paused one for the end
of its pause. Each wait has a clock, so every game ends by time alone. The only exception is the wait for a move if
neither the table nor the operator sets a limit. A game with no wait at all would stand still forever. So that case is a
wait too, for `NOTHING`, and it ends at once."""

from collections.abc import Iterator

from msgspec import Struct

from put_protocol.seats import Seat
from put_rules.game import Turn
from put_server.table.table_effects import WaitFor
from put_server.table.table_model import TableModel


class Wait(Struct, frozen=True, gc=False):
    what: WaitFor
    seat: Seat | None
    end: int | None
    """Time at which it times out; None: never, or not while the player is away."""


def waits(model: TableModel, now: int) -> Iterator[Wait]:
    """All current waits, in the order in which they time out. `now`: the end of those that are over at once."""
    if model.pause is not None and model.pause.timer is not None:
        yield Wait(WaitFor.PAUSE, None, model.pause.timer.end)
        return
    is_working = model.deals.is_blind and model.deals.blind.is_working
    is_stuck = model.is_playing and model.terms.edition >= 2 and not is_working
    for wait in _waits_for_players(model, now):
        yield wait
        is_stuck = is_stuck and not _moves_on(model, wait)
    if is_stuck:
        yield Wait(WaitFor.NOTHING, None, now)


def _waits_for_players(model: TableModel, now: int) -> Iterator[Wait]:
    chairs = model.seating.chairs
    for leaving in model.to_dismiss:
        yield Wait(WaitFor.DISMISSAL, leaving, now)
    for waited, step in model.deals.step_waits.items():
        yield Wait(WaitFor.PART, waited, step.timer.end)
    for seat, chair in enumerate(chairs):
        if chair.sitter is not None and chair.is_away:
            yield Wait(WaitFor.RETURN, Seat(seat), chair.bank.end)
    mover = model.turn.seat
    if mover is not None and chairs[mover].sitter is not None:
        yield Wait(WaitFor.MOVE, mover, model.turn.end)


def _moves_on(model: TableModel, wait: Wait) -> bool:
    """True if the game in play goes on when this wait is over."""
    if isinstance(model.awaits, Turn):
        return wait.seat == model.awaits.seat
    if wait.what is not WaitFor.RETURN:
        return True
    return wait.seat in model.deals.step_waits
