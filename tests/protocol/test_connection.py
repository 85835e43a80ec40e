"""Both ends of a connection: order, heartbeats, numbering, and whoever the peer is, nothing but messages and errors."""

import gc
import weakref
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from put_protocol.codecs import FRAMES, LINES, Codec, Message, decoder_of_replies, decoder_of_requests, is_plain, sniff
from put_protocol.connection import GREETING, TLS_FIRST_BYTE, ClientConnection, ServerConnection
from put_protocol.errors import FramingError, HandshakeError, MessageError, NumberingError, ProtocolError
from put_protocol.framing import frame
from put_protocol.limits import DEAD_MS, HELLO_MS, LEAST_DEAD_MS, LEAST_QUIET_MS, QUIET_MS, STRANGER_MS
from put_protocol.messages import (
    Bye,
    ClientMessage,
    Events,
    Goodbye,
    Hello,
    Left,
    Look,
    Notice,
    Ok,
    Ping,
    Pong,
    Refused,
    Seen,
    ServerMessage,
    TableSnapshot,
)
from put_protocol.refusals import RefusalCode
from put_protocol.seats import Seat
from put_protocol.table_events import Agreed
from tests.protocol import samples
from tests.protocol.fuzz import LawBroken, Tally, campaign, one_round
from tests.protocol.strategies import chunkings, client_messages, server_messages
from tests.repetitions import often

both_codecs = pytest.mark.parametrize("codec", [FRAMES, LINES], ids=repr)


def greeted(codec: Codec = FRAMES, now: int = 0) -> ServerConnection:
    """The server's end after a hello."""
    connection = ServerConnection(now)
    hello = Hello(version=2, name="Moll")
    assert connection.receive(codec.encode(hello), now) == [hello]
    return connection


def welcomed(*tables: int, codec: Codec = FRAMES, now: int = 0) -> ClientConnection:
    """The client's end after a welcome to someone who was at these tables."""
    connection = ClientConnection(now, codec)
    told(connection, replace(samples.WELCOME, tables=tables), codec=codec, now=now)
    return connection


def told(
    connection: ClientConnection, *messages: ServerMessage, codec: Codec = FRAMES, now: int = 0
) -> list[ServerMessage | ProtocolError]:
    """What a client makes of these messages."""
    return connection.receive(b"".join(map(codec.encode, messages)), now)


def happened(first: int, count: int = 1, table: int = 7) -> Events:
    return Events(table=table, first=first, events=(Agreed(Seat(0)),) * count)


def snapshot(number: int, table: int = 7) -> TableSnapshot:
    return TableSnapshot(table=table, viewer=Seat(0), number=number, info=samples.INFO)


def replies_in(data: bytes, codec: Codec = FRAMES) -> list[ServerMessage]:
    return [decoder_of_replies(codec).decode(piece) for piece in codec.splitter().feed(data)]


def requests_in(data: bytes, codec: Codec = FRAMES) -> list[ClientMessage]:
    return [decoder_of_requests(codec).decode(piece) for piece in codec.splitter().feed(data)]


def only_error(taken: Sequence[object]) -> ProtocolError:
    """The one error, with nothing around it."""
    (error,) = taken
    assert isinstance(error, ProtocolError)
    return error


# --- the server's end: sniffing and handshake ------------------------------------------------------------------------


def test_what_waits_for_a_slow_reader_is_not_copied_for_each_message() -> None:
    """A queue grows in place: a megabyte of small messages costs no gigabytes of copies."""
    connection = greeted()
    messages = [FRAMES.encode(Ok(number)) for number in range(100)]
    for message in messages[:2]:
        connection.send_encoded(message)
    queue = connection.out
    for message in messages[2:]:
        connection.send_encoded(message)
    assert connection.out is queue
    assert connection.pending == len(b"".join(messages))
    assert connection.take() == b"".join(messages)
    assert connection.take() == b""


@both_codecs
def test_server_answers_as_it_was_spoken_to(codec: Codec) -> None:
    """The first byte tells how the peer speaks, and it is answered the same way."""
    connection = greeted(codec)
    assert connection.codec is codec
    connection.send(samples.WELCOME)
    assert replies_in(connection.take(), codec) == [samples.WELCOME]


