"""Settling an input: the input, and the packs and secrets that tables want on the way, carried out as one step.

The lobby has no source of chance. A table that needs some returns a want, and the caller of the lobby hands in what was
drawn as an input of its own. Nothing else may come between the two, neither here nor in a journal: until its pack is
there the table can do nothing.
"""

from collections.abc import Callable

from msgspec.structs import replace

from put_server.lobby.inputs import Input, InputOutcome, Secret, Shuffled
from put_server.lobby.lobby import Lobby
from put_server.table.table_effects import DealOver, Effect, WantPack, WantSecret

Want = WantPack | WantSecret

_WANTS = frozenset((WantPack, WantSecret))
_NOT_TOLD = _WANTS | {DealOver}
"""Effects that are not for `told` alone."""

Entry = tuple[int, Input] | DealOver
"""An entry of a journal: an input with its time, or what remains of the deals of a hand that is over."""


def settle(
    lobby: Lobby, event: Input, now: int, draw: Callable[[Want], Shuffled | Secret]
) -> tuple[InputOutcome, list[Entry]]:
    """Handle an input and all that is wanted because of it. Returns its outcome, without wants, and what to record.
    What a dealt pack wants is dealt before what waited already; `lobby_replay` expects this order."""
    outcome = lobby.handle(event, now)
    entries: list[Entry] = [(now, event)]
    return InputOutcome(outcome.answer, deal_wanted(lobby, outcome.effects, entries, now, draw)), entries


def deal_wanted(
    lobby: Lobby, effects: list[Effect], entries: list[Entry], now: int, draw: Callable[[Want], Shuffled | Secret]
) -> list[Effect]:
    """The effects of an input, and of all that is wanted because of it, which goes to the entries."""
    if _NOT_TOLD.isdisjoint(map(type, effects)):  # as of most moves
        return effects
    told: list[Effect] = []
    wants: list[Want] = []
    for effect in effects:
        kind = type(effect)
        if kind in _WANTS:
            wants.append(effect)  # type: ignore[arg-type]  # its type was just looked at, in a set, which is quicker
            continue
        told.append(effect)
        if kind is DealOver:
            entries.append(effect)  # type: ignore[arg-type]  # the same
    for want in wants:
        more, further = settle(lobby, replace(draw(want), beside=want.beside), now, draw)
        told += more.effects
        entries += further
    return told
