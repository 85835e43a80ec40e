"""The kinds of house players, and the player of each kind in each family of games.

A kind has a name and a strength; a family names the player of that kind (`FAMILIES`). If a family names none, a random
player sits down: it knows no game, and always plays on.
"""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, NamedTuple

from put_protocol.offers import HouseOffer
from put_server.house.player import Player, RandomPlayer, Terms
from put_server.house.primero.beginner import Beginner as PrimeroBeginner
from put_server.house.primero.sharp import Sharp as PrimeroSharp
from put_server.house.primero.steady import Steady as PrimeroSteady
from put_server.house.put.beginner import Beginner
from put_server.house.put.sharp import Sharp
from put_server.house.put.steady import Steady
from put_server.house.triomphe.beginner import Beginner as TriompheBeginner
from put_server.house.triomphe.sampling import SHARP, STEADY, Sampler

HOUSES: Mapping[str, HouseOffer] = {
    offer.name: offer
    for offer in (
        HouseOffer(name="beginner", meaning="plays what its own cards are worth, and never bluffs"),
        HouseOffer(name="steady", meaning="counts its chances honestly, and bluffs now and then"),
        HouseOffer(name="sharp", meaning="has practised on millions of hands, and mixes its moves"),
        HouseOffer(name="perfect", meaning="plays two-handed Put as it was solved, and else as sharp does"),
    )
}
"""The weakest first. `docs/house.md` says how much stronger each is than the one before it, game by game."""

RANDOM = "random"
"""Name of a house player that plays at random, because its family has no better one."""


class House(NamedTuple):
    """The player who plays as one kind in one family."""

    make: Callable[[Random, Terms], Player[Any]]
    """A new player for one seat, with its dice. It is the same player again only with the same dice."""
    called: Callable[[Terms, int], str]
    """Its name at a table with this number of seats: the name of the kind that really plays there."""


def is_always(name: str) -> Callable[[Terms, int], str]:
    """The name of a kind that plays as itself at every table of a family."""

    def called(terms: Terms, seats: int) -> str:  # noqa: ARG001 - the same everywhere
        return name

    return called


def _perfect(dice: Random, terms: Terms) -> Player[Any]:
    # Its tables are loaded only once it is invited.
    from put_server.house.put.perfect import Perfect  # noqa: PLC0415

    return Perfect(dice, terms)


def _called_perfect(terms: Terms, seats: int) -> str:
    from put_server.house.put.perfect import is_solved  # noqa: PLC0415

    return "perfect" if is_solved(terms, seats) else "sharp"


FAMILIES: Mapping[str, Mapping[str, House]] = {
    "put": {
        "beginner": House(lambda dice, _: Beginner(dice), is_always("beginner")),
        "steady": House(lambda dice, _: Steady(dice), is_always("steady")),
        "sharp": House(Sharp, is_always("sharp")),
        "perfect": House(_perfect, _called_perfect),
    },
    "triomphe": {
        "beginner": House(lambda dice, _: TriompheBeginner(), is_always("beginner")),  # noqa: ARG005 - it has no dice
        "steady": House(lambda dice, _: Sampler(dice, STEADY), is_always("steady")),
        "sharp": House(lambda dice, _: Sampler(dice, SHARP), is_always("sharp")),
        "perfect": House(lambda dice, _: Sampler(dice, SHARP), is_always("sharp")),
    },
    "primero": {
        "beginner": House(lambda dice, _: PrimeroBeginner(dice), is_always("beginner")),
        "steady": House(lambda dice, _: PrimeroSteady(dice), is_always("steady")),
        "sharp": House(lambda dice, _: PrimeroSharp(dice), is_always("sharp")),
        "perfect": House(lambda dice, _: PrimeroSharp(dice), is_always("sharp")),  # Primero is not solved
    },
}
"""Listed by family and kind. A family adds a line."""

_AT_RANDOM = House(lambda dice, _: RandomPlayer(dice), is_always(RANDOM))


def house_of(name: str, terms: Terms) -> House:
    """The player who plays as this kind in the family that is played."""
    return FAMILIES.get(terms.family, {}).get(name, _AT_RANDOM)


def player(name: str, dice: Random, terms: Terms) -> Player[Any]:
    """A new player of this kind for one seat."""
    return house_of(name, terms).make(dice, terms)