def test_server_declines_any_other_first_byte_politely() -> None:
    """Whoever speaks neither frames nor lines is told in a sentence what is spoken here, and can read the farewell; who
    shakes hands for TLS, that there is none."""
    for first in set(range(256)) - {0, ord("{")}:
        connection = ServerConnection(0)
        error = only_error(connection.receive(bytes([first]) + b"\x03\x01", 0))
        assert isinstance(error, FramingError)
        assert error.reason == (
            "this is put-server, and it does not speak TLS on this port"
            if first == TLS_FIRST_BYTE
            else "this is put-server: it speaks msgpack frames, JSON lines, and plain English"
        )
        assert connection.is_closed
        connection.send(Goodbye("protocol", error.reason))
        assert connection.take() == LINES.encode(Goodbye("protocol", error.reason))


def test_first_byte_tells_one_way_of_speaking() -> None:
    """No byte is taken for two, and those that no person types, and no telnet sends, are taken for none."""
    assert [byte for byte in range(256) if sniff(byte) is not None and is_plain(byte)] == []
    neither = {byte for byte in range(256) if sniff(byte) is None and not is_plain(byte)}
    assert neither == set(range(1, 32)) - set(b"\r\n\t\b\x1b")


def test_server_waits_for_a_first_byte() -> None:
    """No bytes are no word: the peer may still speak either way."""
    connection = ServerConnection(0)
    assert connection.receive(b"", 0) == []
    assert connection.codec is None
    assert connection.receive(LINES.encode(samples.HELLO), 0) == [samples.HELLO]


@both_codecs
@pytest.mark.parametrize("first", samples.REQUESTS, ids=lambda message: type(message).__name__)
def test_server_takes_nothing_before_hello(codec: Codec, first: ClientMessage) -> None:
    """Any other first message, a ping included, ends the connection, and a hello after it comes too late."""
    connection = ServerConnection(0)
    error = only_error(connection.receive(codec.encode(first) + codec.encode(samples.HELLO), 0))
    assert isinstance(error, HandshakeError)
    assert error.reason == "the first message must be a hello"
    assert connection.is_closed
    assert not connection.has_hello
    assert connection.take() == b""


@both_codecs
def test_server_takes_no_broken_hello(codec: Codec) -> None:
    """What was wrong with a hello is told twice: its field, and that the connection ends by it."""
    connection = ServerConnection(0)
    body = b'{"type":"hello"}\n' if codec is LINES else frame(b"\x81\xa4type\xa5hello")
    error, end = connection.receive(body + codec.encode(samples.HELLO), 0)
    assert isinstance(error, MessageError)
    assert error.field == "$.version"
    assert isinstance(end, HandshakeError)
    assert end.reason == "the first message must be a hello: Object missing required field `version`"
    assert connection.is_closed


@both_codecs
def test_server_takes_one_hello(codec: Codec) -> None:
    """A second hello ends the connection; what came between the two was heard, what comes after is not."""
    connection = greeted(codec)
    look = codec.encode(Look(1))
    taken = connection.receive(look + codec.encode(samples.HELLO) + look, 0)
    assert taken[0] == Look(1)
    error = only_error(taken[1:])
    assert isinstance(error, HandshakeError)
    assert error.reason == "a second hello"
    assert connection.receive(look, 0) == []


@both_codecs
def test_server_goes_on_after_a_bad_message(codec: Codec) -> None:
    """A message that does not fit comes out as an error in its place, and the ones around it are heard."""
    connection = greeted(codec)
    bad = b'{"type":"look","id":9,"x":1}\n' if codec is LINES else frame(b"\x83\xa4type\xa4look\xa2id\x09\xa1x\x01")
    before, error, after = connection.receive(codec.encode(Look(1)) + bad + codec.encode(Look(2)), 0)
    assert (before, after) == (Look(1), Look(2))
    assert isinstance(error, MessageError)
    assert (error.field, error.request_id) == ("$.x", 9)
    assert not connection.is_closed


@both_codecs
def test_server_hears_nothing_after_what_cannot_be_cut(codec: Codec) -> None:
    """Bytes that are no frames or lines end the connection, after the messages before them."""
    connection = greeted(codec)
    fault = bytes(4) if codec is FRAMES else b"x" * 65_537
    taken = connection.receive(codec.encode(Look(1)) + fault, 0)
    assert taken[0] == Look(1)
    assert isinstance(only_error(taken[1:]), FramingError)
    assert connection.is_closed
    assert connection.receive(codec.encode(Look(2)), 0) == []


