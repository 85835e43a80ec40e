"""One table: who sits and watches, whose turn it is and how long, the purses, and the numbered events.

A table is a machine without I/O: commands and the time go in, effects come out, and a command that is refused raises
and changes nothing. `table` has the commands. `model` is the state, in parts: `seating`, `play` (the game), `deals` and
`sealing`, `clock`, `pause`, `event_log`. `game_runner` moves the game on, and `publisher` makes the messages. `effects`
is what a table asks of the world, `checkpoint` what the journal keeps of it.
"""
