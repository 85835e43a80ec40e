"""The protocol: everything that travels between a server and its clients, and nothing else.

Idea: a message can hold only what its reader may see, because no type of the server's state can be named here.
Import law: standard library, msgspec and msgpack only; no asyncio, clock or randomness; never put_server or put_client.

The modules, each reading only those before it (an import contract holds them to it):

    cards, seats, text, limits, errors
    shown                                       the cards that an event shows
    table_events, seal_events, games            events; a family of games has its actions, events and view in one module
    table_info, offers, refusals, analysis      what messages hold beside events
    messages, framing -> codecs -> connection   from values to bytes, and both ends of a connection
    tolerance                                   what a client makes of the messages of a later release
    folding                                     views made of changes, for whoever is not sent them whole
    seal                                        sealed deals: how they are made, and how a client checks them
"""

__all__ = ["ACCEPTED_VERSIONS", "DEFAULT_PORT", "PROTOCOL_VERSION"]

PROTOCOL_VERSION = 2
"""The version this library speaks. A server accepts it and the one before.

Version 2 has families of games beside Put, the events `timed_out`, `left_game` and `over`, and the server's words
(`knows`, `says`, `board`); a client of it keeps what it does not know. To a client of version 1 a server tells games of
other families in terms of Put."""

ACCEPTED_VERSIONS = (1, 2)

DEFAULT_PORT = 1674
"""The year of Cotton's *The Compleat Gamester*."""