def test_server_counts_what_waits_to_be_taken() -> None:
    """The bytes pending are those the next take gives, and then none."""
    connection = greeted()
    shared = FRAMES.encode(Notice("Last orders."))
    connection.send(Pong())
    connection.send_encoded(shared)
    assert connection.pending == len(FRAMES.encode(Pong()) + shared)
    assert connection.take() == FRAMES.encode(Pong()) + shared
    assert (connection.pending, connection.take()) == (0, b"")


# --- the server's end: time ------------------------------------------------------------------------------------------


@both_codecs
def test_server_answers_pings_itself_and_counts_them(codec: Codec) -> None:
    """A ping is answered by one pong and a pong by nothing; neither comes out, but both are counted, once."""
    connection = greeted(codec)
    came: list[ClientMessage] = [Ping(), Look(1), Pong(), Ping()]
    assert connection.receive(b"".join(map(codec.encode, came)), 0) == [Look(1)]
    assert replies_in(connection.take(), codec) == [Pong(), Pong()]
    assert (connection.take_heartbeats(), connection.take_heartbeats()) == (3, 0)


def test_server_pings_once_at_quiet_ms() -> None:
    """A silent peer is pinged when it has been quiet for QUIET_MS, not before and not again."""
    connection = greeted(now=1_000)
    assert connection.tick(1_000 + QUIET_MS - 1) is None
    assert connection.take() == b""
    for later in (0, 1, 5_000):
        assert connection.tick(1_000 + QUIET_MS + later) is None
    assert replies_in(connection.take()) == [Ping()]


def test_server_gives_up_at_dead_ms() -> None:
    """A peer silent for DEAD_MS is given up with a reason, and not a millisecond earlier."""
    connection = greeted(now=1_000)
    assert connection.tick(1_000 + DEAD_MS - 1) is None
    assert connection.tick(1_000 + DEAD_MS) == Goodbye("idle", "nothing was heard from you for too long")


def test_server_takes_any_byte_for_a_sign_of_life() -> None:
    """A byte of an unfinished message begins the silence anew, and there is a ping for each silence."""
    connection = greeted(now=0)
    assert connection.tick(QUIET_MS) is None
    assert replies_in(connection.take()) == [Ping()]
    assert connection.receive(b"\x00", DEAD_MS - 1) == []
    assert connection.tick(DEAD_MS) is None
    assert connection.take() == b""
    assert connection.tick(DEAD_MS - 1 + QUIET_MS) is None
    assert replies_in(connection.take()) == [Ping()]


def test_server_wants_a_whole_hello_by_hello_ms() -> None:
    """Half a hello buys no time: the deadline runs from the first byte, and nothing is said before it."""
    connection = ServerConnection(0)
    assert connection.receive(FRAMES.encode(samples.HELLO)[:-2], 1_000) == []
    assert connection.tick(1_000 + HELLO_MS - 1) is None
    assert connection.receive(FRAMES.encode(samples.HELLO)[-2:-1], 1_000 + HELLO_MS - 1) == []
    goodbye = connection.tick(1_000 + HELLO_MS)
    assert goodbye is not None
    assert goodbye.code == "idle"
    assert connection.take() == b""


def test_server_gives_a_stranger_time_to_find_out_that_they_must_speak_first() -> None:
    """Two minutes, and not a millisecond more; a byte in the last of them begins the time for a hello."""
    silent, late = ServerConnection(1_000), ServerConnection(1_000)
    assert silent.tick(1_000 + STRANGER_MS - 1) is None
    assert late.receive(b"{", 1_000 + STRANGER_MS - 1) == []
    assert silent.tick(1_000 + STRANGER_MS) == Goodbye("idle", "no hello came")
    assert late.tick(1_000 + STRANGER_MS) is None


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b'{"type":"hello","version":2,"name":"Moll"}', "what you sent does not end with a line feed"),
        (b"\x00\x00\x00\x50\x83\xa4type", "your frame has fewer bytes than its length says"),
    ],
)
def test_hello_that_never_ends_is_told_from_silence(data: bytes, why: str) -> None:
    """Who forgot the end of it hears what is missing."""
    connection = ServerConnection(0)
    assert connection.receive(data, 0) == []
    assert connection.tick(HELLO_MS) == Goodbye("idle", f"no hello came: {why}")


