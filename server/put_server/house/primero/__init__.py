"""House players for Primero.

`four_cards` has the worth of four cards. `drawing` has the results of trades, and the chances to win learned from many
hands. `observation` reads a view. `players` has the players.
"""
