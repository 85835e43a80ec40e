"""Messages of the wire: those of the client (requests, and the handshake), then those of the server.

On the wire a message is a map with its name in `type`. A field with a default may be left out. A request has an `id`
that the client chooses, and gets exactly one `ok` or `refused` with this id. `hello`, `push`, `ping`, `pong` and `bye`
have no id.

Longer than other modules, because it is the whole schema.
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
"""House player of an invitation without a name."""


class Seen(Struct, frozen=True, forbid_unknown_fields=True):
    """The last event that a client has received of a table."""

    table: TableId
    number: Annotated[int, Meta(ge=0, le=2**53 - 1)]
    """Number of the last event received."""


class ViewForm(StrEnum):
    """The way a client receives views of a game."""

    WHOLE = "whole"
    """`events` bring the whole view whenever it changes"""
    CHANGES = "changes"
    """`events` omit a view that follows from the events, and bring `moment` instead"""


class _FromClient(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False, tag_field="type"):
    """A message of the client. A server refuses fields that it does not know."""


class _Asking(_FromClient, frozen=True):
    """A request."""

    id: RequestId


class _AboutTable(_Asking, frozen=True):
    """A request about a table."""

    table: TableId


class _FromServer(Struct, frozen=True, omit_defaults=True, gc=False, tag_field="type"):
    """A message of the server. A client skips fields that it does not know."""


class Hello(_FromClient, frozen=True, tag="hello"):
    """The first message. It is answered by `welcome`, or by `goodbye`."""

    version: int
    """The protocol's version: 3; 2 is accepted, too."""
    name: ShortText = ""
    """Your name, 1 to 24 printable characters, unlike anyone else's here: others are refused as `bad_name`, and one of
    more than 128 is no `hello` at all. Two names that look alike count as the same name. Letters must belong to one
    alphabet, or to alphabets that are written together, such as Latin, kana and kanji. Ignored with a token."""
    password: Secret = ""
    """The server's password, if it has one; required with a token, too."""
    is_bot: bool = False
    """True for programs; everyone can see it. Ignored with a token."""
    openings: bool = False
    """Sent by clients of version 2; ignored."""
    knows: Annotated[tuple[ShortText, ...], Meta(max_length=REQUEST_ARRAY_ITEMS)] = ("put",)
    """The families of games for which you make your own text, named as in `welcome`. At tables of other families
    `events` and `table` include the server's text: `says` and `board`."""
    views: ViewForm = ViewForm.WHOLE
    """The way you want views. Games of families outside `knows` always come with whole views."""
    words: bool = True
    """Send text with decisions: `asks` and `why`, and `says` of each choice. Programs do without it."""
    language: ShortText = ""
    """The language of your user, such as `fr`. Decisions, refusals, notices and goodbyes then also come as messages of
    the catalogue: an identifier and arguments beside the English text. `advice`, `analysis`, `position` and
    `judgement`, which are made for you alone, come in this language. If `knows` is empty, all text comes in it."""
    client: ShortText = ""
    """The name of your software, for the operator's log."""
    offers: ShortText = ""
    """Digest of the `offers.json` that the server's own page has read. If it is current, `games` of `welcome` is
    empty."""
    token: Secret = ""
    """The token of an earlier `welcome`: resume as that person, at their tables."""
    seen: Annotated[tuple[Seen, ...], Meta(max_length=REQUEST_ARRAY_ITEMS)] = ()
    """Only with a token: the last event that you have of each table. You get the later events."""
    asked: Annotated[tuple[RequestId, ...], Meta(max_length=REQUEST_ARRAY_ITEMS)] = ()
    """Only with a token: ids of requests on the dropped connection that were never answered. Each is answered now: by
    its `ok`, or refused as `not_carried_out`, and then you may ask again. List an id in every `hello` until you have
    its answer; the server forgets an omitted id. New requests must use other ids."""
    incarnation: Counter = 0
    """Counter of your `hello`s: greater in each than in all before, also after a restart; continue from that of the
    last `welcome`. The server refuses a `hello` whose counter is not the greatest so far with `goodbye` `taken_over`:
    it arrived late, and the newer connection stays. 0: you do not count, and the `hello` that arrives last wins."""
    epoch: Counter = 0
    """Only with a token and `seen`: the `epoch` of your last `welcome`. It shows the server whether it has lost
    something that it sent you. Then it sends you a `notice`, and your tables whole."""


