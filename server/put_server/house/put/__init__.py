"""House players for Put and its relatives.

From the small to the large:

- `hand_evaluation` (how a hand ends, and how strong it looks), `score_values` (what a score is worth, and the betting
  thresholds that follow), `observation` (what a seat knows, and the deals that fit it), `opponent_model` (what the
  others do, and so what they probably hold), `action_values` (what each action is worth), `before_play` (decisions
  before the first card): the parts of `beginner` and `steady`;
- `rank_hand` (a hand by ranks alone, fit to be compiled) and `view_reading` (a view as such a hand): the parts of
  `sharp`, which has the network of what was learned;
- `solved` (tables of solved games): what `perfect` plays from;
- `learned_opponent` (what one opponent does, as counted): what `student` plays against.
"""
