"""A sealed deal on the screen: a mark in the header, and a page of all there is to know of it.

Nothing is said by colour alone, and what is wrong is said first.
"""

from put_client.fairness.fairness_text import (
    at_hand,
    blind_in_sentences,
    called_off,
    cards_by_player,
    holders,
    idlers,
    in_short,
    not_proved,
    packs,
    tally_in_words,
    unseen,
)
from put_client.sdk.deal_checks import ProofStanding
from put_client.tui.model import AtTable
from put_client.tui.widgets.canvas import Fragment, Line, width_of, wrapped
from put_client.tui.widgets.card_faces import sign_of, style_of
from put_client.tui.widgets.theme import ALARM, FAINT, KEY, PLAIN, STRONG, Theme
from put_protocol.seal.findings import BlindDeal, DealSummary, Objection, Proof, Stage
from put_protocol.seats import Seat
from put_text.phrases import format_seats

_LABEL = 8

_IN_ROW = 7
"""Cards of a player in a row: the hands of most games."""

_SHORT = 12
"""Characters of a root that is cut: enough to compare at a glance."""

_PROOFS = {Proof.PROVED: "proved", Proof.AWAITED: "awaited", Proof.FAILED: "NOT PROVED"}


def mark_of(table: AtTable, theme: Theme) -> Fragment | None:
    """The deal in play in a word or two; None: nothing was dealt yet."""
    match table.standing:
        case None:
            return None
        case ProofStanding.AWAITED:
            return FAINT, f"{_how(table)} {'...' if theme.is_ascii else theme.ellipsis}"
        case ProofStanding.PROVED:
            return FAINT, f"{_how(table)} {theme.check}"
        case ProofStanding.UNPROVED:
            return STRONG, in_short(None if table.checked is None else table.checked.unproved)
        case ProofStanding.BROKEN:
            return ALARM, "BROKEN"


def _how(table: AtTable) -> str:
    return "blind" if table.checked is not None and table.checked.is_blind else "sealed"


def deal_lines(table: AtTable, number: int | None, width: int, theme: Theme) -> list[Line]:
    """A deal of the sitting by its `key`; the last, if none is named."""
    at = place_of(table, number)
    is_last = at == len(table.deals) - 1
    lines: list[Line] = []
    if number is None or is_last:
        unproved = None if table.checked is None else table.checked.unproved
        is_blind = table.checked is not None and table.checked.is_blind
        standing = at_hand(table.standing, unproved, is_blind=is_blind)
        lines += wrapped(standing, width, PLAIN if table.caught is None else ALARM)
        for says in holders(table.info, table.names, table.viewer):
            lines += wrapped(says, width)
        for found in () if table.caught is None else table.caught.failures:
            if isinstance(found, Objection):  # it is about the game, and no flaw of a deal
                lines += wrapped(f"! {found.says}", width, ALARM)
        if table.checked is not None:
            for says in tally_in_words(table.checked.tally, table.names, table.viewer):
                lines += wrapped(says, width)
    if at < 0:
        return lines
    deal = table.deals[at]
    left, right = theme.arrows[:2]
    heading: list[Fragment] = [(STRONG, f"Deal {deal.deal}")]
    if isinstance(deal, DealSummary) and is_last and table.standing is ProofStanding.UNPROVED and deal.unproved is None:
        heading.append((PLAIN, ", the last that was sealed"))
    if at:
        heading.append((KEY, f"   {left} deal {table.deals[at - 1].deal}"))
    if not is_last:
        heading.append((KEY, f"   {right} deal {table.deals[at + 1].deal}"))
    lines += [*([()] if lines else []), tuple(heading)]
    if isinstance(deal, BlindDeal):
        return [*lines, *_blind(table, deal, width, theme)]
    for failure in deal.failures:
        lines += wrapped(f"! {failure.says}", width, ALARM)
    if deal.unproved is not None and not is_last:
        lines += wrapped(not_proved(deal.unproved), width)
    return [*lines, *_seal(table, deal, width, theme), *_cards(table, deal, theme)]


def place_of(table: AtTable, number: int | None) -> int:
    """Index of a deal in the sitting by its `key`, or where it would be. None means the last; -1: there is none."""
    if number is None:
        return len(table.deals) - 1
    return min(sum(deal.key < number for deal in table.deals), len(table.deals) - 1)


