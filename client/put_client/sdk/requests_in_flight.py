"""Requests in flight, over any number of connections: each gets the server's answer once, or fails as `Unanswered`.

A connection that drops loses no request. The next `hello` names those whose answers never came; what was carried out is
answered with the `ok` it had, and what was not is sent again.
"""

import asyncio
from collections.abc import Callable

from put_client.sdk.elapsed import ElapsedClock
from put_client.sdk.errors import Refusal, Unanswered
from put_client.sdk.wire import Wire
from put_protocol.messages import Act, Decision, Ok, Refused, Request
from put_protocol.refusals import RefusalCode


class RequestInFlight:
    """One request and the future of its answer."""

    __slots__ = ("answer", "held_back", "is_lost", "make", "request", "sent")

    def __init__(self, make: Callable[[int], Request]) -> None:
        self.make = make
        """Makes the request with an id."""
        self.answer: asyncio.Future[Ok] = asyncio.get_running_loop().create_future()
        self.request: Request | None = None
        """The request as it was sent last; None: not yet."""
        self.sent = 0.0
        """Time of that."""
        self.is_lost = False
        """The connection it was sent on dropped."""
        self.held_back: Decision | None = None
        """The decision it answers, where the server has sent that again meanwhile."""

    @property
    def kind(self) -> str:
        """Its type on the wire."""
        return str(self.request.__struct_config__.tag) if self.request is not None else ""


class RequestsInFlight:
    def __init__(self, clock: ElapsedClock) -> None:
        self._clock = clock
        self._pending: dict[int, RequestInFlight] = {}
        self._answered: dict[int, int] = {}
        """The last decision that was answered, by table."""
        self.heard = 0.0
        """Time at which the latest answered request was sent; 0: none was answered."""

    def __len__(self) -> int:
        return len(self._pending)

    @property
    def ids(self) -> tuple[int, ...]:
        """Ids of requests without an answer, oldest first."""
        return tuple(self._pending)

    def send(self, pending: RequestInFlight, wire: Wire) -> None:
        """Send a request, for the first time or again."""
        self.forget(pending)
        request = pending.make(wire.connection.next_id())
        pending.request, pending.is_lost, pending.sent = request, False, self._clock.now()
        self._pending[request.id] = pending
        wire.send(request)

    def forget(self, pending: RequestInFlight) -> None:
        """Drop a request whose answer is no longer wanted."""
        if pending.request is not None:
            self._pending.pop(pending.request.id, None)

    def answer(self, message: Ok | Refused, wire: Wire) -> Request | None:
        """Resolve the request this answers. Returns it; None if no task waits for the answer."""
        pending = self._pending.get(message.id)
        if pending is None or pending.answer.done():
            return None
        request, self.heard = pending.request, max(self.heard, pending.sent)
        match message:
            case Ok():
                if isinstance(pending.request, Act):
                    self._answered[pending.request.table] = pending.request.decision
                pending.answer.set_result(message)
            case Refused(code=RefusalCode.NOT_CARRIED_OUT) if pending.is_lost:
                self.send(pending, wire)
            case Refused(code=code, says=says):
                pending.answer.set_exception(Refusal(code, says, message.field, message.retry_after_ms))
        return request

    def has_answered(self, decision: Decision) -> bool:
        """This decision was answered, or an answer is in flight: after a drop the server sends it again.

        In flight, the decision is held back with the answer: if that never arrives, it is delivered after all.
        """
        if decision.decision <= self._answered.get(decision.table, 0):
            return True
        for pending in self._pending.values():
            match pending.request:
                case Act(table=decision.table, decision=decision.decision) if not pending.answer.done():
                    pending.held_back = decision
                    return True
        return False

    def leave(self, table: int) -> None:
        """Forget a table we have left."""
        self._answered.pop(table, None)

    def lose(self) -> None:
        """Note that the connection dropped."""
        for pending in self._pending.values():
            pending.is_lost = True

    def give_up(self, reason: str) -> None:
        """Fail every request as `Unanswered`."""
        for pending in self._pending.values():
            if not pending.answer.done():
                pending.answer.set_exception(Unanswered(pending.kind, reason))
