"""Boards that remember a game hand by hand, folded from events; shared by families with a board.

The family defines the events that begin a hand, and the text of a hand; for sittings also the money that events move.
No rules are needed here.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from string import ascii_lowercase
from typing import Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from put_client.tui.boards import Board, common_marks, name_in, tag_of
from put_client.tui.boards.round_table import (
    Box,
    Layout,
    Plan,
    TableParts,
    at_seat,
    draw_plain_seat,
    draw_round,
    gain_of,
    plan_of,
)
from put_client.tui.model import AtTable, LogEntry, card_of, hand_of
from put_client.tui.widgets.canvas import Canvas, Line, width_of, wrapped
from put_client.tui.widgets.theme import FAINT, KEY, PLAIN, STRONG, Theme
from put_protocol.cards import Card
from put_protocol.games.tricks import CardPlayed, TrickOver, TrickView
from put_protocol.games.unions import Choice, Event, ending_of
from put_protocol.seats import Seat
from put_protocol.shown import WireEvent
from put_protocol.text import capitalized
from put_text.catalogue import say
from put_text.phrases import Speaker
from put_text.presenters import event_clause

EVENTS = 300
"""Most events stored of a hand; a correct server sends fewer."""

HANDS = 200
"""Hands kept of a game. A sitting has at most 99."""


class ToldHand(Struct, frozen=True, kw_only=True):
    number: int
    events: tuple[Event, ...] = ()
    is_whole: bool = True
    """The hand was seen from its deal."""


class Sitting(Struct, frozen=True, kw_only=True):
    number: int
    hands: tuple[ToldHand, ...] = ()
    is_whole: bool = True
    """The sitting was seen from its start."""


def with_event(sitting: Sitting, event: Event, begins: int | None) -> Sitting:
    """The sitting after an event. `begins`: number of the hand that the event begins, if any."""
    if begins is not None:
        return replace(sitting, hands=(*sitting.hands, ToldHand(number=begins, events=(event,)))[-HANDS:])
    if not sitting.hands:
        return sitting
    *before, last = sitting.hands
    return replace(sitting, hands=(*before, replace(last, events=(*last.events, event)[-EVENTS:])))


def in_words(table: AtTable, hand: ToldHand, told: tuple[type[Event], ...], *, is_brief: bool = False) -> str:
    """The clauses of these events, without what stands behind a colon: of that the page has columns."""
    who = Speaker(table.names, table.viewer, is_brief=is_brief)
    said = [event_clause(event, who).partition(":")[0].strip() for event in hand.events if isinstance(event, told)]
    return capitalized(say("screen-between-clauses").join(filter(None, said)) or say("screen-in-play"))


def right_aligned(text: str, width: int) -> str:
    """Right-aligned within this width, with a blank at the left."""
    while width_of(text) > width - 1:
        text = text[:-1]
    return " " * (width - width_of(text)) + text


V = TypeVar("V", bound=Struct)
SAME_LETTER = {"raise": "bet", "go_on": "on"}


class HandsBoard(Board, ABC, Generic[V]):
    """A board at a round table that remembers the game hand by hand, and finds the last state of the table in its
    events."""

    view_type: type[V]
    dealt: type[WireEvent]
    """The event that begins a hand, with the hand's number."""
    ended: type[WireEvent]
    deals_again = False
    """Cards may be dealt again within a hand."""
    layouts: Sequence[Layout]
    """Layouts of the table, the largest first."""
    is_in_rows = False
    """All other seats are at the top."""
    shares_letters = False
    """Several actions of one name share its letter."""

    @abstractmethod
    def with_view(self, canvas: Canvas, table: AtTable, view: V, shown: TableParts) -> TableParts:
        """The parts of the table as the view shows them."""

    @abstractmethod
    def draw_seat(self, canvas: Canvas, table: AtTable, box: Box, view: V) -> None:
        """Draw one of the other seats."""

    @abstractmethod
    def last_hands(self, table: AtTable, width: int, height: int, theme: Theme) -> list[Line]:
        """The last hands of the game within this height; empty if none fits."""

    def view_of(self, table: AtTable) -> V | None:
        return table.view if isinstance(table.view, self.view_type) else None

    def hand_shown(self, table: AtTable) -> tuple[Card, ...]:
        """Our cards in display order."""
        return hand_of(table)

    def hand_room(self, table: AtTable) -> int:
        return 1

    def draw(self, canvas: Canvas, table: AtTable, width: int, height: int) -> None:
        bottom, view = table.order[0], self.view_of(table)

        def draw_seat(canvas: Canvas, box: Box) -> None:
            if view is None or table.info.seats[box.seat].name is None:
                draw_plain_seat(canvas, table, box)
            else:
                self.draw_seat(canvas, table, box, view)

        hand = self.hand_shown(table)
        shown = TableParts(
            draw_seat=draw_seat,
            hand=hand,
            hidden_cards=0 if hand else at_seat(getattr(view, "counts", ()), bottom, 0),
            name=name_in(table, bottom, 20, canvas),
            own=common_marks(table, bottom),
            story=lambda width, height: self.last_hands(table, width, height, canvas.theme),
        )
        has_panes = width < canvas.width  # whose edge takes a column
        plan = self._plan(table, width - has_panes, height)
        draw_round(canvas, table, plan, shown if view is None else self.with_view(canvas, table, view, shown))

    def least_height(self, table: AtTable, width: int) -> int:
        return self._plan(table, width, 0).needed_lines + 4

    def _plan(self, table: AtTable, width: int, height: int) -> Plan:
        return plan_of(table, width, height, self.layouts, cards=self.hand_room(table), is_in_rows=self.is_in_rows)

    def thinking(self, table: AtTable, name: str) -> str:
        view = self.view_of(table)
        is_told = view is not None and getattr(view, "moment", None) is not None
        return self.task(view, name) if view is not None and is_told else super().thinking(table, name)

    @abstractmethod
    def task(self, view: V, name: str) -> str:
        """The task of the player of this name at this moment."""

    def action_keys(
        self, table: AtTable, letters: Mapping[str, str], taken: frozenset[str]
    ) -> tuple[tuple[str, Choice], ...]:
        """The card's position in the hand, or the action's own letter, or the first free letter of its name."""
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
            is_free = self.shares_letters or used[name] not in [key for key, _ in keyed]
            keyed.append((used[name] if is_free else "", choice))
        return tuple(keyed)

    @abstractmethod
    def hand_lines(self, table: AtTable, sitting: Sitting, width: int, theme: Theme) -> list[Line]:
        """Lines for every hand of the game."""

    def hand_begun(self, event: Event) -> int | None:
        """Number of the hand that an event begins, if any."""
        return getattr(event, "hand", None) if isinstance(event, self.dealt) else None

    def finishes(self, event: Event) -> bool:
        return isinstance(event, self.ended)

    def events_before(self, table: AtTable) -> tuple[Event, ...]:
        """Events of the hand in play that can be reconstructed from the view."""
        return ()

    def place(self, table: AtTable) -> str:
        hand, hands = getattr(table.view, "hand", 0), getattr(table.view, "hands", 0)
        if not hand or not table.info.is_in_play:
            return ""
        return say("screen-hand-of", number=hand, hands=hands) if hands else say("screen-hand", number=hand)

    def begins(self, event: Event) -> bool:
        return self.hand_begun(event) is not None

    def has_story(self, table: AtTable) -> bool:
        return bool(sitting_of(table).hands)

    def story_page(self, table: AtTable, width: int, theme: Theme) -> list[Line]:
        sitting = sitting_of(table)
        if not sitting.hands:
            return [((PLAIN, say("screen-nothing-played")),)]
        lines: list[Line] = [] if sitting.is_whole else [((FAINT, say("screen-told-from-here")),)]
        lines += self.hand_lines(table, sitting, width, theme)
        if table.result and not table.info.is_in_play:
            lines += [(), *wrapped(table.result, width, STRONG)]
        if table.recording is not None and table.recording.number == sitting.number:
            lines += [(), ((KEY, say("screen-save-file")), (PLAIN, f" {say('screen-save-how')}"))]
        return lines

    def arrived(self, table: AtTable, before: AtTable | None) -> AtTable:
        """The remembered sitting; otherwise the hand in play, as far as the view shows it."""
        number, is_in_play = table.info.games, table.info.is_in_play
        known = None if before is None else before.memory
        if isinstance(known, Sitting) and known.number == number:
            return replace(table, memory=replace(known, is_whole=known.is_whole and not is_in_play))
        hand, events = getattr(table.view, "hand", 0), self.events_before(table)
        hands = (ToldHand(number=hand, events=events, is_whole=False),) if hand and is_in_play else ()
        return replace(table, memory=Sitting(number=number, hands=hands, is_whole=not is_in_play))

    def begun(self, table: AtTable, number: int) -> AtTable:
        return replace(table, memory=Sitting(number=number))

    def after(self, table: AtTable, event: Event, says: str) -> AtTable:
        sitting, begun = sitting_of(table), self.hand_begun(event)
        if self.deals_again and sitting.hands and sitting.hands[-1].number == begun:
            begun = None
        return replace(table, memory=with_event(sitting, event, begun))


