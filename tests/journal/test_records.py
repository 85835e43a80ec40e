"""Records of each input, of a lobby and of a game: they are read back as they were written."""

from typing import get_args

import msgspec
import pytest

from put_protocol.cards import Card
from put_protocol.codecs import FRAMES, LINES
from put_protocol.games.put import Play
from put_protocol.messages import Grade, OpenTable, Pause, Request, Seen, Sit, Watch
from put_protocol.seats import Seat
from put_rules.facts import Hidden
from put_rules.game import LUCK
from put_rules.record import Tape
from put_server.journal.records import decode_game, decode_input, decode_lobby, encode
from put_server.lobby import inputs
from put_server.lobby.policy import Policy
from put_server.table.table_effects import PersonId, TableId
from tests.journal.recorded_journals import games_of, lobby_after, recording
from tests.protocol import samples

ANN, TABLE = PersonId(3), TableId(9)

HASH = bytes(range(224, 256))
REQUESTS: list[Request] = [
    *[request for request in samples.REQUESTS if isinstance(request, Request)],
    OpenTable(2**53 - 1, "put-1674", 4, {"target": 7, "cut": "low"}, 30, 60, "s\u00e9same", gallery=False),
    Sit(4, 9),
    Sit(4, 9, Seat(3), "sesame", holds_key=True),
    Watch(6, 9, "sesame"),
    Pause(11, 9),
    Grade(16, "put-1674", 2**53 - 1, Play(Card("10h"))),
]

INPUTS: list[inputs.Input] = [
    inputs.Arrive("Ann \u00e9", is_bot=True, token=b"\x00\xff" * 16),
    inputs.Arrive("Ann", is_bot=False, token=HASH, is_visitor=True, muted=("ben",), blocked=("kit",)),
    inputs.Return(b"\x01" * 32, (Seen(9, 0), Seen(10, 2**53 - 1))),
    inputs.Return(b"", (), (1, 2**53 - 1)),
    *[inputs.Ask(ANN, request) for request in REQUESTS],
    inputs.Lose(ANN),
    inputs.Depart(ANN),
    inputs.Forget("Ann \u00e9"),
    inputs.Shuffled(TABLE, tuple(Card(card) for card in ("3s", "10h", "Ad"))),
    inputs.Shuffled(TABLE, tuple(Card(card) for card in ("3s", "10h", "Ad")), LUCK - 1),
    inputs.Secret(TABLE, HASH),
    inputs.Secret(TABLE, tape=Tape(3, (HASH, b""))),
    inputs.Parts(TABLE, 7, (HASH, b"")),
    inputs.Pulse(ANN),
    inputs.Tick(),
    inputs.Keep(ANN),
    inputs.Drain(),
    inputs.Restart(),
    inputs.Restart(is_exhibition=True),
    inputs.Restart(policy=Policy(people=3, patience=900)),
    inputs.News(),
]


@pytest.mark.parametrize("event", INPUTS, ids=repr)
def test_record_brings_its_input_back(event: inputs.Input) -> None:
    """What is read is what was kept."""
    assert decode_input(encode(event)) == event
    assert type(decode_input(encode(event))) is type(event)


def test_records_cover_every_input_and_request() -> None:
    """The samples above forget none."""
    assert {type(event) for event in INPUTS} == set(get_args(inputs.Input))
    assert {type(request) for request in REQUESTS} == set(get_args(Request))


def test_record_keeps_a_whole_pack_in_its_order() -> None:
    """A shuffled pack comes back card by card."""
    pack = tuple(Card(rank + suit) for suit in "shdc" for rank in "A23456789")
    event = inputs.Shuffled(TABLE, pack)
    assert decode_input(encode(event)) == event


def test_record_of_a_game_brings_it_back() -> None:
    """With every card of it."""
    for game in games_of(recording(1)):
        assert decode_game(encode(game.record)) == game.record


def test_lobby_at_rest_is_brought_back() -> None:
    """Whatever stands at its tables, at any moment of an evening."""
    whole = recording(1)
    lobbies = [lobby_after(whole[:count]).checkpoint() for count in range(100, len(whole), 15)]
    assert sum(table.play is not None for lobby in lobbies for table in lobby.tables) > 3
    for lobby in lobbies:
        assert decode_lobby(encode(lobby)) == lobby


def test_what_is_hidden_is_kept_by_this_codec_alone() -> None:
    """Any other refuses a game and a lobby with one in it; and this one seals again what it unsealed."""
    record = games_of(recording(1))[0].record
    lobbies = [lobby_after(recording(1)[:count]).checkpoint() for count in range(100, len(recording(1)), 15)]
    lobby = next(stored for stored in lobbies if any(table.play is not None for table in stored.tables))
    others = (FRAMES.encode, LINES.encode, msgspec.msgpack.encode, msgspec.json.encode)
    for encode_otherwise in others:
        for secret in (record, lobby):
            with pytest.raises(TypeError, match="Hidden"):
                encode_otherwise(secret)  # type: ignore[arg-type]  # that is the point
    assert isinstance(decode_game(encode(record)).steps, Hidden)
    assert "<hidden>" in repr(decode_game(encode(record)))


def test_what_is_neither_input_nor_game_nor_lobby_is_not_kept() -> None:
    """A type nobody thought of does not slip into the file as something else."""
    with pytest.raises(NotImplementedError, match="object"):
        encode(object())  # type: ignore[arg-type]  # that is the point
