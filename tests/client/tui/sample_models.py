"""Models as they come about: by the messages a server sends and the keys a person presses."""

from collections.abc import Iterable

from msgspec.structs import replace

from put_client.tui.effects import Effect
from put_client.tui.model import AtTable, Model, hand_of
from put_client.tui.update.dispatch import Input, KeyPress, begin, update
from put_client.tui.views.screen import draw
from put_client.tui.widgets.canvas import Frame, Size
from put_client.tui.widgets.theme import UNICODE, Theme
from put_protocol.cards import Card
from put_protocol.games.put import DidPut, Moment, Play, Played, Put, PutView, See, ThrowIn, TrickEnded
from put_protocol.games.tricks import TrickView
from put_protocol.games.unions import Choice, Event
from put_protocol.messages import Decision, Events, Sit, TableSnapshot, Turn, Welcome
from put_protocol.offers import GameOffer, HouseOffer, Limits, OptionOffer
from put_protocol.seats import Seat, Viewer
from put_protocol.table_events import GameStarted
from put_protocol.table_info import ClockInfo, SeatInfo, TableInfo, TableState
from put_text.catalogue import card_in_words

TABLE = 3
RANKING = ("3", "2", "A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4")
HAND = (Card("3s"), Card("10h"), Card("Kd"), Card("7c"), Card("Ah"))
SMALL, LARGE = Size(80, 24), Size(120, 40)

OFFER = GameOffer(
    name="put-1674",
    title="Put in the seventeenth century",
    source="Cotton 1674",
    summary="Most tricks win the hand and a point.",
    seats=(2, 3, 4),
    options=(
        OptionOffer(name="cut", meaning="who deals first", default="high", values=("high", "low")),
        OptionOffer(name="target", meaning="points that win the game", default=5, least=1, most=21),
        OptionOffer(name="arranged", meaning="cards on top of the pack", default="", longest=8),
    ),
)
OTHER_OFFER = GameOffer(
    name="put-1800", title="Put in 1800", source="Hoyle 1800", summary="In three stages.", seats=(2,), options=()
)

WELCOME = Welcome(
    version=1,
    server="The Mermaid",
    name="Will",
    token="t",
    limits=Limits(
        frame_bytes=65536, requests_per_second=20, requests_at_once=40, tables=8, quiet_ms=30_000, dead_ms=75_000
    ),
    games=(OFFER, OTHER_OFFER),
    houses=(HouseOffer(name="steady", meaning="plays its cards"), HouseOffer(name="bold", meaning="puts on nothing")),
)


def info_of(
    *names: str | None,
    state: TableState = TableState.PLAYING,
    games: int = 1,
    turn: int = 0,
    number: int = TABLE,
    locked: bool = False,
) -> TableInfo:
    """A table with these people in its seats."""
    return TableInfo(
        id=number,
        game="put-1674",
        options={"cut": "high", "target": 5},
        seats=tuple(SeatInfo(name=name) for name in names),
        clock=ClockInfo(turn=turn),
        state=state,
        games=games,
        watchers=2,
        is_locked=locked,
        is_solved=len(names) == 2,
    )


def view_of(seats: int, viewer: Viewer) -> PutView:
    """A hand just dealt: seat 0 is eldest and is to lead."""
    cards = seats + 1
    return PutView(
        target=5,
        scores=tuple(range(seats)),
        hand=7,
        dealer=Seat(seats - 1),
        eldest=Seat(0),
        cards=HAND[:cards] if viewer != "gallery" else (),
        counts=(cards,) * seats,
        playing=(True,) * seats,
        tricks=(0,) * seats,
        to_move=Seat(0),
        moment=Moment.LEAD,
        ranking=RANKING,
    )


def arrive(
    *names: str | None,
    viewer: Viewer = Seat(0),  # noqa: B008  # an int
    view: PutView | None = None,
    info: TableInfo | None = None,
    turn: Turn | None = None,
    is_back: bool = False,
) -> Model:
    """At a table, by its snapshot. `is_back`: in a seat that was kept."""
    welcome = replace(WELCOME, tables=(TABLE,)) if is_back else WELCOME
    model, _ = begin(welcome, Sit(0, TABLE))
    snapshot = TableSnapshot(table=TABLE, viewer=viewer, number=10, info=info or info_of(*names), view=view, turn=turn)
    return after(model, snapshot)


def dealt(*names: str, viewer: Viewer = Seat(0)) -> Model:  # noqa: B008  # an int
    """At a table where a hand was just dealt."""
    return arrive(*names, viewer=viewer, view=view_of(len(names), viewer))


