"""Dealers who cheat at Put, each in one way: a catalogue. What becomes of them is in test_attacks."""

from random import Random

from msgspec.structs import replace

from put_protocol import seal_events
from put_protocol.cards import FULL_PACK, RANKS, Card, pack_of
from put_protocol.games.put import FACED_CARD
from put_protocol.seal.accidents import OWN_CARD, Misdeal
from put_protocol.seal.cuts import Chain, draw
from put_protocol.seal.hashing import labels
from put_protocol.seal.packs import SealedPack, Sealing, seal, tree_of
from put_protocol.seats import Seat, Viewer
from tests.seal.miniature_table import Dealer
from tests.seal.viewings import LINKS, Snapshot

THREES = pack_of(("3",))


def forged(dealer: Dealer, number: int, cards: tuple[Card, ...], salts: bytes | None = None) -> SealedPack:
    """A pack of any cards whatever, sealed as if it were a good one."""
    salts = dealer.rng.randbytes(seal_events.HASH_BYTES * len(cards)) if salts is None else salts
    tree = tree_of(dealer.table, dealer.deal, number, labels(cards), salts)
    return SealedPack(
        number=number, cards=cards, salts=salts, seed=dealer.rng.randbytes(seal_events.HASH_BYTES), tree=tree
    )


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
        self.send_all(seal_events.Sealed(self.deal, again.roots, self.to, tuple(self.ends)))


class ShowsAnotherCard(Dealer):
    """It proves the card that lies there, and hands out a better one."""

    def card(self, slot: int) -> Card:
        return THREES[slot] if slot < 4 else super().card(slot)


class DealsAStrangeCard(Dealer):
    """It hands out fours, of which its pack has none."""

    def __init__(self, rng: Random, *, seats: int = 2, misdeals: int = 0) -> None:
        super().__init__(rng, seats=seats, cards=pack_of(("2", "3", *RANKS[8:])), misdeals=misdeals)

    def card(self, slot: int) -> Card:
        return Card("4s") if slot < 4 else super().card(slot)


class OpensAnotherCard(Dealer):
    """It hands out a better card, under the proof of the one that lies there."""

    def card(self, slot: int) -> Card:
        return THREES[slot] if slot < 4 else super().card(slot)

    def opening(self, slot: int) -> seal_events.Opening | None:
        true = self.pack.opening(self.drawn.order[slot])
        return seal_events.Opening(true.position, self.card(slot), true.salt, true.path)


class OpensAnotherPlace(Dealer):
    """Its openings are of the neighbouring place."""

    def opening(self, slot: int) -> seal_events.Opening | None:
        return self.pack.opening((self.drawn.order[slot] + 1) % len(self.cards))


class OpensTwice(Dealer):
    """It opens the same places again, as other cards."""

    def opening(self, slot: int) -> seal_events.Opening | None:
        true = self.pack.opening(self.drawn.order[slot])
        if self.rng.random() < 0.5:
            return true
        return seal_events.Opening(true.position, Card("3s"), true.salt, true.path)


class RepeatsACard(Dealer):
    """One of its packs, whichever, has a three too many instead of a four."""

    bad = 0
    """Which."""

    def sealed_packs(self) -> Sealing:
        good = super().sealed_packs()
        packs = list(good.packs)
        self.bad = self.rng.randrange(2)
        cards = [Card("3h") if card == "4h" else card for card in good.packs[self.bad].cards]
        packs[self.bad] = forged(self, self.bad, tuple(cards))
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
        packs[bad] = forged(self, bad, packs[bad].cards, self.rng.randbytes(seal_events.HASH_BYTES) * len(self.cards))
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
            first = forged(
                self, 0, self.cards, b"".join([bytes([n]) * seal_events.HASH_BYTES for n in range(len(self.cards))])
            )
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

    def seal_for(self, viewer: Viewer, sealed: seal_events.Sealed) -> seal_events.Sealed:
        return seal_events.Sealed(sealed.deal, (sealed.roots[0], sealed.roots[0]), sealed.to, sealed.cuts)


class DealsToTheWrongSeats(Dealer):
    """Each seat gets what was to go to the next."""

    def slot(self, slot: int) -> int:
        return (slot + 1) % len(self.to)

    def card(self, slot: int) -> Card:
        return super().card(self.slot(slot))

    def opening(self, slot: int) -> seal_events.Opening | None:
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

    def shown(self, given: tuple[bytes | None, ...]) -> tuple[bytes | None, ...]:
        return (None, *given[1:])


