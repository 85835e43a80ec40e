"""Sealed deals as they are told, made from seeds, for whoever has something to say of them."""

from random import Random

from put_client.sealed import DealChecked, Standing
from put_protocol.cards import Card
from put_protocol.seal.findings import DealSummary, Failure, Fault, Proof, ProvedCard, Stage
from put_protocol.seats import Seat

CAUGHT = Failure(3, Fault.UNOPENED, Card("3s"), Seat(1))


def deal(
    number: int = 3,
    stage: Stage = Stage.CUT,
    *cards: tuple[str, int | None, Proof],
    failures: tuple[Failure, ...] = (),
    is_whole: bool = False,
    cutters: tuple[int, ...] = (0,),
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
        is_turned=is_cut,
        is_whole=is_whole,
        cards=tuple(
            [ProvedCard(Card(card), None if seat is None else Seat(seat), proof) for card, seat, proof in cards]
        ),
        failures=failures,
    )


def checked(told: DealSummary | None, standing: Standing | None = Standing.PROVED, table: int = 7) -> DealChecked:
    return DealChecked(table, standing, told)
