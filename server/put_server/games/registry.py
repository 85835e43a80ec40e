"""Every rule set that can be played here. One line makes a game known to the lobby, the house and every test."""

from collections.abc import Mapping

from put_server.games.game import RuleSet
from put_server.games.put.machine import put_rule_set
from put_server.games.put.rule_sets import RULE_SETS

GAMES: Mapping[str, RuleSet] = {rules.name: put_rule_set(rules) for rules in RULE_SETS}
