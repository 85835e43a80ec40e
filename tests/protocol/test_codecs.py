"""Messages to bytes and back, and bytes of any kind to a message or a MessageError, at a bounded price."""

import base64
import json
import tracemalloc
from typing import Any, get_args

import msgpack  # type: ignore[import-untyped]  # it ships no types
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from put_protocol.codecs import (
    FRAMES,
    LINES,
    Codec,
    Decoder,
    Message,
    decoder_of_replies,
    decoder_of_requests,
    misspoken,
    sniff,
)
from put_protocol.errors import MessageError
from put_protocol.limits import ARRAY_ITEMS, BIN_BYTES, FRAME_BYTES, MAP_ITEMS, REQUEST_ARRAY_ITEMS
from put_protocol.messages import (
    Act,
    Bye,
    ClientMessage,
    Grade,
    Hello,
    LobbyState,
    Look,
    OpenTable,
    Ping,
    Pong,
    Refused,
    Request,
    Say,
    ServerMessage,
)
from put_protocol.refusals import RefusalCode
from put_protocol.text import is_printable
from tests.protocol import samples
from tests.protocol.strategies import CLIENT_KINDS, client_messages, instances, messages, server_messages
from tests.repetitions import often

MIB = 2**20
CODECS = (FRAMES, LINES)
FROM_CLIENT = (samples.HELLO, *samples.REQUESTS)
FROM_SERVER = (samples.WELCOME, samples.ANSWER, *samples.REPLIES)

both_codecs = pytest.mark.parametrize("codec", CODECS, ids=repr)


def piece(codec: Codec, objects: Any) -> bytes:
    """Plain objects as another program would send them."""
    if codec is FRAMES:
        return bytes(msgpack.packb(objects))
    return json.dumps(objects, ensure_ascii=False, default=in_json).encode()


def in_json(value: Any) -> str:
    """Bytes, which JSON has not."""
    assert isinstance(value, bytes)
    return base64.b64encode(value).decode()


def piece_of(codec: Codec, message: Message) -> bytes:
    """A message as it comes out of the splitter at the other end."""
    (only,) = codec.splitter().feed(codec.encode(message))
    return only


def map_of(message: Message) -> dict[str, Any]:
    plain = msgspec.to_builtins(message, builtin_types=(bytes,))
    assert isinstance(plain, dict)
    return plain


def refusal_of(decoder: Decoder[Any], body: bytes) -> MessageError:
    with pytest.raises(MessageError) as caught:
        decoder.decode(body)
    return caught.value


def later(value: Any) -> Any:
    """A value as a newer version of us would send it: a field nobody knows in every map that has fields."""
    match value:
        case msgspec.Struct():
            plain = msgspec.to_builtins(value, builtin_types=(bytes,))
            known = {name: later(getattr(value, name)) for name in value.__struct_fields__ if name in plain}
            return plain | known | {"later": [{"more": None}]}
        case tuple():
            return [later(one) for one in value]
        case _:
            return msgspec.to_builtins(value, builtin_types=(bytes,))


# --- there and back --------------------------------------------------------------------------------------------------


@both_codecs
@given(message=client_messages())
@often(25)
def test_client_message_comes_back_the_same(codec: Codec, message: ClientMessage) -> None:
    """Whatever a client may say, the server reads exactly that."""
    assert decoder_of_requests(codec).decode(piece_of(codec, message)) == message


@both_codecs
@given(message=server_messages())
@often(25)
def test_server_message_comes_back_the_same(codec: Codec, message: ServerMessage) -> None:
    """Whatever a server may say, the client reads exactly that."""
    assert decoder_of_replies(codec).decode(piece_of(codec, message)) == message


@both_codecs
def test_sample_of_every_kind_comes_back_the_same(codec: Codec) -> None:
    """A message of each kind with real words in it travels either way; none is missing here."""
    for said in FROM_CLIENT:
        assert decoder_of_requests(codec).decode(piece_of(codec, said)) == said
    for told in FROM_SERVER:
        assert decoder_of_replies(codec).decode(piece_of(codec, told)) == told
    assert {type(said) for said in FROM_CLIENT} == set(CLIENT_KINDS)
    assert {type(told) for told in FROM_SERVER} == set(get_args(ServerMessage))


