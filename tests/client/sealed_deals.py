"""Sealed deals as they are told, made from seeds, for whoever has something to say of them."""

from random import Random

from put_client.sdk.deal_checks import DealChecked, ProofStanding
from put_protocol.cards import Card
from put_protocol.seal.findings import CalledOff, DealSummary, Failure, Fault, Proof, ProvedCard, Stage, Tally, Unproved
from put_protocol.seats import Seat

NOTHING = Tally()
CAUGHT = Failure(3, Fault.UNOPENED, Card("3s"), Seat(1))


def deal(
    number: int = 3,
    stage: Stage = Stage.CUT,
    *cards: tuple[str, int | None, Proof],
    failures: tuple[Failure, ...] = (),
    is_whole: bool = False,
    cutters: tuple[int, ...] = (0,),
    blamed: tuple[int, ...] = (),
) -> DealSummary:
    """Of 52 cards, for two."""
    dice = Random(number)
    is_cut = stage is Stage.CUT
    return DealSummary(
        deal=number,
        stage=stage,
        roots=(dice.randbytes(32), dice.randbytes(32)),
        cutters=tuple(map(Seat, cutters)),
        cards_in_pack=52,
        words="defib goral dibot razel" if is_cut else None,
        pack=0 if is_cut else None,
        is_turned=stage is not Stage.SEALED,
        is_whole=is_whole,
        cards=tuple(
            [ProvedCard(Card(card), None if seat is None else Seat(seat), proof) for card, seat, proof in cards]
        ),
        failures=failures,
        blamed=tuple(map(Seat, blamed)),
    )


def checked(
    told: DealSummary | None,
    standing: ProofStanding | None = ProofStanding.PROVED,
    table: int = 7,
    *,
    tally: Tally = NOTHING,
    is_game_over: bool = False,
) -> DealChecked:
    return DealChecked(table, standing, told, tally=tally, is_game_over=is_game_over)


def unproved(
    why: Unproved,
    tally: Tally = NOTHING,
    table: int = 7,
    *,
    told: DealSummary | None = None,
    is_game_over: bool = False,
) -> DealChecked:
    """The deal in play is not proved; `tally` is of those before it."""
    deals = sum(count for _, count in tally.unproved) + 1
    return DealChecked(table, ProofStanding.UNPROVED, told, why, deals, tally, is_game_over)


def called_off(seat: int, deals: int, drops: int, *, proved: int = 0) -> Tally:
    """So many deals for one seat, and none for another."""
    return Tally(proved=proved, called_off=(CalledOff(Seat(seat), deals, drops),), deals_called_off=deals)


WHY = {
    Unproved.NOT_SEALED: "nobody here cuts",
    Unproved.NOT_COUNTED: "the server has not taken your promise to cut",
    Unproved.EXHIBITION: "the table is an exhibition",
    Unproved.JOINED: "you came in the middle of it",
    Unproved.MISSED: "a part of it was lost with the connection",
    Unproved.PLAIN: "the server deals alone",
    Unproved.BLIND: "the package coincurve is missing here",
    Unproved.PACK: "the pack of this game is not known here",
}
"""Each reason, in the words for people."""

TALLIES = (
    (Tally(proved=1), "The one deal so far was proved."),
    (Tally(proved=12), "All 12 deals so far were proved."),
    (
        Tally(proved=9, unproved=((Unproved.JOINED, 1), (Unproved.NOT_SEALED, 2))),
        "9 of 12 deals so far were proved.",
        "1 was not: you came in the middle of it.",
        "2 were not: nobody here cuts.",
    ),
    (
        Tally(unproved=((Unproved.JOINED, 1),)),
        "The one deal so far was not proved: you came in the middle of it.",
    ),
    (called_off(1, 1, 0), "1 deal was called off: 1 because of Nan."),
    (
        called_off(1, 2, 1, proved=4),
        "All 4 deals so far were proved.",
        "2 deals were called off: 2 because of Nan.",
    ),
    (
        called_off(0, 4, 1, proved=4),
        "All 4 deals so far were proved.",
        "4 deals were called off: 4 because of you.",
        (
            "Beware: 4 deals were called off because of you, and your connection was lost once. "
            "Somebody may be calling off deals that they do not like."
        ),
    ),
)
"""Tallies of a sitting with Nan, and what is said of each."""
