"""A message of every kind with real words in it: what tests break, and what the fuzzer mutates."""

from put_protocol import messages, table_events
from put_protocol.analysis import Judged, Quality, Reviewed, Weighed
from put_protocol.blind_events import BlindBegun, BlindEntry, BlindOpened, BlindSpan, OpenedPlace, PartMissed
from put_protocol.cards import Card
from put_protocol.games import put
from put_protocol.games.tricks import TrickView
from put_protocol.games.unions import Choice
from put_protocol.offers import GameOffer, HouseOffer, Limits, OptionOffer
from put_protocol.refusals import RefusalCode
from put_protocol.seats import GALLERY, Seat
from put_protocol.table_info import ClockInfo, PauseInfo, PersonInfo, SeatInfo, TableInfo, TableState

NEAR, FAR = Seat(0), Seat(1)
HASH = bytes(range(32))

HELLO = messages.Hello(
    version=1, name="Moll", token="t1", openings=True, seen=(messages.Seen(table=7, number=3),), asked=(4, 5)
)

REQUESTS: tuple[messages.ClientMessage, ...] = (
    messages.Look(1),
    messages.LookAway(2),
    messages.OpenTable(3, "put-1674", seats=2, options={"target": 5, "ties": "nobody"}, turn=30, house="steady"),
    messages.Sit(4, 7, seat=NEAR, passcode="sesame"),
    messages.Stand(5, 7),
    messages.Watch(6, 7),
    messages.Leave(7, 7),
    messages.Resign(8, 7),
    messages.Invite(9, 7, seat=FAR),
    messages.Dismiss(10, 7, FAR),
    messages.Dismiss(10, 7, person="Moll"),
    messages.Again(11, 7),
    messages.Again(11, 7, 3),
    messages.Blind(17, 7, HASH),
    messages.Refresh(18, 7),
    messages.Mute(19, "Moll"),
    messages.Block(20, "Moll", on=False),
    messages.Act(12, 7, 1, put.Play(Card("3s"))),
    messages.Act(13, 7, 2, put.Put()),
    messages.Act(14, 7, 3, put.See()),
    messages.Act(15, 7, 4, put.ThrowIn()),
    messages.Say(16, 7, "I put, s\u00ed \U0001f0a1"),
    messages.Pause(17, 7, 120),
    messages.GoOn(18, 7),
    messages.Analyse(19, 7),
    messages.Recall(24, 7),
    messages.Coach(22, 7),
    messages.Drill(20, "put-1674", {"target": 3}),
    messages.Grade(21, "put-1674", 1674, put.Play(Card("3s")), {"target": 3}),
    messages.Push("https://updates.push.services.mozilla.com/wpush/v2/x", "BCVx", "BTBZ", True),
    messages.Ping(),
    messages.Pong(),
    messages.Bye(),
)
"""What a client may say once it is welcome."""

