"""Every limit of the wire, with its reason. What a peer must know of them is told in `welcome`."""

FRAME_BYTES = 64 * 1024
"""The longest frame or line, either way. It keeps the first byte of a frame 0, by which frames are known; and a
connection never needs a larger buffer. The longest real message, a lobby of 200 tables, is sent in pieces. The worst
64 KiB, nothing but empty lists and maps, are 6 MiB while they are decoded, one message at a time."""

ARRAY_ITEMS = 1_024
"""The longest list in a server's message: seats, cards, events and tables stay far below it."""

REQUEST_ARRAY_ITEMS = 64
"""The longest list in a client's message. With msgpack's own nesting limit of 1,024 it bounds what hostile headers
can make the decoder reserve to half a megabyte."""

MAP_ITEMS = 64
"""The longest map: the largest struct has some 30 fields, the options of a rule set fewer."""

BIN_BYTES = 32
"""The longest run of bytes: a hash. Nothing else travels as bytes."""

PAUSE_MINUTES = 31 * 24 * 60
"""The longest pause of a game: a month, for who plays on the same evening of each."""

HELLO_MS = 10_000
"""From the first byte of frames or JSON to a complete `hello`. Long enough for a program, and for a person to be asked
for a password beforehand, not after."""

STRANGER_MS = 120_000
"""From connecting to the first byte, by which it is known how one speaks. A person with a bare connection does not
know yet that they must type, and cannot be told: a greeting would spoil the frames and the JSON of all others. Where
room is short nobody is silent for longer than `HELLO_MS`."""

PLAIN_HELLO_MS = 120_000
"""From the first byte of plain English to a name that will do: a person reads, thinks, types, and mistypes."""

PLAIN_TRIES = 10
"""Names, or words to come back with, that a person may try on one connection."""

PLAIN_BYTES = 4_096
"""The longest line a person types: ten times the longest talk."""

PLAIN_LINES = 64
"""Lines that may wait while an earlier one is not answered yet: what somebody pastes, not what somebody pours."""

QUIET_MS = 30_000
"""Silence after which a side sends `ping`: within the idle timeouts of home routers."""

DEAD_MS = 75_000
"""Silence after which the other side is taken for gone: the ping has not been answered, though a bad connection had
three quarters of a minute to carry it."""
