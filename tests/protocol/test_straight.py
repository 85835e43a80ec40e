"""Decoding straight and decoding in steps: the same for every piece."""

import json
from collections.abc import Callable
from random import Random
from typing import Any

import msgpack  # type: ignore[import-untyped]  # it ships no types
import pytest
from hypothesis import given
from hypothesis import strategies as st

from put_protocol.codecs import (
    FRAMES,
    LINES,
    STRAIGHT_BYTES,
    Codec,
    Decoder,
    Message,
    decoder_of_replies,
    decoder_of_requests,
)
from put_protocol.errors import MessageError
from put_protocol.limits import ARRAY_ITEMS, FRAME_BYTES, MAP_ITEMS
from put_protocol.messages import LobbyState, OpenTable
from put_protocol.table_info import ClockInfo, TableInfo, TableState
from tests.protocol import samples
from tests.protocol.fuzz import check_replies, check_requests, mutated
from tests.protocol.strategies import client_messages, messages, server_messages
from tests.protocol.test_codecs import HOSTILE, LOUD, both_codecs, map_of, piece, piece_of
from tests.protocol.test_codecs import plain as plain_values
from tests.repetitions import often

SAMPLES: tuple[Message, ...] = (samples.HELLO, *samples.REQUESTS, samples.WELCOME, samples.ANSWER, *samples.REPLIES)


Direction = tuple[st.SearchStrategy[Any], Decoder[Any]]
DIRECTIONS: tuple[Callable[[Codec], Direction], ...] = (
    lambda codec: (client_messages(), decoder_of_requests(codec)),
    lambda codec: (server_messages(), decoder_of_replies(codec)),
)


def delimited(codec: Codec, body: bytes) -> bytes:
    """A body as it travels; a line with a line feed in it is two."""
    return len(body).to_bytes(4, "big") + body if codec is FRAMES else body + b"\n"


def check(codec: Codec, body: bytes) -> None:
    if len(body) <= FRAME_BYTES:
        check_requests(codec, delimited(codec, body))
        check_replies(codec, delimited(codec, body))


# --- what is decoded straight ----------------------------------------------------------------------------------------


@both_codecs
@given(data=st.data())
@often(50)
def test_short_piece_as_our_encoder_writes_it_is_decoded_straight(codec: Codec, data: st.DataObject) -> None:
    """The quick way is the usual one: what our own programs say in up to 1,024 bytes needs no steps."""
    strategy, decoder = data.draw(st.sampled_from(DIRECTIONS))(codec)
    message = data.draw(strategy)
    body = piece_of(codec, message)
    is_expected = len(body) <= STRAIGHT_BYTES and is_in_64_bits(message)
    assert decoder._straight(body) == (message if is_expected else None)


def is_in_64_bits(message: Message) -> bool:
    """Whether a frame can hold the message: no number in it has more than 64 bits."""
    try:
        FRAMES.encode(message)
    except OverflowError:
        return False
    return True


@pytest.mark.parametrize(
    ("codec", "strange"),
    [
        (LINES, b'{"type": "look", "id": 1}'),
        (LINES, b'{"id":1,"type":"look"}'),
        (LINES, b'{"type":"look","id":1} '),
        (FRAMES, b"\x82\xa2id\xce\x00\x00\x00\x01\xa4type\xa4look"),
    ],
)
def test_request_written_otherwise_needs_no_steps(codec: Codec, strange: bytes) -> None:
    """Spaces, another order of the fields, wide numbers: other people's programs are heard in one pass, too."""
    assert decoder_of_requests(codec)._straight(strange) == samples.REQUESTS[0]


@both_codecs
def test_field_of_an_action_that_nobody_knows_is_refused(codec: Codec) -> None:
    """In one pass as in steps, and the refusal names the field."""
    act = {"type": "act", "id": 1, "table": 2, "decision": 3, "action": {"do": "put", "later": 1}}
    decoder, body = decoder_of_requests(codec), piece(codec, act)
    assert decoder._straight(body) is None
    with pytest.raises(MessageError, match="unknown field `later`") as refused:
        decoder.decode(body)
    assert refused.value.field == "$.action.later"


# --- the same as in steps --------------------------------------------------------------------------------------------


@both_codecs
@given(message=messages())
@often(33)
def test_valid_piece_is_the_same_message_either_way(codec: Codec, message: Message) -> None:
    """Any message of the schema: straight it is what it is in steps."""
    check(codec, piece_of(codec, message))


