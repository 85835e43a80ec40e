"""One table: who sits and watches, whose turn it is and how long, the purses, and the numbered events.

A table is a machine without I/O: commands and the time go in, effects come out, and a command that is refused raises
and changes nothing. `table` is what can be done to it, `picture` how it stands and is told, `seating` who is there;
`chairs`, `clock`, `event_log`, `pause`, `play` and `sealing` are its parts; `effects` is what it asks of the world.
"""
