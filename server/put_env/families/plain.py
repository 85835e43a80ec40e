"""Codec of a family that has none of its own: blocks and actions follow from the types of its view and its actions."""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import product
from operator import attrgetter
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from msgspec import Meta, Struct
from msgspec.structs import fields

from put_env.families.view_codec import ViewCodec, action_name
from put_protocol.cards import Card, in_order
from put_protocol.deal_steps import CalledAfresh, HandOver
from put_protocol.games.family import Family
from put_protocol.seats import Seat
from put_protocol.table_events import GameOver
from put_rules.game import Game, Shuffle

MOST = 1_000
"""The most that a number of a view is, where its family does not say."""


class PlainCodec(ViewCodec):
    """The codec of a table of any family."""

    def __init__(self, family: Family, game: Game[Any, Any]) -> None:
        state = game.begin(Seat(0))
        awaits = game.awaits(state)
        assert isinstance(awaits, Shuffle)  # in every game the dealer deals first
        super().__init__(len(game.paid(state)), in_order(awaits.cards))
        self.hand_ends = (*_ends_of_hands(family), GameOver)
        hints = get_type_hints(family.view)
        for field in fields(family.view):
            self._add(field.name, hints[field.name], *family.numbers.get(field.name, (0, MOST)))
        actions = [action for kind in family.actions for action in _every(kind, tuple(self.places))]
        self._code_of = {action: code for code, action in enumerate(actions)}
        self.actions = tuple(map(action_name, actions))

    def coded(self, view: Any, legal: Sequence[Any]) -> dict[int, Any]:
        return {self._code_of[action]: action for action in legal}

    def _add(self, name: str, hint: Any, least: int, most: int) -> None:
        """Add the block of a field.

        :raises TypeError: a field of this type has no numbers, so the family needs a codec of its own.
        """
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
