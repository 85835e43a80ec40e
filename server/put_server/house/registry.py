"""The kinds of house players."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random

from put_protocol.offers import HouseOffer
from put_server.house.beginner import Beginner
from put_server.house.player import Player, Terms
from put_server.house.sharp import Sharp
from put_server.house.steady import Steady


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseKind:
    """A kind of house player."""

    offer: HouseOffer
    """What clients are told of it."""
    make: Callable[[Random, Terms], Player]
    """A new player for one seat, with its dice. It is the same player again only with the same dice."""
    called: Callable[[Terms, int], str]
    """Its name at a table with this number of seats: the name of the kind that really plays there."""


def _is_always(name: str) -> Callable[[Terms, int], str]:
    def called(terms: Terms, seats: int) -> str:  # noqa: ARG001 - for most it is the same everywhere
        return name

    return called


def _perfect(dice: Random, terms: Terms) -> Player:
    # Where nobody invites it, its tables are never loaded.
    from put_server.house.perfect import Perfect  # noqa: PLC0415

    return Perfect(dice, terms)


def _called_perfect(terms: Terms, seats: int) -> str:
    from put_server.house.perfect import is_solved  # noqa: PLC0415

    return "perfect" if is_solved(terms, seats) else "sharp"


HOUSES: Mapping[str, HouseKind] = {
    kind.offer.name: kind
    for kind in (
        HouseKind(
            offer=HouseOffer(name="beginner", meaning="plays what its own cards are worth, and never bluffs"),
            make=lambda dice, _: Beginner(dice),
            called=_is_always("beginner"),
        ),
        HouseKind(
            offer=HouseOffer(name="steady", meaning="counts its chances honestly, and bluffs now and then"),
            make=lambda dice, _: Steady(dice),
            called=_is_always("steady"),
        ),
        HouseKind(
            offer=HouseOffer(name="sharp", meaning="has practised on millions of hands, and mixes its moves"),
            make=Sharp,
            called=_is_always("sharp"),
        ),
        HouseKind(
            offer=HouseOffer(name="perfect", meaning="plays two-handed Put as it was solved, and else as sharp does"),
            make=_perfect,
            called=_called_perfect,
        ),
    )
}
"""The weakest first. `docs/house.md` says how much stronger each is than the one before it, game by game."""
