"""Visibility: what each viewer sees of the state, and of the facts that not everyone sees alike."""

from msgspec.structs import replace

from put_protocol.cards import Card
from put_protocol.games.primero import Dealt, Drew, Moment, MoreDealt, PrimeroView, Traded
from put_protocol.games.unions import Event
from put_protocol.seats import GALLERY, Seat, Viewer
from put_rules.betting import NO_BET
from put_rules.facts import Fact, Hidden
from put_rules.primero.state import Cards, Phase, PrimeroState, Terms

MOMENTS = {
    Phase.OPEN: Moment.OPEN,
    Phase.ANSWER: Moment.ANSWER,
    Phase.VADA: Moment.VADA,
    Phase.ANNOUNCE: Moment.ANNOUNCE,
    Phase.BET: Moment.BET,
    Phase.TRADE: Moment.TRADE,
}
"""What a seat to move is asked for."""


def moment_of(state: PrimeroState) -> Moment | None:
    """The decision the seat to move is asked for; None: no seat is."""
    return None if state.to_move is None else MOMENTS[state.phase]


def public_view(terms: Terms, state: PrimeroState) -> PrimeroView:
    """Everything that everyone may know."""
    betting = state.betting
    top = betting.top if betting.levels else NO_BET
    return PrimeroView(
        hands=terms.rules.hands,
        limit=terms.rules.limit,
        gains=state.paid,
        hand=state.hand,
        dealer=state.dealt_by,
        eldest=state.eldest,
        counts=tuple(map(len, state.hands.unseal())),
        playing=state.playing,
        pot=state.pot,
        level=top.amount,
        bettor=top.maker,
        put_in=betting.put_in,
        refused=top.refused,
        barred=betting.barred,
        raises=betting.raises,
        announced=state.announced,
        traded=state.traded,
        stock=len(state.stock.unseal()),
        running=state.running,
        vada=state.vada,
        shown=state.shown,
        to_move=state.to_move,
        moment=moment_of(state),
    )


def own_view(state: PrimeroState, seat: Seat, public: PrimeroView) -> PrimeroView:
    """The same with this seat's cards. The one place where they leave their holder."""
    hands = state.hands.unseal()
    return replace(public, cards=hands[seat], thrown=state.thrown.unseal()[seat]) if hands else public


class FirstCardsDealt(Fact):
    """The first two cards of each: each seat sees its own, the gallery none."""

    __slots__ = ("_event", "_hands")

    def __init__(self, event: Dealt, hands: Hidden[tuple[Cards, ...]]) -> None:
        """`event`: as the gallery sees it."""
        self._event = event
        self._hands = hands

    def seen_by(self, viewer: Viewer) -> Event:
        event = self._event
        if viewer == GALLERY:
            return event
        cards = self._hands.unseal()[viewer]
        return Dealt(event.hand, event.dealer, event.eldest, event.counts, event.stock, event.antes, cards)


class MoreCardsDealt(Fact):
    """Two more cards for each who is in: each of them sees their own."""

    __slots__ = ("_cards", "stock", "to")

    def __init__(self, to: tuple[Seat, ...], stock: int, cards: Hidden[Cards]) -> None:
        """`cards`: in the order dealt."""
        self.to = to
        self.stock = stock
        self._cards = cards

    def seen_by(self, viewer: Viewer) -> Event:
        own: list[Card] = []
        if viewer != GALLERY:
            own = [card for seat, card in zip(self.to, self._cards.unseal(), strict=True) if seat == viewer]
        return MoreDealt(self.to, self.stock, tuple(own))


class CardsLaidDown(Fact):
    """Cards were traded away: who laid them down knows them."""

    __slots__ = ("_cards", "seat")

    def __init__(self, seat: Seat, cards: Hidden[Cards]) -> None:
        self.seat = seat
        self._cards = cards

    def seen_by(self, viewer: Viewer) -> Event:
        cards = self._cards.unseal()
        return Traded(self.seat, len(cards), cards if viewer == self.seat else ())


class CardsDrawn(Fact):
    """Cards were drawn from the stock: who drew them knows them."""

    __slots__ = ("_cards", "seat", "stock")

    def __init__(self, seat: Seat, stock: int, cards: Hidden[Cards]) -> None:
        self.seat = seat
        self.stock = stock
        self._cards = cards

    def seen_by(self, viewer: Viewer) -> Event:
        cards = self._cards.unseal()
        return Drew(self.seat, len(cards), self.stock, cards if viewer == self.seat else ())
