"""A deal whose cards are in play: which of them each viewer has been shown, the proofs of those, and what remains.

Laws: a card is opened to a viewer only if an event of its own deal has shown it to them. After a drop the same proofs
may be sent again, also when the deal is over; no others are. When the deal is over, what nobody was shown is forgotten:
`remains` has the cards and the proofs that somebody was shown, and lays the others in their canonical order, which says
nothing. Everything that happened follows from it as from the pack that was dealt, for no event depends on a card that
nobody saw.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from put_protocol.cards import FULL_PACK, Card, in_order
from put_protocol.deal_steps import Gone, HandOver
from put_protocol.games.unions import Event
from put_protocol.seal import packs
from put_protocol.seal.accidents import luck
from put_protocol.seal.cuts import basis, draw
from put_protocol.seal_events import AccidentOpening, Opening, Openings, PackOpening
from put_protocol.seats import GALLERY, Seat, Viewer
from put_protocol.shown import ShowsNoCard
from put_server.games.facts import Fact
from put_server.games.game import Awaits, Game, Shuffle
from put_server.games.record import (
    Chance,
    GameRecord,
    Pack,
    Played,
    Proofs,
    Seal,
    Step,
    fold,
    last_pack,
    packed_steps,
    replace_live,
)
from put_server.games.table_options import TableOptions


class CardProver:
    """The proofs of one deal, viewer by viewer."""

    __slots__ = (
        "_deal",
        "_is_late",
        "_late",
        "_openings",
        "_pack",
        "_shown",
        "_table",
        "accident",
        "played",
        "turned",
    )

    def __init__(
        self,
        table: int,
        deal: int,
        *,
        pack: packs.Pack | None,
        openings: Iterable[Opening],
        turned: PackOpening,
        played: PackOpening | None,
        accident: AccidentOpening | None,
        is_late: bool,
    ) -> None:
        """`pack`: the one that is played; None: only these openings of it are known. `turned`: the other one, whole.
        `played`: the pack whole, where the table opens its packs after the game. `is_late`: what others play is proved
        when the hand is over."""
        self._table = table
        self._deal = deal
        self._pack = pack
        self._openings = {opening.card: opening for opening in openings}
        """Those made so far."""
        self.turned = turned
        self.played = played
        self.accident = accident
        self._is_late = is_late
        self._shown: dict[Viewer, dict[Card, None]] = {}
        self._late: dict[Viewer, list[Card]] = {}

    @property
    def deal(self) -> int:
        """Its number."""
        return self._deal

    def openings_due(self, viewer: Viewer, events: Iterable[Event]) -> Openings | None:
        """What goes to a viewer ahead of these events of theirs; None: nothing. With the first comes the other pack."""
        is_first = viewer not in self._shown
        shown = self._shown.setdefault(viewer, {})
        late = self._late.setdefault(viewer, [])
        due: list[Card] = []
        for event in events:
            steps = event.deal_steps()
            for card, seat, _ in event.shows(viewer):
                if card not in shown:
                    shown[card] = None
                    waits = self._is_late and seat != viewer and Gone(card) in steps
                    (late if waits else due).append(card)
            if HandOver() in steps:
                due += late
                late.clear()
        return self._opened(due, is_first=is_first) if due or is_first else None

    def openings_again(self, viewer: Viewer) -> Openings | None:
        """All that was due to a viewer so far, for who may have lost some of it; None: nothing was."""
        shown = self._shown.get(viewer)
        if shown is None:
            return None
        return self._opened([card for card in shown if card not in self._late[viewer]], is_first=True)

    def forget(self, viewer: Viewer) -> None:
        """Somebody else is this viewer from now on, and gets no proof of what the one before was shown."""
        self._shown.pop(viewer, None)
        self._late.pop(viewer, None)

    def _opened(self, cards: Iterable[Card], *, is_first: bool) -> Openings:
        openings = tuple([self._opening(card) for card in cards])
        if not is_first:
            return Openings(self._table, self._deal, openings)
        return Openings(self._table, self._deal, openings, self.turned, accident=self.accident)

    def _opening(self, card: Card) -> Opening:
        opening = self._openings.get(card)
        if opening is None:
            assert self._pack is not None
            opening = self._openings[card] = self._pack.opening(self._pack.cards.index(card))
        return opening

    def finish(self, seen: Iterable[Card]) -> tuple[Opening, ...]:
        """The deal is over: of its pack nothing is known from now on but the cards that somebody was shown."""
        openings = tuple([self._opening(card) for card in seen])
        self._pack = None
        return openings

    def whole(self) -> Openings | None:
        """The pack that was played, for everyone, when the game is over and its table opens its packs."""
        return None if self.played is None else Openings(self._table, self._deal, played=self.played)


class LiveDeal:
    """The deal in play."""

    __slots__ = ("_seen", "pack", "prover")

    def __init__(self, pack: Pack, prover: CardProver | None, *, arranged: Iterable[Card] = ()) -> None:
        """`arranged`: cards of which everyone knows by the table's options that they lie on top."""
        self.pack = pack
        """As it is dealt, from the top."""
        self.prover = prover
        """None: it was not sealed."""
        self._seen = set(arranged)

    def note_shown(self, seen: Mapping[Viewer, tuple[Event, ...]]) -> None:
        """Each viewer is sent these events. A fact that is open to all is one event, and shows everyone the same."""
        public = seen[GALLERY]
        for event in public:
            if not isinstance(event, ShowsNoCard):
                self._see(event, GALLERY)
        for viewer, events in seen.items():
            for event in events:
                if not isinstance(event, ShowsNoCard) and event not in public:
                    self._see(event, viewer)

    def _see(self, event: Event, viewer: Viewer) -> None:
        for card, _, _ in event.shows(viewer):
            self._seen.add(card)

    def remains(self) -> Pack:
        """What the journal keeps of the pack when the deal is over."""
        cards = without_unseen(self.pack.cards, self._seen)
        seal, prover = self.pack.seal, self.prover
        if seal is None or prover is None:
            return Pack(cards, luck=self.pack.luck, proofs=self.pack.proofs)
        shown = prover.finish([card for card in cards if card in self._seen])
        proofs = Proofs(seal.sealed, seal.cut, prover.turned, shown, prover.accident, prover.played)
        return Pack(cards, luck=self.pack.luck, proofs=proofs)


