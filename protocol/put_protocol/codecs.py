"""Codecs: messages to bytes and back, as msgpack frames or JSON lines. Both carry the same maps.

Decoding never trusts. There are two ways, and they agree on every piece:

- *In steps*, which takes anything: bytes become plain objects under the limits of `limits`, then `msgspec.convert`
  checks them against the schema and names the path of the first field that does not fit.
- *Straight*, from bytes to a message in one pass, in a third of the time or less. A typed decoder alone would be laxer
  than the steps: it skips the contents of unknown fields, and counts nothing. So a server decodes requests with strict
  types, which refuse unknown fields. A client encodes the message again, and accepts it if that gives the same bytes,
  as it does for our own programs. Such a piece holds only what the schema allows. To encode it shows that no number has
  more than 64 bits. That leaves the lengths. Types bound every map, and every list of a request. A list in a server's
  message has fewer items than the piece has bytes, and only short pieces are tried. All other pieces are decoded in
  steps.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, lru_cache, reduce
from operator import or_
from types import new_class
from typing import Any, Generic, TypeVar, get_args

import msgpack  # type: ignore[import-untyped]  # it ships no types
import msgspec
from msgspec import Struct, structs

from put_protocol import tolerance
from put_protocol.errors import MessageError
from put_protocol.framing import FrameSplitter, LineSplitter, Splitter, frame, line
from put_protocol.games.unions import Action
from put_protocol.limits import ARRAY_ITEMS, BIN_BYTES, FRAME_BYTES, MAP_ITEMS, REQUEST_ARRAY_ITEMS
from put_protocol.messages import Act, ClientMessage, Options, ServerMessage
from put_protocol.text import printable

M = TypeVar("M")
Message = ClientMessage | ServerMessage

# What msgspec says of a misfit. Names of unknown fields and values of tags in it are the peer's own words.
_PATH = re.compile(r" - at (?:`key` in )?`([\w$.\[\]]{1,100})`$", re.ASCII)
_FIELD = re.compile(r"Object (?:missing required|contains unknown) field `(\w{1,64})`", re.ASCII)
_KINDS = re.compile(
    "`(?:int|float|str|bool|array|object|null|bytes)(?: \\| (?:int|float|str|bool|array|object|null|bytes))*`"
)
_WORDS = {"int": "a whole number", "float": "a fraction", "str": "text", "bool": "true or false", "array": "a list"}
_WORDS |= {"object": "a map", "bytes": "bytes"}
"""The protocol's words for kinds of values."""
_LATE_JSON = re.compile(rb'\s+\{\s*"|\s*\[\s*[{"]')
_REASON_LENGTH = 240
"""Characters of a reason. It is sent back in an answer, which must not grow with the peer's input."""
STRAIGHT_BYTES = ARRAY_ITEMS
"""The longest piece to decode straight. No list in it can exceed its limit, and a hostile piece of 64 KiB is not read
twice. Welcomes, full lobbies, proofs of a whole deal and a few views are longer."""
KEPT_ACTIONS = 256
"""Decoded actions that a codec keeps: those of a pack, in some spellings."""
_pack = msgspec.msgpack.Encoder().encode
_to_json = msgspec.json.Encoder().encode


@dataclass(frozen=True, eq=False, repr=False)
class Codec:
    """A wire format: how to encode a message, and how to split a stream into messages."""

    name: str
    encode: Callable[[Message], bytes]
    """Encode one message, with its delimiter. ValueError if it is over the limit: our own mistake."""
    objects: Callable[[bytes, int], Any]
    """Decode one piece to plain objects; the number limits the length of lists. Raises ValueError."""
    typed: Callable[[Any], Callable[[bytes], Any]]
    """Make a lax decoder of one piece to a union, in one pass. Raises ValueError, or RecursionError."""
    bare: Callable[[Any], bytes]
    """Encode one message without a delimiter. OverflowError for a number of more than 64 bits."""
    splitter: Callable[[], Splitter]
    reframe: Callable[[bytes], bytes] | None = None
    """Convert messages encoded by `LINES` to this codec; None: cannot be converted."""

    def __repr__(self) -> str:
        return f"<codec {self.name}>"

    def with_encoder(self, name: str, encode: Callable[[Any], bytes]) -> "Codec":
        return replace(self, name=name, encode=encode)


