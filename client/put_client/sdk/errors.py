"""Errors of the connection and its requests. One tree: `except ClientError` catches all of them.

    ClientError
    +-- NoServer        no server could be reached: nothing was sent, or nothing listens
    +-- CannotTrust     it may not be the server that it should be, so there is no connection
    |   +-- KeyChanged      its key is not the one it had
    |   +-- NotVerified     its certificate is not valid for the host, and it was before
    |   +-- NotEncrypted    it does not speak TLS, and it did before
    +-- Rejected        the server answered `hello` with a refusal
    +-- Refusal         one request was refused; it changed nothing and the connection goes on
    +-- Unanswered      one request's answer never came: it may have been carried out, or not
    +-- Disconnected    the connection is over for good
    +-- BadServer       what came breaks the protocol: no put server, or a broken one
    +-- Cheated         a deal or a game was not fair: nothing more is played at that table

Each has fields for programs; its `str` is a sentence for a person.
"""

from pathlib import Path

from msgspec import Struct

from put_protocol.text import clause, printable, sentence
from put_text.catalogue import say


class ClientError(Exception):
    """The server or the connection failed. `str` is the sentence."""


class NoServer(ClientError):
    """No put server could be reached at this address."""

    def __init__(self, host: str, port: int, reason: str) -> None:
        super().__init__(say("client-no-put-server", address=printable(address(host, port)), reason=reason))
        self.host = host
        self.port = port
        self.reason = reason


class HungUp(NoServer):
    """The connection was accepted, but dropped before the server's welcome. We may be admitted all the same."""


class CannotTrust(ClientError):
    """It may be a different server. Nothing was sent to it."""


class KeyChanged(CannotTrust):
    """The server's key is not the remembered or required one."""

    def __init__(self, server: str, expected: str, found: str) -> None:
        super().__init__(say("client-key-changed", server=printable(server), expected=expected, found=found))
        self.server = server
        self.expected = expected
        self.found = found


class NotVerified(CannotTrust):
    """The server once had a certificate for its host name, and has none now."""

    def __init__(self, server: str, reason: str, found: str) -> None:
        message = "client-not-verified" if found else "client-not-verified-later"
        super().__init__(say(message, server=printable(server), reason=clause(reason), found=found))
        self.server = server
        self.reason = reason
        self.found = found
        """Fingerprint of its key; empty: unavailable."""


class NotEncrypted(CannotTrust):
    """The server does not speak TLS."""

    def __init__(self, server: str, *, was: bool) -> None:
        message = "client-no-longer-encrypted" if was else "client-cannot-encrypt"
        super().__init__(say(message, server=printable(server)))
        self.server = server
        self.was_encrypted = was


class Rejected(ClientError):
    """The answer to `hello` was a goodbye."""

    def __init__(self, code: str, says: str) -> None:
        super().__init__(say("client-rejected", why=clause(says)))
        self.code = code
        """A `RefusalCode`, or the code of a goodbye without one."""
        self.says = says


class Refusal(ClientError):
    """The server refused a request, which changed nothing."""

    def __init__(self, code: str, says: str, field: str | None = None, retry_after_ms: int | None = None) -> None:
        super().__init__(sentence(says))
        self.code = code
        """A `RefusalCode`."""
        self.says = says
        self.field = field
        self.retry_after_ms = retry_after_ms


class Unanswered(ClientError):
    """A request was sent, but no answer came. For an `act`, the decision may be sent again."""

    def __init__(self, request: str, reason: str) -> None:
        super().__init__(say("client-unanswered", request=repr(request), reason=reason))
        self.request = request
        """Type of the request on the wire, such as `act`."""
        self.reason = reason


class Disconnected(ClientError):
    """The connection ended and will not come back."""

    def __init__(self, code: str, says: str) -> None:
        super().__init__(say("client-over", why=clause(says)))
        self.code = code
        """Code of the server's goodbye; `lost`: none; `closed`: this client closed it; a `RefusalCode`: we were refused
        on return."""
        self.says = says


class BadServer(ClientError):
    """The server broke the protocol."""

    def __init__(self, reason: str) -> None:
        super().__init__(say("client-bad-server", why=clause(reason)))
        self.reason = reason


class Objection(Struct, frozen=True):
    """A fault in a deal or a game."""

    says: str
    """A sentence for people, with the players' names."""
    deal: int = 0
    """Number of the deal in play; 0: there was none."""


class Cheated(ClientError):
    """A deal at this table failed its checks, or messages about a game contradict its rules."""

    def __init__(self, table: int, failures: tuple[Objection, ...], evidence: Path | None) -> None:
        says = " ".join(failure.says for failure in failures)
        super().__init__(say("client-unfair-game", table=table, says=says))
        self.table = table
        self.failures = failures
        """Failed checks; at least one."""
        self.evidence = evidence
        """File with all data received about the deal; None: it could not be written."""


def address(host: str, port: int) -> str:
    """The address for people; an IPv6 host is in brackets."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
