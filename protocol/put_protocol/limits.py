"""Limits of the wire, each with its reason. `welcome` lists those that a peer must know."""

FRAME_BYTES = 64 * 1024
"""The longest frame or line, either way. It keeps the first byte of a frame 0, which tells frames from other formats;
and no connection needs a larger buffer. A longer message, such as a lobby of 200 tables, is sent in pieces. The worst
64 KiB, nothing but empty lists and maps, take 6 MiB while they are decoded, one message at a time."""

ARRAY_ITEMS = 1_024
"""The longest list in a server's message: seats, cards, events and tables stay far below it."""

REQUEST_ARRAY_ITEMS = 64
"""The longest list in a client's message. With msgpack's own nesting limit of 1,024 it bounds what hostile headers
can make the decoder reserve to half a megabyte."""

LOBBY_PAGES = 15
"""Pages of the lobby for one reader: 450 tables, which are most often 120 kB."""

MAP_ITEMS = 64
"""The longest map: the largest struct has some 30 fields, the options of a rule set fewer."""

BIN_BYTES = 24 * 1024
"""The longest run of bytes: a part of the state of a blind game. A shuffle has 16 kB, hashes have 32 bytes."""

PAUSE_MINUTES = 31 * 24 * 60
"""The longest pause of a game: a month, for players who meet once a month."""

HELLO_MS = 10_000
"""Time from the first byte of frames or JSON to a complete `hello`. Long enough for a program. A client asks its user
for a password before it connects, not after."""

STRANGER_MS = 120_000
"""Time from connecting to the first byte, which tells how the peer speaks. Where room is short, a silent peer has only
`HELLO_MS`."""

GREETING_MS = 1_000
"""Time from connecting until a silent peer is told, in English, how to begin. A person with a bare connection does not
know that they must type. A program says its `hello` at once; one that did not passes over these lines."""

LATE_GREETING_MS = 5_000
"""The same for a peer on the network that may be about to encrypt. Its first bytes may be lost and sent again, and a
greeting in their place would look like a server that does not encrypt. And for every peer of a server with a page:
browsers open connections before they ask for anything, and take what is sent on them for an answer."""

PLAIN_HELLO_MS = 120_000
"""Time from the first byte of plain English to an accepted name: a person reads, thinks, types, and mistypes."""

PLAIN_TRIES = 10
"""Names or tokens that a person may try on one connection."""

PLAIN_WORDS = 5
"""Words of 16 bits that bring a person back to their seat: as many bits as nobody guesses at one guess a minute."""

PLAIN_BYTES = 4_096
"""The longest line a person types: ten times the longest talk."""

PLAIN_LINES = 64
"""Lines that may wait while an earlier one is not answered yet: enough for pasted text, and a bound on a flood."""

QUIET_MS = 30_000
"""Silence after which a side sends `ping`: within the idle timeouts of home routers."""

DEAD_MS = 75_000
"""Silence after which the other side is taken for gone: the ping was not answered in 45 seconds, which is long for the
worst connection."""

AWAITED_QUIET_MS = 1_000
AWAITED_DEAD_MS = 3_000
"""The same of a person for whose move a table waits: from its last sign of life to a ping, and from that to its answer.
With the tick of a second, the others hear within 5 s why they wait."""

LEAST_QUIET_MS = 250
LEAST_DEAD_MS = 1_000
"""The least of them that a client takes from a server's `welcome`: shorter ones would have it do nothing but ping, and
drop connections that stand."""
