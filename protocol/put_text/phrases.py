"""Parts of sentences: seats, cards, counts and durations in words. No knowledge of games."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum, StrEnum
from functools import cache
from typing import Any, get_args, get_type_hints

from msgspec import Struct

from put_protocol.cards import Card
from put_protocol.games.tricks import TrickView
from put_protocol.seats import Seat, Viewer
from put_protocol.text import printable
from put_text.catalogue import card_in_words, listed, say

Names = Sequence[str | None]
"""Players' names by seat. Without a name the seat's number is used."""

PERSONS = frozenset({"seat", "to", "dealer", "eldest", "winner", "leader"})
"""Arguments of `Speaker.say` that are seats."""


class Speaker:
    """Renders messages for one reader."""

    def __init__(self, names: Names, you: Viewer, owner: Seat | None = None, *, is_brief: bool = False) -> None:
        """`owner`: the player whose cards are shown; None: the reader. `is_brief`: the reader knows the game and wants
        few words, so clauses that follow from others are empty."""
        self.is_brief = is_brief
        self._names = names
        self._owner = owner
        self.you = you

    @property
    def seats(self) -> int:
        return len(self._names)

    def say(self, message: str, /, **arguments: Any) -> str:
        """A message, in brief if wanted. For a person `seat` the message has `$seat` (`you`, `other` or `nobody`) and
        `$seat-name`; likewise for the other `PERSONS`."""
        said: dict[str, Any] = {}
        for name, value in arguments.items():
            said |= self.person(name, value) if name in PERSONS else {name: value}
        return say(message, is_brief=self.is_brief, **said)

    def each(self, message: str, seats: Iterable[Seat], cards: Iterable[Card]) -> list[str]:
        """A message for each player with their card."""
        return [self.say(message, seat=seat, card=card) for seat, card in zip(seats, cards, strict=False)]

    def person(self, name: str, seat: Seat | None) -> dict[str, str]:
        """The arguments for a person, by the name that they have in the message."""
        if seat is None:
            return {name: "nobody", f"{name}-name": ""}
        return {name: "you" if seat == self.you else "other", f"{name}-name": self.name(seat)}

    def tell(self, struct: Struct, message: str, /, **more: Any) -> str:
        """A message about a struct, with an argument for each field, by its type. For seats `winners` there are their
        names, `$winners-count`, and `$winners-are`: `nobody`, `you`, `one` or `many`. Numbers by seat come with
        names."""
        said: dict[str, Any] = {}
        for name, kind in _kinds(type(struct)):
            value = getattr(struct, name)
            if kind is Seat:
                said |= self.person(name, value)
            elif kind == tuple[Seat, ...]:
                are = "many" if len(value) > 1 else "nobody" if not value else self.person("one", value[0])["one"]
                said |= {name: self.names(value), f"{name}-count": len(value), f"{name}-are": are}
            elif kind == tuple[int, ...]:
                said[name] = self.counted(value)
            elif kind == tuple[Card, ...]:
                said |= {name: value, f"{name}-count": len(value)}
            else:
                value = "none" if value is None else value.value if isinstance(value, Enum) else value
                said[name] = printable(value) if kind is str else value
        return say(message, is_brief=self.is_brief, **said, **more)

    def name(self, seat: Seat) -> str:
        """`you`, `Moll`, or `seat 3`: people count seats from one."""
        if seat == self.you:
            return say("words-you")
        name = self._names[seat] if 0 <= seat < len(self._names) else None
        return printable(name or "") or say("words-seat", number=seat + 1)

    def names(self, seats: Iterable[Seat]) -> str:
        """Seats in words: `you and Moll`."""
        return listed([self.name(seat) for seat in seats])

    def counted(self, numbers: Sequence[int]) -> str:
        """A number for each seat, the reader's first: `you 2, Moll 3`."""
        seats = sorted(range(len(numbers)), key=lambda seat: seat != self.you)
        return ", ".join(f"{self.name(Seat(seat))} {format_number(numbers[seat])}" for seat in seats)

    def gains(self, numbers: Sequence[int], *, so_far: bool = False) -> str:
        """The gain of each purse, the reader's first: `you win 3, Moll loses 3`, or with `so_far` `you have won 3,
        ...`."""
        seats = sorted(map(Seat, range(len(numbers))), key=lambda seat: seat != self.you)
        message = "words-gain-so-far" if so_far else "words-gain"
        how = {seat: "won" if numbers[seat] > 0 else "lost" if numbers[seat] else "even" for seat in seats}
        return ", ".join(self.say(message, seat=seat, how=how[seat], amount=abs(numbers[seat])) for seat in seats)

    def to_move(self, seat: Seat | None, task: str) -> str:
        """The player to move and their task: `you are to lead`."""
        return self.say("words-is-to", seat=seat, task=task)

    def holding(self, cards: Sequence[Card], message: str = "words-holds") -> str:
        """Cards that only one viewer sees: `you hold the 3 of spades`."""
        if self._owner is not None:
            return self.say(message, seat=self._owner, cards=tuple(cards))
        return say(message, is_brief=self.is_brief, seat="you", cards=tuple(cards))

    def card(self, card: Card) -> str:
        """`the 3 of spades`, or in brief `3 of spades`."""
        return card_in_words(card, is_brief=self.is_brief)

    def other(self, seat: Seat) -> Seat | None:
        """The opponent of this seat; None: there are several."""
        return Seat(1 - seat) if len(self._names) == 2 else None


