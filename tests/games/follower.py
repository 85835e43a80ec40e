"""One who knows no rules and only reads the events he is sent: what he must know of the table at any time."""

from put_protocol.cards import Card
from put_protocol.events import (
    Accident,
    Dealt,
    DidPut,
    Discarded,
    Doubled,
    Event,
    ExtraDrawn,
    FreshDeal,
    GameEnded,
    GameWon,
    Gave,
    HandEnded,
    Played,
    Saw,
    TakenUp,
    ThrewIn,
    TrickEnded,
)
from put_protocol.seats import Seat, Viewer
from put_protocol.views import AccidentView, PutView, TrickView
from tests.conformance.random_games import Setup


class Follower:
    """The picture that follows from one viewer's events; a view may say nothing else.

    Of the rules he knows who wins and loses together, and how many games a rubber is: the table is opened with that.
    """

    def __init__(self, viewer: Viewer, setup: Setup) -> None:
        self.viewer = viewer
        self.setup = setup
        self.is_hand_on = False
        self.hand = 0
        self.dealer: Seat | None = None
        self.eldest: Seat | None = None
        self.scores = (0,) * setup.seats
        self.rubber = (0,) * setup.seats if "rubber" in setup.options else ()
        self.accident: AccidentView | None = None
        self.cards: list[Card] = []
        self.counts: list[int] = []
        self.playing: list[bool] = []
        self.thrown: tuple[Card, ...] = ()
        self.gave: Card | None = None
        self.givers: list[Seat] = []
        self.tricks: tuple[int, ...] = ()
        self.trick: list[tuple[Seat, Card]] = []
        self.past: list[TrickView] = []
        self.putter: Seat | None = None
        self.seers: list[Seat] = []
        self.value = 1

    def follow(self, events: tuple[Event, ...]) -> None:
        """Take in the events of a step."""
        for event in events:
            self._take(event, events)

    def _take(self, event: Event, events: tuple[Event, ...]) -> None:
        match event:
            case Dealt():
                self._deal(event)
            case Accident(law=law, seat=seat, card=card):
                assert not self.cards, "nobody looks at his hand before the accident is settled"
                self.accident = AccidentView(law, seat, card if law != 3 else None)
            case ExtraDrawn(seat=seat):
                self.counts[seat] -= 1
            case TakenUp(counts=counts, cards=cards):
                assert counts == tuple(self.counts), "nobody's cards come from nowhere"
                self.cards = list(cards)
            case FreshDeal(scores=scores):
                self._lay_away(scores)
                is_won = any(isinstance(other, GameEnded) for other in events)
                self.hand -= not is_won
            case Gave(seat=seat, to=to, card=card):
                self._give(seat, to, card)
            case Discarded(seat=seat, card=card):
                self.counts[seat] -= 1
                if seat == self.viewer:
                    assert card is not None
                    self.cards.remove(card)
                    self.thrown = (card,)
            case Played(seat=seat, card=card, leads=leads):
                assert leads == (not self.trick), "the first card of a trick leads, no other does"
                self.trick.append((seat, card))
                self.counts[seat] -= 1
                if seat == self.viewer:
                    self.cards.remove(card)
            case DidPut(seat=seat) | Doubled(seat=seat):
                self.putter, self.seers = seat, []
            case Saw(seat=seat, value=value):
                self.seers.append(seat)
                self.value = value or self.value
            case ThrewIn(seat=seat):
                if self.is_hand_on:
                    self._throw_in(seat)
            case TrickEnded(winner=winner, tricks=tricks):
                self.past.append(self._table(winner))
                self.trick = []
                self.tricks = tricks
            case HandEnded(scores=scores):
                self._lay_away(scores)
            case GameEnded(how=how, scores=scores, rubber=rubber):
                self._lay_away(scores)
                self.rubber = rubber
                if rubber and how is not GameWon.FORFEIT and max(rubber) < self.setup.games:
                    self.scores = (0,) * self.setup.seats
                    self.hand = 0
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
        self.givers = []
        self.value = 1

    def _give(self, giver: Seat, to: Seat, card: Card | None) -> None:
        assert (card is None) == (self.viewer not in (giver, to)), "the two of them know the card, nobody else does"
        self.givers.append(giver)
        self.playing[giver] = False
        self.counts[giver] = 0
        self.counts[to] += 1
        if card is not None and self.viewer == giver:
            self.gave = card
            self.thrown = tuple(held for held in self.cards if held != card)
            self.cards = []
        elif card is not None:
            self.cards.append(card)
        if len(self.givers) == 2:  # eldest's side has the lead, whoever of them plays
            self.eldest = next(ally for ally in self.setup.allies(self._known(self.eldest)) if ally not in self.givers)

    def _throw_in(self, seat: Seat) -> None:
        for ally in self.setup.allies(seat):
            self.playing[ally] = False
            self.counts[ally] = 0
            if ally == self.viewer:
                self.cards = []

    def _lay_away(self, scores: tuple[int, ...]) -> None:
        self.scores = scores
        self.is_hand_on = False
        self.eldest, self.accident = None, None
        self.cards, self.counts, self.trick, self.thrown, self.gave = [], [], [], (), None

    @staticmethod
    def _known(seat: Seat | None) -> Seat:
        assert seat is not None
        return seat

    def _table(self, winner: Seat | None = None) -> TrickView:
        return TrickView(tuple(seat for seat, _ in self.trick), tuple(card for _, card in self.trick), winner)

    def check(self, view: PutView) -> None:
        """The view and the events tell one story.

        :raises AssertionError: they do not.
        """
        assert view.hand == self.hand
        assert view.scores == self.scores
        assert view.rubber == self.rubber
        assert view.accident == self.accident
        assert view.cards == tuple(self.cards)
        assert view.counts == tuple(self.counts)
        assert view.playing == tuple(self.playing)
        assert view.thrown == self.thrown
        assert view.gave == self.gave
        assert view.givers == tuple(self.givers)
        assert view.tricks == self.tricks
        assert view.trick == self._table()
        assert view.past == tuple(self.past)
        assert view.putter == self.putter
        assert view.seen_by == tuple(self.seers)
        assert view.value == self.value
        assert view.eldest == self.eldest
        if self.is_hand_on:
            assert view.dealer == self.dealer
