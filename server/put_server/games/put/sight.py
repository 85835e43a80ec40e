"""What a viewer sees of a game of Put: the public picture, and his own cards."""

from put_protocol.seats import GALLERY, Viewer
from put_protocol.views import Moment, PutView, TrickView
from put_server.games.put.rules import PutRules
from put_server.games.put.state import Phase, PutState

_DRAW = Phase.DRAW  # until Python 3.12 a member asked of its class costs six times what a name does


def view(rules: PutRules, state: PutState, viewer: Viewer, moment: Moment | None) -> PutView:
    """Everything this viewer may know. The one place where a seat's own cards leave their holder."""
    hands = state.hands.unseal()
    return PutView(
        target=rules.target,
        scores=state.scores,
        hand=state.hand,
        dealer=None if state.phase is _DRAW else state.dealer,
        eldest=state.eldest,
        cards=hands[viewer] if hands and viewer != GALLERY else (),
        counts=tuple([len(cards) for cards in hands]),
        playing=state.playing,
        tricks=state.tricks,
        trick=TrickView(state.trick_seats, state.trick_cards),
        past=state.past,
        to_move=state.to_move,
        moment=moment,
        putter=state.putter,
        seen_by=state.seers,
        ranking=rules.ranking,
    )
