"""The page of a game hand by hand: a line a hand, and its tricks under it."""

from collections.abc import Callable

from put_client.tui.boards.put.memory import memory_of
from put_client.tui.boards.put.story import Hand, Story
from put_client.tui.model import AtTable, order_from
from put_client.tui.widgets.canvas import Fragment, Line, width_of, wrap
from put_client.tui.widgets.card_faces import sign_of, style_of
from put_client.tui.widgets.theme import FAINT, KEY, PLAIN, STRONG, Theme
from put_protocol.games import put
from put_protocol.games.unions import Event
from put_protocol.seats import Seat

NameOf = Callable[[Seat], str]
"""How a seat is spoken of; `you` for the reader's own."""


def story_page(table: AtTable, width: int, theme: Theme) -> list[Line]:
    """Every hand of the game, with its tricks."""
    story = memory_of(table).story
    if story is None:
        return [((PLAIN, "Nothing has been played yet."),)]
    lines = story_lines(table, story, width, theme, with_tricks=True)
    if not story.is_whole:
        lines.insert(0, ((FAINT, "Told from where you came to the table."),))
    if story.is_over and table.result:
        lines += [(), *(((STRONG, row),) for row in wrap(table.result, width))]
    if table.recording is not None and table.recording.number == story.number:
        lines += [(), ((KEY, "/save FILE"), (PLAIN, " writes the game down, as you saw it."))]
    return lines


def story_lines(table: AtTable, story: Story, width: int, theme: Theme, *, with_tricks: bool) -> list[Line]:
    """Under a line of names, a line a hand: what was said, how it ended, and the score after it, the winner's in
    brackets. With `with_tricks` the cards of each hand follow."""
    seats = order_from(table.viewer, story.seats)
    column = 8 if story.seats <= 4 and width >= 60 else max(min(8, (width - 28) // story.seats), 4)
    left = width - column * story.seats
    head = f"{'hand':<{left}}" + "".join(_right(_name(table, seat), column) for seat in seats)
    lines: list[Line] = [((FAINT, head),)]
    for hand in story.hands:
        scores = scores_of(hand)
        winner = hand.end.winner if hand.end is not None else None
        cells = [f"[{scores[s]}]" if s == winner else f"{scores[s]} " for s in seats] if scores else []
        first, *rest = wrap(words_of(hand, lambda seat: _name(table, seat)), left - 5)
        number = (FAINT, f"{hand.number:>3}  ")
        score = (STRONG, " " * (left - 5 - width_of(first)) + "".join(_right(cell, column) for cell in cells))
        lines.append((number, (PLAIN, first), score))
        lines += [((PLAIN, f"     {row}"),) for row in rest]
        if with_tricks:
            lines += _tricks(table, hand, width, theme)
    return lines


def _right(text: str, width: int) -> str:
    """Within a column, to its right side, with a blank at its left."""
    while width_of(text) > width - 1:
        text = text[:-1]
    return " " * (width - width_of(text)) + text


def _name(table: AtTable, seat: Seat) -> str:
    return "you" if seat == table.seat else table.name(seat)


def _tricks(table: AtTable, hand: Hand, width: int, theme: Theme) -> list[Line]:
    """Each trick with who played what; what took it is in brackets."""
    lines: list[Line] = []
    line: list[Fragment] = []
    for number, trick in enumerate(hand.tricks, 1):
        parts: list[Fragment] = []
        is_tied = trick.winner is None and not (hand.is_open and number == len(hand.tricks))
        for seat, card in zip(trick.seats, trick.cards, strict=False):
            left, right = ("[", "]") if seat == trick.winner else ("=" if is_tied else "", "")
            parts += [(FAINT, f"{left}{_name(table, seat)} "), (style_of(card), sign_of(theme, card))]
            parts.append((FAINT, f"{right} "))
        needed = sum(width_of(text) for _, text in parts) + 2
        if line and sum(width_of(text) for _, text in line) + needed > width:
            lines.append(tuple(line))
            line = []
        line += [(FAINT, f"{theme.dot} " if line else "     "), *parts]
    return [*lines, tuple(line)] if line else lines


def words_of(hand: Hand, name: NameOf) -> str:
    """What was said in the hand and how it ended, in one short line."""
    parts = [part for part in (_said(event, name) for event in hand.says) if part]
    if hand.game is not None and (hand.end is None or hand.game.how is not put.GameWon.POINTS):
        parts.append(_game_won(hand.game, name))
    elif hand.end is not None:
        parts.append(_hand_won(hand.end, name))
    text = ", ".join(parts)
    return f"{text[:1].upper()}{text[1:]}" if text else "In play"


def _said(event: Event, name: NameOf) -> str:
    match event:
        case put.DidPut(seat=seat):
            return f"{name(seat)} put"
        case put.Doubled(seat=seat, value=value):
            return f"{name(seat)} doubled to {value}"
        case put.Saw(seat=seat, value=value):
            return f"{name(seat)} {'took it' if value else 'saw it'}"
        case put.ThrewIn(seat=seat, cause=cause):
            why = {put.Cause.CHOICE: "threw in", put.Cause.TIME: "ran out of time", put.Cause.LEFT: "gave up the game"}[
                cause
            ]
            return f"{name(seat)} {why}"
        case put.Gave(seat=seat, to=to):
            return f"{name(seat)} gave {name(to)} a card"
        case put.Accident(law=law):
            return f"an accident in the dealing (law {law})"
        case put.FreshDeal(seat=caller, points=points):
            gain = f" and scored {points}" if points else ""
            return "dealt again" if caller is None else f"{name(caller)} called a fresh deal{gain}"
        case _:
            return ""


def _hand_won(end: put.HandEnded, name: NameOf) -> str:
    if end.winner is None:
        return "drawn, and all scores set back" if end.anew else "drawn"
    if end.how is put.HandWon.THROWN_IN:
        return f"{end.points} to {name(end.winner)}"
    return f"{name(end.winner)} won" + (f" {end.points}" if end.points else "")


def _game_won(game: put.GameEnded, name: NameOf) -> str:
    winners = " and ".join(name(seat) for seat in game.winners) or "nobody"
    return f"{winners} won the game"


def scores_of(hand: Hand) -> tuple[int, ...]:
    """After the hand; empty while it is played."""
    if hand.end is not None:
        return hand.end.scores
    if hand.game is not None:
        return hand.game.scores
    called = next((event for event in hand.says if isinstance(event, put.FreshDeal)), None)
    return () if called is None else called.scores