def _unpack(body: bytes, items: int) -> Any:
    try:
        return msgpack.unpackb(
            body,
            max_array_len=items,
            max_map_len=MAP_ITEMS,
            max_str_len=FRAME_BYTES,
            max_bin_len=BIN_BYTES,
            max_ext_len=0,
        )
    except msgpack.StackError:
        raise ValueError("nested too deep") from None
    except msgpack.FormatError:
        raise ValueError("no msgpack") from None
    except msgpack.ExtraData as error:
        if body.startswith(b"{"):
            raise ValueError("this is JSON, and a frame holds msgpack; JSON comes in lines, without a length") from None
        raise ValueError(str(error)) from None
    except msgpack.UnpackException as error:
        raise ValueError(str(error)) from None


def _from_json(text: bytes, items: int) -> Any:
    try:
        objects = msgspec.json.decode(text)
    except RecursionError:
        raise ValueError("nested too deep") from None
    except msgspec.DecodeError as error:
        if b"\\ud" in text.lower() and "truncated" in str(error):
            raise ValueError("half of a surrogate pair stands alone") from None
        if "truncated" in str(error):
            raise ValueError("the line ends before its message does; a message is one line") from None
        raise ValueError(str(error)) from None
    if text.count(b",") >= min(items, MAP_ITEMS) or not _fits_frame(objects):
        _hold_to_limits(objects, items)
    return objects


def _fits_frame(objects: Any) -> bool:
    """True if msgpack can represent all numbers. Trying to encode is faster than looking at each number."""
    try:
        _pack(objects)
    except (OverflowError, RecursionError):
        return False
    return True


def _bare_line(message: Any) -> bytes:
    _pack(message)  # JSON has numbers that no frame can hold: this raises OverflowError
    return _to_json(message)


def _hold_to_limits(objects: Any, items: int) -> None:
    """Refuse in JSON the numbers that msgpack cannot encode or `_unpack` refuses, such as one of 4,000 digits."""
    waiting = [objects]
    while waiting:
        one = waiting.pop()
        if isinstance(one, list):
            if len(one) > items:
                raise ValueError(f"a list of {len(one)} items, over the limit of {items}")
            waiting += one
        elif isinstance(one, dict):
            if len(one) > MAP_ITEMS:
                raise ValueError(f"a map of {len(one)} items, over the limit of {MAP_ITEMS}")
            waiting += one.values()
        elif isinstance(one, int) and not -(2**63) <= one < 2**64:
            raise ValueError("a number of more than 64 bits")


def _in_frame(message: Message) -> bytes:
    body = _pack(message)
    return len(body).to_bytes(4, "big") + body if len(body) <= FRAME_BYTES else frame(body)


FRAMES = Codec(
    "frames",
    encode=_in_frame,
    objects=_unpack,
    typed=lambda union: msgspec.msgpack.Decoder(union).decode,
    bare=_pack,
    splitter=FrameSplitter,
)
"""Length-prefixed msgpack. Its first byte is always 0."""

LINES = Codec(
    "lines",
    encode=lambda m: line(_to_json(m)),
    objects=_from_json,
    typed=lambda union: msgspec.json.Decoder(union).decode,
    bare=_bare_line,
    splitter=LineSplitter,
)
"""A JSON object a line. Its first byte is `{`."""


def sniff(first: int) -> Codec | None:
    """The codec of a peer, by its first byte; None: no codec begins with this byte."""
    if first == 0:
        return FRAMES
    if first == ord("{"):
        return LINES
    return None


def is_plain(first: int) -> bool:
    """True if a person or telnet may send this first byte: a printable character that begins no JSON, a line end, a
    tab, an Escape or a Backspace."""
    return (first >= ord(" ") and first != ord("{")) or first in b"\r\n\t\b\x1b"