def choices(cards: Iterable[Card], *, put: bool = True) -> tuple[Choice, ...]:
    plays = tuple(Choice(Play(card), f"lead {card_in_words(card)}") for card in cards)
    return (*plays, Choice(Put(), 'say "I put"')) if put else plays


ANSWERS = (Choice(See(), "see the put and play for the game"), Choice(ThrowIn(), "throw in your cards"))


def with_decision(
    model: Model,
    legal: tuple[Choice, ...] | None = None,
    *,
    asks: str = "Lead to trick 1.",
    number: int = 9,
    turn_ms: int | None = None,
) -> Model:
    """With a decision to make."""
    legal = choices(hand_of(table_of(model))) if legal is None else legal
    decision = Decision(table=TABLE, decision=number, asks=asks, legal=legal, turn_ms=turn_ms)
    return after(model, decision)


def your_lead() -> Model:
    """Two play, and it is ours to lead."""
    return with_decision(dealt("Will", "Moll"))


def with_events(model: Model, *events: Event, view: PutView | None = None, turn: Turn | None = None) -> Model:
    return after(model, Events(table=TABLE, first=11, events=events, view=view, turn=turn))


def led() -> Model:
    """We led the 3 of spades, and Moll is to play."""
    view = replace(
        view_of(2, Seat(0)),
        cards=HAND[1:3],
        counts=(2, 3),
        trick=TrickView((Seat(0),), (HAND[0],)),
        to_move=Seat(1),
        moment=Moment.REPLY,
    )
    model = with_events(dealt("Will", "Moll"), GameStarted(1, ("Will", "Moll")))
    return with_events(model, Played(Seat(0), HAND[0], leads=True), view=view, turn=Turn(Seat(1)))


def taken() -> Model:
    """We took the first trick and are to lead."""
    view = replace(
        view_of(2, Seat(0)),
        cards=HAND[1:3],
        counts=(2, 2),
        tricks=(1, 0),
        past=(TrickView((Seat(0), Seat(1)), (HAND[0], Card("Qh")), Seat(0)),),
    )
    ended = TrickEnded(number=1, winner=Seat(0), leader=Seat(0), tricks=(1, 0))
    model = with_events(led(), Played(Seat(1), Card("Qh")), ended, view=view, turn=Turn(Seat(0)))
    return with_decision(model, asks="Lead to trick 2.", number=10)


def put_to() -> Model:
    """Moll has put, and we are to answer."""
    before = view_of_put(led())
    assert before is not None
    view = replace(before, putter=Seat(1), to_move=Seat(0), moment=Moment.ANSWER)
    model = with_events(led(), DidPut(Seat(1)), view=view, turn=Turn(Seat(0)))
    return with_decision(model, ANSWERS, asks="Do you see the put, or throw in?", number=10)


# --- what is done with them ------------------------------------------------------------------------------------------


def step(model: Model, input_: Input, now: int = 0) -> tuple[Model, tuple[Effect, ...]]:
    return update(model, input_, now)


def after(model: Model, *inputs: Input, now: int = 0) -> Model:
    """The model after all of it, and when a finished hand has been looked at."""
    model = looked_at(model, *inputs, now=now)
    return replace(model, moments=tuple([moment for moment in model.moments if moment.hand is None]))


def looked_at(model: Model, *inputs: Input, now: int = 0) -> Model:
    """As the program has it: a finished hand is held."""
    for input_ in inputs:
        model, _ = update(model, input_, now)
    return model


def send_keys(model: Model, *keys: str) -> tuple[Model, tuple[Effect, ...]]:
    """The model after these keys, and what the last of them asked for."""
    effects: tuple[Effect, ...] = ()
    for key in keys:
        model, effects = update(model, KeyPress(key), 0)
    return model, effects


def typed(model: Model, text: str) -> Model:
    return send_keys(model, *text)[0]


def table_of(model: Model) -> AtTable:
    assert model.table is not None
    return model.table


def view_of_put(model: Model) -> PutView | None:
    """The view of a game of Put."""
    view = table_of(model).view
    return view if isinstance(view, PutView) else None


def frame(model: Model, size: Size = SMALL, theme: Theme = UNICODE, now: int = 0) -> Frame:
    return draw(model, size, theme, now)


def text_of(frame: Frame) -> str:
    """The frame as text, without styles and without spaces at the ends of lines."""
    return "\n".join("".join(text for _, text in line).rstrip() for line in frame.lines)


def screen(model: Model, size: Size = SMALL, theme: Theme = UNICODE, now: int = 0) -> str:
    """The screen as text."""
    return text_of(draw(model, size, theme, now))
