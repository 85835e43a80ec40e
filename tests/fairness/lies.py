"""Lies: ways in which a server may tell of a game what did not happen in it, as data, each with what the player reads.

Each is told of a game that was played honestly, at the first message that it fits. Cards and their proofs are the
matter of `tests/protocol/blind`; these are about all that those do not prove.
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from msgspec.structs import replace

from put_protocol.cards import FULL_PACK
from put_protocol.games import primero, put, triomphe
from put_protocol.games.put import Cause, GameWon, HandWon
from put_protocol.games.unions import Choice
from put_protocol.messages import Events, Question, ServerMessage, Turn
from put_protocol.seats import Seat
from put_protocol.table_events import GameOver, GameStarted, LeftGame, Sat, Stood, TimedOut
from put_protocol.table_info import TableState
from tests.fairness.streams import Game

MOLL, OTHER = Seat(0), Seat(1)

GAMES = {
    "put": Game("put-1674", boldness=0.15),
    "put with a clock": Game("put-1674", boldness=0.15, turn=60),
    "put for three": Game("put-1674", 3, {"target": 3}, watches=True),
    "stages": Game("put-1800", boldness=0.4),
    "partners": Game("put-partners", 4),
    "outright": Game("put-parlett", boldness=0.4),
    "tavern": Game("put-tavern", 3, boldness=0.7),
    "accidents": Game("put-1674", 3, {"misdeals": 50}, boldness=0.1),
    "truc": Game("truc", 2, {"rubber": 1}, boldness=0.2),
    "rubber": Game("truc", boldness=0.8),
    "triomphe": Game("triomphe-forcee", 4, {"hands": 4}),
    "primero": Game("primero", 4, {"hands": 3}),
}
"""The games of which they are told."""

BEGINNINGS = (GameStarted, put.DealerFound, put.Drawn, triomphe.TurnedUp, primero.TurnedUp)
"""Events of which none comes again in a game. The message in which it begins brings a view; other lies are told in a
message without one, for a view that does not follow from the events would be found by itself."""

Change = Callable[[Any], Any]
"""An event, or what else a message has, as it is told instead; a tuple of them, where others come with it; or None."""


class Lie(NamedTuple):
    """One lie."""

    name: str
    game: str
    of: type
    """The kind of event that is told otherwise; or of message."""
    tells: Change
    """None, or what happened, where it does not fit."""
    says: str
    """Words that the player reads, as a regular expression."""

    def __str__(self) -> str:
        return self.name


class Liar:
    """Tells the truth until it can tell the lie, and the truth after it."""

    def __init__(self, lie: Lie) -> None:
        self._lie = lie
        self.lied = False
        self._more = 0
        """Events that were told, and did not happen: those after them have other numbers."""

    def __call__(self, message: ServerMessage) -> Iterable[ServerMessage]:
        if self.lied:
            return (replace(message, first=message.first + self._more) if isinstance(message, Events) else message,)
        if isinstance(message, self._lie.of):
            told = self._lie.tells(message)
            self.lied = told not in (None, message)
            return (told if self.lied else message,)
        if not isinstance(message, Events) or (message.view is not None and self._lie.of not in BEGINNINGS):
            return (message,)
        if self._lie.of is Question:
            told = None if message.decision is None else self._lie.tells(message.decision)
            self.lied = told not in (None, message.decision)
            return (replace(message, decision=told) if self.lied else message,)
        for at, event in enumerate(message.events):
            if isinstance(event, self._lie.of) and (told := self._lie.tells(event)) not in (None, event):
                self.lied = True
                several = told if isinstance(told, tuple) else (told,)
                self._more = len(several) - 1
                return (replace(message, events=(*message.events[:at], *several, *message.events[at + 1 :])),)
        return (message,)


def next_of(seat: Seat | None, seats: int = 2) -> Seat:
    """Another seat."""
    return Seat(((seat or 0) + 1) % seats)


def with_field(name: str, change: Change) -> Change:
    """A change of one field."""

    def tells(told: Any) -> Any:
        after = change(getattr(told, name))
        return None if after is None else replace(told, **{name: after})

    return tells


def one_more(numbers: Any) -> Any:
    """A number, or the first of some, that is one more."""
    return numbers + 1 if isinstance(numbers, int) else (numbers[0] + 1, *numbers[1:]) if numbers else None


def reversed_or_none(values: Any) -> Any:
    return values[::-1]


def after(*events: Any) -> Change:
    """The event, and these after it."""
    return lambda event: (event, *events)


def before(*events: Any) -> Change:
    return lambda event: (*events, event)


def by_other(event: Any) -> Any:
    """Something that another did, as if Moll had."""
    return None if event.seat == MOLL else replace(event, seat=MOLL)


def by_moll(event: Any) -> Any:
    """Something that Moll did, as if another had."""
    return replace(event, seat=OTHER) if event.seat == MOLL else None


def choices(change: Callable[[tuple[Any, ...]], tuple[Any, ...]]) -> Change:
    return lambda decision: replace(decision, legal=change(decision.legal)) if len(decision.legal) > 1 else None


def info(**changes: Any) -> Change:
    """Something else of the table."""

    def tells(message: Any) -> Any:
        if message.info is None or not message.info.games:
            return None
        changed = {
            name: change(getattr(message.info, name)) if callable(change) else change
            for name, change in changes.items()
        }
        return replace(message, info=replace(message.info, **changed))

    return tells


def richer(seats: Any) -> Any:
    return (replace(seats[0], purse=seats[0].purse + 1), *seats[1:])


def time_of_other(**times: int) -> Change:
    """Another time of a player who is to move."""

    def tells(message: Any) -> Any:
        turn: Turn | None = message.turn
        return None if turn is None or turn.seat == MOLL else replace(message, turn=replace(turn, **times))

    return tells


def turn_of_next(message: Any) -> Any:
    turn: Turn | None = message.turn
    return None if turn is None or turn.seat == MOLL else replace(message, turn=replace(turn, seat=MOLL))


def asked_of_moll(message: Any) -> Any:
    """Moll is asked, and it is another's turn."""
    turn: Turn | None = message.turn
    return None if turn is None or turn.seat == MOLL else replace(message, decision=Question(99, (Choice(put.Put()),)))


