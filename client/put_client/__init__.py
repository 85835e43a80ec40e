"""Everything on a player's side of the wire: a connection that survives drops, bots, and ways to show a table.

Idea: a client is thin. It holds no rules: what may be done comes with every decision, what was done comes as events
that say their whole outcome, and `put_protocol.english` says both in sentences.
Import law: put_protocol and, for the terminal, prompt_toolkit; never put_server.

The modules: errors -> client (the SDK) -> player, thinking, sitting, switchboard -> bot -> bot_cli, with the loading of
a bot's class; line and tui (two ways to play) -> cli (what a person starts).
"""
