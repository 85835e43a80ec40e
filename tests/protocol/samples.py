"""A message of every kind with real words in it: what tests break, and what the fuzzer mutates."""

from put_protocol.analysis import Judged, Quality, Reviewed, Weighed
from put_protocol.cards import Card
from put_protocol.games.put import (
    Cause,
    DealerFound,
    Dealt,
    DidPut,
    Drawn,
    GameEnded,
    GameWon,
    HandEnded,
    HandWon,
    Moment,
    Play,
    Played,
    Put,
    PutView,
    Saw,
    See,
    ThrewIn,
    ThrowIn,
    TrickEnded,
    TrickView,
)
from put_protocol.games.unions import Choice
from put_protocol.messages import (
    Act,
    Again,
    Analyse,
    Analysis,
    Bye,
    ClientMessage,
    Cut,
    Decision,
    Dismiss,
    Drill,
    Events,
    Goodbye,
    GoOn,
    Grade,
    Hello,
    Invite,
    Invited,
    Judgement,
    Leave,
    Left,
    LobbyState,
    Look,
    LookAway,
    Notice,
    Ok,
    OpenTable,
    Pause,
    Ping,
    Pong,
    Position,
    Promise,
    Refused,
    Resign,
    Say,
    Seen,
    ServerMessage,
    Sit,
    Stand,
    TableSnapshot,
    Turn,
    Watch,
    Welcome,
)
from put_protocol.offers import GameOffer, HouseOffer, Limits, OptionOffer
from put_protocol.refusals import RefusalCode
from put_protocol.seal_events import (
    AccidentOpening,
    CutMade,
    CutsShown,
    DealVoided,
    Opening,
    Openings,
    PackOpening,
    Sealed,
)
from put_protocol.seats import GALLERY, Seat
from put_protocol.table_events import (
    Agreed,
    GameStarted,
    GoOnAsked,
    PauseAsked,
    Paused,
    PresenceChanged,
    Said,
    Sat,
    Stood,
    WentOn,
)
from put_protocol.table_info import ClockInfo, PauseInfo, PersonInfo, SeatInfo, TableInfo, TableState

NEAR, FAR = Seat(0), Seat(1)
HASH = bytes(range(32))

HELLO = Hello(version=1, name="Moll", token="t1", openings=True, seen=(Seen(table=7, number=3),), asked=(4, 5))

REQUESTS: tuple[ClientMessage, ...] = (
    Look(1),
    LookAway(2),
    OpenTable(3, "put-1674", seats=2, options={"target": 5, "ties": "nobody"}, turn=30),
    Sit(4, 7, seat=NEAR, passcode="sesame"),
    Stand(5, 7),
    Watch(6, 7),
    Leave(7, 7),
    Resign(8, 7),
    Invite(9, 7, seat=FAR),
    Dismiss(10, 7, FAR),
    Again(11, 7),
    Promise(16, 7, HASH),
    Cut(17, 7, 3, HASH),
    Act(12, 7, 1, Play(Card("3s"))),
    Act(13, 7, 2, Put()),
    Act(14, 7, 3, See()),
    Act(15, 7, 4, ThrowIn()),
    Say(16, 7, "I put, s\u00ed \U0001f0a1"),
    Pause(17, 7, 120),
    GoOn(18, 7),
    Analyse(19, 7),
    Drill(20, "put-1674", {"target": 3}),
    Grade(21, "put-1674", 1674, Play(Card("3s")), {"target": 3}),
    Ping(),
    Pong(),
    Bye(),
)
"""What a client may say once it is welcome."""

