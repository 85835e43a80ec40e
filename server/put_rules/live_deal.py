"""Deals whose cards are in play: which of them each viewer has been shown, the proofs of those, and what remains.

A hand has one deal, and one more each time that its stock is renewed. A card belongs to the newest deal of the hand
that has it, because what is shuffled into a new stock was in no player's hand.

Laws: a card is opened to a viewer only if an event of its own deal has shown it to them. After a drop the same proofs
may be sent again, also when the deal is over; no others are. When the deal is over, what no viewer was shown is
forgotten: `remains` has the cards and the proofs that were shown, and lays the others in their canonical order, which
says nothing. Everything that happened follows from it as from the pack that was dealt, for no event depends on a card
that no viewer saw.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, InitVar, dataclass, field
from typing import Any

from msgspec.structs import replace

from put_protocol.cards import FULL_PACK, Card, in_order, place_of
from put_protocol.deal_steps import DealSteps, Gone, HandOver
from put_protocol.games.unions import Event
from put_protocol.seal import packs
from put_protocol.seal.accidents import luck
from put_protocol.seal.cuts import draw
from put_protocol.seal_events import AccidentOpening, Opening, Openings, PackOpening
from put_protocol.seats import GALLERY, Seat, Viewer
from put_rules.facts import Fact
from put_rules.game import Awaits, Game, Shuffle
from put_rules.record import Chance, GameRecord, Pack, Proofs, Seal, Step
from put_rules.steps import Played, fold, last_packs, packed_steps, replace_live
from put_rules.table_options import TableOptions


@dataclass(slots=True, eq=False, repr=False)
class CardProver:
    """The proofs of one deal, viewer by viewer."""

    table: int
    deal: int
    _: KW_ONLY
    cards: tuple[Card, ...]
    pack: packs.SealedPack | None
    """The one that is played; None: only these openings of it are known."""
    openings: InitVar[Iterable[Opening]]
    turned: PackOpening
    """The other pack, whole."""
    played: PackOpening | None
    """The pack whole, where the table opens its packs after the game."""
    accident: AccidentOpening | None
    is_late: bool
    """Cards that others play are proved when the hand is over."""
    _given_back: frozenset[Card] = frozenset()
    """Cards that are of another deal by now."""
    _made: dict[Card, Opening] = field(init=False)
    """Openings made so far."""
    _shown: dict[Viewer, dict[Card, None]] = field(default_factory=dict, init=False)
    _late: dict[Viewer, list[Card]] = field(default_factory=dict, init=False)

    def __post_init__(self, openings: Iterable[Opening]) -> None:
        self._made = {opening.card: opening for opening in openings}

    def openings_due(self, viewer: Viewer, events: Iterable[Event]) -> Openings | None:
        """The proofs that go to a viewer ahead of these events of theirs; None: nothing. With the first comes the other
        pack."""
        is_first = viewer not in self._shown
        shown = self._shown.setdefault(viewer, {})
        due: list[Card] = []
        for event in events:
            new = [
                (card, seat)
                for card, seat, _ in event.shows(viewer)
                if card not in shown and card in self.cards and card not in self._given_back
            ]
            shown.update([(card, None) for card, _ in new])
            if self.is_late:
                due += self._due_with(viewer, event.deal_steps(), new)
            else:
                due += [card for card, _ in new]
        return self._opened(due, is_first=is_first) if due or is_first else None

    def _due_with(self, viewer: Viewer, steps: DealSteps, new: Iterable[tuple[Card, Seat | None]]) -> list[Card]:
        """Cards that others play are due when the hand is over; all others at once."""
        late = self._late.setdefault(viewer, [])
        due: list[Card] = []
        for card, seat in new:
            (late if seat != viewer and Gone() in steps else due).append(card)
        if HandOver() in steps:
            due += late
            late.clear()
        return due

    def openings_again(self, viewer: Viewer) -> Openings | None:
        """All that was due to a viewer so far, for who may have lost some of it; None: nothing was."""
        shown = self._shown.get(viewer)
        if shown is None:
            return None
        late = self._late.get(viewer, ())
        return self._opened([card for card in shown if card not in late], is_first=True)

    def give_back(self, cards: Iterable[Card]) -> None:
        """These came back, and are of another deal from now on. What was shown of them before can be proved again."""
        self._given_back |= frozenset(cards)

    def forget(self, viewer: Viewer) -> None:
        """Another person is this viewer from now on, and gets no proof of what the one before was shown."""
        self._shown.pop(viewer, None)
        self._late.pop(viewer, None)

    def _opened(self, cards: Iterable[Card], *, is_first: bool) -> Openings:
        openings = tuple([self._opening(card) for card in cards])
        if not is_first:
            return Openings(self.table, self.deal, openings)
        return Openings(self.table, self.deal, openings, self.turned, accident=self.accident)

    def _opening(self, card: Card) -> Opening:
        opening = self._made.get(card)
        if opening is None:
            assert self.pack is not None
            opening = self._made[card] = self.pack.opening(self.pack.cards.index(card))
        return opening

    def finish(self, seen: Iterable[Card]) -> tuple[Opening, ...]:
        """The deal is over: of its pack nothing is known from now on but the cards that a viewer was shown."""
        openings = tuple([self._opening(card) for card in seen])
        self.pack = None
        return openings

    def whole(self) -> Openings | None:
        """The pack that was played, for everyone, when the game is over and its table opens its packs."""
        return None if self.played is None else Openings(self.table, self.deal, played=self.played)


@dataclass(slots=True, eq=False, repr=False)
class LiveDeal:
    """A deal in play."""

    pack: Pack
    """Cards in the order dealt, from the top."""
    prover: CardProver | None
    """None: it was not sealed."""
    arranged: InitVar[Iterable[Card]] = ()
    """Cards of which everyone knows by the table's options that they lie on top."""
    _given_back: frozenset[Card] = frozenset()
    """Cards that are of another deal by now."""
    _seen: list[Card] = field(init=False)

    def __post_init__(self, arranged: Iterable[Card]) -> None:
        self._seen = list(arranged)

    def note_shown(self, seen: Mapping[Viewer, tuple[Event, ...]]) -> None:
        """Each viewer is sent these events. A fact that is open to all is one event, and shows everyone the same."""
        public = seen[GALLERY]
        shown = [card for event in public if event.SHOWS is not None for card in event.SHOWS.cards_in(event)]
        for events in seen.values():
            if events is not public:
                own = [event for event in events if event not in public]
                shown += [card for event in own if event.SHOWS is not None for card in event.SHOWS.cards_in(event)]
        for card in shown:
            if card not in self._seen and card in self.pack.cards and card not in self._given_back:
                self._seen.append(card)

    def give_back(self, cards: Iterable[Card]) -> None:
        """These came back in the middle of the hand, and are of another deal from now on."""
        self._given_back |= frozenset(cards)
        if self.prover is not None:
            self.prover.give_back(cards)

    def remains(self) -> Pack:
        """The pack as the journal keeps it when the deal is over."""
        cards = without_unseen(self.pack.cards, self._seen)
        seal, prover = self.pack.seal, self.prover
        if seal is None or prover is None:
            return replace(self.pack, cards=cards)
        shown = prover.finish([card for card in cards if card in self._seen])
        proofs = Proofs(seal.sealed, seal.cut, prover.turned, shown, prover.accident, prover.played)
        return Pack(cards, luck=self.pack.luck, proofs=proofs, is_stock=self.pack.is_stock)


