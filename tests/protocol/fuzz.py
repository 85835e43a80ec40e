"""The fuzzing campaign: valid streams broken in every way, against the laws of both ends of a connection.

The suite runs a short slice. `scripts/soak` may run as much as there is time for: `campaign(seed, rounds)` is the same
every time, round by round, and a law that falls says which round of which seed it was; `one_round` runs it again.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any, get_args

from msgspec import Struct
from msgspec.structs import replace

from put_protocol.codecs import FRAMES, LINES, Codec, decoder_of_replies, decoder_of_requests
from put_protocol.connection import ClientConnection, ServerConnection
from put_protocol.errors import FramingError, MessageError, ProtocolError
from put_protocol.games.unknown import UnknownAction, UnknownEvent, UnknownView
from put_protocol.limits import FRAME_BYTES
from put_protocol.messages import ClientMessage, Look, Ping, Pong, ServerMessage
from put_protocol.text import is_printable
from tests.protocol import samples

REASON_LENGTH = 400

Decode = Callable[[bytes], object]

# What breaks parsers: heads that promise much, closers without openers, numbers at their edges, halves of characters.
_SHARDS = (
    *(b"\x00", b"\x00\x00\x00\x00", b"\x00\x00\x00\x01", b"\x00\x01\x00\x00", b"\x00\x01\x00\x01", b"\xff" * 4),
    *(b"\x91" * 1_100, b"\xdc\xff\xff", b"\xdc\x00\x40", b"\xdd\xff\xff\xff\xff", b"\xdf\xff\xff\xff\xff", b"\x81\xa0"),
    *(b"\xc0", b"\xc1", b"\xc2", b"\xc4\x00", b"\xc7\x00\x05", b"\xd6\xff\x00\x00\x00\x00", b"\xcb\x7f\xf8" + bytes(6)),
    *(b"\xcf" + b"\xff" * 8, b"\xd3\x80" + bytes(7), b"\xdb\xff\xff\xff\xff", b"\xed\xa0\x80", b"\xf0\x9f"),
    *(b"\n", b"\r\n", b"{", b"}", b"[" * 1_100, b"]", b'"', b",", b":", b"\\", b'\\"', b"\\ud800", b"\\u0000"),
    *(b"null", b"true", b"-1", b"1.0", b"1e400", b"NaN", b"9" * 4_300, b"9007199254740992", b"18446744073709551616"),
    *(b'"id":1,', b'"type":"ping"', b'{"type":"pong"}\n', b"\x1b[2J", b"\xe2\x80\xae", b"x" * 70_000, b""),
)


class LawBroken(AssertionError):
    """A connection did what it never may."""


@dataclass(slots=True)
class Tally:
    """What a campaign met, for who wants to know that it met anything."""

    rounds: int = 0
    taken: Counter[str] = field(default_factory=Counter)
    """How often each message and each error came out, by the name of its type."""
    ended: int = 0
    """Rounds in which the connection closed."""


def campaign(seed: int, rounds: int, start: int = 0) -> Tally:
    """So many broken streams.

    :raises LawBroken: with the seed and the number of the round.
    """
    tally = Tally()
    for number in range(start, start + rounds):
        try:
            one_round(seed, number, tally)
        except Exception as error:
            raise LawBroken(f"round {number} of seed {seed}: {error!r}") from error
    return tally


def one_round(seed: int, number: int, tally: Tally) -> None:
    """One broken stream to one end, whole and in chunks, with the same outcome either way."""
    chance = Random(f"{seed}/{number}")
    codec = chance.choice((FRAMES, LINES))
    end = chance.choice((_to_server, _to_client))
    stream = _broken(chance, end(chance, codec))
    receive = _server if end is _to_server else _client
    chunked = receive(codec, _chunks(chance, stream))
    whole = receive(codec, [stream])
    _hold(chunked == whole, f"cut into chunks it gave {chunked}, whole {whole}")
    (check_requests if end is _to_server else check_replies)(codec, stream)
    kinds, is_closed = chunked[0], chunked[2]
    tally.rounds += 1
    tally.taken.update(kind for kind, _ in kinds)
    tally.ended += is_closed


def check_requests(codec: Codec, stream: bytes) -> None:
    """Every piece gives a server the same straight and in steps: a message, or a sentence, a field and an id.

    :raises LawBroken: a piece does not.
    """
    decoder = decoder_of_requests(codec)
    _check_agreement(codec, stream, decoder.decode, decoder.decode_in_steps)


def check_replies(codec: Codec, stream: bytes) -> None:
    """As `check_requests`, for a client."""
    decoder = decoder_of_replies(codec)
    _check_agreement(codec, stream, decoder.decode_known, decoder.decode_known_in_steps)


def _check_agreement(codec: Codec, stream: bytes, straight: Decode, in_steps: Decode) -> None:
    for piece in _pieces(codec, stream):
        ours, theirs = _read_of(straight, piece), _read_of(in_steps, piece)
        _hold(ours == theirs, f"{piece!r}: straight {ours}, in steps {theirs}")


def _pieces(codec: Codec, stream: bytes) -> Iterator[bytes]:
    with suppress(FramingError):
        yield from codec.splitter().feed(stream)


def _read_of(decode: Decode, piece: bytes) -> object:
    try:
        return decode(piece)
    except MessageError as error:
        return error.reason, error.field, error.request_id


def _to_server(chance: Random, codec: Codec) -> list[bytes]:
    said: list[ClientMessage] = [samples.HELLO, *chance.choices(samples.REQUESTS, k=chance.randrange(12))]
    return [codec.encode(message) for message in said]


def _to_client(chance: Random, codec: Codec) -> list[bytes]:
    first = chance.randrange(len(samples.REPLIES))
    told: list[ServerMessage] = [samples.WELCOME, samples.ANSWER, *samples.REPLIES[:first]]
    return [codec.encode(message) for message in told]


def _broken(chance: Random, pieces: list[bytes]) -> bytes:
    """The stream with up to four faults in it. In one round of eight there is none."""
    for _ in range(chance.choice((0, 1, 1, 1, 2, 2, 3, 4))):
        if chance.random() < 0.3:
            _shuffle(chance, pieces)
        at = chance.randrange(len(pieces)) if chance.random() < 0.8 else -1
        pieces[at] = mutated(chance, pieces[at])
    return b"".join(pieces)


def _shuffle(chance: Random, pieces: list[bytes]) -> None:
    """A whole message repeated, lost or out of its place."""
    at = chance.randrange(len(pieces))
    match chance.randrange(3):
        case 0:
            pieces.insert(at, chance.choice(pieces))
        case 1 if len(pieces) > 1:
            del pieces[at]
        case _:
            pieces.append(pieces.pop(at))


def mutated(chance: Random, piece: bytes) -> bytes:
    """A piece with one fault: a bit, a byte, a cut, a shard. Half the frames have their length put right after it."""
    is_frame = piece[:1] == b"\x00" and len(piece) > 4
    mended = is_frame and chance.random() < 0.5
    body = piece[4:] if mended else piece
    at = chance.randrange(len(body)) if body else 0
    match chance.randrange(7):
        case 0 if body:
            body = body[:at] + bytes([body[at] ^ 1 << chance.randrange(8)]) + body[at + 1 :]
        case 1 if body:
            body = body[:at] + chance.randbytes(1) + body[at + 1 :]
        case 2:
            body = body[:at]
        case 3:
            body = body[:at] + body[at + chance.randrange(1, 9) :]
        case 4:
            body = body[:at] + chance.choice(_SHARDS) + body[at:]
        case 5:
            body = body[:at] + chance.choice(_SHARDS) + body[at + chance.randrange(1, 9) :]
        case _:
            body = body[:at] + chance.randbytes(chance.randrange(1, 9)) + body[at:]
    return len(body).to_bytes(4, "big") + body if mended else body


def _chunks(chance: Random, stream: bytes) -> list[bytes]:
    if len(stream) < 500 and chance.random() < 0.1:
        return [stream[i : i + 1] for i in range(len(stream))]
    cuts = sorted(chance.randrange(len(stream) + 1) for _ in range(chance.randrange(8)))
    return [stream[start:stop] for start, stop in zip([0, *cuts], [*cuts, len(stream)], strict=True)]


# --- the laws --------------------------------------------------------------------------------------------------------

Outcome = tuple[list[tuple[str, str]], bytes, bool]
"""Names and contents of what came out, what is to be sent back, and whether the connection closed."""


def _hold(claim: bool, otherwise: str) -> None:
    if not claim:
        raise LawBroken(otherwise)


def _server(codec: Codec, chunks: Sequence[bytes]) -> Outcome:
    connection = ServerConnection(0)
    taken: list[ClientMessage | ProtocolError] = []
    for chunk in chunks:
        was_closed = connection.is_closed
        came = connection.receive(chunk, 0)
        _hold(not (was_closed and came), f"{came} came after the end")
        taken += came
    _check_taken(taken, connection.is_closed, get_args(ClientMessage))
    ids = [one.request_id for one in taken if isinstance(one, MessageError)]
    _hold(all(0 <= number < 2**53 for number in ids), f"no request has an id among {ids}")
    messages = [one for one in taken if not isinstance(one, ProtocolError)]
    _hold(not any(isinstance(one, Ping | Pong) for one in messages), "a heartbeat came out")
    _hold([type(one).__name__ for one in messages].count("Hello") == bool(messages), "a hello too many or too few")
    _hold(not messages or type(messages[0]).__name__ == "Hello", f"{messages[:1]} came before the hello")
    for one in messages:
        _check_return(one, connection.codec or codec, decoder_of_requests)
    _hold(connection.pending <= FRAME_BYTES + sum(map(len, chunks)), "more to send than was received")
    back = connection.take()
    answers = _read((connection.codec or codec), back)
    _hold(all(isinstance(one, Pong) for one in answers), f"{answers} went back unasked")
    return _outcome(taken), back, connection.is_closed


def _client(codec: Codec, chunks: Sequence[bytes]) -> Outcome:
    connection = ClientConnection(0, codec)
    connection.send(Look(connection.next_id()))
    connection.take()
    taken: list[ServerMessage | ProtocolError] = []
    for chunk in chunks:
        was_closed = connection.is_closed
        came = connection.receive(chunk, 0)
        _hold(not (was_closed and came), f"{came} came after the end")
        taken += came
    _check_taken(taken, connection.is_closed, get_args(ServerMessage))
    errors = [one for one in taken if isinstance(one, ProtocolError)]
    _hold(len(errors) == connection.is_closed, f"{errors}, and closed is {connection.is_closed}")
    messages = [one for one in taken if not isinstance(one, ProtocolError)]
    _hold(not any(isinstance(one, Ping | Pong) for one in messages), "a heartbeat came out")
    _hold(not messages or type(messages[0]).__name__ in {"Welcome", "Goodbye"}, f"{messages[:1]} came first")
    for one in messages:
        (piece,) = codec.splitter().feed(codec.encode(_as_it_came(one)))
        _hold(decoder_of_replies(codec).decode_known(piece) == one, f"{one} does not come back")
    for seen in connection.seen:
        _hold(0 <= seen.number < 2**53 + FRAME_BYTES, f"{seen} can be told to no server")
    return _outcome(taken), connection.take(), connection.is_closed


def _check_taken(taken: Sequence[object], is_closed: bool, kinds: tuple[type, ...]) -> None:
    """Nothing but messages and errors; an error that ends the connection comes last, and only then is it closed."""
    for one in taken:
        _hold(isinstance(one, (ProtocolError, *kinds)), f"{one!r} came out")
        if isinstance(one, ProtocolError):
            _hold(is_printable(one.reason), f"{one.reason!r} cannot be shown")
            _hold(0 < len(one.reason) < REASON_LENGTH, f"a reason of {len(one.reason)} characters")
        if isinstance(one, MessageError):
            _hold(is_printable(one.field or ""), f"{one.field!r} cannot be shown")
    fatal = [isinstance(one, ProtocolError) and not isinstance(one, MessageError) for one in taken]
    _hold(not any(fatal[:-1]), "something came after a fatal error")
    _hold(not any(fatal) or is_closed, "a fatal error left the connection open")


def _check_return(message: Any, codec: Codec, decoder: Any) -> None:
    """What was accepted is a message like any other: it can be sent on and comes back the same."""
    (piece,) = codec.splitter().feed(codec.encode(message))
    _hold(decoder(codec).decode(piece) == message, f"{message} does not come back")


def _as_it_came(message: Any) -> Any:
    """With the maps that came in the place of what is not known here."""
    match message:
        case UnknownView() | UnknownEvent() | UnknownAction():
            return message.raw
        case tuple():
            return tuple(map(_as_it_came, message))
        case Struct():
            fields = {name: getattr(message, name) for name in message.__struct_fields__}
            changed = {name: came for name, value in fields.items() if (came := _as_it_came(value)) is not value}
            return replace(message, **changed)
        case _:
            return message


def _read(codec: Codec, data: bytes) -> list[ServerMessage]:
    decoder = decoder_of_replies(codec)
    return [decoder.decode(piece) for piece in codec.splitter().feed(data)]


def _outcome(taken: Sequence[object]) -> list[tuple[str, str]]:
    return [(type(one).__name__, repr(one)) for one in taken]
