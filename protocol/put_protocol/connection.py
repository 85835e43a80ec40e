"""Both ends of a connection, without a socket: give them bytes, take messages, take bytes to send.

Laws, for any peer: `receive` raises nothing. It returns each fault as a `ProtocolError`, at its place among the
messages. After a fatal error the connection is closed and yields nothing more. The first message must be `hello`, which
is accepted only once. Heartbeats are answered here and never seen outside. Callers pass the time, in integer
milliseconds of one clock.
"""

from collections.abc import Iterable

from msgspec.structs import replace

from put_protocol import codecs, messages
from put_protocol.codecs import Codec, Decoder
from put_protocol.errors import FramingError, HandshakeError, MessageError, NumberingError, ProtocolError
from put_protocol.framing import Splitter
from put_protocol.games.unknown import UnknownAction
from put_protocol.limits import (
    AWAITED_DEAD_MS,
    AWAITED_QUIET_MS,
    DEAD_MS,
    HELLO_MS,
    LEAST_DEAD_MS,
    LEAST_QUIET_MS,
    QUIET_MS,
    REQUEST_ARRAY_ITEMS,
    STRANGER_MS,
)
from put_protocol.offers import Limits

TLS_FIRST_BYTE = 0x16

# Looked up by type: a failing `isinstance` of a Struct takes 0.1 us for each class.
_HEARTBEATS = frozenset({messages.Ping, messages.Pong})
_FIRST_REPLIES = frozenset({messages.Welcome, messages.Goodbye})
_COUNTED = frozenset(
    {messages.Welcome, messages.Ok, messages.Refused, messages.TableSnapshot, messages.Events, messages.Left}
)

_NO_TLS = "this is put-server, and it does not speak TLS on this port"
_SPOKEN_HERE = "this is put-server: it speaks msgpack frames, JSON lines, and plain English"


