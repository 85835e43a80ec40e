"""The board of a family of games, at a round table, and the story of a game, hand by hand.

`Board` itself is for a family without a board here: it shows the players, the viewer's cards, and the view in
sentences, from the server if this client has none.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from string import ascii_lowercase
from typing import Any, Generic, NamedTuple, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from put_client.tui.boards import common_marks, name_in, outcome_banner, tag_of, waiting_for_deal
from put_client.tui.boards.round_table import (
    Box,
    Layout,
    Plan,
    TableParts,
    at_seat,
    draw_plain_seat,
    draw_round,
    draw_seat_lines,
    gain_of,
    marks_of_cards,
    plan_of,
)
from put_client.tui.model import HANDS, AtTable, Banner, LogEntry, ToldGame, ToldHand, Travel, card_of, hand_of
from put_client.tui.widgets.canvas import Canvas, Fragment, Line, wrapped
from put_client.tui.widgets.card_faces import CardSize, sign_of, style_of
from put_client.tui.widgets.theme import FAINT, KEY, PLAIN, STRONG, Theme
from put_protocol.cards import Card
from put_protocol.games.unions import Choice, Event, GameView, ending_of
from put_protocol.games.unknown import UnknownEvent, UnknownView
from put_protocol.seats import Seat
from put_protocol.table_events import GameOver, LeftGame
from put_text.catalogue import say
from put_text.presenters import format_view

V = TypeVar("V", bound=Struct)

SAME_LETTER = {"raise": "bet", "go_on": "on"}


class Pressed(NamedTuple):
    place: int
    """Index of the action in the list."""
    is_done: bool
    """True: do the action. False: only choose it."""


class Board(Generic[V]):
    """Screen parts of one family. A board has no state; what it has to remember is in `AtTable.told`."""

    view_type: type[Any] = Struct
    ended: type[Struct] | tuple[()] = ()
    """The event that ends a hand. The finished hand is shown for a while before the next."""
    deals_again = False
    """Cards may be dealt again within a hand."""
    layouts: Sequence[Layout] = (
        *(Layout(CardSize.WIDE_SMALL, 0, 2, lines) for lines in (12, 8)),
        *(Layout(CardSize.WIDE_TINY, 0, box, lines) for box, lines in ((2, 6), (1, 4), (1, 2))),
    )
    """Layouts of the table, the largest first."""
    is_in_rows = True
    """All other seats are at the top."""
    asked_before: str = "screen-grave"
    """Message that names the actions that need a confirmation, after "before you"."""
    own_marks: tuple[str, ...] = ()
    """Messages of words and signs on the screen, for the help, each with another that explains it."""

    def view_of(self, table: AtTable) -> V | None:
        return table.view if isinstance(table.view, self.view_type) else None

    def draw(self, canvas: Canvas, table: AtTable, width: int, height: int) -> None:
        """Draw the field: this many columns and lines below the header. If it is narrower than the canvas, panes are to
        its right. If space is short, parts at the end are omitted."""
        bottom, view, hand = table.order[0], self.view_of(table), self.hand_shown(table)
        plan = self._plan(table, width - (width < canvas.width), height)  # the edge of a pane takes a column
        for box in plan.boxes():
            if view is None or table.info.seats[box.seat].name is None:
                draw_plain_seat(canvas, table, box)
            else:
                self.draw_seat(canvas, table, box, view)
        shown = TableParts(
            hand=hand,
            hidden_cards=0 if hand else at_seat(getattr(view, "counts", ()), bottom, 0),
            hand_room=self.hand_room(table),
            headline=(STRONG, table.outcome),
            name=name_in(table, bottom, 20, canvas),
            own=common_marks(table, bottom),
            marks=marks_of_cards(table, hand),
            story=partial(self.last_hands, table, canvas.theme),
        )
        draw_round(canvas, table, plan, shown if view is None else self.with_view(canvas, table, view, shown))

    def with_view(self, canvas: Canvas, table: AtTable, view: V, shown: TableParts) -> TableParts:
        """The parts of the table as the view shows them."""

        def draw_centre(canvas: Canvas, plan: Plan) -> None:
            x, top, width, height = plan.centre
            canvas.put_lines(x + 1, top, shown.story(width - 2, height))

        return shown._replace(draw_centre=draw_centre, own=[(PLAIN, purse_of(table, table.order[0])), *shown.own])

    def draw_seat(self, canvas: Canvas, table: AtTable, box: Box, view: V) -> None:
        """Draw one of the other seats."""
        parts = [(PLAIN, purse_of(table, box.seat)), *common_marks(table, box.seat)]
        draw_seat_lines(canvas, box, lambda room: name_in(table, box.seat, room, canvas), [parts], parts)

    def hand_shown(self, table: AtTable) -> tuple[Card, ...]:
        """Our cards in display order."""
        return hand_of(table)

    def hand_room(self, table: AtTable) -> int:
        return 1

    def least_height(self, table: AtTable, width: int) -> int:
        """Least height of the field at this width; the log uses the rest."""
        return self._plan(table, width, 0).needed_lines + 4

    def _plan(self, table: AtTable, width: int, height: int) -> Plan:
        return plan_of(table, width, height, self.layouts, cards=self.hand_room(table), is_in_rows=self.is_in_rows)

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
        hand, hands = _number(table.view, "hand"), _number(table.view, "hands")
        if not hand or not table.info.is_in_play:
            return ""
        return say("screen-hand-of", number=hand, hands=hands) if hands else say("screen-hand", number=hand)

    def waiting(self, table: AtTable) -> str:
        """The decision that another player must make."""
        seat, view = getattr(table.view, "to_move", None), self.view_of(table)
        if not isinstance(seat, int) or not 0 <= seat < len(table.info.seats):
            return waiting_for_deal(table)
        name = table.name(Seat(seat))
        if table.info.seats[seat].is_away:
            return say("screen-away", name=name)
        has_moment = view is not None and getattr(view, "moment", None) is not None
        return self.task(view, name) if view is not None and has_moment else say("screen-thinking", name=name)

    def task(self, view: V, name: str) -> str:
        """The task of the player of this name, who is here, at this moment."""
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
        """A key for each legal action: the card's position in the hand, or the action's own letter, or the first free
        letter of its name, which actions of one name share; empty: no key, only arrows. `letters`: of actions, by tag;
        `taken`: keys with other meanings."""
        hand = self.hand_shown(table)
        names = [SAME_LETTER.get(name, name) for name in (tag_of(c.action).rpartition(".")[2] for c in table.legal)]
        used = {name: letters[name] for name in names if letters.get(name)}
        keyed: list[tuple[str, Choice]] = []
        for name, choice in zip(names, table.legal, strict=True):
            card = card_of(choice.action)
            if card is not None:
                place = hand.index(card) + 1 if card in hand else 0
                keyed.append((str(place) if 1 <= place <= 9 else "", choice))
                continue
            free = (c for c in (*name, *ascii_lowercase) if c.isalpha() and c not in {*taken, *used.values()})
            used[name] = used[name] if name in used else next(free, "")
            keyed.append((used[name], choice))
        return tuple(keyed)

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
        cards = say("keys-digits", first=1, last=9), say("keys-play-card")
        return (cards, (say("keys-letters"), say("keys-listed")))

    def has_story(self, table: AtTable) -> bool:
        return bool(table.told.hands or table.told.sentences)

    def story_page(self, table: AtTable, width: int, theme: Theme) -> list[Line]:
        """The game as played, in lines of at most this width."""
        if not self.has_story(table):
            return [((PLAIN, say("screen-nothing-played")),)]
        lines: list[Line] = [] if table.told.is_whole else [((FAINT, say("screen-told-from-here")),)]
        lines += self.hand_lines(table, width, theme)
        if table.result and not table.info.is_in_play:
            lines += [(), *wrapped(table.result, width, STRONG)]
        is_recorded = table.recording is not None and table.recording.number == table.told.number
        if is_recorded and isinstance(table.view, GameView):
            lines += [(), ((KEY, say("screen-save-file")), (PLAIN, f" {say('screen-save-how')}"))]
        return lines

    def hand_lines(self, table: AtTable, width: int, theme: Theme) -> list[Line]:
        """Lines for every hand of the game."""
        dot = FAINT, f"{theme.separator} "
        return [line for says in table.told.sentences for line in wrapped(says, width, head=dot)]

    def last_hands(self, table: AtTable, theme: Theme, width: int, height: int) -> list[Line]:
        """The last hands of the game within this height, or how it stands; empty if none fits."""
        told = table.words or (format_view(table.view, table.names, table.viewer) if table.view is not None else ())
        lines = [line for says in told for line in wrapped(says, width)]
        return lines if len(lines) <= height else [*lines[: height - 1], ((FAINT, theme.ellipsis),)]

    def analysis_page(self, table: AtTable, width: int, theme: Theme) -> list[Line]:
        """The page of what our decisions in the last game cost."""
        return [((PLAIN, say("screen-not-solved")),)]

    def events_before(self, table: AtTable) -> tuple[Event, ...]:
        """Events of the hand in play that can be reconstructed from the view."""
        return ()

    def arrived(self, table: AtTable, before: AtTable | None) -> AtTable:
        """The table at our arrival or return, with the game told so far; otherwise with the hand in play, as far as the
        view shows it. We may have missed a part since `before`."""
        number, is_in_play = table.info.games, table.info.is_in_play
        told = before.told if before is not None and before.told.number == number else ToldGame(number=number)
        hand, hands = _number(table.view, "hand"), told.hands
        if hand and is_in_play:
            seen = ToldHand(number=hand, events=self.events_before(table), is_whole=False)
            if hands and hands[-1].number == hand:
                seen, hands = replace(seen, events=seen.events or hands[-1].events), hands[:-1]
            hands = (*hands, seen)[-HANDS:]
        return replace(table, told=replace(told, hands=hands, is_whole=told.is_whole and not is_in_play))

    def after(self, table: AtTable, event: Event, says: str) -> AtTable:
        """The table after an event of the game, whose sentence is `says`."""
        begun, hands = self.hand_begun(event), table.told.hands
        is_again = self.deals_again and hands and hands[-1].number == begun
        told = table.told.with_event(event, says, None if is_again else begun)
        table = replace(table.note(LogEntry(says, begins=begun is not None)), told=told)
        if ending_of(event) is not None:
            return replace(table, result=says)
        return replace(table, outcome=says) if self.is_told(event) else table

    def is_told(self, event: Event) -> bool:
        """True if the sentence of an event also stands on the table."""
        return True

    def hand_begun(self, event: Event) -> int | None:
        """Number of the hand that an event begins, if any."""
        return None if _number(event, "dealer") is None else _number(event, "hand")

    def finishes(self, event: Event) -> bool:
        return isinstance(event, self.ended)

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

    def seat_left(self, event: Event) -> Seat | None:
        return event.seat if isinstance(event, LeftGame) else None


def _number(told: Struct | None, name: str) -> int | None:
    """A number of a view or an event by its name; None: it has none."""
    value = told.values.get(name) if isinstance(told, UnknownView | UnknownEvent) else getattr(told, name, None)
    return value if isinstance(value, int) else None


def purse_of(table: AtTable, seat: Seat, form: str = "of") -> str:
    """`purse +1`, with its unit if the form is `stakes`; empty until a stake was won here."""
    purse = table.info.seats[seat].purse
    is_won = any(info.purse for info in table.info.seats)
    return say(f"screen-purse-{form}", purse=gain_of(purse), count=abs(purse)) if is_won else ""
