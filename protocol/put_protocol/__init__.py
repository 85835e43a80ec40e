"""The protocol: everything that travels between a server and its clients, and nothing else.

Idea: a message can hold only what its reader may see, because no type of the server's state can be named here.
Import law: standard library, msgspec, msgpack, and coincurve in `blind`; no asyncio, clock or randomness; never
put_server or put_client.

The modules, each reading only those before it (an import contract holds them to it):

    cards, seats, text, limits, errors
    shown                                       the cards that an event shows
    blind_events, table_events, games           events; a family of games has its actions, events and view in one module
    table_info, offers, refusals, analysis      what messages hold beside events
    messages, framing -> codecs -> connection   from values to bytes, and both ends of a connection
    tolerance                                   what a client makes of the messages of a later release
    folding                                     views made of changes, for clients that get no whole views
    parts                                       a message as version 2 tells it
    blind                                       blind deals: how they are made and checked
    rule_sets                                   the packs of the rule sets that are known by name
"""

__all__ = ["ACCEPTED_VERSIONS", "DEFAULT_PORT", "PROTOCOL_VERSION"]

PROTOCOL_VERSION = 3
"""Version of the protocol that this library speaks. A server accepts this version and the previous one.

From version 3 on, a table answers an input with one message to each viewer, which includes the response and the
decision. Version 2 has a separate message for each of these (`parts`)."""

ACCEPTED_VERSIONS = (2, 3)

DEFAULT_PORT = 1674
"""The year of Cotton's *The Compleat Gamester*."""
