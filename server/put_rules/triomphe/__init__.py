"""Triomphe Forcée: stakes, payments for three cards, and five tricks with a tarot pack.

`rules` has the rule set, its options, and the rules of cards (strength, legal plays, winner of a trick). `machine` has
the transitions (the deal, the declarations, the tricks and the pool), and the texts of decisions.
"""

from put_rules.game import RuleSet
from put_rules.triomphe.machine import TRIOMPHE_FORCEE

RULE_SETS: tuple[RuleSet, ...] = (TRIOMPHE_FORCEE,)