def beside(table: AtTable, number: int | None, step: int) -> int | None:
    """The number of the deal so many before or after that one; beyond an end it is the end."""
    if not table.deals:
        return None
    return table.deals[min(max(place_of(table, number) + step, 0), len(table.deals) - 1)].key


def _labelled(label: str, text: str, width: int, style: str = PLAIN) -> list[Line]:
    """Lines with a word before the first."""
    return wrapped(text, width, style, head=(FAINT, label.ljust(_LABEL)))


def _seal(table: AtTable, deal: DealSummary, width: int, theme: Theme) -> list[Line]:
    """The words, who cut, the roots and the packs."""
    lines: list[Line] = []
    if deal.words is not None:
        lines += _labelled("words", deal.words, width, STRONG)
        lines += _labelled(
            "", "Read them to each other: if yours are theirs, you were all told the same.", width, FAINT
        )
    cutters = format_seats(deal.cutters, table.names, table.viewer) if deal.cutters else "nobody"
    lines += _labelled("cut", f"{'by' if deal.stage is Stage.CUT else 'for'} {cutters}", width)
    if idle := idlers(deal, len(table.info.seats)):
        lines += _labelled("", f"takes no part: {format_seats(idle, table.names, table.viewer)}", width)
    for name, root in zip(("seal 1", "seal 2"), deal.roots, strict=True):
        digits = root.hex()
        if len(digits) > width - _LABEL:
            digits = f"{digits[:_SHORT]}{theme.ellipsis}{digits[-_SHORT:]}"
        lines.append(((FAINT, name.ljust(_LABEL)), (PLAIN, digits)))
    match deal.stage:
        case Stage.CUT:
            lines += _labelled("packs", packs(deal), width)
        case Stage.VOID:
            lines += _labelled("packs", called_off(deal, table.names, table.viewer), width)
        case Stage.SEALED:
            lines += _labelled("packs", "Which one is played the cuts will tell.", width)
    return lines


def _blind(table: AtTable, deal: BlindDeal, width: int, theme: Theme) -> list[Line]:
    """Who shuffled, whose cards the server can see, and every card that was seen."""
    names, you = table.names, table.viewer
    if deal.blamed is not None:
        return wrapped(blind_in_sentences(deal, names, you)[0], width)
    who = f"by {format_seats(deal.shufflers, names, you)}, each proved" if deal.shufflers else "by nobody yet"
    lines = _labelled("shuffle", who, width)
    if deal.awaited:
        lines += _labelled("awaited", format_seats(deal.awaited, names, you), width)
    if deal.held:
        lines += _labelled("keys", f"the server can see the cards of {format_seats(deal.held, names, you)}", width)
    label = "cards"
    for who, cards in cards_by_player(deal, names, you):
        for first in range(0, len(cards), _IN_ROW):
            row: list[Fragment] = [(FAINT, label.ljust(_LABEL))]
            for card, _ in cards[first : first + _IN_ROW]:
                row += [(style_of(card), sign_of(theme, card)), (PLAIN, " ")]
            lines.append((*row, (PLAIN, f"  {who}" if first + _IN_ROW >= len(cards) else "")))
            label = ""
    if deal.unseen:
        lines += _labelled("unseen", unseen(deal, names, you), width)
    return lines


def _cards(table: AtTable, deal: DealSummary, theme: Theme) -> list[Line]:
    """Each card that was seen, who held it, and how far it is proved."""
    if deal.stage is not Stage.CUT:
        return []
    if not deal.cards:
        return [((FAINT, "cards".ljust(_LABEL)), (PLAIN, "You saw none of it yet."))]
    lines: list[Line] = []
    for place, card in enumerate(deal.cards):
        head = "cards" if not place else ""
        holder = "in the pack" if card.seat is None else _name(table, card.seat)
        sign = sign_of(theme, card.card)
        style = ALARM if card.proof is Proof.FAILED else FAINT if card.proof is Proof.AWAITED else PLAIN
        lines.append(
            (
                (FAINT, head.ljust(_LABEL)),
                (style_of(card.card), sign),
                (style, f"{' ' * max(5 - width_of(sign), 1)}{_PROOFS[card.proof]}, {holder}"),
            )
        )
    return lines


def _name(table: AtTable, seat: Seat) -> str:
    return format_seats([seat], table.names, table.viewer)