@both_codecs
@given(message=messages(), seed=st.integers(0, 2**32), faults=st.integers(1, 3))
@often(30)
def test_piece_with_broken_bytes_is_the_same_either_way(codec: Codec, message: Message, seed: int, faults: int) -> None:
    """Bits, bytes, cuts and shards of what breaks parsers in a valid message."""
    chance, body = Random(seed), piece_of(codec, message)
    for _ in range(faults):
        body = mutated(chance, body)
    check(codec, body)


def maps_in(value: Any) -> list[dict[str, Any]]:
    """Every map of some plain objects, the outermost first."""
    if isinstance(value, dict):
        return [value, *(found for one in value.values() for found in maps_in(one))]
    return [found for one in value for found in maps_in(one)] if isinstance(value, (list, tuple)) else []


@both_codecs
@given(data=st.data(), message=messages() | st.sampled_from(SAMPLES), value=plain_values)
@often(30)
def test_map_with_one_more_field_is_the_same_either_way(
    codec: Codec, data: st.DataObject, message: Message, value: Any
) -> None:
    """A field that nobody knows, or one replaced, at any depth: in an action, in a seat, in a list's items."""
    objects = map_of(message)
    chosen = data.draw(st.sampled_from(maps_in(objects)))
    chosen[data.draw(st.sampled_from([*sorted(chosen), "later"]) | st.text(max_size=3))] = value
    check(codec, piece(codec, objects))


@both_codecs
@given(
    seed=st.integers(0, 2**32), message=messages() | st.sampled_from(SAMPLES), oddity=st.sampled_from((0.02, 0.1, 0.5))
)
@often(40)
def test_map_written_in_odd_ways_is_the_same_either_way(
    codec: Codec, seed: int, message: Message, oddity: float
) -> None:
    """Long heads, keys twice, keys in another order, bytes for text, floats for numbers, spaces, escapes."""
    chance = Random(seed)
    write = odd_frame if codec is FRAMES else odd_line
    check(codec, write(map_of(message), lambda: chance.random() < oddity, chance))


Odd = Callable[[], bool]


def entries(value: dict[str, Any], odd: Odd, chance: Random) -> list[tuple[str, Any]]:
    """A map's entries, some of them twice or elsewhere, and some that nobody knows."""
    found = list(value.items())
    if odd():
        chance.shuffle(found)
    if odd() and found:
        found.insert(chance.randrange(len(found) + 1), chance.choice(found))
    if odd() and found:
        found.insert(chance.randrange(len(found) + 1), (chance.choice(found)[0], chance.choice((1, "x", None, [1]))))
    if odd():
        found.append(("later", chance.choice((2**64 - 1, -1, "x" * 40, [0] * 65, {str(i): i for i in range(65)}, 0.5))))
    return found


def odd_frame(value: Any, odd: Odd, chance: Random) -> bytes:
    """Plain objects in msgpack, at times as nobody writes them."""

    def write(one: Any) -> bytes:
        return odd_frame(one, odd, chance)

    match value:
        case bool() | None if odd():
            return chance.choice((b"\xc0", b"\xc2", b"\xc3", b"\x00", b"\xc1", b"\xa0", b"\xc7\x00\x05"))
        case bool() | None:
            pass
        case int() if odd():
            return chance.choice(
                (
                    b"\xcb" + b"\x3f\xf0" + bytes(6),
                    b"\xcf" + (value % 2**64).to_bytes(8, "big"),
                    b"\xd3" + (value % 2**64).to_bytes(8, "big"),
                    b"\xce" + (value % 2**32).to_bytes(4, "big"),
                    b"\xd6\xff" + bytes(4),
                )
            )
        case str() if odd():
            text = chance.choice((value.encode(), value.encode() + b"\xff", b"\xed\xa0\x80"))
            head = chance.choice((b"\xda", b"\xdb", b"\xc5", b"\xc6"))
            return head + len(text).to_bytes(2 if head in b"\xda\xc5" else 4, "big") + text
        case bytes() if odd():
            return chance.choice((bytes(msgpack.packb(value.hex())), b"\xc5" + len(value).to_bytes(2, "big") + value))
        case list() | tuple():
            items = [*value, *value[:1] * chance.choice((1, 64))] if odd() else list(value)
            body = b"".join(map(write, items))
            if odd():
                return b"\xdd" + chance.choice((len(items), len(items) + 1, 2**32 - 1)).to_bytes(4, "big") + body
            return (long_head(b"\xdc", items) if len(items) > 15 or odd() else short_head(0x90, items)) + body
        case dict():
            found = entries(value, odd, chance)
            body = b"".join(write(part) for entry in found for part in entry)
            return (long_head(b"\xde", found) if len(found) > 15 or odd() else short_head(0x80, found)) + body
        case _:
            pass
    return bytes(msgpack.packb(value))


