"""Responses that are remembered for who comes back."""

from collections import deque
from functools import reduce

from hypothesis import given
from hypothesis import strategies as st

from put_protocol.limits import REQUEST_ARRAY_ITEMS
from put_protocol.messages import Ok
from put_server.lobby.recent_responses import each, noted

RUNS = st.lists(st.tuples(st.integers(1, 2**53 - 200), st.integers(1, 80)), max_size=8)


@given(RUNS, st.sets(st.integers(0, 300)))
def test_responses_are_the_last_as_many_as_may_be_asked_after(runs: list[tuple[int, int]], long: set[int]) -> None:
    """However their ids are counted, and whichever of them say more."""
    ids = list(dict.fromkeys(request for first, length in runs for request in range(first, first + length)))
    responses = [Ok(request, table=1 if place in long else None) for place, request in enumerate(ids)]
    kept = deque(responses, maxlen=REQUEST_ARRAY_ITEMS)
    assert each(reduce(noted, responses, ())) == tuple(kept)
