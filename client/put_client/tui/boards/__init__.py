"""The boards: parts of the screen that depend on the family of games.

The rest of the screen calls `board_of(table)`, and uses no type of a family. A board's memory between two views is
`AtTable.memory`, which only that board reads. A family without an entry in `BOARDS` has the plain `Board`: it shows the
players, the viewer's cards, and the view in sentences, from the server if this client has none. The actions are at
their usual place, in the server's words, so that any game can be played.

A family's board is a subclass, in a separate module or package. It is loaded with the first game of its family, because
loading three boards would take longer than drawing the first screen.
"""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from string import ascii_lowercase
from typing import NamedTuple

from msgspec import Struct, structs
from msgspec.structs import replace

from put_client.tui.model import AtTable, Banner, LogEntry, Travel, card_of, hand_of, options_in_words
from put_client.tui.widgets.canvas import Canvas, Fragment, Line, columns_of, cut, width_of, wrapped
from put_client.tui.widgets.card_faces import sign_of, style_of
from put_client.tui.widgets.theme import ALARM, FAINT, PLAIN, STRONG, TURN, Theme
from put_protocol.games.unions import Choice, Event, ending_of
from put_protocol.games.unknown import UnknownAction, UnknownEvent, UnknownView
from put_protocol.offers import GameOffer
from put_protocol.seats import Direction, Seat
from put_protocol.table_events import GameOver, LeftGame
from put_protocol.table_info import TableState
from put_protocol.text import capitalized
from put_text.catalogue import say
from put_text.presenters import format_view

NAME_COLUMNS = 24

LEAST_NAME = 12
"""Shortest width for a longer name, before other details are left out."""

MOST_SENTENCES = 400


class Pressed(NamedTuple):
    place: int
    """Index of the action in the list."""
    is_done: bool
    """True: do the action. False: only choose it."""


class ToldGame(Struct, frozen=True):
    number: int
    sentences: tuple[str, ...] = ()
    is_whole: bool = True
    """True if the story begins with the game."""


