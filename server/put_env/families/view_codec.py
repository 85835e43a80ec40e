"""Codec made of blocks, each with the field of the view that fills it."""

from array import array
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import fields

from put_env.families.codec import Codec
from put_env.layout import NUMBER, Layout, crossed, seat_labels
from put_protocol.cards import Card
from put_protocol.seats import Seat

Fill = Callable[["array[float]", Any, Seat], None]
"""Writes the numbers of a block, from a view and the seat that observes."""


def action_name(action: Struct) -> str:
    """The word of an action on the wire without the family's, and its values."""
    word = str(action.__struct_config__.tag).rpartition(".")[2]
    return " ".join([word, *[str(getattr(action, field.name)) for field in fields(action)]])


class ViewCodec(Codec):
    """A codec to which blocks are added, in the order of their numbers. A block is named as its field, unless that is
    given."""

    def __init__(self, seats: int, pack: Iterable[Card]) -> None:
        self.seats = seats
        self.seat_labels = seat_labels(seats)
        self.places = {card: place for place, card in enumerate(pack)}
        self.layout = Layout()
        self._fills: list[Fill] = []

    def encode(self, view: Any, seat: Seat) -> "array[float]":
        numbers = array(NUMBER, self.layout.blank())
        for fill in self._fills:
            fill(numbers, view, seat)
        return numbers

    def add_number(self, name: str, means: str, field: str = "", *, most: float, least: float = 0) -> None:
        at = self.layout.add(name, means, most=most, least=least)

        def fill(numbers: "array[float]", view: Any, _: Seat) -> None:
            numbers[at] = getattr(view, field or name)

        self._fills.append(fill)

    def add_choice(self, name: str, means: str, values: Iterable[str], field: str = "") -> None:
        """One of a closed set, or none."""
        places = {value: place for place, value in enumerate(values)}
        at = self.layout.add(name, means, tuple(places))

        def fill(numbers: "array[float]", view: Any, _: Seat) -> None:
            value = getattr(view, field or name)
            if value is not None:
                numbers[at + places[value]] = 1

        self._fills.append(fill)

    def add_seat(self, name: str, means: str, seat_in: Callable[[Any], Seat | None] | None = None) -> None:
        """A seat, or none; `seat_in`: where it is no field."""
        at, seats = self.layout.add(name, means, self.seat_labels), self.seats

        def fill(numbers: "array[float]", view: Any, seat: Seat) -> None:
            found = getattr(view, name) if seat_in is None else seat_in(view)
            if found is not None:
                numbers[at + (found - seat) % seats] = 1

        self._fills.append(fill)

    def add_seats(self, name: str, means: str) -> None:
        at, seats = self.layout.add(name, means, self.seat_labels), self.seats

        def fill(numbers: "array[float]", view: Any, seat: Seat) -> None:
            for other in getattr(view, name):
                numbers[at + (other - seat) % seats] = 1

        self._fills.append(fill)

    def add_by_seat(self, name: str, means: str, field: str = "", *, most: float = 1, least: float = 0) -> None:
        """A number of each seat."""
        at, seats = self.layout.add(name, means, self.seat_labels, most=most, least=least), self.seats

        def fill(numbers: "array[float]", view: Any, seat: Seat) -> None:
            for other, value in enumerate(getattr(view, field or name)):
                numbers[at + (other - seat) % seats] = value

        self._fills.append(fill)

    def add_choices(self, name: str, means: str, values: Sequence[str]) -> None:
        """One of a closed set for each seat, or none."""
        self.add_items(
            name, means, values, lambda view: enumerate([() if v is None else (v,) for v in getattr(view, name)])
        )

    def add_cards(self, name: str, means: str, field: str = "") -> None:
        at, places = self.layout.add(name, means, tuple(self.places)), self.places

        def fill(numbers: "array[float]", view: Any, _: Seat) -> None:
            for card in getattr(view, field or name):
                numbers[at + places[card]] = 1

        self._fills.append(fill)

    def add_items(
        self,
        name: str,
        means: str,
        values: Iterable[str],
        items: Callable[[Any], Iterable[tuple[int, Iterable[str]]]],
    ) -> None:
        """Any values of a set for each seat; `items` finds seats with their values in a view."""
        places, seats = {value: place for place, value in enumerate(values)}, self.seats
        at = self.layout.add(name, means, crossed(self.seat_labels, tuple(places)))

        def fill(numbers: "array[float]", view: Any, seat: Seat) -> None:
            for other, found in items(view):
                first = at + len(places) * ((other - seat) % seats)
                for value in found:
                    numbers[first + places[value]] = 1

        self._fills.append(fill)

    def add_block(self, name: str, means: str, labels: Sequence[str], fill: Fill, *, most: float = 1) -> int:
        """A block that fills itself; returns the place of its first number."""
        self._fills.append(fill)
        return self.layout.add(name, means, labels, most=most)