class Look(_Asking, frozen=True, tag="look"):
    """Look at the lobby: its tables and people now, then every change, until `look_away` or another `look`."""

    page: Annotated[int, Meta(ge=0, le=2**31)] | None = None
    """First page to send, from 0; left out: the whole lobby. A page has some thirty tables and people. An item stays on
    its page until it is gone."""
    pages: Annotated[int, Meta(ge=1, le=LOBBY_PAGES)] = 1
    """Number of pages, at most `lobby_pages` of the limits in `welcome`. Without that limit, omit `page`."""
    game: ShortText = ""
    """Only tables of this rule set; empty: all tables."""
    free: bool = False
    """Only tables that wait for players."""


class LookAway(_Asking, frozen=True, tag="look_away"):
    """Get no more changes of the lobby."""


class OpenTable(_Asking, frozen=True, tag="open"):
    """Open a table. `ok` has its number. You are not at the table yet, unless you ask for a `house`."""

    game: ShortText
    """The name of a rule set, such as `put-1674`."""
    seats: Annotated[int, Meta(ge=1, le=10)] = 2
    """Number of players: one of the `seats` that `welcome` lists for the rule set. Not every rule set allows two."""
    options: Options = {}
    """Options of the rule set; those left out take their defaults."""
    turn: Annotated[int, Meta(ge=0, le=86_400)] = 0
    """Seconds for each decision, at most `longest_turn` of `welcome`'s limits; 0: only the server's limit,
    `patience`."""
    bank: Annotated[int, Meta(ge=0, le=86_400)] = 300
    """Seconds a player may be disconnected during a game, in all, and at most `longest_bank`."""
    passcode: Secret = ""
    """Passcode to sit or watch; empty: a public table."""
    gallery: bool = True
    """True if spectators are allowed."""
    admits: Admits = Admits.ALL
    """The guests who may sit."""
    deals: ShortText = ""
    """Only for an exhibition: name of a sequence of packs, which come from a seed. Tables with the same name deal the
    same packs in the same order in their first games, and so on for later games, independent of how earlier games went;
    so each game begins with a draw for the deal. Elsewhere it is refused as `bad_option`."""
    house: ShortText = ""
    """One of the house players that `welcome` lists. You sit in the first seat, without a key, and house players take
    all others, so this request begins a game. The answer is that of `sit`. Empty: all seats are free."""


class Sit(_AboutTable, frozen=True, tag="sit"):
    """Take a seat. A spectator of the table then stops watching."""

    seat: SeatNumber | None = None
    """None: any free seat."""
    passcode: Secret = ""
    """The table's passcode, if it has one, and you neither opened the table nor were invited."""
    holds_key: bool = False
    """True if you keep the key of your cards at a blind table, and do your part of the deals with `blind`. False: the
    server holds the key, and can read your cards."""


class Stand(_AboutTable, frozen=True, tag="stand"):
    """Give up your seat; only while no game is in play."""


class Watch(_AboutTable, frozen=True, tag="watch"):
    """Join the gallery."""

    passcode: Secret = ""
    """The table's passcode, if it has one, and you neither opened the table nor were invited."""


class Leave(_AboutTable, frozen=True, tag="leave"):
    """Leave a table: the gallery or a seat. A game in play is given up, and the answer has its events. No `left`
    follows."""


class Resign(_AboutTable, frozen=True, tag="resign"):
    """Give the game up and keep the seat."""


class Invite(_AboutTable, frozen=True, tag="invite"):
    """Invite a house player, or a guest, into an empty seat. You must sit at the table, or have opened it."""

    seat: SeatNumber | None = None
    """None: any free seat."""
    house: ShortText = USUAL_HOUSE
    """One of the house players that `welcome` lists."""
    person: ShortText = ""
    """A guest, by name, in place of a house player. They get `invited`, and may sit without the passcode. An open
    invitation is not repeated, and the same guest cannot be invited more than a few times a minute (`too_fast`)."""


class Dismiss(_AboutTable, frozen=True, tag="dismiss"):
    """Send a house player away from its seat, if you sit at the table or opened it; or a guest, if you opened it. Only
    while no game is in play."""

    seat: SeatNumber | None = None
    """The seat of the house player."""
    person: ShortText = ""
    """A guest, by name, in place of a house player: a player or spectator. They get `left`, and cannot return to this
    table unless you invite them."""


