"""Desk: what the parts of a gateway ask of it."""

from collections.abc import Sequence
from typing import Protocol

from put_protocol.messages import Goodbye, Request, ServerMessage, Welcome
from put_protocol.refusals import RefusalCode
from put_server.cluster.guests import Coming, Greeting, Guest
from put_server.cluster.link_messages import FromGateway


class Desk(Protocol):
    """The gateway, as its parts see it."""

    def send(self, shard: int, item: FromGateway) -> bool:
        """Returns whether the shard can be reached."""
        ...

    def is_up(self, shard: int) -> bool:
        """Whether it can be reached."""
        ...

    def visit(self, guest: Guest, shard: int) -> Coming | None:
        """Have somebody come to a shard as a visitor; None: it cannot be reached."""
        ...

    def answer(self, guest: Guest, message: ServerMessage) -> None:
        """Tell somebody something."""
        ...

    def refuse(
        self,
        guest: Guest,
        request: Request,
        code: RefusalCode,
        says: str,
        *,
        field: str | None = None,
        retry_after_ms: int | None = None,
    ) -> None:
        """Refuse what somebody asked, and count it."""
        ...

    def let_in(self, guest: Guest, greeting: Greeting, welcome: Welcome, told: Sequence[bytes | ServerMessage]) -> None:
        """Answer their hello; `told`: what comes with the welcome."""
        ...

    def send_away(self, guest: Guest, goodbye: Goodbye) -> None:
        """Say goodbye to them, and let their shards know."""
        ...
