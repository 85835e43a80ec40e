"""Primero: betting on hands of four cards.

`rules` has the options, the offer, and the worth of hands. `put_rules.betting` has the rounds of bets, and
`put_rules.sitting` what sittings of all families share. `state` is the state of a sitting, and `play` has its
transitions, from the deal to the showdown. `machine` chooses the transition for an input. `words` has the texts of
decisions.
"""

from put_rules.game import RuleSet
from put_rules.primero.machine import PRIMERO

RULE_SETS: tuple[RuleSet, ...] = (PRIMERO,)
