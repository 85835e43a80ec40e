"""Honest tables in numbers, and the chance that their cards are dealt by: what the suite runs a slice of.

`honest` and the statistics are the same every time for the same seed; `scripts/soak` may run as much as there is time.
"""

from collections import Counter
from math import sqrt
from random import Random
from typing import NamedTuple

from put_protocol.cards import RANKS, pack_of
from put_protocol.seal.findings import Proof, Stage
from put_protocol.seal.order import draw
from put_protocol.seal.packs import seal
from put_protocol.seal.told import FULL_PACK, Openings
from put_protocol.seats import Seat
from tests.seal.dealer import Dealer

PACKS = (FULL_PACK, pack_of(RANKS[5:]), pack_of(RANKS[6:]), FULL_PACK[:13], FULL_PACK[5:12])
DEALS_A_TABLE = 8


class Accused(AssertionError):
    """An honest table was accused, or did not get its proofs through."""


class Hesitant(Dealer):
    """Now and then somebody does not cut in time."""

    def is_cutting_in_time(self) -> bool:
        return self.rng.random() < 0.9


def random_table(rng: Random) -> Dealer:
    """A table of two to four with a pack of any size, where some take part in the cutting."""
    seats = rng.choice((2, 2, 3, 4))
    cutters = [seat for seat in range(seats) if rng.random() < 0.8]
    return Hesitant(rng, seats=seats, cutters=cutters, cards=rng.choice(PACKS), is_late=rng.random() < 0.3)


def random_deal(table: Dealer) -> None:
    """A draw, a hand, an accident or, where four sit and cards suffice, a hand of partners."""
    rng = table.rng
    kind = rng.random()
    is_large = len(table.cards) > 3 * len(table.seats)
    if kind < 0.15:
        table.draw_for_deal()
    elif kind < 0.35 and is_large:
        table.accident(rng.randint(1, 5))
    elif kind < 0.6 and is_large and len(table.seats) == 4:
        table.partners_hand()
    else:
        table.plain_hand()


def honest(seed: int, deals: int) -> Counter[str]:
    """So many random deals of honest tables; says how many cards and deals were proved.

    :raises Accused: with the seed and the table it happened at.
    """
    tally: Counter[str] = Counter()
    for number in range(-(-deals // DEALS_A_TABLE)):
        table = random_table(Random(f"{seed} {number}"))
        packs = []
        for _ in range(DEALS_A_TABLE):
            random_deal(table)
            packs.append(table.pack.whole() if table.viewings[Seat(0)].checker.is_checked else None)
        if table.rng.random() < 0.2:
            for deal, whole in enumerate(packs, 1):
                if whole is not None:
                    table.tell_all(Openings(table.table, deal, played=whole))
        tally += _proved(table, f"table {number} of seed {seed}")
    return tally


def _proved(table: Dealer, where: str) -> Counter[str]:
    tally: Counter[str] = Counter()
    told: dict[int, set[tuple[str | None, int | None]]] = {}
    for viewer, viewing in table.viewings.items():
        if viewing.failures:
            raise Accused(f"{where}, {viewer}: {viewing.failures[0].says}")
        for deal in viewing.checker.deals:
            told.setdefault(deal.deal, set()).add((deal.words, deal.pack))
            if deal.stage is Stage.CUT and not (deal.is_turned and all(c.proof is Proof.PROVED for c in deal.cards)):
                raise Accused(f"{where}, {viewer}: {deal}")
            tally["cards"] += len(deal.cards)
            tally[deal.stage.value] += 1
            tally["whole"] += deal.is_whole
    if any(len(alike) != 1 for alike in told.values()):
        raise Accused(f"{where}: not all were told the same")
    return tally


class Fit(NamedTuple):
    """How well counts fit what they should be, as standard deviations of the chi-square (Wilson and Hilferty, 1931)."""

    positions: float
    """Card by slot."""
    pairs: float
    """The two cards in slots that follow one another."""
    packs: float
    """Which pack is played."""


SLOTS = 6
"""Of two hands of three."""

LIMIT = 5.0
"""A fit beyond it has one chance in 1.7 million where the deal is fair; the seeds are fixed, so it happens or never."""


def fit(seed: int, deals: int, *, is_secret_constant: bool = False, constant_links: int = 0) -> Fit:
    """How uniform the cards are that two hands get, where others cut at random and all else may be as a cheat likes it.

    With a constant secret every deal has the same packs. Of four seats, so many cut alike every time.
    """
    rng = Random(seed)
    secret, alike = rng.randbytes(32), rng.randbytes(32)
    to = tuple([Seat(slot % 2) for slot in range(SLOTS)])
    sealing = seal(secret, 1, 1, FULL_PACK)
    cards: Counter[tuple[int, str]] = Counter()
    pairs: Counter[tuple[str, str]] = Counter()
    packs = [0, 0]
    for _ in range(deals):
        if not is_secret_constant:
            sealing = seal(rng.randbytes(32), 1, 1, FULL_PACK)
        links = tuple([alike if seat < constant_links else rng.randbytes(32) for seat in range(4)])
        drawn = draw(1, 1, sealing.roots, to, FULL_PACK, links)
        pack = sealing.packs[drawn.pack]
        dealt = [pack.cards[position] for position in drawn.order[:SLOTS]]
        packs[drawn.pack] += 1
        cards.update(enumerate(dealt))
        pairs.update(zip(dealt[::2], dealt[1::2], strict=True))
    size = len(FULL_PACK)
    couples = size * (size - 1)
    return Fit(
        positions=_deviation(list(cards.values()), SLOTS * size, deals / size, freedom=SLOTS * (size - 1)),
        pairs=_deviation(list(pairs.values()), couples, deals * SLOTS / 2 / couples, freedom=couples - 1),
        packs=(packs[0] - packs[1]) / sqrt(deals),
    )


def _deviation(counts: list[int], cells: int, expected: float, *, freedom: int) -> float:
    empty = cells - len(counts)
    chi_square = sum((count - expected) ** 2 for count in counts) / expected + empty * expected
    spread = 2 / (9 * freedom)
    return float(((chi_square / freedom) ** (1 / 3) - (1 - spread)) / sqrt(spread))
