"""Everything the screen shows, as one frozen value. Times are milliseconds of the local monotonic clock.

What has the keyboard is one thing at a time: the overlay if there is one, else the lobby or the table.
"""

from collections.abc import Mapping
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
from put_protocol.games.unions import Choice
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
"""Below this a table with its cards, names and questions does not fit."""


def is_too_small(size: Size) -> bool:
    return size.width < LEAST.width or size.height < LEAST.height


LOG_ENTRIES = 500
"""Kept: several games. Older ones are forgotten, so a client may run for a year."""

ENTRY_LENGTH = 1_000
"""Characters kept of an entry: the longest hand of ten in words has half of it. A server may send 64 KiB."""

TALK_ENTRIES = 100
"""Kept of talk by itself, so that a long silence does not bury what was said."""


class Banner(Struct, frozen=True, kw_only=True):
    """A word in large letters."""

    word: str
    is_good: bool | None = None
    """True if it is good for us; None: for neither side, or not known yet."""


class Travel(Struct, frozen=True, kw_only=True):
    """A card on its way from who played it to the middle of the table."""

    seat: Seat
    card: Card
    share: float = 0.0
    """Share of the way that is behind the card, from 0 to 1."""


class Motion(Struct, frozen=True, kw_only=True):
    """Movement on the table. The model already holds the end of it."""

    since: int
    travel: Travel | None = None
    banner: Banner | None = None


class EntryKind(StrEnum):
    EVENT = "event"
    TALK = "talk"
    NOTE = "note"
    """Note of this client: you sat down, the connection is back."""


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
    """Entries it has had in all, with those that it has forgotten."""
    unread: int = 0
    """Entries of other people since it was read."""
    unread_from: int = 0
    """The number of the first entry of these, counted as `noted` counts; means nothing while none is unread."""

    def note(self, *entries: LogEntry) -> Self:
        entries = tuple([entry.shortened() for entry in entries])
        kept = (*self.entries, *entries)[-LOG_ENTRIES:]
        talk = (*self.talk, *(entry for entry in entries if entry.kind is EntryKind.TALK))[-TALK_ENTRIES:]
        return replace(self, entries=kept, talk=talk, noted=self.noted + len(entries))

    def hear(self, entry: LogEntry) -> Self:
        """The log with another person's words, unread."""
        first = self.unread_from if self.unread else self.noted
        return replace(self.note(entry), unread=self.unread + 1, unread_from=first)


class Clock(Struct, frozen=True, kw_only=True):
    """Seat to decide and its time, as the server said it."""

    seat: Seat
    turn_ms: int | None
    bank_ms: int | None
    since: int
    """Time of the server's message."""
    is_away: bool = False
    """The player's bank runs then, and the turn clock stands."""
    paused_ms: int | None = None
    """While the game is paused: until it goes on by itself. Nothing else runs then."""

    @property
    def is_running(self) -> bool:
        return self._running is not None

    @property
    def _running(self) -> int | None:
        if self.paused_ms is not None:
            return self.paused_ms
        return self.bank_ms if self.is_away else self.turn_ms

    def left(self, now: int) -> int | None:
        """Milliseconds left of what runs; None: no limit."""
        left = self._running
        return None if left is None else max(0, left - (now - self.since))

    def turn_to(self, *, is_away: bool, now: int) -> "Clock":
        """The player goes away, or comes back."""
        if is_away == self.is_away:
            return self
        if self.paused_ms is not None:
            return replace(self, is_away=is_away)
        left = self.left(now)
        if self.is_away:
            return replace(self, is_away=False, bank_ms=left, since=now)
        return replace(self, is_away=True, turn_ms=left, since=now)


