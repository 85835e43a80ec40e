"""Messages of the wire: those of the client (requests, and the handshake), then those of the server.

On the wire a message is a map whose `type` names it; a field with a default may be left out. A request carries an
`id` of the client's own and gets exactly one `ok` or `refused` with the same id. `hello`, `push`, `ping`, `pong` and
`bye` carry none.

Longer than other modules, because it is the schema, and read as one.
"""

from enum import StrEnum
from typing import Annotated, Literal

from msgspec import Meta, Struct

from put_protocol.analysis import Judged, Reviewed, Weighed
from put_protocol.blind_events import BlindSpan, EntryBytes
from put_protocol.games.unions import Action, Choice, Event, GameView
from put_protocol.limits import LOBBY_PAGES, MAP_ITEMS, PAUSE_MINUTES, REQUEST_ARRAY_ITEMS
from put_protocol.offers import GameOffer, HouseOffer, Limits
from put_protocol.refusals import RefusalCode
from put_protocol.seats import Seat, Viewer
from put_protocol.table_info import Admits, PersonInfo, TableInfo
from put_protocol.text import Phrase

RequestId = Annotated[int, Meta(ge=1, le=2**53 - 1, description="chosen by the client, unique within a connection")]
TableId = Annotated[int, Meta(ge=1, le=2**53 - 1, description="the number of a table")]
SeatNumber = Annotated[Seat, Meta(ge=0, le=9)]
# Looser than the rules for names and talk: those answer with a refusal of their own that says what is wrong.
ShortText = Annotated[str, Meta(max_length=128)]
LongText = Annotated[str, Meta(max_length=2_000)]
Secret = Annotated[str, Meta(max_length=128)]
Counter = Annotated[int, Meta(ge=0, le=2**53 - 1)]
Options = Annotated[dict[ShortText, int | ShortText], Meta(max_length=MAP_ITEMS)]

USUAL_HOUSE = "steady"
"""The house player of an invitation that names nobody."""


class Seen(Struct, frozen=True, forbid_unknown_fields=True):
    """The point up to which a client has followed a table."""

    table: TableId
    number: Annotated[int, Meta(ge=0, le=2**53 - 1)]
    """The number of the last event it has."""


class ViewForm(StrEnum):
    """The way a client is told what a game looks like."""

    WHOLE = "whole"
    """`events` bring the whole view whenever it changes"""
    CHANGES = "changes"
    """`events` leave out a view that follows from them, and bring `moment` instead"""


class Hello(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="hello", omit_defaults=True):
    """The first message. It is answered by `welcome`, or by `goodbye`."""

    version: int
    """The protocol's version: 3; 2 is accepted, too."""
    name: ShortText = ""
    """Your name, 1 to 24 printable characters, unlike anyone else's here: others are refused as `bad_name`, and one
    of more than 128 is no `hello` at all. Two names that look alike count as one. Letters are of one alphabet, or of
    those that are written together, as Latin, kana and kanji are. With a token it is not looked at."""
    password: Secret = ""
    """The server's password, if it has one; needed with a token, too."""
    is_bot: bool = False
    """Programs say so; everyone is told. With a token it is not looked at."""
    openings: bool = False
    """Sent by clients of version 2; it changes nothing."""
    knows: Annotated[tuple[ShortText, ...], Meta(max_length=REQUEST_ARRAY_ITEMS)] = ("put",)
    """The families of games that you can put in words yourself, as `welcome` names them. At tables of other families
    `events` and `table` bring the server's words: `says` and `board`."""
    views: ViewForm = ViewForm.WHOLE
    """The way you want views. Games of families that `knows` does not have come with whole views all the same."""
    words: bool = True
    """Send decisions in words, too: `asks` and `why`, and `says` of each choice. A program does without."""
    language: ShortText = ""
    """The language in which you say what the server says, such as `fr`. With it decisions, refusals, notices and
    goodbyes come as messages of the catalogue, too: beside the English text their identifier and its arguments. What is
    worked out for you alone is said in it: `advice`, `analysis`, `position` and `judgement`. With it and no family that
    you know, `knows` being empty, everything is said in it."""
    client: ShortText = ""
    """The name of your software, for the operator's log."""
    offers: ShortText = ""
    """The digest below which the server's own page has read `offers.json`. If it is still that of the server, `games`
    of `welcome` is empty."""
    token: Secret = ""
    """The token of an earlier `welcome`: be that person again, at the tables they were at."""
    seen: Annotated[tuple[Seen, ...], Meta(max_length=REQUEST_ARRAY_ITEMS)] = ()
    """The events that you have of each table, with a token. You get the events since."""
    asked: Annotated[tuple[RequestId, ...], Meta(max_length=REQUEST_ARRAY_ITEMS)] = ()
    """The ids of requests, with a token, on the connection that dropped whose answers never came. Each is answered now:
    by the `ok` it had, or refused as `not_carried_out`, and may be asked again. Name an id in every `hello` until you
    have its answer: one that is left out is forgotten. The ids of new requests are others."""
    incarnation: Counter = 0
    """Counts your `hello`s: greater in each than in any before, also after a restart of yours; go on from that of the
    last `welcome`. The server refuses one that is not the greatest yet with `goodbye` `taken_over`: it was late, and
    the connection that came after it goes on. 0: you do not count, and the `hello` that arrives last wins."""
    epoch: Counter = 0
    """The `epoch` of your last `welcome`, with a token and `seen`. If the server has lost something that you were told,
    it notices by this, tells you in a `notice`, and sends your tables whole."""


