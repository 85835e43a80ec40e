"""One who knows no rules and only reads the events he is sent: what he must know of the table at any time."""

from put_protocol.cards import Card
from put_protocol.events import Dealt, DidPut, Event, GameEnded, HandEnded, Played, Saw, ThrewIn, TrickEnded
from put_protocol.seats import Seat, Viewer
from put_protocol.views import PutView, TrickView


class Follower:
    """The picture that follows from one viewer's events; a view may say nothing else."""

    def __init__(self, viewer: Viewer, seats: int) -> None:
        self.viewer = viewer
        self.is_hand_on = False
        self.hand = 0
        self.dealer: Seat | None = None
        self.eldest: Seat | None = None
        self.scores = (0,) * seats
        self.cards: list[Card] = []
        self.counts: list[int] = []
        self.playing: list[bool] = []
        self.tricks: tuple[int, ...] = ()
        self.trick: list[tuple[Seat, Card]] = []
        self.past: list[TrickView] = []
        self.putter: Seat | None = None
        self.seers: list[Seat] = []

    def follow(self, events: tuple[Event, ...]) -> None:
        """Take in the events of a step."""
        for event in events:
            self._take(event)

    def _take(self, event: Event) -> None:
        match event:
            case Dealt():
                self._deal(event)
            case Played(seat=seat, card=card, leads=leads):
                assert leads == (not self.trick), "the first card of a trick leads, no other does"
                self.trick.append((seat, card))
                self.counts[seat] -= 1
                if seat == self.viewer:
                    self.cards.remove(card)
            case DidPut(seat=seat):
                assert self.putter is None, "nobody puts twice"
                self.putter = seat
            case Saw(seat=seat):
                self.seers.append(seat)
            case ThrewIn(seat=seat):
                if self.is_hand_on:
                    self.playing[seat] = False
                    self.counts[seat] = 0
                    self.cards = [] if seat == self.viewer else self.cards
            case TrickEnded(winner=winner, tricks=tricks):
                self.past.append(self._table(winner))
                self.trick = []
                self.tricks = tricks
            case HandEnded(scores=scores) | GameEnded(scores=scores):
                self.scores = scores
                self.is_hand_on = False
                self.eldest = None
                self.cards, self.counts, self.trick = [], [], []
            case _:
                pass

    def _deal(self, event: Dealt) -> None:
        assert event.hand == self.hand + 1, "hands are counted without gaps"
        self.is_hand_on = True
        self.hand = event.hand
        self.dealer, self.eldest = event.dealer, event.eldest
        self.cards = list(event.cards)
        self.counts = list(event.counts)
        self.playing = [count > 0 for count in event.counts]
        self.tricks = (0,) * len(event.counts)
        self.trick, self.past = [], []
        self.putter, self.seers = None, []

    def _table(self, winner: Seat | None = None) -> TrickView:
        return TrickView(tuple(seat for seat, _ in self.trick), tuple(card for _, card in self.trick), winner)

    def check(self, view: PutView) -> None:
        """The view and the events tell one story.

        :raises AssertionError: they do not.
        """
        assert view.hand == self.hand
        assert view.scores == self.scores
        assert view.cards == tuple(self.cards)
        assert view.counts == tuple(self.counts)
        assert view.playing == tuple(self.playing)
        assert view.tricks == self.tricks
        assert view.trick == self._table()
        assert view.past == tuple(self.past)
        assert view.putter == self.putter
        assert view.seen_by == tuple(self.seers)
        assert view.eldest == self.eldest
        if self.is_hand_on:
            assert view.dealer == self.dealer
