"""Visibility: what each viewer sees of the state, and of the facts that not everyone sees alike."""

from msgspec.structs import replace

from put_protocol.cards import Card
from put_protocol.games.put import AccidentView, Discarded, Gave, Moment, PutView, TakenUp
from put_protocol.games.tricks import TrickView
from put_protocol.games.unions import Event
from put_protocol.seal.accidents import ANOTHERS_CARD, OWN_CARD
from put_protocol.seats import GALLERY, Seat, Viewer
from put_rules.facts import Fact, Hidden
from put_rules.put.state import ACCIDENT, Hands, PutState
from put_rules.put.terms import Terms


def public_view(terms: Terms, state: PutState, moment: Moment | None) -> PutView:
    """Everything that everyone may know."""
    hands = state.hands.unseal()
    return PutView(
        target=terms.rules.target,
        scores=state.scores,
        hand=state.hand,
        dealer=state.dealer if hands else None,
        eldest=state.eldest if hands else None,
        counts=tuple(map(len, hands)),
        playing=state.playing,
        tricks=state.tricks,
        trick=TrickView(state.trick_seats, state.trick_cards),
        past=state.past,
        accident=_accident(state),
        givers=state.givers,
        to_move=state.to_move,
        moment=moment,
        putter=state.putter,
        seen_by=state.seers,
        value=state.value,
        plain=terms.rules.play.plain,
        accepted=terms.rules.play.accepted,
        rubber=state.rubber,
        ranking=terms.ranks,
        sides=terms.sides,
    )


def own_view(state: PutState, seat: Seat, public: PutView) -> PutView:
    """The same with this seat's cards. The one place where they leave their holder."""
    hands = state.hands.unseal()
    if not hands:
        return public
    # Until an accident is settled nobody looks at their hand.
    cards = () if state.phase is ACCIDENT else hands[seat]
    return replace(public, cards=cards, thrown=state.thrown.unseal()[seat], gave=state.gifts.unseal()[seat])


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
