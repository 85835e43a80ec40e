"""Boards that remember a game hand by hand: what the families with a board of their own have in common."""

import dataclasses
from abc import ABC, abstractmethod

from msgspec.structs import replace

from put_client.fairness.fairness_text import proofs_of_hand
from put_client.tui.boards.board import Board, common_marks, name_in
from put_client.tui.boards.round_table import Box, Plan, Sizes, TableParts, beside_panes, draw_round, plan_of
from put_client.tui.boards.sitting import Sitting, Telling, ToldHand, from_here, lines_of, page_of, tail, with_event
from put_client.tui.model import AtTable, LogEntry
from put_client.tui.widgets.canvas import Canvas, Line
from put_client.tui.widgets.theme import Theme
from put_protocol.games.families import deals_hand
from put_protocol.games.tricks import CardPlayed, TrickOver, TrickView
from put_protocol.games.unions import Event, ending_of
from put_protocol.shown import WireEvent


class HandsBoard(Board, ABC):
    """A board that remembers the game hand by hand; what was on the table last is found in its events."""

    dealt: type[WireEvent]
    """The event with which a hand begins; it has the number of the hand."""
    ended: type[WireEvent]
    """The event with which a hand ends."""
    deals_again = False
    """Cards may be dealt again within a hand."""

    @abstractmethod
    def hand_lines(self, table: AtTable, sitting: Sitting, width: int, theme: Theme) -> list[Line]:
        """Every hand of the game, told."""

    def hand_begun(self, event: Event) -> int | None:
        """The number of the hand that begins with an event, if one does."""
        return getattr(event, "hand", None) if isinstance(event, self.dealt) else None

    def finishes(self, event: Event) -> bool:
        return isinstance(event, self.ended)

    def events_before(self, table: AtTable) -> tuple[Event, ...]:
        """Events of the hand in play, as far as the view still shows them."""
        return ()

    def place(self, table: AtTable) -> str:
        hand, hands = getattr(table.view, "hand", 0), getattr(table.view, "hands", 0)
        of = f" of {hands}" if hands else ""
        return f"hand {hand}{of}" if hand and table.info.is_in_play else ""

    def begins(self, event: Event) -> bool:
        return self.hand_begun(event) is not None

    def has_story(self, table: AtTable) -> bool:
        return bool(sitting_of(table).hands)

    def story_page(self, table: AtTable, width: int, theme: Theme) -> list[Line]:
        sitting = sitting_of(table)
        return page_of(table, sitting, width, self.hand_lines(table, sitting, width, theme))

    def arrived(self, table: AtTable, before: AtTable | None) -> AtTable:
        known = None if before is None or not isinstance(before.memory, Sitting) else before.memory
        return replace(table, memory=from_here(table, known, getattr(table.view, "hand", 0), self.events_before(table)))

    def begun(self, table: AtTable, number: int) -> AtTable:
        return replace(table, memory=Sitting(number=number))

    def after(self, table: AtTable, event: Event, says: str) -> AtTable:
        sitting, begun = sitting_of(table), self.hand_begun(event)
        if self.deals_again and sitting.hands and sitting.hands[-1].number == begun:
            begun = None
        return replace(table, memory=with_event(sitting, event, begun))


class SittingBoard(HandsBoard, ABC):
    """The board of a family whose games are sittings at a round table, whose purses tell who won."""

    deals_again = True
    sizes: Sizes
    """Sizes of the cards in the hand."""
    wanted = 5
    """Lines of a seat, with everything."""
    enough = 3
    """Lines of a seat where there is little room."""

    @abstractmethod
    def with_view(self, canvas: Canvas, table: AtTable, shown: TableParts) -> TableParts:
        """The parts of the table as the view shows them, if there is one yet."""

    @abstractmethod
    def draw_seat(self, canvas: Canvas, table: AtTable, box: Box) -> None:
        """One of the others."""

    def draw(self, canvas: Canvas, table: AtTable, width: int, height: int) -> None:
        telling, sitting, bottom = self.telling(table, canvas.theme), sitting_of(table), table.order[0]
        shown = TableParts(
            draw_seat=lambda canvas, box: self.draw_seat(canvas, table, box),
            name=name_in(table, bottom, 20, canvas),
            own=common_marks(table, bottom),
            story=lambda width, height: tail(table, sitting, width, height, telling),
        )
        plan = self._plan(table, beside_panes(canvas, width), height)
        draw_round(canvas, table, plan, self.with_view(canvas, table, shown))

    def least_height(self, table: AtTable, width: int) -> int:
        return self._plan(table, width, 0).needs + 4

    def _plan(self, table: AtTable, width: int, height: int) -> Plan:
        return plan_of(table, width, height, sizes=self.sizes, wanted=self.wanted, enough=self.enough)

    @abstractmethod
    def telling(self, table: AtTable, theme: Theme) -> Telling:
        """The way in which a hand is told."""

    def hand_lines(self, table: AtTable, sitting: Sitting, width: int, theme: Theme) -> list[Line]:
        return lines_of(table, sitting, width, self.telling(table, theme), with_more=True)

    def after(self, table: AtTable, event: Event, says: str) -> AtTable:
        table = super().after(table, event, says).note(LogEntry(says, begins=self.begins(event)))
        if ending_of(event) is not None:
            return replace(table, result=says)
        return replace(table, outcome=says) if self.is_told(event) else table

    def is_told(self, event: Event) -> bool:
        """True if the sentence of an event also stands on the table."""
        return True


def sitting_of(table: AtTable) -> Sitting:
    """The game that a board of hands remembers."""
    return table.memory if isinstance(table.memory, Sitting) else Sitting(number=table.info.games)


def theme_of(theme: Theme, table: AtTable, hand: ToldHand) -> Theme:
    """The theme for cards of a hand: it marks those that are not proved."""
    begun = [at for at, event in enumerate(hand.events) if deals_hand(event)] or [0]
    shown = {one.card for event in hand.events[begun[-1] :] for one in event.shows(table.viewer)}
    return dataclasses.replace(theme, proofs=proofs_of_hand(table.deals, table.checked, shown))


def tricks_of(hand: ToldHand) -> tuple[tuple[TrickView, ...], bool]:
    """Tricks of a hand, first to last, and whether the last is still in play."""
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
    """The last complete trick: of this hand, whose tricks are `past`, or else of the hand before. Empty: none."""
    if past:
        return past[-1]
    for hand in last_hands(table):
        tricks, is_open = tricks_of(hand)
        done = tricks[:-1] if is_open else tricks
        if done:
            return done[-1]
    return TrickView()


def last_hands(table: AtTable) -> tuple[ToldHand, ...]:
    """The hand in play and the one before it, the later first."""
    return sitting_of(table).hands[:-3:-1]
