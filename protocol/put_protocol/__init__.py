"""The protocol: all that travels between a table and those who sit at it or watch it, and nothing else.

Idea: a message can hold only what its reader may see, because no type of the server's state can be named here.
Import law: standard library, msgspec and msgpack only; no asyncio, clock or randomness; never put_server or put_client.

The modules read from the small to the large: cards, seats, text -> actions, events, views -> messages, refusals ->
framing, codecs -> connection. `english` turns events into sentences for whoever has no screen to draw on.
"""

PROTOCOL_VERSION = 1
"""The version this library speaks. A server accepts it and the one before."""

ACCEPTED_VERSIONS = (1,)

DEFAULT_PORT = 1674
"""The year of Cotton's *The Compleat Gamester*."""
