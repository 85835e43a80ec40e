"""Dealers who cheat, each in one way. What becomes of them is in test_attacks."""

from put_protocol.cards import Card, pack_of
from put_protocol.seal.chain import Chain
from put_protocol.seal.hashing import HASH_BYTES, labels
from put_protocol.seal.order import draw
from put_protocol.seal.packs import Pack, Sealing, tree_of
from put_protocol.seal.told import FULL_PACK, CutsShown, DealVoided, Opening, PackOpening, Sealed
from put_protocol.seats import Seat, Viewer
from tests.seal.dealer import LINKS, Dealer

THREES = pack_of(("3",))


def forged(dealer: Dealer, number: int, cards: tuple[Card, ...], salts: bytes | None = None) -> Pack:
    """A pack of any cards whatever, sealed as if it were a good one."""
    salts = dealer.rng.randbytes(HASH_BYTES * len(cards)) if salts is None else salts
    tree = tree_of(dealer.table, dealer.deal, number, labels(cards), salts)
    return Pack(number=number, cards=cards, salts=salts, seed=dealer.rng.randbytes(HASH_BYTES), tree=tree)


class StacksThePack(Dealer):
    """When it knows the order, it lays threes where the first seat's cards will be."""

    def see_cuts(self) -> None:
        slots = [slot for slot, seat in enumerate(self.to) if seat == 0]
        wanted = {self.drawn.order[slot]: three for slot, three in zip(slots, THREES, strict=False)}
        rest = iter([card for card in self.pack.cards if card not in wanted.values()])
        cards = tuple([wanted[at] if at in wanted else next(rest) for at in range(len(self.cards))])
        packs = list(self.sealing.packs)
        packs[self.drawn.pack] = forged(self, self.drawn.pack, cards)
        self.sealing = Sealing(packs=(packs[0], packs[1]))


class SealsAgain(Dealer):
    """When it knows the order, it seals other packs under the same number."""

    def see_cuts(self) -> None:
        again = self.sealed_packs()
        self.tell_all(Sealed(self.deal, again.roots, self.to, tuple(self.ends)))


class ShowsAnotherCard(Dealer):
    """It proves the card that lies there, and hands out a better one."""

    def card(self, slot: int) -> Card:
        return THREES[slot] if slot < 4 else super().card(slot)


class OpensAnotherCard(Dealer):
    """It hands out a better card, under the proof of the one that lies there."""

    def card(self, slot: int) -> Card:
        return THREES[slot] if slot < 4 else super().card(slot)

    def opening(self, slot: int) -> Opening | None:
        true = self.pack.opening(self.drawn.order[slot])
        return Opening(true.position, self.card(slot), true.salt, true.path)


class OpensAnotherPlace(Dealer):
    """Its openings are of the neighbouring place."""

    def opening(self, slot: int) -> Opening | None:
        return self.pack.opening((self.drawn.order[slot] + 1) % len(self.cards))


class OpensTwice(Dealer):
    """It opens the same places again, as other cards."""

    def opening(self, slot: int) -> Opening | None:
        true = self.pack.opening(self.drawn.order[slot])
        if self.rng.random() < 0.5:
            return true
        return Opening(true.position, Card("3s"), true.salt, true.path)


class RepeatsACard(Dealer):
    """One of its packs, whichever, has a three too many instead of a four."""

    def sealed_packs(self) -> Sealing:
        good = super().sealed_packs()
        packs = list(good.packs)
        bad = self.rng.randrange(2)
        cards = [Card("3h") if card == "4h" else card for card in good.packs[bad].cards]
        packs[bad] = forged(self, bad, tuple(cards))
        return Sealing(packs=(packs[0], packs[1]))


class PlaysThreesOnly(Dealer):
    """One of its packs, whichever, has nothing but the same three in it."""

    def sealed_packs(self) -> Sealing:
        packs = list(super().sealed_packs().packs)
        bad = self.rng.randrange(2)
        packs[bad] = forged(self, bad, (Card("3s"),) * len(self.cards))
        return Sealing(packs=(packs[0], packs[1]))


class ReusesSalts(Dealer):
    """One of its packs, whichever, has the same salt everywhere."""

    def sealed_packs(self) -> Sealing:
        packs = list(super().sealed_packs().packs)
        bad = self.rng.randrange(2)
        packs[bad] = forged(self, bad, packs[bad].cards, self.rng.randbytes(HASH_BYTES) * len(self.cards))
        return Sealing(packs=(packs[0], packs[1]))


class BorrowsSalts(Dealer):
    """Its second pack has the salts of the first."""

    def sealed_packs(self) -> Sealing:
        first, second = super().sealed_packs().packs
        return Sealing(packs=(first, forged(self, 1, second.cards, first.salts)))


class KeepsItsSalts(Dealer):
    """It lays every pack that is played in the salts of the first, as it can choose to where nobody cuts."""

    is_honest = False
    """For a while."""

    def sealed_packs(self) -> Sealing:
        while not self.is_honest:
            second = super().sealed_packs().packs[1]
            first = forged(self, 0, self.cards, b"".join([bytes([n]) * HASH_BYTES for n in range(len(self.cards))]))
            if draw(self.table, self.deal, (first.root, second.root), self.to, self.cards, (None, None)).pack == 0:
                return Sealing(packs=(first, second))
        return super().sealed_packs()


class SealsOnce(Dealer):
    """It seals the packs of the first deal over and over."""

    first: Sealing | None = None

    def sealed_packs(self) -> Sealing:
        self.first = self.first or super().sealed_packs()
        return self.first


