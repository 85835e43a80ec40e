"""Deals of the known rule sets, by name. Clients check that a table deals as its game needs it.

An unknown game has no check. Clients do not have the rules, so `scripts/docs` writes `rule_sets.json`.
"""

from collections import Counter
from collections.abc import Collection, Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

from put_protocol.cards import PACKS, Card
from put_protocol.seats import Seat
from put_protocol.table_info import TableInfo

Choice = str | int


class KnownRuleSet(Struct, frozen=True, omit_defaults=True):
    """The way the options of a rule set determine its pack."""

    packs: tuple[tuple[Choice, str], ...]
    """Values of the option with the name of the pack in `PACKS`; the default first."""
    option: str = ""
    """The option that determines the pack; empty: there is only one pack."""
    is_read: bool = False
    """The rules must see hands, so the server reads the pack of a blind deal."""
    hands: Mapping[int, int] = {}
    """Cards of each hand, by the number of players who are dealt one. Empty if the server reads the pack."""


RULE_SETS: Mapping[str, KnownRuleSet] = msgspec.json.decode(
    Path(__file__).with_name("rule_sets.json").read_bytes(), type=dict[str, KnownRuleSet]
)


def pack_of(game: str, options: Mapping[str, Choice]) -> tuple[Card, ...] | None:
    """Pack of a rule set under these options, in canonical order; None: unknown."""
    known = RULE_SETS.get(game)
    if known is None:
        return None
    default, _ = known.packs[0]
    pack = dict(known.packs).get(options.get(known.option, default) if known.option else default)
    return None if pack is None else PACKS[pack]


def may_be_read(info: TableInfo) -> bool:
    """True if the server may read the pack of a blind deal; at a table of an unknown game, if it says so."""
    known = RULE_SETS.get(info.game)
    return info.is_read if known is None else known.is_read


def has_hands(info: TableInfo, owners: Collection[Seat | None]) -> bool:
    """True if these are the owners of places in a deal of this game: hands of the right size, or a draw for all to see.

    In an unread deal each seat gives its shares of all places but its own. So with more places the others would know
    all cards that a hand does not have.
    """
    known = RULE_SETS.get(info.game)
    if known is None or known.is_read:
        return True
    counts = Counter(owners)
    return set(counts) == {None} or set(counts.values()) == {known.hands.get(len(counts))}
