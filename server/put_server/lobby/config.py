"""Configuration of a lobby: what the operator decided and what this server offers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from put_protocol.offers import HouseOffer, Limits
from put_server.games.game import OptionValue


@dataclass(frozen=True, slots=True, kw_only=True)
class LobbyConfig:
    server_name: str
    limits: Limits
    houses: tuple[HouseOffer, ...]
    plays_as: Callable[[str, str, Mapping[str, OptionValue], int], str] = field(default=lambda house, *_: house)
    """The strategy that a kind of house player uses in a game with these options and so many seats, as everyone is
    told."""
    is_solved: Callable[[str, Mapping[str, OptionValue], int], bool] = field(default=lambda *_: False)
    """Whether perfect play is known for a game with these options and so many seats."""
    people: int = 2_500
    """At once: a full gallery and 250 tables of two, or a thousand tables of two and some who look on."""
    tables: int = 1_000
    """At once; each costs some kilobytes, and a slice of every tick."""