def long_head(kind: bytes, items: list[Any]) -> bytes:
    return kind + len(items).to_bytes(2, "big")


def short_head(kind: int, items: list[Any]) -> bytes:
    return bytes([kind | len(items)])


def odd_line(value: Any, odd: Odd, chance: Random) -> bytes:
    """Plain objects in JSON, at times as nobody writes them."""

    def write(one: Any) -> bytes:
        return odd_line(one, odd, chance)

    space = chance.choice((b" ", b"\t", b"\r", b"  ")) if odd() else b""
    match value:
        case bool() | None if odd():
            return space + chance.choice((b"null", b"true", b"false", b"0", b'""'))
        case int() if odd() and not isinstance(value, bool):
            written = chance.choice(("{}.0", "{}e0", "0{}", "-{}", "1e400", "NaN", str(10**30), str(2**64)))
            return space + written.format(value).encode()
        case str() if odd():
            escaped = "".join(f"\\u{ord(char) % 65_536:04x}" for char in value)
            return space + chance.choice((f'"{escaped}"'.encode(), b'"\xff"', b'"\\ud800"', b'"\xed\xa0\x80"'))
        case list() | tuple():
            items = [*value, *value[:1] * chance.choice((1, 64))] if odd() else value
            return b"[" + space + b",".join(map(write, items)) + (b",]" if odd() else b"]")
        case dict():
            body = b",".join(write(name) + b":" + write(one) for name, one in entries(value, odd, chance))
            return space + b"{" + body + b"}" + space
        case _:
            pass
    return space + (piece(LINES, value) if isinstance(value, bytes) else json.dumps(value, ensure_ascii=odd()).encode())


@both_codecs
@given(body=st.binary(max_size=60))
@often(50)
def test_garbage_is_the_same_either_way(codec: Codec, body: bytes) -> None:
    """Bytes of no kind."""
    check(codec, body)


@pytest.mark.parametrize(("codec", "body"), HOSTILE)
def test_hostile_body_is_the_same_either_way(codec: Codec, body: bytes) -> None:
    """Nesting, false lengths and foreign types."""
    check(codec, body)


@both_codecs
@pytest.mark.parametrize("loud", LOUD, ids=lambda text: repr(text[:3]))
def test_loud_body_is_the_same_either_way(codec: Codec, loud: str) -> None:
    """Long words of the peer's own."""
    for objects in ({"type": loud, "id": 1}, {"type": "look", "id": 1, loud: 1}, {"type": "ping", loud: loud}):
        if codec is LINES or "\udcff" not in loud:
            check(codec, piece(codec, objects))


# --- limits that only the codecs know --------------------------------------------------------------------------------


def refuses(decoder: Decoder[Any], body: bytes) -> bool:
    try:
        decoder.decode(body)
    except MessageError:
        return True
    return False


@both_codecs
def test_lengths_are_held_on_the_straight_way_too(codec: Codec) -> None:
    """A map or a list one over its limit, as our own encoder would write it, is refused."""
    over: dict[str, int | str] = {str(i): i for i in range(MAP_ITEMS + 1)}
    info = TableInfo(1, "g", over, (), ClockInfo(), TableState.FILLING)
    for decoder, message in (
        (decoder_of_requests(codec), OpenTable(1, "g", options=over)),
        (decoder_of_replies(codec), LobbyState(tables=(info,))),
        (decoder_of_replies(codec), LobbyState(closed=(1,) * (ARRAY_ITEMS + 1))),
    ):
        body = piece_of(codec, message)
        assert refuses(decoder, body)
        check(codec, body)


@pytest.mark.parametrize("number", [2**64, -(2**63) - 1, 10**100])
def test_number_over_64_bits_is_refused_however_it_is_written(number: int) -> None:
    """A line as our own encoder would write it, with a number that no frame can hold."""
    for line in (
        f'{{"type":"hello","version":{number}}}',
        f'{{"type":"open","id":1,"game":"g","options":{{"a":{number}}}}}',
        f'{{"type":"left","table":{number},"says":""}}',
    ):
        assert refuses(decoder_of_requests(LINES), line.encode())
        assert refuses(decoder_of_replies(LINES), line.encode())
        check(LINES, line.encode())
