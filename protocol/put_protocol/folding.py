"""Views folded from the messages of a client that asked for `changes`.

A client holds, for each of its tables, who it is there and the view it was last told. `table` brings a whole view, and
so does any `events` that has one: the first of a game, the last after a reconnect, and the answer to `refresh`. All
others change the view by their events and their `turn`. Nothing else has to be kept, and no rule is known.

A client that checks what it is told uses `followed`: it takes no view from a message that it can fold, so nothing is
drawn but what follows from events, and those are proved.

It breaks where a message is passed over: events are numbered without gaps, and `ClientConnection` sees to that. It also
ends where an event, or what somebody is asked for, is of a later release. Then the view is not known until the next
whole one, and the client asks for that with `refresh`.
"""

from typing import Any, NamedTuple

from msgspec.structs import replace

from put_protocol.cards import Card
from put_protocol.games import families
from put_protocol.games.unions import GameView
from put_protocol.messages import Events
from put_protocol.seats import Seat, Viewer


class CannotFold(ValueError):
    """The view after this message is not known here: only a whole one says it."""


def folded(view: GameView | None, message: Events, viewer: Viewer) -> GameView | None:
    """The viewer's view after a message; the same object where the message does not change it. None: there was none.

    :raises CannotFold: the message changes it in a way that is not known here.
    """
    if message.view is not None:
        return message.view
    if view is None:
        if message.moment:
            raise CannotFold("there is no view that this turn could change")
        return None
    try:
        for event in message.events:
            view = families.apply_event(view, event, viewer)
        turn = message.turn
        return view if turn is None or not message.moment else families.with_turn(view, turn.seat, message.moment)
    except (IndexError, ValueError) as error:  # of a view or an event such as no game has, too
        raise CannotFold(str(error)) from error


def followed(view: GameView | None, message: Events, viewer: Viewer) -> tuple[GameView | None, bool]:
    """The view that follows from the events, and True if the message brings another.

    Of the view that begins a first game only what no game changes is taken, such as how many points win.

    :raises CannotFold: as `folded`; where the message brings a view that cannot be compared, it is taken.
    """
    told = message.view
    if told is None:
        return folded(view, message, viewer), False
    if families.family_of(told) is families.UNKNOWN:
        return (told, False) if view is None or families.family_of(view) is families.UNKNOWN else (view, True)
    try:
        after = folded(view or families.opening_of(told), replace(message, view=None), viewer)
    except CannotFold:
        return told, False
    assert after is not None
    seat = None if message.turn is None else message.turn.seat
    is_same = is_alike(after, told) and told.to_move == seat
    return (told if is_same else after), not is_same


def is_alike(view: GameView, other: GameView) -> bool:
    """True if two views differ in nothing but whose turn it is, and what they are asked for."""
    if type(view) is not type(other) or families.family_of(view) is families.UNKNOWN:
        return view == other
    nobody: dict[str, None] = {"to_move": None, "moment": None}
    return bool(replace(view, **nobody) == replace(other, **nobody))


def may_follow(view: GameView, later: GameView, *, is_same_game: bool) -> bool:
    """True if events that are not known may have led from one view of a table to another.

    What no game changes is the same. Once cards were played in a hand nothing more is dealt: in the same hand they lie
    where they did, and the viewer holds no card that they did not hold before.
    """
    if type(view) is not type(later) or families.family_of(view) is families.UNKNOWN:
        return families.family_of(later) is families.family_of(view)
    if families.opening_of(view) != families.opening_of(later):
        return False
    hand, now = _HandView.of(view), _HandView.of(later)
    if not is_same_game or not hand.played or (hand.number, hand.rubber) != (now.number, now.rubber):
        return True
    is_as_played = all(one == other for one, other in zip(hand.played, now.played, strict=False))
    return is_as_played and set(now.cards) <= set(hand.cards)  # a trick that was not complete goes with its hand


class _HandView(NamedTuple):
    """The hand in play, where cards are played to tricks."""

    number: int
    rubber: tuple[int, ...]
    """Games won: another one has hands of the same numbers."""
    cards: tuple[Card, ...]
    played: tuple[tuple[Seat, Card], ...]

    @classmethod
    def of(cls, view: Any) -> "_HandView":
        tricks = (*view.past, view.trick) if hasattr(view, "past") else ()
        played = tuple([one for trick in tricks for one in zip(trick.seats, trick.cards, strict=False)])
        return cls(view.hand, getattr(view, "rubber", ()), view.cards, played)