class AtTable(Struct, frozen=True, kw_only=True):
    info: TableInfo
    viewer: Viewer
    names: tuple[str, ...]
    """Names by seat; a player who left keeps their name until another player sits there."""
    offer: GameOffer | None = None
    view: Struct | None = None
    """The game as we see it: a `GameView`, or one for which there is no board here."""
    words: tuple[str, ...] = ()
    """The view in the server's sentences, where the server knows that we have none."""
    clock: Clock | None = None
    decision: Decision | None = None
    is_answered: bool = False
    """The decision was answered and the server has not said what came of it."""
    chosen: int | None = None
    """The legal action that the arrows stand on."""
    log: TableLog = TableLog()
    outcome: str = ""
    """Last outcome in the game as a sentence; empty if the board shows it itself."""
    result: str = ""
    """Result of the last game, until the next begins."""
    ending: Banner | None = None
    """The same in a word."""
    travel: Travel | None = None
    """Only of a table that is being drawn."""
    memory: object = None
    """Memory of the family's board. No other board can read it."""
    recording: Recording | None = None
    """The same to be written down; only of a game that we saw from its start."""
    checked: DealChecked | None = None
    """The proof so far of the deal in play and the sitting; None: nothing was dealt yet."""
    deals: Deals = ()
    """Those that were dealt blind here while we were."""
    analysis: Analysis | None = None
    """Analysis of the last game that was weighed, as far as it has arrived."""
    awaits_analysis: bool = False
    """It is asked for, and not all of it has come."""
    lessons: tuple[Lesson, ...] = ()
    """Notes for beginners that were not closed yet; the first is shown."""
    advice: Advice | None = None
    is_weighable: bool = False
    """Our decisions in the last game may be asked for: we played it, somebody has seen all we saw, and nothing was
    refused."""
    caught: Cheated | None = None
    """The dealer was; nothing is played here any more."""

    @property
    def id(self) -> int:
        return self.info.id

    @property
    def standing(self) -> ProofStanding | None:
        return None if self.checked is None else self.checked.standing

    @property
    def family(self) -> str:
        """The name of the family that is played here; empty where the server has not told it."""
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
        """The seats in the order of play, from the bottom of the screen: ours or, in the gallery, seat 0."""
        first, seats = (0 if self.seat is None else self.seat), len(self.info.seats)
        return tuple(Seat((first + step) % seats) for step in range(seats))

    @property
    def seat(self) -> Seat | None:
        """Ours; None in the gallery."""
        return None if self.viewer == GALLERY else self.viewer

    @property
    def is_playing(self) -> bool:
        """We sit here, and a game is in play, even if it rests."""
        return self.seat is not None and self.info.is_in_play

    @property
    def is_paused(self) -> bool:
        return self.info.state is TableState.PAUSED

    @property
    def has_asked(self) -> bool:
        """We ask for the pause that others ask for too; or once it is on, we are ready to go on."""
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
        """A note lies over the table: one for beginners, or the coach's advice."""
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
"""Pages of the lobby that we look at: most lobbies have fewer."""


class LobbyModel(Struct, frozen=True, kw_only=True):
    tables: tuple[TableInfo, ...] = ()
    """Tables in the order of their numbers."""
    people: tuple[PersonInfo, ...] = ()
    """People in the order of their names."""
    selected: int | None = None
    """The number of a table."""
    wanted: str = ""
    """Only tables that have all of these words are listed; empty: all are."""
    page: int = 0
    size: LobbySize | None = None
    """None: we look at the whole lobby."""

    @property
    def has_more(self) -> bool:
        return self.size is not None and self.size.pages > self.page + LOOKED_AT

    @property
    def is_part(self) -> bool:
        """True if there are tables that we do not look at."""
        return self.has_more or self.page > 0

    @property
    def listed(self) -> tuple[TableInfo, ...]:
        words = self.wanted.casefold().split()
        return tuple(table for table in self.tables if all(word in _words_of(table) for word in words))

    @property
    def table(self) -> TableInfo | None:
        return next((table for table in self.listed if table.id == self.selected), None)


def _words_of(table: TableInfo) -> str:
    """The words by which a table is found: its number and rules, its players, and whether a seat is free."""
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
    """Enter means yes, too. Not where yes gives something up: who holds the key down is not asked."""
    game: int | None = None
    """The number of the game that yes gives up: when it is over there is nothing to ask."""

    @property
    def act(self) -> Act | None:
        """The answer to a decision it is about."""
        return next((effect for effect in self.effects if isinstance(effect, Act)), None)


class PageKind(StrEnum):
    HELP = "help"
    RULES = "rules"
    STORY = "story"
    DEAL = "deal"
    ANALYSIS = "analysis"
    LOG = "log"


class Help(Struct, frozen=True, kw_only=True):
    """A page, scrolled so many lines down."""

    page: PageKind = PageKind.HELP
    down: int | None = 0
    """None: at its end, and there it stays when more comes."""
    unread_from: int | None = None
    """First entry that was unread when the page of the log opened."""
    deal: int | None = None
    """Number of the deal on its page; None: the deal in play."""


