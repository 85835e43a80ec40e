"""Session: one peer's connection, its rate limit, and its bounded outbox. A slow reader is dropped and may resume.

A session is the asyncio protocol itself, so an idle peer costs one small object. All sessions read into one buffer:
input is copied out before the next read. The handler treats peers with frames or JSON and peers who type plain English
alike, with one exception: the former get bytes that were encoded once for all, the latter get messages, which the
session turns into sentences.
"""

import asyncio
import logging
from time import perf_counter
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from put_protocol import PROTOCOL_VERSION, messages
from put_protocol.codecs import Codec, is_plain, misspoken
from put_protocol.connection import ServerConnection
from put_protocol.errors import FramingError, HandshakeError, MessageError, ProtocolError
from put_protocol.parts import parts
from put_protocol.refusals import RefusalCode
from put_server.table.table_effects import PersonId
from put_server.transport.admission import Caller
from put_server.transport.budgets import CONNECTION_COST, HANDSHAKE_COST, MOVES, TURN_COST, Allowance, Work
from put_server.transport.encryption import BUFFER_BYTES, limit_unread
from put_server.transport.http_page import PageAsked
from put_server.transport.keepalive import keep_alive
from put_server.transport.peer_codecs import of_version_2, phrasing_codec, speaking_codec
from put_server.transport.reception import Reception
from put_server.transport.web_pages import WebPages, begins_http, load_http
from put_text.catalogue import languages, say_in_english
from put_text.plain.plain_connection import Parted, PlainConnection

if TYPE_CHECKING:  # they are loaded when a browser comes
    from put_server.transport.http import HttpConnection
    from put_server.transport.websocket import WebSocketConnection

log = logging.getLogger(__name__)

OUTBOX_BYTES: Final = 1024 * 1024
"""Most unsent bytes of one peer: twice the largest lobby as JSON, or minutes of play; usually there are none."""

HTTP_UNREAD_BYTES: Final = 16 * 1024
"""Unsent bytes above which an HTTP peer gets no further response; most files of the page are smaller."""

CLOSING_MS: Final = 5_000
"""Time for the last messages to reach a peer before its connection is cut."""

READ_BYTES: Final = 4 * 1024
"""Bytes of one read: fifty moves."""

PIECE_BYTES: Final = 512
"""Bytes decoded at once: a hundred messages at most."""

TYPED_BYTES: Final = 16
"""Bytes of typed text decoded at once: each may be a line."""

TURN_STEPS: Final = 16
TURN_NS: Final = 2_000_000
"""A turn ends with the step that reaches one of these. A step is a request, a page, a typed line, or a piece of
bytes."""

Item = messages.ClientMessage | ProtocolError | PageAsked
"""Item that a connection yields."""

_READ = memoryview(bytearray(READ_BYTES))

_REFUSALS = frozenset(("refused", "protocol", "too_fast"))
"""Goodbyes that the log of peers counts as refusals."""

_FREE = frozenset({messages.Bye, Parted, FramingError, HandshakeError})
"""Messages that never wait for a debt."""

_PLAYED, _ASKED = 1, 2
"""Kind of a turn: accepted moves only, or something else."""

_PEACEFUL = frozenset(("bye", "draining", "taken_over"))
"""Goodbyes that are not refusals."""

TOO_FAST = messages.Goodbye(code="too_fast", says=say_in_english("refused-too-fast"))


