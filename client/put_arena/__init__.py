"""Matches between programs: every deal is played again with the seats changed, so that luck cancels.

Idea: bots never meet each other here. Each plays in a process of its own over the protocol, against a server that was
started for the match and repeats its packs from a seed; what a game came to is taken from the server and from nobody
else. So any mix of Python classes, other people's programs and house players is measured alike, no bot sees more than a
seat, and one that hangs, dies, cheats or floods costs itself its games and nobody else theirs.
Import law: put_client and put_protocol; the server is a process, never an import.

The modules: competitors, schedule, reckoning, ratings -> results -> report (pure: who plays whom, and what comes of
it); runner (in a bot's process), processes, tap -> booths (the players) -> director, saving (one server's tables) ->
contest (all of them) -> progress, cli.
"""
