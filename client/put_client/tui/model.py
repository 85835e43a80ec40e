"""Everything the screen shows, as one frozen value. Times are milliseconds of the local monotonic clock.

Only one part has the keyboard: the overlay if there is one, otherwise the lobby or the table.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Self

from msgspec import Struct
from msgspec.structs import replace

from put_client.fairness.fairness_text import Deals
from put_client.recording import Recording
from put_client.sdk.deal_checks import DealChecked, ProofStanding
from put_client.sdk.errors import Cheated
from put_client.tui.effects import NO_ID, Effect
from put_client.tui.widgets.canvas import Size
from put_protocol.cards import Card
from put_protocol.games.families import FAMILIES
from put_protocol.games.unions import Choice, Event
from put_protocol.games.unknown import UnknownAction, UnknownView
from put_protocol.messages import Act, Advice, Analysis, Decision, Invited, LobbySize, Look, Sit, Watch, Welcome
from put_protocol.offers import GameOffer
from put_protocol.seats import GALLERY, Direction, Seat, Viewer
from put_protocol.table_info import PersonInfo, TableInfo, TableState
from put_text.catalogue import say
from put_text.lessons import Lesson
from put_text.phrases import Speaker

USUAL_SIZE = Size(80, 24)
"""Size assumed until the terminal reports its own."""
LEAST = Size(60, 16)
"""Smallest size for a table with its cards, names and questions."""


def is_too_small(size: Size) -> bool:
    return size.width < LEAST.width or size.height < LEAST.height


LOG_ENTRIES = 500
"""Most log entries: several games. Older ones are dropped, so a client may run for a year."""

ENTRY_LENGTH = 1_000
"""Most characters of an entry: twice the longest hand of ten in words. A server may send 64 KiB."""

TALK_ENTRIES = 100
"""Most entries of talk, kept separately so that a long game does not displace them."""


EVENTS = 300
"""Most events stored of a hand; a correct server sends fewer."""

HANDS = 200
"""Hands kept of a game. A sitting has at most 99."""

SENTENCES = 400
"""Sentences kept of a game, for a board that has no words of its own."""


class Banner(Struct, frozen=True, kw_only=True):
    """A word in large letters."""

    word: str
    is_good: bool | None = None
    """True if it is good for us; None: for neither side, or unknown."""


class Travel(Struct, frozen=True, kw_only=True):
    """A card moving from its player to the middle of the table."""

    seat: Seat
    card: Card
    share: float = 0.0
    """Covered share of the way, from 0 to 1."""


class EntryKind(StrEnum):
    EVENT = "event"
    TALK = "talk"
    NOTE = "note"
    """Note of this client, such as: you sat down; the connection is back."""


class LogEntry(Struct, frozen=True, omit_defaults=True):
    text: str
    kind: EntryKind = EntryKind.EVENT
    begins: bool = False
    """A new hand or game begins here."""

    def shortened(self) -> Self:
        return self if len(self.text) <= ENTRY_LENGTH else replace(self, text=f"{self.text[: ENTRY_LENGTH - 4]} ...")


class TableLog(Struct, frozen=True, kw_only=True):
    entries: tuple[LogEntry, ...] = ()
    talk: tuple[LogEntry, ...] = ()
    noted: int = 0
    """Total number of entries, including dropped ones."""
    unread: int = 0
    """Other people's entries since the log was read."""
    unread_from: int = 0
    """Number of the first unread entry, counted as in `noted`; meaningless if there is none."""

    def note(self, *entries: LogEntry) -> Self:
        entries = tuple([entry.shortened() for entry in entries])
        kept = (*self.entries, *entries)[-LOG_ENTRIES:]
        talk = (*self.talk, *(entry for entry in entries if entry.kind is EntryKind.TALK))[-TALK_ENTRIES:]
        return replace(self, entries=kept, talk=talk, noted=self.noted + len(entries))

    def hear(self, entry: LogEntry) -> Self:
        """The log with another person's words added, unread."""
        first = self.unread_from if self.unread else self.noted
        return replace(self.note(entry), unread=self.unread + 1, unread_from=first)