class Look(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="look", omit_defaults=True):
    """Look at the lobby: tables and people now, then every change of them, until `look_away` or another `look`."""

    id: RequestId
    page: Annotated[int, Meta(ge=0, le=2**31)] | None = None
    """First page of those to be told, from 0; left out: the whole lobby. A page has some thirty tables and people, and
    what is on it stays there until it is gone."""
    pages: Annotated[int, Meta(ge=1, le=LOBBY_PAGES)] = 1
    """Number of pages, at most `lobby_pages` of the limits in `welcome`; where those have none, give no page."""
    game: ShortText = ""
    """Only tables of this rule set; empty: of all."""
    free: bool = False
    """Only tables that wait for players."""


class LookAway(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="look_away"):
    """Get no more changes of the lobby."""

    id: RequestId


class OpenTable(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="open", omit_defaults=True):
    """Open a table. `ok` tells its number; you are not yet at it, unless you ask for a `house`."""

    id: RequestId
    game: ShortText
    """The name of a rule set, such as `put-1674`."""
    seats: Annotated[int, Meta(ge=1, le=10)] = 2
    """Number of players who sit at it: one of the `seats` that `welcome` gives the rule set. Not every one can be
    played by two."""
    options: Options = {}
    """Options of the rule set; those left out take their defaults."""
    turn: Annotated[int, Meta(ge=0, le=86_400)] = 0
    """Seconds for each decision, at most `longest_turn` of the limits in `welcome`; 0: no limit but the server's own,
    `patience`."""
    bank: Annotated[int, Meta(ge=0, le=86_400)] = 300
    """Seconds a player may be disconnected during a game, in all, and at most `longest_bank`."""
    passcode: Secret = ""
    """Asked of whoever sits or watches; empty: a public table."""
    gallery: bool = True
    """True if anybody may watch."""
    admits: Admits = Admits.ALL
    """The player who may sit."""
    deals: ShortText = ""
    """The name of a sequence of packs, at an exhibition, whose packs come from a seed. At tables opened with the same
    name the first games are dealt the same packs in the same order, and so are the second ones, however the first went;
    for that each game begins with a draw for the deal. Elsewhere it is refused as `bad_option`."""
    house: ShortText = ""
    """One of the house players that `welcome` lists: you sit down in the first seat, without a key, and it takes every
    other, so that this request alone begins a game. The answer is that of `sit`. Empty: all seats are free."""


class Sit(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="sit", omit_defaults=True):
    """Take a seat. A spectator of the table stops watching by it."""

    id: RequestId
    table: TableId
    seat: SeatNumber | None = None
    """None: any that is free."""
    passcode: Secret = ""
    """The table's passcode, if it has one and you neither opened it nor were invited."""
    holds_key: bool = False
    """True if you keep the key of your cards at a table that is dealt blind, and do your part of the deals by `blind`.
    Without it the server holds the key, and can read them."""


