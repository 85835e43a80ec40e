"""What is kept of each input."""

from typing import get_args

import pytest

from put_protocol.actions import Play, Put, See, ThrowIn
from put_protocol.cards import Card
from put_protocol.messages import (
    Act,
    Again,
    Dismiss,
    Invite,
    Leave,
    Look,
    LookAway,
    OpenTable,
    Request,
    Resign,
    Say,
    Seen,
    Sit,
    Stand,
    Watch,
)
from put_protocol.seats import Seat
from put_server.journal.records import decode, encode
from put_server.lobby.inputs import Arrive, Ask, Depart, Drain, Input, Lose, Restart, Return, Shuffled, Tick
from put_server.table.effects import PersonId, TableId

ANN, TABLE = PersonId(3), TableId(9)

REQUESTS: list[Request] = [
    Look(1),
    LookAway(2),
    OpenTable(3, "put-1674"),
    OpenTable(2**53 - 1, "put-1674", 4, {"target": 7, "cut": "low"}, 30, 60, "s\u00e9same", gallery=False),
    Sit(4, 9),
    Sit(4, 9, Seat(3), "sesame"),
    Stand(5, 9),
    Watch(6, 9, "sesame"),
    Leave(7, 9),
    Resign(8, 9),
    Invite(9, 9, Seat(1), "steady"),
    Dismiss(10, 9, Seat(1)),
    Again(11, 9),
    *[Act(12, 9, 5, action) for action in (Play(Card("10h")), Put(), See(), ThrowIn())],
    Say(13, 9, "I have \U0001f0a1"),
]

INPUTS: list[Input] = [
    Arrive("Ann \u00e9", is_bot=True, token=b"\x00\xff" * 16),
    Return(b"\x01" * 32, (Seen(9, 0), Seen(10, 2**53 - 1))),
    Return(b"", ()),
    *[Ask(ANN, request) for request in REQUESTS],
    Lose(ANN),
    Depart(ANN),
    Shuffled(TABLE, tuple(Card(card) for card in ("3s", "10h", "Ad"))),
    Tick(),
    Drain(),
    Restart(),
]


@pytest.mark.parametrize("event", INPUTS, ids=repr)
def test_record_brings_its_input_back(event: Input) -> None:
    """What is read is what was kept."""
    assert decode(encode(event)) == event
    assert type(decode(encode(event))) is type(event)


def test_records_cover_every_input_and_request() -> None:
    """The samples above forget none."""
    assert {type(event) for event in INPUTS} == set(get_args(Input))
    assert {type(request) for request in REQUESTS} == set(get_args(Request))


def test_record_keeps_a_whole_pack_in_its_order() -> None:
    """A shuffled pack comes back card by card."""
    pack = tuple(Card(rank + suit) for suit in "shdc" for rank in "A23456789")
    event = Shuffled(TABLE, pack)
    assert decode(encode(event)) == event