class AltersACut(Dealer):
    """The first seat's cut is told as another."""

    def shown(self, given: tuple[bytes | None, ...]) -> tuple[bytes | None, ...]:
        return (self.rng.randbytes(seal_events.HASH_BYTES), *given[1:])


class CutsForAnother(Dealer):
    """It names the end of a chain of its own as the first seat's, and cuts from that."""

    chain = Chain(bytes(seal_events.HASH_BYTES), LINKS)

    def seal_for(self, viewer: Viewer, sealed: seal_events.Sealed) -> seal_events.Sealed:
        cuts = (self.chain.link(LINKS), *sealed.cuts[1:])
        return seal_events.Sealed(sealed.deal, sealed.roots, sealed.to, cuts, sealed.cards)

    def shown(self, given: tuple[bytes | None, ...]) -> tuple[bytes | None, ...]:
        return (self.chain.link(LINKS - 1), *given[1:])


class LeavesOut(DropsACut):
    """From the second deal on the first seat is not asked to cut."""

    def seal_for(self, viewer: Viewer, sealed: seal_events.Sealed) -> seal_events.Sealed:
        cuts = sealed.cuts if sealed.deal == 1 else (None, *sealed.cuts[1:])
        return seal_events.Sealed(sealed.deal, sealed.roots, sealed.to, cuts, sealed.cards)

    def shown(self, given: tuple[bytes | None, ...]) -> tuple[bytes | None, ...]:
        return given if self.deal == 1 else super().shown(given)


class AsksForAnOldCut(Dealer):
    """It says that it never got the first deal's cut, which it knows, and would have it again."""

    def seal_for(self, viewer: Viewer, sealed: seal_events.Sealed) -> seal_events.Sealed:
        if sealed.deal > 1:
            self.ends[0] = self.viewings[Seat(0)].setting.checker().own.end
        return seal_events.Sealed(sealed.deal, sealed.roots, sealed.to, tuple(self.ends), sealed.cards)


class TellsTwoStories(Dealer):
    """The second seat is shown other packs than everyone else."""

    def seal_for(self, viewer: Viewer, sealed: seal_events.Sealed) -> seal_events.Sealed:
        if viewer != Seat(1):
            return sealed
        other = self.sealed_packs()
        return seal_events.Sealed(sealed.deal, other.roots, sealed.to, sealed.cuts, sealed.cards)


class TurnsUpNothing(Dealer):
    """It keeps the other pack to itself."""

    def pack_turned(self) -> seal_events.PackOpening | None:
        return None


class TurnsUpTheWrongPack(Dealer):
    """It turns up the pack in play."""

    def pack_turned(self) -> seal_events.PackOpening | None:
        return self.pack.whole()


class TurnsUpAnotherPack(Dealer):
    """It turns up a good pack, which is not the one it sealed."""

    def pack_turned(self) -> seal_events.PackOpening | None:
        return seal_events.PackOpening(1 - self.drawn.pack, self.rng.randbytes(seal_events.HASH_BYTES))


class DealsUncut(Dealer):
    """It waits for the cuts and deals without showing them."""

    def cuts_shown(self, links: tuple[bytes | None, ...]) -> seal_events.CutsShown:
        return seal_events.CutsShown(self.deal + 1, links)


class LeavesDealsOpen(Dealer):
    """It forgets every deal whose cuts it dislikes, and seals another."""

    def idle(self, cutters: tuple[Seat, ...]) -> tuple[Seat, ...]:
        return cutters

    def send_all(self, told: object) -> None:
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

    def opening(self, slot: int) -> seal_events.Opening | None:
        return None


# --- deals that are called off ---------------------------------------------------------------------------------------


class VoidsWhatItDislikes(Dealer):
    """When the cuts are shown, it calls the deal off."""

    def deal_hands(self, *, extra: Seat | None = None, is_face_down: bool = False) -> None:
        self.send_all(self.voided((Seat(1),)))
        super().deal_hands(extra=extra, is_face_down=is_face_down)


class VoidsAfterTheLastCut(Dealer):
    """It has told of every cut, one by one, when it calls the deal off."""

    def cuts_shown(self, links: tuple[bytes | None, ...]) -> seal_events.CutsShown:
        for seat, link in enumerate(links):
            if link is not None:
                self.send_all(seal_events.CutMade(self.deal, Seat(seat), link))
        self.send_all(self.voided((Seat(1),)))
        return seal_events.CutsShown(self.deal, links)


