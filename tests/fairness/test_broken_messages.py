"""Messages of a table that no rules make, valid on the wire: the checks object or they do not, and never fail."""

from collections.abc import Iterable
from contextlib import suppress
from random import Random
from typing import Any

import msgspec
import pytest

from put_client.sdk.errors import BadServer
from put_protocol.messages import Decision, Events, ServerMessage, TableSnapshot
from tests.fairness.lies import GAMES
from tests.fairness.streams import recorded, tell
from tests.repetitions import TURN

TRIES = 12
"""Broken messages in each game."""

NAMED = frozenset(("type", "event", "view", "do", "table"))
CARDS = ("3s", "Ah", "13t", "0t", "", "x", "Zz", "numerus")
NUMBERS = (-1, 0, 1, 2, 9, 99, 10**9)
SHARE = 0.15


def broken(dice: Random, value: Any) -> Any:
    """The same with other numbers, cards and lengths here and there."""
    is_hit = dice.random() < SHARE
    match value:
        case dict():
            return {key: one if key in NAMED else broken(dice, one) for key, one in value.items()}
        case list():
            return value[:-1] if is_hit else [broken(dice, one) for one in value]
        case bool():
            return value ^ is_hit
        case int() if is_hit:
            return dice.choice(NUMBERS)
        case str() | None if is_hit:
            return dice.choice(CARDS)
        case _:
            return value


class Breaker:
    """Breaks one message, which is still one of the wire, in the first half of so many."""

    def __init__(self, dice: Random, messages: int) -> None:
        self._dice = dice
        self._passes = dice.randrange(messages // 2)
        self.has_broken = False

    def __call__(self, message: ServerMessage) -> Iterable[ServerMessage]:
        self._passes -= isinstance(message, Events | Decision | TableSnapshot)
        if self._passes > 0 or self.has_broken or not isinstance(message, Events | Decision | TableSnapshot):
            return (message,)
        try:
            told: ServerMessage = msgspec.convert(broken(self._dice, msgspec.to_builtins(message)), ServerMessage)
        except msgspec.ValidationError:
            return (message,)
        self.has_broken = told != message
        return (told,)


IN_SUITE = ("put", "accidents", "partners", "truc", "triomphe", "primero")
"""Games of each family, with partners, and with hands that are dealt again. A campaign breaks those of all of them."""


@pytest.mark.parametrize("name", GAMES if TURN else IN_SUITE)
async def test_what_no_game_has_is_borne(name: str) -> None:
    """Whatever is in it, and whatever came before."""
    stream, broke = await recorded(GAMES[name]), 0
    length = sum(isinstance(message, Events | TableSnapshot) for message in stream)
    for number in range(TRIES):
        breaker = Breaker(Random(f"{name} {number}"), length)
        with suppress(BadServer):  # where the events do not follow each other
            assert list(tell(stream, breaker))
        broke += breaker.has_broken
    assert broke > TRIES / 2