class Stand(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="stand"):
    """Give up your seat; only while no game is in play."""

    id: RequestId
    table: TableId


class Watch(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="watch", omit_defaults=True):
    """Join the gallery."""

    id: RequestId
    table: TableId
    passcode: Secret = ""
    """The table's passcode, if it has one and you neither opened it nor were invited."""


class Leave(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="leave"):
    """Leave a table: the gallery or a seat. During a game this gives the game up; the events of that follow the `ok`.
    No `left` follows."""

    id: RequestId
    table: TableId


class Resign(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="resign"):
    """Give the game up and keep the seat."""

    id: RequestId
    table: TableId


class Invite(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="invite", omit_defaults=True):
    """Ask a house player into an empty seat, or a guest to take it; for whoever sits at the table or opened it."""

    id: RequestId
    table: TableId
    seat: SeatNumber | None = None
    """None: any that is free."""
    house: ShortText = USUAL_HOUSE
    """One of the house players `welcome` lists."""
    person: ShortText = ""
    """A guest, by name, instead: they get `invited`, and may sit without the passcode. An invitation that stands is not
    told again, and the same guest cannot be invited more than a few times a minute (`too_fast`)."""


class Dismiss(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="dismiss", omit_defaults=True):
    """Send a house player away from its seat, for whoever sits at the table or opened it; or a guest, for whoever
    opened it. Only while no game is in play."""

    id: RequestId
    table: TableId
    seat: SeatNumber | None = None
    """The place where the house player sits."""
    person: ShortText = ""
    """A guest, by name, instead, who sits or watches: they get `left`, and cannot come to this table again unless you
    invite them."""


class Again(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="again", omit_defaults=True, gc=False
):
    """Ask for another game; it starts when every seat has asked."""

    id: RequestId
    table: TableId
    game: Counter = 0
    """The number of the game that you ask for: one more than `games` of the table's `info`. Once it has begun this is
    refused as `too_late`, so that a request which comes late agrees to no later game. 0: the next one."""


class Pause(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="pause", omit_defaults=True):
    """Ask for a pause of the game in play, or agree to the one asked for. It begins when every player has asked: clocks
    stand still, and you may all disconnect and come back with your tokens."""

    id: RequestId
    table: TableId
    minutes: Annotated[int, Meta(ge=0, le=PAUSE_MINUTES)] = 0
    """The longest it may last, a month at most; then the clocks go on by themselves. The shortest that anybody asked
    for counts. 0: as the others ask, or an hour."""


class GoOn(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="go_on"):
    """Be ready to go on after a pause; the game goes on when every player is."""

    id: RequestId
    table: TableId


class Refresh(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="refresh"):
    """Be told a table as it is now: the answer is an `events` message without events, which brings `info`, the whole
    `view` and `turn`. For whoever asked for `changes` and got one that they cannot apply."""

    id: RequestId
    table: TableId


class Act(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="act", omit_defaults=True, gc=False):
    """Answer a decision. It cannot be taken back (Law 7)."""

    id: RequestId
    table: TableId
    decision: Annotated[int, Meta(ge=1, le=2**53 - 1)]
    """The number that came with it."""
    action: Action
    """One of its `legal`."""
    entry: EntryBytes = b""
    """The signed entry of the same action, if you hold the key of your cards."""


class Blind(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="blind", gc=False):
    """Do your part of a blind deal: tell your key, shuffle, give your shares, or accuse a shuffle."""

    id: RequestId
    table: TableId
    entry: EntryBytes
    """Signed by the key of your seat."""


class Say(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="say"):
    """Talk at a table: from a seat to everyone there, from the gallery to the gallery until the game is over."""

    id: RequestId
    table: TableId
    text: LongText
    """1 to 400 characters that can be shown."""


class Mute(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="mute", omit_defaults=True):
    """Hear no more of what somebody says, wherever they say it, until your token ends. Nobody is told. Their talk comes
    as `said` that is `muted`, without its text."""

    id: RequestId
    person: ShortText
    """The name of a person who is here or away."""
    on: bool = True
    """False: hear them again."""