def test_server_has_no_hello_deadline_after_hello() -> None:
    """Whoever said hello in time is only asked to be alive."""
    assert greeted(now=0).tick(HELLO_MS) is None


# --- the client's end: handshake and time ----------------------------------------------------------------------------


@both_codecs
@pytest.mark.parametrize(
    "first",
    [one for one in samples.REPLIES if not isinstance(one, Goodbye | Ping | Pong)] + [samples.ANSWER],
    ids=lambda message: type(message).__name__,
)
def test_client_takes_nothing_before_welcome(codec: Codec, first: ServerMessage) -> None:
    """A server that says anything else before its welcome is not believed."""
    connection = ClientConnection(0, codec)
    error = only_error(told(connection, first, samples.WELCOME, codec=codec))
    assert isinstance(error, HandshakeError)
    assert connection.is_closed
    assert not connection.is_welcome


@given(data=st.data(), codec=st.sampled_from([FRAMES, LINES]))
def test_client_passes_over_a_greeting_that_is_not_for_it(data: st.DataObject, codec: Codec) -> None:
    """It was silent for a second, so it might have been a person. Anything else in that place is no put server."""
    greeting = f"{GREETING}, in plain English.\nYou have 2 minutes.\n".encode()
    client = ClientConnection(0, codec)
    chunks = data.draw(chunkings(greeting + codec.encode(samples.WELCOME)))
    assert [one for chunk in chunks for one in client.receive(chunk, 0)] == [samples.WELCOME]
    for stranger in (b"SSH-2.0-OpenSSH_9.2\n", b"This is a put shop.\n\n{}\n", b"This is a put server" + b"x" * 70_000):
        other = ClientConnection(0, codec)
        chunks = data.draw(chunkings(stranger))
        assert isinstance([one for chunk in chunks for one in other.receive(chunk, 0)][-1], ProtocolError)


def test_client_takes_a_goodbye_for_a_welcome() -> None:
    """A hello may be answered by a goodbye, which comes out as any message."""
    connection = ClientConnection(0)
    turned_away = Goodbye("refused", "that name is taken", RefusalCode.NAME_TAKEN)
    assert told(connection, turned_away) == [turned_away]
    assert not connection.is_welcome


def test_client_takes_one_welcome() -> None:
    """A second welcome ends the connection."""
    connection = welcomed()
    assert connection.is_welcome
    assert isinstance(only_error(told(connection, samples.WELCOME)), HandshakeError)
    assert connection.is_closed


@both_codecs
def test_client_ends_by_the_first_error(codec: Codec) -> None:
    """A server has no excuse: its first bad message comes out last, after the good ones before it."""
    connection = welcomed(codec=codec)
    bad = b"{}\n" if codec is LINES else frame(b"\x80")
    notice = codec.encode(Notice("Last orders."))
    taken = connection.receive(notice + bad + notice, 0)
    assert taken[0] == Notice("Last orders.")
    assert isinstance(only_error(taken[1:]), MessageError)
    assert connection.is_closed
    assert connection.receive(notice, 0) == []


@both_codecs
def test_client_answers_pings_itself(codec: Codec) -> None:
    """A ping is answered by a pong, even before the welcome, and neither comes out."""
    connection = ClientConnection(0, codec)
    assert told(connection, Ping(), Pong(), samples.WELCOME, Ping(), codec=codec) == [samples.WELCOME]
    assert requests_in(connection.take(), codec) == [Pong(), Pong()]


def test_client_pings_a_silent_server_and_then_gives_up() -> None:
    """A quiet server is pinged once at QUIET_MS and taken for gone at DEAD_MS; any byte begins the count anew."""
    connection = welcomed(now=0)
    assert connection.tick(QUIET_MS - 1)
    assert connection.take() == b""
    assert connection.tick(QUIET_MS)
    assert connection.tick(DEAD_MS - 1)
    assert requests_in(connection.take()) == [Ping()]
    assert not connection.tick(DEAD_MS)
    assert connection.receive(b"\x00", DEAD_MS) == []
    assert connection.tick(DEAD_MS + QUIET_MS)
    assert requests_in(connection.take()) == [Ping()]


# --- the client's end: answers and numbering -------------------------------------------------------------------------


