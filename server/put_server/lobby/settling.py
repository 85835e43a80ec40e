"""Settling an input: the input, and the packs and secrets that tables want on the way, carried out as one step.

The lobby has no source of chance. A table that needs some returns a want, and the caller of the lobby hands in what was
drawn as an input of its own. Nothing else may come between the two, neither here nor in a journal: until its pack is
there the table can do nothing.
"""

from collections.abc import Callable

from msgspec.structs import replace

from put_server.lobby.inputs import Input, Secret, Shuffled
from put_server.lobby.lobby import Lobby
from put_server.lobby.outcome import InputOutcome
from put_server.table.table_effects import DealOver, Effect, Tell, WantPack, WantSecret

Want = WantPack | WantSecret

Entry = tuple[int, Input] | DealOver
"""What a journal records: an input with its time, or what remains of the deals of a hand that is over."""


def settle(
    lobby: Lobby, event: Input, now: int, draw: Callable[[Want], Shuffled | Secret]
) -> tuple[InputOutcome, list[Entry]]:
    """Handle an input and all that is wanted because of it. Returns its outcome, without wants, and what to record.

    What a dealt pack wants is dealt before what waited already; `lobby_replay` expects this order.
    """
    outcome = lobby.handle(event, now)
    entries: list[Entry] = [(now, event)]
    for effect in outcome.effects:
        if type(effect) is not Tell:
            break
    else:  # as after most moves
        return outcome, entries
    others = [effect for effect in outcome.effects if type(effect) is not Tell]
    entries += [effect for effect in others if isinstance(effect, DealOver)]
    wants = [effect for effect in others if isinstance(effect, Want)]
    if not wants:
        return outcome, entries
    effects: list[Effect] = [effect for effect in outcome.effects if not isinstance(effect, Want)]
    for want in wants:
        more, further = settle(lobby, replace(draw(want), beside=want.beside), now, draw)
        effects += more.effects
        entries += further
    return InputOutcome(outcome.answer, effects), entries
