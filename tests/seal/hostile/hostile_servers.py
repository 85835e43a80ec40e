"""Hostile servers: the real server with one part replaced, one way to cheat each.

Each is a function that patches the server's classes for a test. What becomes of it is in `test_hostile`.
"""

import random
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from put_protocol.cards import FULL_PACK, Card, pack_of
from put_protocol.games.unions import Event
from put_protocol.messages import Events, TableSnapshot
from put_protocol.seal import packs
from put_protocol.seal.accidents import OWN_CARD
from put_protocol.seal.cuts import LINKS, Chain, draw
from put_protocol.seal.hashing import HashTree, labels
from put_protocol.seal.packs import Sealing, tree_of
from put_protocol.seal_events import HASH_BYTES, CutsShown, DealVoided, Openings, PackOpening, Sealed
from put_protocol.seats import Seat, Viewer
from put_protocol.table_info import TableState
from put_rules import live_deal
from put_rules.facts import Fact, Hidden, Open
from put_rules.game import RuleSet
from put_rules.live_deal import CardProver, LiveDeal
from put_rules.put import dealing
from put_rules.put.machine import PutGame
from put_rules.put.state import Mishap, Phase, PutState
from put_rules.record import Pack
from put_server.table import sealed_deal
from put_server.table.chair import Chair, Sitter
from put_server.table.event_log import EventLog
from put_server.table.game_runner import GameRunner
from put_server.table.publisher import Publisher
from put_server.table.sealed_deal import SealedDeal
from put_server.table.table import Table
from put_server.table.table_effects import Effect, Tell
from put_server.table.table_model import TableModel

Patch = pytest.MonkeyPatch

THREES = pack_of(("3",))
THIRD = 3
"""The deal from which on a server cheats: the draw is the first, so nobody is caught before a hand is played."""

NAN = Seat(1)
"""Where the SDK's player sits."""

SHILL = "Jack"
"""Who plays the server's game, at a table where somebody does."""


# --- cards -----------------------------------------------------------------------------------------------------------


def _deal_otherwise(patch: Patch, change: Callable[[LiveDeal, SealedDeal], None]) -> None:
    honest = SealedDeal.dealt

    def dealt(self: SealedDeal, table: int, *, opens_after: bool) -> LiveDeal:
        live = honest(self, table, opens_after=opens_after)
        if self.sealed.deal >= THIRD:
            change(live, self)
        return live

    patch.setattr(SealedDeal, "dealt", dealt)


def stacks_the_pack(patch: Patch) -> None:
    """When it knows the order, it lays threes where Nan's cards are, and says that they were sealed so."""

    def stack(live: LiveDeal, seal: SealedDeal) -> None:
        assert live.prover is not None
        assert live.prover.pack is not None
        mine = [slot for slot, seat in enumerate(seal.sealed.to) if seat == NAN]
        cards, lying = list(live.pack.cards), list(live.prover.pack.cards)
        for slot, three in zip(mine, THREES, strict=False):
            for swapped in (cards, lying):
                here = cards[slot] if swapped is cards else lying[lying.index(live.pack.cards[slot])]
                a, b = swapped.index(here), swapped.index(three)
                swapped[a], swapped[b] = swapped[b], swapped[a]
        live.pack = replace(live.pack, cards=tuple(cards))
        pack = live.prover.pack
        live.prover.pack = packs.SealedPack(
            number=pack.number, cards=tuple(lying), salts=pack.salts, seed=pack.seed, tree=pack.tree
        )

    _deal_otherwise(patch, stack)


def swaps_a_card(patch: Patch) -> None:
    """Nan's first card is changed for one that nobody was to get, under its own proof."""

    def swap(live: LiveDeal, seal: SealedDeal) -> None:
        cards, slot = live.pack.cards, seal.sealed.to.index(NAN)
        live.pack = replace(live.pack, cards=(*cards[:slot], cards[-1], *cards[slot + 1 : -1], cards[slot]))

    _deal_otherwise(patch, swap)


