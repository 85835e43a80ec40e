"""House players for Primero.

`four_cards` says what four cards are worth, and `drawing` what they may become by a trade. `observation` reads a view.
`beginner`, `steady` and `sharp` are the players. `spots` describes a decision of the betting by a number, and
`practice` is what sharp has learned to do there.
"""
