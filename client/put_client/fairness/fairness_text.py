"""Sentences about sealed deals, and the list of deals that a screen remembers. Pure."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import assert_never

from put_client.sdk.deal_checks import DealChecked, ProofStanding
from put_protocol.cards import CARD_ORDER, Card
from put_protocol.seal.checker import KEPT
from put_protocol.seal.findings import BlindDeal, CalledOff, DealSummary, Proof, ProvedCard, Stage, Tally, Unproved
from put_protocol.seats import Seat, Viewer
from put_protocol.table_info import TableInfo
from put_protocol.text import counted, listed, printable
from put_text.phrases import Names, format_cards, format_seats

Deals = tuple[DealSummary | BlindDeal, ...]
"""Deals since we came to the table, in their order."""


def with_deal(deals: Deals, deal: DealSummary | BlindDeal | None) -> Deals:
    """Add or replace a deal; as many are kept as checkers keep."""
    if deal is None:
        return deals
    if deals and deals[-1].key < deal.key:
        return (*deals, deal)[-KEPT:]
    return tuple(sorted([*(one for one in deals if one.key != deal.key), deal], key=lambda one: one.key))[-KEPT:]


def proofs_of(deals: Deals, checked: DealChecked | None) -> Mapping[Card, Proof] | None:
    """Proof of each card of the hand in play; a card that is missing is not proved. None: nothing is checked here."""
    if checked is None:
        return None
    proofs: dict[Card, Proof] = {}
    if checked.standing is ProofStanding.UNPROVED:
        return proofs
    if checked.is_blind:
        return _ALL_PROVED
    for deal in _sealed(deals):
        for one in deal.cards:
            proofs.setdefault(one.card, one.proof)
        if proofs and not deal.is_stock:
            break
    return proofs


def proofs_of_hand(deals: Deals, checked: DealChecked | None, shown: Collection[Card]) -> Mapping[Card, Proof] | None:
    """The same of a hand that may be over, in which these cards were seen."""
    if checked is None:
        return None
    if checked.is_blind and checked.standing is ProofStanding.PROVED:
        return _ALL_PROVED
    proofs: dict[Card, Proof] = {}
    for deal in _sealed(deals):
        proofs = {**{one.card: one.proof for one in deal.cards}, **proofs}
        if proofs.keys() >= set(shown):
            return proofs
        if not deal.is_stock:
            proofs = {}
    return proofs


def _sealed(deals: Deals) -> list[DealSummary]:
    """From the last."""
    return [deal for deal in reversed(deals) if isinstance(deal, DealSummary)]


_ALL_PROVED = dict.fromkeys(CARD_ORDER, Proof.PROVED)
"""The sentence of a blind deal: no card is shown there that is not proved already; another one ends all checks."""

_WHY = {
    Unproved.NOT_SEALED: "nobody here cuts",
    Unproved.NOT_COUNTED: "the server has not taken your promise to cut",
    Unproved.EXHIBITION: "the table is an exhibition",
    Unproved.JOINED: "you came in the middle of it",
    Unproved.MISSED: "a part of it was lost with the connection",
    Unproved.PLAIN: "the server deals alone",
    Unproved.BLIND: "the package coincurve is missing here",
    Unproved.PACK: "the pack of this game is not known here",
}


def at_hand(standing: ProofStanding | None, unproved: Unproved | None = None, *, is_blind: bool = False) -> str:
    """Standing of the deal in play."""
    match standing:
        case None:
            return "Nothing was dealt here yet."
        case ProofStanding.AWAITED if is_blind:
            return "The cards are being shuffled, by everybody who holds a key."
        case ProofStanding.PROVED if is_blind:
            return "Everybody who holds a key shuffled the deal in play, and all you saw of it is proved."
        case ProofStanding.AWAITED:
            return "The deal is sealed, and some of it is still to come: cuts, or proofs."
        case ProofStanding.PROVED:
            return "The deal in play is sealed, and all you saw of it is proved."
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
    Unproved.NOT_SEALED: "not proved: not sealed",
    Unproved.NOT_COUNTED: "not proved: not sealed",
    Unproved.EXHIBITION: "not proved: exhibition",
    Unproved.JOINED: "not proved: came late",
    Unproved.MISSED: "not proved: part missed",
    Unproved.PLAIN: "not proved: plain",
    Unproved.BLIND: "not proved: blind",
    Unproved.PACK: "not proved: pack unknown",
}


def news_of(before: DealChecked | None, now: DealChecked, names: Names, you: Viewer) -> tuple[str, ...]:
    """Sentences to say unasked: that deals are not proved, that too many are called off for a player, and, when a game
    is over, how many were proved."""
    if now.standing is ProofStanding.BROKEN:
        return ()  # which is said otherwise
    known = DealChecked(now.table, None, None) if before is None else before
    said = [_unproved_news(why, deals, now) for why, deals in (_unproved(now) - _unproved(known)).items()]
    if now.is_game_over:
        return (*said, *tally_in_words(now.tally, names, you))
    warned = {one.seat for one in known.tally.suspects}
    said += [_made_anew(one.seat, names, you) for one in _fresh_blames(known, now)]
    return (*said, *[warning(one, names, you) for one in now.tally.suspects if one.seat not in warned])


def _fresh_blames(known: DealChecked, now: DealChecked) -> list[CalledOff]:
    """Seats for which a blind deal has just ended before it was played."""
    before = {one.seat: one.deals for one in known.tally.called_off}
    return [one for one in now.tally.called_off if now.is_blind and one.deals > before.get(one.seat, 0)]


def _made_anew(seat: Seat, names: Names, you: Viewer) -> str:
    return (
        f"The deal is made anew, because {format_seats([seat], names, you)} did not do {_their(seat, you)} part of it."
    )


def _their(seat: Seat, you: Viewer) -> str:
    return "your" if seat == you else "their"


def dealt_plain(info: TableInfo) -> str:
    return f"This server deals the cards alone, and sees them all: {printable(info.plain)}."


def holders(info: TableInfo | None, names: Names, you: Viewer) -> tuple[str, ...]:
    """Sentences about how cards are dealt where they are not sealed, and which cards each can see."""
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


def tally_in_words(tally: Tally, names: Names, you: Viewer) -> tuple[str, ...]:
    """Counts: deals proved, why the others were not, and for whom deals were called off."""
    said = []
    if tally.dealt == 1 and tally.unproved:
        said.append(f"The one deal so far was not proved: {_WHY[tally.unproved[0][0]]}.")
    elif tally.dealt:
        said.append(_proved(tally))
        said += [f"{deals} {'was' if deals == 1 else 'were'} not: {_WHY[why]}." for why, deals in tally.unproved]
    if tally.deals_called_off:
        each = [f"{one.deals} because of {format_seats([one.seat], names, you)}" for one in tally.called_off]
        count = "1 deal was" if tally.deals_called_off == 1 else f"{tally.deals_called_off} deals were"
        said.append(f"{count} called off: {listed(each)}.")
    said += [warning(one, names, you) for one in tally.suspects]
    return tuple(said)


def _proved(tally: Tally) -> str:
    if tally.dealt == 1:
        return "The one deal so far was proved."
    proved = f"All {tally.dealt}" if tally.proved == tally.dealt else f"{tally.proved} of {tally.dealt}"
    return f"{proved} deals so far were proved."


def warning(one: CalledOff, names: Names, you: Viewer) -> str:
    """Warning that more deals were called off for a player than lost connections explain."""
    is_you = one.seat == you
    who = format_seats([one.seat], names, you)
    lost = f"{'your' if is_you else 'their'} connection was "
    lost += {0: "never lost", 1: "lost once"}.get(one.drops, f"lost {one.drops} times")
    return (
        f"Beware: {one.deals} deals were called off because of {who}, and {lost}. "
        "Somebody may be calling off deals that they do not like."
    )


def in_sentences(deal: DealSummary | BlindDeal, names: Names, you: Viewer) -> tuple[str, ...]:
    """Everything about a deal, failures first."""
    if isinstance(deal, BlindDeal):
        return blind_in_sentences(deal, names, you)
    wrong = tuple([failure.says for failure in deal.failures])
    if deal.unproved is not None:
        wrong = (*wrong, not_proved(deal.unproved))
    cutters = format_seats(deal.cutters, names, you) if deal.cutters else "nobody"
    match deal.stage:
        case Stage.SEALED:
            return (*wrong, f"Deal {deal.deal} is sealed, for {cutters} to cut.")
        case Stage.VOID:
            return (*wrong, called_off(deal, names, you))
        case Stage.CUT:
            pass
    said = [*wrong, f"The words of deal {deal.deal} are {deal.words}: read them to each other.", f"Cut by {cutters}."]
    if idle := idlers(deal, len(names)):
        who = format_seats(idle, names, you)
        does = "take" if len(idle) > 1 or you in idle else "takes"
        said.append(f"{who[0].upper()}{who[1:]} {does} no part in the cutting.")
    said += [packs(deal), *_cards(deal, names, you)]
    return tuple(said)


def blind_in_sentences(deal: BlindDeal, names: Names, you: Viewer) -> tuple[str, ...]:
    """Everything about a blind deal."""
    if deal.blamed is not None:
        return (f"Deal {deal.deal} was made anew because of {format_seats([deal.blamed], names, you)}, {_word(deal)}.",)
    who = format_seats(deal.shufflers, names, you) if deal.shufflers else "nobody yet"
    said = [f"Deal {deal.deal} was shuffled by {who}; every shuffle is proved."]
    if deal.awaited:
        said = [f"Deal {deal.deal} was shuffled by {who}; awaited: {format_seats(deal.awaited, names, you)}."]
    if deal.held:
        said.append(f"The server can see the cards of {format_seats(deal.held, names, you)} in it.")
    said += [f"{format_cards([card for card, _ in cards])}: {who}." for who, cards in cards_by_player(deal, names, you)]
    if deal.unseen:
        said.append(f"Not shown to you: {unseen(deal, names, you)}.")
    return tuple(said)


def _word(deal: BlindDeal) -> str:
    return "as the server says" if deal.is_ruling else "which is proved"


def cards_by_player(deal: BlindDeal, names: Names, you: Viewer) -> list[tuple[str, list[tuple[Card, Seat | None]]]]:
    """The cards that were seen of a deal, of each player and of the pack."""
    seats = sorted({seat for _, seat in deal.cards}, key=lambda seat: -1 if seat is None else seat)
    return [
        (
            "turned up for all" if seat is None else format_seats([seat], names, you),
            [one for one in deal.cards if one[1] == seat],
        )
        for seat in seats
    ]


def unseen(deal: BlindDeal, names: Names, you: Viewer) -> str:
    """How many cards of whom were not shown."""
    return listed([f"{counted(count, 'card')} of {format_seats([seat], names, you)}" for seat, count in deal.unseen])


def called_off(deal: DealSummary, names: Names, you: Viewer) -> str:
    """A void deal: because of whom, and what was turned up."""
    because = f" because of {format_seats(deal.blamed, names, you)}" if deal.blamed else ""
    packs = "Both its packs were turned up, and are whole." if deal.is_turned else "Its packs were NOT TURNED UP."
    return f"Deal {deal.deal} was called off{because}, and does not count. {packs}"


def idlers(deal: DealSummary, seats: int) -> list[Seat]:
    """Seats that take no part in the cutting."""
    return [Seat(seat) for seat in range(seats) if seat not in deal.cutters]


def packs(deal: DealSummary) -> str:
    """The pack that is played, and what was turned up."""
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
            f"{format_cards([card.card for card in cards])} "
            f"({'in the pack' if seat is None else format_seats([seat], names, you)})"
            for seat, cards in by_seat.items()
        ]
        if parts:
            yield f"{says}: {listed(parts)}."


_PROOFS = {Proof.PROVED: "Proved", Proof.AWAITED: "To be proved when the hand is over", Proof.FAILED: "NOT PROVED"}
