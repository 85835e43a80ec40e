"""What no event may say: that which does not go with the view it is told on top of."""

from put_protocol.games import put
from put_protocol.games.unions import Event
from put_protocol.seats import Viewer


class Follower:
    """One who knows no rules and only folds the events they are sent; a view may say nothing else."""

    def __init__(self, viewer: Viewer, opening: put.PutView) -> None:
        self.viewer = viewer
        self.view = opening
        self.is_dealt_afresh = False
        """The deal before does not count, so that the next is of the same hand."""

    def apply_event(self, events: tuple[Event, ...]) -> None:
        """Take in the events of a step.

        :raises AssertionError: one does not go with what is known, or names another mover than the view did.
        """
        mover = put.mover_of(events)
        assert mover in (None, self.view.to_move)
        for event in events:
            self._check(event)
            self.view = put.apply_event(self.view, event, self.viewer)

    def _check(self, event: Event) -> None:
        match event:
            case put.Dealt(hand=hand):
                assert hand == self.view.hand + (not self.is_dealt_afresh), "hands are counted without gaps"
                self.is_dealt_afresh = False
            case put.FreshDeal():
                self.is_dealt_afresh = True
            case put.GameEnded():
                self.is_dealt_afresh = False
            case put.Accident():
                assert not self.view.cards, "nobody looks at their hand before the accident is settled"
            case put.TakenUp(counts=counts):
                assert counts == self.view.counts, "nobody's cards come from nowhere"
            case put.Gave(seat=seat, to=to, card=card):
                assert (card is None) == (self.viewer not in (seat, to)), "the two of them know the card, and only they"
            case put.Played(leads=leads):
                assert leads == (not self.view.trick.seats), "the first card of a trick leads, no other does"
            case _:
                pass

    def check(self, view: put.PutView) -> None:
        """The view and the events tell one story; whose move it is now only the view tells.

        :raises AssertionError: they do not.
        """
        followed = {name: getattr(self.view, name) for name in view.__struct_fields__}
        seen = {name: getattr(view, name) for name in view.__struct_fields__}
        assert followed | {"to_move": view.to_move, "moment": view.moment} == seen
        self.view = view
