"""Visibility: what each viewer sees of the state, and of the facts that not everyone sees alike."""

from put_protocol.cards import Card
from put_protocol.games.put import AccidentView, Discarded, Gave, Moment, PutView, TakenUp
from put_protocol.games.tricks import TrickView
from put_protocol.games.unions import Event
from put_protocol.seal.accidents import ANOTHERS_CARD, OWN_CARD
from put_protocol.seats import GALLERY, Seat, Viewer
from put_server.games.facts import Fact, Hidden
from put_server.games.put.state import Hands, Phase, PutState, Terms


def view(terms: Terms, state: PutState, viewer: Viewer, moment: Moment | None) -> PutView:
    """Everything this viewer may know. The one place where a seat's own cards leave their holder."""
    hands = state.hands.unseal()
    # Until an accident is settled nobody looks at their hand.
    is_own_seen = bool(hands) and viewer != GALLERY and state.phase is not Phase.ACCIDENT
    thrown = state.thrown.unseal()
    gifts = state.gifts.unseal()
    return PutView(
        target=terms.rules.target,
        scores=state.scores,
        hand=state.hand,
        dealer=state.dealer if hands else None,
        eldest=state.eldest if hands else None,
        cards=hands[viewer] if is_own_seen and viewer != GALLERY else (),
        counts=tuple(map(len, hands)),
        playing=state.playing,
        tricks=state.tricks,
        trick=TrickView(state.trick_seats, state.trick_cards),
        past=state.past,
        accident=_accident(state),
        thrown=thrown[viewer] if thrown and viewer != GALLERY else (),
        gave=gifts[viewer] if gifts and viewer != GALLERY else None,
        givers=state.givers,
        to_move=state.to_move,
        moment=moment,
        putter=state.putter,
        seen_by=state.seers,
        value=state.value,
        plain=terms.rules.play.plain,
        accepted=terms.rules.play.accepted,
        rubber=state.rubber,
        ranking=terms.rules.ranks,
        sides=terms.sides,
    )


def _accident(state: PutState) -> AccidentView | None:
    mishap = state.mishap
    if mishap is None:
        return None
    is_seen = mishap.law in (ANOTHERS_CARD, OWN_CARD)
    return AccidentView(mishap.law, mishap.seat, mishap.card.unseal() if is_seen else None)


class HandsTakenUp(Fact):
    """An accident is settled: each takes up their own hand."""

    __slots__ = ("_hands",)

    def __init__(self, hands: Hands) -> None:
        self._hands = hands

    def seen_by(self, viewer: Viewer) -> Event:
        hands = self._hands.unseal()
        return TakenUp(tuple(map(len, hands)), () if viewer == GALLERY else hands[viewer])


class CardGiven(Fact):
    """A card passed between partners: the two of them know it."""

    __slots__ = ("_card", "seat", "to")

    def __init__(self, seat: Seat, to: Seat, card: Hidden[Card]) -> None:
        self.seat = seat
        self.to = to
        self._card = card

    def seen_by(self, viewer: Viewer) -> Event:
        return Gave(self.seat, self.to, self._card.unseal() if viewer in (self.seat, self.to) else None)


class CardDiscarded(Fact):
    """A card thrown away: who threw it knows it."""

    __slots__ = ("_card", "seat")

    def __init__(self, seat: Seat, card: Hidden[Card]) -> None:
        self.seat = seat
        self._card = card

    def seen_by(self, viewer: Viewer) -> Event:
        return Discarded(self.seat, self._card.unseal() if viewer == self.seat else None)