class LiveHand:
    """The deals of the hand in play, the oldest first."""

    __slots__ = ("deals", "provers")

    def __init__(self) -> None:
        self.deals: list[LiveDeal] = []
        self.provers: tuple[CardProver, ...] = ()
        """Provers of the deals that were sealed."""

    def add(self, deal: LiveDeal) -> None:
        """A deal comes into play. Those before it stay only if it is a stock, of cards that were theirs."""
        if not deal.pack.is_stock:
            self.deals.clear()
        for other in self.deals:
            other.give_back(deal.pack.cards)
        self.deals.append(deal)
        self.provers = tuple([deal.prover for deal in self.deals if deal.prover is not None])

    def note_shown(self, seen: Mapping[Viewer, tuple[Event, ...]]) -> None:
        """Each viewer is sent these events."""
        for deal in self.deals:
            deal.note_shown(seen)

    def openings_due(self, viewer: Viewer, events: Sequence[Event]) -> tuple[Openings, ...]:
        """The proofs that go to a viewer ahead of these events of theirs."""
        due = [prover.openings_due(viewer, events) for prover in self.provers]
        return tuple([openings for openings in due if openings is not None])

    def finish(self) -> tuple[Pack, ...]:
        """The hand is over: what is kept of each pack."""
        deals, self.deals, self.provers = self.deals, [], ()
        return tuple([deal.remains() for deal in deals])


