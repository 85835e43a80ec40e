"""Checks of games by their rules, and the results of all checks, for people.

The modules: `replay` (a game by the rules, from one viewer's events) -> `referee` (all messages of a table, or a
recorded game); `fairness_text` (sentences) -> `verify` (`put-verify`, which checks a recorded game). No other module
of the client knows a rule.
"""
