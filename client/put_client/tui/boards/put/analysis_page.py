"""The page of what a game's decisions cost: the worst in words, then every one of them in a table.

What a decision is called stands there as a word; nothing is said by colour alone.
"""

from put_client.tui.model import AtTable, card_of
from put_client.tui.widgets.canvas import Fragment, Line, columns_of, width_of, wrapped
from put_client.tui.widgets.card_faces import sign_of, style_of
from put_client.tui.widgets.theme import FAINT, PLAIN, STRONG, Theme
from put_protocol.analysis import Quality, Reviewed, Weighed
from put_protocol.cards import Card
from put_protocol.messages import Analysis
from put_text import analysis_text
from put_text.catalogue import say

CARDS_FROM = 66
"""Columns from which a decision's cards stand in its line; below, in the one under it."""

_SHORT = ("put", "see", "throw", "pass", "double")
"""Actions without cards that have words of their own, by their tags; of others the beginning of the server's words."""

_CARDS, _NUMBER, _PLACE, _DONE, _CHANCE = 12, 4, 12, 9, 7


def analysis_page(table: AtTable, width: int, theme: Theme) -> list[Line]:
    """The page, in lines no wider than that."""
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
    """The worst in words, as far as they have come."""
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
    """A line of numbers; under it what perfect play does and why, where that is something else."""
    judged = one.judged
    is_wide = width >= CARDS_FROM
    moment = say("review-moment", moment=one.moment.value)
    line: list[Fragment] = [(FAINT, f"{one.number:>2}. "), (PLAIN, f"{one.hand}.{one.trick} {moment}".ljust(_PLACE))]
    if is_wide:
        line += _cards(one.cards, theme, _CARDS)
    done = next((choice for choice in judged.choices if choice.action == judged.done), None)
    line += _padded(_short(done, theme), _DONE) if done is not None else [(PLAIN, " " * _DONE)]
    chances = "".join(f"{chance / 100:.1f}".rjust(_CHANCE) for chance in (judged.before, judged.after))
    cost = f"{judged.cost / 100:.1f}" if judged.cost else "-"
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
    """An action in a word or two."""
    card = card_of(choice.action)
    if card is not None:
        return style_of(card), sign_of(theme, card)
    tag = str(choice.action.__struct_config__.tag)
    if tag in _SHORT:
        return PLAIN, say(f"review-do-{tag}")
    return PLAIN, " ".join(analysis_text.choice_phrase(choice.says).split()[:2])