def _alter_openings(patch: Patch, alter: Callable[[Openings], Openings | None], *, first: int = THIRD) -> None:
    honest = CardProver.openings_due

    def see(self: CardProver, viewer: Viewer, events: Iterable[Event]) -> Openings | None:
        told = honest(self, viewer, events)
        return alter(told) if told is not None and told.deal >= first else told

    patch.setattr(CardProver, "openings_due", see)


def opens_with_other_salts(patch: Patch) -> None:
    """Envelopes had other noise in them than is said now."""

    def alter(told: Openings) -> Openings:
        return replace(told, openings=tuple([replace(one, salt=bytes(HASH_BYTES)) for one in told.openings]))

    _alter_openings(patch, alter)


def turns_up_another_pack(patch: Patch) -> None:
    """The pack turned up is a good one, and not the one that was sealed."""

    def alter(told: Openings) -> Openings:
        turned = told.turned
        return told if turned is None else replace(told, turned=PackOpening(turned.pack, bytes(HASH_BYTES)))

    _alter_openings(patch, alter)


def turns_up_nothing(patch: Patch) -> None:
    """The pack that is not played stays face down."""
    _alter_openings(patch, lambda told: replace(told, turned=None))


def withholds_openings(patch: Patch) -> None:
    """Cards come without proofs."""
    _alter_openings(patch, lambda told: replace(told, openings=()))


def discloses_cards(patch: Patch) -> None:
    """It opens a card that nobody was shown, to everybody who asks for proofs."""
    honest = CardProver.openings_due

    def see(self: CardProver, viewer: Viewer, events: Iterable[Event]) -> Openings | None:
        told = honest(self, viewer, events)
        if told is None or self.pack is None:
            return told
        shown = {card for cards in self._shown.values() for card in cards}
        hidden = next(card for card in self.pack.cards if card not in shown)
        extra = self.pack.opening(self.pack.cards.index(hidden))
        return replace(told, openings=(*told.openings, extra))

    patch.setattr(CardProver, "openings_due", see)


# --- packs -----------------------------------------------------------------------------------------------------------


def _forged(pack: packs.SealedPack, table: int, deal: int, cards: tuple[Card, ...]) -> packs.SealedPack:
    """A pack of any cards whatever, under the salts of a good one."""
    tree: HashTree = tree_of(table, deal, pack.number, labels(cards), pack.salts)
    return packs.SealedPack(number=pack.number, cards=cards, salts=pack.salts, seed=pack.seed, tree=tree)


def _doubled(sealed: Callable[..., Sealing]) -> Callable[..., Sealing]:
    def seal(secret: bytes, table: int, deal: int, cards: tuple[Card, ...], *, has_accidents: bool = False) -> Sealing:
        first, second = sealed(secret, table, deal, cards, has_accidents=has_accidents).packs
        doubled = tuple([Card("3h") if card == "4h" else card for card in second.cards])
        return Sealing(packs=(first, _forged(second, table, deal, doubled)))

    return seal


def doubles_a_three(patch: Patch) -> None:
    """Of the two packs of every deal the second has a three too many, in the place of a four."""
    patch.setattr(sealed_deal, "seal", _doubled(packs.seal))

    def deal(self: PutGame, state: PutState, pack: tuple[Card, ...], luck: int | None = None) -> Any:
        if state.phase is Phase.DRAW:
            return dealing.draw(self.terms, state, pack)
        return dealing.deal(self.terms, state, pack, luck)

    patch.setattr(PutGame, "deal", deal)  # whose own counts the cards of a pack
    patch.setattr(live_deal, "without_unseen", lambda pack, _: pack)  # so does this


def plays_with_fewer_cards(patch: Patch) -> None:
    """The table says that it plays with 52 cards; it is sealed, and dealt, from 28."""
    honest = TableModel.__init__

    def init(self: TableModel, *, rule_set: RuleSet, options: Mapping[str, Any], seats: int, **named: Any) -> None:
        honest(self, rule_set=rule_set, options=options, seats=seats, **named)
        self.game = rule_set.make(seats, {**options, "pack": 28})

    patch.setattr(TableModel, "__init__", init)


