"""Limits of the wire, each with its reason. `welcome` lists the limits that a peer must know."""

FRAME_BYTES = 64 * 1024
"""The longest frame or line, either way. It keeps the first byte of a frame 0, which tells frames from other formats,
and it bounds the buffer of a connection. A longer message, such as a lobby of 200 tables, is sent in pieces. The worst
64 KiB, only empty lists and maps, take 6 MiB while they are decoded, one message at a time."""

ARRAY_ITEMS = 1_024
"""The longest list in a server's message. Lists of seats, cards, events and tables are far shorter."""

REQUEST_ARRAY_ITEMS = 64
"""The longest list in a client's message. With msgpack's own nesting limit of 1,024 it bounds what hostile headers
can make the decoder reserve to half a megabyte."""

LOBBY_PAGES = 15
"""Pages of the lobby for one reader: 450 tables, usually 120 kB."""

MAP_ITEMS = 64
"""The longest map: the largest struct has some 30 fields, the options of a rule set fewer."""

BIN_BYTES = 24 * 1024
"""The longest run of bytes: a part of the state of a blind game. A shuffle has 16 kB, hashes have 32 bytes."""

PAUSE_MINUTES = 31 * 24 * 60
"""The longest pause of a game: a month, for players who meet once a month."""

HELLO_MS = 10_000
"""Time from the first byte of frames or JSON to a complete `hello`. This is enough for a program, because a client asks
its user for a password before it connects."""

STRANGER_MS = 120_000
"""Time from connecting to the first byte, which shows the codec. If places are short, a silent peer has `HELLO_MS`."""

GREETING_MS = 1_000
"""Time from connecting until a silent peer gets a greeting in English, because a person with a bare connection may not
know that they must type. A program says `hello` at once; a slow program skips the greeting."""

LATE_GREETING_MS = 5_000
"""The same delay for a peer on the network that may start TLS: its first bytes may be lost and sent again, and a
greeting would then look like a server without encryption. It also holds for every peer of a server with a page, because
browsers open connections early and take a greeting for an HTTP response."""

PLAIN_HELLO_MS = 120_000
"""Time from the first byte of plain English to an accepted name: a person reads, thinks, types, and mistypes."""

PLAIN_TRIES = 10
"""Names or tokens that a person may try on one connection."""

PLAIN_WORDS = 5
"""Words of 16 bits that bring a person back to their seat: too many bits to guess at one guess a minute."""

PLAIN_BYTES = 4_096
"""The longest line a person types: ten times the longest talk."""

PLAIN_LINES = 64
"""Lines that may wait for the response to an earlier line: enough for pasted text, and a limit for a flood."""

QUIET_MS = 30_000
"""Silence after which a side sends `ping`: within the idle timeouts of home routers."""

DEAD_MS = 75_000
"""Silence after which the peer counts as gone: no answer to a ping in 45 seconds, long even for a bad connection."""

AWAITED_QUIET_MS = 1_000
AWAITED_DEAD_MS = 3_000
"""Silence of a player whose move a table awaits: first until a ping is sent, then until the player counts as gone. With
the timer of one second, the other players learn within 5 s why they wait."""

LEAST_QUIET_MS = 250
LEAST_DEAD_MS = 1_000
"""The shortest of these times that a client accepts from `welcome`. With shorter ones the client would only send pings,
and drop good connections."""
