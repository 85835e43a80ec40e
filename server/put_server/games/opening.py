"""Whom a card of a sealed pack is proved to, and when: to whoever sees it, as he sees it, or when the hand is over."""

from put_protocol.cards import Card
from put_protocol.events import Event, FreshDeal, GameEnded, HandEnded, Played
from put_protocol.seal import packs
from put_protocol.seal.order import draw
from put_protocol.seal.shown import cards_shown
from put_protocol.seal.told import FULL_PACK, Opening, Openings
from put_protocol.seats import Viewer
from put_server.games.record import Pack, Seal

_HAND_OVER = (HandEnded, FreshDeal, GameEnded)


class Opener:
    """One deal's openings, viewer by viewer."""

    __slots__ = ("_deal", "_is_late", "_late", "_other", "_pack", "_table", "_told")

    def __init__(self, table: int, deal: int, pack: packs.Pack, other: packs.Pack, *, is_late: bool) -> None:
        """`pack` is the one that is played. `is_late`: what others play is proved when the hand is over."""
        self._table = table
        self._deal = deal
        self._pack = pack
        self._other = other
        self._is_late = is_late
        self._told: dict[Viewer, set[Card]] = {}
        self._late: dict[Viewer, list[Card]] = {}

    def openings(self, viewer: Viewer, events: tuple[Event, ...]) -> Openings | None:
        """What goes to a viewer ahead of these events of his; None: nothing. With the first comes the other pack."""
        turned = None
        if viewer not in self._told:
            self._told[viewer], self._late[viewer] = set(), []
            turned = self._other.whole()
        told, late = self._told[viewer], self._late[viewer]
        due: list[Card] = []
        for event in events:
            for shown in cards_shown(event, viewer):
                if shown.card not in told and shown.card in self._pack.cards:
                    told.add(shown.card)
                    waits = self._is_late and isinstance(event, Played) and event.seat != viewer
                    (late if waits else due).append(shown.card)
            if isinstance(event, _HAND_OVER):
                due += late
                late.clear()
        if not due and turned is None:
            return None
        openings: tuple[Opening, ...] = tuple([self._pack.opening(self._pack.cards.index(card)) for card in due])
        return Openings(self._table, self._deal, openings, turned)

    def whole(self) -> Openings:
        """The pack that was played, for everyone, when the game is over and its table opens its packs."""
        return Openings(self._table, self._deal, played=self._pack.whole())


def unsealed(table: int, seal: Seal, made: packs.Sealing | None = None) -> tuple[Pack, Opener]:
    """The pack as it is dealt, from the top, and the proofs of its cards. `made`: its two packs, if at hand."""
    sealed = seal.sealed
    cards = sealed.cards or FULL_PACK
    made = made or packs.seal(seal.secret, table, sealed.deal, cards)
    drawn = draw(table, sealed.deal, sealed.roots, sealed.to, cards, seal.cut.links)
    played, other = made.packs[drawn.pack], made.packs[1 - drawn.pack]
    opener = Opener(table, sealed.deal, played, other, is_late=sealed.late)
    return Pack(tuple([played.cards[place] for place in drawn.order]), seal), opener