def misspoken(data: bytes) -> str | None:
    """The flaw in the first bytes of a connection, if they look like a program's mistake in framing and not like typed
    text. A sentence without its full stop. The first read may have only a part of what was sent."""
    if data.startswith(b"\xef\xbb\xbf"):
        return "JSON begins with {, and not with a byte order mark"
    if _LATE_JSON.match(data):
        return "JSON lines begin with {: nothing comes before it, and a message is a map and no list"
    if 0x80 <= data[0] <= 0x8F or data.startswith((b"\xde\x00", b"\xdf\x00")):
        return "a frame begins with its length, four bytes, big-endian; the msgpack map comes after it"
    if data[0] and data[1:4] == bytes(3):
        return "the length of a frame is big-endian, so its first byte is 0"
    return None


class Decoder(Generic[M]):
    """Decoder from pieces of one codec to messages of one union."""

    def __init__(self, codec: Codec, union: Any, *, items: int) -> None:
        self._objects = codec.objects
        self._typed = codec.typed(union)
        self._bare = codec.bare
        self._union = union
        # Converting to a union compiles it anew each time (13 us); of a struct msgspec remembers what it needs.
        self._structs = {struct.__struct_config__.tag: struct for struct in get_args(union)}
        self._items = items

    def decode(self, piece: bytes) -> M:
        """:raises MessageError: the piece holds no valid message; the error has the field and the request's id, if
        any."""
        return self._straight(piece) or self.decode_in_steps(piece)

    def _straight(self, piece: bytes) -> M | None:
        """The message, if it encodes to the same piece."""
        if len(piece) > STRAIGHT_BYTES:
            return None
        try:
            message: M = self._typed(piece)
            return message if self._bare(message) == piece else None
        except (ValueError, RecursionError, OverflowError):
            return None

    def decode_in_steps(self, piece: bytes) -> M:
        """Slower decoder, with the same results as `decode`."""
        return self._converted(self._taken_apart(piece))

    def _taken_apart(self, piece: bytes) -> Any:
        try:
            return self._objects(piece, self._items)
        except ValueError as error:
            raise MessageError(_clipped(f"not decodable: {error}")) from None

    def _converted(self, objects: Any) -> M:
        try:
            message: M = msgspec.convert(objects, self._struct_of(objects))
        except msgspec.ValidationError as error:
            raise _misfit(str(error), objects) from None
        return message

    def _struct_of(self, objects: Any) -> Any:
        """The message type that the objects name, or the whole union, whose error then says what is wrong."""
        named = objects.get("type") if isinstance(objects, dict) else None
        return self._structs.get(named, self._union) if isinstance(named, str) else self._union


def _twin(kind: type[Struct], **fields: Any) -> Any:
    """A strict version of a struct, which refuses unknown fields; `fields` replaces the types of some fields."""
    config = kind.__struct_config__
    strict = {"frozen": True, "forbid_unknown_fields": True, "tag_field": config.tag_field, "tag": config.tag}
    return new_class(kind.__name__, (kind,), strict, lambda space: space.update(__annotations__=fields))