def test_client_numbers_requests_from_1_upwards() -> None:
    """No two requests of one connection have the same id."""
    connection = ClientConnection(0)
    assert [connection.next_id() for _ in range(3)] == [1, 2, 3]


@pytest.mark.parametrize("answer", [Ok(2), Refused(2, RefusalCode.ILLEGAL, "no")], ids=lambda one: type(one).__name__)
def test_client_takes_one_answer_to_what_it_asked(answer: Ok | Refused) -> None:
    """An answer to a request never made, or answered already, is the server's mistake and ends the connection."""
    stranger = welcomed()
    stranger.send(Look(1))
    error = only_error(told(stranger, answer))
    assert isinstance(error, MessageError)
    assert error.request_id == 2
    assert stranger.is_closed

    asker = welcomed()
    asker.send(Look(1))
    asker.send(Look(2))
    assert told(asker, answer) == [answer]
    assert told(asker, Ok(1)) == [Ok(1)]
    assert isinstance(only_error(told(asker, answer)), MessageError)


def test_client_takes_a_refusal_of_what_could_not_be_read() -> None:
    """A refusal with the id 0 answers no request in particular and is no mistake."""
    refused = Refused(0, RefusalCode.BAD_REQUEST, "no")
    assert told(welcomed(), refused, refused) == [refused, refused]


def test_client_takes_events_in_their_order() -> None:
    """Events of a table count from 1 without gaps, several to a message or none, each table by itself."""
    connection = welcomed()
    came: list[ServerMessage] = [snapshot(0), happened(1), happened(2, 3), snapshot(0, 8)]
    came += [happened(1, table=8), happened(5, 0), happened(5)]
    assert told(connection, *came) == came
    assert set(connection.seen) == {Seen(7, 5), Seen(8, 1)}


@pytest.mark.parametrize("first", [-1, 0, 1, 3, 5, 2**63])
def test_client_refuses_a_gap_and_a_repeat(first: int) -> None:
    """After event 3 comes 4: one that was there already, one too far on and nonsense end the connection."""
    connection = welcomed()
    error = only_error(told(connection, snapshot(0), happened(1, 3), happened(first))[2:])
    assert isinstance(error, NumberingError)
    assert error.reason == f"table 7: event {first} came where 4 was due"
    assert connection.is_closed
    assert connection.seen == (Seen(7, 3),)


def test_client_takes_no_events_of_a_table_that_was_not_shown() -> None:
    """Nothing of them could be checked, so they end the connection."""
    error = only_error(told(welcomed(), happened(1)))
    assert isinstance(error, NumberingError)
    assert error.reason == "events of table 7 came before the table was shown"


def test_client_counts_anew_from_a_snapshot() -> None:
    """A table shown whole sets the number, forwards and backwards."""
    connection = welcomed()
    came: list[ServerMessage] = [snapshot(41), happened(42), snapshot(9), happened(10), snapshot(0), happened(1)]
    assert told(connection, *came) == came
    assert connection.seen == (Seen(7, 1),)


@pytest.mark.parametrize("number", [-1, 2**53, 2**64 - 1])
def test_client_refuses_a_snapshot_it_could_not_come_back_to(number: int) -> None:
    """A number that no hello can tell is the server's mistake, found before it is kept."""
    connection = welcomed()
    assert isinstance(only_error(told(connection, snapshot(number))), NumberingError)
    assert connection.seen == ()


def test_client_forgets_a_table_it_left() -> None:
    """After a left the table begins again, and no resuming hello names it."""
    connection = welcomed()
    told(connection, snapshot(0), happened(1, 3), snapshot(1, 8), Left(7, "you left"))
    assert connection.seen == (Seen(8, 1),)
    came: list[ServerMessage] = [Left(7, "and again"), snapshot(0), happened(1)]
    assert told(connection, *came) == came


def test_client_goes_on_where_another_stopped() -> None:
    """What one connection has seen the next one follows: the first event due is the one after."""
    before = welcomed()
    told(before, snapshot(3), snapshot(5, 8))
    after = ClientConnection(0)
    after.follow_from(before.seen)
    assert after.seen == before.seen == (Seen(7, 3), Seen(8, 5))
    told(after, replace(samples.WELCOME, tables=(7, 8)))
    assert told(after, happened(4), happened(6, table=8)) == [happened(4), happened(6, table=8)]
    assert isinstance(only_error(told(after, happened(6, table=8))), NumberingError)