class Clock(Struct, frozen=True, kw_only=True):
    """Seat to move and its time, from the server."""

    seat: Seat
    turn_ms: int | None
    bank_ms: int | None
    since: int
    """Time of the server's message."""
    is_away: bool = False
    """The player's bank runs then, and the turn clock stands."""
    paused_ms: int | None = None
    """During a pause: time until the game continues by itself. Other clocks stand still."""

    @property
    def _running(self) -> int | None:
        if self.paused_ms is not None:
            return self.paused_ms
        return self.bank_ms if self.is_away else self.turn_ms

    def left(self, now: int) -> int | None:
        """Milliseconds left on the running clock; None: no limit."""
        left = self._running
        return None if left is None else max(0, left - (now - self.since))

    def at(self, now: int) -> "Clock":
        """The same clock, as a message of this time would give it."""
        left = self.left(now)
        if self.paused_ms is not None:
            return replace(self, paused_ms=left, since=now)
        return replace(self, bank_ms=left, since=now) if self.is_away else replace(self, turn_ms=left, since=now)

    def turn_to(self, *, is_away: bool, now: int) -> "Clock":
        """The player goes away, or comes back."""
        return self if is_away == self.is_away else replace(self.at(now), is_away=is_away)


class ToldHand(Struct, frozen=True, kw_only=True):
    number: int
    events: tuple[Event, ...] = ()
    is_whole: bool = True
    """The hand was seen from its deal."""


class ToldGame(Struct, frozen=True, kw_only=True):
    """A game as seen here, hand by hand."""

    number: int = 0
    hands: tuple[ToldHand, ...] = ()
    sentences: tuple[str, ...] = ()
    """The events in words."""
    is_whole: bool = True
    """The game was seen from its start."""

    def with_event(self, event: Event, says: str, begins: int | None) -> Self:
        """The game after an event. `begins`: number of the hand that the event begins, if any."""
        told = replace(self, sentences=(*self.sentences, says)[-SENTENCES:])
        if begins is not None:
            return replace(told, hands=(*self.hands, ToldHand(number=begins, events=(event,)))[-HANDS:])
        if not self.hands:
            return told
        *before, last = self.hands
        return replace(told, hands=(*before, replace(last, events=(*last.events, event)[-EVENTS:])))


class AtTable(Struct, frozen=True, kw_only=True):
    info: TableInfo
    viewer: Viewer
    names: tuple[str, ...]
    """Names by seat; a departed player's name stays until another player sits there."""
    offer: GameOffer | None = None
    view: Struct | None = None
    """The game as we see it: a `GameView`, or one without a board here."""
    words: tuple[str, ...] = ()
    """The view in the server's sentences, if the server knows that we have none."""
    clock: Clock | None = None
    decision: Decision | None = None
    is_answered: bool = False
    """The decision was answered, and the server has not reported the result yet."""
    chosen: int | None = None
    """The legal action selected by the arrows."""
    log: TableLog = TableLog()
    outcome: str = ""
    """Last result in the game as a sentence; empty if the board shows it itself."""
    result: str = ""
    """Result of the last game, until the next begins."""
    ending: Banner | None = None
    travel: Travel | None = None
    """Only for the table being drawn."""
    told: ToldGame = ToldGame()
    recording: Recording | None = None
    """The game for saving; only if it was seen from its start."""
    checked: DealChecked | None = None
    """Proofs of the deal in play and the sitting so far; None: no deal yet."""
    deals: Deals = ()
    """Blind deals that we have seen here."""

    analysis: Analysis | None = None
    """Analysis of the last analysed game, as received so far."""
    awaits_analysis: bool = False
    """The analysis was requested, and is incomplete."""
    lessons: tuple[Lesson, ...] = ()
    """Open notes for beginners; the first is shown."""
    advice: Advice | None = None
    is_weighable: bool = False
    """We may request the analysis of the last game: we played it, one seat saw it all, and there was no refusal."""
    caught: Cheated | None = None
    """Set if the table cheated: no more moves are made here."""

    @property
    def id(self) -> int:
        return self.info.id

    @property
    def standing(self) -> ProofStanding | None:
        return None if self.checked is None else self.checked.standing

    @property
    def family(self) -> str:
        """Name of the game's family; empty: unknown."""
        if isinstance(self.view, UnknownView):
            return self.view.tag
        if self.view is not None:
            return str(self.view.__struct_config__.tag)
        return "" if self.offer is None else self.offer.family

    @property
    def direction(self) -> Direction:
        if self.offer is not None:
            return self.offer.direction
        family = FAMILIES.get(self.family)
        return Direction.CLOCKWISE if family is None else family.direction

    @property
    def order(self) -> tuple[Seat, ...]:
        """Seats in the order of play, from the bottom of the screen: ours or, in the gallery, seat 0."""
        first, seats = (0 if self.seat is None else self.seat), len(self.info.seats)
        return tuple(Seat((first + step) % seats) for step in range(seats))

    @property
    def seat(self) -> Seat | None:
        """Our seat; None: the gallery."""
        return None if self.viewer == GALLERY else self.viewer

    @property
    def is_playing(self) -> bool:
        """We sit here, and a game is in play, perhaps paused."""
        return self.seat is not None and self.info.is_in_play

    @property
    def is_paused(self) -> bool:
        return self.info.state is TableState.PAUSED

    @property
    def has_asked(self) -> bool:
        """We have joined the request for a pause; or, during a pause, we are ready to continue."""
        return self.info.pause is not None and self.seat in self.info.pause.seats

    @property
    def is_between(self) -> bool:
        """We sit here, and a game is over."""
        return self.seat is not None and not self.info.is_in_play and self.info.games > 0

    @property
    def agrees(self) -> bool:
        return self.seat is not None and self.info.seats[self.seat].agrees

    @property
    def has_empty_seat(self) -> bool:
        return any(seat.name is None for seat in self.info.seats)

    @property
    def is_asked(self) -> bool:
        """We are to decide, and have not."""
        return self.decision is not None and not self.is_answered and self.caught is None

    @property
    def legal(self) -> tuple[Choice, ...]:
        return self.decision.legal if self.decision is not None and self.is_asked else ()

    @property
    def is_noted(self) -> bool:
        """True if a note covers the table: for beginners, or the coach's advice."""
        return self.advice is not None or bool(self.lessons)

    @property
    def is_against_house(self) -> bool:
        others = [info for seat, info in enumerate(self.info.seats) if seat != self.seat]
        return self.seat is not None and all(info.is_house for info in others)

    def name(self, seat: Seat) -> str:
        name = self.names[seat] if seat < len(self.names) else ""
        return name or say("words-seat", number=seat + 1)

    @property
    def speaker(self) -> Speaker:
        return Speaker(self.names, self.viewer)

    def note(self, *entries: LogEntry) -> Self:
        return replace(self, log=self.log.note(*entries))


