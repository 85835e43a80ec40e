"""The kinds of house players, and the player of each kind in each family of games.

A kind has a name and a strength; a family has a player for each kind (`FAMILIES`). If it has none, a random player sits
down, which works for every game and always plays on.
"""

from collections.abc import Callable, Mapping
from random import Random

from put_protocol.offers import HouseOffer
from put_server.house.player import Counter, Player, RandomPlayer, Terms
from put_server.house.primero import bet_values
from put_server.house.primero import players as primero
from put_server.house.put import action_values
from put_server.house.put.beginner import Beginner
from put_server.house.put.perfect import Perfect, is_solved
from put_server.house.put.sharp import Sharp
from put_server.house.put.steady import Steady
from put_server.house.put.student import Student
from put_server.house.triomphe import players as triomphe
from put_text.catalogue import say_in_english

HOUSES: Mapping[str, HouseOffer] = {
    name: HouseOffer(name, say_in_english(f"offer-house-{name}"))
    for name in ("beginner", "steady", "sharp", "perfect", "student")
}
"""Weakest first. `docs/house.md` has the difference in strength between neighbours, by game."""

_SOLVED = ("perfect", "student")
"""Kinds that need a solved game; elsewhere another kind plays."""

RANDOM = "random"
"""Name of the house player that plays at random, for families without a better one."""

Maker = Callable[[Random, Terms], Player]
"""Makes a player for one seat, with its random generator. The same generator gives the same player."""


FAMILIES: Mapping[str, Mapping[str, Maker]] = {
    "put": {
        "beginner": lambda dice, _: Beginner(dice),
        "steady": lambda dice, _: Steady(dice),
        "sharp": Sharp,
        "perfect": Perfect,
        "student": Student,
    },
    "triomphe": {
        "beginner": lambda dice, _: triomphe.Beginner(dice),
        "steady": lambda dice, _: triomphe.Sampler(dice, triomphe.STEADY),
        "sharp": lambda dice, _: triomphe.Sampler(dice, triomphe.SHARP),
    },
    "primero": {
        "beginner": lambda dice, _: primero.Beginner(dice),
        "steady": lambda dice, _: primero.Steady(dice),
        "sharp": lambda dice, _: primero.Sharp(dice),
    },
}
"""Listed by family and kind. A new family adds a line. If it has no perfect player, the sharp one sits down instead."""

COUNTERS: Mapping[str, Counter] = {
    "put": action_values.count,
    "triomphe": triomphe.count,
    "primero": bet_values.count,
}
"""Counters of an action, by family; optional."""


def kind_at(name: str, terms: Terms, seats: int) -> str:
    """The kind that actually plays at a table with this number of seats when this kind is invited."""
    if name in _SOLVED and not is_solved(terms, seats):
        name = "sharp"
    return name if name in FAMILIES.get(terms.family, {}) else RANDOM


def player(name: str, dice: Random, terms: Terms) -> Player:
    kinds = FAMILIES.get(terms.family, {})
    make = kinds.get("sharp" if name in _SOLVED and name not in kinds else name)
    return RandomPlayer(dice) if make is None else make(dice, terms)