class Board:
    """Screen parts of one family. A board has no state; its memory is `AtTable.memory`."""

    grave: tuple[type[Struct], ...] = ()
    """Actions that need a confirmation, because they decide a hand or a game."""
    asked_before: str = "screen-grave"
    """Message that names these actions, after "before you"."""

    def draw(self, canvas: Canvas, table: AtTable, width: int, height: int) -> None:
        """Draw the field: this many columns and lines below the header. If it is narrower than the canvas, panes are to
        its right. If space is short, parts at the end are omitted."""
        theme, inside, view = canvas.theme, width - 2, table.view
        lines = [*_players(canvas, table), ()]
        if table.result and not table.info.is_in_play:
            lines += [*wrapped(table.result, inside, STRONG), ()]
        if view is None:
            lines += rules_in_short(table, inside)
        if hand := hand_of(table):  # first of all, so that they are not left out
            lines += [tuple([(style_of(card), f"{sign_of(theme, card)} ") for card in hand]), ()]
        own = () if view is None else format_view(view, table.names, table.viewer)
        for sentence in table.words or own:
            lines += wrapped(sentence, inside)
        if len(lines) > height:
            lines = [*lines[: height - 1], ((FAINT, theme.ellipsis),)]
        canvas.put_lines(1, 1, lines, width=inside)

    def least_height(self, table: AtTable, width: int) -> int:
        """Least height of the field at this width; the log uses the rest."""
        return 12

    def tricks_height(self, table: AtTable) -> int:
        """Height of the pane of tricks, constant during a hand; 0: no pane."""
        return 0

    def draw_tricks(self, canvas: Canvas, x: int, y: int, width: int, height: int, table: AtTable) -> None:
        """The pane of tricks."""

    def ranking(self, table: AtTable) -> tuple[str, ...]:
        """The cards, best first, if their order should be shown."""
        return ()

    def place(self, table: AtTable) -> str:
        """The place in the game, for the header."""
        hand = values_of(table.view).get("hand")
        return say("screen-hand", number=hand) if isinstance(hand, int) and hand and table.info.is_in_play else ""

    def waiting(self, table: AtTable) -> str:
        """The decision that another player must make."""
        seat = getattr(table.view, "to_move", None)
        if not isinstance(seat, int) or not 0 <= seat < len(table.info.seats):
            return waiting_for_deal(table)
        name = table.name(Seat(seat))
        return say("screen-away", name=name) if table.info.seats[seat].is_away else self.thinking(table, name)

    def thinking(self, table: AtTable, name: str) -> str:
        """The decision of this player, who is here."""
        return say("screen-thinking", name=name)

    def label(self, table: AtTable, choice: Choice, theme: Theme) -> Fragment:
        """A legal action in a word or two: its card, or the beginning of the server's words."""
        card = card_of(choice.action)
        if card is not None:
            return style_of(card), sign_of(theme, card)
        return PLAIN, choice.says.partition(":")[0].partition(",")[0].strip() or tag_of(choice.action)

    def in_order(self, table: AtTable, legal: tuple[Choice, ...]) -> tuple[Choice, ...]:
        """The legal actions in display order."""
        return legal

    def action_keys(
        self, table: AtTable, letters: Mapping[str, str], taken: frozenset[str]
    ) -> tuple[tuple[str, Choice], ...]:
        """A key for each legal action: a digit, or a letter after nine of them; empty: no key, only arrows. `letters`:
        of actions, by tag; `taken`: keys with other meanings."""
        free = [*"123456789", *(letter for letter in ascii_lowercase if letter not in taken)]
        keys = [*free, *[""] * len(table.legal)]
        return tuple(zip(keys, table.legal, strict=False))

    def pressed(self, table: AtTable, key: str, keyed: tuple[tuple[str, Choice], ...]) -> Pressed | None:
        """The legal action of a key; of several with this key, the next one. None: no action has it."""
        places = [place for place, (name, _) in enumerate(keyed) if name == key]
        if not places:
            return None
        if len(places) == 1:
            return Pressed(places[0], is_done=True)
        chosen = -1 if table.chosen is None else table.chosen
        return Pressed(next((place for place in places if place > chosen), places[0]), is_done=False)

    def keys_explained(self, table: AtTable, letters: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
        """Keys of actions and what they do, for the help."""
        return ((say("keys-digits-letters"), say("keys-listed")),)

    def marks(self, common: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
        """Words and signs on the screen, for the help, including those of every game."""
        return common

    def has_story(self, table: AtTable) -> bool:
        return isinstance(table.memory, ToldGame) and bool(table.memory.sentences)

    def story_page(self, table: AtTable, width: int, theme: Theme) -> list[Line]:
        """The game as played, in lines of at most this width."""
        told = table.memory
        if not isinstance(told, ToldGame) or not told.sentences:
            return [((PLAIN, say("screen-nothing-played")),)]
        lines: list[Line] = [] if told.is_whole else [((FAINT, say("screen-told-from-here")),)]
        for sentence in told.sentences:
            lines += wrapped(sentence, width, head=(FAINT, f"{theme.separator} "))
        return lines

    def analysis_page(self, table: AtTable, width: int, theme: Theme) -> list[Line]:
        """The page of what our decisions in the last game cost."""
        return [((PLAIN, say("screen-not-solved")),)]

    def arrived(self, table: AtTable, before: AtTable | None) -> AtTable:
        """The table at our arrival or return. We may have missed a part since `before`."""
        told = None if before is None else before.memory
        if not isinstance(told, ToldGame) or told.number != table.info.games:
            told = ToldGame(table.info.games)
        return replace(table, memory=replace(told, is_whole=told.is_whole and not table.info.is_in_play))

    def begun(self, table: AtTable, number: int) -> AtTable:
        """The table at the beginning of a game. `number` counts games of the table."""
        return replace(table, memory=ToldGame(number))

    def after(self, table: AtTable, event: Event, says: str) -> AtTable:
        """The table after an event of the game, whose sentence is `says`."""
        told = table.memory
        if isinstance(told, ToldGame):
            table = replace(table, memory=replace(told, sentences=(*told.sentences, says)[-MOST_SENTENCES:]))
        table = replace(table.note(LogEntry(says, begins=self.begins(event))), outcome=says)
        return table if ending_of(event) is None else replace(table, result=says)

    def finishes(self, event: Event) -> bool:
        """True if the event ends a hand. The finished hand is shown for a while before the next."""
        return False

    def travels(self, event: Event) -> Travel | None:
        """The card that an event moves from a player to the table, if the board can show it."""
        return None

    def banner(self, table: AtTable, event: Event) -> Banner | None:
        """Large word for an important event. `table`: before the event."""
        match event:
            case GameOver(gains=gains) if table.seat is not None and table.seat < len(gains):
                gain = gains[table.seat]
                return outcome_banner(is_good=gain > 0) if gain else None
            case GameOver():
                return outcome_banner(is_good=None)
            case _:
                return None

    def begins(self, event: Event) -> bool:
        return {"hand", "dealer"} <= values_of(event).keys()

    def seat_left(self, event: Event) -> Seat | None:
        return event.seat if isinstance(event, LeftGame) else None


def explained(*marks: str) -> tuple[tuple[str, str], ...]:
    return tuple([(say(f"keys-mark-{mark}"), say(f"keys-mark-{mark}-means")) for mark in marks])


def outcome_banner(*, is_good: bool | None) -> Banner:
    """Large word for the end of a game. `is_good`: we won or lost; None: we do not play."""
    word = "game-over" if is_good is None else "you-win" if is_good else "you-lose"
    return Banner(word=say(f"screen-large-{word}"), is_good=is_good)


def tag_of(action: Struct) -> str:
    return action.tag if isinstance(action, UnknownAction) else str(action.__struct_config__.tag)


def values_of(told: Struct | None) -> Mapping[str, object]:
    """Fields of a view or an event, of a known type or not; None has none."""
    match told:
        case None:
            return {}
        case UnknownView() | UnknownEvent():
            return told.values
        case _:
            return structs.asdict(told)


def rules_in_short(table: AtTable, width: int) -> list[Line]:
    offer = table.offer
    lines: list[Line] = [((STRONG, table.info.game if offer is None else offer.title),), ()]
    if offer is not None:
        lines += [*wrapped(offer.summary, width), ()]
        if offer.direction is Direction.COUNTER_CLOCKWISE:
            lines += [*wrapped(say("screen-counter-clockwise"), width), ()]
    options = ", ".join(options_in_words(table.info.options, offer))
    return lines + wrapped(options, width, FAINT)


def rules_in_lines(offer: GameOffer, width: int, theme: Theme) -> list[Line]:
    lines: list[Line] = []
    for rule in offer.rules or (offer.summary,):
        lines += wrapped(rule, width, head=(FAINT, f"{theme.separator} "))
    return lines


def waiting_for_deal(table: AtTable) -> str:
    """Reason why no cards are dealt yet. A deal waits for absent players who would cut."""
    away = [info.name or "" for info in table.info.seats if info.is_away and not info.is_gone]
    if not away:
        return say("screen-dealing")
    return say("screen-away-deal", names=away, count=len(away))


def common_marks(table: AtTable, seat: Seat) -> list[Fragment]:
    """Marks of a seat in any game: it asks for a pause, or is ready."""
    info, pause = table.info.seats[seat], table.info.pause
    if pause is not None and seat in pause.seats:
        return [(STRONG, say("screen-mark-ready" if table.is_paused else "screen-mark-pause"))]
    is_ready = info.agrees and info.name is not None and not table.info.is_in_play and table.info.games
    return [(STRONG, say("screen-mark-ready"))] if is_ready else []


def name_in(table: AtTable, seat: Seat, room: int, canvas: Canvas, *, relation: str = "") -> list[Fragment]:
    """The player of a seat, within this width. `relation`: to the viewer, if any."""
    info = table.info.seats[seat]
    is_to_move = table.info.state is TableState.PLAYING and getattr(table.view, "to_move", None) == seat
    pointer = canvas.theme.pointer if is_to_move else " "
    if info.name is None:
        return [(PLAIN, "  "), (FAINT, say("screen-seat-empty")[: max(room - 2, 0)])]
    kinds = _kinds(table, seat, relation)
    tail: list[Fragment] = [(ALARM, f" {say('screen-mark-away')} ")] if info.is_away else []
    if info.is_gone:
        tail.append((FAINT, f" {say('screen-mark-gone')}"))
    taken = 2 + columns_of(tail)
    if kinds and taken + width_of(_in_brackets(kinds)) + min(width_of(info.name), LEAST_NAME) > room:
        kinds = [relation] if relation else []  # a partner is called so in any case
    if kinds:
        style = STRONG if relation else FAINT
        tail.insert(0, (style, _in_brackets(kinds)))
        taken += width_of(tail[0][1])
    name = cut(info.name, max(room - taken, 1), canvas.theme.ellipsis)
    return [(TURN, f"{pointer} "), (STRONG, name), *tail]


def _in_brackets(kinds: list[str]) -> str:
    return f" ({', '.join(kinds)})"


def own_name() -> str:
    """The player's name in practice positions."""
    return capitalized(say("words-you"))


def _kinds(table: AtTable, seat: Seat, relation: str) -> list[str]:
    """Kinds of a player, the most important first."""
    info = table.info.seats[seat]
    kinds = (
        (seat == table.seat and info.name != own_name(), say("screen-kind-you")),
        (bool(relation), relation),
        (info.is_house, say("screen-kind-house")),
        (info.is_house and bool(info.house), info.house),
        (info.is_bot, say("screen-kind-bot")),
    )
    return [word for holds, word in kinds if holds]


def _players(canvas: Canvas, table: AtTable) -> list[Line]:
    has_purses = any(seat.purse for seat in table.info.seats)
    lines: list[Line] = []
    for seat in table.order:
        row, purse = list(name_in(table, seat, NAME_COLUMNS - 1, canvas)), table.info.seats[seat].purse
        row.append((PLAIN, " " * (NAME_COLUMNS - columns_of(row))))
        if has_purses:
            row.append((PLAIN, f"{say('screen-purse-of', purse=f'{purse:+d}' if purse else '0')}  "))
        lines.append((*row, *common_marks(table, seat)))
    return lines


BOARDS: Mapping[str, str] = {"put": "PutBoard", "triomphe": "TriompheBoard", "primero": "PrimeroBoard"}
"""The class in the family's module, or package, here."""

_PLAIN = Board()


@cache
def _board(family: str) -> Board:
    board: Board = getattr(import_module(f"put_client.tui.boards.{family}"), BOARDS[family])()
    return board


def board_of(table: AtTable) -> Board:
    return _board(table.family) if table.family in BOARDS else _PLAIN
