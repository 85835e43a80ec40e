"""Solved games: the solver's tables, and the entry in them for a seat's view.

Idea: suits do not matter, so a hand of three is one of 455 sets of ranks, and the public history is the ranks played
and the words said. A table has the frequency of each move, for each score and public history. Playing from a table
needs only Python; `put_solver` writes the tables.

From the small to the large: `rank_sets` (hands as sets of ranks), `tree` (the course of a hand, and the place of each
decision in a table), `payoffs` (worth of a hand's end at a score), `solution_table` (files of solved games), `position`
(a seat's view as a place in a table), `move_values` (worth of each move there).
"""
