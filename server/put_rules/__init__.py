"""The rules, pure: a state and an input give a state and the facts that came of it. Chance is an input, never a call.

A folder a family; `registry` lists every rule set. `game` is the interface they share, and says how such a machine
works and where its secrets are. `driver` plays one. `facts` is how a secret is kept from those who may not know it.
`record` is a game as its inputs, `live_deal` what is kept of a deal.

Import law: `put_protocol` and nothing else of the project.
"""
