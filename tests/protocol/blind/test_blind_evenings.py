"""A slice of the evenings that `scripts/soak blind` plays, and input that nobody meant."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from put_protocol.blind.transcript import Entry, Kind, Terms
from put_protocol.errors import ProofError
from tests.protocol.blind.blind_table import BlindTable, in_turn
from tests.protocol.blind.campaign import evening
from tests.repetitions import some


@pytest.mark.parametrize("first", some([8, 0], 2))
def test_whoever_does_their_part_is_never_blamed(first: int) -> None:
    """Cheats are found and named, whatever happens; every view and the record come to the same. The evenings are not
    all calm: no disturbance is so rare that they never meet it."""
    counts: Counter[str] = sum([evening(seed, 2) for seed in range(first, first + 8)], Counter())
    assert {"deals", "refused", "killed", "blamed for shuffle"} <= set(counts)
    assert {"blamed for shares", "blamed for accuse"} & set(counts)


TABLE = BlindTable((1, 2))
TABLE.play(in_turn(2, 4))
ENTRIES = [entry for entry, _ in TABLE.told]


@given(st.binary(max_size=300))
@settings(max_examples=300)
def test_bytes_that_nobody_meant_are_refused(data: bytes) -> None:
    """Any bytes are refused as an entry and as terms, without any other error."""
    for read in (lambda: TABLE.game.taken(data, TABLE.server), lambda: Terms.parse(data)):
        with pytest.raises(ProofError):
            read()


@given(st.sampled_from(ENTRIES), st.sampled_from(Kind), st.integers(0, 255), st.integers(0, 4), st.binary(max_size=80))
@settings(max_examples=300)
def test_entries_that_nobody_meant_are_refused(entry: bytes, kind: Kind, author: int, deal: int, body: bytes) -> None:
    """Whatever kind, author, deal and body an unsigned entry has, it is refused, without any other error."""
    one = Entry.parse(entry)
    head = TABLE.game.transcript.entry(one.author, kind, deal, body).signed
    with pytest.raises(ProofError):
        TABLE.game.taken(bytes([author]) + head[1:] + one.proof, TABLE.server)