WELCOME = Welcome(
    version=1,
    server="The Swan",
    name="Moll",
    token="t1",
    limits=Limits(65_536, 20, 40, 8, 30_000, 75_000),
    games=(
        GameOffer("put-1674", "Put", "Cotton, 1674", "Bluff.", (2,), (OptionOffer("target", "to win", 5, (5, 7)),)),
    ),
    houses=(HouseOffer("steady", "plays what it has"),),
    tables=(7,),
)
INFO = TableInfo(
    id=7,
    game="put-1674",
    options={"target": 5, "ties": "nobody"},
    seats=(SeatInfo(name="Moll", purse=-2), SeatInfo(name="Ned", is_house=True)),
    clock=ClockInfo(turn=30),
    state=TableState.PLAYING,
    games=1,
)
PAUSED = TableInfo(
    id=8,
    game="put-1674",
    options={},
    seats=(SeatInfo(name="Peg", is_away=True), SeatInfo(name="Hal", is_gone=True)),
    clock=ClockInfo(),
    state=TableState.PAUSED,
    games=1,
    pause=PauseInfo(120, (NEAR,)),
)
PEOPLE = (PersonInfo("Moll", tables=(7,)), PersonInfo("Peg", is_away=True, tables=(8,)))
VIEW = PutView(
    target=5,
    scores=(0, 2),
    hand=3,
    dealer=NEAR,
    eldest=FAR,
    cards=(Card("3s"), Card("10h")),
    counts=(2, 3),
    playing=(True, True),
    tricks=(0, 0),
    trick=TrickView(seats=(NEAR,), cards=(Card("Ad"),)),
    to_move=FAR,
    moment=Moment.REPLY,
    ranking=("3", "2", "A"),
)
OPENINGS = Openings(
    table=7,
    deal=3,
    openings=(Opening(17, Card("3s"), HASH, (HASH, HASH)),),
    turned=PackOpening(1, HASH),
    played=PackOpening(0, HASH),
    accident=AccidentOpening(HASH, (HASH,)),
)
HAPPENED = (
    Sealed(
        3, (HASH, HASH), (FAR, NEAR), (HASH, None), (Card("3s"), Card("2h")), late=True, misdeals=10, adversaries=(FAR,)
    ),
    CutMade(3, NEAR, HASH),
    CutsShown(3, (HASH, None)),
    DealVoided(4, (FAR,), (NEAR,), (HASH, HASH)),
    Sat(NEAR, "Moll"),
    Sat(FAR, "Tab", is_bot=True),
    GameStarted(1, ("Moll", "Ned")),
    Drawn((NEAR, FAR), (Card("2s"), Card("Kd"))),
    DealerFound(NEAR),
    Dealt(1, NEAR, FAR, (3, 3), (Card("3s"), Card("10h"), Card("Ad"))),
    Played(FAR, Card("4c"), leads=True),
    DidPut(NEAR),
    Saw(FAR),
    ThrewIn(FAR, Cause.TIME),
    TrickEnded(1, None, FAR, (0, 0)),
    HandEnded(HandWon.THROWN_IN, NEAR, 1, (1, 0)),
    GameEnded(GameWon.PUT, (NEAR,), (5, 0), (1, -1)),
    Agreed(NEAR),
    PresenceChanged(FAR, away=True),
    PauseAsked(NEAR, 120),
    Paused(120),
    GoOnAsked(NEAR),
    WentOn(by_time=True),
    Said("Ned", "Well played.", FAR),
    Stood(FAR, "Ned"),
)
SNAPSHOT = TableSnapshot(table=7, viewer=NEAR, number=3, info=INFO, view=VIEW, turn=Turn(FAR, 30_000, 300_000))

LED = Choice(Play(Card("3s")), "lead the 3 of spades")
JUDGED = Judged(
    before=6_180,
    after=4_920,
    quality=Quality.BLUNDER,
    done=Play(Card("3s")),
    choices=(Weighed(LED.action, LED.says, 4_920, 400), Weighed(Put(), 'say "I put": they throw in', 6_180, 9_600)),
)
REVIEWED = Reviewed(
    number=2, hand=3, trick=1, moment=Moment.LEAD, scores=(0, 2), cards=(Card("3s"), Card("10h")), judged=JUDGED
)

REPLIES: tuple[ServerMessage, ...] = (
    SNAPSHOT,
    Events(table=7, first=4, events=HAPPENED, info=INFO, view=VIEW, turn=Turn(FAR)),
    Events(table=8, first=1, events=(Said("Peg", "Hush."),), info=PAUSED, turn=Turn(NEAR, 30_000, 300_000, 7_200_000)),
    Decision(
        7, 1, "Lead to trick 1.", (Choice(Play(Card("3s")), "lead the 3 of spades"), Choice(Put(), "put")), 30_000
    ),
    TableSnapshot(
        table=9,
        viewer=GALLERY,
        number=0,
        info=INFO,
        sealed=Sealed(1, (HASH, HASH), (NEAR, FAR), (HASH, HASH)),
        links=(HASH, None),
    ),
    LobbyState(
        (INFO,),
        (PersonInfo("Moll", tables=(7,)), PersonInfo("Peg", is_away=True, tables=(8,))),
        (8,),
        ("Hal",),
        begins=True,
    ),
    Refused(0, RefusalCode.BAD_REQUEST, "Expected `int`, got `str` - at `$.id`", "$.id"),
    OPENINGS,
    Invited(8, "Peg", PAUSED, FAR),
    Analysis(7, 2, NEAR, 2, 1_260, 1, (2,), (REVIEWED,)),
    Analysis(7, 3, NEAR, flaw="the weighing failed; ask again"),
    Position(20, "put-1674", 1674, FAR, ("your adversary", "you"), VIEW, "Lead.", (LED,), "It is your lead."),
    Judgement(21, 1674, JUDGED),
    Left(7, "you left"),
    Notice("The house closes at midnight."),
    Ping(),
    Pong(),
    Goodbye("draining", "the server is stopping", back_s=600),
)
"""What a server may say after its welcome, in an order that keeps the numbering."""

ANSWER = Ok(1, table=7, seat=NEAR)
"""An answer only to who asked."""
