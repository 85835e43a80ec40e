"""One table: who sits and watches, whose turn it is and how long, the purses, and the numbered events.

A table is a machine without I/O: commands and the time go in, effects come out, and a command that is refused raises
and changes nothing. `table` has the commands. `table_model` is the state, in parts: `seating`, `game_in_play` (the
game), `table_deals` and `blind_deals`, `clock`, `pause`, `event_log`. `game_runner` advances the game, and `publisher`
makes the messages; `clock` limits how often news is sent. `table_effects` has the effects, `table_checkpoint` the
checkpoint in the journal.
"""