class Block(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="block", omit_defaults=True):
    """Have nothing to do with somebody until your token ends: you hear no more of what they say, they cannot invite
    you, and cannot come to a table that you opened. Who is at one already stays."""

    id: RequestId
    person: ShortText
    """The name of a person who is here or away."""
    on: bool = True
    """False: no more of that."""


class Analyse(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="analyse"):
    """Have your own decisions in the last game at a table weighed against perfect play, once that game is over; for who
    played it and still sits there. After `ok`, `analysis` messages follow when they are ready, be it during the next
    game. Only games that were solved can be weighed: others are refused as `not_solved`."""

    id: RequestId
    table: TableId


class Recall(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="recall"):
    """Have the last game at a table sent as you saw it, in Put notation, once that game is over; for who played it and
    still sits there. So whoever was away when it ended has it all the same. After `ok`, `recalled` messages follow when
    they are ready, be it during the next game."""

    id: RequestId
    table: TableId


class Coach(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="coach"):
    """Ask what is best at the decision that waits for you, in a game against house players alone. After `ok` an
    `advice` follows when it is ready. It rests on what you see, and on nothing else. From then on the game is marked:
    `is_assisted` in the table's `info`, and in the history that the server keeps of it. Refused as `against_people`
    where anybody else plays."""

    id: RequestId
    table: TableId


class Drill(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="drill", omit_defaults=True):
    """Ask for a position to practise on. After `ok` a `position` follows when it is ready. No table is needed, nothing
    is kept, and no game is played. Refused as `not_solved` where perfect play is not known."""

    id: RequestId
    game: ShortText
    """The name of a rule set."""
    options: Options = {}
    """Options of the rule set; those left out take their defaults."""


class Grade(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="grade", omit_defaults=True):
    """Answer a `position`, and have the answer judged. After `ok` a `judgement` follows when it is ready."""

    id: RequestId
    game: ShortText
    """The game that the position was asked for."""
    number: Annotated[int, Meta(ge=1, le=2**53 - 1)]
    """The position's."""
    action: Action
    """One of its `legal`."""
    options: Options = {}
    """The options that the position was asked for."""


class Push(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="push", omit_defaults=True):
    """Be told by Web Push (RFC 8030) that a table waits for your move, while your page is closed or hidden. The page
    says so after each `welcome`, and whenever it is shown or hidden; the latest counts, until you leave. It subscribes
    with the key at `/push-key` of the server, which is empty where nothing is pushed. Answered by nothing, or by a
    `notice` that no message is sent there."""

    endpoint: Annotated[str, Meta(max_length=1_024)] = ""
    """The address of your browser at its push service; empty: you want to be told no more."""
    p256dh: ShortText = ""
    """The browser's public key, in base64url."""
    auth: ShortText = ""
    """The secret that the browser shares with the server, in base64url."""
    is_seen: bool = False
    """True if the page is shown now."""


class Ping(Struct, frozen=True, tag_field="type", tag="ping", gc=False):
    """Are you there? Answered by `pong`, at once: also before the `welcome`, and ahead of requests."""


class Pong(Struct, frozen=True, tag_field="type", tag="pong", gc=False):
    """I am."""


class Bye(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="bye"):
    """A wilful end: your tables are left at once, your token ends, and the server closes."""


Request = (
    Look
    | LookAway
    | OpenTable
    | Sit
    | Stand
    | Watch
    | Leave
    | Resign
    | Invite
    | Dismiss
    | Again
    | Pause
    | GoOn
    | Blind
    | Refresh
    | Act
    | Say
    | Mute
    | Block
    | Analyse
    | Recall
    | Coach
    | Drill
    | Grade
)
ClientMessage = Hello | Request | Push | Ping | Pong | Bye


class Welcome(Struct, frozen=True, tag_field="type", tag="welcome", omit_defaults=True):
    """The answer to `hello`: you are in."""

    version: int
    """The protocol's version: the one you asked for."""
    server: str
    """The server's name."""
    name: str
    """Yours."""
    token: str
    """A token to come back with after a drop. Whoever has it is you."""
    limits: Limits
    """The actions you may take, and how fast."""
    games: tuple[GameOffer, ...]
    """The rule sets."""
    houses: tuple[HouseOffer, ...]
    """The house players."""
    tables: tuple[int, ...] = ()
    """The place where you are, when you resumed; a `table` or `events` message of each follows."""
    incarnation: int = 0
    """The one of your `hello`, or, if you do not count, the one that the server gave it."""
    epoch: int = 0
    """The server's last start, for your next `hello`."""


