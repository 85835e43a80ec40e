"""Triomphe Forcée: stakes, payments for three cards, and five tricks with a tarot pack.

`rules` has the rule set, its options, what it says of cards (their strength, which may be played, who takes a trick),
and how a sitting stands. The transitions are in `hand` (the deal, the declarations, the tricks and the pool); `machine`
finds which one an input is, and what a player is asked.
"""

from put_rules.game import RuleSet
from put_rules.triomphe.machine import TRIOMPHE_FORCEE

RULE_SETS: tuple[RuleSet, ...] = (TRIOMPHE_FORCEE,)
