"""Codec of a family that has none of its own: blocks and actions follow from the types of its view and its actions."""

from array import array
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from itertools import product
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from msgspec import Meta, Struct
from msgspec.structs import fields

from put_env.families.codec import Codec
from put_env.layout import NUMBER, Layout, crossed, seat_labels
from put_protocol.cards import Card, in_order
from put_protocol.deal_steps import CalledAfresh, HandOver
from put_protocol.games.family import Family
from put_protocol.seats import Seat
from put_protocol.table_events import GameOver
from put_rules.game import Game, Shuffle

MOST = 1_000
"""The most that a number of a view is, where its family does not say."""

Fill = Callable[["array[float]", Any, Seat], None]
"""Writes a value of a view into the observation of a seat."""


class PlainCodec(Codec):
    """The codec of a table of any family."""

    def __init__(self, family: Family, game: Game[Any, Any]) -> None:
        state = game.begin(Seat(0))
        awaits = game.awaits(state)
        assert isinstance(awaits, Shuffle)  # whatever the game, the dealer deals first
        self._family = family
        self._seats = len(game.paid(state))
        self._pack = {card: place for place, card in enumerate(in_order(awaits.cards))}
        self.hand_ends = (*_ends_of_hands(family), GameOver)
        self.layout = Layout()
        hints = get_type_hints(family.view)
        self._fills = [(field.name, self._filling(field.name, hints[field.name])) for field in fields(family.view)]
        actions = [action for kind in family.actions for action in _every(kind, tuple(self._pack))]
        self._code_of = {action: code for code, action in enumerate(actions)}
        self.actions = tuple(map(_name, actions))

    def encode(self, view: Any, seat: Seat) -> "array[float]":
        numbers = array(NUMBER, self.layout.blank())
        for name, fill in self._fills:
            fill(numbers, getattr(view, name), seat)
        return numbers

    def coded(self, view: Any, legal: Sequence[Any]) -> dict[int, Any]:
        return {self._code_of[action]: action for action in legal}

    def _filling(self, name: str, hint: Any) -> Fill:
        """Add the block of a field, and say how it is filled."""
        kinds = [kind for kind in get_args(hint) if kind is not type(None)]
        if get_origin(hint) is tuple:
            return self._filling_of_many(name, _plain(kinds[0]))
        kind = _plain(kinds[0] if kinds and get_origin(hint) is not Annotated else hint)
        labels = self._labels(kind)
        least, most = self._family.numbers.get(name, (0, MOST)) if kind is int else (0, 1)
        at = self.layout.add(name, name.replace("_", " "), labels, least=least, most=most)

        def fill(numbers: "array[float]", value: Any, seat: Seat) -> None:
            if value is not None:
                self._put(numbers, at, kind, value, seat)

        return fill

    def _filling_of_many(self, name: str, kind: Any) -> Fill:
        if kind in (Seat, Card):
            at = self.layout.add(name, name.replace("_", " "), self._labels(kind))

            def fill_each(numbers: "array[float]", values: Any, seat: Seat) -> None:
                for value in values:
                    self._put(numbers, at, kind, value, seat)

            return fill_each
        if isinstance(kind, type) and issubclass(kind, Struct):
            hints = get_type_hints(kind)
            held = [(f.name, _plain(get_args(hints[f.name])[0])) for f in fields(kind) if f.name == "cards"]
            blocks = [
                (part, of, self.layout.add(name, name, crossed(seat_labels(self._seats), self._labels(of))))
                for part, of in held
            ]

            def fill_hands(numbers: "array[float]", values: Any, seat: Seat) -> None:
                for value in values:
                    for part, of, first in blocks:
                        here = first + len(self._labels(of)) * ((value.seat - seat) % self._seats)
                        for each in getattr(value, part):
                            self._put(numbers, here, of, each, seat)

            return fill_hands
        labels = self._labels(kind)
        least, most = self._family.numbers.get(name, (0, MOST)) if kind is int else (0, 1)
        by_seat = crossed(seat_labels(self._seats), labels)
        first = self.layout.add(name, name.replace("_", " "), by_seat, least=least, most=most)

        def fill_by_seat(numbers: "array[float]", values: Any, seat: Seat) -> None:
            for other, value in enumerate(values):
                if value is not None:
                    self._put(numbers, first + len(labels) * ((other - seat) % self._seats), kind, value, seat)

        return fill_by_seat

    def _labels(self, kind: Any) -> tuple[str, ...]:
        if kind is Seat:
            return seat_labels(self._seats)
        if kind is Card:
            return tuple(self._pack)
        if isinstance(kind, type) and issubclass(kind, StrEnum):
            return tuple(kind)
        return ("",)

    def _put(self, numbers: "array[float]", at: int, kind: Any, value: Any, seat: Seat) -> None:
        if kind is Seat:
            numbers[at + (value - seat) % self._seats] = 1
        elif kind is Card:
            numbers[at + self._pack[value]] = 1
        elif isinstance(value, StrEnum):
            numbers[at + tuple(kind).index(value)] = 1
        else:
            numbers[at] = value


def _plain(kind: Any) -> Any:
    """The type without what its annotation adds."""
    return get_args(kind)[0] if get_origin(kind) is Annotated else kind


def _ends_of_hands(family: Family) -> Iterator[type]:
    for event in family.events:
        kinds = {step.kind for step in event.STEPS}
        if HandOver in kinds and CalledAfresh not in kinds:
            yield event


def _every(kind: type[Struct], pack: tuple[Card, ...]) -> Iterator[Struct]:
    """Every action of a kind.

    :raises TypeError: a field of it has too many values, so the family needs a codec of its own.
    """
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


def _name(action: Struct) -> str:
    """The word of an action on the wire without the family's, and its values."""
    word = str(action.__struct_config__.tag).rpartition(".")[2]
    return " ".join([word, *[str(getattr(action, field.name)) for field in fields(action)]])
