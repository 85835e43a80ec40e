"""Recent responses to one person's requests, replayed after a reconnect.

Every request is carried out at most once and answered exactly once, although the connection may drop between the two.
A request that was refused changed nothing, so only successes are remembered. A client that comes back lists the ids of
the requests whose answers it did not hear. Each is answered from here: with the same `ok`, if it was carried out, and
else with `not_carried_out`, after which the client may safely ask again.

That holds because the responses are part of the lobby's state. They are noted in the same step that carries out the
request, recorded with it, and restored with it; a crash takes back both or neither. What would break it: to note a
response anywhere but in that step, to remember fewer responses than a client may list in one hello, or to accept a
request of the former connection after its successor has come. `Dispatcher` ends the former one first, and a hello that
its successor overtook is turned away by its incarnation (`Presence.come_back`), with everything sent behind it.
"""

from array import array
from collections.abc import Iterable

from put_protocol.limits import REQUEST_ARRAY_ITEMS
from put_protocol.messages import Ok


class RecentResponses:
    """The last successes on one connection: as many as a client may ask after in one list."""

    __slots__ = ("_ids", "_long")

    def __init__(self, responses: Iterable[Ok] = ()) -> None:
        self._ids = array("Q")  # eight bytes each: most responses are an id and no more
        self._long: dict[int, Ok] = {}
        for response in responses:
            self.note(response)

    def note(self, response: Ok) -> None:
        self._ids.append(response.id)
        if response.table is not None:
            self._long[response.id] = response
        if len(self._ids) > REQUEST_ARRAY_ITEMS:
            self._long.pop(self._ids.pop(0), None)

    def find(self, request: int) -> Ok | None:
        """The response to a request; None: it was refused, never came, or is too long ago."""
        return self._long.get(request) or (Ok(request) if request in self._ids else None)

    def all(self) -> tuple[Ok, ...]:
        """Every response remembered, oldest first."""
        return tuple([self._long.get(request) or Ok(request) for request in self._ids])