class Ok(Struct, frozen=True, tag_field="type", tag="ok", omit_defaults=True, gc=False):
    """The request with this id was carried out. Where that is all, and you are told something of its table, that
    message has the `id` in place of an `ok`."""

    id: RequestId
    """The request's."""
    table: int | None = None
    """The table opened, sat at or watched."""
    seat: Seat | None = None
    """The seat taken by `sit`, or by the house player of `invite`."""


class Refused(Struct, frozen=True, tag_field="type", tag="refused", omit_defaults=True, gc=False):
    """The request with this id changed nothing."""

    id: Annotated[int, Meta(ge=0, le=2**53 - 1)]
    """0 where the request was too broken to tell."""
    code: RefusalCode
    """A word for programs."""
    says: str
    """The same in a sentence, for people."""
    field: str | None = None
    """The fault: with `bad_request` its path in the message, such as `$.action.card`; with others a field of the
    request, such as `decision`, or the option that would not do. None: the whole."""
    retry_after_ms: int | None = None
    """Milliseconds until the request would be heard, with `too_fast`, and with `wrong_passcode` after too many."""
    phrase: Phrase | None = None
    """`says` as a message of the catalogue, where `language` of `hello` wants it."""


class LobbySize(Struct, frozen=True, gc=False):
    """The size of the lobby, as of the last message of it. A new page is told at once."""

    tables: int
    """Tables that are as was asked for."""
    people: int
    """People here, or expected back."""
    pages: int
    """Pages that have such tables. People may have more."""


class LobbyState(Struct, frozen=True, tag_field="type", tag="lobby", omit_defaults=True, gc=False):
    """Tables and people: after `look` everything, in as many of these as it takes; then whatever changed."""

    tables: tuple[TableInfo, ...] = ()
    """New or changed."""
    people: tuple[PersonInfo, ...] = ()
    """New or changed."""
    closed: tuple[int, ...] = ()
    """Tables cleared away."""
    departed: tuple[str, ...] = ()
    """People gone."""
    begins: bool = False
    """Forget what you knew: this is the first message of a whole picture."""
    page: int | None = None
    """Page that it tells of, for a `look` that named one. The first of several pages `begins`."""
    size: LobbySize | None = None
    """Size of the lobby, for a `look` that named a page."""


class Turn(Struct, frozen=True, omit_defaults=True, gc=False):
    """The player whose decision it is, and how long they have. Everyone at the table is told the same."""

    seat: Seat
    """The player who is to move."""
    turn_ms: int | None = None
    """Left on the turn clock; None: no limit."""
    bank_ms: int | None = None
    """The time that the player has left for being disconnected; it runs only while they are."""
    paused_ms: int | None = None
    """While the game is paused: until it goes on by itself. The clocks stand still."""


class Question(Struct, frozen=True, omit_defaults=True, gc=False):
    """It is your move: answer with `act`, this number and one of the actions. `turn` of the same message has the time
    you have."""

    number: int
    """Grows by each decision of the table; an answer to an older one is `too_late`."""
    legal: tuple[Choice, ...]
    """Every action that will be accepted; no other will."""
    asks: str = ""
    """The question in words, where `words` of your `hello` wants them."""
    why: str = ""
    """The reason it is these actions and no others, in a sentence for whoever is new to the game; where you want
    words."""
    asks_phrase: Phrase | None = None
    """`asks` as a message of the catalogue, where `language` of your `hello` wants it."""
    why_phrase: Phrase | None = None
    """`why` as a message of the catalogue."""


AnsweredId = Annotated[int, Meta(ge=0, le=2**53 - 1, description="the id of the request that it answers; 0: of none")]