class DealFollower:
    """The deals of a game that is folded again, as they were when it was played."""

    def __init__(self, record: GameRecord, viewers: Sequence[Viewer]) -> None:
        self._table = record.table
        self._options = TableOptions.of(record.options)
        self._viewers = viewers
        self.live: LiveDeal | None = None
        """The last deal."""
        self.provers: list[CardProver] = []
        """Of every sealed deal."""

    def follow(self, played: Played) -> None:
        """A step of the fold, the next each time."""
        if isinstance(played.input, Pack):
            if self.live is not None:
                self.live.remains()  # after which nothing else is known of it
            self.live = deal_of(self._table, played.input, self._options)
            if self.live.prover is not None:
                self.provers.append(self.live.prover)
        if self.live is None:
            return
        seen = {viewer: seen_by(played.facts, viewer) for viewer in self._viewers}
        self.live.note_shown(seen)
        if self.live.prover is not None:
            for viewer, events in seen.items():  # whoever asks for proofs now may have asked then
                self.live.prover.openings_due(viewer, events)


def seen_by(facts: Iterable[Fact], viewer: Viewer) -> tuple[Event, ...]:
    """What a viewer sees of these facts."""
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
    """What the pack in play was made from."""
    return Chance(pack=pack) if pack.seal is None else Chance(secret=pack.seal.secret)


def blanked(pack: Pack) -> Pack:
    """The pack in play without what it was made from."""
    seal = pack.seal
    if seal is None:
        return Pack((), proofs=pack.proofs)
    return Pack((), seal=Seal(b"", seal.sealed, seal.cut))


def with_live(record: GameRecord, chance: Chance) -> GameRecord:
    """The record with the deal in play made again, from what it was made from or what remains of it."""
    if chance.pack is not None:
        return replace_live(record, chance.pack)
    blank = last_pack(record)
    assert blank.seal is not None
    seal = Seal(chance.secret, blank.seal.sealed, blank.seal.cut)
    return replace_live(
        record, unsealed(record.table, seal, opens_after=TableOptions.of(record.options).opens_packs).pack
    )


def follows_from_seal(table: int, pack: Pack) -> bool:
    """Whether a recorded pack is what its seal and its cuts make of it, as far as it remains; one without a seal is."""
    if pack.seal is not None:
        return unsealed(table, pack.seal, opens_after=False).pack == pack
    proofs = pack.proofs
    if proofs is None:
        return True
    sealed, size, has_accidents = proofs.sealed, len(pack.cards), bool(proofs.sealed.misdeals)
    drawn_from = (table, sealed.deal, sealed.roots, sealed.to, sealed.cards or FULL_PACK, proofs.cut.links)
    drawn = draw(*drawn_from)
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
    decided = None if proofs.accident is None else luck(proofs.accident.salt, basis(*drawn_from))
    return pack.luck == decided


def reduced(record: GameRecord, game: Game[Any, Any]) -> GameRecord:
    """A finished game without the cards that nobody was shown, and without the secrets of its deals.

    A pack whose unseen cards decide on an accident, as in games of earlier versions, stays as it is.

    :raises BadRecord: a step does not follow.
    """
    follower = DealFollower(record, [*map(Seat, range(len(record.players))), GALLERY])
    steps: list[Step] = []
    at: int | None = None

    def close() -> None:
        if at is not None and follower.live is not None:
            steps[at] = Step(steps[at].at, follower.live.remains())

    awaits: Awaits | None = None
    for played in fold(record, game):
        if isinstance(played.input, Pack):
            close()
            has_chance = isinstance(awaits, Shuffle) and awaits.misdeals > 0 and played.input.luck is None
            at = None if has_chance else len(steps)
        awaits = game.awaits(played.state)
        if played.input is not None:
            follower.follow(played)
            steps.append(Step(played.at, played.input))
    close()
    return replace(record, steps=packed_steps(steps))


def without_unseen(pack: tuple[Card, ...], seen: Iterable[Card]) -> tuple[Card, ...]:
    """The pack with the cards that were seen in their places, and the others in canonical order in the places left."""
    hidden = set(pack).difference(seen)
    others = iter(in_order(hidden))
    return tuple([next(others) if card in hidden else card for card in pack])


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
    number = None
    if accident is not None:
        number = luck(accident.salt, basis(table, sealed.deal, sealed.roots, sealed.to, cards, seal.cut.links))
    prover = CardProver(
        table,
        sealed.deal,
        pack=played,
        openings=(),
        turned=other.whole(),
        played=played.whole() if opens_after else None,
        accident=accident,
        is_late=sealed.late,
    )
    return LiveDeal(Pack(tuple([played.cards[place] for place in drawn.order]), seal=seal, luck=number), prover)


def remembered(table: int, pack: Pack, proofs: Proofs) -> LiveDeal:
    """A sealed deal that is over, as far as it remains: what was shown of it can be proved again, and nothing else."""
    prover = CardProver(
        table,
        proofs.sealed.deal,
        pack=None,
        openings=proofs.openings,
        turned=proofs.turned,
        played=proofs.played,
        accident=proofs.accident,
        is_late=proofs.sealed.late,
    )
    return LiveDeal(pack, prover)