def seats_with(**changes: Any) -> Change:
    """Another player, as the table is told, in the last seat."""
    return info(seats=lambda seats: (*seats[:-1], replace(seats[-1], **changes)))


def ends_unseen(message: Any) -> Any:
    """The table in the middle of a game, as if it were over."""
    is_in_play = message.info is not None and message.info.is_in_play
    return replace(message, info=replace(message.info, state=TableState.BETWEEN)) if is_in_play else None


def shown(**changes: Any) -> Change:
    """Another view."""

    def tells(message: Any) -> Any:
        return None if message.view is None else replace(message, view=replace(message.view, **changes))

    return tells


def without_last(message: Any) -> Any:
    """The end of a trick is not told."""
    is_end = len(message.events) > 1 and isinstance(message.events[-1], put.TrickEnded) and message.turn is not None
    return replace(message, events=message.events[:-1]) if is_end else None


def other_shown(event: Any) -> Any:
    hands = event.hands
    return replace(event, hands=(replace(hands[0], points=hands[0].points + 1), *hands[1:]))


def other_category(event: Any) -> Any:
    first = event.hands[0]
    other = next(one for one in primero.Category if one != first.category)
    return replace(event, hands=(replace(first, category=other), *event.hands[1:]))


def thrown_by_moll(event: Any) -> Any:
    """Moll is said to have thrown in, where she has just played."""
    return put.ThrewIn(MOLL) if event.seat == MOLL else None