@given(message=messages())
@often(33)
def test_frames_have_the_bytes_any_msgpack_makes(message: Message) -> None:
    """msgspec's packer and msgpack's make the same bytes of the same map, but for the head of a view, table or hello.

    A Struct of more than 15 fields, as those are, has a map16 head from msgspec, however few fields are left.
    """
    told = map_of(message)
    packed = msgpack.packb(told)
    if isinstance(message, Hello) and len(told) <= 15:
        packed = b"\xde" + len(told).to_bytes(2, "big") + packed[1:]
    for wide in (told.get("view"), told.get("info"), *(told.get("tables") or ()), told.get("table")):
        if isinstance(wide, dict) and len(wide) <= 15:
            body = msgpack.packb(wide)
            packed = packed.replace(body, b"\xde" + len(wide).to_bytes(2, "big") + body[1:])
    assert piece_of(FRAMES, message) == packed


@given(message=messages())
@often(33)
def test_both_codecs_carry_the_same_map(message: Message) -> None:
    """What is a map in msgpack is the same map in JSON, read by anyone's reader, with bytes as base64."""
    assert json.loads(piece_of(LINES, message)) == json.loads(piece(LINES, msgpack.unpackb(piece_of(FRAMES, message))))


@given(message=messages())
@often(33)
def test_first_byte_tells_the_codec(message: Message) -> None:
    """Every frame begins with 0 and every line with a brace, which is what sniffing goes by."""
    assert sniff(FRAMES.encode(message)[0]) is FRAMES
    assert sniff(LINES.encode(message)[0]) is LINES


def test_sniff_knows_two_first_bytes() -> None:
    """No other first byte is taken for one of ours."""
    assert {first for first in range(256) if sniff(first)} == {0, ord("{")}


@both_codecs
def test_message_over_the_limit_is_our_own_mistake(codec: Codec) -> None:
    """What no peer would read is never encoded: a ValueError tells who made it."""
    with pytest.raises(ValueError, match="over the limit of 65536"):
        codec.encode(Refused(1, RefusalCode.BAD_TALK, "x" * FRAME_BYTES))


# --- fields that do not fit ------------------------------------------------------------------------------------------


@both_codecs
@pytest.mark.parametrize("kind", [kind for kind in CLIENT_KINDS if kind not in {Ping, Pong}], ids=lambda k: k.__name__)
def test_unknown_field_from_a_client_is_refused(codec: Codec, kind: type[msgspec.Struct]) -> None:
    """A field the schema does not know is refused by name in every request."""
    message = next(one for one in FROM_CLIENT if type(one) is kind)
    error = refusal_of(decoder_of_requests(codec), piece(codec, {**map_of(message), "later": 1}))
    assert (error.reason, error.field) == ("Object contains unknown field `later`", "$.later")


@both_codecs
def test_unknown_field_from_a_client_is_refused_within_a_list(codec: Codec) -> None:
    """The list of a resuming hello is as strict as the hello."""
    bad = {"type": "hello", "version": 1, "seen": [{"table": 1, "number": 1}, {"table": 2, "number": 1, "later": 1}]}
    assert refusal_of(decoder_of_requests(codec), piece(codec, bad)).field == "$.seen[1].later"


@both_codecs
@pytest.mark.parametrize("kind", [Act, Grade], ids=lambda k: k.__name__)
def test_unknown_field_from_a_client_is_refused_within_an_action(codec: Codec, kind: type[msgspec.Struct]) -> None:
    """Who names a card with a put meant something else than a put."""
    request = map_of(next(one for one in FROM_CLIENT if type(one) is kind))
    error = refusal_of(decoder_of_requests(codec), piece(codec, {**request, "action": {"do": "put", "card": "3s"}}))
    assert (error.field, error.request_id) == ("$.action.card", request["id"])
    assert "unknown field `card`" in error.reason


