"""House players for Primero.

`four_cards` says what four cards are worth, and `drawing` what they may become by a trade. `observation` reads a view.
`players` has the players. `practice` is what was learned by playing many hands: which of them win.
"""