NOT_NOW = "By the rules this cannot happen now"
RATHER = "It was told: .* By the rules it is"
OTHERWISE = "This is not told as the rules have it"
MISSING = "By the rules this follows at once, and was not told"
BY_SEAL = "opened to you, though|accident is not the one"
EITHER = f"{NOT_NOW}|{RATHER}|{OTHERWISE}"
NOT_YOU = f"You did not do this|{EITHER}|{MISSING}"
SEATED = "Eve was seated in the middle of a game"
SHOWN = "(The table|It|the table) was shown otherwise|shown otherwise"

FRESH = put.FreshDeal(None, 0, (0, 0))
DRAWN_HAND = put.HandEnded(HandWon.DRAWN, None, 0, (0, 0))
LOST_HAND = put.HandEnded(HandWon.TRICKS, OTHER, 1, (0, 1))
LOST_GAME = put.GameEnded(how=GameWon.POINTS, winners=(OTHER,), scores=(0, 5), paid=(-1, 1))

LIES = (
    # who deals, and who is eldest
    Lie("another deals first", "put", put.DealerFound, with_field("seat", next_of), RATHER),
    Lie("another deals", "put", put.Dealt, with_field("dealer", next_of), EITHER),
    Lie("another is eldest", "put", put.Dealt, with_field("eldest", next_of), EITHER),
    Lie("a hand is skipped", "put", put.Dealt, with_field("hand", one_more), EITHER),
    Lie("a draw is called tied", "put", put.Drawn, lambda event: replace(event, tied=event.seats), EITHER),
    Lie(
        "another turned up the trump",
        "triomphe",
        triomphe.TurnedUp,
        with_field("dealer", lambda seat: next_of(seat, 4)),
        EITHER,
    ),
    Lie(
        "another turned up the ace",
        "primero",
        primero.TurnedUp,
        with_field("dealer", lambda seat: next_of(seat, 4)),
        EITHER,
    ),
    Lie(
        "another deals at Triomphe",
        "triomphe",
        triomphe.Dealt,
        with_field("dealer", lambda seat: next_of(seat, 4)),
        EITHER,
    ),
    Lie("another speaks first", "primero", primero.Dealt, with_field("eldest", lambda seat: next_of(seat, 4)), EITHER),
    # ends that are made up
    Lie("a fresh deal without an accident", "put", put.Dealt, after(FRESH), NOT_NOW),
    Lie("a fresh deal after a card", "put", put.Played, after(FRESH), NOT_NOW),
    Lie("a drawn hand when the cards are seen", "put", put.Dealt, after(DRAWN_HAND), NOT_NOW),
    Lie("a lost hand when the cards are seen", "put", put.Dealt, after(LOST_HAND), NOT_NOW),
    Lie("a lost game when the cards are seen", "put", put.Dealt, after(LOST_GAME), NOT_NOW),
    Lie("a lost game between tricks", "put", put.TrickEnded, after(LOST_GAME), EITHER),
    Lie("a deal thrown in", "primero", primero.Dealt, after(primero.ThrownIn(1)), NOT_NOW),
    Lie(
        "a sitting that ends at once",
        "triomphe",
        triomphe.Dealt,
        after(GameOver((-3, 1, 1, 1))),
        f"{EITHER}|{BY_SEAL}",
    ),
    Lie(
        "a pot taken in the middle",
        "primero",
        primero.Bid,
        after(primero.HandEnded(primero.HandWon.ALONE, OTHER, 4)),
        EITHER,
    ),
    Lie(
        "a new game in the middle",
        "put",
        put.Dealt,
        after(GameStarted(2, ("Moll", "P1"))),
        "A new game begins, and the last",
    ),
    Lie(
        "two games at once",
        "put",
        put.TrickEnded,
        before(GameStarted(2, ("Moll", "P1"))),
        f"A new game begins, and the last|{EITHER}",
    ),
    Lie("a hand that goes on after its end", "put", put.HandEnded, lambda event: (event, event), EITHER),
    # tricks
    Lie("another takes the trick", "put", put.TrickEnded, with_field("winner", next_of), EITHER),
    Lie(
        "a trick is called tied",
        "put",
        put.TrickEnded,
        lambda event: None if event.winner is None else replace(event, winner=None),
        EITHER,
    ),
    Lie("another leads", "put", put.TrickEnded, with_field("leader", next_of), OTHERWISE),
    Lie("a trick too many", "put", put.TrickEnded, with_field("tricks", one_more), EITHER),
    Lie("a trick has another number", "put", put.TrickEnded, with_field("number", one_more), EITHER),
    Lie("the end of a trick is not told", "put", Events, without_last, MISSING),
    Lie(
        "another takes the trick at Triomphe",
        "triomphe",
        triomphe.TrickEnded,
        with_field("winner", lambda seat: next_of(seat, 4)),
        EITHER,
    ),
    Lie("a card is said to lead", "put", put.Played, with_field("leads", lambda leads: not leads), EITHER),
    # hands and games
    Lie(
        "another wins the hand",
        "put",
        put.HandEnded,
        with_field("winner", lambda seat: None if seat is None else next_of(seat)),
        EITHER,
    ),
    Lie("a point too many", "put", put.HandEnded, lambda event: replace(event, points=event.points + 1), EITHER),
    Lie("other scores", "put", put.HandEnded, with_field("scores", one_more), EITHER),
    Lie("a hand is won otherwise", "put", put.HandEnded, lambda event: replace(event, how=HandWon.THROWN_IN), EITHER),
    Lie("all begin anew", "put", put.HandEnded, lambda event: replace(event, anew=True), EITHER),
    Lie(
        "another wins the game", "put", put.GameEnded, with_field("winners", lambda seats: (next_of(seats[0]),)), EITHER
    ),
    Lie(
        "another stake",
        "put",
        put.GameEnded,
        with_field("paid", lambda paid: tuple(2 * amount for amount in paid)),
        EITHER,
    ),
    Lie(
        "a game is won by points", "outright", put.GameEnded, lambda event: replace(event, how=GameWon.FORFEIT), EITHER
    ),
    Lie("the rubber goes on", "rubber", put.GameEnded, with_field("goes_on", lambda goes_on: not goes_on), EITHER),
    Lie("a game of the rubber too many", "rubber", put.GameEnded, with_field("rubber", one_more), EITHER),
    Lie("a double is worth more", "truc", put.Doubled, with_field("value", one_more), EITHER),
    Lie(
        "a hand of Triomphe goes to another",
        "triomphe",
        triomphe.HandEnded,
        lambda event: None if event.winner is None else replace(event, winner=next_of(event.winner, 4)),
        EITHER,
    ),
    Lie(
        "the pool is smaller", "triomphe", triomphe.HandEnded, lambda event: replace(event, paid=event.paid + 1), EITHER
    ),
    Lie(
        "another takes the pot",
        "primero",
        primero.HandEnded,
        with_field("winner", lambda seat: next_of(seat, 4)),
        EITHER,
    ),
    Lie("the pot is smaller", "primero", primero.HandEnded, with_field("paid", one_more), EITHER),
    # stakes and purses
    Lie("another stake at Triomphe", "triomphe", triomphe.Dealt, with_field("stakes", one_more), EITHER),
    Lie("another is paid for a card", "triomphe", triomphe.Declared, with_field("paid", one_more), EITHER),
    Lie("a bet that is dearer", "primero", primero.Bid, with_field("paid", one_more), EITHER),
    Lie("a bet that is higher", "primero", primero.Saw, with_field("paid", one_more), EITHER),
    Lie("other antes", "primero", primero.Dealt, with_field("antes", one_more), EITHER),
    Lie("another reckoning", "triomphe", GameOver, with_field("gains", reversed_or_none), EITHER),
    Lie("another purse", "put", Events, info(seats=richer), "The purse of .* by the rules, and was told as"),
    # the showdown
    Lie("points of a hand", "primero", primero.Showdown, other_shown, EITHER),
    Lie("the category of a hand", "primero", primero.Showdown, other_category, EITHER),
    Lie("another order of the hands shown", "primero", primero.Showdown, with_field("hands", reversed_or_none), EITHER),
    Lie("a card that leaves no stock", "primero", primero.Drew, with_field("stock", one_more), EITHER),
    # acts
    Lie("you put", "put", put.DidPut, by_other, NOT_YOU),
    Lie("your put is another's", "tavern", put.DidPut, by_moll, EITHER),
    Lie("you threw in", "put", put.Played, thrown_by_moll, NOT_YOU),
    Lie("you threw in at stages", "stages", put.DidPut, thrown_by_moll, NOT_YOU),
    Lie("you threw in at once", "put", put.Dealt, after(put.ThrewIn(MOLL)), NOT_YOU),
    Lie(
        "you said nothing",
        "tavern",
        put.DidPut,
        lambda event: put.Passed(MOLL) if event.seat == MOLL else None,
        NOT_YOU,
    ),
    Lie("another speaks out of turn", "put", put.Dealt, after(put.DidPut(OTHER), put.DidPut(OTHER)), EITHER),
    Lie("a put nobody made is seen", "put", put.Dealt, after(put.Saw(OTHER)), NOT_NOW),
    Lie(
        "you bet another amount",
        "primero",
        primero.Bid,
        lambda event: replace(event, amount=event.amount % 6 + 1) if event.seat == MOLL else None,
        NOT_YOU,
    ),
    Lie(
        "you announced more",
        "primero",
        primero.Announced,
        lambda event: (
            replace(event, category=next(one for one in reversed(primero.Category) if one != event.category))
            if event.seat == MOLL
            else None
        ),
        NOT_YOU,
    ),
    Lie(
        "you refused",
        "primero",
        primero.Saw,
        lambda event: primero.Refused(MOLL) if event.seat == MOLL else None,
        NOT_YOU,
    ),
    Lie(
        "you let your partner give",
        "partners",
        put.Gave,
        lambda event: (put.LetGive(MOLL), event) if event.seat == MOLL else None,
        EITHER,
    ),
    # time, and leaving
    Lie(
        "your time is over at once",
        "put",
        put.Dealt,
        after(TimedOut(MOLL), put.ThrewIn(MOLL, Cause.TIME)),
        f"too soon|{EITHER}|{MISSING}",
    ),
    Lie(
        "another's time is over at once",
        "put",
        put.TrickEnded,
        after(TimedOut(OTHER), put.ThrewIn(OTHER, Cause.TIME)),
        f"too soon|{EITHER}|{MISSING}",
    ),
    Lie(
        "you gave up",
        "put",
        put.Played,
        after(put.ThrewIn(MOLL, Cause.LEFT)),
        f"You did not give up|{EITHER}|{MISSING}",
    ),
    Lie(
        "you gave up at Triomphe",
        "triomphe",
        triomphe.TrickEnded,
        after(LeftGame(MOLL)),
        f"You did not give up|{EITHER}|{MISSING}",
    ),
    # who sits there
    Lie("another sits down in the middle", "put", put.Played, after(Sat(OTHER, "Eve", holds_key=True)), SEATED),
    Lie(
        "another takes a place in the middle",
        "put",
        put.TrickEnded,
        after(Stood(OTHER, "P1"), Sat(OTHER, "Eve")),
        SEATED,
    ),
    Lie("the house takes a place in the middle", "put", put.Dealt, after(Sat(OTHER, "Eve", is_house=True)), SEATED),
    Lie("another sits in your place", "tavern", put.Dealt, after(Sat(MOLL, "Eve")), SEATED),
    # turns, choices, views, terms
    Lie("it is your turn", "put", Events, turn_of_next, "was told to be that of .*; by the rules it is that of"),
    Lie(
        "a choice is kept from you",
        "put",
        Question,
        choices(lambda legal: legal[:-1]),
        "You were not offered what the rules allow",
    ),
    Lie(
        "a choice the rules do not have",
        "put",
        Question,
        choices(lambda legal: (*legal, replace(legal[0], action=put.Double(), says="double"))),
        "You were offered what the rules do not allow: double",
    ),
    Lie(
        "a card you do not hold is offered",
        "put",
        Question,
        choices(
            lambda legal: (
                *legal,
                *[replace(legal[0], action=put.Play(card)) for card in FULL_PACK[:1]],
                *[replace(legal[0], action=put.Play(card)) for card in FULL_PACK[-1:]],
            )
        ),
        "You were offered what the rules do not allow",
    ),
    Lie("a hand is shown that was not dealt", "put", Events, shown(cards=FULL_PACK[:3], counts=(3, 3)), SHOWN),
    Lie("other scores are shown", "put", Events, shown(scores=(0, 4)), SHOWN),
    Lie("another target is shown", "put", Events, shown(target=3), SHOWN),
    Lie(
        "an option changes",
        "put",
        Events,
        info(options=lambda options: {**options, "target": 3}),
        "The option target was 5 when you came, and is told as 3",
    ),
    Lie(
        "the time for a decision changes",
        "put",
        Events,
        info(clock=lambda clock: replace(clock, turn=1)),
        "The time for a decision was 0 when you came",
    ),
    Lie(
        "the time for being away changes",
        "put",
        Events,
        info(clock=lambda clock: replace(clock, bank=1)),
        "The time for being away was 300",
    ),
    Lie("another game is played", "put", Events, info(game="put-tavern"), "The game was put-1674 when you came"),
    Lie(
        "you are asked when it is another's turn",
        "put",
        Events,
        asked_of_moll,
        "You were asked to move, and by the rules",
    ),
    Lie(
        "another has longer to decide",
        "put with a clock",
        Events,
        time_of_other(turn_ms=61_000),
        "P1 has 61 s to decide, and the time for a decision here is 60 s",
    ),
    Lie(
        "another may be away for longer",
        "put with a clock",
        Events,
        time_of_other(bank_ms=301_000),
        "P1 has 301 s to be away, and the time for being away here is 300 s",
    ),
    # what is counted, and who sits there
    Lie(
        "more games were begun",
        "put",
        Events,
        info(games=one_more),
        "The number of games begun here is 1, and was told",
    ),
    Lie(
        "a game was not told",
        "put",
        GameStarted,
        with_field("game", one_more),
        "This is game 1 here, and was told as game 2",
    ),
    Lie(
        "another plays",
        "put",
        GameStarted,
        with_field("names", lambda names: (*names[:-1], "Ned")),
        "they do not all sit here",
    ),
    Lie(
        "another sits there", "put", Events, seats_with(name="Ned"), r"In seat 2 sits P1 \(bot\), and it was told: Ned"
    ),
    Lie("the house sits there", "put", Events, seats_with(is_house=True), r"it was told: P1 \(house\)"),
    Lie("the seat is empty", "put", Events, seats_with(name=None, is_bot=False), "it was told: no player"),
    Lie("the game is over", "put", Events, ends_unseen, "told as one that is over; by the rules it is not"),
    # accidents
    Lie(
        "an accident by another law",
        "accidents",
        put.Accident,
        with_field("law", lambda law: law % 5 + 1),
        f"{EITHER}|{BY_SEAL}",
    ),
    Lie(
        "an accident that befalls another",
        "accidents",
        put.Accident,
        with_field("seat", lambda seat: next_of(seat, 3)),
        f"{EITHER}|{BY_SEAL}",
    ),
    Lie("a point for a fresh deal", "accidents", put.FreshDeal, with_field("points", one_more), EITHER),
)
