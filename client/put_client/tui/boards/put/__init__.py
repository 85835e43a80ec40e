"""The board of Put: its words, its keys, the marks of its events; the trick in the middle, the stake, and the pane of
past tricks.

Positions depend on the dealt size of the hand, not on the cards left, so nothing moves during a hand.
"""

from collections.abc import Iterator, Mapping
from functools import partial

from msgspec.structs import replace

from put_client.keymap import label_of
from put_client.tui.boards import common_marks, name_in, outcome_banner
from put_client.tui.boards.board import Board, purse_of
from put_client.tui.boards.put.pages import analysis_page, events_of, lines_of, whole_rows
from put_client.tui.boards.round_table import (
    Box,
    Layout,
    Plan,
    TableParts,
    at_seat,
    draw_centred,
    draw_seat_lines,
    held,
)
from put_client.tui.boards.sitting_board import last_trick
from put_client.tui.model import AtTable, Banner, Travel
from put_client.tui.widgets.canvas import Canvas, Fragment, Line, columns_of, cut, width_of
from put_client.tui.widgets.card_faces import (
    CardSize,
    draw_backs,
    draw_face,
    draw_place,
    marked_sign,
    sign_of_rank,
    style_of,
)
from put_client.tui.widgets.theme import ALARM, FAINT, LIT, PLAIN, STRONG, Theme
from put_protocol.cards import Card
from put_protocol.games import put
from put_protocol.games.put import Moment, PutView, Worth
from put_protocol.games.tricks import TrickView
from put_protocol.games.unions import Choice, Event
from put_protocol.seats import Seat
from put_text.catalogue import say
from put_text.presenters.put import task_of

TRICKS_LINES_BEFORE_DEAL = 3
TRICK_CARD_WIDTH = 5


LAYOUTS = (
    Layout(CardSize.HUGE, 1, 9, 12),
    Layout(CardSize.LARGE, 1, 7, 8),
    Layout(CardSize.LARGE, 1, 7, 6),
    Layout(CardSize.LARGE, 1, 5, 6),
    Layout(CardSize.MEDIUM, 1, 5, 6),
    Layout(CardSize.MEDIUM, 1, 4, 5),
    Layout(CardSize.SMALL, 1, 4, 5),
    Layout(CardSize.SMALL, 1, 3, 5),
    Layout(CardSize.SMALL, 1, 2, 5),
    Layout(CardSize.SMALL, 0, 3, 4),
    *(Layout(CardSize.TINY, 0, box, centre) for box, centre in ((3, 4), (2, 4), (3, 2), (1, 4), (1, 2))),
)
"""The largest size that fits is used, for card backs at the seats and for the trick in the centre."""

TRICK_SIZES = (CardSize.HUGE, CardSize.LARGE, CardSize.MEDIUM, CardSize.SMALL, CardSize.TINY)

TEXT_LINES = 2
BACKS = (CardSize.LARGE, CardSize.MEDIUM, CardSize.SMALL)

MOST_PIPS = 9
"""Longer scores are shown as a number only."""

LABELLED = ("put", "throw", "double", "give", "let")
"""Actions with one or two words of their own, by tag; others use the server's words."""