class TableSnapshot(Struct, frozen=True, tag_field="type", tag="table", omit_defaults=True, gc=False):
    """A table whole, as you see it: when you come to it, and when the events you missed are gone."""

    table: int
    viewer: Viewer
    """Your seat, or `gallery`."""
    number: int
    """The number of the last event this includes; the next one is one more."""
    info: TableInfo
    """The table."""
    view: GameView | None = None
    """None before the first game."""
    turn: Turn | None = None
    """The player whose decision it is; left out when nobody's."""
    board: tuple[str, ...] = ()
    """The view in sentences, the last of which says whose move it is; where `knows` of your `hello` does not have the
    family."""
    id: AnsweredId = 0
    """The id of your `sit` or `watch` that it answers: it was carried out."""
    decision: Question | None = None
    """The decision that waits for you."""


class Events(Struct, frozen=True, tag_field="type", tag="events", omit_defaults=True, gc=False):
    """The events at a table, and how it looks now."""

    table: int
    first: int
    """The number of the first of these events: one more than that of the last you were told of at this table."""
    events: tuple[Event, ...]
    """Listed in the order they happened; none, where only the table or the game looks different."""
    info: TableInfo | None = None
    """The table; left out when it is as before."""
    view: GameView | None = None
    """The game; left out when it is as before. With `views` `changes` it is also left out when it follows from the view
    before, these events and `turn`."""
    turn: Turn | None = None
    """The player whose decision it is. None beside a `view`: nobody's; without one: as before. Where a `view` is left
    out because it follows from these events, they tell."""
    moment: str = ""
    """The decision they are asked for, as `moment` of the view; with `turn`, where the view follows from the one
    before."""
    says: tuple[str, ...] = ()
    """A sentence for each of the events, in their order; where `knows` of your `hello` does not have the family."""
    board: tuple[str, ...] = ()
    """The view in sentences, with `says`; left out when it is as before."""
    id: AnsweredId = 0
    """The id of your request that it answers: it was carried out, and these events came of it."""
    decision: Question | None = None
    """The decision that waits for you now."""


class Decision(Struct, frozen=True, tag_field="type", tag="decision", omit_defaults=True, gc=False):
    """A decision as version 2 tells it, in a message of its own."""

    table: int
    decision: int
    """Grows by each decision of the table; an answer to an older one is `too_late`."""
    asks: str
    """The question in words."""
    legal: tuple[Choice, ...]
    """Every action that will be accepted; no other will."""
    turn_ms: int | None = None
    """Left on your turn clock, in milliseconds; None: no limit."""
    bank_ms: int | None = None
    """Left for being disconnected, in milliseconds."""
    why: str = ""
    """The reason it is these actions and no others, in a sentence for whoever is new to the game."""
    asks_phrase: Phrase | None = None
    """`asks` as a message of the catalogue."""
    why_phrase: Phrase | None = None
    """`why` as a message of the catalogue."""


class Invited(Struct, frozen=True, tag_field="type", tag="invited", omit_defaults=True):
    """Somebody asks you to a table: `sit` there, if you like, without its passcode. After a drop you are asked again,
    while there is a seat and you have not sat down."""

    table: int
    by: str
    """The player who asks."""
    info: TableInfo
    """The table."""
    seat: Seat | None = None
    """The seat they have in mind; None: any."""


class Analysis(Struct, frozen=True, tag_field="type", tag="analysis", omit_defaults=True):
    """Your decisions in a game that is over, against perfect play: what you knew then is all that was looked at. It
    comes in as many of these as it takes, each with the totals."""

    table: int
    game: int
    """Number of the game at the table, from 1; a rubber is one."""
    seat: Seat
    """Yours in it."""
    decisions: int = 0
    """Their number, in all messages: those with anything to decide."""
    cost: int = 0
    """Their cost together, in ten-thousandths of a game."""
    costly: int = 0
    """Number that cost a hundredth of a game or more."""
    worst: tuple[int, ...] = ()
    """The numbers of those that cost most, three at most, the dearest first."""
    reviewed: tuple[Reviewed, ...] = ()
    """Those in this message, in their order; whoever has the one numbered `decisions` has all."""
    flaw: str = ""
    """The reason there is none, in a sentence for people: something failed. Ask again later."""


