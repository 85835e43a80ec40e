"""Solved games: the tables that the solver wrote, and the place in them that a seat's view comes to.

Idea: suits do not matter, so a hand of three is one of 455 sets of ranks, and all that both players know is which ranks
were played and what was said. A table holds, for each score and each such public history, how often to do what.
Playing from a table needs nothing but Python; what writes one is `put_solver`.

From the small to the large: `rank_sets` (hands as sets of ranks), `tree` (the course of a hand, and where in a table
each decision stands), `payoffs` (what a hand's end is worth at a score), `solution_table` (the file of a solved game,
and those shipped), `position` (what a seat sees, as a place in one), `move_values` (what each move is worth there).
"""
