"""Registry of the rule sets that can be played here: the lobby, the house and the tests read it."""

from collections.abc import Iterable, Mapping

from put_server.games.game import RuleSet
from put_server.games.primero.machine import primero_rule_set
from put_server.games.put.machine import put_rule_set
from put_server.games.put.rule_sets import RULE_SETS
from put_server.games.table_options import with_table_options
from put_server.games.triomphe.machine import TRIOMPHE_FORCEE

_FAMILIES: tuple[Iterable[RuleSet], ...] = (map(put_rule_set, RULE_SETS), (TRIOMPHE_FORCEE,), (primero_rule_set(),))
"""The rule sets of each family. A family adds a line."""

GAMES: Mapping[str, RuleSet] = {
    rule_set.offer.name: with_table_options(rule_set) for rule_sets in _FAMILIES for rule_set in rule_sets
}
"""By name."""
