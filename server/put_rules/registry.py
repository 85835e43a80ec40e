"""Registry of the available rule sets, for the lobby, the house and the tests.

A family's rules are the module or package with its name here, which lists its rule sets.
"""

from collections.abc import Mapping
from importlib import import_module

from put_protocol.games.families import FAMILIES
from put_rules.game import RuleSet
from put_rules.table_options import with_table_options

GAMES: Mapping[str, RuleSet] = {
    rule_set.offer.name: with_table_options(rule_set)
    for family in FAMILIES
    for rule_set in import_module(f"put_rules.{family}").RULE_SETS
}
