"""Reports of the checks, for tests of those who tell them."""

from collections import Counter

from msgspec.structs import replace

from put_client.sdk.deal_checks import DealChecked, DealSummary, ProofStanding, Tally, Unproved
from put_client.sdk.errors import Objection
from put_protocol.cards import Card
from put_protocol.seats import Seat

NOTHING = Tally()
CAUGHT = Objection("Deal 3: the 3 of spades was shown, and was not dealt to Moll.", 3)

WHY = {
    Unproved.PLAIN: "the server deals alone",
    Unproved.MISSED: "a part of it was lost with the connection",
    Unproved.BLIND: "the package coincurve is missing here",
    Unproved.PACK: "the pack of this game is not known here",
}
"""The end of the sentence about a deal that is not proved."""


def deal(number: int = 3, *cards: tuple[str, int | None], game: int = 1, blamed: int | None = None) -> DealSummary:
    """For two, who both keep their keys."""
    return DealSummary(
        game,
        number,
        (Seat(0), Seat(1)),
        cards=tuple([(Card(card), None if seat is None else Seat(seat)) for card, seat in cards]),
        unseen=((Seat(1), 2),),
        blamed=None if blamed is None else Seat(blamed),
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


def unproved(why: Unproved, tally: Tally = NOTHING, table: int = 7) -> DealChecked:
    """The deal in play is not; `tally`: of those before it."""
    counts = Counter(dict(tally.unproved)) + Counter([why])
    return DealChecked(table, ProofStanding.UNPROVED, None, why, replace(tally, unproved=tuple(counts.items())))
