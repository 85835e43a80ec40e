"""A game hand by hand: who put, who saw, who threw in, and what it came to; folded from events.

No rule is known here: the events say everything.
"""

from msgspec import Struct
from msgspec.structs import replace

from put_protocol.games import put
from put_protocol.games.tricks import TrickView
from put_protocol.games.unions import Event


class Hand(Struct, frozen=True, kw_only=True):
    """One deal and what became of it."""

    number: int
    tricks: tuple[TrickView, ...] = ()
    """The last of them perhaps not complete."""
    is_open: bool = False
    """The last trick is not complete."""
    says: tuple[Event, ...] = ()
    """What was said and done besides playing cards, in order."""
    end: put.HandEnded | None = None
    game: put.GameEnded | None = None
    """The game that ended with it."""

    @property
    def is_over(self) -> bool:
        return self.end is not None or self.game is not None


class Story(Struct, frozen=True, kw_only=True):
    """A game, or a rubber of several."""

    number: int
    """Which game at the table."""
    seats: int
    hands: tuple[Hand, ...] = ()
    is_whole: bool = True
    """It was seen from its start."""

    @property
    def is_over(self) -> bool:
        game = self.hands[-1].game if self.hands else None
        return game is not None and not game.goes_on


def after(story: Story | None, event: Event) -> Story | None:
    """The story after an event of the game; None: nobody knows the game."""
    if story is None:
        return None
    if isinstance(event, put.Dealt):
        return replace(story, hands=(*story.hands, Hand(number=event.hand)))
    if not story.hands:
        return story
    return replace(story, hands=(*story.hands[:-1], _hand_after(story.hands[-1], event)))


def _hand_after(hand: Hand, event: Event) -> Hand:
    match event:
        case put.Played(seat=seat, card=card):
            trick = hand.tricks[-1] if hand.is_open else TrickView()
            done = hand.tricks[:-1] if hand.is_open else hand.tricks
            trick = TrickView((*trick.seats, seat), (*trick.cards, card))
            return replace(hand, tricks=(*done, trick), is_open=True)
        case put.TrickEnded(winner=winner) if hand.is_open:
            trick = hand.tricks[-1]
            trick = TrickView(trick.seats, trick.cards, winner)
            return replace(hand, tricks=(*hand.tricks[:-1], trick), is_open=False)
        case put.DidPut() | put.Doubled() | put.Saw() | put.ThrewIn() | put.Gave() | put.Accident() | put.FreshDeal():
            return replace(hand, says=(*hand.says, event))
        case put.HandEnded():
            return replace(hand, end=event)
        case put.GameEnded():
            return replace(hand, game=event)
        case _:
            return hand


def hand_of(view: put.PutView) -> Hand:
    """The hand in play, for who comes to it in the midst of it."""
    tricks = view.past + ((view.trick,) if view.trick.seats else ())
    says: tuple[Event, ...] = ()
    if view.putter is not None and not view.is_doubling:
        says = (put.DidPut(view.putter), *(put.Saw(seat) for seat in view.seen_by))
    return Hand(number=view.hand, tricks=tricks, is_open=bool(view.trick.seats), says=says)