class Voids(Dealer):
    """Everyone has cut; it keeps the cuts to itself, and calls the deal off for whomever it is told to."""

    blamed: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    """Who did not cut in time, and who left the game."""
    published = 0
    """The cut that it told of before."""

    def cut(self) -> bool:
        links = tuple([self.viewings[seat].cut() for seat in self.seats])
        link = links[self.published]
        if link is not None:
            self.send_all(seal_events.CutMade(self.deal, Seat(self.published), link))
        seats, left = self.blamed
        self.send_all(self.voided(tuple(map(Seat, seats)), tuple(map(Seat, left))))
        return False


class BlamesNobody(Voids):
    """It names nobody."""


class BlamesWhoHasCut(Voids):
    """It names the seat whose cut it told of."""

    blamed = ((0,), ())


class BlamesAnHonestCutter(Voids):
    """It names the second seat, whose cut it has and keeps to itself."""

    blamed = ((1,), ())


class BlamesWhoTakesNoPart(Voids):
    """It names a seat that does not cut."""

    blamed = ((2,), ())


class BlamesAnEmptyChair(Voids):
    """It says that somebody left who never sat there."""

    blamed = ((), (7,))


class HidesTheVoid(Voids):
    """It calls a deal off for a reason, and does not turn up its packs."""

    blamed = ((), (1,))

    def voided(self, seats: tuple[Seat, ...], left: tuple[Seat, ...] = ()) -> seal_events.DealVoided:
        return seal_events.DealVoided(self.deal, seats, left)


class TurnsUpOthersInAVoid(Voids):
    """It turns up good packs, which are not those that it sealed."""

    blamed = ((), (1,))

    def voided(self, seats: tuple[Seat, ...], left: tuple[Seat, ...] = ()) -> seal_events.DealVoided:
        first, second = seal(self.rng.randbytes(32), self.table, self.deal, self.cards).packs
        return seal_events.DealVoided(self.deal, seats, left, (first.seed, second.seed))


class VoidsBadPacks(RepeatsACard):
    """It calls every deal off that would turn up its bad pack, for a player who has just left."""

    def leaving(self, waiting: tuple[Seat, ...]) -> tuple[Seat, ...]:
        drawn = draw(self.table, self.deal, self.sealing.roots, self.to, self.cards, tuple(self.given))
        return () if drawn.pack == self.bad else waiting[:1]


class NeverHasACut(Dealer):
    """It says of every deal that the second seat did not cut in time, and goes on dealing to it."""

    def idle(self, cutters: tuple[Seat, ...]) -> tuple[Seat, ...]:
        return (Seat(1),)


class OftenLacksACut(Dealer):
    """It says of every second deal that the second seat did not cut in time, as often as nobody has to leave for it."""

    def idle(self, cutters: tuple[Seat, ...]) -> tuple[Seat, ...]:
        return (Seat(1),) if self.deal % 2 else ()


class DealsToWhoLeft(Dealer):
    """It calls a deal off for somebody who left, and deals to them all the same."""

    def leaving(self, waiting: tuple[Seat, ...]) -> tuple[Seat, ...]:
        return (Seat(0),) if self.deal == 1 else ()

    def call_off(self, late: tuple[Seat, ...], left: tuple[Seat, ...]) -> None:
        self.send_all(self.voided(late, left))


class BlamesWhoHasLeft(Dealer):
    """Somebody has left; after that every deal is called off because of them."""

    def cut(self) -> bool:
        assert self.sealed is not None
        for seat in self.seats:
            self.viewings[seat].cut()
        self.send_all(self.voided((), (Seat(1),)))
        self.playing = (Seat(0),)
        return False


# --- cuts that are told one by one -----------------------------------------------------------------------------------


class TellsAnotherCut(Dealer):
    """What it says of the first cut is not that cut."""

    def cut_made(self, seat: Seat, link: bytes) -> seal_events.CutMade:
        return seal_events.CutMade(self.deal, seat, self.rng.randbytes(seal_events.HASH_BYTES))


class TellsACutTwice(Dealer):
    """It tells of the first cut, and then of another for the same seat."""

    def cut_made(self, seat: Seat, link: bytes) -> seal_events.CutMade:
        self.send_all(seal_events.CutMade(self.deal, seat, link))
        return seal_events.CutMade(self.deal, seat, self.rng.randbytes(seal_events.HASH_BYTES))


class ShowsNoCuts(Dealer):
    """It deals by the cuts, and shows none of them."""

    def cuts_shown(self, links: tuple[bytes | None, ...]) -> seal_events.CutsShown:
        return seal_events.CutsShown(self.deal, (None,) * len(links))


# --- other terms than the table's ------------------------------------------------------------------------------------


