"""Codecs: a family's observations and actions as numbers, and a codec for families without their own.

An observation is one array of numbers, each with a name, a range and a meaning. A family adds blocks of numbers in
order, and stores the place where each block begins. Names, ranges, documentation and encoders come from the same
blocks, so they cannot disagree.
"""

from abc import ABC, abstractmethod
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from functools import cached_property, lru_cache
from itertools import product
from operator import attrgetter
from typing import Annotated, Any, NamedTuple, get_args, get_origin, get_type_hints

from msgspec import Meta, Struct
from msgspec.structs import fields

from put_protocol.cards import Card, in_order
from put_protocol.deal_steps import CalledAfresh, HandOver
from put_protocol.games.family import Family
from put_protocol.seats import Seat
from put_protocol.table_events import GameOver
from put_rules.facts import Fact
from put_rules.game import Game, Shuffle

NUMBER = "f"
"""The type of every number: four bytes, as usual for learners. Numbers here are small integers, so they are exact."""


class NumberBlock(NamedTuple):
    name: str
    labels: tuple[str, ...]
    """One for each number. A single empty label: the block is one number, with the block's name."""
    least: float
    most: float
    means: str
    at: int
    """The place of its first number."""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple([f"{self.name}.{label}" if label else self.name for label in self.labels])


class Layout:
    def __init__(self) -> None:
        self.blocks: list[NumberBlock] = []
        self.size = 0

    def add(self, name: str, means: str, labels: Sequence[str] = ("",), *, most: float = 1, least: float = 0) -> int:
        """Add a block; returns the place of its first number."""
        block = NumberBlock(name, tuple(labels), least, most, means, self.size)
        self.blocks.append(block)
        self.size += len(block.labels)
        return block.at

    @property
    def names(self) -> tuple[str, ...]:
        return tuple([name for block in self.blocks for name in block.names])

    @property
    def least(self) -> list[float]:
        return [block.least for block in self.blocks for _ in block.labels]

    @property
    def most(self) -> list[float]:
        return [block.most for block in self.blocks for _ in block.labels]

    def blank(self) -> "array[float]":
        return array(NUMBER, bytes(4 * self.size))


def seat_labels(seats: int) -> tuple[str, ...]:
    """Seats as their viewer counts them: `me`, then `+1` for the next in the order of play, and so on."""
    return ("me", *[f"+{place}" for place in range(1, seats)])


def crossed(*parts: Sequence[str]) -> tuple[str, ...]:
    """Labels of a block with several indices; the last index changes fastest: `me.3`, `me.2`, `+1.3`, `+1.2`."""
    labels: tuple[str, ...] = ("",)
    for part in parts:
        labels = tuple([f"{label}.{each}" if label else each for label in labels for each in part])
    return labels


class Codec(ABC):
    """Translation of views into numbers, and of numbers into actions.

    Law: an observation depends only on the view and its seat, and a mask only on the legal actions of the decision. So
    both depend only on what the server sends to that seat.
    """

    layout: Layout
    actions: tuple[str, ...]
    """The name of every action, by its number."""
    hand_ends: tuple[type, ...]
    """The events that end a hand. A hand continues after a misdeal or a deal that is thrown in."""

    @abstractmethod
    def encode(self, view: Any, seat: Seat) -> "array[float]":
        """The observation of a seat from its view."""

    @abstractmethod
    def codes(self, view: Any, legal: Sequence[Any]) -> list[int]:
        """The number of each legal action of a decision, in their order. Actions that are equal under the rules share
        one number, which means the first of them."""

    def points(self, before: Any, facts: Sequence[Fact]) -> tuple[float, ...] | None:
        """Points of each seat from facts that end a hand; None: this family has no points.

        `before`: the state before the facts.
        """
        return None

    def with_scores(self, state: Any, scores: Sequence[int]) -> Any:
        """Set these scores in a game that is about to begin.

        :raises ValueError: this family has no scores, or does not allow these.
        """
        raise ValueError("games of this family have no scores to begin at")


Fill = Callable[["array[float]", Any, Seat], None]
"""Writes the numbers of a block, from a view and the observing seat."""


def action_name(action: Struct) -> str:
    """The action's name on the wire without the family's name, with its values."""
    word = str(action.__struct_config__.tag).rpartition(".")[2]
    return " ".join([word, *[str(getattr(action, field.name)) for field in fields(action)]])


_FEW = 25
"""Most possible values of a list whose numbers are cached."""

_KEPT = 16_384
"""Most cached observations of such lists."""


