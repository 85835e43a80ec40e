"""House players for Primero.

`four_cards` says what four cards are worth, and `drawing` what they may become by a trade, with what was learned by
playing many hands: which of them win. `observation` reads a view. `players` has the players.
"""
