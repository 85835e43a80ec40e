"""Two-handed Put, solved: how to play it so that nobody can gain on you, found once and written to a table.

Idea: suits do not matter, so a hand of three is one of 455 sets of ranks, and all that both know is which ranks were
played and what was said. For each such public history the solver weighs all hands of both at once.

From the small to the large: `sets` (hands as sets of ranks), `spots` (the course of a hand, and where in a table each
decision stands), `payoffs` (what a hand's end is worth at a score), `table` (the file of a solved game), `shipped`
(those there are), `position` (what a seat sees, as a place in one). These need nothing but Python, for playing needs
no more.

To solve and to verify, `put[solve]` brings numpy and numba: `compiling`, `flat` (the tree as arrays), `kernels` (a pass
over it), `rounding` and `answers` (what of it a table keeps), `stage` (a hand at one score: regrets, averages, best
responses), `game` (all scores of a game), `checking` (what the best opponent wins from a table's bytes), `cli` (the
command).
"""
