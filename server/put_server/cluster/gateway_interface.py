"""Interface of a gateway to its own parts."""

from collections.abc import Sequence
from typing import Protocol

from put_protocol.messages import Goodbye, Request, ServerMessage, Welcome
from put_protocol.refusals import RefusalCode
from put_server.cluster.guests import Greeting, Guest, PendingVisit
from put_server.cluster.link_messages import FromGateway


class GatewayInterface(Protocol):
    def send(self, shard: int, item: FromGateway) -> bool:
        """Send an item to a shard; returns whether the shard can be reached."""
        ...

    def is_up(self, shard: int) -> bool:
        """Returns whether the shard can be reached."""
        ...

    def visit(self, guest: Guest, shard: int) -> PendingVisit | None:
        """Begin a guest's visit to a shard; None: the shard cannot be reached."""
        ...

    def answer(self, guest: Guest, message: ServerMessage) -> None:
        """Send a guest a message."""
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
        """Refuse a guest's request, and count the refusal."""
        ...

    def let_in(self, guest: Guest, greeting: Greeting, welcome: Welcome, told: Sequence[bytes | ServerMessage]) -> None:
        """Answer the guest's hello; `told` is sent with the welcome."""
        ...

    def send_away(self, guest: Guest, goodbye: Goodbye) -> None:
        """Say goodbye to the guest, and tell their shards."""
        ...
