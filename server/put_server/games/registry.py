"""Registry of the rule sets that can be played here: the lobby, the house and the tests read it."""

from collections.abc import Mapping

from put_server.games.game import RuleSet
from put_server.games.put.machine import put_rule_set
from put_server.games.put.rule_sets import RULE_SETS

GAMES: Mapping[str, RuleSet] = {rules.name: put_rule_set(rules) for rules in RULE_SETS}
