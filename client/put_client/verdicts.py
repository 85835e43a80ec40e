"""What is known of sealed deals, in sentences and for whoever remembers them. Pure."""

from collections.abc import Iterable

from put_client.sealed import Standing
from put_protocol.english import Names, hand_in_words, listed, seats_in_words
from put_protocol.seal.checking import KEPT
from put_protocol.seal.findings import DealSummary, Proof, ProvedCard, Stage
from put_protocol.seats import Seat, Viewer

Deals = tuple[DealSummary, ...]
"""Of a sitting, in their order."""


def with_deal(deals: Deals, deal: DealSummary | None) -> Deals:
    """With what is new of one of them; as many as checkers keep."""
    if deal is None:
        return deals
    if deals and deals[-1].deal < deal.deal:
        return (*deals, deal)[-KEPT:]
    return tuple(sorted([*(one for one in deals if one.deal != deal.deal), deal], key=lambda one: one.deal))[-KEPT:]


def at_hand(standing: Standing | None) -> str:
    """How the deal in play stands."""
    match standing:
        case None:
            return "Nothing was dealt here yet."
        case Standing.AWAITED:
            return "The deal is sealed, and some of it is still to come: cuts, or proofs."
        case Standing.PROVED:
            return "The deal in play is sealed, and all you saw of it is proved."
        case Standing.UNSEALED:
            return "The deal in play was not sealed, for nobody cuts here: nothing of it can be checked."
        case Standing.UNCHECKED:
            return "The deal in play is not checked, for you missed a part of it; the next one will be."
        case Standing.BROKEN:
            return "The dealer was caught: nothing more is played here."


def in_sentences(deal: DealSummary, names: Names, you: Viewer) -> tuple[str, ...]:
    """All there is to say of a deal, what was wrong with it first."""
    wrong = tuple([failure.says for failure in deal.failures])
    cutters = seats_in_words(deal.cutters, names, you) if deal.cutters else "nobody"
    match deal.stage:
        case Stage.SEALED:
            return (*wrong, f"Deal {deal.deal} is sealed, for {cutters} to cut.")
        case Stage.VOID:
            return (*wrong, f"Deal {deal.deal} is void; nothing of it counts.")
        case Stage.CUT:
            pass
    said = [*wrong, f"The words of deal {deal.deal} are {deal.words}: read them to each other.", f"Cut by {cutters}."]
    if idle := idlers(deal, len(names)):
        who = seats_in_words(idle, names, you)
        does = "take" if len(idle) > 1 or you in idle else "takes"
        said.append(f"{who[0].upper()}{who[1:]} {does} no part in the cutting.")
    said += [packs(deal), *_cards(deal, names, you)]
    return tuple(said)


def idlers(deal: DealSummary, seats: int) -> list[Seat]:
    """Who takes no part."""
    return [Seat(seat) for seat in range(seats) if seat not in deal.cutters]


def packs(deal: DealSummary) -> str:
    """Which pack is played, and what was turned up."""
    assert deal.pack is not None
    played, other = (("first", "second"), ("second", "first"))[deal.pack]
    turned = "was turned up, and is whole" if deal.is_turned else "is still to be turned up"
    whole = ", which was opened after the game and is whole, too" if deal.is_whole else ""
    return f"The {played} pack is played{whole}; the {other} {turned}."


def _cards(deal: DealSummary, names: Names, you: Viewer) -> Iterable[str]:
    if not deal.cards:
        yield "You saw no card of it yet."
    for proof, says in _PROOFS.items():
        by_seat: dict[Seat | None, list[ProvedCard]] = {}
        for card in deal.cards:
            if card.proof is proof:
                by_seat.setdefault(card.seat, []).append(card)
        parts = [
            f"{hand_in_words([card.card for card in cards])} "
            f"({'in the pack' if seat is None else seats_in_words([seat], names, you)})"
            for seat, cards in by_seat.items()
        ]
        if parts:
            yield f"{says}: {listed(parts)}."


_PROOFS = {Proof.PROVED: "Proved", Proof.AWAITED: "To be proved when the hand is over", Proof.FAILED: "NOT PROVED"}
