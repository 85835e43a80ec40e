"""The solver of two-handed Put: finds a strategy against which no opponent can gain, and writes it to a table.

Idea: for each public history of a hand the solver handles all hands of both players at once. It needs
`put-cards[solve]`: numpy and numba. The form of a hand and of the tables it writes is `put_server.house.put.solved`.
Import law: only `put_server.house.put.solved` of the server.

From the small to the large: `flat` (the tree as arrays), `decisions` (its decisions as rows, and their rounding for
tables), `kernels` (a pass over it, compiled), `hand_solver` (a hand at one score: regrets, averages, best responses),
`game_solver` (all scores), `certificate` (bounds against the best opponent, from a table's bytes), `cli` (the command).
"""

__all__: list[str] = []
"""Empty: import the modules by name."""
