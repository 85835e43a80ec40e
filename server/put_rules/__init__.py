"""The rules, pure: a state and an input give the next state and the resulting facts. Chance is an input, never a call.

Each family has a folder; `registry` lists every rule set. `game` is their common interface, and explains such a machine
and its secrets; `sitting` has what games in sittings share. `driver` plays a game. `facts` keeps secrets from viewers
who may not know them. `record` is a game as its inputs, `live_deal` the deals in play.

Import law: only `put_protocol` of the project.
"""
