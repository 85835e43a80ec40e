"""Packs of the rule sets that are known by name: a table is held to the pack of the game that it says it plays.

Of any other game nobody can tell. `scripts/docs` writes `rule_sets.json` from the rules, which the clients do not have.
"""

from collections.abc import Mapping
from importlib import resources

import msgspec
from msgspec import Struct

from put_protocol.cards import PACKS, Card

Choice = str | int


class KnownRuleSet(Struct, frozen=True, omit_defaults=True):
    """The way the pack of a rule set follows from its options."""

    packs: tuple[tuple[Choice, str], ...]
    """The name of its pack in `PACKS`, by the value of the option that chooses it; the default first."""
    option: str = ""
    """That option; empty: nothing chooses, and there is one pack."""


RULE_SETS: Mapping[str, KnownRuleSet] = msgspec.json.decode(
    resources.files(__package__).joinpath("rule_sets.json").read_bytes(), type=dict[str, KnownRuleSet]
)
"""Rule sets by name."""


def pack_of(game: str, options: Mapping[str, Choice]) -> tuple[Card, ...] | None:
    """The pack of a rule set under these options, in canonical order; None: it is not known here."""
    known = RULE_SETS.get(game)
    if known is None:
        return None
    default, _ = known.packs[0]
    pack = dict(known.packs).get(options.get(known.option, default) if known.option else default)
    return None if pack is None else PACKS[pack]
