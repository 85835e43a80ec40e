"""What a house player is, and which there are."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Protocol

from put_protocol.actions import Action, Choice
from put_protocol.messages import HouseOffer
from put_protocol.seats import Seat
from put_protocol.views import GameView
from put_server.house.steady import Steady


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What is played at a table, as everyone at it is told."""

    game: str
    options: Mapping[str, str | int] = field(default_factory=dict)
    """Those left out are at their defaults."""


class Player(Protocol):
    """Somebody in a seat, who knows what the seat sees."""

    def choose(self, view: GameView, legal: tuple[Choice, ...], seat: Seat) -> Action:
        """One of `legal`, which is not empty; `view` is what `seat` sees, and it is to move."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseKind:
    """A kind of house player."""

    offer: HouseOffer
    """What is told of it."""
    make: Callable[[Random, Terms], Player]
    """A new one for one seat, with its dice. It is the same player again only with the same dice."""


HOUSES: Mapping[str, HouseKind] = {
    kind.offer.name: kind
    for kind in (
        HouseKind(
            offer=HouseOffer(name="steady", meaning="counts its chances honestly, and bluffs now and then"),
            make=lambda dice, _: Steady(dice),
        ),
    )
}