LOOKED_AT = 10
"""Pages of the lobby to look at: most lobbies have fewer."""


class LobbyModel(Struct, frozen=True, kw_only=True):
    tables: tuple[TableInfo, ...] = ()
    """Tables in the order of their numbers."""
    people: tuple[PersonInfo, ...] = ()
    """People in the order of their names."""
    selected_table: int | None = None
    wanted: str = ""
    """List only tables with all of these words; empty: all tables."""
    page: int = 0
    size: LobbySize | None = None
    """None: we look at the whole lobby."""

    @property
    def has_more(self) -> bool:
        return self.size is not None and self.size.pages > self.page + LOOKED_AT

    @property
    def is_part(self) -> bool:
        """True if there are tables outside our pages."""
        return self.has_more or self.page > 0

    @property
    def listed(self) -> tuple[TableInfo, ...]:
        words = self.wanted.casefold().split()
        return tuple(table for table in self.tables if all(word in _words_of(table) for word in words))

    @property
    def table(self) -> TableInfo | None:
        return next((table for table in self.listed if table.id == self.selected_table), None)


def _words_of(table: TableInfo) -> str:
    """Words for finding a table: number, rules, players, and whether a seat is free."""
    free = "free" if any(seat.name is None for seat in table.seats) and not table.is_in_play else ""
    return " ".join([str(table.id), table.game, free, *(seat.name or "" for seat in table.seats)]).casefold()


class PromptKind(StrEnum):
    COMMAND = "command"
    TALK = "talk"
    PASSCODE = "passcode"
    FILTER = "filter"


class Typing(Struct, frozen=True, kw_only=True):
    prompt: PromptKind
    text: str = ""
    at: int = 0
    """Characters left of the cursor."""
    request: Sit | Watch | None = None


class Confirm(Struct, frozen=True, kw_only=True):
    question: str
    says: str
    effects: tuple[Effect, ...]
    by_enter: bool = False
    """Enter also means yes. False for giving something up, because a held key would confirm it."""
    game: int | None = None
    """Number of the game that yes would give up. When it is over, the question ends."""

    @property
    def act(self) -> Act | None:
        """The answer to a decision that it confirms."""
        return next((effect for effect in self.effects if isinstance(effect, Act)), None)


class PageKind(StrEnum):
    HELP = "help"
    RULES = "rules"
    STORY = "story"
    DEAL = "deal"
    ANALYSIS = "analysis"
    LOG = "log"


class Help(Struct, frozen=True, kw_only=True):
    page: PageKind = PageKind.HELP
    down: int | None = 0
    """None: at its end, also when more lines come."""
    unread_from: int | None = None
    """First unread entry when the log's page was opened."""
    deal: int | None = None
    """Number of the deal on the page; None: the deal in play."""


