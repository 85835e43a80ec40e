"""Honest tables in numbers, and the chance that their cards are dealt by: what the suite runs a slice of.

`honest` and the statistics are the same every time for the same seed; `scripts/soak` may run as much as there is time.
"""

from collections import Counter
from math import sqrt
from random import Random
from typing import NamedTuple

from put_protocol.cards import FULL_PACK, RANKS, pack_of
from put_protocol.games.put import Accident
from put_protocol.seal.cuts import draw
from put_protocol.seal.findings import Proof, Stage, Unproved
from put_protocol.seal.packs import seal
from put_protocol.seal_events import CutsShown, Openings
from put_protocol.seats import GALLERY, Seat, Viewer
from tests.seal.family_tables import PrimeroTable, TriompheTable
from tests.seal.miniature_table import Dealer

PACKS = (
    FULL_PACK,
    FULL_PACK,
    pack_of(("2", "3", *RANKS[7:])),
    pack_of(("2", "3", *RANKS[8:])),
    pack_of(RANKS[5:]),
    FULL_PACK[:13],
    FULL_PACK[5:12],
)
DEALS_A_TABLE = 8


class Accused(AssertionError):
    """An honest table was accused, or did not get its proofs through."""


class Troubled(Dealer):
    """Now and then somebody does not cut in time, leaves the game, or loses their connection."""

    has_missed: frozenset[Seat] = frozenset()
    """Who did not cut in time, and has cut no deal since: the next time they would have to leave."""

    def idle(self, cutters: tuple[Seat, ...]) -> tuple[Seat, ...]:
        idle = tuple([seat for seat in cutters if self.rng.random() < 0.06 and seat not in self.has_missed])
        self.has_missed = self.has_missed.union(idle)
        return idle

    def cuts_shown(self, links: tuple[bytes | None, ...]) -> CutsShown:
        self.has_missed -= {Seat(seat) for seat, link in enumerate(links) if link is not None}
        return super().cuts_shown(links)

    def leaving(self, waiting: tuple[Seat, ...]) -> tuple[Seat, ...]:
        return tuple(waiting[:1]) if self.rng.random() < 0.04 else ()

    def disturb(self) -> None:
        for viewer, viewing in self.viewings.items():
            if viewing.missed is not None:
                if self.rng.random() < 0.3:
                    self.come_back(viewer)
            elif self.rng.random() < 0.03:
                viewing.drop()
                if self.rng.random() < 0.2:  # and much was told meanwhile
                    viewing.missed = None
                    viewing.take(self.snapshot())
                    if viewer != GALLERY and self.ends[viewer] == viewing.checker.own.end:
                        viewing.take("counted")

    def come_back(self, viewer: Viewer) -> None:
        super().come_back(viewer)
        if self.sealed is None or viewer == GALLERY or self.given[viewer] is None:
            return
        if self.viewings[viewer].cut() != self.given[viewer]:  # it is given again, in case that it was lost
            raise Accused(f"{viewer} gave two links for deal {self.deal}")


class TroubledPrimero(Troubled, PrimeroTable):
    """The same at Primero."""


class TroubledTriomphe(Troubled, TriompheTable):
    """The same at Triomphe Forcée."""


def random_table(rng: Random) -> Dealer:
    """A table of Primero or Triomphe, or of two to four with a pack of any size, where some take part in the
    cutting."""
    kind = rng.random()
    if kind < 0.3:
        seats, table = (
            (rng.choice((3, 6, 6)), TroubledPrimero) if kind < 0.2 else (rng.randint(4, 10), TroubledTriomphe)
        )
        return table(rng, seats=seats, cutters=[seat for seat in range(seats) if rng.random() < 0.8])
    seats = rng.choice((2, 2, 3, 4))
    cutters = [seat for seat in range(seats) if rng.random() < 0.8]
    cards, is_late, misdeals = rng.choice(PACKS), rng.random() < 0.3, rng.choice((0, 0, 50, 100))
    return Troubled(rng, seats=seats, cutters=cutters, cards=cards, is_late=is_late, misdeals=misdeals)


def random_deal(table: Dealer) -> None:
    """A draw, a hand or, where four sit and cards suffice, a hand of partners; now and then a new game."""
    rng = table.rng
    kind = rng.random()
    if kind < 0.05:
        table.begin_game()
    if isinstance(table, PrimeroTable | TriompheTable):
        table.draw_for_deal() if kind < 0.15 else table.plain_hand()
        return
    if kind < 0.15:
        table.draw_for_deal()
    elif kind < 0.5 and len(table.cards) > 3 * len(table.seats) and len(table.seats) == 4:
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
        packs = {}
        for _ in range(DEALS_A_TABLE):
            random_deal(table)
            if table.dealt and table.dealt[-1][-1] == table.deal:
                packs[table.deal] = table.pack.whole()
        for viewer in table.viewings:
            table.come_back(viewer)
        if table.rng.random() < 0.2:
            for deal, whole in packs.items():
                table.send_all(Openings(table.table, deal, played=whole))
        tally += _proved(table, f"table {number} of seed {seed}")
    return tally


def _proved(table: Dealer, where: str) -> Counter[str]:
    tally: Counter[str] = Counter()
    told: dict[int, set[tuple[str, int | None]]] = {}
    for viewer, viewing in table.viewings.items():
        if viewing.failures:
            raise Accused(f"{where}, {viewer}: {viewing.failures[0].says}")
        deals = viewing.checker.deals
        for deal in deals:
            if deal.words is not None:
                told.setdefault(deal.deal, set()).add((deal.words, deal.pack))
            is_proved = deal.is_turned and all(card.proof is Proof.PROVED for card in deal.cards)
            if deal.stage is not Stage.SEALED and deal.unproved is None and not is_proved:
                raise Accused(f"{where}, {viewer}: {deal}")
            tally["cards"] += len(deal.cards)
            tally[deal.stage.value] += 1
            tally["whole"] += deal.is_whole
        sums = viewing.checker.tally
        if sums.deals_called_off != sum(deal.stage is Stage.VOID for deal in deals):
            raise Accused(f"{where}, {viewer}: {sums}")
        tally["proved"] += sums.proved
        tally["missed"] += dict(sums.unproved).get(Unproved.MISSED, 0)
        tally["others"] += sums.dealt - sums.proved - dict(sums.unproved).get(Unproved.MISSED, 0)
        tally["seen"] += sum(isinstance(step, Accident) for step in viewing.steps)
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
