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
"""The latest successes on one connection, the oldest first: as many as one `hello` may list. A range has the ids of
responses that are an id and no more, as most are."""


def noted(responses: Responses, response: Ok) -> Responses:
    """The responses after another one."""
    number = response.id
    last = responses[-1] if responses else None
    if response.table is not None:
        responses = (*responses, response)
    elif isinstance(last, range) and last.stop == number:
        responses = (*responses[:-1], range(last.start, number + 1))
    else:
        responses = (*responses, range(number, number + 1))
    if sum([len(one) if isinstance(one, range) else 1 for one in responses]) > REQUEST_ARRAY_ITEMS:
        first = responses[0]
        rest = first[1:] if isinstance(first, range) else ()
        responses = (rest, *responses[1:]) if rest else responses[1:]
    return responses


def each(responses: Responses) -> tuple[Ok, ...]:
    return tuple([ok for one in responses for ok in (map(Ok, one) if isinstance(one, range) else (one,))])