def proves_late_where_nobody_gives(patch: Patch) -> None:
    """It seals two-handed deals as if partners gave each other cards, so that proofs may wait."""
    honest = SealedDeal.begun.__func__  # type: ignore[attr-defined]  # of a class method

    def begun(cls: type[SealedDeal], /, *arguments: Any, is_late: bool, **named: Any) -> SealedDeal:
        deal: SealedDeal = honest(cls, *arguments, is_late=True, **named)
        return deal

    patch.setattr(SealedDeal, "begun", classmethod(begun))


# --- cuts ------------------------------------------------------------------------------------------------------------


def leaves_a_cut_out(patch: Patch) -> None:
    """The first seat's cut is taken and not used."""
    honest = SealedDeal.shown.fget  # type: ignore[attr-defined]  # of a property

    def shown(self: SealedDeal) -> tuple[bytes | None, ...]:
        links: tuple[bytes | None, ...] = honest(self)
        return links if self.waits or self.sealed.deal < THIRD else (None, *links[1:])

    patch.setattr(SealedDeal, "shown", property(shown))


def tells_two_stories(patch: Patch) -> None:
    """The second seat is shown other seals than everyone else."""
    honest, recorded = Open.seen_by, EventLog.record

    def seen_by(self: Open, viewer: Viewer) -> Event:
        event = honest(self, viewer)
        if isinstance(event, Sealed) and viewer == 1:
            return replace(event, roots=(event.roots[1], event.roots[0]))
        return event

    def record(self: EventLog, facts: tuple[Fact, ...]) -> dict[Viewer, tuple[Event, ...]]:
        return {viewer: live_deal.seen_by(facts, viewer) for viewer in recorded(self, facts)}

    patch.setattr(Open, "seen_by", seen_by)
    patch.setattr(EventLog, "record", record)  # which takes what is open to be the same for all


def shows_cuts_twice(patch: Patch) -> None:
    """When the cuts are shown it shows others in their place, which it likes better."""
    honest = Publisher.publish

    def publish(self: Publisher, facts: tuple[Fact, ...], now: int, **named: Any) -> list[Effect]:
        first = facts[0] if facts else None
        if isinstance(first, Open) and isinstance(first.event, CutsShown) and first.event.deal >= THIRD:
            facts = (first, *facts)
        return honest(self, facts, now, **named)

    patch.setattr(Publisher, "publish", publish)


def _dislikes(deal: int) -> bool:
    """Whatever the hands are: what matters is that it could choose."""
    return deal >= THIRD and random.Random(deal).random() < 0.6


def _void_when_all_have_cut(patch: Patch, blame: Callable[[Table], tuple[Seat, ...]]) -> None:
    honest = Table.cut

    def cut(self: Table, person: Any, deal: int, link: bytes, now: int) -> list[Effect]:
        seal = self.model.deals.cutting
        if seal is None or len(seal.waits) > 1 or not _dislikes(deal) or deal != seal.sealed.deal:
            return honest(self, person, deal, link, now)
        seat = self.seating.seat_of(person)
        assert seat is not None
        self.seating.chairs[seat].end = link
        seal.spoilt = blame(self)
        voided = seal.voided()
        self.model.deals.cutting = None
        self.model.deals.chances.pop()
        assert self.model.play is not None
        self.model.play.void(seal.sealed, voided, now)
        return self.publisher.publish((Open(voided),), now) + self.runner.want_deal(now)

    patch.setattr(Table, "cut", cut)


def voids_for_nobody(patch: Patch) -> None:
    """Having all cuts it computes the deal, and calls it off where it does not like it, naming nobody."""
    _void_when_all_have_cut(patch, lambda _: ())


def voids_for_who_has_cut(patch: Patch) -> None:
    """The same, naming the first seat, which has cut."""
    _void_when_all_have_cut(patch, lambda _: (Seat(0),))


def _seat_of_shill(table: Table) -> tuple[Seat, ...]:
    chairs = enumerate(table.seating.chairs)
    return tuple([Seat(seat) for seat, chair in chairs if chair.sitter is not None and chair.sitter.name == SHILL])


