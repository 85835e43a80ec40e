"""One deal as one viewer can check it: which slot went to whom, which positions were opened, which cards are proved.

Nothing here ends a check: what does not fit is noted in the findings, and the rest is checked all the same.
"""

from collections import Counter

from put_protocol.cards import Card
from put_protocol.seal.chain import after
from put_protocol.seal.findings import DealSummary, Fault, Findings, Proof, ProvedCard, Stage
from put_protocol.seal.hashing import HASH_BYTES
from put_protocol.seal.order import Draw, draw
from put_protocol.seal.packs import Pack, laid, root_by
from put_protocol.seal.told import Opening, Openings, PackOpening, Sealed
from put_protocol.seats import Seat


class Deal:
    """Made from a seal of a pack that has cards for all its slots. To be fed in order, by the checker."""

    def __init__(
        self, table: int, sealed: Sealed, cards: tuple[Card, ...], *, findings: Findings, salts: set[bytes]
    ) -> None:
        """Salts of earlier deals' openings are given, and those of this one added."""
        self.sealed = sealed
        self.cards = cards
        self.draw: Draw | None = None
        self.is_void = False
        self.is_turned = False
        self.is_whole = False
        self.is_over = False
        """What was dealt of it is played, so the next cards are of another deal."""
        self._table = table
        self._findings = findings
        self._salts = salts
        self._in_pack = frozenset(cards)
        self._waiting: list[Openings] = []
        """Came before the cuts were shown, with which alone they can be checked."""
        self._held: list[Seat | None] = []
        """To whom each slot was dealt so far; None: turned up in the pack."""
        self._opened: dict[int, tuple[Card, bytes]] = {}
        """The card and the salt at each position that was opened."""
        self._positions: dict[Card, int] = {}
        self._turned_salts: frozenset[bytes] = frozenset()
        self._at: dict[Card, Seat | None] = {}
        """Who holds each card that was shown, or did last."""
        self._proofs: dict[Card, Proof] = {}
        self._due: list[tuple[Card, Seat | None]] = []
        """Cards shown whose openings come late, and who showed each."""
        self._out: set[Card] = set()
        """Cards that are in nobody's hand any more."""
        self._gifts: list[tuple[Seat, Seat]] = []
        """From whom to whom a card went that the viewer does not know and has not seen since."""

    @property
    def number(self) -> int:
        return self.sealed.deal

    def cut(self, links: tuple[bytes | None, ...]) -> None:
        """The cuts are shown; what came before them is checked now."""
        promised = self.sealed.cuts
        for seat in map(Seat, range(max(len(promised), len(links)))):
            link = links[seat] if seat < len(links) else None
            end = promised[seat] if seat < len(promised) else None
            if (link is None) != (end is None) or (link is not None and after(link) != end):
                self._fail(Fault.LINK, seat=seat)
        self.draw = draw(self._table, self.number, self.sealed.roots, self.sealed.to, self.cards, links)
        waiting, self._waiting = self._waiting, []
        for message in waiting:
            self.open(message)

    def open(self, message: Openings) -> None:
        """Proofs came; those of cards that nobody has shown yet are kept for when somebody does."""
        if self.draw is None:
            self._waiting.append(message)
            return
        if message.turned is not None and self._is_right(message.turned, 1 - self.draw.pack):
            self.is_turned = True
        if message.played is not None and self._is_right(message.played, self.draw.pack):
            self.is_whole = True
        for opening in message.openings:
            self._open(opening, self.draw)

    def deal(self, counts: tuple[int, ...]) -> None:
        """So many cards were dealt to each seat: as the seal says, and any more from the slots after those."""
        to = self.sealed.to
        named = Counter(to)
        if self._held:
            self._fail(Fault.TO)
            return
        self._held += to
        for seat in map(Seat, range(max(len(counts), 1 + max(to, default=-1)))):
            more = (counts[seat] if seat < len(counts) else 0) - named[seat]
            if 0 <= more <= len(self.cards) - len(self._held):
                self._held += [seat] * more
            else:
                self._fail(Fault.TO, seat=seat)

    def turn_next(self, seat: Seat | None, card: Card) -> None:
        """The next slot's card was dealt face up to a seat, or found lying so in the pack.

        Slots before it have been seen and those after it are nobody's yet, so a card of any other is not the seat's.
        """
        slot = len(self._held)
        if slot >= len(self.cards) or (slot < len(self.sealed.to) and self.sealed.to[slot] != seat):
            self._fail(Fault.TO, seat=seat)
            return
        self._held.append(seat)
        self.show(card, seat, is_due=True)
        self._out.add(card)

    def show(self, card: Card, seat: Seat | None, *, is_due: bool) -> None:
        """A card was seen in this seat's hand, or coming out of it.

        `is_due`: its opening is, also where those of others come late.
        """
        if card not in self._in_pack:
            self._fail(Fault.STRANGE, card)
        elif card in self._out:
            self._fail(Fault.REPEATED, card)
        elif self._at.setdefault(card, seat) != seat:
            self._fail(Fault.HOLDER, card, seat)
        elif card not in self._proofs:
            self._proofs[card] = Proof.AWAITED
            if is_due or not self.sealed.late:
                self._prove(card, seat)
            else:
                self._due.append((card, seat))

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

    def give_up(self) -> None:
        """A part of it was missed, so proofs that are due may have been."""
        self._due.clear()

    def forget(self) -> None:
        """No more is asked of this deal: its salts may be anybody's."""
        self._salts.difference_update([salt for _, salt in self._opened.values()])

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
        )

    def _open(self, opening: Opening, drawn: Draw) -> None:
        """An opening that repeats one known to be good, as after a drop, changes nothing."""
        position, card = opening.position, opening.card
        known = self._opened.get(position)
        if known == (card, opening.salt):
            return
        if known is not None and known[0] != card:
            self._fail(Fault.POSITION, card)
            return
        root = root_by(opening, self._table, self.number, drawn.pack, len(self.cards))
        if root != self.sealed.roots[drawn.pack]:
            self._fail(Fault.LEAF, card)
        elif self._positions.setdefault(card, position) != position:
            self._fail(Fault.REPEATED, card)
        else:
            if opening.salt in self._salts or opening.salt in self._turned_salts:
                self._fail(Fault.SALT, card)
            self._opened[position] = card, opening.salt
            self._salts.add(opening.salt)

    def _is_right(self, whole: PackOpening, pack: int) -> bool:
        """Whether it is the pack it should be, and as it was sealed."""
        if whole.pack != pack:
            self._fail(Fault.PACK)
            return False
        made = laid(whole.seed, self._table, self.number, pack, self.cards)
        if made.root != self.sealed.roots[pack]:
            self._fail(Fault.TURNED)
            return False
        if self.draw is not None and pack != self.draw.pack:
            self._turned_salts = _salts_of(made)
            for card, salt in self._opened.values():
                if salt in self._turned_salts:
                    self._fail(Fault.SALT, card)
        return True

    def _prove(self, card: Card, seat: Seat | None) -> None:
        position = self._positions.get(card)
        if position is None or self.draw is None:
            self._proofs[card] = Proof.FAILED
            self._fail(Fault.UNOPENED, card, seat)
        elif not self._is_of(self.draw.order.index(position), seat):
            self._proofs[card] = Proof.FAILED
            self._fail(Fault.HOLDER, card, seat)
        else:
            self._proofs[card] = Proof.PROVED

    def _is_of(self, slot: int, seat: Seat | None) -> bool:
        """Whether the slot was dealt to this seat, or to a partner who gave it a card not seen since."""
        if slot >= len(self._held):
            return False
        dealt_to = self._held[slot]
        if dealt_to is None or seat is None or dealt_to == seat:
            return dealt_to == seat
        if (dealt_to, seat) in self._gifts:
            self._gifts.remove((dealt_to, seat))
            return True
        return False

    def _fail(self, fault: Fault, card: Card | None = None, seat: Seat | None = None) -> None:
        self._findings.add(self.number, fault, card, seat)


def _salts_of(pack: Pack) -> frozenset[bytes]:
    return frozenset([pack.salts[at : at + HASH_BYTES] for at in range(0, len(pack.salts), HASH_BYTES)])
