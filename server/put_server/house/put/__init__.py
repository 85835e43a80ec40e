"""House players for Put and its relatives.

From the small to the large:

- `hand_evaluation` (the end and the strength of a hand), `score_values` (values of scores, and betting thresholds from
  them), `observation` (a seat's knowledge, and deals consistent with it), `opponent_model` (the others' behaviour, and
  so their probable cards), `action_values` (the value of each action), `before_play` (decisions before the first card):
  the parts of `beginner` and `steady`;
- `features` (a decision as numbers), used by `sharp`, which has a learned network;
- `solved` (tables of solved games), used by `perfect`;
- `learned_opponent` (a learned model of one opponent), used by `student`.
"""