def _void_for_shill(patch: Patch, dislikes: Callable[[Table, SealedDeal, bytes], bool]) -> None:
    """The server cuts for the shill, last of all: when the deal is known, it cuts or says that the shill did not."""
    chain = Chain(bytes(HASH_BYTES), LINKS)
    left = LINKS
    sit, cut = Table.sit, Table.cut

    def seated(self: Table, sitter: Sitter, seat: Any, now: int, end: bytes | None = None) -> Any:
        return sit(self, sitter, seat, now, chain.link(left) if sitter.name == SHILL else end)

    def made(self: Table, person: Any, deal: int, link: bytes, now: int) -> list[Effect]:
        nonlocal left
        told = cut(self, person, deal, link, now)
        seal, (shill,) = self.model.deals.cutting, _seat_of_shill(self)
        if seal is None or tuple(seal.waits) != (shill,):
            return told
        left -= 1
        own = chain.link(left)
        if not dislikes(self, seal, own):
            sitter = self.seating.chairs[shill].sitter
            assert sitter is not None
            return told + cut(self, sitter.id, deal, own, now)
        self.seating.chairs[shill].end = own
        seal.spoilt = (shill,)
        voided = seal.voided()
        self.model.deals.cutting = None
        self.model.deals.chances.pop()
        assert self.model.play is not None
        self.model.play.void(seal.sealed, voided, now)
        return told + self.publisher.publish((Open(voided),), now) + self.runner.want_deal(now)

    patch.setattr(Table, "sit", seated)
    patch.setattr(Table, "cut", made)


def grinds_through_a_shill(patch: Patch) -> None:
    """Every deal it does not like it calls off for a player of its own, who is said not to have cut."""
    _void_for_shill(patch, lambda _, seal, __: _dislikes(seal.sealed.deal))


def tries_each_deal_twice(patch: Patch) -> None:
    """Every second seal is called off for a player of its own: as often as anybody may miss the cut."""
    _void_for_shill(patch, lambda _, seal, __: seal.sealed.deal % 2 == 1)


def hides_doubles_behind_a_shill(patch: Patch) -> None:
    """It seals a doubled three in every second pack, and has deals called off in which that pack is to be turned up."""
    doubles_a_three(patch)

    def is_to_be_turned(table: Table, seal: SealedDeal, link: bytes) -> bool:
        (shill,) = _seat_of_shill(table)
        links = tuple([link if seat == shill else one for seat, one in enumerate(seal.shown)])
        sealed = seal.sealed
        drawn = draw(table.id, sealed.deal, sealed.roots, sealed.to, sealed.cards or FULL_PACK, links)
        return drawn.pack == 0

    _void_for_shill(patch, is_to_be_turned)


# --- accidents -------------------------------------------------------------------------------------------------------


def has_accidents_nobody_agreed_to(patch: Patch) -> None:
    """At a table without accidents it shows one of the dealer's cards all the same."""

    honest = dealing.deal

    def deal(terms: Any, state: PutState, pack: tuple[Card, ...], luck: int | None) -> Any:
        state, facts = honest(terms, state, pack, luck)
        if state.hand < 2 or state.is_fresh:
            return state, facts
        dealer = state.dealer
        mishap = Mishap(OWN_CARD, dealer, Hidden(state.hands.unseal()[dealer][0]))
        return dealing._have_accident(terms, replace(state, mishap=mishap), mishap)

    patch.setattr(dealing, "deal", deal)


def chooses_its_accidents(patch: Patch) -> None:
    """At a table that plays with accidents every hand has one, whatever its leaf decides."""
    honest = SealedDeal.dealt

    def dealt(self: SealedDeal, table: int, *, opens_after: bool) -> LiveDeal:
        live = honest(self, table, opens_after=opens_after)
        if self.sealed.misdeals:
            live.pack = Pack(live.pack.cards, seal=live.pack.seal, luck=0)
        return live

    patch.setattr(SealedDeal, "dealt", dealt)


