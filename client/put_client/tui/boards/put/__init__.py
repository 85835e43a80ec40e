"""The board of Put: its words, its keys, the marks of its events, and its field and pages."""

import dataclasses
from collections.abc import Mapping

from msgspec.structs import replace

from put_client.keymap import label_of
from put_client.tui.boards import explained, outcome_banner
from put_client.tui.boards.put import field
from put_client.tui.boards.put.field import draw_seat, name_of, own_parts
from put_client.tui.boards.put.pages import analysis_page, events_of, lines_of, view_of
from put_client.tui.boards.round_table import Box, TableParts, marks_of_cards
from put_client.tui.boards.sitting_board import HandsBoard, Sitting
from put_client.tui.model import AtTable, Banner, LogEntry, Travel
from put_client.tui.widgets.canvas import Canvas, Fragment, Line
from put_client.tui.widgets.card_faces import marked_sign, sign_of_rank
from put_client.tui.widgets.theme import FAINT, PLAIN, Theme
from put_protocol.games import put
from put_protocol.games.unions import Choice, Event
from put_protocol.seats import Seat
from put_text.catalogue import say
from put_text.presenters.put import task_of

LABELLED = ("put", "throw", "double", "give", "let")
"""Actions with one or two words of their own, by tag; others use the server's words."""


class PutBoard(HandsBoard[put.PutView]):
    view_type, dealt, ended = put.PutView, put.Dealt, put.HandEnded
    layouts, is_in_rows = field.LAYOUTS, True
    grave = (put.Put, put.See, put.ThrowIn, put.Double)
    asked_before = "screen-grave-put"

    def hand_room(self, table: AtTable) -> int:
        return max(field.length_of(self.view_of(table)), 3)

    def with_view(self, canvas: Canvas, table: AtTable, view: put.PutView, shown: TableParts) -> TableParts:
        bottom, theme = table.order[0], canvas.theme
        gone = (("gave", (view.gave,) if view.gave is not None else ()), ("threw", view.thrown))
        away = [
            (FAINT, f"{say(f'screen-mark-{did}')} {' '.join([marked_sign(theme, card) for card in cards])}")
            for did, cards in gone
            if cards
        ]
        return dataclasses.replace(
            shown,
            name=name_of(canvas, table, view, bottom, 24),
            hand_room=self.hand_room(table),
            draw_centre=lambda canvas, plan: field.draw_trick(canvas, table, view, plan),
            headline=field.headline(table, view),
            own=[*away, *own_parts(table, view, bottom, theme, explains=False)],
            explained=[*away, *own_parts(table, view, bottom, theme, explains=True)],
            marks=marks_of_cards(table, view.cards),
        )

    def draw_seat(self, canvas: Canvas, table: AtTable, box: Box, view: put.PutView) -> None:
        draw_seat(canvas, table, view, box, self.hand_room(table))

    def last_hands(self, table: AtTable, width: int, height: int, theme: Theme) -> list[Line]:
        return field.last_hands(table, width, height, theme)

    def tricks_height(self, table: AtTable) -> int:
        return field.tricks_height(table)

    def draw_tricks(self, canvas: Canvas, x: int, y: int, width: int, height: int, table: AtTable) -> None:
        field.draw_tricks(canvas, x, y, width, height, table)

    def ranking(self, table: AtTable) -> tuple[str, ...]:
        view = self.view_of(table)
        return () if view is None else tuple(map(sign_of_rank, view.ranking))

    def task(self, view: put.PutView, name: str) -> str:
        message = "screen-thinking-trick" if view.moment is put.Moment.LEAD else "screen-thinking-task"
        return say(message, name=name, task=task_of(view), number=len(view.past) + 1)

    def label(self, table: AtTable, choice: Choice, theme: Theme) -> Fragment:
        tag = str(choice.action.__struct_config__.tag)
        if self.view_of(table) is None or tag not in LABELLED:
            return super().label(table, choice, theme)
        return PLAIN, say(f"screen-do-{tag}")

    def keys_explained(self, table: AtTable, letters: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
        view = self.view_of(table)
        own = ", ".join(label_of(letters[action]) for action in ("put", "see", "throw"))
        puts = () if view is None or view.is_doubling else ((own, say("keys-put-see-throw")),)
        cards = (say("keys-digits", first=1, last=9), say("keys-play-card"))
        return (cards, *puts, (say("keys-letters"), say("keys-listed")))

    def marks(self, common: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
        return (*explained("put-dealer", "put-saw"), *common, *explained("put-taken"))

    def hand_lines(self, table: AtTable, sitting: Sitting, width: int, theme: Theme) -> list[Line]:
        return lines_of(table, sitting, width, theme, with_tricks=True)

    def events_before(self, table: AtTable) -> tuple[Event, ...]:
        view = self.view_of(table)
        return () if view is None else tuple(events_of(view))

    def analysis_page(self, table: AtTable, width: int, theme: Theme) -> list[Line]:
        return analysis_page(table, width, theme)

    def after(self, table: AtTable, event: Event, says: str) -> AtTable:
        table = super().after(table, event, says)
        log = _first_clause(says) if isinstance(event, put.Dealt | put.TakenUp | put.TrickEnded) else says
        table = table.note(LogEntry(log, begins=self.begins(event)))
        match event:
            case put.Played(leads=leads):
                return replace(table, outcome="") if leads else table
            case put.HandEnded():
                return replace(table, outcome=_hand_in_short(event, table))
            case put.GameEnded(rubber=rubber):
                return replace(table, result=says, outcome=_first_clause(says) if rubber else table.outcome)
            case put.DidPut() | put.Doubled() | put.Saw() | put.Dealt() | put.Drawn():
                return table  # shown at the seats, or only in the log
            case _:
                return replace(table, outcome=log)

    def travels(self, event: Event) -> Travel | None:
        return Travel(seat=event.seat, card=event.card) if isinstance(event, put.Played) else None

    def banner(self, table: AtTable, event: Event) -> Banner | None:
        match event:
            case put.DidPut():
                return Banner(word=say("screen-large-put"))
            case put.Doubled():
                return Banner(word=say("screen-large-double"))
            case put.HandEnded(winner=None):
                return Banner(word=say("screen-large-drawn"))
            case put.HandEnded(winner=int() as winner):
                is_good = _is_ours(table, (Seat(winner),))
                word = "hand-over" if is_good is None else "hand-won" if is_good else "hand-lost"
                return Banner(word=say(f"screen-large-{word}"), is_good=is_good)
            case put.GameEnded(winners=winners):
                return outcome_banner(is_good=_is_ours(table, winners))
            case _:
                return super().banner(table, event)

    def seat_left(self, event: Event) -> Seat | None:
        if isinstance(event, put.ThrewIn) and event.cause is put.Cause.LEFT:
            return event.seat
        return super().seat_left(event)


def _is_ours(table: AtTable, winners: tuple[Seat, ...]) -> bool | None:
    """True if we or our partner won; None: we do not play."""
    view, seat = view_of(table), table.seat
    if seat is None:
        return None
    return any(winner == seat or (view is not None and view.are_partners(seat, winner)) for winner in winners)


def _first_clause(sentence: str) -> str:
    """Without the parts that the screen shows beside the log: cards held, tricks taken."""
    head, cut, _ = sentence.partition("; ")
    return f"{head.strip()}." if cut else head


def _hand_in_short(event: put.HandEnded, table: AtTable) -> str:
    if event.winner is None:
        return say("screen-hand-drawn-anew" if event.anew else "screen-hand-drawn")
    return table.speaker.say("screen-hand-won", seat=event.winner, points=event.points)


__all__ = ["PutBoard"]