class DealFollower:
    """The deals of a game that is folded again, as they were when it was played."""

    def __init__(self, record: GameRecord, viewers: Sequence[Viewer]) -> None:
        self._table = record.table
        self._options = TableOptions.of(record.options)
        self._viewers = viewers
        self.hand = LiveHand()
        """The last hand."""
        self.proved: list[tuple[CardProver, ...]] = []
        """The sealed deals of every hand before it that had any."""

    def follow(self, played: Played) -> None:
        """A step of the fold, the next each time."""
        if isinstance(played.input, Pack):
            if not played.input.is_stock:
                if self.hand.provers:
                    self.proved.append(self.hand.provers)
                self.hand.finish()  # after which nothing else is known of it
            self.hand.add(deal_of(self._table, played.input, self._options))
        if not self.hand.deals:
            return
        seen = {viewer: seen_by(played.facts, viewer) for viewer in self._viewers}
        self.hand.note_shown(seen)
        for viewer, events in seen.items():  # a viewer who asks for proofs now may have asked then
            self.hand.openings_due(viewer, events)


def seen_by(facts: Iterable[Fact], viewer: Viewer) -> tuple[Event, ...]:
    """The events that a viewer sees of these facts."""
    return tuple([event for fact in facts if (event := fact.seen_by(viewer)) is not None])


def deal_of(table: int, pack: Pack, options: TableOptions) -> LiveDeal:
    """The deal of a recorded pack, at a table with these options."""
    if pack.seal is not None:
        return unsealed(table, pack.seal, opens_after=options.opens_packs)
    if pack.proofs is not None:
        return remembered(table, pack, pack.proofs)
    arranged = options.arranged
    is_arranged = pack.cards[: len(arranged)] == arranged  # a pack that is drawn from is not
    return LiveDeal(pack, None, arranged=arranged if is_arranged else ())


def chance_of(pack: Pack) -> Chance:
    """The source of a pack in play."""
    return Chance(pack=pack) if pack.seal is None else Chance(secret=pack.seal.secret)


def blanked(pack: Pack) -> Pack:
    """A pack in play without what it was made from."""
    seal = pack.seal
    if seal is None:
        return Pack((), proofs=pack.proofs, is_stock=pack.is_stock)
    return Pack((), seal=Seal(b"", seal.sealed, seal.cut), is_stock=pack.is_stock)


def with_live(record: GameRecord, chances: Sequence[Chance]) -> GameRecord:
    """The record with the deals in play made again, each from what it was made from or what remains of it."""
    opens_after = TableOptions.of(record.options).opens_packs
    made = []
    for blank, chance in zip(last_packs(record, len(chances)), chances, strict=True):
        if chance.pack is not None:
            made.append(chance.pack)
            continue
        assert blank.seal is not None
        seal = Seal(chance.secret, blank.seal.sealed, blank.seal.cut)
        made.append(unsealed(record.table, seal, opens_after=opens_after).pack)
    return replace_live(record, made)


