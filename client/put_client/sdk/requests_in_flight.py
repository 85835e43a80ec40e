"""Requests in flight, over any number of connections: each gets the server's answer once, or hears that none will come.

A connection that drops loses no request. The next `hello` names those whose answers never came; what was carried out is
answered with the `ok` it had, and what was not is sent again.
"""

import asyncio
from collections.abc import Callable

from put_client.sdk.errors import Refusal, Unanswered
from put_client.sdk.wire import Wire
from put_protocol.messages import Act, Decision, Ok, Refused, Request
from put_protocol.refusals import RefusalCode


class Asked:
    """One request, and the answer it waits for."""

    __slots__ = ("again", "answer", "is_lost", "make", "request")

    def __init__(self, make: Callable[[int], Request]) -> None:
        self.make = make
        """The request, with the id it is given."""
        self.answer: asyncio.Future[Ok] = asyncio.get_running_loop().create_future()
        self.request: Request | None = None
        """As it was sent last; None: not yet."""
        self.is_lost = False
        """The connection it was sent on has dropped."""
        self.again: Decision | None = None
        """The decision it answers, which the server has sent again meanwhile."""

    @property
    def kind(self) -> str:
        """Its type on the wire."""
        return str(self.request.__struct_config__.tag) if self.request is not None else ""


class InFlight:
    """The requests whose answers are due."""

    def __init__(self) -> None:
        self._asked: dict[int, Asked] = {}
        self._decided: dict[int, int] = {}
        """By table: the last decision that was answered."""

    def __len__(self) -> int:
        return len(self._asked)

    @property
    def ids(self) -> tuple[int, ...]:
        """Oldest first."""
        return tuple(self._asked)

    def send(self, asked: Asked, wire: Wire) -> None:
        """Send a request, or send it again."""
        self.forget(asked)
        request = asked.make(wire.connection.next_id())
        asked.request, asked.is_lost = request, False
        self._asked[request.id] = asked
        wire.send(request)

    def forget(self, asked: Asked) -> None:
        """Nobody waits for this answer any more."""
        if asked.request is not None:
            self._asked.pop(asked.request.id, None)

    def answer(self, message: Ok | Refused, wire: Wire) -> Request | None:
        """Give an answer to whoever waits for it; they may have given up, or never have been. The request, if known."""
        asked = self._asked.get(message.id)
        if asked is None or asked.answer.done():
            return None
        request = asked.request
        match message:
            case Ok():
                if isinstance(asked.request, Act):
                    self._decided[asked.request.table] = asked.request.decision
                asked.answer.set_result(message)
            case Refused(code=RefusalCode.NOT_CARRIED_OUT) if asked.is_lost:
                self.send(asked, wire)
            case Refused(code=code, says=says):
                asked.answer.set_exception(Refusal(code, says, message.field, message.retry_after_ms))
        return request

    def has_answered(self, decision: Decision) -> bool:
        """Whether this decision was answered, or an answer is on its way: after a drop it comes again, and is no news.

        A question whose answer is on its way is kept with it: should that never arrive, it is news after all.
        """
        if decision.decision <= self._decided.get(decision.table, 0):
            return True
        for asked in self._asked.values():
            match asked.request:
                case Act(table=decision.table, decision=decision.decision) if not asked.answer.done():
                    asked.again = decision
                    return True
        return False

    def leave(self, table: int) -> None:
        """We are at this table no more."""
        self._decided.pop(table, None)

    def lose(self) -> None:
        """The connection dropped."""
        for asked in self._asked.values():
            asked.is_lost = True

    def give_up(self, reason: str) -> None:
        """Tell everyone that their answer will not come."""
        for asked in self._asked.values():
            if not asked.answer.done():
                asked.answer.set_exception(Unanswered(asked.kind, reason))
