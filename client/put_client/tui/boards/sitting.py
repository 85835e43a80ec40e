"""A game hand by hand, folded from events, and its page.

The family says which events begin a hand, and how a hand is told; where purses tell who won, it says what money events
move. No rule is known here.
"""

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from put_client.tui.boards.round_table import gain_of
from put_client.tui.model import AtTable
from put_client.tui.widgets.canvas import Fragment, Line, width_of, wrapped
from put_client.tui.widgets.theme import FAINT, KEY, PLAIN, STRONG
from put_protocol.games.unions import Event
from put_protocol.seats import Seat

EVENTS = 300
"""Events kept of a hand. No hand of a correct server has so many."""

HANDS = 200
"""Hands kept of a game. A sitting has at most 99."""


class ToldHand(Struct, frozen=True, kw_only=True):
    """A hand, as far as it was seen."""

    number: int
    events: tuple[Event, ...] = ()
    is_whole: bool = True
    """It was seen from its deal."""


class Sitting(Struct, frozen=True, kw_only=True):
    """A game, hand by hand."""

    number: int
    """Which game at the table."""
    hands: tuple[ToldHand, ...] = ()
    is_whole: bool = True
    """It was seen from its start."""


def with_event(sitting: Sitting, event: Event, begins: int | None) -> Sitting:
    """The sitting after an event. `begins`: the number of the hand that begins with it, if one does."""
    if begins is not None:
        return replace(sitting, hands=(*sitting.hands, ToldHand(number=begins, events=(event,)))[-HANDS:])
    if not sitting.hands:
        return sitting
    *before, last = sitting.hands
    return replace(sitting, hands=(*before, replace(last, events=(*last.events, event)[-EVENTS:])))


def from_here(table: AtTable, known: Sitting | None, hand: int, events: tuple[Event, ...]) -> Sitting:
    """The sitting for who comes to the table, or comes back to it: what was known of it, or the hand in play as far as
    these events tell it."""
    number = table.info.games
    if known is not None and known.number == number:
        return replace(known, is_whole=known.is_whole and not table.info.is_in_play)
    hands = (ToldHand(number=hand, events=events, is_whole=False),) if hand and table.info.is_in_play else ()
    return Sitting(number=number, hands=hands, is_whole=not table.info.is_in_play)


class Telling(Struct, frozen=True):
    """A family's way to tell a hand."""

    phrases: Callable[[ToldHand], list[str]]
    """Clauses that tell the hand."""
    gained: Callable[[Event], Mapping[Seat, int]]
    """Amounts that an event adds to purses; below 0, takes from them."""
    more: Callable[[ToldHand, int], list[Line]]
    """Lines under it, so many columns wide."""


def net_of(hand: ToldHand, telling: Telling, seats: int) -> tuple[int, ...]:
    """Gain of each seat in the hand."""
    net = [0] * seats
    for event in hand.events:
        for seat, amount in telling.gained(event).items():
            if 0 <= seat < seats:
                net[seat] += amount
    return tuple(net)


def page_of(table: AtTable, sitting: Sitting, width: int, told: Sequence[Line]) -> list[Line]:
    """The page of a game. `told`: its hands."""
    if not sitting.hands:
        return [((PLAIN, "Nothing has been played yet."),)]
    lines: list[Line] = [] if sitting.is_whole else [((FAINT, "Told from where you came to the table."),)]
    lines += told
    if table.result and not table.info.is_in_play:
        lines += [(), *wrapped(table.result, width, STRONG)]
    if table.recording is not None and table.recording.number == sitting.number:
        lines += [(), ((KEY, "/save FILE"), (PLAIN, " writes the game down, as you saw it."))]
    return lines


def lines_of(table: AtTable, sitting: Sitting, width: int, telling: Telling, *, with_more: bool) -> list[Line]:
    """Under a line of names, a line a hand with what each seat gained by it, and what happened under it."""
    seats = table.order
    column = min(max((width - 8) // len(seats), 4), 9)
    head = "hand".ljust(7) + "".join(right_aligned("you" if s == table.seat else table.name(s), column) for s in seats)
    lines: list[Line] = [((FAINT, head[:width]),)]
    for hand in sitting.hands:
        net = net_of(hand, telling, len(seats))
        cells = "".join(right_aligned(gain_of(net[seat]), column) for seat in seats) if hand.is_whole else ""
        parts: list[Fragment] = [(FAINT, f"{hand.number:>4}   "), (STRONG, cells[: max(width - 7, 0)])]
        lines.append(tuple(parts))
        if with_more:
            text = ", ".join(telling.phrases(hand)) or "in play"
            lines += wrapped(f"{text[:1].upper()}{text[1:]}.", width, head=(PLAIN, " " * 7))
            lines += telling.more(hand, width)
    return lines


def right_aligned(text: str, width: int) -> str:
    """Within a column, to its right side, with a blank at its left."""
    while width_of(text) > width - 1:
        text = text[:-1]
    return " " * (width - width_of(text)) + text


def tail(table: AtTable, sitting: Sitting, width: int, height: int, telling: Telling) -> list[Line]:
    """The last hands, in so many lines; empty where there is no room for one."""
    head, *hands = lines_of(table, sitting, width, telling, with_more=False)
    return [head, *hands[-(height - 1) :]] if height > 1 and hands else []
