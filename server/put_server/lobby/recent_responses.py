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

from put_protocol.limits import REQUEST_ARRAY_ITEMS
from put_protocol.messages import Ok

Responses = tuple[Ok | range, ...]
"""The latest successes on one connection, the oldest first: those that one `hello` may list, at least. A range has the
ids of responses that are an id and no more, as most are."""


def noted(responses: Responses, response: Ok) -> Responses:
    """The responses after another one."""
    number = response.id
    last = responses[-1] if responses else None
    if response.table is not None:
        return (*responses, response)[-REQUEST_ARRAY_ITEMS:]
    if isinstance(last, range) and last.stop == number:
        return (*responses[:-1], range(max(last.start, number + 1 - REQUEST_ARRAY_ITEMS), number + 1))
    return (*responses, range(number, number + 1))[-REQUEST_ARRAY_ITEMS:]


def each(responses: Responses) -> tuple[Ok, ...]:
    """The latest responses, at most as many as one `hello` may list."""
    found = [ok for one in responses for ok in (map(Ok, one) if isinstance(one, range) else (one,))]
    return tuple(found[-REQUEST_ARRAY_ITEMS:])
