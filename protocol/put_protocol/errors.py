"""Errors of a peer, in one tree: `ProtocolError` covers all of them.

ProtocolError
+-- FramingError      the bytes are no frames or lines: nothing behind them can be read
+-- MessageError      one message does not fit the schema, or came at the wrong time: the next may be good
+-- HandshakeError    the first message was not the one that must come first
+-- NumberingError    an event is missing or came twice
+-- ProofError        a part of a blind deal is malformed, wrong, or not due
"""


class ProtocolError(Exception):
    """The peer broke the protocol. `reason` may be shown to the peer, because it holds none of our state."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class FramingError(ProtocolError):
    """The byte stream cannot be split into messages, so the connection must close."""


class MessageError(ProtocolError):
    """A complete frame or line does not hold a valid message."""

    def __init__(self, reason: str, *, field: str | None = None, request_id: int = 0) -> None:
        super().__init__(reason)
        self.field = field
        """The path of the first bad field, such as `$.action.card`."""
        self.request_id = request_id
        """Id of the request; 0 if it could not be read."""


class HandshakeError(ProtocolError):
    """The peer sent a message before the handshake, or a second handshake."""


class NumberingError(ProtocolError):
    """Events of a table arrived with a gap, or twice."""


class ProofError(ProtocolError):
    """A point, scalar, proof or entry of a blind deal is malformed, does not hold, or is not due."""
