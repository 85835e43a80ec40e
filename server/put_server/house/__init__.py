"""The house's players, who make up a table when guests are few.

Idea: a house player is a function of what its seat sees and of the dice it was given. It cannot cheat, because nothing
it could cheat with can be named here.
Import law: standard library and put_protocol only; never another package of the server. Of `random`, the type alone:
whoever makes a player hands it its dice, seeded or not.

From the small to the large: `betting_thresholds` (when sensible people put and see) and `score_values` (what a score is
worth); `duel` and `playout` (how a hand ends when two or more play it out), `strength` (how good it looks) and
`holdings` (what may be dealt); `observation` (what a seat knows, and the deals that fit it), `others` (what those do
with them), `last_say` and `weighing` (what each choice is worth); `before_play` (what is settled before the play);
`rank_hand` (a hand by ranks alone), `view_reading` (a view as such a hand) and `policy_network` (what was learned of
them); `mixture` (what a player does, as likelihoods); `solved` (the solver's tables); `beginner`, `steady`, `sharp` and
`perfect` (players), `player` (what a player is, and which there are).
"""
