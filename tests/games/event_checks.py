"""Checks of events against the view they are told on top of."""

from enum import StrEnum

from put_protocol.games import families, put
from put_protocol.games.unions import Event, GameView
from put_protocol.seats import Viewer
from put_rules.game import Awaits, Turn


class Follower:
    """One who knows no rules and only folds the events they are sent; a view may say nothing else."""

    def __init__(self, viewer: Viewer, opening: GameView) -> None:
        self.viewer = viewer
        self.view = opening
        self.is_dealt_afresh = False
        """The deal before does not count, so that the next is of the same hand."""

    def apply_event(self, events: tuple[Event, ...]) -> None:
        """Take in the events of a step.

        :raises AssertionError: one does not go with what is known, or names another mover than the view did.
        """
        mover = families.mover_of(self.view, events)
        assert mover in (None, self.view.to_move)
        for event in events:
            if isinstance(self.view, put.PutView):
                self._check(self.view, event)
            self.view = families.apply_event(self.view, event, self.viewer)

    def _check(self, view: put.PutView, event: Event) -> None:
        match event:
            case put.Dealt(hand=hand):
                assert hand == view.hand + (not self.is_dealt_afresh), "hands are counted without gaps"
                self.is_dealt_afresh = False
            case put.FreshDeal():
                self.is_dealt_afresh = True
            case put.GameEnded():
                self.is_dealt_afresh = False
            case put.Accident():
                assert not view.cards, "nobody looks at their hand before the accident is settled"
            case put.TakenUp(counts=counts):
                assert counts == view.counts, "nobody's cards come from nowhere"
            case put.Gave(seat=seat, to=to, card=card):
                assert (card is None) == (self.viewer not in (seat, to)), "the two of them know the card, and only they"
            case put.Played(leads=leads):
                assert leads == (not view.trick.seats), "the first card of a trick leads, no other does"
            case _:
                pass

    def check(self, view: GameView, awaits: Awaits, moment: StrEnum | None) -> None:
        """The view is what the events make of the one before, and the turn that a message tells beside them.

        :raises AssertionError: it is not.
        """
        assert isinstance(awaits, Turn) == (moment is not None)
        if isinstance(awaits, Turn) and moment is not None:
            self.view = families.with_turn(self.view, awaits.seat, moment)
        assert self.view == view
