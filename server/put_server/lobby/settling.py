"""Settling of an input: the input is carried out together with the packs and secrets that tables request.

The lobby has no source of chance. A table that needs chance returns a want, and the caller passes the result as another
input. No other input may come between, neither here nor in a journal: without its pack the table can do nothing.
"""

from collections.abc import Callable

from msgspec.structs import replace

from put_server.lobby.inputs import Input, InputOutcome, Secret, Shuffled
from put_server.lobby.lobby import Lobby
from put_server.table.table_effects import DealOver, Effect, WantPack, WantSecret

Want = WantPack | WantSecret

_OF_DEALS = frozenset((WantPack, WantSecret, DealOver))

Entry = tuple[int, Input] | DealOver
"""Entry of a journal: an input with its time, or the remains of a finished hand's deals."""


def settle(
    lobby: Lobby, event: Input, now: int, draw: Callable[[Want], Shuffled | Secret]
) -> tuple[InputOutcome, list[Entry]]:
    """Handle an input and everything that it wants. Returns the outcome, without wants, and the entries to record.
    Wants of a dealt pack are handled before earlier wants; `lobby_replay` expects this order."""
    outcome = lobby.handle(event, now)
    entries: list[Entry] = [(now, event)]
    if _OF_DEALS.isdisjoint(map(type, outcome.effects)):  # as those of most moves
        return outcome, entries
    told: list[Effect] = []
    wants: list[Want] = []
    for effect in outcome.effects:
        if type(effect) is WantPack or type(effect) is WantSecret:
            wants.append(effect)
            continue
        told.append(effect)
        if type(effect) is DealOver:
            entries.append(effect)
    for want in wants:
        more, further = settle(lobby, replace(draw(want), beside=want.beside), now, draw)
        told += more.effects
        entries += further
    return InputOutcome(outcome.answer, told), entries