class _Liveness:
    """Timer of the peer's silence: when to ping, and when the peer counts as gone."""

    __slots__ = ("_pinged", "_pinged_at", "dead_ms", "last_byte", "quiet_ms")

    def __init__(self, now: int) -> None:
        self.quiet_ms = QUIET_MS
        self.dead_ms = DEAD_MS
        self.last_byte = now
        """Time of the last bytes from the peer; set by the caller."""
        self._pinged: int | None = None
        """The value of `last_byte` for which a ping was sent."""
        self._pinged_at = now

    def follow(self, limits: Limits) -> None:
        """Use the times that the server announced."""
        self.dead_ms = max(LEAST_DEAD_MS, limits.dead_ms)
        self.quiet_ms = min(max(LEAST_QUIET_MS, limits.quiet_ms), self.dead_ms // 2)

    def wants_ping(self, now: int, *, is_awaited: bool = False) -> bool:
        quiet_ms = AWAITED_QUIET_MS if is_awaited else self.quiet_ms
        if self._pinged == self.last_byte or now - self.last_byte < quiet_ms:
            return False
        self._pinged, self._pinged_at = self.last_byte, now
        return True

    def is_dead(self, now: int, *, is_awaited: bool = False) -> bool:
        if is_awaited and self._pinged == self.last_byte and now - self._pinged_at >= AWAITED_DEAD_MS:
            return True
        return now - self.last_byte >= self.dead_ms


def _bare(error: ProtocolError) -> ProtocolError:
    """An error without its traceback, which would keep the received bytes alive until the next garbage collection."""
    error.__traceback__ = error.__context__ = None
    return error


class ServerConnection:
    """The server's end, if the peer speaks frames or JSON."""

    __slots__ = (
        "_decoder",
        "_liveness",
        "_pings",
        "_since",
        "_splitter",
        "beats",
        "codec",
        "has_hello",
        "is_closed",
        "out",
        "wants_pulse",
    )

    def __init__(self, now: int, codec: Codec | None = None) -> None:
        """`codec`: the peer's codec, if known; otherwise the first byte tells."""
        self.codec: Codec | None = None
        """The peer's codec; None until the first byte arrives."""

        self.has_hello = False
        self.is_closed = False
        self.beats = 0
        """Heartbeats since the last `take_heartbeats`."""
        self._pings = 0
        """Sent and not yet answered."""
        self.wants_pulse = False
        """`take_pulse` is to be asked."""
        self._since = now
        self._liveness = _Liveness(now)
        self.out: bytes | bytearray = b""
        self._splitter: Splitter
        self._decoder: Decoder[messages.ClientMessage]
        if codec is not None:
            self._speak(codec)

    def receive(self, data: bytes, now: int) -> list[messages.ClientMessage | ProtocolError]:
        """The messages completed by these bytes, with errors at their places."""
        received: list[messages.ClientMessage | ProtocolError] = []
        if self.is_closed or not data:
            return received
        self._liveness.last_byte = now
        if self.codec is None and not self._begin(data[0], now):
            received.append(FramingError(_NO_TLS if data[0] == TLS_FIRST_BYTE else _SPOKEN_HERE))
            return received
        try:
            for piece in self._splitter.feed(data):
                try:
                    message = self._decoder.decode(piece)
                except MessageError as error:
                    received.append(_bare(error))
                    if not self.has_hello:
                        raise HandshakeError(f"the first message must be a hello: {error.reason}") from None
                    continue
                kind = type(message)
                if kind in _HEARTBEATS and self.has_hello:
                    self._note_heartbeat(kind)
                    continue
                if (kind is messages.Hello) == self.has_hello:
                    raise HandshakeError("a second hello" if self.has_hello else "the first message must be a hello")
                self.has_hello = True
                received.append(message)
        except ProtocolError as error:
            self.is_closed = True
            received.append(_bare(error))
        return received

    def _begin(self, first: int, now: int) -> bool:
        self._since = now
        codec = codecs.sniff(first)
        if codec is None:
            self.is_closed = True
            return False
        self._speak(codec)
        return True

    def _speak(self, codec: Codec) -> None:
        self.codec = codec
        self._splitter = codec.splitter()
        self._decoder = codecs.decoder_of_requests(codec)

    def _note_heartbeat(self, kind: type[messages.ClientMessage]) -> None:
        self.beats += 1
        if kind is messages.Ping:
            self.send(messages.Pong())
        elif self._pings:
            self._pings -= 1

    def send(self, message: messages.ServerMessage) -> None:
        self.send_encoded((self.codec or codecs.LINES).encode(message))

    def send_encoded(self, data: bytes) -> None:
        """Queue a message that is already encoded with this connection's codec. A broadcast is thus encoded once."""
        if not self.out:
            self.out = data  # mostly one message waits
        elif isinstance(self.out, bytearray):
            self.out += data
        else:
            self.out = bytearray().join((self.out, data))  # a peer that reads slowly costs no copy a message

    @property
    def pending(self) -> int:
        return len(self.out)

    def take(self) -> bytes:
        """Everything queued, for the socket."""
        out, self.out = self.out, b""
        return bytes(out)

    def _why_no_hello(self) -> str:
        if self.codec is None or not self._splitter.is_midway:
            return "no hello came"
        if self.codec is codecs.LINES:
            return "no hello came: what you sent does not end with a line feed"
        if self.codec is codecs.FRAMES:
            return "no hello came: your frame has fewer bytes than its length says"
        return "no hello came: a fragment of yours ends no message"

    def take_heartbeats(self) -> int:
        """Number of heartbeats since the last call, for a rate limit. They are answered here."""
        beats, self.beats = self.beats, 0
        return beats

    def want_pulse(self) -> None:
        """Queue a ping; `take_pulse` reports its answer."""
        self.wants_pulse = True
        self._ping()

    def take_pulse(self) -> bool:
        """True once, when all pings since `want_pulse` are answered: all that the peer sent before has arrived."""
        if self.wants_pulse and not self._pings:
            self.wants_pulse = False
            return True
        return False

    def _ping(self) -> None:
        self._pings += 1
        self.send(messages.Ping())

    def tick(self, now: int, *, is_awaited: bool = False) -> messages.Goodbye | None:
        """Check the timers; call this at least every few seconds. Queues a ping if one is due. `is_awaited`: other
        players wait for this person's move.

        Returns the reason to close, if the peer was silent for too long or never sent `hello`.
        """
        if not self.has_hello:
            patience = STRANGER_MS if self.codec is None else HELLO_MS
            return messages.Goodbye(code="idle", says=self._why_no_hello()) if now - self._since >= patience else None
        if self._liveness.is_dead(now, is_awaited=is_awaited):
            return messages.Goodbye(code="idle", says="nothing was heard from you for too long")
        if self._liveness.wants_ping(now, is_awaited=is_awaited):
            self._ping()
        return None


GREETING = "This is a put server"
"""First words of the two lines that a server sends to a peer who stays silent, because they may be a person."""

_GREETING = GREETING.encode()
_GREETING_BYTES = 1_024


IDS = 2**26
"""Range of ids for each connection of a person, so a second program with their token gets no answers to the first's."""


class ClientConnection:
    """The client's end. It numbers requests, and checks that events arrive without gaps."""

    def __init__(self, now: int, codec: Codec = codecs.FRAMES) -> None:
        self.is_closed = False
        self.is_welcome = False
        self._codec = codec
        self._splitter = codec.splitter()
        self._decoder = codecs.decoder_of_replies(codec)
        self._liveness = _Liveness(now)
        self._out: list[bytes] = []
        self._last_id = 0
        self._numbers: dict[int, int] = {}
        self._waiting: set[int] = set()
        self._early: bytes | None = b""
        """Possible beginning of the greeting; None: it is over, or there was none."""

    @property
    def quiet_ms(self) -> int:
        """Silence after which `tick` queues a ping, from `welcome`."""
        return self._liveness.quiet_ms

    @property
    def seen(self) -> tuple[messages.Seen, ...]:
        """Last event received of each table, for a `hello` that resumes."""
        return tuple(messages.Seen(table=table, number=number) for table, number in self._numbers.items())

    def follow_from(self, seen: Iterable[messages.Seen]) -> None:
        """Continue where another connection of the same person stopped."""
        self._numbers.update((s.table, s.number) for s in seen)

    def next_id(self) -> int:
        self._last_id += 1
        return self._last_id

    def send(self, message: messages.ClientMessage) -> None:
        """Queue a message. Requests listed in a `hello` can still be answered, and new requests get higher ids."""
        request = getattr(message, "id", None)
        if request is not None:
            self._waiting.add(request)
        elif isinstance(message, messages.Hello):
            self._waiting.update(message.asked)
            self._last_id = max((self._last_id, *message.asked))
        action = getattr(message, "action", None)
        if isinstance(action, UnknownAction):
            message = replace(message, action=action.raw)
        self._out.append(self._codec.encode(message))

    def take(self) -> bytes:
        data = b"".join(self._out)
        self._out.clear()
        return data

    def receive(self, data: bytes, now: int) -> list[messages.ServerMessage | ProtocolError]:
        """The messages completed by these bytes. An error comes last, and closes the connection."""
        received: list[messages.ServerMessage | ProtocolError] = []
        if self.is_closed or not data:
            return received
        self._liveness.last_byte = now
        if self._early is not None:
            data = self._without_greeting(self._early + data)
        try:
            for piece in self._splitter.feed(data):
                message = self._decoder.decode_known(piece)
                if type(message) is messages.Ping:
                    self.send(messages.Pong())
                elif message is not None and type(message) is not messages.Pong:
                    self._check(message)
                    received.append(message)
        except ProtocolError as error:
            self.is_closed = True
            received.append(_bare(error))
        return received

    def _without_greeting(self, early: bytes) -> bytes:
        """The bytes after the greeting, which a program skips; none as long as it may go on."""
        *greeting, rest = early.split(b"\n", 2)
        is_greeting = early.startswith(_GREETING) or _GREETING.startswith(early)
        self._early = early if is_greeting and len(greeting) < 2 and len(early) <= _GREETING_BYTES else None
        if self._early is None:
            return rest if is_greeting and len(greeting) == 2 else early
        return b""

    def _check(self, message: messages.ServerMessage) -> None:
        kind = type(message)
        if not self.is_welcome and kind not in _FIRST_REPLIES:
            raise HandshakeError("the server said something else before its welcome")
        if kind not in _COUNTED:
            return
        match message:
            case messages.Events():
                self._check_answer(message.id)
                last = self._numbers.get(message.table)
                if last is None:  # nothing of it could be checked
                    raise NumberingError(f"events of table {message.table} came before the table was shown")
                expected = last + 1
                if message.first != expected:
                    raise NumberingError(f"table {message.table}: event {message.first} came where {expected} was due")
                self._numbers[message.table] = message.first + len(message.events) - 1
                self._check_tables()
            case messages.Welcome():
                if self.is_welcome:
                    raise HandshakeError("a second welcome")
                self.is_welcome = True
                self._last_id = max(self._last_id, IDS * (max(1, message.incarnation) - 1) % (IDS * IDS))
                self._liveness.follow(message.limits)
                for table in self._numbers.keys() - set(message.tables):
                    del self._numbers[table]
            case messages.Ok(id=request) | messages.Refused(id=request):
                self._check_answer(request)
            case messages.TableSnapshot():
                self._check_answer(message.id)
                if not 0 <= message.number < 2**53:  # no `hello` that resumes could carry it
                    raise NumberingError(f"table {message.table}: a snapshot cannot end at event {message.number}")
                self._numbers[message.table] = message.number
                self._check_tables()
            case messages.Left():
                self._numbers.pop(message.table, None)
            case _:
                pass

    def _check_answer(self, request: int) -> None:
        if request and request not in self._waiting:
            raise MessageError(f"an answer to request {request}, which was not waiting", request_id=request)
        self._waiting.discard(request)

    def _check_tables(self) -> None:
        if len(self._numbers) > REQUEST_ARRAY_ITEMS:  # more than a `hello` that resumes could name
            raise NumberingError(f"it shows more than {REQUEST_ARRAY_ITEMS} tables at once")

    def tick(self, now: int) -> bool:
        """Check the timers; queue a ping if one is due. False: the server is gone."""
        if self._liveness.wants_ping(now):
            self.send(messages.Ping())
        return not self._liveness.is_dead(now)
