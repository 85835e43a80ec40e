"""The families of games as numbers: one module for each family, and the registry of their codecs."""

from collections.abc import Callable, Hashable, Mapping
from functools import lru_cache
from typing import Any

from put_env.env_table import Table
from put_env.families.codec import Codec, PlainCodec
from put_env.families.primero import PrimeroCodec
from put_env.families.put import PutCodec
from put_env.families.triomphe import TriompheCodec
from put_protocol.games.families import FAMILIES
from put_rules.game import OptionValue

CODECS: Mapping[str, Callable[[Any], Codec]] = {
    "put": PutCodec,
    "triomphe": TriompheCodec,
    "primero": PrimeroCodec,
}
"""Codecs by family, made from the machine of a table. `PlainCodec` serves families without their own codec."""


def new_codec(family: str, game: Any) -> Codec:
    return CODECS[family](game) if family in CODECS else PlainCodec(FAMILIES[family], game)


def codec_of(table: Table) -> Codec:
    """The codec of a table. Equal tables share one."""
    game: Any = table.game()  # one object for tables that are alike
    return _codec_of(table.family, game)


_codec_of: Callable[[str, Hashable], Codec] = lru_cache(maxsize=64)(new_codec)


def observation_names(rule_set: str, seats: int = 0, **options: OptionValue) -> tuple[str, ...]:
    """The name of every number of an observation, in order."""
    return codec_of(Table(rule_set=rule_set, seats=seats, options=options)).layout.names


def action_names(rule_set: str, seats: int = 0, **options: OptionValue) -> tuple[str, ...]:
    """The name of every action, by its number."""
    return codec_of(Table(rule_set=rule_set, seats=seats, options=options)).actions
