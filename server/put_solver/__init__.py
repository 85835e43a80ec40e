"""The solver of two-handed Put: it finds how to play so that no opponent can gain on you, and writes it to a table.

Idea: for each public history of a hand the solver weighs all hands of both players at once. It needs
`put-cards[solve]`: numpy and numba. The form of a hand and of the tables it writes is `put_server.house.put.solved`.
Import law: `put_server.house.put.solved`, and nothing else of the server.

From the small to the large: `flat` (the tree as arrays), `kernels` (a pass over it, compiled), `rounding` (what of a
strategy a table keeps), `hand_solver` (a hand at one score: regrets, averages, best responses), `game_solver` (all
scores), `certificate` (what the best opponent wins from a table's bytes), `cli` (the command).
"""

__all__: list[str] = []
"""Nothing at the top: import the modules by name."""
