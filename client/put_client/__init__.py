"""A player's side of the wire: an SDK for clients, bots, and two ways to show a table to a person.

Idea: a client is thin. It holds no rules: what may be done comes with every decision, what was done comes as events
that say their whole outcome, and `put_text` says both in sentences.
Import law: put_protocol, put_text and, for the terminal, prompt_toolkit; never put_server.

The packages: `sdk` (a connection that survives drops), `fairness` (the checks of sealed deals), `bots` (a bot and what
runs it), `line` and `tui` (two ways to play). `cli` is what a person starts.
"""
