"""House players of Triomphe Forcée.

`tarot` has the cards as numbers and what they are worth by themselves; `reading` reads a view: what is known of the
hands of others; `players` has the players, and plays hands to their end by a simple policy.
"""