@pytest.mark.parametrize(
    ("codec", "sent", "says"),
    [
        (LINES, b'{"type": "look",', "the line ends before its message does; a message is one line"),
        (LINES, b'{"type": "say", "id": 1, "table": 1, "text": "\\ud800"}', "half of a surrogate pair stands alone"),
        (FRAMES, b'{"type": "look", "id": 1}', "this is JSON, and a frame holds msgpack"),
        (LINES, b'{"type": "look", "id": "1"}', "Expected a whole number, got text - at `$.id`"),
        (LINES, b'{"type": "look", "id": 1.5}', "Expected a whole number, got a fraction - at `$.id`"),
        (LINES, b'{"type": "open", "id": 1, "game": "g", "options": {"turn": 1, "cut": null}}', "at `$.options.cut`"),
    ],
)
def test_mistake_of_a_program_is_named(codec: Codec, sent: bytes, says: str) -> None:
    """Whoever writes a client reads what was wrong in the words of the page, and where."""
    assert says in refusal_of(decoder_of_requests(codec), sent).reason


@pytest.mark.parametrize(
    ("first", "says"),
    [
        (b'\xef\xbb\xbf{"type"', "byte order mark"),
        (b' {"type"', "nothing comes before it"),
        (b'[{"type"', "a map and no list"),
        (b"\x83\xa4type", "begins with its length"),
        (b"\xde\x00\x03\xa4", "begins with its length"),
        (b"\x50\x00\x00\x00\x83", "big-endian"),
    ],
)
def test_first_bytes_of_a_program_are_not_taken_for_typing(first: bytes, says: str) -> None:
    """The plain door would answer them with a question for a name."""
    assert says in (misspoken(first) or "")


@pytest.mark.parametrize("typed", ["Moll", "Ärger", "ß", "Łukasz", "名前", "{", "[]", "\xff\xfb\x01"])
def test_what_people_type_is_no_mistake(typed: str) -> None:
    """Names of any script, and what telnet sends."""
    assert misspoken(typed.encode("latin-1" if typed.startswith("\xff") else "utf-8")) is None


@both_codecs
def test_unknown_field_of_a_heartbeat_is_tolerated(codec: Codec) -> None:
    """Heartbeats travel in both directions, and are answered whatever else they hold."""
    assert decoder_of_requests(codec).decode(piece(codec, {"type": "ping", "later": 1})) == Ping()


@both_codecs
@given(message=server_messages())
@often(20)
def test_unknown_field_from_a_server_is_tolerated_at_any_depth(codec: Codec, message: ServerMessage) -> None:
    """A newer server may add a field to anything it says, and an older client reads the rest."""
    assert decoder_of_replies(codec).decode(piece(codec, later(message))) == message


BAD_FIELDS = [
    ({"type": "look"}, "$.id"),
    ({"type": "look", "id": "1"}, "$.id"),
    ({"type": "look", "id": 0}, "$.id"),
    ({"type": "look", "id": 2**53}, "$.id"),
    ({"type": "sit", "id": 1, "table": -1}, "$.table"),
    ({"type": "sit", "id": 1, "table": 1, "seat": 10}, "$.seat"),
    ({"type": "sit", "id": 1, "table": 1, "seat": -1}, "$.seat"),
    ({"type": "say", "id": 1, "table": 1, "text": None}, "$.text"),
    ({"type": "say", "id": 1, "table": 1, "text": "x" * 2_001}, "$.text"),
    ({"type": "open", "id": 1, "game": "g", "options": {"b": 1, "a": None}}, "$.options.a"),
    ({"type": "open", "id": 1, "game": "g", "options": {"b": 1, "a": "x" * 129}}, "$.options.a"),
    ({"type": "open", "id": 1, "game": "g", "options": {"a" * 129: 1}}, "$.options"),
    ({"type": "open", "id": 1, "game": "g", "options": []}, "$.options"),
    ({"type": "open", "id": 1, "game": "g", "seats": 11}, "$.seats"),
    ({"type": "open", "id": 1, "game": "g", "gallery": 1}, "$.gallery"),
    ({"type": "act", "id": 1, "table": 1, "decision": 1}, "$.action"),
    ({"type": "act", "id": 1, "table": 1, "decision": 1, "action": {}}, "$.action.do"),
    ({"type": "act", "id": 1, "table": 1, "decision": 1, "action": {"do": "peek"}}, "$.action.do"),
    ({"type": "act", "id": 1, "table": 1, "decision": 1, "action": {"do": "play"}}, "$.action.card"),
    ({"type": "act", "id": 1, "table": 1, "decision": 1, "action": {"do": "play", "card": 3}}, "$.action.card"),
    ({"type": "act", "id": 1, "table": 1, "decision": 1, "action": {"do": "play", "card": "3spades"}}, "$.action.card"),
    ({"type": "hello", "version": 1, "seen": [{"table": 1}]}, "$.seen[0].number"),
    ({"type": "hello", "version": 1, "seen": [3]}, "$.seen[0]"),
    ({"type": "hello"}, "$.version"),
    ({"type": "welcome"}, "$.type"),
    ({"type": None}, "$.type"),
    ({"id": 1}, "$.type"),
    ({}, "$.type"),
    ([], None),
    ("look", None),
    (None, None),
]