WELCOME = messages.Welcome(
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
    is_solved=True,
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
VIEW = put.PutView(
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
    moment=put.Moment.REPLY,
    ranking=("3", "2", "A"),
)
HAPPENED = (
    BlindBegun(HASH),
    BlindOpened((OpenedPlace(1, 2, HASH),)),
    BlindEntry(HASH, 2 * HASH),
    table_events.Sat(NEAR, "Moll"),
    table_events.Sat(FAR, "Tab", is_bot=True),
    table_events.GameStarted(1, ("Moll", "Ned")),
    put.Drawn((NEAR, FAR), (Card("2s"), Card("Kd"))),
    put.DealerFound(NEAR),
    put.Dealt(1, NEAR, FAR, (3, 3), (Card("3s"), Card("10h"), Card("Ad"))),
    put.Played(FAR, Card("4c"), leads=True),
    put.DidPut(NEAR),
    put.Saw(FAR),
    put.ThrewIn(FAR, put.Cause.TIME),
    put.TrickEnded(1, None, FAR, (0, 0)),
    put.HandEnded(put.HandWon.THROWN_IN, NEAR, 1, (1, 0)),
    put.GameEnded(put.GameWon.PUT, (NEAR,), (5, 0), (1, -1)),
    table_events.Agreed(NEAR),
    table_events.PresenceChanged(FAR, away=True),
    table_events.PauseAsked(NEAR, 120),
    table_events.Paused(120),
    table_events.GoOnAsked(NEAR),
    PartMissed(NEAR, 2, is_dismissed=True),
    table_events.WentOn(by_time=True),
    table_events.Said("Ned", "Well played.", FAR),
    table_events.Stood(FAR, "Ned"),
)
SNAPSHOT = messages.TableSnapshot(
    table=7, viewer=NEAR, number=3, info=INFO, view=VIEW, turn=messages.Turn(FAR, 30_000, 300_000)
)

LED = Choice(put.Play(Card("3s")), "lead the 3 of spades")
JUDGED = Judged(
    before=6_180,
    after=4_920,
    quality=Quality.BLUNDER,
    done=put.Play(Card("3s")),
    choices=(Weighed(LED.action, LED.says, 4_920, 400), Weighed(put.Put(), 'say "I put": they throw in', 6_180, 9_600)),
)
REVIEWED = Reviewed(
    number=2, hand=3, trick=1, moment=put.Moment.LEAD, scores=(0, 2), cards=(Card("3s"), Card("10h")), judged=JUDGED
)

REPLIES: tuple[messages.ServerMessage, ...] = (
    SNAPSHOT,
    messages.Events(table=7, first=4, events=HAPPENED, info=INFO, view=VIEW, turn=messages.Turn(FAR)),
    messages.Events(
        table=8,
        first=1,
        events=(table_events.Said("Peg", "Hush."),),
        info=PAUSED,
        turn=messages.Turn(NEAR, 30_000, 300_000, 7_200_000),
    ),
    messages.Decision(
        7,
        1,
        "Lead to trick 1.",
        (Choice(put.Play(Card("3s")), "lead the 3 of spades"), Choice(put.Put(), "put")),
        30_000,
    ),
    messages.TableSnapshot(
        table=9,
        viewer=GALLERY,
        number=0,
        info=INFO,
    ),
    messages.LobbyState(
        (INFO,),
        (PersonInfo("Moll", tables=(7,)), PersonInfo("Peg", is_away=True, tables=(8,))),
        (8,),
        ("Hal",),
        begins=True,
    ),
    messages.Refused(0, RefusalCode.BAD_REQUEST, "Expected `int`, got `str` - at `$.id`", "$.id"),
    BlindSpan(7, 1, 2, HASH),
    messages.Invited(8, "Peg", PAUSED, FAR),
    messages.Analysis(7, 2, NEAR, 2, 1_260, 1, (2,), (REVIEWED,)),
    messages.Analysis(7, 3, NEAR, flaw="the analysis failed; ask again"),
    messages.Recalled(7, 2, NEAR, "; Put notation 1\n", 1, 2),
    messages.Recalled(7, 2, NEAR, flaw="the game is too long to be sent"),
    messages.Advice(22, 7, 3, JUDGED.choices),
    messages.Advice(22, 7, 3, flaw="the analysis failed; ask again"),
    messages.Position(20, "put-1674", 1674, FAR, ("your opponent", "you"), VIEW, "Lead.", (LED,), "It is your lead."),
    messages.Judgement(21, 1674, JUDGED),
    messages.Left(7, "you left"),
    messages.Notice("The house closes at midnight."),
    messages.Ping(),
    messages.Pong(),
    messages.Goodbye("draining", "the server is stopping", back_s=600),
)
"""What a server may say after its welcome, in an order that keeps the numbering."""

ANSWER = messages.Ok(1, table=7, seat=NEAR)
"""An answer only to who asked."""
