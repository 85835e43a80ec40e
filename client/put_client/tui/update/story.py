"""A game hand by hand: who put, who saw, who threw in, and what it came to. Folded from events, and put in words.

No rule is known here: all that is told stands in the events.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from put_protocol.games.put import (
    Accident,
    Cause,
    Dealt,
    DidPut,
    Doubled,
    FreshDeal,
    GameEnded,
    GameWon,
    Gave,
    HandEnded,
    HandWon,
    Played,
    PutView,
    Saw,
    ThrewIn,
    TrickEnded,
    TrickView,
)
from put_protocol.games.unions import (
    Event,
)
from put_protocol.seats import Seat
from put_protocol.table_events import (
    GameStarted,
)

NameOf = Callable[[Seat], str]
"""How a seat is spoken of; `you` for the reader's own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """One deal and what became of it."""

    number: int
    tricks: tuple[TrickView, ...] = ()
    """The last of them perhaps not complete."""
    is_open: bool = False
    """The last trick is not complete."""
    says: tuple[Event, ...] = ()
    """What was said and done besides playing cards, in order."""
    end: HandEnded | None = None
    game: GameEnded | None = None
    """The game that ended with it."""

    @property
    def is_over(self) -> bool:
        return self.end is not None or self.game is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
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
    """The story after an event; None before the first game."""
    if isinstance(event, GameStarted):
        return Story(number=event.game, seats=len(event.names))
    if story is None:
        return None
    if isinstance(event, Dealt):
        return replace(story, hands=(*story.hands, Hand(number=event.hand)))
    if not story.hands:
        return story
    return replace(story, hands=(*story.hands[:-1], _hand_after(story.hands[-1], event)))


def _hand_after(hand: Hand, event: Event) -> Hand:
    match event:
        case Played(seat=seat, card=card):
            trick = hand.tricks[-1] if hand.is_open else TrickView()
            done = hand.tricks[:-1] if hand.is_open else hand.tricks
            trick = TrickView((*trick.seats, seat), (*trick.cards, card))
            return replace(hand, tricks=(*done, trick), is_open=True)
        case TrickEnded(winner=winner) if hand.is_open:
            trick = hand.tricks[-1]
            trick = TrickView(trick.seats, trick.cards, winner)
            return replace(hand, tricks=(*hand.tricks[:-1], trick), is_open=False)
        case DidPut() | Doubled() | Saw() | ThrewIn() | Gave() | Accident() | FreshDeal():
            return replace(hand, says=(*hand.says, event))
        case HandEnded():
            return replace(hand, end=event)
        case GameEnded():
            return replace(hand, game=event)
        case _:
            return hand


def hand_of(view: PutView) -> Hand:
    """The hand in play, for who comes to it in the midst of it."""
    tricks = view.past + ((view.trick,) if view.trick.seats else ())
    says: tuple[Event, ...] = ()
    if view.putter is not None and not view.is_doubling:
        says = (DidPut(view.putter), *(Saw(seat) for seat in view.seen_by))
    return Hand(number=view.hand, tricks=tricks, is_open=bool(view.trick.seats), says=says)


# --- in words --------------------------------------------------------------------------------------------------------


def words_of(hand: Hand, name: NameOf) -> str:
    """What was said in the hand and how it ended, in one short line."""
    parts = [part for part in (_said(event, name) for event in hand.says) if part]
    if hand.game is not None and (hand.end is None or hand.game.how is not GameWon.POINTS):
        parts.append(_game_won(hand.game, name))
    elif hand.end is not None:
        parts.append(_hand_won(hand.end, name))
    text = ", ".join(parts)
    return f"{text[:1].upper()}{text[1:]}" if text else "In play"


def _does(name: NameOf, seat: Seat, you_do: str, he_does: str) -> str:
    who = name(seat)
    return f"{who} {you_do if who == 'you' else he_does}"


def _said(event: Event, name: NameOf) -> str:
    match event:
        case DidPut(seat=seat):
            return _does(name, seat, "put", "put")
        case Doubled(seat=seat, value=value):
            return f"{name(seat)} doubled to {value}"
        case Saw(seat=seat, value=value):
            return f"{name(seat)} {'took it' if value else 'saw it'}"
        case ThrewIn(seat=seat, cause=cause):
            why = {Cause.CHOICE: "threw in", Cause.TIME: "ran out of time", Cause.LEFT: "gave up the game"}[cause]
            return f"{name(seat)} {why}"
        case Gave(seat=seat, to=to):
            return f"{name(seat)} gave {name(to)} a card"
        case Accident(law=law):
            return f"an accident in the dealing (law {law})"
        case FreshDeal(seat=caller, points=points):
            gain = f" and scored {points}" if points else ""
            return "dealt again" if caller is None else f"{name(caller)} called a fresh deal{gain}"
        case _:
            return ""


def _hand_won(end: HandEnded, name: NameOf) -> str:
    if end.winner is None:
        return "drawn, and all scores set back" if end.anew else "drawn"
    if end.how is HandWon.THROWN_IN:
        return f"{end.points} to {name(end.winner)}"
    return _does(name, end.winner, "won", "won") + (f" {end.points}" if end.points else "")


def _game_won(game: GameEnded, name: NameOf) -> str:
    winners = " and ".join(name(seat) for seat in game.winners) or "nobody"
    return f"{winners} won the game"


def scores_of(hand: Hand) -> tuple[int, ...]:
    """After the hand; empty while it is played."""
    if hand.end is not None:
        return hand.end.scores
    if hand.game is not None:
        return hand.game.scores
    called = next((event for event in hand.says if isinstance(event, FreshDeal)), None)
    return () if called is None else called.scores