class Recalled(Struct, frozen=True, tag_field="type", tag="recalled", omit_defaults=True):
    """A game that is over, as you saw it while you played, and its proofs. It comes in as many of these as it takes."""

    table: int
    game: int
    """Number of the game at the table, from 1; a rubber is one."""
    seat: Seat
    """Yours in it."""
    text: str = ""
    """A part of the game in Put notation: join the parts in their order. Tags for the date and the server are not in
    it."""
    part: int = 1
    """Its number, from 1."""
    parts: int = 1
    """Their number."""
    flaw: str = ""
    """The reason there is none, in a sentence for people: it is too long, or something failed."""


class Advice(Struct, frozen=True, tag_field="type", tag="advice", omit_defaults=True):
    """The best choice at a decision, by what you see. It may come when the decision is over."""

    id: RequestId
    """The id of the `coach` it answers."""
    table: int
    decision: int
    """The decision it is about."""
    choices: tuple[Weighed, ...] = ()
    """Every legal action, in the order in which it was offered; empty with a `flaw`, where perfect play is not known,
    and where nothing is to be chosen."""
    flaw: str = ""
    """The reason there is none, in a sentence for people: something failed. Ask again later."""
    reason: str = ""
    """The best choice, and the number that speaks for it, in a sentence: a chance where perfect play is known, else a
    count. Empty with a `flaw`, and where nothing is to be chosen."""


class Position(Struct, frozen=True, tag_field="type", tag="position", omit_defaults=True):
    """A position to practise on, from a game that perfect players might play. Answer with `grade`, or not at all."""

    id: RequestId
    """The id of the `drill` it answers."""
    game: str
    """The name of the rule set."""
    number: int = 0
    """It stands for this position of these rules, for ever on servers of this version."""
    seat: Seat = Seat(0)
    """Yours."""
    names: tuple[str, ...] = ()
    """Each player who plays, by seat."""
    view: GameView | None = None
    """Your view; None: with a `flaw`."""
    asks: str = ""
    """The question in words."""
    legal: tuple[Choice, ...] = ()
    """The actions you may take."""
    why: str = ""
    """The reason it is these actions and no others."""
    flaw: str = ""
    """The reason there is none, in a sentence for people: something failed. Ask again later."""


class Judgement(Struct, frozen=True, tag_field="type", tag="judgement", omit_defaults=True):
    """The worth of your answer to a position."""

    id: RequestId
    """The id of the `grade` it answers."""
    number: int
    """The position's."""
    judged: Judged | None = None
    """None: with a `flaw`."""
    flaw: str = ""
    """The reason there is none, in a sentence for people: the action is not legal there, or something failed."""


class Left(Struct, frozen=True, tag_field="type", tag="left", omit_defaults=True):
    """You are no longer at this table, though you did not ask for it. Who was away hears it only by the `tables` of
    their next `welcome`."""

    table: int
    says: str
    """The reason, for people."""
    phrase: Phrase | None = None
    """`says` as a message of the catalogue, where `language` of `hello` wants it."""


class Notice(Struct, frozen=True, tag_field="type", tag="notice", omit_defaults=True):
    """A word from the operator to everyone, or from the server to you: as that somebody guesses at your passcode."""

    says: str
    """Words for people."""
    phrase: Phrase | None = None
    """`says` as a message of the catalogue, where `language` of `hello` wants it."""


class Goodbye(Struct, frozen=True, tag_field="type", tag="goodbye", omit_defaults=True):
    """The server closes the connection after this."""

    code: Literal["bye", "draining", "protocol", "refused", "too_slow", "too_fast", "idle", "taken_over", "kicked"]
    """The reason, for programs."""
    says: str
    """The same in a sentence, for people."""
    refusal: RefusalCode | None = None
    """The fault of `hello`, with `refused`."""
    back_s: int | None = None
    """Seconds until the server expects to be back, with `draining`, if anybody knows. Seats and tokens stand."""
    phrase: Phrase | None = None
    """`says` as a message of the catalogue, where `language` of `hello` wants it."""


ServerMessage = (
    Welcome
    | Ok
    | Refused
    | LobbyState
    | TableSnapshot
    | Events
    | Decision
    | BlindSpan
    | Invited
    | Analysis
    | Recalled
    | Advice
    | Position
    | Judgement
    | Left
    | Notice
    | Goodbye
    | Ping
    | Pong
)