class Again(_AboutTable, frozen=True, tag="again"):
    """Ask for another game; it starts when every seat has asked."""

    game: Counter = 0
    """Number of the game that you ask for: one more than `games` of the table's `info`. After this game has begun, the
    request is refused as `too_late`, so a late request agrees to no later game. 0: the next game."""


class Pause(_AboutTable, frozen=True, tag="pause"):
    """Ask for a pause of the game in play, or agree to one. It begins when every player has asked. Clocks then stop,
    and all players may disconnect and come back with their tokens."""

    minutes: Annotated[int, Meta(ge=0, le=PAUSE_MINUTES)] = 0
    """Maximum length, at most a month; then the clocks continue by themselves. The shortest that a player asked for
    counts. 0: the others' value, or an hour."""


class GoOn(_AboutTable, frozen=True, tag="go_on"):
    """Agree to continue after a pause. The game continues when every player has agreed."""


class Refresh(_AboutTable, frozen=True, tag="refresh"):
    """Get the current state of a table. The answer is an `events` message without events, with `info`, the whole `view`
    and `turn`. For clients that use `changes` and cannot apply one."""


class Act(_AboutTable, frozen=True, tag="act"):
    """Answer a decision. It cannot be taken back (Law 7)."""

    decision: Annotated[int, Meta(ge=1, le=2**53 - 1)]
    """The number of the decision."""
    action: Action
    """One of the decision's `legal` actions."""
    entry: EntryBytes = b""
    """The signed entry of this action, if you hold the key of your cards."""


class Blind(_AboutTable, frozen=True, tag="blind"):
    """Do your part of a blind deal: send your key, shuffle, give shares, or accuse a shuffle."""

    entry: EntryBytes
    """Signed by the key of your seat."""


class Say(_AboutTable, frozen=True, tag="say"):
    """Talk at a table. Players reach everyone there. Spectators reach only the gallery until the game is over."""

    text: LongText
    """1 to 400 printable characters."""


class Mute(_Asking, frozen=True, tag="mute"):
    """Stop hearing a person, anywhere, until your token ends. They are not told. Their talk comes as `said` with
    `muted`, without its text."""

    person: ShortText
    """Name of a person who is here or away."""
    on: bool = True
    """False: hear them again."""


class Block(_Asking, frozen=True, tag="block"):
    """Block a person until your token ends: you do not hear them, they cannot invite you, and they cannot come to a
    table that you opened. If they are already there, they stay."""

    person: ShortText
    """Name of a person who is here or away."""
    on: bool = True
    """False: end the block."""


class Analyse(_AboutTable, frozen=True, tag="analyse"):
    """Have your own decisions in the last game at a table compared with perfect play. The game must be over, and you
    must have played in it and still sit there. `ok` comes first, then `analysis` messages when they are ready, possibly
    during the next game. Only solved games can be analysed; others are refused as `not_solved`."""


class Recall(_AboutTable, frozen=True, tag="recall"):
    """Get the last game at a table as you saw it, in Put notation. The game must be over, and you must have played in
    it and still sit there. A player who was away at its end can get it in this way. `ok` comes first, then `recalled`
    messages when they are ready, possibly during the next game."""


class Coach(_AboutTable, frozen=True, tag="coach"):
    """Ask for the best choice at your current decision, in a game against house players only. `ok` comes first, then an
    `advice` when it is ready. The advice uses only what you see. It marks the game: `is_assisted` in the table's
    `info`, and in the server's history. Refused as `against_people` if another person plays."""


class Drill(_Asking, frozen=True, tag="drill"):
    """Ask for a position to practise on. `ok` comes first, then a `position` when it is ready. You need no table,
    nothing is stored, and no game is played. Refused as `not_solved` if perfect play is not known."""

    game: ShortText
    """The name of a rule set."""
    options: Options = {}
    """Options of the rule set; those left out take their defaults."""


class Grade(_Asking, frozen=True, tag="grade"):
    """Answer a `position`, and get a judgement. `ok` comes first, then a `judgement` when it is ready."""

    game: ShortText
    """The game of the position."""
    number: Annotated[int, Meta(ge=1, le=2**53 - 1)]
    """Number of the position."""
    action: Action
    """One of its `legal` actions."""
    options: Options = {}
    """The options of the position."""