@both_codecs
@pytest.mark.parametrize(("bad", "path"), BAD_FIELDS, ids=lambda value: str(value)[:60])
def test_bad_field_is_named_by_its_path(codec: Codec, bad: Any, path: str | None) -> None:
    """Whatever does not fit, missing fields included, is told by its path; what is no map at all has none."""
    assert refusal_of(decoder_of_requests(codec), piece(codec, bad)).field == path


@both_codecs
@pytest.mark.parametrize("wrong", [1.0, True, "1", None, [1], {"1": 1}], ids=repr)
def test_whole_number_is_not_taken_from_another_kind(codec: Codec, wrong: Any) -> None:
    """Where a whole number is due, a float, a boolean, a text, nothing, a list and a map are refused."""
    for bad, path in (
        ({"type": "look", "id": wrong}, "$.id"),
        ({"type": "act", "id": 1, "table": 1, "decision": wrong, "action": {"do": "put"}}, "$.decision"),
        ({"type": "hello", "version": wrong}, "$.version"),
        ({"type": "sit", "id": 1, "table": wrong}, "$.table"),
    ):
        assert refusal_of(decoder_of_requests(codec), piece(codec, bad)).field == path


@both_codecs
@pytest.mark.parametrize("wrong", [1.0, True, False], ids=repr)
def test_option_is_a_whole_number_or_a_word(codec: Codec, wrong: Any) -> None:
    """An option's value, which may be of two kinds, is still never a float or a boolean."""
    bad = {"type": "open", "id": 1, "game": "g", "options": {"target": wrong}}
    assert refusal_of(decoder_of_requests(codec), piece(codec, bad)).field == "$.options.target"


@both_codecs
@pytest.mark.parametrize("wrong", [0, 1, "true", None], ids=repr)
def test_boolean_is_not_taken_from_another_kind(codec: Codec, wrong: Any) -> None:
    """Where a boolean is due, numbers and words are refused."""
    error = refusal_of(decoder_of_requests(codec), piece(codec, {"type": "hello", "version": 1, "is_bot": wrong}))
    assert error.field == "$.is_bot"


# --- whose request it was --------------------------------------------------------------------------------------------


@both_codecs
@pytest.mark.parametrize("kind", get_args(Request), ids=lambda k: k.__name__)
def test_request_id_is_recovered_from_a_bad_request(codec: Codec, kind: type[msgspec.Struct]) -> None:
    """A request that does not fit is still answered under its own id."""
    message = next(one for one in FROM_CLIENT if type(one) is kind)
    bad = {**map_of(message), "id": 2**53 - 1, "later": 1}
    assert refusal_of(decoder_of_requests(codec), piece(codec, bad)).request_id == 2**53 - 1


@both_codecs
@pytest.mark.parametrize("wrong", [0, -1, 2**53, 2**63, True, 1.0, "1", None, [1], {"id": 1}], ids=repr)
def test_request_id_is_0_where_there_is_none(codec: Codec, wrong: Any) -> None:
    """What could not have been an id is never taken for one."""
    decoder = decoder_of_requests(codec)
    assert refusal_of(decoder, piece(codec, {"type": "look", "id": wrong})).request_id == 0
    assert refusal_of(decoder, piece(codec, [{"id": 5}])).request_id == 0


# --- what a reason may hold ------------------------------------------------------------------------------------------


