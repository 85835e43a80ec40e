"""House players of Triomphe Forcée.

`tarot` has the cards as numbers and what they are worth by themselves; `reading` reads a view: what is known of the
hands of others; `play_out` plays a hand to its end by a simple policy; `players` has the players.
"""
