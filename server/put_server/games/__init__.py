"""The rules, pure: a state and an input give a state and the facts that came of it. Chance is an input, never a call.

A folder a family; `registry` lists every rule set. `game` is the interface they share, `hidden` and `facts` are how
a secret is kept from those who may not know it.
"""