@lru_cache(maxsize=4_096)
def _from_seat(values: tuple[float, ...], seat: Seat) -> "array[float]":
    """Numbers of each seat, beginning with this one. Do not change the array."""
    return array(NUMBER, values[seat:] + values[:seat])


class ViewCodec(Codec):
    """A codec to which blocks are added, in the order of their numbers. A block has the name of its field, unless
    another is given."""

    def __init__(self, seats: int, pack: Iterable[str]) -> None:
        """`pack`: the cards, or only their ranks if suits do not matter."""
        self.seats = seats
        self.seat_labels = seat_labels(seats)
        self.places: dict[str, int] = {card: place for place, card in enumerate(pack)}
        self.layout = Layout()
        self._fills: list[Fill] = []
        self._recurring: dict[str, Fill] = {}
        """Fills of fields with few values, whose numbers are cached."""
        self._kept: dict[Any, array[float]] = {}
        """Cached observations with only these numbers, by field values and seat."""

    @cached_property
    def _values_of(self) -> Callable[[Any], Any]:
        return attrgetter(*self._recurring) if self._recurring else lambda _: ()

    def encode(self, view: Any, seat: Seat) -> "array[float]":
        key = seat, self._values_of(view)
        kept = self._kept.get(key)
        if kept is None:
            kept = self._keep(key, view, seat)
        numbers = kept[:]
        for fill in self._fills:
            fill(numbers, view, seat)
        return numbers

    def _keep(self, key: Any, view: Any, seat: Seat) -> "array[float]":
        if len(self._kept) >= _KEPT:
            self._kept.clear()
        kept = self._kept[key] = self.layout.blank()
        for fill in self._recurring.values():
            fill(kept, view, seat)
        return kept

    def _add_fill(self, field: str, fill: Fill, *, recurs: bool) -> None:
        if recurs and field not in self._recurring:
            self._recurring[field] = fill
        else:
            self._fills.append(fill)

    def add_number(self, name: str, means: str, field: str = "", *, most: float, least: float = 0) -> None:
        at = self.layout.add(name, means, most=most, least=least)

        def fill(numbers: "array[float]", view: Any, _: Seat) -> None:
            numbers[at] = getattr(view, field or name)

        self._fills.append(fill)

    def add_choice(self, name: str, means: str, values: Iterable[str]) -> None:
        """A value of a closed set, or none."""
        places = {value: place for place, value in enumerate(values)}
        at = self.layout.add(name, means, tuple(places))

        def fill(numbers: "array[float]", view: Any, _: Seat) -> None:
            value = getattr(view, name)
            if value is not None:
                numbers[at + places[value]] = 1.0

        self._add_fill(name, fill, recurs=True)

    def add_seat(self, name: str, means: str, seat_in: Callable[[Any], Seat | None] | None = None) -> None:
        """A seat, or none. `seat_in`: a function that finds the seat if it is not a field."""
        at, seats = self.layout.add(name, means, self.seat_labels), self.seats

        def fill(numbers: "array[float]", view: Any, seat: Seat) -> None:
            found = getattr(view, name) if seat_in is None else seat_in(view)
            if found is not None:
                numbers[at + (found - seat) % seats] = 1.0

        self._add_fill(name, fill, recurs=seat_in is None)

    def add_seats(self, name: str, means: str, field: str = "") -> None:
        at, seats = self.layout.add(name, means, self.seat_labels), self.seats

        def fill(numbers: "array[float]", view: Any, seat: Seat) -> None:
            for other in getattr(view, field or name):
                numbers[at + (other - seat) % seats] = 1.0

        self._add_fill(field or name, fill, recurs=True)

    def add_by_seat(self, name: str, means: str, field: str = "", *, most: float = 1, least: float = 0) -> None:
        """A number of each seat."""
        at, seats = self.layout.add(name, means, self.seat_labels, most=most, least=least), self.seats
        block = slice(at, at + seats)
        values_in = attrgetter(field or name)

        def fill(numbers: "array[float]", view: Any, seat: Seat) -> None:
            values = values_in(view)
            if values:
                numbers[block] = _from_seat(values, seat)

        self._add_fill(field or name, fill, recurs=(most - least + 1) ** seats <= _FEW)

    def add_choices(self, name: str, means: str, values: Sequence[str]) -> None:
        """A value of a closed set for each seat, or none."""
        self.add_items(
            name, means, values, lambda view: enumerate([() if v is None else (v,) for v in getattr(view, name)])
        )

    def add_cards(self, name: str, means: str, field: str = "") -> None:
        at, places = self.layout.add(name, means, tuple(self.places)), self.places

        def fill(numbers: "array[float]", view: Any, _: Seat) -> None:
            for card in getattr(view, field or name):
                numbers[at + places[card]] = 1.0

        self._fills.append(fill)

    def add_items(
        self,
        name: str,
        means: str,
        values: Iterable[str],
        items: Callable[[Any], Iterable[tuple[int, Iterable[str]]]],
    ) -> None:
        """Any number of values of a set for each seat. `items` finds seats with their values in a view."""
        places, seats = {value: place for place, value in enumerate(values)}, self.seats
        at = self.layout.add(name, means, crossed(self.seat_labels, tuple(places)))

        def fill(numbers: "array[float]", view: Any, seat: Seat) -> None:
            for other, found in items(view):
                first = at + len(places) * ((other - seat) % seats)
                for value in found:
                    numbers[first + places[value]] = 1.0

        self._fills.append(fill)

    def add_block(self, name: str, means: str, labels: Sequence[str], fill: Fill, *, most: float = 1) -> int:
        """A block with its own fill function. Returns the place of its first number."""
        self._fills.append(fill)
        return self.layout.add(name, means, labels, most=most)


