"""A short game to be shown again: three hands between Moll and Nan, of whom Nan leaves, and the house sits down."""

from put_protocol.cards import Card
from put_protocol.games import put
from put_protocol.games.unions import Event
from put_protocol.seats import Seat, Viewer
from put_protocol.table_events import Sat
from put_text.notation import Sheet, SheetPlayer, SheetStep

MOLL, NAN = Seat(0), Seat(1)

EVENTS: tuple[tuple[Event, ...], ...] = (
    (put.Drawn((MOLL, NAN), (Card("3s"), Card("Kd"))), put.DealerFound(MOLL)),
    (put.Dealt(1, MOLL, NAN, (3, 3), (Card("2s"), Card("10h"), Card("4d"))),),
    (put.Played(NAN, Card("3h"), leads=True),),
    (put.Played(MOLL, Card("4d")), put.TrickEnded(1, NAN, NAN, (0, 1))),
    (put.DidPut(NAN),),
    (put.ThrewIn(MOLL), put.HandEnded(put.HandWon.THROWN_IN, NAN, 1, (0, 1))),
    (put.Dealt(2, NAN, MOLL, (3, 3), (Card("3c"), Card("3d"), Card("2d"))),),
    (Sat(NAN, "steady", is_house=True),),
    (put.ThrewIn(NAN, put.Cause.TIME), put.HandEnded(put.HandWon.THROWN_IN, MOLL, 1, (1, 1))),
    (put.Dealt(3, MOLL, NAN, (3, 3), (Card("As"), Card("Ah"), Card("Ad"))),),
    (put.ThrewIn(NAN, put.Cause.LEFT), put.GameEnded(put.GameWon.FORFEIT, (MOLL,), (1, 1), (1, -1))),
)


def sheet(viewer: Viewer = MOLL) -> Sheet:
    """The game, a step every two seconds."""
    return Sheet(
        game="put-1674",
        options={"cut": "high", "target": 5},
        table=3,
        number=2,
        date="2025-11-21T19:30:00Z",
        server="The Mermaid",
        viewer=viewer,
        players=(SheetPlayer("Moll"), SheetPlayer("Nan", is_bot=True)),
        opening=put.PutView(target=5, scores=(0, 0), ranking=("3", "2", "A", "K")),
        steps=tuple([SheetStep(number * 2_000, events) for number, events in enumerate(EVENTS, 1)]),
    )
