"""Sentences about deals and what is proved of them, and the list of deals that a screen remembers. Pure."""

from collections import Counter
from typing import assert_never

from put_client.sdk.deal_checks import DealChecked, ProofStanding
from put_client.sdk.findings import DealSummary, Tally, Unproved
from put_protocol.cards import Card
from put_protocol.seats import Seat, Viewer
from put_protocol.table_info import TableInfo
from put_protocol.text import counted, listed, printable
from put_text.phrases import Names, format_cards, format_seats

KEPT = 256
"""Deals of a sitting that are remembered."""

Deals = tuple[DealSummary, ...]
"""Deals since we came to the table, in their order."""


def with_deal(deals: Deals, deal: DealSummary | None) -> Deals:
    """Add or replace a deal."""
    if deal is None:
        return deals
    if deals and deals[-1].key < deal.key:
        return (*deals, deal)[-KEPT:]
    return tuple(sorted([*(one for one in deals if one.key != deal.key), deal], key=lambda one: one.key))[-KEPT:]


def has_proof(checked: DealChecked | None) -> bool:
    """True if the cards of the hand shown are proved, or nothing is checked here.

    In a blind deal no card is shown that is not proved already: another one ends all checks.
    """
    return checked is None or checked.standing is not ProofStanding.UNPROVED


_WHY = {
    Unproved.PLAIN: "the server deals alone",
    Unproved.MISSED: "a part of it was lost with the connection",
    Unproved.BLIND: "the package coincurve is missing here",
    Unproved.PACK: "the pack of this game is not known here",
}


def at_hand(standing: ProofStanding | None, unproved: Unproved | None = None) -> str:
    """Standing of the deal in play."""
    match standing:
        case None:
            return "Nothing was dealt here yet."
        case ProofStanding.AWAITED:
            return "The cards are being shuffled, by everybody who holds a key."
        case ProofStanding.PROVED:
            return "Everybody who holds a key shuffled the deal in play, and all you saw of it is proved."
        case ProofStanding.UNPROVED:
            return not_proved(unproved)
        case ProofStanding.BROKEN:
            return "The dealer was caught: nothing more is played here."
        case _:
            assert_never(standing)


def not_proved(why: Unproved | None) -> str:
    """That a deal is not proved, and why."""
    return "This deal is not proved." if why is None else f"This deal is not proved: {_WHY[why]}."


def in_short(why: Unproved | None) -> str:
    """The same in a few words, for a header."""
    return "not proved" if why is None else _SHORT[why]


_SHORT = {
    Unproved.PLAIN: "not proved: plain",
    Unproved.MISSED: "not proved: part missed",
    Unproved.BLIND: "not proved: blind",
    Unproved.PACK: "not proved: pack unknown",
}


def news_of(before: DealChecked | None, now: DealChecked) -> tuple[str, ...]:
    """Sentences to say unasked: that deals are not proved, and, when a game is over, how many were."""
    if now.standing is ProofStanding.BROKEN:
        return ()  # which is said otherwise
    known = DealChecked(now.table, None, None) if before is None else before
    said = [_unproved_news(why, deals, now) for why, deals in (_unproved(now) - _unproved(known)).items()]
    return (*said, *tally_in_words(now.tally)) if now.is_game_over else tuple(said)


def dealt_plain(info: TableInfo) -> str:
    return f"This server deals the cards alone, and sees them all: {printable(info.plain)}."


def holders(info: TableInfo | None, names: Names, you: Viewer) -> tuple[str, ...]:
    """Sentences about how cards are dealt, and which cards each can see."""
    if info is not None and info.plain:
        return (dealt_plain(info),)
    if info is None or not any(one.holds_key for one in info.seats):
        return ()
    if info.is_read:
        return ("This server can read every hand in this game, and cannot choose them.",)
    seats = [Seat(seat) for seat, one in enumerate(info.seats) if one.name is not None]
    held = [seat for seat in seats if not info.seats[seat].holds_key]
    who = {seat: format_seats([seat], names, you) for seat in seats}
    whose = {seat: "your" if seat == you else f"{name}'s" for seat, name in who.items()}
    said = [f"Only {who[seat]} can see {whose[seat]} cards." for seat in seats if seat not in held]
    if held:
        said.append(f"This server holds the cards of {listed([who[seat] for seat in held])}, and can see them.")
    return tuple(said)


def _unproved(checked: DealChecked) -> Counter[Unproved]:
    """Numbers of unproved deals by reason, the one in play included."""
    deals = Counter(dict(checked.tally.unproved))
    if checked.unproved is not None and deals.total() < checked.unproved_deals:
        deals[checked.unproved] += 1
    return deals


def _unproved_news(why: Unproved, deals: int, now: DealChecked) -> str:
    if deals > 1:
        return f"{deals} deals are not proved: {_WHY[why]}."
    return not_proved(why) if why is now.unproved else f"The deal before is not proved: {_WHY[why]}."


def tally_in_words(tally: Tally) -> tuple[str, ...]:
    """Counts: deals proved, and why the others were not."""
    said = []
    if tally.dealt == 1 and tally.unproved:
        said.append(f"The one deal so far was not proved: {_WHY[tally.unproved[0][0]]}.")
    elif tally.dealt:
        said.append(_proved(tally))
        said += [f"{deals} {'was' if deals == 1 else 'were'} not: {_WHY[why]}." for why, deals in tally.unproved]
    return tuple(said)


def _proved(tally: Tally) -> str:
    if tally.dealt == 1:
        return "The one deal so far was proved."
    proved = f"All {tally.dealt}" if tally.proved == tally.dealt else f"{tally.proved} of {tally.dealt}"
    return f"{proved} deals so far were proved."


def in_sentences(deal: DealSummary, names: Names, you: Viewer) -> tuple[str, ...]:
    """Everything about a deal."""
    if deal.blamed is not None:
        return (f"Deal {deal.deal} was made anew because of {format_seats([deal.blamed], names, you)}, {_word(deal)}.",)
    who = format_seats(deal.shufflers, names, you) if deal.shufflers else "nobody yet"
    said = [f"Deal {deal.deal} was shuffled by {who}; every shuffle is proved."]
    if deal.awaited:
        said = [f"Deal {deal.deal} was shuffled by {who}; awaited: {format_seats(deal.awaited, names, you)}."]
    if deal.is_read:
        said.append("The rules have to see hands: the server can read them all, and choose none.")
    elif deal.held:
        said.append(f"The server can see the cards of {format_seats(deal.held, names, you)} in it.")
    said += [f"{format_cards([card for card, _ in cards])}: {who}." for who, cards in cards_by_player(deal, names, you)]
    if deal.unseen:
        said.append(f"Not shown to you: {unseen(deal, names, you)}.")
    return tuple(said)


def _word(deal: DealSummary) -> str:
    return "as the server says" if deal.is_ruling else "which is proved"


def cards_by_player(deal: DealSummary, names: Names, you: Viewer) -> list[tuple[str, list[tuple[Card, Seat | None]]]]:
    """The cards that were seen of a deal, of each player and of the pack."""
    seats = sorted({seat for _, seat in deal.cards}, key=lambda seat: -1 if seat is None else seat)
    return [
        (
            "turned up for all" if seat is None else format_seats([seat], names, you),
            [one for one in deal.cards if one[1] == seat],
        )
        for seat in seats
    ]


def unseen(deal: DealSummary, names: Names, you: Viewer) -> str:
    """The number of each player's cards that were not shown."""
    return listed([f"{counted(count, 'card')} of {format_seats([seat], names, you)}" for seat, count in deal.unseen])