MOST = 1_000
"""Upper bound of a number in a view, if the family gives none."""


class PlainCodec(ViewCodec):
    """The codec of a table of any family."""

    def __init__(self, family: Family, game: Game[Any, Any]) -> None:
        state = game.begin(Seat(0))
        awaits = game.awaits(state)
        assert isinstance(awaits, Shuffle)  # in every game the dealer deals first
        pack = in_order(awaits.cards)
        super().__init__(len(game.paid(state)), pack)
        self.hand_ends = (*_ends_of_hands(family), GameOver)
        hints = get_type_hints(family.view)
        for field in fields(family.view):
            self._add(field.name, hints[field.name], *family.numbers.get(field.name, (0, MOST)))
        actions = [action for kind in family.actions for action in _every(kind, pack)]
        self._code_of = {action: code for code, action in enumerate(actions)}
        self.actions = tuple(map(action_name, actions))

    def codes(self, view: Any, legal: Sequence[Any]) -> list[int]:
        return [self._code_of[action] for action in legal]

    def _add(self, name: str, hint: Any, least: int, most: int) -> None:
        """:raises TypeError: a field of this type cannot become numbers, so the family needs its own codec."""
        means = name.replace("_", " ")
        is_list = get_origin(hint) is tuple
        kind = _plain(next(kind for kind in (*get_args(hint), hint) if kind is not type(None)))
        if not isinstance(kind, type):
            (self.add_cards if kind is Card else self.add_seats if is_list else self.add_seat)(name, means)
        elif issubclass(kind, StrEnum):
            (self.add_choices if is_list else self.add_choice)(name, means, tuple(kind))
        elif issubclass(kind, int):
            (self.add_by_seat if is_list else self.add_number)(name, means, least=least, most=most)
        elif issubclass(kind, Struct) and {"seat", "cards"} <= set(kind.__struct_fields__) and is_list:
            hands = attrgetter(name)
            self.add_items(name, means, self.places, lambda view: [(hand.seat, hand.cards) for hand in hands(view)])
        else:
            raise TypeError(f"the values of {name} have no numbers")


def _plain(kind: Any) -> Any:
    return get_args(kind)[0] if get_origin(kind) is Annotated else kind


def _ends_of_hands(family: Family) -> Iterator[type]:
    for event in family.events:
        kinds = {step.kind for step in event.STEPS}
        if HandOver in kinds and CalledAfresh not in kinds:
            yield event


def _every(kind: type[Struct], pack: tuple[Card, ...]) -> Iterator[Struct]:
    """:raises TypeError: a field has too many values, so the family needs its own codec."""
    hints = get_type_hints(kind, include_extras=True)
    for values in product(*[_values(hints[field.name], pack) for field in fields(kind)]):
        yield kind(*values)


def _values(hint: Any, pack: tuple[Card, ...]) -> Sequence[Any]:
    plain = _plain(hint)
    if plain is Card:
        return pack
    if plain is bool:
        return (False, True)
    if isinstance(plain, type) and issubclass(plain, StrEnum):
        return tuple(plain)
    for meta in get_args(hint)[1:]:
        if plain is int and isinstance(meta, Meta) and meta.ge is not None and meta.le is not None:
            return range(int(meta.ge), int(meta.le) + 1)
    raise TypeError(f"the values of {hint} cannot be numbered")