class HouseMenu(Struct, frozen=True, kw_only=True):
    """The house player to invite; in the lobby, to play with at a new table."""

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
    values: tuple[str | int, ...] = ()
    """All values of a choice; of a number, those that the arrows step through."""
    least: int = 0
    most: int = 0
    is_option: bool = False
    """It is the rule set's."""
    is_fresh: bool = True
    """The next digit begins a new number."""


class OpenForm(Struct, frozen=True, kw_only=True):
    fields: tuple[FormField, ...]
    at: int = 0
    hidden: tuple[FormField, ...] = ()
    """Those that few people change, until the line for more is turned."""

    @property
    def field(self) -> FormField:
        return self.fields[self.at]

    def value(self, name: str) -> str | int:
        return next(f.value for f in (*self.fields, *self.hidden) if f.name == name)


Overlay = Typing | Confirm | Help | HouseMenu | OpenForm


class HeldHand(Struct, frozen=True, kw_only=True):
    """A finished hand, which is looked at while the game goes on. Only what is drawn waits."""

    table: AtTable
    since: int
    until: int
    banner: Banner | None = None


class Model(Struct, frozen=True, kw_only=True):
    welcome: Welcome
    lobby: LobbyModel = LobbyModel()

    def look(self, page: int = 0) -> Look:
        """Request to look at the lobby from a page on, at the tables that are wanted if the server can choose them."""
        if not self.welcome.limits.lobby_pages:
            return Look(NO_ID)
        words = self.lobby.wanted.split()
        game = next((offer.name for offer in self.welcome.games if offer.name in words), "")
        return Look(NO_ID, page, min(LOOKED_AT, self.welcome.limits.lobby_pages), game, "free" in words)

    table: AtTable | None = None
    """None: we are in the lobby."""
    overlay: Overlay | None = None
    notice: str = ""
    """A refusal, or the operator's word; gone with the next key, or when there was time to read it."""
    noticed: int | None = None
    """Time of the notice. None: it came before the first frame and stays until a key, for it may be the key
    of a new server."""
    lost: str | None = None
    """While the connection is lost: what is done about it."""
    invitation: Invited | None = None
    """The last, while it can be accepted."""
    house: str = ""
    """The house player that is invited to the table that is being opened."""
    kept: tuple[LogEntry, ...] = ()
    """The log of the table to which we come back, from before the program ended."""
    hold_ms: int = 0
    """Time that a finished hand is looked at."""
    moves: bool = False
    """Things may move on this screen."""
    held: HeldHand | None = None
    motion: Motion | None = None
    back: str = ""
    """Command that brings a player back to their seat; empty: no seat outlives the program."""
    confirms: bool = True
    """Putting, seeing and throwing in ask once more."""
    coaches: bool = False
    """The coach is asked at every decision, where that may be."""
    keys: tuple[tuple[str, str], ...] = ()
    """Commands and actions with keys other than their own, as `keys` has them."""
    size: Size = USUAL_SIZE
    """Size of the screen, for turning pages only. No view depends on it."""

    def offer_of(self, game: str) -> GameOffer | None:
        return next((offer for offer in self.welcome.games if offer.name == game), None)

    def offer_at(self, info: TableInfo) -> GameOffer | None:
        """The same of the rule set of a table, with the rules as its options have them."""
        offer = self.offer_of(info.game)
        return None if offer is None else offer.under(info.options)

    def title_of(self, game: str) -> str:
        offer = self.offer_of(game)
        return game if offer is None else offer.title


def card_of(action: Struct) -> Card | None:
    """The card of our hand that an action is about: in every family its `card`."""
    card = action.values.get("card") if isinstance(action, UnknownAction) else getattr(action, "card", None)
    return Card(card) if isinstance(card, str) else None


def options_in_words(options: Mapping[str, str | int], offer: GameOffer | None) -> tuple[str, ...]:
    """Each option with its value and, where the server tells it, its meaning; without those that are as usual."""
    known = {} if offer is None else {option.name: option for option in offer.options}
    said = []
    for name, value in options.items():
        option = known.get(name)
        if value != ("" if option is None else option.default):
            meaning = "" if option is None else f" ({option.meaning})"
            said.append(f"{name.replace('_', ' ')} {value}{meaning}")
    return tuple(said) or (say("screen-options-usual"),)


def hand_of(table: AtTable) -> tuple[Card, ...]:
    """Our cards: in every family the `cards` of the view."""
    cards = getattr(table.view, "cards", ())
    return tuple(cards) if isinstance(cards, tuple | list) else ()
