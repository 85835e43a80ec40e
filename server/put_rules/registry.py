"""Registry of the rule sets that can be played here: the lobby, the house and the tests read it."""

from collections.abc import Iterable, Mapping

from put_rules.game import RuleSet
from put_rules.primero.machine import primero_rule_set
from put_rules.put.machine import put_rule_set
from put_rules.put.rule_sets import RULE_SETS
from put_rules.table_options import with_table_options
from put_rules.triomphe.machine import TRIOMPHE_FORCEE

_FAMILIES: tuple[Iterable[RuleSet], ...] = (map(put_rule_set, RULE_SETS), (TRIOMPHE_FORCEE,), (primero_rule_set(),))
"""The rule sets of each family. A family adds a line."""

GAMES: Mapping[str, RuleSet] = {
    rule_set.offer.name: with_table_options(rule_set) for rule_sets in _FAMILIES for rule_set in rule_sets
}
"""By name."""