LOUD = [
    "x" * 60_000,
    "\x01" * 60_000,
    "\u202e" * 20_000,
    '"\\' * 30_000,
    "`" * 60_000,
    "x` - at `$.evil" + "\x1b[2J" * 9,
]


@both_codecs
@pytest.mark.parametrize("loud", LOUD, ids=lambda text: repr(text[:3]))
def test_reason_is_short_and_printable_whatever_was_sent(codec: Codec, loud: str) -> None:
    """The peer's own words in a reason are clipped and stripped, so that the answer fits a frame and a screen."""
    for bad in (
        {"type": loud, "id": 1},
        {"type": "look", "id": 1, loud: 1},
        {"type": "act", "id": 1, "table": 1, "decision": 1, "action": {"do": loud}},
    ):
        body = msgpack.packb(bad) if codec is FRAMES else msgspec.json.encode(bad)
        error = refusal_of(decoder_of_requests(codec), body)
        assert error.request_id == 1
        assert is_printable(error.reason)
        assert is_printable(error.field or "")
        assert len(codec.encode(Refused(1, RefusalCode.BAD_REQUEST, error.reason, error.field))) < 1_500


# --- hostile bodies --------------------------------------------------------------------------------------------------


def filled(part: bytes) -> bytes:
    return part * (FRAME_BYTES // len(part))


def crowd(leaf: bytes, across: int = REQUEST_ARRAY_ITEMS) -> bytes:
    """A frame full of leaves, in lists of lists within every limit."""
    head = b"\xdc" + across.to_bytes(2, "big")
    row = head + leaf * across
    rows = (FRAME_BYTES - 3 * (across + 1)) // len(row)
    block = head + row * across
    if rows < across:
        return b"\xdc" + rows.to_bytes(2, "big") + row * rows
    blocks = min(across, (FRAME_BYTES - 3) // len(block))
    return b"\xdc" + blocks.to_bytes(2, "big") + block * blocks


HOSTILE_FRAMES = {
    "nested fixarrays": filled(b"\x91"),
    "nested array16 of 65,535": filled(b"\xdc\xff\xff"),
    "nested array16 of the limit": filled(b"\xdc" + REQUEST_ARRAY_ITEMS.to_bytes(2, "big")),
    "nested array32 of 4 milliards": filled(b"\xdd\xff\xff\xff\xff"),
    "nested array32 of the limit": filled(b"\xdd" + REQUEST_ARRAY_ITEMS.to_bytes(4, "big")),
    "nested fixmaps": filled(b"\x81\xa0"),
    "nested map16 of the limit": filled(b"\xde" + MAP_ITEMS.to_bytes(2, "big") + b"\xa0"),
    "nested map32 of 4 milliards": filled(b"\xdf\xff\xff\xff\xff\xa0"),
    "maps as keys": filled(b"\x81"),
    "str32 of 4 GiB": b"\xdb\xff\xff\xff\xff",
    "str16 past the end": b"\xda\xff\xffabc",
    "bin32 of 4 GiB": b"\xc6\xff\xff\xff\xff",
    "bin8": b"\xc4\x01x",
    "ext32 of 4 GiB": b"\xc9\xff\xff\xff\xff\x01",
    "ext8 of nothing": b"\xc7\x00\x05",
    "fixext1": b"\xd4\x01\x00",
    "fixext16": b"\xd8\x01" + bytes(16),
    "timestamp 32": b"\xd6\xff\x00\x00\x00\x00",
    "timestamp 64": b"\xd7\xff" + b"\xff" * 8,
    "timestamp 96": b"\xc7\x0c\xff" + b"\xff" * 12,
    "timestamp of nothing": b"\xc7\x00\xff",
    "the byte that means nothing": b"\xc1",
    "nothing": b"",
    "half a map": b"\x82\xa4type\xa4ping",
    "two messages": b"\x81\xa4type\xa4ping" * 2,
    "a number as key": b"\x81\x01\x01",
    "nil as key": b"\x81\xc0\x01",
    "bytes as key": b"\x82\xa4type\xa3bye\xc4\x00\x01",
    "no UTF-8": b"\x81\xa4type\xa4p\xffng",
    "a surrogate in UTF-8": b"\x81\xa4type\xa3\xed\xa0\x80",
    "overlong UTF-8": b"\x81\xa4type\xa2\xc0\x80",
    "a NaN": b"\x82\xa4type\xa4look\xa2id\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00",
    "an infinity": b"\x82\xa4type\xa4look\xa2id\xca\x7f\x80\x00\x00",
    "the largest number": b"\x82\xa4type\xa4look\xa2id\xcf" + b"\xff" * 8,
    "the least number": b"\x82\xa4type\xa4look\xa2id\xd3\x80" + bytes(7),
    "a timestamp for a number": b"\x82\xa4type\xa4look\xa2id\xd6\xff\x00\x00\x00\x01",
    "an empty ext for a list": b"\x83\xa4type\xa5hello\xa7version\x01\xa4seen\xc7\x00\x05",
    "empty bytes for a text": b"\x83\xa4type\xa5hello\xa7version\x01\xa4name\xc4\x00",
    "65 items": b"\x83\xa4type\xa5hello\xa7version\x01\xa4seen\xdc\x00\x41"
    + bytes(msgpack.packb({"table": 1, "number": 1})) * 65,
}

HOSTILE_LINES = {
    "nested lists": filled(b"["),
    "nested maps": filled(b'{"":'),
    "nested maps that end": b'{"":' * 10_000 + b"0" + b"}" * 10_000,
    "lists that never were opened": filled(b"]"),
    "many lists": b"[" + filled(b"[],")[:-8] + b"[]]",
    "many maps": b"[" + filled(b'{"":0},')[:-8] + b"0]",
    "a map of many": b"{" + b",".join(b'"%d":0' % i for i in range(5_000)) + b"}",
    "a NaN": b'{"type":"look","id":NaN}',
    "an infinity": b'{"type":"look","id":Infinity}',
    "a float without end": b'{"type":"look","id":1e400}',
    "a small float": b'{"type":"look","id":1e0}',
    "a huge number": b'{"type":"look","id":' + b"9" * 400 + b"}",
    "a number of 60,000 digits": b'{"type":"look","id":' + b"9" * 60_000 + b"}",
    "a fraction of 60,000 digits": b'{"type":"look","id":0.' + b"9" * 60_000 + b"}",
    "no UTF-8": b'{"type":"p\xffng"}',
    "a surrogate in UTF-8": b'{"type":"say","id":1,"table":1,"text":"\xed\xa0\x80"}',
    "half a surrogate pair": b'{"type":"say","id":1,"table":1,"text":"\\ud800"}',
    "half a pair and more": b'{"type":"say","id":1,"table":1,"text":"\\ud83dx"}',
    "a pair the wrong way round": b'{"type":"say","id":1,"table":1,"text":"\\udc00\\ud800"}',
    "a byte order mark": b'\xef\xbb\xbf{"type":"ping"}',
    "UTF-16": '{"type":"ping"}'.encode("utf-16"),
    "two messages": b'{"type":"ping"}{"type":"ping"}',
    "half a message": b'{"type":"pi',
    "a comma too many": b'{"type":"ping",}',
    "a raw control character": b'{"type":"say","id":1,"table":1,"text":"\x1b"}',
    "a word": b"ping",
    "spaces": b"   ",
    "65 items": b'{"type":"hello","version":1,"seen":[' + b'{"table":1,"number":1},' * 64 + b'{"table":1,"number":1}]}',
}

HOSTILE = [
    *(pytest.param(FRAMES, body, id=f"frame: {name}") for name, body in HOSTILE_FRAMES.items()),
    *(pytest.param(LINES, body, id=f"line: {name}") for name, body in HOSTILE_LINES.items()),
]


def decoding(decoder: Decoder[Any], body: bytes) -> tuple[MessageError, int]:
    """What is wrong with a body, and the most memory that was reserved to find out."""
    tracemalloc.start()
    try:
        error = refusal_of(decoder, body)
        return error, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(("codec", "body"), HOSTILE)
def test_hostile_request_is_refused_within_2_mib(codec: Codec, body: bytes) -> None:
    """Nesting, false lengths and foreign types from a client end in a MessageError and reserve less than 2 MiB."""
    assert len(body) <= FRAME_BYTES
    error, peak = decoding(decoder_of_requests(codec), body)
    assert peak < 2 * MIB
    assert error.reason.removeprefix("not decodable: ")


@pytest.mark.parametrize(("codec", "body"), HOSTILE)
def test_hostile_reply_is_refused_within_2_mib(codec: Codec, body: bytes) -> None:
    """The same bodies from a server do a client no more harm."""
    error, peak = decoding(decoder_of_replies(codec), body)
    assert peak < 2 * MIB
    assert error.reason.removeprefix("not decodable: ")


@pytest.mark.parametrize(
    "leaf", [b"\x80", b"\x90", b"\x81\xa0\x00", b"\x81\xa0\x80", b"\x91\x90", b"\xcd\xff\xff"], ids=bytes.hex
)
def test_crowded_frame_costs_less_than_6_mib(leaf: bytes) -> None:
    """The worst is 64 KiB of small lists and maps, within every count: under 100 bytes for each of its own."""
    error, peak = decoding(decoder_of_requests(FRAMES), crowd(leaf))
    assert error.reason == "Expected a map, got a list"
    assert MIB // 2 < peak < 6 * MIB


def test_nested_lists_of_a_server_cost_less_than_9_mib() -> None:
    """A server may send longer lists, so a hostile one can make a client reserve more; this is the most."""
    error, peak = decoding(decoder_of_replies(FRAMES), filled(b"\xdc" + ARRAY_ITEMS.to_bytes(2, "big")))
    assert error.reason == "not decodable: nested too deep"
    assert peak < 9 * MIB


@both_codecs
def test_counts_are_limited_alike_in_both_codecs(codec: Codec) -> None:
    """Lists and maps of exactly the limit pass, one more does not, whichever way they come."""
    requests, replies = decoder_of_requests(codec), decoder_of_replies(codec)

    def hello(count: int) -> bytes:
        return piece(codec, {"type": "hello", "version": 1, "seen": [{"table": 1, "number": 0}] * count})

    def opening(count: int) -> bytes:
        return piece(codec, {"type": "open", "id": 1, "game": "g", "options": {str(i): i for i in range(count)}})

    def lobby(count: int) -> bytes:
        return piece(codec, {"type": "lobby", "closed": [1] * count})

    accepted = [
        requests.decode(hello(REQUEST_ARRAY_ITEMS)),
        requests.decode(opening(MAP_ITEMS)),
        replies.decode(lobby(ARRAY_ITEMS)),
    ]
    assert [type(one) for one in accepted] == [Hello, OpenTable, LobbyState]
    for decoder, over in (
        (requests, hello(REQUEST_ARRAY_ITEMS + 1)),
        (requests, opening(MAP_ITEMS + 1)),
        (replies, lobby(ARRAY_ITEMS + 1)),
    ):
        assert refusal_of(decoder, over).reason.startswith("not decodable: ")


@pytest.mark.parametrize(
    "foreign",
    [b"\xc4\x21" + bytes(BIN_BYTES + 1), b"\xd4\x01\x00", b"\xd6\xff\x00\x00\x00\x00"],
    ids=["bytes", "extension", "timestamp"],
)
def test_foreign_type_is_refused_even_where_nobody_looks(foreign: bytes) -> None:
    """More bytes than a hash has, extensions and timestamps are refused in a field that is otherwise ignored."""
    for decoder in decoders(FRAMES):
        assert decoder.decode(b"\x82\xa4type\xa4ping\xa5later\xc0") == Ping()
        error = refusal_of(decoder, b"\x82\xa4type\xa4ping\xa5later" + foreign)
        assert error.reason.startswith("not decodable: ")


@pytest.mark.parametrize("number", [2**64, -(2**63) - 1, 10**100])
def test_number_over_64_bits_is_refused_in_json_as_in_msgpack(number: int) -> None:
    """A number no frame can hold is refused in a line, wherever it stands and wherever any number would do."""
    for text in (
        f'{{"type":"hello","version":{number}}}',
        f'{{"type":"open","id":1,"game":"g","options":{{"target":{number}}}}}',
        f'{{"type":"ping","later":[{{"more":{number}}}]}}',
    ):
        for decoder in decoders(LINES):
            assert refusal_of(decoder, text.encode()).reason == "not decodable: a number of more than 64 bits"


@pytest.mark.parametrize("number", [2**64 - 1, -(2**63)])
def test_number_of_64_bits_is_read_in_both_codecs(number: int) -> None:
    """The largest and the least number of a frame are read from a line as well."""
    for codec in CODECS:
        assert decoder_of_requests(codec).decode(piece(codec, {"type": "hello", "version": number})) == Hello(number)


def test_shortest_list_over_the_limit_is_refused() -> None:
    """No line is too short to be counted: 65 items of one digit each are refused where they stand."""
    line = b'{"type":"bye","x":[' + b"0," * REQUEST_ARRAY_ITEMS + b"0]}"
    assert (
        refusal_of(decoder_of_requests(LINES), line).reason == "not decodable: a list of 65 items, over the limit of 64"
    )
    shortest = b"[" + b"0," * REQUEST_ARRAY_ITEMS + b"0]"
    reason = refusal_of(decoder_of_requests(LINES), shortest).reason
    assert reason == "not decodable: a list of 65 items, over the limit of 64"


def test_last_of_two_equal_keys_counts_in_both_codecs() -> None:
    """A key sent twice has its last value whichever way it comes: no reader of ours disagrees with another."""
    twice = b"\x83\xa4type\xa4look\xa2id\x01\xa2id\x02"
    assert decoder_of_requests(FRAMES).decode(twice) == Look(2)
    assert decoder_of_requests(LINES).decode(b'{"type":"look","id":1,"id":2}') == Look(2)
    assert decoder_of_requests(FRAMES).decode(b"\x82\xa4type\xa4ping\xa4type\xa3bye") == Bye()
    assert decoder_of_requests(LINES).decode(b'{"type":"ping","type":"bye"}') == Bye()


def test_surrogate_pair_in_json_is_the_character() -> None:
    """JSON's way of writing characters beyond the first plane gives the character, never two halves."""
    line = b'{"type":"say","id":1,"table":1,"text":"\\ud83c\\udca1"}'
    assert decoder_of_requests(LINES).decode(line) == Say(1, 1, "\U0001f0a1")


@both_codecs
@given(body=st.binary(max_size=300))
@often(50)
def test_garbage_is_a_message_or_a_message_error(codec: Codec, body: bytes) -> None:
    """No bytes whatever make a decoder raise anything but a MessageError."""
    for decoder in decoders(codec):
        assert is_message_or_error(decoder, codec, body)


plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner, max_size=4),
    max_leaves=12,
)