class PlaysWithAShortPack(Dealer):
    """The table says 52 cards, and every deal is sealed for 28."""

    def sealed_packs(self) -> Sealing:
        self.cards = pack_of(("2", "3", *RANKS[8:]))
        return super().sealed_packs()


class ProvesLate(Dealer):
    """The seal puts proofs off, at a table whose rules do not."""

    def seal_for(self, viewer: Viewer, sealed: seal_events.Sealed) -> seal_events.Sealed:
        return replace(sealed, late=True)


class SealsAnotherChance(Dealer):
    """The seal has a chance of accidents that the table does not have."""

    def chance(self) -> int:
        return 30


class SealsNoChance(Dealer):
    """The seal leaves the table's chance of accidents out."""

    def chance(self) -> int:
        return 0


class NeverDealsAfresh(Dealer):
    """A hand that was called afresh may have an accident again."""

    def chance(self) -> int:
        return self.misdeals


class SealsOtherAdversaries(Dealer):
    """Accidents befall one seat alone."""

    def adversaries(self, players: tuple[Seat, ...]) -> tuple[Seat, ...]:
        return players[:1] * (len(players) - 1)


class SealsAStockWhereNoneIs(Dealer):
    """It seals a hand of Put as a stock, whose cards it chooses."""

    def seal_for(self, viewer: Viewer, sealed: seal_events.Sealed) -> seal_events.Sealed:
        return replace(sealed, stock=self.deal > 1)


# --- accidents -------------------------------------------------------------------------------------------------------


class InventsAccidents(Dealer):
    """Where the leaf decides on none, it has the dealer see a card of their own."""

    def accident(self) -> Misdeal | None:
        return self.decided or Misdeal(OWN_CARD, self.to[-1], 0)


class HidesAccidents(Dealer):
    """Where the leaf decides on one, it deals as if there were none."""

    def accident(self) -> Misdeal | None:
        return None


class ChoosesTheLaw(Dealer):
    """It tells of an accident by another law than the one that is decided."""

    def accident(self) -> Misdeal | None:
        found = self.decided
        return found and Misdeal(OWN_CARD if found.law != OWN_CARD else FACED_CARD, self.to[-1], 0)


class ChoosesTheVictim(Dealer):
    """It tells of the accident that is decided, as another's than the one it befalls."""

    def accident(self) -> Misdeal | None:
        found = self.decided
        others = [seat for seat in self.seats if found is None or seat != found.seat]
        return found and Misdeal(found.law, others[0], found.card)


class ChoosesTheCardSeen(Dealer):
    """Of the hand of which a card is seen, it shows another one."""

    def slot_seen(self, found: Misdeal) -> int:
        if found.card is None:
            return super().slot_seen(found)
        return self.hands[found.seat][(found.card + 1) % 3]


class ChoosesTheCardDrawn(Dealer):
    """Of the hand that has a card too many, it takes another one."""

    def card_drawn(self, found: Misdeal) -> int:
        return (super().card_drawn(found) + 1) % 4


class DealsOneMore(Dealer):
    """It deals a card too many to the first seat, and tells of no accident."""

    def deal_hands(self, *, extra: Seat | None = None, is_face_down: bool = False) -> None:
        super().deal_hands(extra=Seat(0) if extra is None else extra, is_face_down=is_face_down)


class KeepsTheLeaf(Dealer):
    """It does not open the leaf that decides on accidents."""

    def leaf(self) -> seal_events.AccidentOpening | None:
        return None


class OpensAnotherLeaf(Dealer):
    """It opens a leaf that decides on no accident, and that it did not seal."""

    def leaf(self) -> seal_events.AccidentOpening | None:
        true = super().leaf()
        return true and seal_events.AccidentOpening(self.rng.randbytes(seal_events.HASH_BYTES), true.path)


# --- the table shown anew --------------------------------------------------------------------------------------------


class ShowsTheTableAnew(Dealer):
    """When a hand is dealt it shows the table anew, to break off the checking."""

    def deal_hands(self, *, extra: Seat | None = None, is_face_down: bool = False) -> None:
        super().deal_hands(extra=extra, is_face_down=is_face_down)
        for viewing in self.viewings.values():
            viewing.take(Snapshot())


class ShowsAnotherSeal(Dealer):
    """Whose connection drops is shown another seal of the same deal."""

    def cut(self) -> bool:
        assert self.sealed is not None
        again = self.sealed_packs()
        for viewing in self.viewings.values():
            viewing.drop()
            viewing.missed = None
            viewing.take(Snapshot(replace(self.sealed, roots=again.roots), (None,) * len(self.seats)))
        return False
