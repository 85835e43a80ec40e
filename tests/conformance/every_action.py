"""Every action there is on the wire, of any family, with every value of its fields that a test can go through."""

import itertools
from collections.abc import Iterator, Sequence
from enum import Enum
from typing import Any

import msgspec

from put_protocol.cards import CARD_ORDER, Card
from put_protocol.games.family import Family
from put_protocol.games.unions import Action

STRANGE = (Card("1s"), Card("Cb"), Card("XXI"))
"""Cards that are in no pack."""

AMOUNTS = (1, 2, 3, 5, 6, 7, 20, 1_000)


def every_action(kind: Any, cards: Sequence[Card] = tuple(CARD_ORDER)) -> Iterator[Action]:
    """Every action of a kind, with these cards; pairs of cards in both orders, but only of neighbours and of some
    others, because there are thousands."""
    values = [list(_values(msgspec.inspect.type_info(field.type), cards)) for field in msgspec.structs.fields(kind)]
    for chosen in itertools.product(*values):
        yield kind(*chosen)


def of_family(family: Family, pack: Sequence[Card]) -> tuple[Action, ...]:
    """Every action of a family with every card of its pack, and with a few of no pack."""
    return tuple(itertools.chain.from_iterable(every_action(kind, (*pack, *STRANGE)) for kind in family.actions))


def _values(kind: Any, cards: Sequence[Card]) -> Iterator[object]:
    match kind:
        case msgspec.inspect.EnumType(cls=cls):
            members: type[Enum] = cls
            yield from members
        case msgspec.inspect.IntType(ge=least, le=most):
            yield from [amount for amount in AMOUNTS if (least or 0) <= amount <= (most or AMOUNTS[-1])]
        case msgspec.inspect.VarTupleType(min_length=least, max_length=most):
            yield from [(card,) for card in cards if (least or 0) <= 1]
            assert most == 2, "pairs at most are known here"
            for step in (1, 2, 7, 13):
                for pair in zip(cards, (*cards[step:], *cards[:step]), strict=True):
                    yield from (pair, pair[::-1])
        case msgspec.inspect.Metadata(type=msgspec.inspect.StrType()):
            yield from cards
        case _:
            raise AssertionError(f"a field of a kind that no test knows: {kind}")
