"""House players of Triomphe Forcée.

`tarot` has the cards as numbers and their worth; `reading` reads a view, including what it shows of other hands;
`players` has the players, and plays hands to their end by a simple policy.
"""
