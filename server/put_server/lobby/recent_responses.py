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

from collections.abc import Iterable

from put_protocol.limits import REQUEST_ARRAY_ITEMS
from put_protocol.messages import Ok


class RecentResponses:
    """The last successes on one connection: as many as a client may ask after in one list."""

    __slots__ = ("_long", "_runs")

    def __init__(self, responses: Iterable[Ok] = ()) -> None:
        self._runs: list[range] = []  # of ids, for clients count their requests
        self._long: tuple[Ok, ...] = ()  # most responses are an id and no more
        for response in responses:
            self.note(response)

    def note(self, response: Ok) -> None:
        runs, request = self._runs, response.id
        if runs and request == runs[-1].stop:
            runs[-1] = range(runs[-1].start, request + 1)
        else:
            runs.append(range(request, request + 1))
        if response.table is not None:
            self._long = (*self._long, response)[-REQUEST_ARRAY_ITEMS:]
        if sum(map(len, runs)) > REQUEST_ARRAY_ITEMS:
            runs[:1] = filter(None, (runs[0][1:],))

    def find(self, request: int) -> Ok | None:
        """The response to a request; None: it was refused, never came, or is too long ago."""
        return next((response for response in self.all() if response.id == request), None)

    def all(self) -> tuple[Ok, ...]:
        """Every response remembered, oldest first."""
        long = {response.id: response for response in self._long}
        return tuple([long.get(request) or Ok(request) for run in self._runs for request in run])