class Session(asyncio.BufferedProtocol):
    __slots__ = (
        *("_asked_at", "_closing_since", "_connection", "_did", "_expected", "_framed", "_handler"),
        *("_has_offers", "_http", "_is_held", "_is_odd", "_is_paused", "_is_stranger", "_plain", "_prepaid", "_socket"),
        *("_transport", "_undecoded", "_unsaid", "_waiting", "_web", "caller", "codec", "person", "standing"),
    )

    def __init__(self, handler: Reception, caller: Caller | None = None, web: WebPages | None = None) -> None:
        now = handler.now()
        self.person: PersonId | None = None
        self.caller = caller or Caller()
        self._handler = handler
        self._web = web
        """Answers HTTP; None: no HTTP."""
        self.codec: Codec | None = None
        """Codec of messages for `deliver`; None: the peer types, or has not sent `hello`."""
        self._framed = ServerConnection(now)
        self._plain: PlainConnection | None = None
        """Text connection; None for framed and JSON peers."""
        self._unsaid: tuple[messages.ServerMessage, ...] = ()
        """Messages that `flush` will put into sentences."""
        self._socket: WebSocketConnection | None = None
        """The same object as `_framed`, if the peer uses WebSocket."""
        self._http: HttpConnection | None = None
        """HTTP connection; set when HTTP is loaded."""
        self._asked_at: int | None = None
        """Time of the latest HTTP request; None: the connection is not HTTP."""
        self._connection: ServerConnection | PlainConnection | HttpConnection = self._framed
        self._is_held = False
        """Nothing is handled: the welcome, which must come first, waits for its record; or HTTP may not answer,
        because it is not loaded yet, or the peer does not read."""
        self._is_stranger = self._is_odd = True
        """`_is_stranger`: no byte has arrived. `_is_odd`: the input is not only frames or JSON lines."""
        self.standing = Allowance(now)
        """Debts and limits of the peer; after admission those of the person."""
        self._undecoded = b""
        self._waiting: tuple[Item, ...] = ()  # an empty list or deque takes room
        """Decoded but not handled. While `_undecoded` or `_waiting` has anything, nothing more is read."""
        self._is_paused = False
        """Reading is paused until the next turn."""
        self._has_offers = False
        """The page has the games of the welcome."""
        self._did = 0
        """The sum of `_PLAYED` and `_ASKED` in this turn."""
        self._expected = 0.0
        """Cost of the last turn after which the peer had to wait."""
        self._prepaid = 0.0
        """Cost of the next turn, charged in advance. Otherwise all waiting peers would be read at once."""
        self._transport: asyncio.Transport | None = None
        self._closing_since: int | None = None

    @property
    def pending(self) -> int:
        """Bytes that the peer has not read yet."""
        waiting = self._transport.get_write_buffer_size() if self._transport is not None else 0
        return self._connection.pending + waiting

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self.caller.holder = self
        if self.caller.is_encrypted:
            limit_unread(transport)
        self._handler.enter(self)
        budgets = self._handler.budgets
        budgets.charge_arrival(self, CONNECTION_COST + (HANDSHAKE_COST if self.caller.is_encrypted else 0.0))
        if budgets.must_wait(self, is_play=True):
            self._wait()

    def get_buffer(self, sizehint: int) -> memoryview:  # asyncio's signature
        return _READ

    def buffer_updated(self, nbytes: int) -> None:
        data = bytes(_READ[:nbytes])
        self._undecoded = self._undecoded + data if self._undecoded else data
        self._take_turn()

    def pause_writing(self) -> None:
        if self._asked_at is not None:
            self._is_held = True

    def resume_writing(self) -> None:
        if self._http is not None:
            self._go_on()

    def eof_received(self) -> bool:
        if self._plain is not None and self._closing_since is None:
            self._say_all()
            self._plain.part()  # who pressed Ctrl-D may still read
            self.flush()
        return False

    def connection_lost(self, exc: Exception | None) -> None:  # how it was lost changes nothing
        self._transport = None
        self._handler.exit(self)
        self._undecoded = b""
        self._http = self._plain = None  # they refer to this session: it is not kept until a search for cycles
        self._connection = self._framed

    def _meet(self, data: bytes) -> None:
        """The first byte shows if the peer types. The next bytes may show a mistake of a program instead."""
        self._is_stranger = self._is_odd = False
        if mistake := misspoken(data):
            self.caller.refusal = self.caller.refusal or mistake
        elif is_plain(data[0]):
            self._is_odd = True
            self._connection = self._plain = PlainConnection(
                self._handler.now(), spend=lambda: self._count(1), asks_password=self._handler.asks_password
            )
            keep_alive(self._transport)

    def _take_turn(self) -> None:
        """Handle a limited part of the input, and charge its cost. The rest waits for the next turn or the paid
        debt."""
        handler, prepaid = self._handler, self._prepaid
        self._did, self._prepaid = 0, 0.0
        try:
            if not self.caller.places:  # exempt
                has_more = self._take_steps()
                must_wait, cost = False, 0.0
            else:
                with Work(handler.budgets, (self,), TURN_COST - prepaid) as work:
                    has_more = self._take_steps()
                    work.is_play = self._did == _PLAYED
                must_wait, cost = work.must_wait, work.cost + prepaid
                if not work.is_play:
                    handler.budgets.note_turn(self, cost)
        except Exception:  # the boundary: a bug while serving a peer ends only this peer
            log.exception("a message could not be handled; its connection is closed")
            self.cut()
            return
        if self._closing_since is not None or self._transport is None:
            self._undecoded = b""
            self._waiting = ()
        elif self._is_held:
            self._pause()
        elif has_more or self._waiting:
            if self._must_wait():
                self._wait(cost)
            else:
                self._pause()
                handler.note_more(self)
        elif must_wait and (self._did == _PLAYED or not handler.budgets.is_trifle(self.standing)):
            self._wait(0.0 if self._did == _PLAYED else cost)
        elif self._is_paused and self._transport is not None:
            self._read_on(self._transport)

    def _take_steps(self) -> bool:
        """Returns true if the turn ended with input left."""
        handler = self._handler
        handler.read_at = perf_counter()
        begun, has_more = 0, True
        for step in range(TURN_STEPS):
            if self._is_held or self._closing_since is not None:
                has_more = False
            elif self._waiting:
                # What a peer owes was looked at behind the last turn: a single move is not looked at again.
                if (step > 1 or type(self._waiting[0]) not in MOVES) and self._must_wait():
                    has_more = False
                else:
                    item, self._waiting = self._waiting[0], self._waiting[1:]
                    self._handle(item)
            elif self._is_odd:
                has_more = self._take_odd_step()
            elif self._undecoded:
                self._decode()
                continue
            has_more = has_more and bool(self._waiting or self._undecoded or self._is_odd)
            if not has_more:
                break
            if step:
                now = handler.budgets.wall_clock()
                begun = begun or now
                if now - begun >= TURN_NS:
                    break
        framed = self._framed
        if not has_more and framed.wants_pulse and framed.take_pulse():
            handler.answer_ping(self)
        if framed.out or self._plain is not None or handler.unsent or handler.unsent_crowd:
            handler.flush(self)
        return has_more

    def _take_odd_step(self) -> bool:
        """Take a step for a peer without frames or JSON lines, or with an unknown codec."""
        self._say_all()
        asking = self._http or self._plain
        if asking is not None and asking.has_next:
            self._waiting = tuple(asking.take_requests())
        elif self._is_stranger:
            return bool(self._undecoded) and self._is_known()
        elif self._undecoded:
            self._decode()
        elif self._socket is not None and self._socket.wants_close:
            self._socket.close()
            self._end()
        else:
            return False
        return True

    def _is_known(self) -> bool:
        """True if the first bytes determine the codec, or that it is not HTTP."""
        if self._web is not None and (is_http := begins_http(self._undecoded)) is not False:
            if is_http:
                self._leave_to(self._web)
            return False
        self._meet(self._undecoded)
        if self.caller.refusal:
            self._connection.receive(self._undecoded, self._handler.now())  # so that it hears of it in its own codec
            self.farewell(messages.Goodbye(code="protocol", says=self.caller.refusal))
        return True

    def _decode(self) -> None:
        size = PIECE_BYTES if self._plain is None else TYPED_BYTES
        data, self._undecoded = self._undecoded, b""
        if len(data) > size:
            data, self._undecoded = data[:size], data[size:]
        self._waiting = tuple(self._connection.receive(data, self._handler.now()))
        if self._socket is not None:
            self._socket.note_frames()
        elif self._http is not None and self._http.is_closed:
            self._end()
        if self._framed.beats:  # answered by a lower layer, but a flood of them still counts
            self._did |= _ASKED
            self._count(self._framed.take_heartbeats())

    def _must_wait(self) -> bool:
        """True if the next item waits until something is paid."""
        item = self._waiting[0] if self._waiting else None
        kind = type(item)
        if isinstance(item, messages.Hello):
            return self._handler.must_hello_wait(self, item)
        return kind not in _FREE and self._handler.budgets.must_wait(self, is_play=kind in MOVES)

    @property
    def waits_for_all(self) -> bool:
        """True if the next item may have to wait for the total debt. A `hello` has a smaller wait."""
        kind = type(self._waiting[0]) if self._waiting else None
        return kind not in _FREE and kind not in MOVES and kind is not messages.Hello

    def _pause(self) -> None:
        """Pause reading until all input is handled."""
        if not self._is_paused and self._transport is not None:
            self._is_paused = True
            self._transport.pause_reading()

    def _wait(self, cost: float = 0.0) -> None:
        """Wait until the debt is paid. The next turn is expected to cost as much as this one."""
        self._expected = cost
        self._pause()
        self._handler.note_pause(self)

    def _read_on(self, transport: asyncio.Transport) -> None:
        self._is_paused = False
        self._prepaid, self._expected = self._expected, 0.0
        self._handler.budgets.charge((self,), self._prepaid)
        transport.resume_reading()

    def resume(self) -> bool:
        """Take the next turn, if the debt allows. Returns whether it does."""
        if self._closing_since is not None or self._transport is None:
            return True
        if self._must_wait():
            return False
        self._take_turn()
        return True

    def _leave_to(self, web: WebPages) -> None:
        """The peer speaks HTTP."""
        assert self._transport is not None
        self._asked_at = self._handler.now()
        self._is_stranger, self._is_held = False, True
        self._transport.set_write_buffer_limits(HTTP_UNREAD_BYTES)
        load_http(web, self._transport, self.caller, self._speak_http)

    def _speak_http(self, http: "HttpConnection") -> None:
        """HTTP is loaded, and answers from now on."""
        self._http = self._connection = http
        self._go_on()

    def _answer_page(self, http: "HttpConnection") -> None:
        """Answer an HTTP request; it may ask for a WebSocket."""
        self._asked_at = self._handler.now()
        if (socket := http.answer(self._asked_at)) is not None:
            self._undecoded = http.rest + self._undecoded
            self._http = self._asked_at = None
            self._framed = self._connection = self._socket = socket
        if http.is_closed:
            self._end()
        self.flush()

    def _go_on(self) -> None:
        """Handle input again."""
        self._is_held = False
        if self._waiting or self._undecoded:
            self._handler.note_more(self)
        elif self._is_paused and self._transport is not None:
            self._read_on(self._transport)

    def _handle(self, item: Item) -> None:
        match item:
            case messages.Act() | messages.Again() if self.person is not None:
                if self._handler.ask(self, item):
                    self._did |= _PLAYED
                    return
                self._count(1)
            case messages.Hello():
                self._has_offers = self._web is not None and item.offers != "" and item.offers == self._web.digest
                if (codec := self._framed.codec) is not None:
                    codec = codec if item.version >= PROTOCOL_VERSION else of_version_2(codec)
                    if not item.knows and item.language in languages():
                        codec = speaking_codec(codec, item.language)
                    elif item.language:
                        codec = phrasing_codec(codec)
                    self.codec = self._framed.codec = codec
                if (goodbye := self._handler.hello(self, item)) is not None:
                    self.farewell(goodbye)
                self._is_held = self.person is None and self._plain is None  # what a person types waits by itself
            case messages.Bye():
                self._handler.bye(self)
            case messages.Ping() | messages.Pong() | messages.Push():
                if isinstance(item, messages.Push) and self._count(1) == 0:
                    self._handler.push(self, item)
            case Parted():
                self.farewell(messages.Goodbye(code="bye", says=item.reason))
            case FramingError() | HandshakeError():
                self.farewell(messages.Goodbye(code="protocol", says=item.reason))
            case PageAsked():
                assert self._http is not None
                self._answer_page(self._http)
            case _ if self.person is None:
                pass  # they are leaving
            case MessageError():
                if self._is_within_limit(item.request_id):
                    refused = messages.Refused(item.request_id, RefusalCode.BAD_REQUEST, item.reason, field=item.field)
                    self._handler.refuse_unheard(self, refused)
            case ProtocolError():
                raise AssertionError(f"{item!r} is the client's to raise")
            case _:
                if self._is_within_limit(item.id):
                    self._handler.ask(self, item)
        self._did |= _ASKED

    def begin(self) -> None:
        """The peer is admitted and has got all that comes with the welcome: handle what came behind its `hello`."""
        if self._is_held:
            self._go_on()

    def _is_within_limit(self, request: int) -> bool:
        wait = self._count(1)
        if wait and self._closing_since is None:
            says = say_in_english("refused-wait", seconds=f"{max(wait, 100) / 1000:.1f}")
            self._handler.refuse_unheard(
                self, messages.Refused(request, RefusalCode.TOO_FAST, says, retry_after_ms=wait)
            )
        return wait == 0

    def _count(self, count: int) -> int:
        """Count against the rate limit; close a peer who exceeds it again and again. Returns milliseconds to wait."""
        rate_limit = self.standing.rate_limit
        wait = rate_limit.spend(self._handler.now(), count)
        if rate_limit.is_hopeless:
            self.farewell(TOO_FAST)
        return wait

    def ping(self) -> None:
        """Ping a program; the handler gets its answer. People who type are not pinged."""
        if self._plain is None and self._closing_since is None:
            self._framed.want_pulse()
            self.flush()

    def send(self, message: messages.ServerMessage) -> None:
        """Queue a message for this peer; `flush` sends it. Nothing is sent after a goodbye."""
        if self._closing_since is not None:
            return
        if self._plain is not None:
            self._unsaid += (message,)
            return
        if self._has_offers and isinstance(message, messages.Welcome):
            message = replace(message, games=())
        self._framed.send(message)

    def _say_all(self) -> None:
        """Put messages into sentences, at the cost of the person who reads them: sentences take longer than a move, and
        many people may type."""
        if not self._unsaid or self._plain is None:
            return
        unsaid, self._unsaid = self._unsaid, ()
        try:
            with self._handler.budgets.work((self,)) as work:
                work.is_play = True
                for message in unsaid:
                    for part in parts(message):
                        self._plain.send(part, self._handler.now())
        except Exception:  # a session boundary: this may be done while another peer's request is carried out
            log.exception("a message could not be put in words; its connection is closed")
            self.cut()

    def deliver(self, data: bytes) -> None:
        """Queue bytes encoded with this peer's codec. Nothing is sent after a goodbye."""
        if self._closing_since is None:
            self._framed.send_encoded(data)

    def flush(self) -> None:
        """Send what is queued. A slow reader is disconnected here, so no table ever waits for them."""
        if self._plain is not None:
            self._say_all()
            if self._plain.has_next:
                self._handler.note_more(self)  # the answer came that the next line waited for
        transport = self._transport
        if transport is None or not (data := self._connection.take()):
            return
        if transport.is_closing():  # its loss is told next; until then every write would be a line of the log
            return
        if self.caller.is_encrypted and len(data) > BUFFER_BYTES:
            self._write_pieces(transport, data)
        else:
            transport.write(data)
        if transport.get_write_buffer_size() > OUTBOX_BYTES:
            log.info("a slow reader is dropped")
            self._handler.meters.refused["too_slow"] += 1
            self.caller.parting = "too_slow"
            self.cut()

    def _write_pieces(self, transport: asyncio.Transport, data: bytes) -> None:
        """Write in pieces, because OpenSSL keeps a buffer as large as the longest write; a welcome has 30 KiB."""
        for at in range(0, len(data), BUFFER_BYTES):
            transport.write(data[at : at + BUFFER_BYTES])

    def farewell(self, goodbye: messages.Goodbye) -> None:
        """Say goodbye and close, once. A person may correct a mistyped name. A stranger gets no message, because its
        codec is unknown. What the peer does not read in time is lost."""
        if self._closing_since is not None or self._transport is None:
            return
        if self._asked_at is not None:
            self._end()  # what was asked is answered, and there is no peer to part from
            return
        if goodbye.code in _REFUSALS:
            self._handler.admission.log.refused(self.caller.address, goodbye.refusal or goodbye.code)
        self._say_all()
        if self._plain is not None and self._plain.is_let_try_again(goodbye):
            return
        if goodbye.code not in _PEACEFUL:
            self._handler.meters.refused[goodbye.refusal or goodbye.code] += 1
        self.caller.parting = goodbye.code
        if not self._is_stranger:
            self.send(goodbye)
        self._end()

    def _end(self) -> None:
        """Send what is queued, and close. What the peer does not read in time is lost."""
        self._closing_since = self._handler.now()
        self.flush()
        if self._transport is not None:
            self._transport.close()

    def cut(self) -> None:
        """Close at once; may be called repeatedly."""
        if self._transport is not None:
            self._transport.abort()

    def tick(self, now: int, *, is_awaited: bool) -> None:
        """Heartbeat and time limits; call every second or so."""
        since = self._asked_at if self._closing_since is None else self._closing_since
        if since is not None:
            if now - since >= CLOSING_MS:
                self.cut()
            return
        self._say_all()
        goodbye = self._plain.tick(now) if self._plain is not None else self._framed.tick(now, is_awaited=is_awaited)
        if goodbye is not None:
            self.farewell(goodbye)
        self.flush()