def test_client_expects_the_answers_its_hello_asks_for() -> None:
    """Each once, and no others; new requests are numbered above those of the connection that dropped."""
    connection = ClientConnection(0)
    connection.send(Hello(version=2, token="t1", asked=(3, 9)))
    told(connection, samples.WELCOME)
    assert connection.next_id() == 10
    lost = Refused(9, RefusalCode.NOT_CARRIED_OUT, "ask again")
    assert told(connection, Ok(3), lost) == [Ok(3), lost]
    assert isinstance(only_error(told(connection, Ok(3))), MessageError)


def test_client_forgets_tables_the_welcome_does_not_list() -> None:
    """Whoever was taken from a table while away starts there from nothing."""
    connection = ClientConnection(0)
    connection.follow_from([Seen(7, 3), Seen(8, 5)])
    told(connection, replace(samples.WELCOME, tables=(8, 9)))
    assert connection.seen == (Seen(8, 5),)


# --- whoever the peer is ---------------------------------------------------------------------------------------------


def check_end(taken: Sequence[object], is_closed: bool) -> None:
    """Nothing comes after a fatal error, and it closes."""
    for place, one in enumerate(taken):
        if isinstance(one, ProtocolError) and not isinstance(one, MessageError):
            assert place == len(taken) - 1
            assert is_closed


@given(
    data=st.data(),
    first=st.sampled_from([b"", b"\x00", b"{", FRAMES.encode(samples.HELLO), LINES.encode(samples.HELLO)]),
)
@often(50)
def test_server_gives_messages_and_errors_whatever_comes(data: st.DataObject, first: bytes) -> None:
    """Garbage in any chunks, first or after a hello, gives only messages and errors, the same as in one piece."""
    stream = first + data.draw(st.binary(max_size=400))
    whole, chunked = ServerConnection(0), ServerConnection(0)
    expected = whole.receive(stream, 0)
    taken = [one for chunk in data.draw(chunkings(stream)) for one in chunked.receive(chunk, 0)]
    assert list(map(repr, taken)) == list(map(repr, expected))
    assert chunked.is_closed == whole.is_closed
    assert chunked.take() == whole.take()
    check_end(taken, chunked.is_closed)


@both_codecs
@given(data=st.data(), is_welcome=st.booleans())
@often(33)
def test_client_gives_messages_and_errors_whatever_comes(codec: Codec, data: st.DataObject, is_welcome: bool) -> None:
    """Garbage in any chunks, first or after a welcome, gives messages and at most one error, which closes."""
    stream = (codec.encode(samples.WELCOME) if is_welcome else b"") + data.draw(st.binary(max_size=400))
    whole, chunked = ClientConnection(0, codec), ClientConnection(0, codec)
    expected = whole.receive(stream, 0)
    taken = [one for chunk in data.draw(chunkings(stream)) for one in chunked.receive(chunk, 0)]
    assert list(map(repr, taken)) == list(map(repr, expected))
    assert [isinstance(one, ProtocolError) for one in taken].count(True) == chunked.is_closed == whole.is_closed
    check_end(taken, chunked.is_closed)


@both_codecs
@given(
    data=st.data(),
    said=st.lists(client_messages().filter(lambda one: not isinstance(one, Hello | Ping | Pong)), max_size=6),
)
@often(20)
def test_server_hears_everything_said_in_its_order(
    codec: Codec, data: st.DataObject, said: list[ClientMessage]
) -> None:
    """After a hello all that a client may say comes out, in any chunking, as it was said."""
    everything: list[ClientMessage] = [samples.HELLO, *said]
    connection = ServerConnection(0)
    chunks = data.draw(chunkings(b"".join(map(codec.encode, everything))))
    assert [one for chunk in chunks for one in connection.receive(chunk, 0)] == everything


@both_codecs
@given(messages=st.lists(server_messages(), max_size=6))
@often(20)
def test_client_holds_any_server_to_the_order(codec: Codec, messages: list[ServerMessage]) -> None:
    """Valid messages in an order that makes no sense give messages and at most one error, never anything else."""
    connection = ClientConnection(0, codec)
    taken = told(connection, samples.WELCOME, *messages, codec=codec)
    assert [isinstance(one, ProtocolError) for one in taken].count(True) == connection.is_closed
    sent: list[Message] = [samples.WELCOME, *(one for one in messages if not isinstance(one, Ping | Pong))]
    heard = [one for one in taken if not isinstance(one, ProtocolError)]
    assert heard == sent[: len(heard)]
    assert codec.encode(Hello(version=2, seen=connection.seen))