@both_codecs
@given(data=st.data(), message=messages(), value=plain)
@often(33)
def test_message_with_one_field_replaced_is_a_message_or_a_message_error(
    codec: Codec, data: st.DataObject, message: Message, value: Any
) -> None:
    """A map that is a message but for one field, which is anything at all, never breaks a decoder."""
    objects = map_of(message)
    objects[data.draw(st.sampled_from(sorted(objects)))] = value
    for decoder in decoders(codec):
        assert is_message_or_error(decoder, codec, piece(codec, objects))


def decoders(codec: Codec) -> tuple[Decoder[Any], Decoder[Any]]:
    return decoder_of_requests(codec), decoder_of_replies(codec)


def is_message_or_error(decoder: Decoder[Any], codec: Codec, body: bytes) -> bool:
    """Whether a body is either a message, which then comes back the same, or an error that may be told."""
    try:
        message = decoder.decode(body)
    except MessageError as error:
        return is_printable(error.reason) and len(error.reason) < 300 and 0 <= error.request_id < 2**53
    return bool(decoder.decode(piece_of(codec, message)) == message)


@both_codecs
@given(act=instances(Act))
@often(10)
def test_decoder_reads_its_own_direction_only(codec: Codec, act: Act) -> None:
    """A request is nothing a client would obey, and an answer nothing a server would."""
    assert refusal_of(decoder_of_replies(codec), piece_of(codec, act)).field == "$.type"
    assert refusal_of(decoder_of_requests(codec), piece_of(codec, samples.ANSWER)).field == "$.type"
