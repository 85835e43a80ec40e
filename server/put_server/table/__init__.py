"""One table: who sits and watches, whose turn it is and how long, the purses, and the numbered events.

A table is a machine without I/O: commands and the time go in, effects come out, and a command that is refused raises
and changes nothing. `table` is the machine; `chairs`, `clock` and `ledger` are its parts; `effects` is what it asks
of the world.
"""