# --- the campaign ----------------------------------------------------------------------------------------------------


def test_fuzzing_breaks_no_law() -> None:
    """A short slice of the campaign: broken streams to both ends, and every kind of error comes of them."""
    tally = campaign(seed=1674, rounds=300)
    assert tally.rounds == 300
    assert {"Hello", "Welcome", "FramingError", "MessageError", "HandshakeError", "NumberingError"} <= set(tally.taken)
    assert 45 < tally.ended < 255


def test_fuzzing_is_the_same_every_time() -> None:
    """The same seed gives the same streams, in one campaign or in two that follow each other, or in single rounds."""
    whole, single = campaign(seed=7, rounds=60), Tally()
    for number in range(60):
        one_round(7, number, single)
    first, second = campaign(seed=7, rounds=40), campaign(seed=7, rounds=20, start=40)
    assert single == whole
    assert first.taken + second.taken == whole.taken


def test_fuzzing_tells_the_round_that_broke_a_law(monkeypatch: pytest.MonkeyPatch) -> None:
    """A law that falls names the seed and the round, by which it can be seen again."""
    monkeypatch.setattr(FramingError, "__init__", lambda self, reason: ProtocolError.__init__(self, reason + "\x1b"))
    with pytest.raises(LawBroken, match=r"round \d+ of seed 1674: .*cannot be shown"):
        campaign(seed=1674, rounds=300)


def test_bye_is_heard_as_any_message() -> None:
    """A wilful end is for the server to act on: it comes out, and the connection waits to be closed."""
    connection = greeted()
    assert connection.receive(FRAMES.encode(Bye()), 0) == [Bye()]
    assert not connection.is_closed


@pytest.mark.parametrize(
    ("told", "quiet_ms", "dead_ms"),
    [((400, 1_200), 400, 1_200), ((0, 0), LEAST_QUIET_MS, LEAST_DEAD_MS), ((90_000, 60_000), 30_000, 60_000)],
)
def test_client_keeps_to_the_times_of_the_welcome(told: tuple[int, int], quiet_ms: int, dead_ms: int) -> None:
    """It pings, and takes the server for gone, when the welcome says; never so soon that a good connection is lost, nor
    before it has pinged."""
    connection = ClientConnection(0)
    quiet, dead = told
    limits = replace(samples.WELCOME.limits, quiet_ms=quiet, dead_ms=dead)
    assert connection.receive(FRAMES.encode(replace(samples.WELCOME, limits=limits)), 0)
    assert connection.tick(quiet_ms - 1)
    assert connection.take() == b""
    assert connection.tick(quiet_ms)
    assert requests_in(connection.take()) == [Ping()]
    assert connection.tick(dead_ms - 1)
    assert not connection.tick(dead_ms)


def test_no_welcome_makes_a_client_ping_without_end() -> None:
    """A server that answers each ping at once, and told it to ping every millisecond, gets four a second."""
    connection, pings = ClientConnection(0), 0
    limits = replace(samples.WELCOME.limits, quiet_ms=1, dead_ms=1)
    assert connection.receive(FRAMES.encode(replace(samples.WELCOME, limits=limits)), 0)
    for now in range(1_000):
        assert connection.tick(now)
        if connection.take():
            pings += 1
            connection.receive(FRAMES.encode(Pong()), now)
    assert 1 <= pings <= 4


@pytest.mark.parametrize(
    "data",
    [b"\xc1" * 100, b"\0\0\0\x08" + b"\x90" * 8, b"{]\n", b'{"type":"bye"}\n'],
    ids=["garbage", "frame", "line", "bye"],
)
def test_what_was_received_holds_no_memory_after_its_error(data: bytes) -> None:
    """Nothing waits for a search for cycles: thousands of connections with errors would be kept until then."""
    gc.disable()
    try:
        error = ServerConnection(0).receive(data, 0)[-1]
        assert isinstance(error, ProtocolError)
        found = weakref.ref(error)
        del error
        assert found() is None
    finally:
        gc.enable()