def follows_from_seal(table: int, pack: Pack) -> bool:
    """True if a recorded pack is what its seal and its cuts make of it, as far as it remains; one without a seal is."""
    if pack.seal is not None:
        return unsealed(table, pack.seal, opens_after=False).pack == pack
    proofs = pack.proofs
    if proofs is None:
        return True
    sealed, size, has_accidents = proofs.sealed, len(pack.cards), bool(proofs.sealed.misdeals)
    drawn = draw(table, sealed.deal, sealed.roots, sealed.to, sealed.cards or FULL_PACK, proofs.cut.links)
    root = sealed.roots[drawn.pack]
    wholes = [(proofs.turned, 1 - drawn.pack)] + ([] if proofs.played is None else [(proofs.played, drawn.pack)])
    for whole, number in wholes:
        laid = packs.laid(
            whole.seed, table, sealed.deal, number, sealed.cards or FULL_PACK, has_accidents=has_accidents
        )
        if (whole.pack, laid.root) != (number, sealed.roots[number]):
            return False
    openings: list[Opening | AccidentOpening] = [*proofs.openings]
    if proofs.accident is not None:
        openings.append(proofs.accident)
    if any(
        packs.root_by(opening, table, sealed.deal, drawn.pack, size, has_accidents=has_accidents) != root
        for opening in openings
    ):
        return False
    if any(pack.cards[drawn.order.index(opening.position)] != opening.card for opening in proofs.openings):
        return False
    decided = None if proofs.accident is None else luck(proofs.accident.salt, drawn.basis)
    return pack.luck == decided


def reduced(record: GameRecord, game: Game[Any, Any]) -> GameRecord:
    """A finished game without the cards that no viewer was shown, and without the secrets of its deals.

    A pack whose unseen cards decide on an accident, as in games of earlier versions, stays as it is.

    :raises BadRecord: a step does not follow.
    """
    follower = DealFollower(record, [*map(Seat, range(len(record.players))), GALLERY])
    steps: list[Step] = []
    hand: list[int | None] = []
    """The place where the packs of the last hand are among the steps; None: it stays as it is."""

    def close() -> None:
        for at, deal in zip(hand, follower.hand.deals, strict=True):
            if at is not None:
                steps[at] = Step(steps[at].at, deal.remains())

    awaits: Awaits | None = None
    for played in fold(record, game):
        if isinstance(played.input, Pack):
            if not played.input.is_stock:
                close()
                hand.clear()
            has_chance = isinstance(awaits, Shuffle) and awaits.misdeals > 0 and played.input.luck is None
            hand.append(None if has_chance else len(steps))
        awaits = game.awaits(played.state)
        if played.input is not None:
            follower.follow(played)
            steps.append(Step(played.at, played.input))
    close()
    return replace(record, steps=packed_steps(steps))


def without_unseen(pack: tuple[Card, ...], seen: Iterable[Card]) -> tuple[Card, ...]:
    """The pack with the cards that were seen in their places, and the others in canonical order in the places left. A
    card that was never known stays its place."""
    seen = frozenset([*seen, *[card for card in pack if place_of(card) is not None]])
    others = iter(in_order([card for card in pack if card not in seen]))
    return tuple([card if card in seen else next(others) for card in pack])


def unsealed(table: int, seal: Seal, made: packs.Sealing | None = None, *, opens_after: bool) -> LiveDeal:
    """The deal as its seal and its cuts make it. `made`: its two packs, if at hand. `opens_after`: the pack is opened
    whole when the game is over."""
    sealed = seal.sealed
    cards = sealed.cards or FULL_PACK
    has_accidents = bool(sealed.misdeals)
    made = made or packs.seal(seal.secret, table, sealed.deal, cards, has_accidents=has_accidents)
    drawn = draw(table, sealed.deal, sealed.roots, sealed.to, cards, seal.cut.links)
    played, other = made.packs[drawn.pack], made.packs[1 - drawn.pack]
    accident = played.accident()
    number = None if accident is None else luck(accident.salt, drawn.basis)
    prover = CardProver(
        table,
        sealed.deal,
        cards=cards,
        pack=played,
        openings=(),
        turned=other.whole(),
        played=played.whole() if opens_after else None,
        accident=accident,
        is_late=sealed.late,
    )
    dealt = tuple([played.cards[place] for place in drawn.order])
    return LiveDeal(Pack(dealt, seal=seal, luck=number, is_stock=sealed.stock), prover)


def remembered(table: int, pack: Pack, proofs: Proofs) -> LiveDeal:
    """A sealed deal that is over, as far as it remains: what was shown of it can be proved again, and nothing else."""
    prover = CardProver(
        table,
        proofs.sealed.deal,
        cards=pack.cards,
        pack=None,
        openings=proofs.openings,
        turned=proofs.turned,
        played=proofs.played,
        accident=proofs.accident,
        is_late=proofs.sealed.late,
    )
    return LiveDeal(pack, prover)