class RequestDecoder(Decoder[ClientMessage]):
    """Decoder of a server's input, which refuses unknown fields. It checks actions against strict copies of their
    types, because the types themselves are lenient for clients.

    Players send the same few actions again and again, so decoded ones are kept by their bytes."""

    def __init__(self, codec: Codec, union: Any, *, items: int) -> None:
        super().__init__(codec, union, items=items)
        kinds = get_args(union)
        action: Any = reduce(or_, map(_twin, get_args(Action)))
        self._acts = {kind: _twin(kind, action=action) for kind in kinds if hasattr(kind, "action")}
        self._raw_act = _twin(Act, action=msgspec.Raw)
        self._typed = codec.typed(reduce(or_, [self._raw_act if kind is Act else kind for kind in kinds]))
        self._lax = {kind for kind in kinds if kind in self._acts or not kind.__struct_config__.forbid_unknown_fields}
        check, typed = codec.typed(action), codec.typed(Action)

        @lru_cache(maxsize=KEPT_ACTIONS)
        def action_of(piece: bytes) -> Any:
            self._bare(check(piece))
            return typed(piece)

        self._action_of = action_of

    def _straight(self, piece: bytes) -> ClientMessage | None:
        """The message, if its types refuse unknown fields, or if it encodes to the same piece."""
        if len(piece) > STRAIGHT_BYTES:
            return None
        try:
            message: Any = self._typed(piece)
            if type(message) is self._raw_act:
                action = self._action_of(bytes(message.action))
                return Act(message.id, message.table, message.decision, action, message.entry)
            return message if self._bare(message) == piece or type(message) not in self._lax else None
        except (ValueError, RecursionError, OverflowError):
            return None

    def _converted(self, objects: Any) -> ClientMessage:
        message = super()._converted(objects)
        try:
            msgspec.convert(objects, self._acts.get(type(message), Any))
        except msgspec.ValidationError as error:
            raise _misfit(str(error), objects) from None
        return message


class ReplyDecoder(Decoder[ServerMessage]):
    """Decoder of a client's input. The server may be a later release, and send what this client does not know."""

    def decode_known(self, piece: bytes) -> ServerMessage | None:
        """The message. Unknown views, events and actions in it become those of `games.unknown`.

        None: the type of the message is unknown.

        :raises MessageError: as `decode`.
        """
        return self._straight(piece) or self.decode_known_in_steps(piece)

    def decode_known_in_steps(self, piece: bytes) -> ServerMessage | None:
        """Slower decoder, with the same results as `decode_known`."""
        objects = self._taken_apart(piece)
        kind = objects.get("type") if isinstance(objects, dict) else None
        if isinstance(kind, str) and kind not in self._structs:
            return None
        try:
            return self._converted(objects)
        except MessageError as error:
            if not isinstance(kind, str):
                raise
            try:
                apart = tolerance.taken_apart(objects)
                return structs.replace(self._converted(apart.known), **apart.others)
            except (MessageError, msgspec.ValidationError):
                if tolerance.has_unknown_action(objects):
                    return None  # an analysis or a judgement of actions of which nothing more is known
                raise error from None


def _misfit(said: str, objects: Any) -> MessageError:
    found = _PATH.search(said)
    path = found.group(1) if found else None
    if path == "$.options[...]":
        path = _path_of_option(objects["options"])
        said = f"{said[: said.rindex(' - at ')]} - at `{path}`"
    said = _KINDS.sub(_in_words, said)
    if named := _FIELD.match(said):
        path = f"{path or '$'}.{named.group(1)}"
    request = objects.get("id") if isinstance(objects, dict) else None
    if not isinstance(request, int) or isinstance(request, bool) or not 0 < request < 2**53:
        request = 0
    return MessageError(_clipped(said), field=path, request_id=request)


def _path_of_option(options: dict[str, Any]) -> str:
    """The path of the first option whose value has an impossible type. Only the options of a request have free keys."""
    for key, value in options.items():
        try:
            msgspec.convert({key: value}, Options)
        except msgspec.ValidationError:
            return f"$.options.{printable(key[:64])}"
    return "$.options"


def _in_words(kinds: re.Match[str]) -> str:
    return " or ".join(_WORDS.get(kind, kind) for kind in kinds[0].strip("`").split(" | "))


def _clipped(said: str) -> str:
    return printable(said if len(said) <= _REASON_LENGTH else said[:_REASON_LENGTH] + "\u2026")


@cache
def decoder_of_requests(codec: Codec) -> RequestDecoder:
    """Decoder of a server's input, shared by all its connections."""
    return RequestDecoder(codec, ClientMessage, items=REQUEST_ARRAY_ITEMS)


@cache
def decoder_of_replies(codec: Codec) -> ReplyDecoder:
    return ReplyDecoder(codec, ServerMessage, items=ARRAY_ITEMS)
