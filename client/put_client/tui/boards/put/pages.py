"""The pages of Put: a game hand by hand, folded from events, and the cost of its decisions; never by colour alone."""

from collections.abc import Iterator
from itertools import dropwhile

from put_client.tui.boards.sitting_board import cards_in_words, in_words, right_aligned, tricks_of
from put_client.tui.model import AtTable, ToldHand, card_of
from put_client.tui.widgets.canvas import Fragment, Line, columns_of, flowed, width_of, wrap, wrapped
from put_client.tui.widgets.card_faces import sign_of, style_of
from put_client.tui.widgets.theme import FAINT, PLAIN, STRONG, Theme
from put_protocol.analysis import Quality, Reviewed, Weighed
from put_protocol.cards import Card
from put_protocol.games import put
from put_protocol.games.unions import Event
from put_protocol.messages import Analysis
from put_protocol.seats import Seat
from put_text import analysis_text
from put_text.catalogue import say

_CONTINUED_INDENT = " " * 5

TOLD: tuple[type[Event], ...] = (
    *(put.DidPut, put.Doubled, put.Saw, put.ThrewIn, put.Gave, put.Accident, put.FreshDeal),
    *(put.HandEnded, put.GameEnded),
)


def events_of(view: put.PutView) -> Iterator[Event]:
    """Events that lead to a view, for a player who arrives during a hand."""
    for number, trick in enumerate((*view.past, view.trick), 1):
        for seat, card in zip(trick.seats, trick.cards, strict=False):
            yield put.Played(seat, card, leads=seat == trick.seats[0])
        if number <= len(view.past):
            yield put.TrickEnded(number, trick.winner, trick.winner or Seat(0), ())
    if view.putter is not None and not view.is_doubling:
        yield put.DidPut(view.putter)
        yield from (put.Saw(seat) for seat in view.seen_by)