class HouseMenu(Struct, frozen=True, kw_only=True):
    """The house player to invite or, in the lobby, to play with at a new table."""

    at: int = 0


class FieldKind(StrEnum):
    CHOICE = "choice"
    NUMBER = "number"
    TEXT = "text"


class FormField(Struct, frozen=True, kw_only=True):
    name: str
    label: str
    meaning: str
    kind: FieldKind
    value: str | int
    values: Sequence[str | int] = ()
    """Values of a choice; of a number, those that the arrows step through."""
    least: int = 0
    most: int = 0
    is_option: bool = False
    is_fresh: bool = True
    """The next digit begins a new number."""


class OpenForm(Struct, frozen=True, kw_only=True):
    fields: tuple[FormField, ...]
    at: int = 0
    hidden: tuple[FormField, ...] = ()
    """Fields that few people change, shown by the line for more."""

    @property
    def field(self) -> FormField:
        return self.fields[self.at]

    def value(self, name: str) -> str | int:
        return next(f.value for f in (*self.fields, *self.hidden) if f.name == name)


Overlay = Typing | Confirm | Help | HouseMenu | OpenForm


class Moment(Struct, frozen=True, kw_only=True):
    """Something drawn for a while at the table. The model already has the state after it."""

    since: int
    until: int
    hand: AtTable | None = None
    """A finished hand, which stays on the screen while the game continues."""
    travel: Travel | None = None
    banner: Banner | None = None


class Model(Struct, frozen=True, kw_only=True):
    welcome: Welcome
    lobby: LobbyModel = LobbyModel()

    def look(self, page: int = 0) -> Look:
        """Request to look at the lobby from a page on, with the wanted filter if the server supports it."""
        if not self.welcome.limits.lobby_pages:
            return Look(NO_ID)
        words = self.lobby.wanted.split()
        game = next((offer.name for offer in self.welcome.games if offer.name in words), "")
        return Look(NO_ID, page, min(LOOKED_AT, self.welcome.limits.lobby_pages), game, "free" in words)

    table: AtTable | None = None
    """None: the lobby is shown."""
    overlay: Overlay | None = None
    notice: str = ""
    """A refusal or an operator's message; removed by the next key, or after reading time."""
    noticed: int | None = None
    """Time of the notice. None: it came before the first frame and stays until a key, because it may be about a new
    server's key."""
    lost: str | None = None
    """While disconnected: what the client is doing about it."""
    invitation: Invited | None = None
    """The last invitation, while it can be accepted."""
    house: str = ""
    """House player to invite to the table being opened."""
    kept: tuple[LogEntry, ...] = ()
    """Log of the table to which we return, from an earlier run."""
    has_motion: bool = False
    moments: tuple[Moment, ...] = ()
    """One after another."""
    back: str = ""
    """Command to return to the seat; empty: seats do not outlive the program."""
    confirms: bool = True
    """Putting, seeing and throwing in ask once more."""
    coaches: bool = False
    """Ask the coach at every decision, if allowed."""
    keys: tuple[tuple[str, str], ...] = ()
    """Commands and actions with changed keys, as in `keys`."""
    size: Size = USUAL_SIZE
    """Screen size, only for turning pages. No view depends on it."""

    def offer_of(self, game: str) -> GameOffer | None:
        return next((offer for offer in self.welcome.games if offer.name == game), None)

    def offer_at(self, info: TableInfo) -> GameOffer | None:
        """The offer of a table's rule set, with the rules under its options."""
        offer = self.offer_of(info.game)
        return None if offer is None else offer.under(info.options)


Step = tuple[Model, tuple[Effect, ...]]
"""The next model, and its effects."""


def card_of(action: Struct) -> Card | None:
    """The card that an action is about: its `card` in every family."""
    card = action.values.get("card") if isinstance(action, UnknownAction) else getattr(action, "card", None)
    return Card(card) if isinstance(card, str) else None


def options_in_words(options: Mapping[str, str | int], offer: GameOffer | None) -> tuple[str, ...]:
    """Each option with its value and, if known, its meaning; without default values."""
    known = {} if offer is None else {option.name: option for option in offer.options}
    said = []
    for name, value in options.items():
        option = known.get(name)
        if value != ("" if option is None else option.default):
            meaning = "" if option is None else f" ({option.meaning})"
            said.append(f"{name.replace('_', ' ')} {value}{meaning}")
    return tuple(said) or (say("screen-options-usual"),)


def hand_of(table: AtTable) -> tuple[Card, ...]:
    """Our cards: the view's `cards` in every family."""
    cards = getattr(table.view, "cards", ())
    return tuple(cards) if isinstance(cards, tuple | list) else ()