class SittingBoard(HandsBoard[V], ABC):
    """The board of a family whose games are sittings at a round table, decided by the purses."""

    deals_again = True
    told: tuple[type[Event], ...]
    """Events whose clauses describe a hand."""

    @abstractmethod
    def gained(self, event: Event) -> Mapping[Seat, int]:
        """Amounts that an event adds to purses; below 0: subtracts."""

    @abstractmethod
    def more_of(self, table: AtTable, hand: ToldHand, width: int, theme: Theme) -> list[Line]:
        """Lines below a hand."""

    def last_hands(self, table: AtTable, width: int, height: int, theme: Theme) -> list[Line]:
        head, *hands = self.hand_lines(table, sitting_of(table), width)
        return [head, *hands[-(height - 1) :]] if height > 1 and hands else []

    def hand_lines(self, table: AtTable, sitting: Sitting, width: int, theme: Theme | None = None) -> list[Line]:
        """A line for each hand, below a line of names, with each seat's gain; with a theme, also the course of the
        hand."""
        seats = table.order
        column = min(max((width - 8) // len(seats), 4), 9)
        names = "".join(right_aligned(table.speaker.name(seat), column) for seat in seats)
        lines: list[Line] = [((FAINT, (say("screen-column-hand").ljust(7) + names)[:width]),)]
        for hand in sitting.hands:
            net: Counter[Seat] = Counter()
            for event in hand.events:
                net.update(self.gained(event))
            cells = "".join(right_aligned(gain_of(net[seat]), column) for seat in seats) if hand.is_whole else ""
            lines.append(((FAINT, f"{hand.number:>4}   "), (STRONG, cells[: max(width - 7, 0)])))
            if theme is not None:
                lines += wrapped(f"{in_words(table, hand, self.told)}.", width, head=(PLAIN, " " * 7))
                lines += self.more_of(table, hand, width, theme)
        return lines

    def after(self, table: AtTable, event: Event, says: str) -> AtTable:
        table = super().after(table, event, says).note(LogEntry(says, begins=self.begins(event)))
        if ending_of(event) is not None:
            return replace(table, result=says)
        return replace(table, outcome=says) if self.is_told(event) else table

    @abstractmethod
    def is_told(self, event: Event) -> bool:
        """True if the sentence of an event also stands on the table."""


def sitting_of(table: AtTable) -> Sitting:
    return table.memory if isinstance(table.memory, Sitting) else Sitting(number=table.info.games)


def tricks_of(hand: ToldHand) -> tuple[tuple[TrickView, ...], bool]:
    """Tricks of a hand in order, and whether the last is still in play."""
    tricks: list[TrickView] = []
    is_open = False
    for event in hand.events:
        match event:
            case CardPlayed(seat=seat, card=card):
                trick = tricks.pop() if is_open else TrickView()
                tricks.append(TrickView((*trick.seats, seat), (*trick.cards, card)))
                is_open = True
            case TrickOver(winner=winner) if is_open:
                trick = tricks.pop()
                tricks.append(TrickView(trick.seats, trick.cards, winner))
                is_open = False
            case _:
                pass
    return tuple(tricks), is_open


def last_trick(table: AtTable, past: tuple[TrickView, ...]) -> TrickView:
    """The last complete trick, of this hand (`past`) or of the previous one; empty: none."""
    if past:
        return past[-1]
    for hand in last_hands(table):
        tricks, is_open = tricks_of(hand)
        done = tricks[:-1] if is_open else tricks
        if done:
            return done[-1]
    return TrickView()


def last_hands(table: AtTable) -> tuple[ToldHand, ...]:
    """The hand in play and the previous one, latest first."""
    return sitting_of(table).hands[:-3:-1]
