"""Put and its family: trick-taking with a challenge.

`rules` says what a rule set is and which options there are, `rule_sets` has them all. `state` is what a table has
agreed on and how its game stands. The transitions are in `dealing` (all that comes before the play) and `hand` (the
play, the challenge and the score); `machine` finds which one an input is, and what each viewer sees. `words` is what a
player is asked. No module here asks for a rule set's name.
"""

from put_rules.game import RuleSet
from put_rules.put import rule_sets
from put_rules.put.machine import put_rule_set

RULE_SETS: tuple[RuleSet, ...] = tuple(map(put_rule_set, rule_sets.RULE_SETS))