class Push(_FromClient, frozen=True, tag="push"):
    """Get a notification by Web Push (RFC 8030) when a table waits for your move, while your page is closed or hidden.
    The page sends this after each `welcome`, and whenever it is shown or hidden. The latest counts, until you leave. It
    subscribes with the key at `/push-key` of the server, which is empty if the server has no push. There is no answer,
    except a `notice` if the server cannot send to the endpoint."""

    endpoint: Annotated[str, Meta(max_length=1_024)] = ""
    """Your browser's endpoint at its push service; empty: stop the notifications."""
    p256dh: ShortText = ""
    """The browser's public key, in base64url."""
    auth: ShortText = ""
    """The secret that the browser shares with the server, in base64url."""
    is_seen: bool = False
    """True if the page is shown now."""


class Ping(Struct, frozen=True, tag_field="type", tag="ping", gc=False):
    """Check that the peer is there. It answers with `pong` at once, even before `welcome` and before requests."""


class Pong(Struct, frozen=True, tag_field="type", tag="pong", gc=False):
    """I am."""


class Bye(_FromClient, frozen=True, tag="bye"):
    """End the session: you leave your tables at once, your token ends, and the server closes."""


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


class Welcome(_FromServer, frozen=True, tag="welcome"):
    """Answer to `hello`: you are connected."""

    version: int
    """Protocol version of the connection: the one you asked for."""
    server: str
    """The server's name."""
    name: str
    """Your name."""
    token: str
    """Token to resume with after a lost connection. Keep it secret: its holder can act as you."""
    limits: Limits
    """The actions you may take, and how fast."""
    games: tuple[GameOffer, ...]
    """The rule sets."""
    houses: tuple[HouseOffer, ...]
    """The house players."""
    tables: tuple[int, ...] = ()
    """Your tables, when you resumed; a `table` or `events` message follows for each."""
    incarnation: int = 0
    """The `incarnation` of your `hello`; if you do not count, one that the server chose."""
    epoch: int = 0
    """The server's last start, for your next `hello`."""


class Ok(_FromServer, frozen=True, tag="ok"):
    """The request with this id was carried out. If a message about its table follows from the request, that message has
    the `id`, and there is no `ok`."""

    id: RequestId
    """Id of the request."""
    table: int | None = None
    """The table opened, sat at or watched."""
    seat: Seat | None = None
    """The seat taken by `sit`, or by the house player of `invite`."""


class Refused(_FromServer, frozen=True, tag="refused"):
    """The request with this id was refused, and changed nothing."""

    id: Annotated[int, Meta(ge=0, le=2**53 - 1)]
    """0 if the id could not be read."""
    code: RefusalCode
    """A word for programs."""
    says: str
    """The reason in a sentence, for people."""
    field: str | None = None
    """Location of the fault. With `bad_request` the path in the message, such as `$.action.card`; otherwise a field of
    the request, such as `decision`, or the refused option. None: the whole request."""
    retry_after_ms: int | None = None
    """Milliseconds to wait before the next attempt, with `too_fast`, and with `wrong_passcode` after too many."""
    phrase: Phrase | None = None
    """`says` as a message of the catalogue, if `language` of `hello` is set."""


class LobbySize(Struct, frozen=True, gc=False):
    """Size of the lobby, as of the latest message about it. A new page is sent at once."""

    tables: int
    """Tables that match the `look`."""
    people: int
    """People here, or expected back."""
    pages: int
    """Pages with matching tables. There may be more pages with people."""


class LobbyState(_FromServer, frozen=True, tag="lobby"):
    """Tables and people: after `look` the whole state, in one or several messages; then each change."""

    tables: tuple[TableInfo, ...] = ()
    """New or changed."""
    people: tuple[PersonInfo, ...] = ()
    """New or changed."""
    closed: tuple[int, ...] = ()
    """Tables cleared away."""
    departed: tuple[str, ...] = ()
    """People gone."""
    begins: bool = False
    """Discard what you have: this is the first message of a whole state."""
    page: int | None = None
    """Page of this message, for a `look` with a page. The first of several pages has `begins`."""
    size: LobbySize | None = None
    """Size of the lobby, for a `look` with a page."""


class Turn(Struct, frozen=True, omit_defaults=True, gc=False):
    """The player who is to move, and their time. Everyone at the table gets the same."""

    seat: Seat
    """The player who is to move."""
    turn_ms: int | None = None
    """Time left on the turn clock; None: no limit."""
    bank_ms: int | None = None
    """Time for which the player may still be disconnected; it runs only while they are."""
    paused_ms: int | None = None
    """During a pause: time until the game continues by itself. The clocks stand still."""


