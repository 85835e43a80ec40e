"""Views folded from the messages of a client that asked for `changes`.

A client stores, for each of its tables, its viewer there and the latest view. `table` brings a whole view, and so do
some `events`: the first of a game, the last after a reconnect, and the answer to `refresh`. All other messages change
the view by their events and their `turn`. Nothing else has to be stored, and no rule is needed.

A client that checks the server uses `followed`, which ignores the view in a message that it can fold. So the client
draws only what follows from events, and events are proved.

Folding needs every message: `ClientConnection` checks that event numbers have no gaps. Folding also fails at an event
or a decision of a later release. Then the view is unknown until the next whole view, which the client requests with
`refresh`.
"""

from typing import Any, NamedTuple

from msgspec.structs import replace

from put_protocol.cards import Card
from put_protocol.games import families
from put_protocol.games.unions import GameView
from put_protocol.messages import Events
from put_protocol.seats import Seat, Viewer


class CannotFold(ValueError):
    """The view after this message cannot be computed here; a whole view is needed."""


def folded(view: GameView | None, message: Events, viewer: Viewer) -> GameView | None:
    """The viewer's view after a message; the same object if nothing changed. None: there is no view yet.

    :raises CannotFold: the message has an unknown change.
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
    """The view that follows from the events, and True if the message brings a different view.

    From the first view of a first game, only constants are taken, such as the points that win.

    :raises CannotFold: as in `folded`, unless the message brings a view: a view that cannot be compared is accepted.
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
    """True if two views differ at most in whose turn it is, and in the decision."""
    if type(view) is not type(other) or families.family_of(view) is families.UNKNOWN:
        return view == other
    nobody: dict[str, None] = {"to_move": None, "moment": None}
    return bool(replace(view, **nobody) == replace(other, **nobody))


def may_follow(view: GameView, later: GameView, *, is_same_game: bool) -> bool:
    """True if unknown events may lead from one view of a table to the other.

    Constants must be equal. After the first card of a hand is played, no cards are dealt. So within a hand the played
    cards stay, and the viewer holds no new card.
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
    """The hand in play, in games with tricks."""

    number: int
    rubber: tuple[int, ...]
    """Games won; each game of a rubber numbers its hands anew."""
    cards: tuple[Card, ...]
    played: tuple[tuple[Seat, Card], ...]

    @classmethod
    def of(cls, view: Any) -> "_HandView":
        tricks = (*view.past, view.trick) if hasattr(view, "past") else ()
        played = tuple([one for trick in tricks for one in zip(trick.seats, trick.cards, strict=False)])
        return cls(view.hand, getattr(view, "rubber", ()), view.cards, played)
