"""Sentences about the seat of a player who leaves, for every client: it is kept for a time, or given up.

A client that only closes its connection keeps the seat, and the player's bank runs. Giving a game up is an action of
its own, and asked about first.
"""

from put_protocol.seats import GALLERY, Viewer
from put_protocol.table_info import TableInfo, TableState
from put_text.phrases import format_minutes, format_number, format_seconds


def keeps_nothing(info: TableInfo) -> bool:
    """Closing the connection gives the game up at once, because the table has no time for being away."""
    return info.state is TableState.PLAYING and info.clock.bank == 0


def seat_kept(info: TableInfo, bank_ms: int | None = None, *, is_part: bool = False) -> str:
    """Time for which the seat of a player who closes the connection is kept, as a sentence.

    `bank_ms`: what the player has left for being away, where it is known; None: all that the table gives. `is_part`:
    some of that is spent, and it is not known how much.
    """
    bank = format_seconds(info.clock.bank * 1000 if bank_ms is None else bank_ms)
    time = f"what is left of {bank}" if is_part and bank_ms is None else bank
    if keeps_nothing(info):
        return "This table has no time for being away: to go now gives the game up."
    if info.state is TableState.PAUSED and info.pause is not None:
        rest = format_minutes(info.pause.minutes)
        return f"Your seat at table {info.id} is kept while the game rests, {rest} at most, and then for {time}."
    after = ". After that the game is given up" if info.state is TableState.PLAYING else ""
    return f"Your seat at table {info.id} is kept for {time}{after}."


def giving_up(info: TableInfo, *, stays: bool) -> str:
    """Consequence of giving up the game in play, as a sentence. `stays`: the player keeps the seat."""
    if not stays and info.options.get("abandoned") == "house":
        return "To leave now lets the house play on in your place: you are out of this game and its stakes."
    return f"To {'resign' if stays else 'leave'} now gives this game up: you lose it, and pay what is due."


def purse_ends(info: TableInfo, viewer: Viewer) -> str:
    """End of a purse when its player gives up the seat, as a sentence; empty: there is nothing in it."""
    if viewer == GALLERY or viewer >= len(info.seats) or not info.seats[viewer].purse:
        return ""
    purse = format_number(info.seats[viewer].purse)
    return f"Your purse of {purse} ends with your seat: when you sit down again it begins at nothing."