# --- what is told after a drop, or without one -----------------------------------------------------------------------


def never_ends_catching_up(patch: Patch) -> None:
    """What is told after a drop never says how the table is now, and from the drop on nothing is proved."""
    honest = Publisher.catch_up
    has_dropped: set[int] = set()

    def missed(self: Publisher, *arguments: Any, **named: Any) -> list[Effect]:
        has_dropped.add(self._model.id)
        told = honest(self, *arguments, **named)
        return [_without_info(effect) for effect in told]

    seen = CardProver.openings_due
    patch.setattr(Publisher, "catch_up", missed)

    def see(self: CardProver, viewer: Viewer, events: Iterable[Event]) -> Openings | None:
        told = seen(self, viewer, events)
        return None if self.table in has_dropped else told

    patch.setattr(CardProver, "openings_due", see)
    publish = Publisher.publish

    def without(self: Publisher, facts: tuple[Fact, ...], now: int, **named: Any) -> list[Effect]:
        told = publish(self, facts, now, **named)
        return [_without_info(effect) for effect in told] if self._model.id in has_dropped else told

    patch.setattr(Publisher, "publish", without)


def _without_info(effect: Effect) -> Effect:
    if isinstance(effect, Tell) and isinstance(effect.message, Events):
        return Tell(effect.people, replace(effect.message, info=None))
    return effect


def shows_the_table_anew_in_mid_deal(patch: Patch) -> None:
    """With no drop at all it sends snapshots in place of events, so that the deal in play goes unchecked."""
    honest = GameRunner.advance

    def advance(self: GameRunner, *arguments: Any, **named: Any) -> list[Effect]:
        effects = honest(self, *arguments, **named)
        if self._model.deals.seals >= THIRD and self._model.deals.hand.deals:
            for person in self._model.seating.people:
                viewer = self._model.seating.viewer_of(person)
                assert viewer is not None
                effects.append(self._publisher.snapshot(person, viewer, 0))
        return effects

    patch.setattr(GameRunner, "advance", advance)


def tells_nothing_after_a_drop(patch: Patch) -> None:
    """After each drop it shows the table anew, though it knows very well what was missed."""

    def missed(self: Publisher, person: Any, viewer: Viewer, first: int, now: int, *, is_last: bool) -> list[Effect]:
        return [self.snapshot(person, viewer, now, is_last=is_last)]

    patch.setattr(Publisher, "catch_up", missed)


def says_a_game_is_in_play(patch: Patch) -> None:
    """To whoever sits down it says that a game is in play already; it seals nothing, and takes no promise."""
    honest = Publisher.snapshot

    def snapshot(self: Publisher, person: Any, viewer: Viewer, now: int, **named: Any) -> Tell:
        told = honest(self, person, viewer, now, **named)
        assert isinstance(told.message, TableSnapshot)
        info = replace(told.message.info, state=TableState.PLAYING)
        return Tell(told.people, replace(told.message, info=info))

    patch.setattr(Publisher, "snapshot", snapshot)
    _seals_nothing(patch)


def _seals_nothing(patch: Patch) -> None:
    patch.setattr(Chair, "commitment", property(lambda _: None))


def seals_nothing(patch: Patch) -> None:
    """It deals as if nobody took part in the cutting."""
    _seals_nothing(patch)


def voids_what_was_dealt(patch: Patch) -> None:
    """When the cuts are shown, and it does not like them, it calls the deal off."""
    honest = Publisher.publish

    def publish(self: Publisher, facts: tuple[Fact, ...], now: int, **named: Any) -> list[Effect]:
        first = facts[0] if facts else None
        if isinstance(first, Open) and isinstance(first.event, CutsShown) and first.event.deal >= THIRD:
            seeds = (bytes(HASH_BYTES), bytes(HASH_BYTES))
            facts = (first, Open(DealVoided(first.event.deal, (Seat(0),), (), seeds)), *facts[1:])
        return honest(self, facts, now, **named)

    patch.setattr(Publisher, "publish", publish)