class SealsOnePackTwice(Dealer):
    """Both roots are of the same pack."""

    def seal_for(self, viewer: Viewer, sealed: Sealed) -> Sealed:
        return Sealed(sealed.deal, (sealed.roots[0], sealed.roots[0]), sealed.to, sealed.cuts)


class DealsToTheWrongSeats(Dealer):
    """Each seat gets what was to go to the next."""

    def slot(self, slot: int) -> int:
        return (slot + 1) % len(self.to)

    def card(self, slot: int) -> Card:
        return super().card(self.slot(slot))

    def opening(self, slot: int) -> Opening | None:
        return super().opening(self.slot(slot))


class DealsFromTheBottom(DealsToTheWrongSeats):
    """It deals the last slots of the pack, which nobody was to get."""

    def slot(self, slot: int) -> int:
        return len(self.cards) - 1 - slot


class SwapsDraws(DealsToTheWrongSeats):
    """Who is to draw a second time draws that card first."""

    def slot(self, slot: int) -> int:
        return slot ^ 2


class DropsACut(Dealer):
    """The first seat's cut is left out."""

    def links(self, given: tuple[bytes | None, ...]) -> tuple[bytes | None, ...]:
        return (None, *given[1:])


class AltersACut(Dealer):
    """The first seat's cut is told as another."""

    def links(self, given: tuple[bytes | None, ...]) -> tuple[bytes | None, ...]:
        return (self.rng.randbytes(HASH_BYTES), *given[1:])


class CutsForAnother(Dealer):
    """It names the end of a chain of its own as the first seat's, and cuts from that."""

    chain = Chain(bytes(HASH_BYTES), LINKS)

    def seal_for(self, viewer: Viewer, sealed: Sealed) -> Sealed:
        cuts = (self.chain.link(LINKS), *sealed.cuts[1:])
        return Sealed(sealed.deal, sealed.roots, sealed.to, cuts, sealed.cards)

    def links(self, given: tuple[bytes | None, ...]) -> tuple[bytes | None, ...]:
        return (self.chain.link(LINKS - 1), *given[1:])


class LeavesOut(DropsACut):
    """From the second deal on the first seat is not asked to cut."""

    def seal_for(self, viewer: Viewer, sealed: Sealed) -> Sealed:
        cuts = sealed.cuts if sealed.deal == 1 else (None, *sealed.cuts[1:])
        return Sealed(sealed.deal, sealed.roots, sealed.to, cuts, sealed.cards)

    def links(self, given: tuple[bytes | None, ...]) -> tuple[bytes | None, ...]:
        return given if self.deal == 1 else super().links(given)


class AsksForAnOldCut(Dealer):
    """It says that it never got the first deal's cut, which it knows, and would have it again."""

    def seal_for(self, viewer: Viewer, sealed: Sealed) -> Sealed:
        if sealed.deal > 1:
            self.ends[0] = self.viewings[Seat(0)].setting.checker().end
        return Sealed(sealed.deal, sealed.roots, sealed.to, tuple(self.ends), sealed.cards)


class TellsTwoStories(Dealer):
    """The second seat is shown other packs than everyone else."""

    def seal_for(self, viewer: Viewer, sealed: Sealed) -> Sealed:
        if viewer != Seat(1):
            return sealed
        other = self.sealed_packs()
        return Sealed(sealed.deal, other.roots, sealed.to, sealed.cuts, sealed.cards)


class TurnsUpNothing(Dealer):
    """It keeps the other pack to itself."""

    def pack_turned(self) -> PackOpening | None:
        return None


class TurnsUpTheWrongPack(Dealer):
    """It turns up the pack in play."""

    def pack_turned(self) -> PackOpening | None:
        return self.pack.whole()


class TurnsUpAnotherPack(Dealer):
    """It turns up a good pack, which is not the one it sealed."""

    def pack_turned(self) -> PackOpening | None:
        return PackOpening(1 - self.drawn.pack, self.rng.randbytes(HASH_BYTES))


class DealsUncut(Dealer):
    """It waits for the cuts and deals without showing them."""

    def cuts_shown(self, links: tuple[bytes | None, ...]) -> CutsShown:
        return CutsShown(self.deal + 1, links)


class VoidsWhatItDislikes(Dealer):
    """When the cuts are shown, it calls the deal off."""

    def deal_hands(self, *, extra: Seat | None = None, is_face_down: bool = False) -> None:
        self.tell_all(DealVoided(self.deal))
        super().deal_hands(extra=extra, is_face_down=is_face_down)


class LeavesDealsOpen(Dealer):
    """It forgets every deal whose cuts it dislikes, and seals another."""

    def is_cutting_in_time(self) -> bool:
        return False

    def tell_all(self, told: object) -> None:
        pass


class SkipsNumbers(Dealer):
    """It counts only every other deal, as if the others had never been cut."""

    def sealed_packs(self) -> Sealing:
        self.deal += 1
        return super().sealed_packs()


class ReplaysADeal(Dealer):
    """It tells the first deal again."""

    def sealed_packs(self) -> Sealing:
        self.deal = 1
        return super().sealed_packs()


class ChangesThePack(Dealer):
    """From the second deal on, it plays with 32 cards."""

    def sealed_packs(self) -> Sealing:
        if self.deal > 1:
            self.cards = FULL_PACK[20:]
        return super().sealed_packs()


class PlaysWithTwoAlike(Dealer):
    """It says itself that its pack has the same card twice."""

    def sealed_packs(self) -> Sealing:
        self.cards = (*FULL_PACK[:51], FULL_PACK[0])
        return super().sealed_packs()


class OpensNothing(Dealer):
    """It gives no proof of any card."""

    def opening(self, slot: int) -> Opening | None:
        return None
