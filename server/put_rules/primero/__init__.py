"""Primero: betting on hands of four cards.

`rules` says what a table may choose, how the game is offered, and what a hand is worth. A round of bets is a shared
part, `put_rules.betting`. `state` is how a sitting stands, and `play` has its transitions, from the deal to
the showdown; `machine` finds which one an input is, and what each viewer sees. `words` is what a player is asked.
"""

from put_rules.game import RuleSet
from put_rules.primero.machine import primero_rule_set

RULE_SETS: tuple[RuleSet, ...] = (primero_rule_set(),)