@cache
def _kinds(struct: type[Struct]) -> tuple[tuple[str, Any], ...]:
    """Fields with their types; those that may be None are included."""
    hints: Mapping[str, Any] = get_type_hints(struct)
    kinds = {name: [kind for kind in get_args(hints[name]) if kind is not type(None)] for name in hints}
    is_optional = {name: type(None) in get_args(hint) for name, hint in hints.items()}
    return tuple((name, kinds[name][0] if is_optional[name] else hints[name]) for name in struct.__struct_fields__)


def task_at(family: str, moment: StrEnum | None) -> str:
    """The task of the player to move at this moment of a family's game: `to lead`."""
    return say("words-task-move" if moment is None else f"{family}-task-{moment.replace('_', '-')}")


def format_hands(view: Any, who: Speaker, out: str, other: Callable[[Seat, int], str]) -> Iterable[str]:
    """Each player's hand, a clause each. `out`: the message about a player who is out; `other`: the clause about a hand
    that the reader does not see."""
    for seat, count in zip(map(Seat, range(len(view.counts))), view.counts, strict=True):
        if seat < len(view.playing) and not view.playing[seat]:
            yield who.say(out, seat=seat)
        else:
            yield say("words-holds", seat="you", cards=view.cards) if seat == who.you else other(seat, count)


def format_trick(trick: TrickView, who: Speaker) -> str:
    """The cards of a trick: `you led the 3 of spades and Moll played the 4 of clubs`."""
    played = enumerate(zip(trick.seats, trick.cards, strict=False))
    return listed([who.say("words-played", seat=seat, card=card, leads=not place) for place, (seat, card) in played])


def format_tricks(past: Sequence[TrickView], taken: Sequence[int], who: Speaker) -> Iterable[str]:
    """The tricks of a hand, one clause each, and the number of tricks of each player."""
    for number, trick in enumerate(past, 1):
        yield who.say("words-trick", number=number, played=format_trick(trick, who), winner=trick.winner)
    if any(taken):
        yield say("words-tricks-taken", tricks=who.counted(taken))


def format_number(number: int) -> str:
    """A number for reading aloud: many screen readers skip the sign in `-2`."""
    return say("words-minus", number=-number) if number < 0 else str(number)


def format_minutes(minutes: int) -> str:
    """A duration in the largest exact unit, such as `two days`."""
    count, unit = _in_units(minutes)
    return say(f"words-{unit}", count=count)


def _in_units(minutes: int) -> tuple[int, str]:
    for unit, size in (("days", 24 * 60), ("hours", 60)):
        if minutes >= size and minutes % size == 0:
            return minutes // size, unit
    return minutes, "minutes"


def time_in_units(ms: int) -> tuple[int, str]:
    """A long remaining time, rounded up to a usual unit: number and unit."""
    minutes = max(1, -(-ms // 60_000))
    unit = 24 * 60 if minutes > 2 * 24 * 60 else 60 if minutes > 2 * 60 else 1
    return _in_units(-(-minutes // unit) * unit)


def format_time_left(ms: int) -> str:
    """A long remaining time in words, rounded up."""
    count, unit = time_in_units(ms)
    return say(f"words-{unit}", count=count)


def format_seconds(ms: int) -> str:
    """A short time, exactly: `30 seconds`, `2 minutes and 5 seconds`."""
    seconds = ms // 1000
    if seconds < 120:
        return say("words-seconds", seconds=seconds)
    return say("words-minutes-seconds", minutes=seconds // 60, seconds=seconds % 60)