class PutBoard(Board[PutView]):
    view_type, ended = PutView, put.HandEnded
    layouts = LAYOUTS
    asked_before = "screen-grave-put"
    own_marks = ("keys-mark-put-dealer", "keys-mark-put-saw", "keys-mark-put-taken")

    def hand_room(self, table: AtTable) -> int:
        return max(length_of(self.view_of(table)), 3)

    def with_view(self, canvas: Canvas, table: AtTable, view: PutView, shown: TableParts) -> TableParts:
        bottom, theme = table.order[0], canvas.theme
        gone = (("gave", (view.gave,) if view.gave is not None else ()), ("threw", view.thrown))
        away = [
            (FAINT, f"{say(f'screen-mark-{did}')} {' '.join([marked_sign(theme, card) for card in cards])}")
            for did, cards in gone
            if cards
        ]
        return shown._replace(
            name=name_of(canvas, table, view, bottom, 24),
            draw_centre=partial(draw_trick, table, view),
            headline=headline(table, view),
            own=[*away, *own_parts(table, view, bottom, theme, explains=False)],
            explained=[*away, *own_parts(table, view, bottom, theme, explains=True)],
        )

    def draw_seat(self, canvas: Canvas, table: AtTable, box: Box, view: PutView) -> None:
        """Lines for name, for score and purse, and for cards, tricks and marks; card backs replace the cards if all
        cards of a hand fit."""
        seat, theme = box.seat, canvas.theme
        count, marks = at_seat(view.counts, seat, 0), list(marks_of(table, view, seat))
        rest, width = box.height - TEXT_LINES, box.width - 3
        backs = next(
            (size for size in BACKS if size.height <= rest and size.fan_width(self.hand_room(table)) < width),
            CardSize.SMALL,
        )
        has_backs = rest > 1 and backs.fan_width(self.hand_room(table)) < width
        brief, purse = f"{at_seat(view.scores, seat, 0)}/{view.target}", purse_of(table, seat, "stakes")
        score = [(PLAIN, score) if width_of(score := score_of(view, seat, theme)) <= width else (PLAIN, brief)]
        score.append(
            (PLAIN, purse if columns_of(score) + 2 + width_of(purse) <= width else purse_of(table, seat, "of"))
        )
        has_two = box.height > TEXT_LINES and not has_backs
        shown = [] if has_backs else [held(canvas, count, width // 2 if has_two else width - columns_of(score) - 4)]
        cards = [*shown, (PLAIN, _taken(table, view, seat, theme))]
        rows = [score, cards] if has_two else [[*score, *cards]]
        short = [(PLAIN, brief), held(canvas, count, 0), *marks]
        draw_seat_lines(canvas, box, lambda room: name_of(canvas, table, view, seat, room), rows, short, marks)
        if has_backs:
            draw_backs(canvas, box.x + 3, box.y + TEXT_LINES, count, backs, rows=rest)

    def last_hands(self, table: AtTable, theme: Theme, width: int, height: int) -> list[Line]:
        """The last hands of the game, with their tricks if all fit."""
        if not table.told.hands or height < 2:
            return []
        head, *hands = lines_of(table, width, theme, with_tricks=True)
        if len(hands) >= height:
            head, *hands = lines_of(table, width, theme, with_tricks=False)
        return [head, *whole_rows(hands, height - 1)]

    def tricks_height(self, table: AtTable) -> int:
        return 1 + max(length_of(self.view_of(table)), TRICKS_LINES_BEFORE_DEAL)

    def draw_tricks(self, canvas: Canvas, x: int, y: int, width: int, height: int, table: AtTable) -> None:
        """A column for each seat, as many as fit."""
        view, seats = self.view_of(table), table.order[: (width - 3) // TRICK_CARD_WIDTH]
        column = min((width - 3) // len(seats), 9)
        first = x + width - column * len(seats)
        canvas.put(x + 1, y, say("screen-tricks") if first - x >= 8 else "", STRONG)
        for place, seat in enumerate(seats):
            name = say("words-you") if seat == table.seat else table.info.seats[seat].name or ""
            canvas.put(first + place * column + 1, y, name, FAINT, width=column - 1)
        if view is None:
            return
        tricks = [*view.past, *([view.trick] if view.trick.seats else [])]
        skipped = max(len(tricks) - (height - 1), 0)
        numbers = range(1 + skipped, max(length_of(view), len(tricks)) + 1)
        for line, number in zip(range(y + 1, y + height), numbers, strict=False):
            trick = tricks[number - 1] if number <= len(tricks) else TrickView()
            is_tied = number <= len(view.past) and trick.winner is None
            word = f" {say('screen-tied')}" if is_tied and first - x > 7 else ""
            canvas.put(x + 1, line, f"{number}{word}", FAINT)
            for seat, card in zip(trick.seats, trick.cards, strict=False):
                left, right = ("[", "]") if seat == trick.winner else ("=", "") if is_tied else (" ", "")
                if seat in seats:
                    sign = style_of(card), marked_sign(canvas.theme, card)
                    at = first + seats.index(seat) * column
                    canvas.put_all(at, line, [(PLAIN, left), sign, (PLAIN, right)])

    def ranking(self, table: AtTable) -> tuple[str, ...]:
        view = self.view_of(table)
        return () if view is None else tuple(map(sign_of_rank, view.ranking))

    def task(self, view: PutView, name: str) -> str:
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
        cards, others = super().keys_explained(table, letters)
        return (cards, *puts, others)

    def hand_lines(self, table: AtTable, width: int, theme: Theme) -> list[Line]:
        return lines_of(table, width, theme, with_tricks=True)

    def events_before(self, table: AtTable) -> tuple[Event, ...]:
        view = self.view_of(table)
        return () if view is None else tuple(events_of(view))

    def analysis_page(self, table: AtTable, width: int, theme: Theme) -> list[Line]:
        return analysis_page(table, width, theme)

    def after(self, table: AtTable, event: Event, says: str) -> AtTable:
        shown = _first_clause(says) if isinstance(event, put.Dealt | put.TakenUp | put.TrickEnded) else says
        after = super().after(table, event, shown)
        match event:
            case put.Played(leads=True):
                return replace(after, outcome="")
            case put.HandEnded():
                return replace(after, outcome=_hand_in_short(event, table))
            case put.GameEnded(rubber=rubber):
                return replace(after, result=says, outcome=_first_clause(says) if rubber else table.outcome)
            case _:
                return after

    def is_told(self, event: Event) -> bool:
        """False for what is shown at the seats, or only in the log."""
        return not isinstance(event, put.DidPut | put.Doubled | put.Saw | put.Dealt | put.Drawn | put.Played)

    def travels(self, event: Event) -> Travel | None:
        return Travel(seat=event.seat, card=event.card) if isinstance(event, put.Played) else None

    def banner(self, table: AtTable, event: Event) -> Banner | None:
        match event:
            case put.DidPut():
                return Banner(word=say("screen-large-put"))
            case put.Doubled():
                return Banner(word=say("screen-large-double"))
            case put.Saw(value=value):
                return Banner(word=say("screen-large-taken" if value else "screen-large-seen"))
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


def draw_trick(table: AtTable, view: PutView, canvas: Canvas, plan: Plan) -> None:
    """Draw the current trick, otherwise the last one; and a card moving from its player to its place."""
    last = last_trick(table, view.past)
    is_old = not (view.trick.seats or (view.putter is not None and not view.past)) and bool(last.seats)
    trick = last if is_old else TrickView(view.trick.seats, view.trick.cards)
    played = tuple(zip(trick.seats, trick.cards, strict=False))
    _, top, width, height = plan.centre
    room, most = (width - 2) // (len(plan.others) + 1), min(height - 1, plan.hand.height)
    size = next((size for size in TRICK_SIZES if size.height <= most and size.width < room), None)
    if size is None:
        _draw_trick_in_words(canvas, table, plan, top + max(height - 2, 0) // 2, played, trick.winner)
        return
    slot, y = min(max(size.width + 2, 11), room), top + (height - 1 - size.height) // 2
    count = len(played)
    if not is_old and any(view.counts):
        count = max(sum(view.playing), count)  # the cards that the trick in play will have
    left = (plan.width - slot * count) // 2
    travel = None if is_old else table.travel
    for number in range(count):
        start = left + number * slot
        x = start + (slot - size.width) // 2
        if number >= len(played) or (travel is not None and played[number][0] == travel.seat):
            draw_place(canvas, x, y, size)
            continue
        seat, card = played[number]
        is_faint = is_old and seat != trick.winner
        draw_face(canvas, x, y, card, size, FAINT if is_faint else LIT if is_old else PLAIN)
        name, ellipsis = table.speaker.name(seat), canvas.theme.ellipsis
        name = f"[{cut(name, slot - 3, ellipsis)}]" if seat == trick.winner else cut(name, slot - 1, ellipsis)
        canvas.put(start + (slot - width_of(name)) // 2, y + size.height, name, FAINT if is_faint else STRONG)
    if travel is not None and travel.seat in trick.seats:
        x = left + trick.seats.index(travel.seat) * slot + (slot - size.width) // 2
        _draw_travel(canvas, plan, travel, size, x, y)


def _draw_travel(canvas: Canvas, plan: Plan, travel: Travel, size: CardSize, end_x: int, end_y: int) -> None:
    box = next((box for box in plan.boxes() if box.seat == travel.seat), None)
    x, y = (plan.width - size.width) // 2, plan.hand_top
    if box is not None:
        x, y = box.x + (box.width - size.width) // 2, box.y + 1
    x += round((end_x - x) * travel.share)
    y += round((end_y - y) * travel.share)
    draw_face(canvas, x, y, travel.card, size)


def _draw_trick_in_words(
    canvas: Canvas, table: AtTable, plan: Plan, y: int, played: tuple[tuple[Seat, Card], ...], winner: Seat | None
) -> None:
    room = max(min((plan.width - 2) // max(len(played), 1) - 7, 12), 3)
    parts: list[Fragment] = []
    for seat, card in played:
        name = cut(table.speaker.name(seat), room, canvas.theme.ellipsis)
        parts.append((PLAIN, f"{'  ' if parts else ''}{name} "))
        sign = marked_sign(canvas.theme, card)
        parts.append((style_of(card, STRONG), f"[{sign}]" if seat == winner else sign))
    draw_centred(canvas, 0, y, plan.width, tuple(parts))


def headline(table: AtTable, view: PutView) -> Fragment:
    """The last outcome, or what is being played."""
    if not any(view.counts) or (table.outcome and not view.trick.seats and view.putter is None):
        return STRONG, table.outcome
    number = len(view.past) + 1
    if view.moment is Moment.LAST_SAY:
        return FAINT, say("screen-trick-over")
    if view.putter is None:
        return FAINT, say("screen-trick-at-stake", number=number, stake=_at_stake(view, view.plain))
    who = table.speaker
    if not view.seen_by:
        message = "screen-trick-doubled" if view.is_doubling else "screen-trick-put"
        return STRONG, who.say(message, number=number, seat=view.putter)
    message, stake = "screen-trick-took" if view.is_doubling else "screen-trick-saw", _at_stake(view, view.accepted)
    saw = who.person("saw", view.seen_by[0])["saw"] if len(view.seen_by) == 1 else "many"
    names = who.names(view.seen_by)
    return STRONG, who.say(message, number=number, stake=stake, seat=view.putter, saw=saw, names=names)


def _at_stake(view: PutView, worth: Worth) -> str:
    if worth is not Worth.VALUE:
        return say("screen-for-game")
    return say("screen-for-points", count=view.value)


def length_of(view: PutView | None) -> int:
    """Tricks of this hand: those played, and the cards still held."""
    if view is None:
        return 0
    in_play = [count + (seat in view.trick.seats) for seat, count in enumerate(view.counts)]
    return len(view.past) + max(in_play, default=0)


def score_of(view: PutView, seat: Seat, theme: Theme) -> str:
    """`●●○○○ 2/5`."""
    score = at_seat(view.scores, seat, 0)
    number = f"{score}/{view.target}"
    if seat < len(view.rubber):
        number = say("screen-score-rubber", score=number, won=view.rubber[seat])
    if not 0 <= score <= view.target <= MOST_PIPS:
        return number
    return f"{theme.pip * score}{theme.no_pip * (view.target - score)} {number}"


def is_in_hand(table: AtTable, view: PutView) -> bool:
    """A hand is being played, so that being out of it matters."""
    return table.info.is_in_play and any(view.counts)


def marks_of(table: AtTable, view: PutView, seat: Seat, *, explains: bool = False) -> Iterator[Fragment]:
    """Marks of a seat in this hand. `explains`: as words for new players."""
    yield from common_marks(table, seat)
    if not table.info.is_in_play:
        return
    if view.putter == seat:
        yield ALARM, f" {say('screen-mark-doubles' if view.is_doubling else 'screen-mark-put')} "
    if seat in view.seen_by:
        yield STRONG, say("screen-mark-takes-it" if view.is_doubling else "screen-mark-sees")
    if seat in view.givers:
        yield STRONG, say("screen-mark-gave")
    elif is_in_hand(table, view) and seat < len(view.playing) and not view.playing[seat]:
        yield STRONG, say("screen-mark-out")
    if view.dealer == seat:
        yield PLAIN, say("screen-mark-dealer")
    if view.eldest == seat:
        yield PLAIN, say("screen-mark-eldest-explained" if explains else "screen-mark-eldest")


def name_of(canvas: Canvas, table: AtTable, view: PutView, seat: Seat, room: int) -> list[Fragment]:
    you = table.seat
    is_partner = you is not None and view.are_partners(you, seat)
    return name_in(table, seat, room, canvas, relation=say("screen-kind-partner") if is_partner else "")


def own_parts(table: AtTable, view: PutView, seat: Seat, theme: Theme, *, explains: bool) -> list[Fragment]:
    """Facts after the name of the seat at the bottom. `explains`: as words for new players."""
    parts = [(PLAIN, score_of(view, seat, theme)), *marks_of(table, view, seat, explains=explains)]
    parts.append((PLAIN, _taken(table, view, seat, theme)))
    return [*parts, (PLAIN, purse_of(table, seat, "stakes" if explains else "of"))]


def _taken(table: AtTable, view: PutView, seat: Seat, theme: Theme) -> str:
    return theme.trick_taken * at_seat(view.tricks, seat, 0) if is_in_hand(table, view) else ""


def _is_ours(table: AtTable, winners: tuple[Seat, ...]) -> bool | None:
    """True if we or our partner won; None: we do not play."""
    view, seat = table.view, table.seat
    if seat is None:
        return None
    return any(winner == seat or (isinstance(view, PutView) and view.are_partners(seat, winner)) for winner in winners)


def _first_clause(sentence: str) -> str:
    """Without the parts that the screen shows beside the log: cards held, tricks taken."""
    head, cut, _ = sentence.partition("; ")
    return f"{head.strip()}." if cut else head


def _hand_in_short(event: put.HandEnded, table: AtTable) -> str:
    if event.winner is None:
        return say("screen-hand-drawn-anew" if event.anew else "screen-hand-drawn")
    return table.speaker.say("screen-hand-won", seat=event.winner, points=event.points)
