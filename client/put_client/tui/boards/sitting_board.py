"""Boards of games that are sittings at a round table, decided by the purses; and the tricks of a hand."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping

from put_client.tui.boards.board import Board, V
from put_client.tui.boards.round_table import gain_of
from put_client.tui.model import AtTable, Banner, ToldHand
from put_client.tui.widgets.canvas import Fragment, Line, width_of, wrapped
from put_client.tui.widgets.card_faces import marked_sign, style_of
from put_client.tui.widgets.theme import FAINT, PLAIN, STRONG, Theme
from put_protocol.games.tricks import CardPlayed, TrickOver, TrickView
from put_protocol.games.unions import Event
from put_protocol.seats import Seat
from put_protocol.text import capitalized
from put_text.catalogue import say
from put_text.phrases import Speaker
from put_text.presenters import event_clause


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


class SittingBoard(Board[V], ABC):
    """The board of a family whose games are sittings at a round table, decided by the purses."""

    deals_again = True
    is_in_rows = False
    told_events: tuple[type[Event], ...]
    """Events whose clauses describe a hand."""

    @abstractmethod
    def gained(self, event: Event) -> Mapping[Seat, int]:
        """Amounts that an event adds to purses; below 0: subtracts."""

    @abstractmethod
    def more_of(self, table: AtTable, hand: ToldHand, width: int, theme: Theme) -> list[Line]:
        """Lines below a hand."""

    def last_hands(self, table: AtTable, theme: Theme, width: int, height: int) -> list[Line]:
        head, *hands = self.hand_lines(table, width)
        return [head, *hands[-(height - 1) :]] if height > 1 and hands else []

    def hand_lines(self, table: AtTable, width: int, theme: Theme | None = None) -> list[Line]:
        """A line for each hand, below a line of names, with each seat's gain; with a theme, also the course of the
        hand."""
        seats = table.order
        column = min(max((width - 8) // len(seats), 4), 9)
        names = "".join(right_aligned(table.speaker.name(seat), column) for seat in seats)
        lines: list[Line] = [((FAINT, (say("screen-column-hand").ljust(7) + names)[:width]),)]
        for hand in table.told.hands:
            net: Counter[Seat] = Counter()
            for event in hand.events:
                net.update(self.gained(event))
            cells = "".join(right_aligned(gain_of(net[seat]), column) for seat in seats) if hand.is_whole else ""
            lines.append(((FAINT, f"{hand.number:>4}   "), (STRONG, cells[: max(width - 7, 0)])))
            if theme is not None:
                lines += wrapped(f"{in_words(table, hand, self.told_events)}.", width, head=(PLAIN, " " * 7))
                lines += self.more_of(table, hand, width, theme)
        return lines

    def banner(self, table: AtTable, event: Event) -> Banner | None:
        """A hand that we won, too; of several others one always wins it."""
        if isinstance(event, self.ended) and table.seat is not None and getattr(event, "winner", None) == table.seat:
            return Banner(word=say("screen-large-hand-won"), is_good=True)
        return super().banner(table, event)


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


def cards_in_words(
    table: AtTable, trick: TrickView, theme: Theme, *, is_tied: bool = False
) -> Iterator[tuple[Fragment, ...]]:
    """Each card with its player; the winning one is in brackets. `is_tied`: a trick without a winner is over."""
    for seat, card in zip(trick.seats, trick.cards, strict=False):
        left, right = (
            ("[", "]") if seat == trick.winner else ("=", "") if is_tied and trick.winner is None else ("", "")
        )
        name = PLAIN if seat == trick.winner else FAINT, f"{left}{table.speaker.name(seat)} "
        yield name, (style_of(card), marked_sign(theme, card)), (FAINT, f"{right} ")


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
    return table.told.hands[:-3:-1]
