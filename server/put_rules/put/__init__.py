"""Put and its family: trick-taking with a challenge.

`rules` defines rule sets and options, `rule_sets` lists all rule sets. `state` has the terms and state of a game. The
transitions are in `dealing` (all before the play) and `hand` (the play, the challenge and the score). `machine` chooses
the transition for an input, and makes the views. `words` has the texts of decisions. No module here uses the name of a
rule set.
"""

from put_rules.game import RuleSet
from put_rules.put import rule_sets
from put_rules.put.machine import put_rule_set

RULE_SETS: tuple[RuleSet, ...] = tuple(map(put_rule_set, rule_sets.RULE_SETS))