class Question(Struct, frozen=True, omit_defaults=True, gc=False):
    """It is your move: answer with `act`, this number and one of the actions. `turn` beside it has your time."""

    number: int
    """Number of the decision, growing at the table. An answer to an older decision is refused as `too_late`."""
    legal: tuple[Choice, ...]
    """Every legal action; any other is refused."""
    asks: str = ""
    """The question in words, if `words` of your `hello` is set."""
    why: str = ""
    """Reason why these actions are legal, in a sentence for a beginner; if `words` of your `hello` is set."""
    asks_phrase: Phrase | None = None
    """`asks` as a message of the catalogue, if `language` of your `hello` is set."""
    why_phrase: Phrase | None = None
    """`why` as a message of the catalogue."""


AnsweredId = Annotated[int, Meta(ge=0, le=2**53 - 1, description="the id of the request that it answers; 0: of none")]


class TableSnapshot(_FromServer, frozen=True, tag="table"):
    """The whole state of a table: when you come to it, and when the events you missed are no longer kept."""

    table: int
    viewer: Viewer
    """Your seat, or `gallery`."""
    number: int
    """Number of the last event in this state; the next event is one more."""
    info: TableInfo
    """The table."""
    view: GameView | None = None
    """None before the first game."""
    turn: Turn | None = None
    """The player who is to move; left out if no player is."""
    board: tuple[str, ...] = ()
    """The view in sentences, the last about whose move it is. Only if the family is not in `knows` of your `hello`."""
    id: AnsweredId = 0
    """Id of your `sit` or `watch` that this answers: it was carried out."""
    decision: Question | None = None
    """Your current decision."""


class Events(_FromServer, frozen=True, tag="events"):
    """Events at a table, and its state after them."""

    table: int
    first: int
    """Number of the first event: one more than that of the last event you got from this table."""
    events: tuple[Event, ...]
    """Events in the order in which they happened; empty if only `info` or `view` changed."""
    info: TableInfo | None = None
    """The table; left out if unchanged."""
    view: GameView | None = None
    """The game; left out if unchanged, and with `views` `changes` also if it follows from the previous view, these
    events and `turn`."""
    turn: Turn | None = None
    """The player who is to move. None beside a `view`: no player. None without one: unchanged, unless these events
    change it."""
    moment: str = ""
    """The current decision, like `moment` of the view. Sent with `turn`, if the view follows from the previous one."""
    says: tuple[str, ...] = ()
    """A sentence for each event, in order. Only if the family is not in `knows` of your `hello`."""
    board: tuple[str, ...] = ()
    """The view in sentences, sent with `says`; left out if unchanged."""
    id: AnsweredId = 0
    """Id of your request that this answers: it was carried out, and caused these events."""
    decision: Question | None = None
    """Your new decision."""


class Decision(_FromServer, frozen=True, tag="decision"):
    """A decision as a message of its own, for version 2."""

    table: int
    decision: int
    """Number of the decision, growing at the table. An answer to an older decision is refused as `too_late`."""
    asks: str
    """The question in words."""
    legal: tuple[Choice, ...]
    """Every legal action; any other is refused."""
    turn_ms: int | None = None
    """Milliseconds left on your turn clock; None: no limit."""
    bank_ms: int | None = None
    """Left for being disconnected, in milliseconds."""
    why: str = ""
    """Reason why these actions are legal, in a sentence for a beginner."""
    asks_phrase: Phrase | None = None
    """`asks` as a message of the catalogue."""
    why_phrase: Phrase | None = None
    """`why` as a message of the catalogue."""


class Invited(_FromServer, frozen=True, tag="invited"):
    """A player invites you to a table: you may `sit` there without its passcode. After a lost connection the invitation
    is repeated, as long as a seat is free and you have not sat down."""

    table: int
    by: str
    """The player who invites you."""
    info: TableInfo
    """The table."""
    seat: Seat | None = None
    """The seat offered; None: any."""


