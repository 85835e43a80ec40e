"""Sentences about deals and their proofs, and the list of deals that a screen remembers. Pure."""

from collections import Counter

from put_client.sdk.deal_checks import DealChecked, DealSummary, ProofStanding, Tally, Unproved
from put_protocol.cards import Card
from put_protocol.seats import Seat, Viewer
from put_protocol.table_info import TableInfo
from put_protocol.text import printable
from put_text.catalogue import listed, say
from put_text.phrases import Names, Speaker
from put_text.translated import in_own_words

DEALS_KEPT = 256

Deals = tuple[DealSummary, ...]
"""Deals since we came to the table, in their order."""


def with_deal(deals: Deals, deal: DealSummary | None) -> Deals:
    if deal is None:
        return deals
    if deals and deals[-1].key < deal.key:
        return (*deals, deal)[-DEALS_KEPT:]
    return tuple(sorted([*(one for one in deals if one.key != deal.key), deal], key=lambda one: one.key))[-DEALS_KEPT:]


def has_proof(checked: DealChecked | None) -> bool:
    """True if the shown cards are proved, or checks are off.

    In a blind deal every shown card is already proved: any other one ends all checks.
    """
    return checked is None or checked.standing is not ProofStanding.UNPROVED


def at_hand(standing: ProofStanding | None, unproved: Unproved | None = None) -> str:
    """Standing of the deal in play."""
    if standing is ProofStanding.UNPROVED:
        return not_proved(unproved)
    return say("deal-nothing" if standing is None else f"deal-{standing}")


def not_proved(why: Unproved | None) -> str:
    return say("deal-unproved", why=why or "none")


def news_of(before: DealChecked | None, now: DealChecked) -> tuple[str, ...]:
    """Sentences to show without a question: that deals are not proved, and after a game, how many were.

    A reason is shown once at a table, and again after a deal that was or may be proved.
    """
    if now.standing is ProofStanding.BROKEN:
        return ()  # which is said otherwise
    known = DealChecked(now.table, None, None) if before is None else before
    told = {} if known.standing in (ProofStanding.PROVED, ProofStanding.AWAITED) else dict(known.tally.unproved)
    fresh = Counter(dict(now.tally.unproved)) - Counter(dict(known.tally.unproved))
    said = [_unproved_news(why, deals, now) for why, deals in fresh.items() if why not in told]
    return (*said, *tally_in_words(now.tally)) if now.is_game_over else tuple(said)


def holders(info: TableInfo | None, names: Names, you: Viewer) -> tuple[str, ...]:
    """Sentences about how cards are dealt, and which cards each party can see."""
    if info is not None and info.plain:
        return (say("deal-plain", why=printable(in_own_words(info.plain))),)
    if info is None or not any(one.holds_key for one in info.seats):
        return ()
    if info.is_read:
        return (say("deal-read"),)
    who = Speaker(names, you)
    seats = [Seat(seat) for seat, one in enumerate(info.seats) if one.name is not None]
    held = [seat for seat in seats if not info.seats[seat].holds_key]
    said = [who.say("deal-sees", seat=seat) for seat in seats if seat not in held]
    return (*said, *([say("deal-server-sees", names=who.names(held))] if held else []))


def _unproved_news(why: Unproved, deals: int, now: DealChecked) -> str:
    if deals > 1:
        return say("deal-many-unproved", count=deals, why=why)
    return not_proved(why) if why is now.unproved else say("deal-unproved-before", why=why)


def tally_in_words(tally: Tally) -> tuple[str, ...]:
    if tally.dealt == 1:
        return (say("deal-one-unproved", why=tally.unproved[0][0]) if tally.unproved else say("deal-one-proved"),)
    if not tally.dealt:
        return ()
    which = "all" if tally.proved == tally.dealt else "some"
    proved = say(f"deal-{which}-proved", proved=tally.proved, dealt=tally.dealt)
    return (proved, *[say("deal-were-not", count=deals, why=why) for why, deals in tally.unproved])


def in_sentences(deal: DealSummary, names: Names, you: Viewer) -> tuple[str, ...]:
    who = Speaker(names, you)
    if deal.blamed is not None:
        return (who.say("deal-was-made-anew", deal=deal.deal, seat=deal.blamed, ruling=deal.is_ruling),)
    by = who.names(deal.shufflers) or say("deal-nobody")
    message = "deal-shuffle-awaited" if deal.awaited else "deal-shuffled"
    said = [say(message, deal=deal.deal, names=by, awaited=who.names(deal.awaited))]
    if deal.is_read:
        said.append(say("deal-was-read"))
    elif deal.held:
        said.append(say("deal-was-held", names=who.names(deal.held)))
    for whose, cards in cards_by_player(deal, names, you):
        said.append(say("deal-cards-of", cards=tuple([card for card, _ in cards]), who=whose))
    if deal.unseen:
        said.append(say("deal-not-shown", unseen=unseen(deal, names, you)))
    return tuple(said)


def cards_by_player(deal: DealSummary, names: Names, you: Viewer) -> list[tuple[str, list[tuple[Card, Seat | None]]]]:
    seats = sorted({seat for _, seat in deal.cards}, key=lambda seat: -1 if seat is None else seat)
    return [
        (
            say("deal-for-all") if seat is None else Speaker(names, you).name(seat),
            [one for one in deal.cards if one[1] == seat],
        )
        for seat in seats
    ]


def unseen(deal: DealSummary, names: Names, you: Viewer) -> str:
    who = Speaker(names, you)
    return listed([who.say("deal-unseen", count=count, seat=seat) for seat, count in deal.unseen])