def lines_of(table: AtTable, width: int, theme: Theme, *, with_tricks: bool) -> list[Line]:
    """A line for each hand, below a line of names: words said, result, and the score after it, with the winner's in
    brackets. `with_tricks`: each hand's cards follow."""
    seats = table.order
    column = 8 if len(seats) <= 4 and width >= 60 else max(min(8, (width - 28) // len(seats)), 4)
    left = width - column * len(seats)
    names = [right_aligned(table.speaker.name(seat), column) for seat in seats]
    head = say("screen-column-hand").ljust(left) + "".join(names)
    lines: list[Line] = [((FAINT, head),)]
    for hand in table.told.hands:
        scores, winner = _scores(hand)
        cells = [f"[{scores[s]}]" if s == winner else f"{scores[s]} " for s in seats if s < len(scores)]
        first, *rest = wrap(in_words(table, hand, TOLD, is_brief=True), left - 5)
        score = " " * (left - 5 - width_of(first)) + "".join(right_aligned(cell, column) for cell in cells)
        lines.append(((FAINT, f"{hand.number:>3}  "), (PLAIN, first), (STRONG, score)))
        lines += [((PLAIN, f"{_CONTINUED_INDENT}{row}"),) for row in rest]
        if with_tricks:
            lines += _tricks(table, hand, width, theme)
    return lines


def whole_rows(hands: list[Line], height: int) -> list[Line]:
    """The last lines, beginning with a whole hand."""
    return list(dropwhile(lambda line: line[0][1].startswith(_CONTINUED_INDENT), hands[-height:]))


def _tricks(table: AtTable, hand: ToldHand, width: int, theme: Theme) -> list[Line]:
    tricks, is_open = tricks_of(hand)
    last = tricks[-1] if is_open else None
    groups = [
        [part for parts in cards_in_words(table, trick, theme, is_tied=trick is not last) for part in parts]
        for trick in tricks
    ]
    return flowed(groups, width, head=(FAINT, _CONTINUED_INDENT), between=(FAINT, f"{theme.separator} "))


def _scores(hand: ToldHand) -> tuple[tuple[int, ...], Seat | None]:
    """Scores after the hand (empty while it is played), and the seat that won it."""
    for event in hand.events:
        if isinstance(event, put.HandEnded):
            return event.scores, event.winner
        if isinstance(event, put.GameEnded | put.FreshDeal):
            return event.scores, None
    return (), None


CARDS_FROM = 66
"""Width from which a decision's cards are in its line; otherwise they are in the next one."""

_SHORT = ("put", "see", "throw", "pass", "double")
"""Actions without cards that have words of their own, by tag; others use the beginning of the server's words."""

_CARDS, _NUMBER, _PLACE, _DONE, _CHANCE = 12, 4, 12, 9, 7


def analysis_page(table: AtTable, width: int, theme: Theme) -> list[Line]:
    analysis = table.analysis
    if analysis is None:
        return [((PLAIN, say("review-awaited")),)]
    lines = wrapped(analysis_text.format_totals(analysis), width, STRONG)
    if table.awaits_analysis:
        lines += wrapped(say("review-more"), width, FAINT)
    lines += _worst(analysis, width)
    if analysis.reviewed:
        lines += [(), _heading(width)]
        for one in analysis.reviewed:
            lines += _decision(one, width, theme)
    return [*lines, (), *wrapped(say("review-assumed"), width, FAINT)]


def _worst(analysis: Analysis, width: int) -> list[Line]:
    known = {one.number: one for one in analysis.reviewed}
    lines: list[Line] = []
    for number in analysis.worst:
        if number in known:
            says = analysis_text.format_reviewed(known[number], analysis.seat)
            lines += [(), *wrapped(says, width, head=(STRONG, f"{number:>2}. "))]
    return lines


def _heading(width: int) -> Line:
    cards = say("review-cards").ljust(_CARDS) if width >= CARDS_FROM else ""
    place, did = say("review-place").ljust(_PLACE), say("review-did").ljust(_DONE)
    numbers = "".join(say(f"review-{word}").rjust(_CHANCE) for word in ("before", "after", "cost"))
    return ((FAINT, f"{' ' * _NUMBER}{place}{cards}{did}{numbers}"),)


def _decision(one: Reviewed, width: int, theme: Theme) -> list[Line]:
    """A line of numbers; below it the choice of perfect play and the reason, if it differs."""
    judged = one.judged
    is_wide = width >= CARDS_FROM
    moment = say("review-moment", moment=one.moment.value)
    line: list[Fragment] = [(FAINT, f"{one.number:>2}. "), (PLAIN, f"{one.hand}.{one.trick} {moment}".ljust(_PLACE))]
    if is_wide:
        line += _cards(one.cards, theme, _CARDS)
    done = next((choice for choice in judged.choices if choice.action == judged.done), None)
    line += _padded(_short(done, theme), _DONE) if done is not None else [(PLAIN, " " * _DONE)]
    chances = "".join(analysis_text.figure(chance / 100).rjust(_CHANCE) for chance in (judged.before, judged.after))
    cost = analysis_text.figure(judged.cost / 100) if judged.cost else "-"
    line.append((PLAIN, f"{chances}{cost.rjust(_CHANCE)}"))
    if judged.quality is not Quality.FINE:
        line.append((STRONG, f" {say('review-quality', quality=judged.quality.value)}"))
    lines: list[Line] = [tuple(line)]
    if not is_wide:
        lines.append(((FAINT, f"{' ' * _NUMBER}{say('review-held')} "), *_cards(one.cards, theme)))
    mixture = analysis_text.best_choices(judged.choices)
    if len(mixture) == 1 and mixture[0].action == judged.done:
        return lines
    says = judged.reason or say("review-perfect", best=analysis_text.format_perfect_play(judged.choices))
    return [*lines, *wrapped(says, width, FAINT, head=(PLAIN, " " * _NUMBER))]


def _cards(cards: tuple[Card, ...], theme: Theme, width: int = 0) -> list[Fragment]:
    fragments: list[Fragment] = []
    for card in cards:
        fragments += [(style_of(card), sign_of(theme, card)), (PLAIN, " ")]
    used = columns_of(fragments)
    return [*fragments, (PLAIN, " " * (width - used))] if used < width else fragments


def _padded(fragment: Fragment, width: int) -> list[Fragment]:
    return [fragment, (PLAIN, " " * max(width - width_of(fragment[1]), 1))]


def _short(choice: Weighed, theme: Theme) -> Fragment:
    card = card_of(choice.action)
    if card is not None:
        return style_of(card), sign_of(theme, card)
    tag = str(choice.action.__struct_config__.tag)
    if tag in _SHORT:
        return PLAIN, say(f"review-do-{tag}")
    return PLAIN, " ".join(analysis_text.choice_phrase(choice.says).split()[:2])
