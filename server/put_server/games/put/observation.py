"""A viewer's sight of a game: the public picture, and their own cards."""

from put_protocol.games.put import (
    AccidentView,
    Moment,
    PutView,
    TrickView,
)
from put_protocol.seal.accidents import ANOTHERS_CARD, OWN_CARD
from put_protocol.seats import GALLERY, Viewer
from put_server.games.put.state import Phase, PutState
from put_server.games.put.terms import Terms


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
        counts=tuple([len(cards) for cards in hands]),
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
