"""One deal as one viewer can check it: which slot went to whom, which positions were opened, which cards are proved.

Nothing here ends a check: what does not fit is noted in the findings, and the rest is checked all the same.
"""

from collections import Counter

from put_protocol.cards import Card
from put_protocol.deal_steps import AccidentTold, DealStep, ExtraTaken, HandsDealt, MoreDealt, StockRenewed, TurnedUp
from put_protocol.seal import accidents
from put_protocol.seal.cuts import Draw, after, draw
from put_protocol.seal.findings import DealSummary, Fault, Findings, Proof, ProvedCard, Stage, Unproved
from put_protocol.seal.hashing import in_pieces
from put_protocol.seal.packs import SealedPack, laid, root_by
from put_protocol.seal_events import HASH_BYTES, AccidentOpening, DealVoided, Opening, Openings, PackOpening, Sealed
from put_protocol.seats import Seat
from put_protocol.shown import Shown


class SealedDeal:
    """Made from a seal of a pack that has cards for all its slots. To be fed in order, by the checker."""

    def __init__(
        self, table: int, sealed: Sealed, cards: tuple[Card, ...], *, findings: Findings, salts: set[bytes]
    ) -> None:
        """Salts of earlier deals' openings are given, and those of this one added."""
        self.sealed = sealed
        self.cards = cards
        self.draw: Draw | None = None
        self.made: dict[Seat, bytes] = {}
        """Cuts that came one by one."""
        self.is_void = False
        self.is_turned = False
        self.is_whole = False
        self.is_over = False
        """What was dealt of it is played, so the next cards are of another deal."""
        self.unknown: Unproved | None = None
        """Of a stock: why not all is known of the hand that it is of."""
        self.unproved: Unproved | None = None
        self.awaits_accident = False
        """Its leaf decides on an accident, and no event has told it yet."""
        self._table = table
        self._findings = findings
        self._salts = salts
        self.in_pack = frozenset(cards)
        """Its cards."""
        self._blamed: tuple[Seat, ...] = ()
        self._waiting: list[Openings] = []
        """Came before the cuts were shown, with which alone they can be checked."""
        self._held: list[Seat | None] = []
        """The seat to which each slot was dealt so far; None: turned up in the pack, or drawn out of a hand."""
        self._opened: dict[int, tuple[Card, bytes]] = {}
        """The card and the salt at each position that was opened."""
        self._positions: dict[Card, int] = {}
        self._accident_salt: bytes | None = None
        self._misdeal: accidents.Misdeal | None = None
        self._turned_salts: frozenset[bytes] = frozenset()
        self._at: dict[Card, Seat | None] = {}
        """The holder of each card that was shown, now or last."""
        self._proofs: dict[Card, Proof] = {}
        self._due: list[tuple[Card, Seat | None]] = []
        """Cards shown whose openings come late, and who showed each."""
        self._slot_of: dict[Card, int] = {}
        """The place where a card seen by accident must have been dealt."""
        self._out: set[Card] = set()
        """Cards that no hand holds any more."""
        self._gifts: list[tuple[Seat, Seat]] = []
        """From whom to whom a card went that the viewer does not know and has not seen since."""

    @property
    def number(self) -> int:
        return self.sealed.deal

    @property
    def is_dealt(self) -> bool:
        """True if any card was dealt of it."""
        return bool(self._held)

    @property
    def slots_dealt(self) -> int:
        return len(self._held)

    @property
    def missing(self) -> tuple[Seat, ...]:
        """Seats of which no cut has come."""
        promised = enumerate(self.sealed.cuts)
        return tuple([Seat(seat) for seat, end in promised if end is not None and seat not in self.made])

    def make_cut(self, seat: Seat, link: bytes) -> None:
        promised = self.sealed.cuts[seat] if seat < len(self.sealed.cuts) else None
        if self.draw is not None or self.made.get(seat, link) != link:
            self._fail(Fault.CHANGED, seat=seat)
        elif promised is None or after(link) != promised:
            self._fail(Fault.LINK, seat=seat)
        else:
            self.made[seat] = link

    def cut(self, links: tuple[bytes | None, ...]) -> None:
        """All cuts are shown; what came before them is checked now."""
        promised = self.sealed.cuts
        for seat in map(Seat, range(max(len(promised), len(links)))):
            link = links[seat] if seat < len(links) else None
            end = promised[seat] if seat < len(promised) else None
            is_promised = link is None if end is None else link is not None and after(link) == end
            if not is_promised or self.made.get(seat, link) != link:
                self._fail(Fault.LINK, seat=seat)
        self.draw = draw(self._table, self.number, self.sealed.roots, self.sealed.to, self.cards, links)
        waiting, self._waiting = self._waiting, []
        for message in waiting:
            self.open(message)

    def void(self, voided: DealVoided) -> None:
        """It is called off, and both packs are turned up."""
        self.is_void = True
        self._blamed = (*voided.seats, *voided.left)
        if voided.seeds is None:
            self._fail(Fault.NOT_TURNED)
            return
        made = [self._laid(seed, pack) for pack, seed in enumerate(voided.seeds)]
        self.is_turned = tuple([pack.root for pack in made]) == self.sealed.roots
        if not self.is_turned:
            self._fail(Fault.TURNED)

    def open(self, message: Openings) -> None:
        """Proofs came; those of cards that were not shown yet are kept until they are."""
        if self.draw is None:
            self._waiting.append(message)
            return
        if message.turned is not None and self._is_right(message.turned, 1 - self.draw.pack):
            self.is_turned = True
        if message.played is not None and self._is_right(message.played, self.draw.pack):
            self.is_whole = True
        if message.accident is not None and self._gives_root(message.accident, self.draw):
            self._accident_salt = message.accident.salt
        for opening in message.openings:
            self._open(opening, self.draw)

    def take(self, step: DealStep, shown: tuple[Shown, ...]) -> None:
        """Take a step that says whose the next slots are; it goes before the cards that its event shows."""
        match step:
            case HandsDealt(counts=counts):
                self.deal(counts)
                if shown and self.awaits_accident:
                    self._fail(Fault.ACCIDENT)
            case MoreDealt(to=to):
                for seat in to:
                    self._take_slot(seat, in_turn=False)
            case TurnedUp(in_turn=in_turn):
                for card, turned_before, _ in shown:
                    self.turn_next(turned_before, card, in_turn=in_turn)
            case StockRenewed(count=count):
                if count != len(self.cards):
                    self._fail(Fault.STOCK)
            case AccidentTold(law=law, seat=seat, card=seen):
                self.accident(law, seat, seen)
            case ExtraTaken(seat=seat):
                self.draw_extra(seat)
            case _:
                pass

    def deal(self, counts: tuple[int, ...]) -> None:
        """So many cards were dealt to each seat: as the seal says, and one more where an accident has it so."""
        if self._held or self.sealed.stock:
            self._fail(Fault.TO)
            return
        to = self.sealed.to
        self._held += to
        self._misdeal = self._decided()
        self.awaits_accident = self._misdeal is not None
        has_more = None
        if self._misdeal is not None and self._misdeal.law in (accidents.ANOTHER_HAS_MORE, accidents.DEALER_HAS_MORE):
            has_more = self._misdeal.seat
        named = Counter(to)
        for seat in map(Seat, range(max(len(counts), 1 + max(to, default=-1)))):
            count = counts[seat] if seat < len(counts) else 0
            if count != named[seat] + (seat == has_more):
                self._fail(Fault.TO, seat=seat)
            elif seat == has_more:
                self._held.append(seat)

    def _decided(self) -> accidents.Misdeal | None:
        """The accident that its leaf and the cuts decide."""
        sealed = self.sealed
        if not sealed.misdeals:
            return None
        if self._accident_salt is None or self.draw is None:
            self._fail(Fault.ACCIDENT)
            return None
        players = tuple(dict.fromkeys(sealed.to))
        chance = accidents.UniformNumber(accidents.luck(self._accident_salt, self.draw.basis), accidents.LUCK)
        each = len(sealed.to) // len(players)
        return accidents.misdeal(
            chance, sealed.misdeals, dealer=players[-1], adversaries=sealed.adversaries, cards_each=each
        )

    def accident(self, law: int, seat: Seat, card: Card | None) -> None:
        """Take in an accident: it must be the decided one, and show the decided card."""
        decided = self._misdeal if self.awaits_accident else None
        self.awaits_accident = False
        if decided is None or (decided.law, decided.seat) != (law, seat):
            self._fail(Fault.ACCIDENT, seat=seat)
        elif card is not None and decided.card is not None and law in (accidents.ANOTHERS_CARD, accidents.OWN_CARD):
            self._slot_of[card] = self._slots(seat)[decided.card]

    def draw_extra(self, seat: Seat) -> None:
        """A card too many was drawn out of a hand: its holder can show it no more."""
        decided = self._misdeal
        if (
            decided is None
            or decided.seat != seat
            or decided.law not in (accidents.ANOTHER_HAS_MORE, accidents.DEALER_HAS_MORE)
        ):
            self._fail(Fault.ACCIDENT, seat=seat)
        elif decided.card is not None and decided.card < len(slots := self._slots(seat)):
            self._held[slots[decided.card]] = None

    def _slots(self, seat: Seat) -> list[int]:
        return [slot for slot, holder in enumerate(self._held) if holder == seat]

    def turn_next(self, seat: Seat | None, card: Card, *, in_turn: bool) -> None:
        """The next slot's card was dealt face up to a seat, or found lying so in the pack.

        Slots before it have been seen and those after it have no holder yet, so a card of any other is not the seat's.
        `in_turn`: cards go round the seats of the seal.
        """
        if self._take_slot(seat, in_turn=in_turn):
            self.show(card, seat, is_due=True)
            self._out.add(card)

    def _take_slot(self, seat: Seat | None, *, in_turn: bool) -> bool:
        """True if the next slot can be this seat's."""
        slot, named = len(self._held), self.sealed.to
        if slot < len(named):
            is_free = named[slot] == seat
        else:
            is_free = not in_turn or (bool(named) and named[slot % len(named)] == seat)
        if slot >= len(self.cards) or not is_free:
            self._fail(Fault.TO, seat=seat)
            return False
        self._held.append(seat)
        return True

    @property
    def is_exhausted(self) -> bool:
        """True if all its slots are dealt."""
        return len(self._held) == len(self.cards)

    def show(self, card: Card, seat: Seat | None, *, is_due: bool, since: int | None = None) -> None:
        """A card was seen in this seat's hand, or coming out of it.

        `is_due`: its opening is, also where those of others come late. `since`: it was dealt just now, from this slot
        on, so it is none that was seen before.
        """
        if card not in self.in_pack:
            self._fail(Fault.STRANGE, card)
        elif card in self._out:
            self._fail(Fault.REPEATED, card)
        elif not self._is_with(card, seat):
            self._fail(Fault.HOLDER, card, seat)
        elif card in self._proofs:
            if since is not None:
                self._fail(Fault.REPEATED, card)
        else:
            self._proofs[card] = Proof.AWAITED
            if is_due or not self.sealed.late:
                self._prove(card, seat, since or 0)
            else:
                self._due.append((card, seat))

    def _is_with(self, card: Card, seat: Seat | None) -> bool:
        """True if it can be in this hand, as far as it was seen before: also when the player who had it, as an accident
        showed, gave a card away unseen."""
        holder = self._at.setdefault(card, seat)
        if holder != seat and self._take_gift(holder, seat):
            self._at[card] = seat
        return self._at[card] == seat

    def take_away(self, card: Card) -> None:
        """A card that was shown left its hand for good."""
        self._out.add(card)

    def give(self, giver: Seat, to: Seat, card: Card | None) -> None:
        """A card changed hands; known to the viewer, it was shown with the giver first."""
        if card is None:
            self._gifts.append((giver, to))
        else:
            self._at[card] = to

    def end(self) -> None:
        """The hand is over: nothing is due later."""
        self._turned_salts = frozenset()
        due, self._due = self._due, []
        for card, seat in due:
            self._prove(card, seat)

    def check_shown(self) -> None:
        """The hand is over. A card that was opened and that no event has shown is one that a player meant to keep."""
        if self.unproved is None:
            for card in self._positions:
                if card not in self._at:
                    self._fail(Fault.UNSHOWN, card)

    def give_up(self, why: Unproved) -> None:
        """A part of it was missed, so proofs that are due may have been."""
        self._due.clear()
        self.awaits_accident = False
        self.unproved = why

    def forget(self) -> None:
        """No more is asked of this deal: its salts may be anybody's."""
        self._salts.difference_update([salt for _, salt in self._opened.values()])

    @property
    def is_proved(self) -> bool:
        """True if every card that was shown is proved, and nothing was wrong."""
        is_whole = self.is_turned and all(proof is Proof.PROVED for proof in self._proofs.values())
        return is_whole and self.unproved is None and not self._findings.of(self.number)

    def summary(self) -> DealSummary:
        cards = [ProvedCard(card, self._at[card], proof) for card, proof in self._proofs.items()]
        return DealSummary(
            deal=self.number,
            stage=Stage.VOID if self.is_void else Stage.SEALED if self.draw is None else Stage.CUT,
            roots=self.sealed.roots,
            cutters=tuple([Seat(seat) for seat, end in enumerate(self.sealed.cuts) if end is not None]),
            cards_in_pack=len(self.cards),
            words=None if self.draw is None else self.draw.words,
            pack=None if self.draw is None else self.draw.pack,
            is_turned=self.is_turned,
            is_whole=self.is_whole,
            cards=tuple(cards),
            failures=self._findings.of(self.number),
            unproved=self.unproved,
            blamed=self._blamed,
            is_stock=self.sealed.stock,
        )

    def _open(self, opening: Opening, drawn: Draw) -> None:
        """An opening that repeats one known to be good, as after a drop, changes nothing."""
        position, card = opening.position, opening.card
        known = self._opened.get(position)
        if known == (card, opening.salt):
            return
        if known is not None and known[0] != card:
            self._fail(Fault.POSITION, card)
        elif not self._gives_root(opening, drawn):
            pass  # which is noted
        elif self._positions.setdefault(card, position) != position:
            self._fail(Fault.REPEATED, card)
        else:
            if opening.salt in self._salts or opening.salt in self._turned_salts:
                self._fail(Fault.SALT, card)
            self._opened[position] = card, opening.salt
            self._salts.add(opening.salt)
            if self.is_over:
                self.check_shown()

    def _gives_root(self, opening: Opening | AccidentOpening, drawn: Draw) -> bool:
        has_accidents = bool(self.sealed.misdeals)
        root = root_by(opening, self._table, self.number, drawn.pack, len(self.cards), has_accidents=has_accidents)
        if root != self.sealed.roots[drawn.pack]:
            self._fail(Fault.LEAF, opening.card if isinstance(opening, Opening) else None)
            return False
        return True

    def _is_right(self, whole: PackOpening, pack: int) -> bool:
        """True if it is the pack it should be, and as it was sealed."""
        if whole.pack != pack:
            self._fail(Fault.PACK)
            return False
        made = self._laid(whole.seed, pack)
        if made.root != self.sealed.roots[pack]:
            self._fail(Fault.TURNED)
            return False
        if self.draw is not None and pack != self.draw.pack:
            self._turned_salts = _salts_of(made)
            for card, salt in self._opened.values():
                if salt in self._turned_salts:
                    self._fail(Fault.SALT, card)
        return True

    def _laid(self, seed: bytes, pack: int) -> SealedPack:
        return laid(seed, self._table, self.number, pack, self.cards, has_accidents=bool(self.sealed.misdeals))

    def _prove(self, card: Card, seat: Seat | None, since: int = 0) -> None:
        position = self._positions.get(card)
        if position is None or self.draw is None:
            self._refute(Fault.UNOPENED, card, seat)
            return
        slot = self.draw.order.index(position)
        if slot < since or not self._is_of(slot, seat):
            self._refute(Fault.HOLDER, card, seat)
        elif self._slot_of.get(card, slot) != slot:
            self._refute(Fault.ACCIDENT, card, seat)
        else:
            self._proofs[card] = Proof.PROVED

    def _refute(self, fault: Fault, card: Card, seat: Seat | None) -> None:
        self._proofs[card] = Proof.FAILED
        self._fail(fault, card, seat)

    def _is_of(self, slot: int, seat: Seat | None) -> bool:
        """True if the slot was dealt to this seat, or to a partner who gave it a card not seen since."""
        if slot >= len(self._held):
            return False
        dealt_to = self._held[slot]
        return dealt_to == seat or self._take_gift(dealt_to, seat)

    def _take_gift(self, giver: Seat | None, to: Seat | None) -> bool:
        """True if a card that was not seen went from one to the other. It serves for one card."""
        if giver is None or to is None or (giver, to) not in self._gifts:
            return False
        self._gifts.remove((giver, to))
        return True

    def _fail(self, fault: Fault, card: Card | None = None, seat: Seat | None = None) -> None:
        self._findings.add(self.number, fault, card, seat)


def _salts_of(pack: SealedPack) -> frozenset[bytes]:
    return frozenset(in_pieces(pack.salts, HASH_BYTES))