class Analysis(_FromServer, frozen=True, tag="analysis"):
    """Your decisions in a finished game, compared with perfect play. Only what you knew at the time is used. It comes
    in one or several messages, each with the totals."""

    table: int
    game: int
    """Number of the game at the table, from 1; a rubber is one."""
    seat: Seat
    """Your seat in that game."""
    decisions: int = 0
    """Total number of decisions with a real choice."""
    cost: int = 0
    """Their cost together, in ten-thousandths of a game."""
    costly: int = 0
    """Number of decisions that cost a hundredth of a game or more."""
    worst: tuple[int, ...] = ()
    """Numbers of the costliest decisions, at most three, the costliest first."""
    reviewed: tuple[Reviewed, ...] = ()
    """Decisions in this message, in order. The message with the decision numbered `decisions` is the last."""
    flaw: str = ""
    """Reason why there is no analysis, in a sentence for people: an error occurred. Ask again later."""


class Recalled(_FromServer, frozen=True, tag="recalled"):
    """A finished game as you saw it while you played, with its proofs. It comes in one or several messages."""

    table: int
    game: int
    """Number of the game at the table, from 1; a rubber is one."""
    seat: Seat
    """Your seat in that game."""
    text: str = ""
    """A part of the game in Put notation: join the parts in order. Tags for the date and the server are missing."""
    part: int = 1
    """Number of this part, from 1."""
    parts: int = 1
    """Their number."""
    flaw: str = ""
    """Reason why there is no game, in a sentence for people: it is too long, or an error occurred."""


class Advice(_FromServer, frozen=True, tag="advice"):
    """The best choice at a decision, from what you see. It may arrive after the decision is over."""

    id: RequestId
    """Id of the `coach` that this answers."""
    table: int
    decision: int
    """The decision that the advice is for."""
    choices: tuple[Weighed, ...] = ()
    """Every legal action, in the order offered. Empty with a `flaw`, if perfect play is unknown, or without a
    choice."""
    flaw: str = ""
    """Reason why there is no advice, in a sentence for people: an error occurred. Ask again later."""
    reason: str = ""
    """The best choice and the figure that supports it, in a sentence: a chance if perfect play is known, otherwise a
    count. Empty with a `flaw`, and if there is no choice."""


class Position(_FromServer, frozen=True, tag="position"):
    """A position to practise on, from a game between perfect players. You may answer with `grade`."""

    id: RequestId
    """Id of the `drill` that this answers."""
    game: str
    """The name of the rule set."""
    number: int = 0
    """Permanent number of this position under these rules, on all servers of this version."""
    seat: Seat = Seat(0)
    """Yours."""
    names: tuple[str, ...] = ()
    """The players, by seat."""
    view: GameView | None = None
    """Your view; None: with a `flaw`."""
    asks: str = ""
    """The question in words."""
    legal: tuple[Choice, ...] = ()
    """The actions you may take."""
    why: str = ""
    """Reason why these actions are legal."""
    flaw: str = ""
    """Reason why there is no position, in a sentence for people: an error occurred. Ask again later."""


class Judgement(_FromServer, frozen=True, tag="judgement"):
    """The worth of your answer to a position."""

    id: RequestId
    """Id of the `grade` that this answers."""
    number: int
    """Number of the position."""
    judged: Judged | None = None
    """None: with a `flaw`."""
    flaw: str = ""
    """Reason why there is no judgement, in a sentence for people: the action is not legal there, or an error
    occurred."""


class Left(_FromServer, frozen=True, tag="left"):
    """You are no longer at this table, although you did not leave. A person who was away does not get this message;
    `tables` of their next `welcome` shows it."""

    table: int
    says: str
    """The reason, for people."""
    phrase: Phrase | None = None
    """`says` as a message of the catalogue, if `language` of `hello` is set."""


class Notice(_FromServer, frozen=True, tag="notice"):
    """A message from the operator to everyone, or from the server to you, such as that a person guesses your
    passcode."""

    says: str
    """Words for people."""
    phrase: Phrase | None = None
    """`says` as a message of the catalogue, if `language` of `hello` is set."""


class Goodbye(_FromServer, frozen=True, tag="goodbye"):
    """The server closes the connection after this."""

    code: Literal["bye", "draining", "protocol", "refused", "too_slow", "too_fast", "idle", "taken_over", "kicked"]
    """The reason, for programs."""
    says: str
    """The reason in a sentence, for people."""
    refusal: RefusalCode | None = None
    """The fault of `hello`, with `refused`."""
    back_s: int | None = None
    """Only with `draining`: seconds until the server expects to be back, if known. Seats and tokens are kept."""
    phrase: Phrase | None = None
    """`says` as a message of the catalogue, if `language` of `hello` is set."""


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
