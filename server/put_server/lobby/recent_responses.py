"""Recent responses to one person's requests, replayed after a reconnect.

Every request is carried out at most once and answered exactly once, although the connection may drop in between. A
refused request changed nothing, so only successes are stored. A returning client lists the ids of its unanswered
requests. Each is answered from here: with the same `ok` if it was carried out, otherwise with `not_carried_out`, and
then the client may safely ask again.

This works because the responses are part of the lobby's state. They are noted in the step that carries out the request,
recorded with it, and restored with it; a crash loses both or neither. It would break if a response were noted in
another step; if fewer responses were stored than a client may list in one `hello`; if two programs of one person used
the same ids (`ClientConnection` prevents that); or if a request of the former connection were accepted after the new
connection. `Dispatcher` closes the former connection first. A late `hello` is refused by its incarnation
(`Presence.come_back`), with everything behind it.
"""

from collections.abc import Iterable

from put_protocol.limits import REQUEST_ARRAY_ITEMS
from put_protocol.messages import Ok


class RecentResponses:
    """The latest successes on one connection: as many as one `hello` may list."""

    __slots__ = ("_earlier", "_first", "_long", "_next")

    def __init__(self, responses: Iterable[Ok] = ()) -> None:
        self._earlier: tuple[range, ...] = ()  # of ids; usually empty, because clients count their requests
        self._first = self._next = 0  # the last run, and the id that it goes on with
        self._long: tuple[Ok, ...] = ()  # most responses are an id and no more
        for response in responses:
            self.note(response)

    def note(self, response: Ok) -> None:
        request = response.id
        if request != self._next or self._first == self._next:
            self._earlier += tuple(filter(None, (range(self._first, self._next),)))
            self._first = request
        self._next = request + 1
        if response.table is not None:
            self._long = (*self._long, response)[-REQUEST_ARRAY_ITEMS:]
        if self._next - self._first + sum(map(len, self._earlier)) > REQUEST_ARRAY_ITEMS:
            if self._earlier:
                self._earlier = (*filter(None, (self._earlier[0][1:],)), *self._earlier[1:])
            else:
                self._first += 1

    def find(self, request: int) -> Ok | None:
        """Response to a request; None: it was refused, never arrived, or is too old."""
        return next((response for response in self.all() if response.id == request), None)

    def all(self) -> tuple[Ok, ...]:
        """Every response remembered, oldest first."""
        long = {response.id: response for response in self._long}
        return tuple(
            [
                long.get(request) or Ok(request)
                for run in (*self._earlier, range(self._first, self._next))
                for request in run
            ]
        )
