"""A deal on the screen: a mark in the header, and a page with all details.

Nothing is shown by colour alone, and faults come first.
"""

from put_client.fairness.fairness_text import (
    at_hand,
    cards_by_player,
    holders,
    in_sentences,
    tally_in_words,
    unseen,
)
from put_client.sdk.deal_checks import DealSummary, ProofStanding
from put_client.tui.model import AtTable
from put_client.tui.widgets.canvas import Fragment, Line, wrapped
from put_client.tui.widgets.card_faces import sign_of, style_of
from put_client.tui.widgets.theme import ALARM, FAINT, KEY, PLAIN, STRONG, Theme
from put_text.catalogue import say
from put_text.phrases import Speaker

_LABEL = 8

_IN_ROW = 7
"""Cards of a player in a row: the size of most games' hands."""


def mark_of(table: AtTable, theme: Theme) -> Fragment | None:
    """The deal in play in a word or two; None: no deal yet."""
    match table.standing:
        case None:
            return None
        case ProofStanding.AWAITED:
            return FAINT, say("deal-mark", mark="..." if theme.is_ascii else theme.ellipsis)
        case ProofStanding.PROVED:
            return FAINT, say("deal-mark", mark=theme.proved)
        case ProofStanding.UNPROVED:
            unproved = None if table.checked is None else table.checked.unproved
            return STRONG, say("deal-short", why=unproved or "none")
        case ProofStanding.BROKEN:
            return ALARM, say("deal-mark-broken")


def deal_lines(table: AtTable, number: int | None, width: int, theme: Theme) -> list[Line]:
    """Lines about the deal with this `key`; None: the last one."""
    at = place_of(table, number)
    is_last = at == len(table.deals) - 1
    lines: list[Line] = []
    if number is None or is_last:
        unproved = None if table.checked is None else table.checked.unproved
        lines += wrapped(at_hand(table.standing, unproved), width, PLAIN if table.caught is None else ALARM)
        for says in holders(table.info, table.names, table.viewer):
            lines += wrapped(says, width)
        for found in () if table.caught is None else table.caught.failures:
            lines += wrapped(f"! {found.says}", width, ALARM)
        if table.checked is not None:
            for says in tally_in_words(table.checked.tally):
                lines += wrapped(says, width)
    if at < 0:
        return lines
    deal = table.deals[at]
    left, right = theme.arrows[:2]
    heading: list[Fragment] = [(STRONG, say("deal-heading", deal=deal.deal))]
    if at:
        heading.append((KEY, f"   {left} {say('deal-beside', deal=table.deals[at - 1].deal)}"))
    if not is_last:
        heading.append((KEY, f"   {right} {say('deal-beside', deal=table.deals[at + 1].deal)}"))
    return [*lines, *([()] if lines else []), tuple(heading), *_deal(table, deal, width, theme)]


def place_of(table: AtTable, number: int | None) -> int:
    """Index of the deal with this `key`, or where it would be. None: the last; -1: there is none."""
    if number is None:
        return len(table.deals) - 1
    return min(sum(deal.key < number for deal in table.deals), len(table.deals) - 1)


def beside(table: AtTable, number: int | None, step: int) -> int | None:
    """Number of the deal `step` deals away, limited to the first and the last."""
    if not table.deals:
        return None
    return table.deals[min(max(place_of(table, number) + step, 0), len(table.deals) - 1)].key


def _labelled(label: str, text: str, width: int) -> list[Line]:
    return wrapped(text, width, head=(FAINT, label.ljust(_LABEL)))


def _deal(table: AtTable, deal: DealSummary, width: int, theme: Theme) -> list[Line]:
    names, you = table.names, table.viewer
    if deal.blamed is not None:
        return wrapped(in_sentences(deal, names, you)[0], width)
    speaker = Speaker(names, you)
    by = speaker.names(deal.shufflers)
    who = say("deal-by", names=by) if by else say("deal-by-nobody")
    lines = _labelled(say("deal-label-shuffle"), who, width)
    if deal.awaited:
        lines += _labelled(say("deal-label-awaited"), speaker.names(deal.awaited), width)
    if deal.held:
        lines += _labelled(say("deal-label-keys"), say("deal-held", names=speaker.names(deal.held)), width)
    label = say("deal-label-cards")
    for who, cards in cards_by_player(deal, names, you):
        for first in range(0, len(cards), _IN_ROW):
            row: list[Fragment] = [(FAINT, label.ljust(_LABEL))]
            for card, _ in cards[first : first + _IN_ROW]:
                row += [(style_of(card), sign_of(theme, card)), (PLAIN, " ")]
            lines.append((*row, (PLAIN, f"  {who}" if first + _IN_ROW >= len(cards) else "")))
            label = ""
    if deal.unseen:
        lines += _labelled(say("deal-label-unseen"), unseen(deal, names, you), width)
    return lines
